"""Ways that a join may take, each over all small inputs, or over a table of what leads to it."""

import re
from dataclasses import fields, replace
from fractions import Fraction
from itertools import pairwise, product
from types import SimpleNamespace

import numpy as np
import pytest

from irmetrics_edu.conventions import FLOAT64, NO_DUPLICATES, Duplicates, Ties, Unjudged
from irmetrics_edu.engine import decimals, lines, ranks
from irmetrics_edu.engine.columns import columns
from irmetrics_edu.engine.held_queries import _has_blanks
from irmetrics_edu.engine.id_list import Ids
from irmetrics_edu.engine.pool import JudgedPool
from irmetrics_edu.engine.reverse_join import ReverseJoin
from irmetrics_edu.engine.text import Text, ids, padded
from irmetrics_edu.errors import InputError
from irmetrics_edu.libraries import TREC_EVAL
from irmetrics_edu.reading.files import Problems
from irmetrics_edu.rows.aligned_ranking import PLAIN, align, numbered_in_bulk
from irmetrics_edu.rows.item_distances import vectors_of
from irmetrics_edu.rows.nuggets import align_nuggets
from irmetrics_edu.rows.ordering import in_order, listed
from irmetrics_edu.rows.query_values import Values, align_values
from irmetrics_edu.rows.two_orders import align_orders
from irmetrics_edu.runs.joining.inputs import run_of
from irmetrics_edu.runs.joining.judgments import Judged, read_pool
from irmetrics_edu.runs.joining.queries import match_queries
from irmetrics_edu.runs.joining.swapped_levels import documents_come_first
from tests.aligned_runs import align_run
from tests.tables import rows


def _divided(n, most):
    """All ways to give so many documents to queries, some of which get none."""
    for sizes in product(range(n + 1), repeat=most):
        if sum(sizes) == n:
            yield np.concatenate([[0], np.cumsum(sizes)])


@pytest.mark.parametrize("short", [64, 1])
@pytest.mark.parametrize("n", range(5))
def test_scores_of_any_few_queries_are_sorted_and_counted(n, short, monkeypatch):
    """Of all scores there may be, in queries of all sizes there may be."""
    monkeypatch.setattr(ranks, "_SHORT", short)
    for starts in _divided(n, 2 if n > 3 else 3):
        for scores in product([1.0, 2.0], repeat=n):
            of_each = [sorted(scores[b:e]) for b, e in pairwise(starts)]
            worth = ranks.falling(np.array(scores), starts)
            assert (-worth).tolist() == [s for part in of_each for s in reversed(part)]
            alike = [sum(part.count(s) > 1 for s in part) for part in of_each]
            assert ranks.tied(worth, starts).tolist() == alike


SIDE_BY_SIDE = ["abcdefghijklmnopqrst"[:length] for length in (1, 7, 8, 9, 15, 16, 17)]


@rows("text", SIDE_BY_SIDE)
@rows("other", SIDE_BY_SIDE)
def test_the_key_of_a_text_hangs_on_nothing_beside_it(text, other):
    """Neither on shorter texts nor on longer ones."""
    (alone,) = ids([text]).keys().tolist()
    for beside in ([text, other], [text, other, "x"]):
        assert ids(beside).keys().tolist()[0] == alone


@rows("exact", [False, True])
def test_a_probability_is_never_above_1(exact):
    """A grade above 1 is certain; under another `rel` all that count are."""
    held = {"a": {"A": 0.25}, "b": {"A": 1}, "c": {"A": 1.5}, "d": {"A": 3}}
    found = align_nuggets([*held], held, exact=exact)
    assert found.certainty().tolist() == [0.25, 1, 1, 1]
    assert found.certainty(0.5).tolist() == [1, 1, 1, 1]


def test_scores_without_judgments_are_told_from_grades():
    """A list of grades needs none."""
    with pytest.raises(InputError, match="a ranking given as scores needs judgments"):
        align({"a": 2.0})


@rows(
    "otherwise",
    [
        {"duplicates": Duplicates.named("first")},
        {"unjudged": Unjudged("half", "h", "one half", grade=0.5)},
    ],
)
def test_documents_have_no_numbers_where_rows_of_the_judged_are_not_enough(otherwise):
    """Either is enough for going query by query."""
    options = {field.name: getattr(PLAIN, field.name) for field in fields(PLAIN)} | otherwise
    assert numbered_in_bulk(SimpleNamespace(), options) is None


@rows(("exact", "kind"), [({}, float), ({"exact": False}, float), ({"exact": True}, Fraction)])
def test_coordinates_are_fractions_if_that_is_asked(exact, kind):
    """Else they are as they came."""
    ((found,),) = vectors_of(["a"], {"a": [0.5]}, **exact)
    assert type(found) is kind


@rows("text", ["a b\n", "a b\nc d\n", "aa bb\nc d\ne f\n", "a\tb\nc d\n", "a\tb\n"])
def test_lines_of_single_separators_are_cut_the_quick_way(text):
    """Blank by blank they give the same."""
    raw = np.frombuffer(text.encode() + bytes(24), dtype=np.uint8)
    used = raw[: len(text)]
    quick = lines._regular(raw, used, 2)
    slow = lines._any(raw, used, 2, 2, b"")
    assert quick is not None
    for field in range(2):
        assert quick.field(field).tolist() == slow.field(field).tolist()
    assert quick.total == slow.total == text.count("\n")


@rows("text", [" b\n", "a  b\n", "a b \n", "a b c d\n", "a\nb c\nd\n", "\n\n", "a b\n\nc d\n"])
def test_other_lines_are_not_cut_the_quick_way(text):
    """Blanks in front, at the end or side by side, and other numbers of fields."""
    raw = np.frombuffer(text.encode() + bytes(24), dtype=np.uint8)
    assert lines._regular(raw, raw[: len(text)], 2) is None


def test_negative_grades_of_a_mapping_are_settled_later():
    """Those of a pool were settled when it was read."""
    assert Judged({"q": {"a": 1}}).settled is False
    assert Judged(read_pool({"q": {"a": 1}})).settled is True


def test_a_run_in_a_file_is_asked_for_a_query_before_and_after_a_join(tmp_path):
    """Without a join it is read as a whole; with one, from the byte at which the query begins."""
    path = tmp_path / "run.txt"
    path.write_text("1 Q0 a 1 2 t\n2 Q0 c 1 1 t\n")
    run = run_of(path)
    assert run["2"] == {"c": 1.0}
    run = run_of(path)
    run.origin = lambda query: {"1": 0, "2": 13}[query]
    assert run.one("2") == {"c": 1.0}
    assert list(run._last.queries) == ["2"]


@rows("documents", [*product(["a", "a b", " a", "a\t"], repeat=2), (), ("",)])
def test_one_id_with_a_blank_at_its_end_is_enough(documents):
    """A blank between others is no end."""
    assert _has_blanks(documents) is any(d != d.strip() for d in documents)


@rows("of_run", ["d", "q", "x"])
@rows("in_run", ["d", "q", "x"])
@rows("in_qrels", ["d", "q", "x"])
def test_levels_are_turned_round_if_each_side_has_the_ids_of_the_other(of_run, in_run, in_qrels):
    """One of the two is not enough."""
    run, qrels = {of_run: {in_run: 1.0}}, {"q": {in_qrels: 1}}
    assert documents_come_first(run, qrels) is (of_run == in_qrels and in_run == "q")


LINES = "of lines of query, document and grade"
LISTS = "of a list for each query"


@rows(
    ("given", "hint"),
    [
        ([("q", "d", 1)], LINES),
        ([["q", "0", "d", 1]], LINES),
        ([("q", "d")], LISTS),
        ([("q", 1)], LISTS),
        ([("q", "d", "1")], LISTS),
        ([("q", "0", "d", "x", 1)], LISTS),
        ([{1, 2, 3}], LISTS),
        ([], None),
        (["d"], None),
    ],
)
def test_lists_are_told_how_they_become_judgments(given, hint):
    """Three or four fields of which the last is a number are a line; others are told nothing."""
    with pytest.raises(InputError, match="are not judgments") as refused:
        read_pool(given)
    told = [one for one in (LINES, LISTS) if re.search(one, str(refused.value))]
    assert told == ([hint] if hint else [])


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("first", [None, 0.5, 2])
@rows("others", [*product([None, 0, 0.5], repeat=2)])
def test_documents_of_a_tie_stand_by_their_grades_in_bulk(first, others, sign):
    """What nobody judged stands as 0 does, be it named in the judgments or not."""
    held = dict(zip("abcd", [first, *others, 1], strict=True))
    found = align_run({"q": dict.fromkeys("abxcd", 1.0)}, {"q": held})
    ties = Ties.named("optimistic" if sign > 0 else "pessimistic")
    made = found.settled(ties, numbered=True)
    names = [found.pool.documents[i] for i in made.document]
    assert made.pool_grade.tolist() == [g for g in held.values() if g is not None]
    order = sorted("abxcd", key=lambda document: -sign * (held.get(document) or 0))
    expected = [(document, place) for place, document in enumerate(order, 1) if document != "x"]
    assert list(zip(names, made.rank.tolist(), strict=True)) == expected


@rows("ties", ["given", "docid_ascending", "reversed", "averaged"])
@rows("wanted", ["", "ab", "axy", "yx"])
def test_judged_documents_without_a_score_come_last(ties, wanted):
    """Tied, each once; those that were retrieved stay in their places."""
    rule = Ties.named(ties)
    last = [document for document in wanted if document not in "ab"]
    if ties == "reversed":
        last.reverse()
    elif ties == "docid_ascending":
        last.sort()
    for found, span in (
        in_order({"a": 2.0, "b": 1.0}, "q", rule, with_all_of=wanted),
        listed(["a", "b"], "q", rule, NO_DUPLICATES, {}, wanted),
    ):
        assert found == ["a", "b", *last]
        assert span is None or span.tolist() == [
            [1, 2, *[3] * len(last)],
            [1, 1, *[len(last)] * len(last)],
        ]


def _by_pairs(queries):
    """Judgments of these queries, two documents each."""
    items = np.arange(2 * len(queries))
    starts = np.arange(0, len(items) + 1, 2)
    names = ids([f"d{i}" for i in items])
    ones = np.ones(len(items))
    return JudgedPool(Ids(ids(queries)), starts, ones, ones > 0, text=names)


def test_queries_in_the_order_of_the_judgments_need_no_table():
    """Neither all at once nor one after the other; in any other order they are looked up."""
    queries = ["q1", "q2", "q3", "q4"]
    pool = _by_pairs(queries)
    assert pool.numbers_of(Ids(ids(queries))).tolist() == [0, 1, 2, 3]
    join = ReverseJoin(pool, Ties.named("given"), FLOAT64, lambda name: Problems(name, "row"))
    for first in range(0, 4, 2):
        query, document = queries[first : first + 2], ["x", "y"]
        join.add(columns(ids(query), ids(document), np.ones(2), np.arange(2)))
    assert "_by_key" not in vars(pool)
    assert pool.numbers_of(Ids(ids(queries[::-1]))).tolist() == [3, 2, 1, 0]
    keys, order = vars(pool)["_by_key"]
    assert keys.tolist() == sorted(keys.tolist())
    assert sorted(order.tolist()) == [0, 1, 2, 3]


def test_the_place_of_a_query_is_that_of_the_piece_that_holds_it():
    """Of each query in a piece; of one that no piece holds nothing is known."""
    pool = _by_pairs(["q1", "q2", "q3"])
    join = ReverseJoin(pool, Ties.named("given"), FLOAT64, lambda name: Problems(name, "row"))
    for query, origin in ((["q3"], 40), (["q1", "q2"], 7)):
        document = [f"x{one}" for one in query]
        made = columns(ids(query), ids(document), np.ones(len(query)), np.arange(len(query)))
        join.add(replace(made, origin=origin))
    assert [join.origin(query) for query in ("q1", "q2", "q3", "other")] == [7, 7, 40, -1]


@rows("labelled", [*product([True, False], repeat=2)])
def test_values_are_labelled_if_all_their_parts_are(labelled):
    """A list has numbers for its values, a mapping their queries."""
    parts = [align_values({"a": 0.5} if one else [0.5]) for one in labelled]
    assert Values.joined(parts).labelled is all(labelled)


def test_without_judgments_no_query_is_left_out_or_missing():
    """All queries of the run count."""
    found = match_queries({"q": ["a"], "r": []}, None, TREC_EVAL)
    assert (found.queries, found.missing, found.not_judged) == (["q", "r"], [], [])
    assert found.left_out is False


@rows("scores", [*product([3.0, 2.0, 1.0], repeat=3)])
def test_items_of_equal_scores_are_on_one_level(scores):
    """Levels are counted from 1 on, as places of a list are; 0 is nowhere."""
    ranked = dict(zip("abc", scores, strict=True))
    order = sorted("abc", key=lambda item: -ranked[item])
    level = {score: 1 + i for i, score in enumerate(sorted(set(scores), reverse=True))}
    found = align_orders(ranked, [*"cx"])
    assert found.item == order
    assert found.level.tolist() == [level[ranked[item]] for item in order]
    assert found.other_level.tolist() == found.place.tolist() == [item == "c" for item in order]
    turned = align_orders([*"cx"], ranked)
    assert turned.level.tolist() == [1, 2, 0]
    assert turned.other_level.tolist() == [level[ranked["c"]], 0, 0]


@rows(
    ("texts", "at_once"),
    [
        (["1e5", "2e-3"], True),
        (["1e5", "1" * 400], True),
        (["1e5", "1" * 401], False),
        (["1e5", ""], False),
    ],
)
def test_numbers_in_other_notations_are_read_at_once(texts, at_once):
    """Unless one is too long, or is not there."""
    asked = []
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(decimals, "_read_by_numpy", lambda *given: asked.append(given))
        value, good = decimals.decimals(ids(texts))
    assert bool(asked) is at_once
    assert good.tolist() == [0 < len(text) <= 400 and float(text) < np.inf for text in texts]
    assert value[0] == 1e5


@pytest.mark.parametrize("letter", [chr(0x400 + number) for number in range(64)])
def test_no_text_begins_within_a_character(letter):
    """Whichever of the 64 bytes stands there: its last byte alone is no text."""
    raw = letter.encode()
    whole = Text(padded(raw), np.array([0]), np.array([2]))
    rest = Text(padded(raw), np.array([1]), np.array([1]))
    assert whole.is_utf8()
    assert not rest.is_utf8()
