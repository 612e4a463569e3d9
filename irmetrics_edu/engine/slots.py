"""Which of many keys are among few: a table of slots that stays in the processor's cache."""

import numpy as np

from irmetrics_edu.numbers import Array

_FEWEST_BITS = 10
_MOST_BITS = 22  # a table of 16 MB
_SLOTS_FOR_EACH = 32  # so that nearly all keys that are not held meet an empty slot
_EMPTY = -1


def found_in(
    keys: Array,
    held: Array,
) -> tuple[Array, Array]:
    """Which keys are held, each beside every item that holds it.

    A table of slots turns nearly all others away. For the queries of one piece, it stays in the
    processor's cache. Of items that share a slot, the last has it; the few others get a table too.
    """
    shift = _shift_for(len(held))
    slot = held >> shift
    slot = slot.view(np.int64)
    items = np.arange(len(held))
    bits = 64 - int(shift)
    size = 1 << bits
    table = np.full(size, _EMPTY, dtype=np.int32)
    table[slot] = items
    slot_of_key = keys >> shift
    item = table.take(slot_of_key.view(np.int64))
    is_full = item != _EMPTY
    here = np.flatnonzero(is_full)
    item = item.take(here).astype(np.intp)
    wanted = keys.take(here)
    same = held[item] == wanted
    first = here[same]
    item = item[same]
    has_slot = table[slot] == items
    without_slot = np.flatnonzero(~has_slot)
    if not len(without_slot):
        return first, item
    others = held[without_slot]
    more, place = found_in(wanted, others)
    here_too = here[more]
    item_too = without_slot[place]
    here = np.concatenate([first, here_too])
    item = np.concatenate([item, item_too])
    order = np.argsort(here, kind="stable")
    return here[order], item[order]


def _shift_for(n: int) -> np.uint64:
    """By how many bits a key of 64 is moved to be a slot of a table for `n` items."""
    bits = (n * _SLOTS_FOR_EACH).bit_length()
    bits = max(_FEWEST_BITS, bits)
    bits = min(_MOST_BITS, bits)
    return np.uint64(64 - bits)
