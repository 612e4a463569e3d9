"""Which of many keys are among few: a table of slots that stays in the processor's cache."""

import numpy as np

from irmetrics_edu.numbers import Array


def found_in(keys: Array, held: Array) -> tuple[Array, Array]:
    """Which keys are held, each beside every item that holds it.

    A table of slots turns nearly all others away. For the queries of one piece, it stays in the
    processor's cache. Of items that share a slot, the last has it; the few others get a table too.
    """
    bits = min(22, max(10, (len(held) * 32).bit_length()))
    shift = np.uint64(64 - bits)
    slot = (held >> shift).view(np.int64)
    items = np.arange(len(held))
    table = np.full(1 << bits, -1, dtype=np.int32)
    table[slot] = items
    item = table.take((keys >> shift).view(np.int64))
    here = np.flatnonzero(item >= 0)
    item, wanted = item.take(here).astype(np.intp), keys.take(here)
    others = np.flatnonzero(table[slot] != items)
    same = held[item] == wanted
    first, item = here[same], item[same]
    if not len(others):
        return first, item
    more, place = found_in(wanted, held[others])
    here = np.concatenate([first, here[more]])
    order = np.argsort(here, kind="stable")
    return here[order], np.concatenate([item, others[place]])[order]
