"""Columns of texts and of whole numbers: each method beside plain Python over the same ids."""

from itertools import product

import numpy as np
import pytest

from irmetrics_edu.engine import text as of_text
from irmetrics_edu.engine.text import PADDING, Numbers, Text, ids, padded
from irmetrics_edu.errors import InputError
from tests.tables import rows

# Bytes that are looked at together, and texts that are read whole: both are few here.
LONG = 16
AT_ONCE = 3
LENGTHS = [*range(10), *range(15, 19), 23, 24, 25, 33]


def _texts(length):
    """One of the length, and all that differ from it in one place; each is twice there."""
    one = "abcdefghijklmnopqrstuvwxyz0123456789"[:length]
    others = [f"{one[:at]}#{one[at + 1 :]}" for at in range(length)]
    return [one, *others, one, *others[::-1]]


def _scattered(texts, seed=0):
    """The texts as a column, in any order over a buffer in which other bytes stand between them."""
    chance = np.random.default_rng(seed)
    raw = bytearray()
    start = {}
    for place in chance.permutation(len(texts)).tolist():
        raw += bytes(chance.integers(33, 127, int(chance.integers(0, 12))).tolist())
        start[place] = len(raw)
        raw += texts[place].encode()
    raw += b"!" * int(chance.integers(0, 9))
    starts = np.array([start[place] for place in range(len(texts))], dtype=np.intp)
    lengths = np.array([len(text.encode()) for text in texts], dtype=np.intp)
    return Text(padded(bytes(raw)), starts, lengths)


def _columns(texts):
    """The same texts in several columns."""
    scattered = _scattered(texts)
    return [
        Text.of(texts),
        scattered,
        scattered.compact(),
        Text.joined([scattered.take([0]), scattered.take(slice(1, None))]),
    ]


@pytest.fixture(params=[False, True], ids=["as it is", "few at once"], autouse=True)
def few(request, monkeypatch):
    """The limits between ways that give the same, as they are and so low that all are gone."""
    if request.param:
        monkeypatch.setattr(of_text, "_LONG", LONG)
        monkeypatch.setattr(of_text, "_AT_ONCE", AT_ONCE)
        monkeypatch.setattr(of_text, "_BYTES_AT_ONCE", 20)


MIXED = [text for length in LENGTHS for text in _texts(length)]


@rows("length", [*LENGTHS, None])
def test_two_texts_have_one_key_if_they_are_equal(length):
    """And only then, wherever they stand; with a salt for each, only if that is the same, too."""
    texts = MIXED if length is None else _texts(length)
    number = {text: i for i, text in enumerate(dict.fromkeys(texts))}
    for column in _columns(texts):
        for salt in (None, np.uint64(12345), np.arange(len(texts), dtype=np.uint64) % 2):
            keys = column.keys(salt).tolist()
            salts = np.broadcast_to(np.uint64(0) if salt is None else salt, len(texts)).tolist()
            groups = {(number[t], s): k for t, s, k in zip(texts, salts, keys, strict=True)}
            assert [groups[number[t], s] for t, s in zip(texts, salts, strict=True)] == keys
            assert len(set(keys)) == len(groups)
    first, second = (column.keys(np.uint64(7)).tolist() for column in _columns(texts)[:2])
    assert first == second


@rows("length", [*LENGTHS[1:], None])
def test_texts_are_compared_as_python_compares_them(length):
    """With those beside them, with the ones before them, and with any that are named."""
    texts = MIXED[2:] if length is None else _texts(length)  # no id is empty
    chance = np.random.default_rng(len(texts))
    beside = chance.permutation(texts).tolist()
    named = chance.integers(0, len(texts), len(texts))
    for column, other in product(_columns(texts), _columns(beside)[:2]):
        pairs = list(zip(texts, beside, strict=True))
        assert column.equal(other).tolist() == [a == b for a, b in pairs]
        assert column.new().tolist() == [
            True,
            *(a != b for a, b in zip(texts[1:], texts, strict=False)),
        ]
        wanted = [
            i
            for i, (a, b) in enumerate(zip(texts, named.tolist(), strict=True))
            if len(a) == len(beside[b]) and a[-1:] == beside[b][-1:] and a[:1] == beside[b][:1]
        ]
        assert column.may_equal(other, named).tolist() == wanted


def test_texts_that_follow_one_another_are_new_where_they_differ():
    """Runs of one text, of all lengths."""
    texts = [text for text in MIXED for _ in range(1 + len(text) % 3)]
    new = [True, *(a != b for a, b in zip(texts[1:], texts, strict=False))]
    for column in _columns(texts):
        assert column.new().tolist() == new


def test_the_texts_come_back():
    """All, some, and one by one, in any order."""
    texts = [*MIXED, "é", "日本語", "\U0001f600", ""]
    where = np.random.default_rng(0).permutation(len(texts))[:50]
    for column in _columns(texts):
        assert len(column) == len(texts)
        assert column.tolist() == texts
        assert column.tolist(where) == [texts[i] for i in where]
        assert column.take(where).tolist() == [texts[i] for i in where]
        assert [column[i] for i in range(len(texts))] == texts
        assert column.tolist(where[:0]) == []
        assert column.kind == "text"
    assert Text.of([]).compact().tolist() == []


def test_bytes_that_are_no_text_come_back():
    """As lone surrogates in a list, and as a sign that something is lost by themselves."""
    column = Text(padded(b"a\xffb\xc3"), np.array([0, 3]), np.array([3, 1]))
    assert column.tolist() == ["a\udcffb", "\udcc3"]
    assert [column[0], column[1]] == ["a�b", "�"]


@pytest.mark.parametrize("size", [*range(1, 5), *range(95, 130)])
def test_places_of_a_column_hold_what_may_be_read_past_its_end(size, monkeypatch):
    """Columns of more bytes than small numbers can count, with numbers of a byte in their place."""
    kinds = {True: np.int8, False: np.int64}
    monkeypatch.setattr(of_text, "smallest", lambda most: kinds[most <= 127])
    texts = ["a" * (size - size // 2), "b" * (size // 2)]
    column = _scattered(texts).compact()
    assert column.tolist() == texts
    assert len(column.buffer) == size + PADDING
    assert np.iinfo(column.start.dtype).max >= size + PADDING
    assert (column.start.dtype == np.int8) == (size + PADDING <= 127)
    assert column.keys(np.uint64(5)).tolist() == Text.of(texts).keys(np.uint64(5)).tolist()


PARTS = [b"", b"a", b"\xc3\xa9", b"\xe6\x97\xa5", b"\x7f", b"\xff", b"\x80", b"\xc3"]


@rows("parts", [*product(PARTS, repeat=2)])
def test_a_column_is_utf_8_if_its_bytes_are_and_no_text_begins_within_a_character(parts):
    """As Python reads the bytes."""
    raw = b"".join(parts)
    lengths = np.array([len(part) for part in parts])
    starts = np.cumsum(lengths) - lengths
    column = Text(padded(raw), starts, lengths)
    begins_within = any(part and 0x80 <= part[0] < 0xC0 for part in parts)
    assert column.is_utf8() is (raw.decode(errors="replace").encode() == raw and not begins_within)


@rows("numbers", [[], [0], [3, -1, 3, 2**63 - 1, -(2**63), 0, 3, 3]])
def test_whole_numbers_are_a_column_too(numbers):
    """Each method as with texts."""
    column = Numbers.of(np.array(numbers, dtype=np.int64))
    where = np.arange(len(numbers))[::-1]
    for one in (
        column,
        column.compact(),
        column.take(slice(None)),
        Text.joined([column, column.take(slice(0, 0))]),
    ):
        assert isinstance(one, Numbers)
        assert one.tolist() == numbers
        assert one.values().tolist() == numbers
        assert one.tolist(where) == numbers[::-1]
        assert one.take(where).tolist() == numbers[::-1]
        assert [one[i] for i in range(len(numbers))] == numbers
        assert one.kind == "whole number"
        assert one.equal(column.take(where)).tolist() == [
            a == b for a, b in zip(numbers, numbers[::-1], strict=True)
        ]
        assert one.new().tolist() == [i == 0 or numbers[i - 1] != n for i, n in enumerate(numbers)]
        assert len(set(one.keys(np.uint64(1)).tolist())) == len(set(numbers))
    text = Text.of([str(number) for number in numbers])
    assert not column.equal(text).any()
    assert len(column.equal(text)) == len(numbers)


@rows(
    ("given", "says"),
    [
        ([1.0], "float64"),
        (["a"], "<U1"),
        ([True], "bool"),
        (np.array([1, 2**63], dtype=np.uint64), "64 bits"),
    ],
)
def test_what_is_no_whole_number_of_64_bits_is_none(given, says):
    """Told by its type."""
    with pytest.raises(InputError, match=says):
        Numbers.of(given)


def test_the_largest_whole_number_is_one():
    """Without a sign as well, and in a list."""
    assert Numbers.of(np.array([2**63 - 1], dtype=np.uint64)).tolist() == [2**63 - 1]
    assert ids([2**63 - 1, -(2**63)]).tolist() == [2**63 - 1, -(2**63)]
    with pytest.raises(InputError, match="64 bits"):
        ids([2**63])


@rows(
    ("values", "kind"),
    [([], "text"), (["a"], "text"), ([1], "whole number"), ([np.int8(1), 2], "whole number")],
)
def test_ids_are_of_one_kind(values, kind):
    """Text if there are none; anything else is refused, and so are both together."""
    assert ids(values).kind == kind
    for odd in (True, np.True_, 1.0, None, b"a", *(["a"] if kind != "text" else [7])):
        if values:
            with pytest.raises(InputError, match=r"is of type|can't"):
                ids([*values, odd])
    with pytest.raises(InputError, match="UTF-8"):
        ids(["\ud800"])


def test_columns_of_both_kinds_are_no_column():
    """Whichever comes first."""
    text, numbers = Text.of(["a"]), Numbers.of([1])
    for parts in ([text, numbers], [numbers, text]):
        with pytest.raises(InputError, match="whole numbers in one part"):
            Text.joined(parts)
