"""The array code of the join beside plain loops over the same few numbers."""

from collections import Counter
from fractions import Fraction
from itertools import pairwise, product

import numpy as np
import pytest

from irmetrics_edu import evaluate
from irmetrics_edu.conventions import Ties
from irmetrics_edu.engine import columns, decimals, held_queries, lines, ranks, slots
from irmetrics_edu.engine.before_ties import BeforeTies
from irmetrics_edu.engine.columns import RunColumns, whole_queries
from irmetrics_edu.engine.id_list import Ids, chosen, examples, joined, may_repeat
from irmetrics_edu.engine.numbers_of_c import grades_of_c, scores_of_c
from irmetrics_edu.engine.pool import JudgedPool
from irmetrics_edu.engine.text import Text, ids
from irmetrics_edu.rows import ranked_rows
from tests.tables import rows

SEEDS = range(16)


def _groups(chance, most=7, size=6):
    """Where each of some groups begins, and the end: some are empty."""
    return np.concatenate([[0], np.cumsum(chance.integers(0, size, int(chance.integers(1, most))))])


def _parts(starts, values):
    return [values[b:e] for b, e in pairwise(starts)]


@pytest.fixture(params=[64, 1], ids=["together", "each"])
def short(request, monkeypatch):
    """Queries are sorted together, or each by itself."""
    monkeypatch.setattr(ranks, "_SHORT", request.param)


@pytest.mark.usefixtures("short")
@pytest.mark.parametrize("seed", SEEDS)
def test_scores_are_sorted_compared_and_counted_query_by_query(seed):
    """Beside the sorted list of each query."""
    chance = np.random.default_rng(seed)
    starts = _groups(chance, size=12)
    score = chance.integers(0, 4, int(starts[-1])).astype(float)
    if seed % 4 == 0:  # in order, as runs usually come
        score = np.concatenate([*(np.sort(part)[::-1] for part in _parts(starts, score)), []])
    parts = [sorted((-part).tolist()) for part in _parts(starts, score)]
    worth = ranks.falling(score, starts)
    assert worth.tolist() == [value for part in parts for value in part]
    alike = [sum(count for count in Counter(part).values() if count > 1) for part in parts]
    assert ranks.tied(worth, starts).tolist() == alike
    begin = np.repeat(starts[:-1], np.diff(starts))
    end = np.repeat(starts[1:], np.diff(starts))
    better, same = ranks.beaten_by(worth, begin, end, worth)
    each = [(value, part) for part in parts for value in part]
    assert better.tolist() == [sum(other < value for other in part) for value, part in each]
    assert same.tolist() == [part.count(value) for value, part in each]


@rows("size", [*range(1, 20), 31, 32, 33, 65])
def test_a_query_of_any_size_is_searched_to_both_of_its_ends(size):
    """All different, all alike, and each number of those that are alike in front or at the end."""
    for alike in range(size + 1):
        for worth in (
            [0.0] * alike + list(range(1, size - alike + 1)),
            [*range(alike, size), *[1e9] * alike],
        ):
            column = np.array([-5.0, *worth, 2e9])
            begin, end = np.full(size, 1), np.full(size, size + 1)
            better, same = ranks.beaten_by(column, begin, end, column[1:-1])
            assert better.tolist() == [sum(other < value for other in worth) for value in worth]
            assert same.tolist() == [worth.count(value) for value in worth]


@rows("seed", SEEDS)
@rows("ties", ["given", "docid", "docid_ascending", "reversed", "quicksort"])
def test_tied_documents_are_ranked_as_a_sorted_list_has_them(seed, ties):
    """The judged ones of several queries at once; each rule beside Python's own sorting."""
    chance = np.random.default_rng(seed)
    starts = _groups(chance, size=9)
    score = chance.choice([0.0, -0.0, 1.0, 2.5, -1.0], int(starts[-1]))
    names = [f"d{i}" for i in chance.permutation(len(score))]
    picked = np.flatnonzero(chance.random(len(score)) < 0.6)
    query = np.searchsorted(starts, picked, side="right") - 1
    found = BeforeTies(
        score,
        score[picked],
        query,
        starts,
        lambda tied: [names[starts[tied.query] + m] for m in tied.members.tolist()],
        lambda tied: np.searchsorted(tied.members, picked[tied.rows] - starts[tied.query]),
    )
    rule = Ties.named(ties)
    expected = []
    for row, q in zip(picked.tolist(), query.tolist(), strict=True):
        here = list(range(int(starts[q]), int(starts[q + 1])))
        if ties == "quicksort":  # its order is that of all scores together
            order = [here[i] for i in rule.order(score[here])]
        else:
            by_tie = {
                "given": lambda i: i,
                "reversed": lambda i: -i,
                "docid": lambda i: [-ord(c) for c in names[i]] + [1],
                "docid_ascending": lambda i: [ord(c) for c in names[i]],
            }[ties]
            order = sorted(here, key=lambda i: (-score[i], by_tie(i)))
        expected.append(order.index(row) + 1)
    assert found.ranks(rule).tolist() == expected
    assert found.ranks(rule).tolist() == expected


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("bits", [1, 3, 22])
def test_keys_are_found_beside_every_item_that_holds_them(seed, bits, monkeypatch):
    """With few slots, many share one."""
    monkeypatch.setattr(slots, "_MOST_BITS", bits)
    chance = np.random.default_rng(seed)
    some = chance.integers(0, 2**63, 12).astype(np.uint64) * np.uint64(2) + np.uint64(1)
    keys = chance.choice(some, int(chance.integers(0, 20)))
    held = chance.choice(some[:8], int(chance.integers(0, 20)))
    here, item = slots.found_in(keys, held)
    pairs = sorted(zip(here.tolist(), item.tolist(), strict=True))
    assert pairs == [(i, j) for i, k in enumerate(keys) for j, h in enumerate(held) if k == h]
    assert here.tolist() == sorted(here.tolist())


NUMBERS = [
    *("0", "7", "10", "007", "1.5", ".5", "5.", "-3", "+3", "-0", "1234567", "12345678"),
    *("123456789", "1234567.8", "12345678.9", "1.23456789", "123456789012345", "-.25", "0.1"),
    *("1234567890123456", "9007199254740991", "9007199254740993", "1234567890123456789"),
    *("12345678901234567890", "0.000000000000000001", "1e5", "1E-3", "-2.5e+10", "1e400"),
    *("", "-", "+", ".", "-.", "1.2.3", "1..2", "12345678.9.1", ".1234567.8", "1-2", "+-1", "1_0"),
    *("a", "1a", "a1", "/", ":", "1/2", "1:2", "nan", "inf", "0x1", "1e", "e5", "--1", "1,5"),
    *("٣", "1٣", "1" * 400, "1" * 401, "0." + "3" * 399, "0" * 20 + "5", "1 ", " 1"),
]


def _read(text):
    """What Python reads, of notations that other languages share."""
    if len(text.encode()) > 400 or "_" in text or not text.isascii() or text.strip() != text:
        return None
    try:
        value = float(text)
    except ValueError:
        return None
    return value if np.isfinite(value) else None


@pytest.mark.parametrize("others", [[], ["1.5"], ["12345678901", "3"], ["-1.25", "x"], ["1e3"]])
def test_decimals_are_read_as_python_reads_them(others):
    """Each alone, each beside others that are read in another way, and all of them together."""
    columns_of = [[number, *others] for number in NUMBERS if " " not in number]
    columns_of.append([text for column in columns_of for text in column])
    for column in columns_of:
        value, good = decimals.decimals(ids(column))
        expected = [_read(text) for text in column]
        assert good.tolist() == [number is not None for number in expected]
        for found, right in zip(value.tolist(), expected, strict=True):
            assert right is None or (found == right and np.signbit(found) == np.signbit(right))
    value, good = decimals.decimals(ids([]))
    assert (value.dtype, good.dtype, len(value), len(good)) == (np.float64, bool, 0, 0)


@rows("seed", SEEDS)
def test_columns_of_decimals_are_read_as_python_reads_them(seed):
    """Of one number of digits, and of several; with a sign, a point, or a byte that is no digit."""
    chance = np.random.default_rng(seed)
    longest = int(chance.integers(1, 21))
    column = []
    for _ in range(30):
        digits = "".join(
            map(
                str,
                chance.integers(0, 10, longest if seed % 2 else chance.integers(1, longest + 1)),
            )
        )
        at = int(chance.integers(0, len(digits) + 1))
        number = f"{digits[:at]}.{digits[at:]}" if chance.random() < 0.6 else digits
        column.append(("-" if chance.random() < 0.3 else "") + number)
    if seed % 4 == 0:
        place = int(chance.integers(0, len(column[0]) + 1))
        column[0] = column[0][:place] + "./:-"[seed // 4 % 4] + column[0][place:]
    value, good = decimals.decimals(ids(column))
    assert good.tolist() == [_read(text) is not None for text in column]
    assert value[good].tolist() == [float(t) for t in column if _read(t) is not None]


C_GRADES = {
    **{str(n): n for n in (0, 1, 2, 10, -1, -12, 100)},
    "+1": 1,
    "-0": 0,
    "1.5": 1,
    "-1.5": -1,
    "0.5": 0,
    ".5": 0,
    "-.5": 0,
    "1e2": 1,
    "2.0": 2,
    "12.9": 12,
}


def test_grades_of_c_are_the_whole_number_that_each_begins_with():
    """Those that another number was written for are told."""
    written = list(C_GRADES)
    value = np.array([float(text) for text in written])
    good = np.ones(len(written), dtype=bool)
    told = grades_of_c(ids(written), value, good)
    assert value.tolist() == list(C_GRADES.values())
    expected = [i for i, (text, whole) in enumerate(C_GRADES.items()) if float(text) != whole]
    assert told["cut"].tolist() == expected
    assert grades_of_c(ids(["1", "20"]), np.array([1.0, 20.0]), np.ones(2, dtype=bool)) == {}
    bad = np.array([5.0, 1.5])
    assert grades_of_c(ids(["xx", "1.5"]), bad, np.array([False, True]))["cut"].tolist() == [1]
    assert bad.tolist() == [5, 1]


MOST = np.finfo(float).max
C_SCORES = {
    **dict.fromkeys(
        ["inf", "+inf", "INF", "infinity", "Infinity", "1e999", "0x1p99999"], (MOST, "infinite")
    ),
    **dict.fromkeys(["-inf", "-infinity", "-1e999", "-0x1p99999"], (-MOST, "infinite")),
    **dict.fromkeys(["nan", "NaN", "+nan", "-nan", "nan(1)", "nan(a_b)"], (-MOST, "nan")),
    "0x10": (16.0, "hexadecimal"),
    "0X1p-1": (0.5, "hexadecimal"),
    "-0x.8": (-0.5, "hexadecimal"),
    "1" * 500 + "e-499": (float("1." + "1" * 499), None),
    **dict.fromkeys(["x", "", "0x", "nan(", "in", "1e", "--1", "0xg", "nan(é)"], (7.0, False)),
}


def test_scores_that_only_c_reads_are_numbers_of_a_kind():
    """Infinite ones are the greatest or the least double; nan is the least; words stay bad."""
    value = np.full(len(C_SCORES), 7.0)
    good = np.zeros(len(C_SCORES), dtype=bool)
    told = scores_of_c(ids(list(C_SCORES)), value, good)
    assert value.tolist() == [number for number, _ in C_SCORES.values()]
    assert good.tolist() == [kind is not False for _, kind in C_SCORES.values()]
    for kind in ("infinite", "nan", "hexadecimal"):
        expected = [i for i, (_, is_kind) in enumerate(C_SCORES.values()) if is_kind == kind]
        assert told[kind].tolist() == expected
    assert set(told) == {"infinite", "nan", "hexadecimal"}
    fine = np.array([3.0])
    assert scores_of_c(ids(["inf"]), fine, np.array([True])) == {}
    assert fine.tolist() == [3]


FIELDS = ["a", "bb", "#c", "é", "x y", "\u00a0"]


@rows("seed", range(48))
def test_lines_are_cut_into_fields_as_a_loop_cuts_them(seed):
    """Regular ones at once, others blank by blank; comments and other lines by their numbers."""
    chance = np.random.default_rng(seed)
    fields = int(chance.integers(1, 4))
    most = [None, fields, fields + 1, float("inf")][seed % 4]
    comment = b"#" if seed % 3 == 0 else b""
    separators = [" "] if seed % 2 else [" ", "\t", "  ", " \t ", "\r", "\x0b"]
    text = ""
    for _ in range(int(chance.integers(0, 6))):
        n = (
            fields
            if chance.random() < (0.9 if seed % 2 else 0.6)
            else int(chance.integers(0, fields + 3))
        )
        words = [FIELDS[int(i)].replace(" ", "") for i in chance.integers(0, len(FIELDS), n)]
        line = "".join(word + str(chance.choice(separators)) for word in words)
        if seed % 2 or chance.random() < 0.7:
            line = line[:-1]
        if not seed % 2 and chance.random() < 0.2:
            line = " " + line
        text += line + "\n"
    raw = text.encode()
    found = lines.lines_of(raw + b"rest of it" + bytes(24), len(raw), fields, most, comment)
    blanks = b" \t\r\x0b\x0c"
    numbered = []
    for number, line in enumerate(raw.split(b"\n")[:-1]):
        words = line.translate(bytes.maketrans(blanks, b" " * 5)).split(b" ")
        numbered.append((number, [word for word in words if word]))
    limit = fields if most is None else most
    comments = [n for n, words in numbered if comment and words and words[0].startswith(comment)]
    rest = [(n, words) for n, words in numbered if n not in comments]
    good = [(n, words) for n, words in rest if fields <= len(words) <= limit]
    assert found.total == len(numbered)
    assert found.number.tolist() == [n for n, _ in good]
    assert found.bad.tolist() == [n for n, words in rest if words and (n, words) not in good]
    assert found.comments.tolist() == comments
    for f in range(fields):
        column = found.field(f)
        assert column.tolist() == [words[f].decode() for _, words in good]
    longer = [i for i, (_, words) in enumerate(good) if len(words) > fields]
    assert [good[i][0] for i in longer] == _numbers_of_longer(found)


def _numbers_of_longer(found):
    return found.longer.tolist()


@rows("seed", SEEDS)
def test_columns_of_queries_are_taken_joined_and_grouped(seed):
    """Beside a list of lines: query, document, value, rank, line."""
    chance = np.random.default_rng(seed)
    n = int(chance.integers(1, 14))
    query = [f"q{i}" for i in chance.integers(0, 3, n)]
    if seed % 2:
        query.sort()
    document = [f"d{i}" for i in chance.integers(0, 99, n)]
    value, line = chance.random(n), np.arange(n) + 5
    rank = chance.permutation(n) if seed % 3 == 0 else None
    made = columns.columns(ids(query), ids(document), value, line, rank)
    items = list(zip(query, document, value.tolist(), line.tolist(), strict=True))
    if rank is not None:  # within each stretch of lines of one query
        stretch = np.cumsum([0, *(a != b for a, b in zip(query[1:], query, strict=False))])
        items = [items[i] for i in np.lexsort((rank, stretch)).tolist()]
    assert _items(made) == items
    in_order = list(dict.fromkeys(query))
    grouped = [item for q in in_order for item in items if item[0] == q]
    if rank is not None:
        written = zip(query, document, value.tolist(), line.tolist(), strict=True)
        places = dict(zip(written, rank.tolist(), strict=True))
        grouped.sort(key=lambda item: (in_order.index(item[0]), places[item]))
    whole = made.grouped()
    assert _items(whole) == grouped
    assert list(whole.queries) == in_order
    assert _items(whole.compact()) == grouped
    cut = int(chance.integers(0, len(made.queries) + 1))
    parts = [made.of_queries(0, cut), made.of_queries(cut, len(made.queries))]
    assert [item for part in parts for item in _items(part)] == items
    assert _items(RunColumns.joined(parts)) == grouped
    for q in in_order:
        assert _items(whole.of(q)) == [item for item in grouped if item[0] == q]
    keep = chance.random(n) < 0.5
    assert _items(made.take(keep)) == [
        item for item, kept in zip(items, keep.tolist(), strict=True) if kept
    ]
    assert list(made.take(keep).queries) == list(made.queries)


def _items(made):
    """A line for each item."""
    queries = list(made.queries)
    names = [queries[q] for q in made.query.tolist()]
    return list(
        zip(names, made.document.tolist(), made.value.tolist(), made.line.tolist(), strict=True)
    )


@rows("seed", SEEDS)
def test_parts_become_parts_of_whole_queries(seed):
    """However they are cut; a query that goes on is held until it ends."""
    chance = np.random.default_rng(seed)
    query = np.sort(chance.integers(0, 5, 12)).tolist()
    document = [f"d{i}" for i in range(12)]
    cuts = [0, *sorted(set(chance.integers(1, 12, 4).tolist())), 12]
    parts = []
    for begin, end in pairwise(cuts):
        part = columns.columns(
            ids([f"q{q}" for q in query[begin:end]]),
            ids(document[begin:end]),
            np.arange(begin, end) / 2,
            np.arange(begin, end),
        )
        parts.append((part, end < 12))
    found = list(whole_queries(parts))
    assert [item for part in found for item in _items(part)] == [
        (f"q{q}", d, i / 2, i) for i, (q, d) in enumerate(zip(query, document, strict=True))
    ]
    names = [name for part in found for name in part.queries]
    assert names == [f"q{q}" for q in dict.fromkeys(query)]


@pytest.mark.parametrize("kind", [str, int])
def test_ids_are_a_sequence_as_a_list_is(kind, monkeypatch):
    """Places from both ends, parts, iteration, comparison, look-up."""
    monkeypatch.setattr("irmetrics_edu.engine.id_list._IDS_AT_ONCE", 2)
    listed = [kind(i) for i in (5, 3, 8, 3, 1)]
    made = Ids(ids(listed))
    assert len(made) == 5
    assert list(made) == listed
    assert [made[i] for i in range(-5, 5)] == [listed[i] for i in range(-5, 5)]
    assert list(made[1:-1]) == listed[1:-1]
    assert made == listed
    assert made == tuple(listed)
    assert made != listed[:-1]
    assert made != [*listed[:-1], kind(9)]
    assert made != "53831"
    assert repr(made) == repr(listed)
    assert made.index(kind(3)) == 1
    assert made.index(kind(3), 2) == 3
    for odd in ((kind(8), 3), (kind(8), 0, 2)):
        with pytest.raises(ValueError, match="not in list"):
            made.index(*odd)
    with pytest.raises(IndexError):
        made[5]
    assert list(made.compact()) == listed
    assert list(examples(made)) == listed[:1]
    assert examples(listed) is listed
    where = np.array([True, False, True, False, True])
    for given in (made, listed):
        assert list(chosen(given, where)) == listed[::2]
        assert list(chosen(given, np.array([4, 0]))) == [listed[4], listed[0]]
        assert may_repeat(given)
        assert not may_repeat(given[:3])
    assert joined([made, made]) == [*listed, *listed]
    assert joined([made, listed]) == [*listed, *listed]
    assert joined([]) == []


@pytest.mark.parametrize("seed", SEEDS)
def test_queries_have_the_numbers_that_a_mapping_has(seed, monkeypatch):
    """Guessed or looked up, in columns and in lists; part by part as well.

    Of every third seed all ids have one of two keys, of others one each.
    """
    own = Text.keys
    if seed % 3 == 0:
        monkeypatch.setattr(Text, "keys", lambda *given: own(*given) & np.uint64(1))
    chance = np.random.default_rng(seed)
    n = int(chance.integers(1, 7))
    names = [f"q{i}" for i in chance.permutation(9)[:n]]
    starts = np.concatenate([[0], np.cumsum(chance.integers(1, 4, n))])
    document = [f"d{i}" for i in range(int(starts[-1]))]
    grade = chance.integers(0, 4, len(document)).astype(float)
    judged = chance.random(len(document)) < 0.7
    held = [
        JudgedPool(names, starts, grade, judged, document),
        JudgedPool(Ids(ids(names)), starts, grade, judged, text=ids(document)),
    ]
    expected = {
        q: {
            document[i]: grade[i] if judged[i] else None
            for i in range(int(starts[place]), int(starts[place + 1]))
        }
        for place, q in enumerate(names)
    }
    begin = int(chance.integers(0, n))
    end = int(chance.integers(begin + 1, n + 1))
    some = np.sort(chance.permutation(n)[: int(chance.integers(1, n + 1))])
    for pool, of_run, guess in product(
        held, (names, ["x", *names[::-1], "q"], names[begin:]), (0, begin, n + 2)
    ):
        for asked in (of_run, Ids(ids(of_run))):
            numbers = [names.index(q) if q in names else -1 for q in of_run]
            assert pool.numbers_of(asked, guess).tolist() == numbers
    for pool in held:
        assert pool.numbers_of([]).tolist() == []
        assert {q: pool.of(i) for i, q in enumerate(names)} == expected
        part = pool.part(begin, end)
        assert {q: part.of(i) for i, q in enumerate(part.queries)} == {
            q: expected[q] for q in names[begin:end]
        }
        chosen_ones = pool.of_queries(some)
        assert list(chosen_ones.queries) == [names[i] for i in some]
        assert {q: chosen_ones.of(i) for i, q in enumerate(chosen_ones.queries)} == {
            names[i]: expected[names[i]] for i in some
        }
        assert pool.query.tolist() == np.repeat(np.arange(n), np.diff(starts)).tolist()
        assert pool.place(0, 3) == f"query {names[0]!r}, document 'd0', rank 3: "
        keys = pool.texts.keys(pool.salts[pool.query])
        here, item = pool.find(keys, np.arange(n))
        found = sorted(zip(here.tolist(), item.tolist(), strict=True))
        assert found == [(i, j) for i, a in enumerate(keys) for j, b in enumerate(keys) if a == b]


LIMITS = [1 << 20, 1 << 14, 4]


@pytest.mark.parametrize("seed", SEEDS)
def test_grades_are_sorted_query_by_query_best_first(seed, monkeypatch):
    """Equal ones as they were, whatever the size of grades, with fractions, exact or not."""
    chance = np.random.default_rng(seed)
    monkeypatch.setattr(ranked_rows, "_SMALL", LIMITS[seed % 3])
    size = [3, 200, 40_000, 2 << 20, 1 << 60][seed % 5]
    query = np.sort(chance.integers(0, 4 if seed % 2 else 300, 30))
    grade = chance.integers(-size, size, 30).astype(float)
    if seed % 4 == 0:
        grade = np.abs(grade)
    if seed % 7 == 0:
        grade += chance.choice([0, 0.5], 30)
    expected = sorted(range(30), key=lambda i: (query[i], -grade[i]))
    exact = np.array([Fraction(g) for g in grade.tolist()], dtype=object)
    assert ranked_rows._best_first(query, grade).tolist() == expected
    assert ranked_rows._best_first(query, exact).tolist() == expected


@rows("most", [(1 << 14) - 2, (1 << 14) - 1, 1 << 14, 1 << 15, (1 << 20) - 1, 1 << 20])
@rows("queries", [1, 2, 3])
@rows("sign", [1, -1])
def test_grades_at_the_limits_of_small_numbers_are_sorted(most, queries, sign):
    """The largest key that a number of 16 bits holds, and the next ones."""
    for largest in {most, most // queries, most // queries - 1, most // queries + 1, 2 * most}:
        query = np.repeat(np.arange(queries), 3)
        grade = np.tile([0.0, sign * float(largest), 1.0], queries)
        expected = sorted(range(len(query)), key=lambda i: (query[i], -grade[i]))
        assert ranked_rows._best_first(query, grade).tolist() == expected


@pytest.mark.parametrize("room", [1, 2, 3, 5, 100])
def test_a_run_in_memory_is_joined_some_queries_at_a_time(room, monkeypatch):
    """However few documents fit: also those of a query that has more."""
    monkeypatch.setattr(held_queries, "_CHUNK", room)
    run = {f"q{q}": {f"d{d}": float(d * q % 5) for d in range(q)} for q in (2, 0, 4, 1, 1, 3, 7)}
    qrels = {q: {"d0": 1, "d2": 2, "x": 1} for q in [*run, "other"]}
    found = evaluate(run, qrels, "P@3 RR")
    for q, ranking in run.items():
        order = sorted(ranking, key=lambda d: -ranking[d])
        hits = [rank for rank, d in enumerate(order, 1) if d in qrels[q]]
        assert found.per_query["P@3"][q] == sum(rank <= 3 for rank in hits) / 3
        assert found.per_query["RR"][q] == (1 / hits[0] if hits else 0)
