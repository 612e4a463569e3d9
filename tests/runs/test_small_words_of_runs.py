"""What is said of runs in words, and the parts of scores, each over a table of what leads to it."""

from fractions import Fraction
from itertools import product
from types import SimpleNamespace

import numpy as np

from irmetrics_edu import evaluate
from irmetrics_edu.libraries import TREC_EVAL
from irmetrics_edu.metrics.notation import measures
from irmetrics_edu.runs.comparison_notes import _beyond_the_test, _correction, _differs
from irmetrics_edu.runs.counts import Counts
from irmetrics_edu.runs.keywords import _CALLED, in_notation, meant
from irmetrics_edu.runs.moves import Move, _highest_rank, _left_over, _note, contributions
from irmetrics_edu.runs.notes import Note, NoteKind, of_queries
from irmetrics_edu.runs.printed_scores import _smaller_is_better
from irmetrics_edu.runs.run_scores import RunScores, worth_of_nothing
from irmetrics_edu.runs.significance import TestPlan
from tests.tables import rows


@rows("n", range(8))
def test_a_note_names_the_first_five_queries_and_counts_the_others(n):
    """One of them is in the singular; none is no note."""
    found = [one.sentence() for one in of_queries(NoteKind.MISSING_SCORE_ZERO, [*"abcdefgh"[:n]])]
    said = (
        "query is not in the run and scores" if n == 1 else "queries are not in the run and score"
    )
    more = f" and {n - 5} more" if n > 5 else ""
    expected = f"{n} judged {said} 0: {', '.join('abcdefgh'[: min(n, 5)])}{more}"
    assert found == ([expected] if n else [])


@rows("cutoff", [None, 5])
@rows("count", [1, 3])
def test_a_note_on_documents_says_of_how_many_they_are(count, cutoff):
    """And down to which rank, as a share."""
    found = Note(NoteKind.UNJUDGED, count, among=4, cutoff=cutoff).sentence()
    where = "retrieved" if cutoff is None else "at ranks 1 to 5"
    are = "is" if count == 1 else "are"
    assert found == f"{count} of 4 documents {where} {are} not judged ({count * 25}%)"
    assert "(0%)" in Note(NoteKind.UNJUDGED, 0).sentence()


@rows("score", [None, "x", 0.4, 0.5, 0.6, 1])
@rows("threshold", [None, "x", 0.5, 1])
@rows("success", [None, "yes", 1, True, False])
def test_a_smaller_score_is_better_if_success_is_on_the_other_side(score, threshold, success):
    """It is told by numbers and a truth value alone."""
    numbers = all(isinstance(one, int | float) for one in (score, threshold))
    told = numbers and isinstance(success, bool)
    found = _smaller_is_better({"score": score, "threshold": threshold, "success": success})
    assert found is bool(told and success != (score >= threshold))


@rows(("ours", "words"), list(_CALLED.items()))
def test_what_others_call_a_keyword_is_told_by_its_name_here(ours, words):
    """In any case; nearly the name is enough, and nothing like it is not."""
    for word in words.split():
        assert meant(word, ["zzz", ours]) == meant(word.upper(), [ours]) == f"write {ours}="
        assert meant(word, ["zzz"]) == ""
    assert meant("atleast", ["at_least"]) == "write at_least="


@rows(
    ("name", "value", "chosen", "written"),
    [
        ("k", 3, "RR@10 AP", "RR@3 AP@3"),
        ("TOPK", 3, "RR", "RR@3"),
        ("rel", 2, "P@5 AP", "P(rel=2)@5 AP(rel=2)"),
        ("rel", 2, "P@5 nDCG@5", "P(rel=2)@5 nDCG@5"),
        ("rel", 2, "nDCG@5", None),
        ("k", 0, "RR", None),
        ("colour", 1, "RR", None),
    ],
)
def test_an_option_of_a_measure_is_told_in_its_notation(name, value, chosen, written):
    """Those that don't take it stay; where none does, nothing is told."""
    found = in_notation(name, value, measures(chosen))
    says = f"write it in the measure's notation, measures='{written}'"
    assert found == ("" if written is None else says)


def _working(how, value=0, parts=(), **quantities):
    """A working of three rows, with columns of gains and of hits."""
    return SimpleNamespace(
        how=how,
        value=value,
        parts=dict(parts),
        columns={"gain": np.array([3, 0, 1]), "hit": np.array([1, 0, 1]), "short": np.array([2])},
        quantities={name: np.array([number]) for name, number in quantities.items()},
        table=SimpleNamespace(query=np.zeros(3)),
    )


ABOVE, BELOW = _working("{gain}"), _working("", value=4)


@rows(
    ("working", "parts"),
    [
        (_working("{gain}"), [3, 0, 1]),
        (_working("({gain})"), [3, 0, 1]),
        (_working("{gain} / {n}", n=2), [1.5, 0, 0.5]),
        (_working("({hit}) / {n}", n=2), [0.5, 0, 0.5]),
        (_working("{gain} / {n}", n=0), [0, 0, 0]),
        (_working("{hits}", hits=2), [1, 0, 1]),
        (_working("{hits} / {n}", hits=2, n=4), [0.25, 0, 0.25]),
        (_working("{hits} / {n}", hits=7, n=4), None),
        (_working("{hits} / {gain}", hits=2), None),
        (_working("{x} / {y}", parts={"x": ABOVE, "y": BELOW}), [0.75, 0, 0.25]),
        (_working("{x} / {y}", parts={"x": ABOVE}), None),
        (_working("{x} / {n}", parts={"x": ABOVE}, n=2), None),
        (_working("{x} / {y}", parts={"x": _working("1"), "y": BELOW}), None),
        (_working("1 / {n}", n=2), None),
        (_working("{gain} + {hit}"), None),
    ],
)
def test_parts_of_a_score_are_read_from_how_it_came_about(working, parts):
    """A column, over a quantity, or a part over another; of all else there are none."""
    assert contributions(working) == parts


@rows(
    ("change", "worths", "left"),
    [
        (0.5, [0.25, 0.25], 0.0),
        (0.5, [0.25], 0.25),
        (0.3, [0.1, 0.2], 0.0),
        (-0.5, [], -0.5),
        (1e-11, [], 1e-11),
        (1e-13, [], 0.0),
        (Fraction(1, 2), [Fraction(1, 3)], Fraction(1, 6)),
        (Fraction(1, 10**15), [], Fraction(1, 10**15)),
    ],
)
def test_what_no_document_explains_is_left_over(change, worths, left):
    """But for rounding; a fraction is not rounded."""
    found = _left_over(change, [SimpleNamespace(worth=worth) for worth in worths])
    assert (found, type(found)) == (left, type(left))


@rows("before", [None, 1, 2])
@rows("after", [None, 1, 2])
@rows("worth", [0, 0.5])
@rows("is_sum", [False, True])
def test_a_document_that_kept_its_rank_may_count_differently(before, after, worth, is_sum):
    """The note says so, and of a score that is no sum it says that."""
    move = Move("d", 1, before, after, 0, worth)
    found = _note("RR", [Move("x", 1, 1, 2, 0, 1), move], is_sum=is_sum)
    if not is_sum:
        assert found.startswith("RR is not a sum over documents")
    elif worth and before == after:
        assert found.startswith("a document that kept its rank")
    else:
        assert found == ""
    if before or after:
        assert _highest_rank(move) == min(rank for rank in (before, after) if rank)


def test_a_query_without_a_score_gets_one_by_an_option_of_its_measure():
    """That of missing queries, of undefined values, or of queries without a relevant document."""
    run, qrels = {"q": {"a": 2.0, "b": 1.0}}, {"q": {"a": 1, "b": 0}, "gone": {"a": 1, "b": 0}}
    found = evaluate(run, qrels, "AUC(undefined=zero) RR")
    assert worth_of_nothing(found, "RR") == "no_relevant='zero'"
    assert worth_of_nothing(found, found.measures[0].name) == "undefined='zero'"
    found.missing_apart = {"RR": np.array([False, True])}
    assert worth_of_nothing(found, "RR") == "missing_queries='zero'"
    found.missing_apart = {"RR": np.array([False, False])}
    assert worth_of_nothing(found, "RR") == "no_relevant='zero'"


@rows("runs", [1, 2, 3])
@rows("of", [1, 2])
@rows("family", ["measure", "all"])
def test_over_how_many_comparisons_p_is_corrected(runs, of, family):
    """One alone is not corrected; nor is one run in several measures, unless all are a family."""
    tested = dict.fromkeys(product("abc"[:runs], ["AP", "RR"][:of]))
    found = _correction(tested, TestPlan(family=family))
    if runs * of == 1:
        assert found == ""
    elif of == 1 or family == "all":
        assert found == f", corrected by Holm over {runs * of} comparisons"
    elif runs == 1:
        assert found == ", not corrected over the 2 measures"
    else:
        assert found == f", corrected by Holm over the {runs} comparisons of each measure"


@rows(("wins", "losses"), [*product(range(2), repeat=2)])
def test_runs_differ_if_a_query_gains_or_loses(wins, losses):
    """One is enough."""
    assert _differs(SimpleNamespace(wins=wins, losses=losses)) is (wins + losses > 0)


@rows("n", range(7))
def test_comparisons_are_named_in_which_no_p_can_be_low_enough(n):
    """Up to four; of more their number is said. On the level is not below it."""
    least = [0.05, 0.1] * 3
    differing = {(f"r{i}", "AP"): SimpleNamespace(least=least[i]) for i in range(min(n, 6))}
    differing["fine", "AP"] = SimpleNamespace(least=0.049)
    found = _beyond_the_test(differing, 9, 0.05)
    names = ", ".join(f"r{i} in AP" for i in range(n))
    where = f"{min(n, 6)} of 9 comparisons" if n > 4 else names
    says = f"too few queries differ (or resamples are drawn) for a p below 0.05: {where}"
    assert found == ([says] if n else [])


@rows("values", [*product([0.0, 0.5, np.nan], repeat=2)])
@rows("beside", [0.25, np.nan])
@rows("apart", [False, True])
def test_a_missing_query_scores_0_if_every_measure_that_counts_it_says_so(values, beside, apart):
    """A measure of all queries together counts none, and one may leave out what the run lacks."""
    chosen = measures("RR AP")
    scores = {m.name: np.array([beside, v]) for m, v in zip(chosen, values, strict=True)}
    settled = {m.name: m.metric for m in chosen}
    found = RunScores(chosen, ["q", "gone"], scores, conventions=TREC_EVAL, settled=settled)
    assert found._missing_score_zero() is True
    found.counts = Counts(2, missing=["gone"])
    if apart:
        found.missing_apart = {"AP": np.array([False, True])}
    of_measures = dict(zip(("RR", "AP"), values, strict=True))
    if apart:
        del of_measures["AP"]
    counted = [v for v in of_measures.values() if not (np.isnan(v) and np.isnan(beside))]
    assert found._missing_score_zero() is all(v == 0 for v in counted)
