"""A function of somebody's own: which convention or mistake it follows."""

import json
from math import log2

import pytest

from irmetrics_edu import diagnose_function, ndcg
from irmetrics_edu.cli import main
from irmetrics_edu.errors import InputError
from irmetrics_edu.gate import RankingAssertionError, assert_follows
from irmetrics_edu.libraries import bundle


def dcg(gains, shift=1):
    """The discounted sum, in a plain loop."""
    return sum(g / log2(i + shift) for i, g in enumerate(gains, 1))


def my_ndcg(ranking, judgments):
    """The right nDCG: linear gain, all judged documents in the ideal."""
    best = dcg(sorted(judgments.values(), reverse=True))
    return dcg([judgments.get(d, 0) for d in ranking]) / best if best else 0.0


def of_powers(grades):
    """The nDCG of a list with the gain 2^g - 1."""
    gains = [2**g - 1 for g in grades]
    best = dcg(sorted(gains, reverse=True))
    return dcg(gains) / best if best else 0.0


def shifted(ranking, judgments, k):
    """An nDCG whose discount is log2(i + 2)."""
    best = dcg(sorted(judgments.values(), reverse=True)[:k], 2)
    if best:
        return dcg([judgments.get(d, 0) for d in ranking[:k]], 2) / best
    return 0.0


def without_guard(ranking, judgments):
    """AP that divides by R, 0 or not."""
    hits = [i for i, d in enumerate(ranking, 1) if judgments.get(d, 0)]
    return sum(n / i for n, i in enumerate(hits, 1)) / sum(g > 0 for g in judgments.values())


def nonsense(ranking, judgments):
    """Nothing that anybody calls a measure."""
    return 0.123 * len(ranking) + len(judgments)


def test_a_right_function_follows():
    """No input shows a difference, and the assertion passes."""
    found = diagnose_function(my_ndcg, "nDCG")
    assert found.follows
    assert found.shown is None
    assert found.text.startswith("my_ndcg is nDCG as irmetrics_edu has it, on ")
    assert_follows(my_ndcg, "nDCG")
    assert_follows(my_ndcg, "nDCG", conventions="ranx")


def test_another_convention_is_named_with_the_smallest_input():
    """2^g - 1: two documents of grades 1 and 2 show it; (1 + 3/log2(3)) / (3 + 1/log2(3))."""
    found = diagnose_function(of_powers, "nDCG")
    assert 'of_powers is nDCG with gain="exp"' in found.what
    assert (found.shown.ranking, found.shown.judgments) == (["d1", "d2"], {"d1": 1, "d2": 2})
    assert found.shown.value == pytest.approx((1 + 3 / log2(3)) / (3 + 1 / log2(3)))
    assert found.shown.expected == pytest.approx((1 + 2 / log2(3)) / (2 + 1 / log2(3)))


def test_a_mistake_is_named():
    """log2(i + 2) is a mistake of the catalogue, at a cut-off that the function is handed."""
    found = diagnose_function(shifted, "nDCG@2")
    assert "shifted makes the mistake log-of-rank-plus-2" in found.what
    assert "The 1 is added twice" in found.text
    with pytest.raises(RankingAssertionError, match="log-of-rank-plus-2") as failed:
        assert_follows(shifted, "nDCG@2")
    assert "smallest input" in str(failed.value)


@pytest.mark.parametrize("k", [32, pytest.param(100, marks=pytest.mark.suite("guide"))])
def test_a_cut_that_short_lists_do_not_reach_is_named(k):
    """An nDCG that stops at rank 32, as a library's does: one relevant document below it tells."""

    def stops(ranking, judgments):
        best = dcg(sorted(judgments.values(), reverse=True)[:k])
        if best:
            return dcg([judgments.get(d, 0) for d in ranking[:k]]) / best
        return 0.0

    assert diagnose_function(stops, "nDCG@20").what.startswith(f"stops is nDCG@{k}, not nDCG@20")
    found = diagnose_function(stops, "nDCG")
    assert found.what == f"stops is nDCG@{k}, not nDCG as irmetrics_edu has it"
    assert (
        len(found.shown.ranking) == k + 2
    )  # it is at rank k + 1, and one more document is below it
    assert len(found.text) < 2_500


# In all small lists, at every rank, and below.
@pytest.mark.parametrize(
    "k", [3, *(pytest.param(k, marks=pytest.mark.suite("guide")) for k in (50, 100))]
)
def test_a_cut_above_the_first_relevant_document_is_named(k):
    """RR and Success look at one document alone, which may be at any rank."""

    def rank(ranking, judgments):
        for i, d in enumerate(ranking[:k], 1):
            if judgments.get(d, 0) > 0:
                return 1 / i
        return 0.0

    def found(ranking, judgments):
        return float(rank(ranking, judgments) > 0)

    assert diagnose_function(rank, "RR").what == f"rank is RR@{k}, not RR as irmetrics_edu has it"
    said = diagnose_function(found, f"Success@{k + 1}")
    assert not said.follows
    assert "rank k was left out" in said.text or f"Success@{k}" in said.what
    with pytest.raises(RankingAssertionError):
        assert_follows(rank, "RR")


@pytest.mark.parametrize("name", ["nDCG@5", "AP@5"])
def test_unjudged_documents_taken_out_after_the_cut_are_not_those_taken_out_before(name):
    """Elasticsearch's ignore_unlabeled: ranking u a b c d e, cut to u a b c d, then a b c d."""

    def removed(ranking, judgments, k):
        return [d for d in ranking[:k] if d in judgments]

    def ndcg_of_the_rest(ranking, judgments, k):
        best = dcg(sorted(judgments.values(), reverse=True)[:k])
        kept = removed(ranking, judgments, k)
        return dcg([judgments[d] for d in kept]) / best if best else 0.0

    def ap_of_the_rest(ranking, judgments, k):
        kept = removed(ranking, judgments, k)
        hits = [i for i, d in enumerate(kept, 1) if judgments[d] > 0]
        relevant = sum(g > 0 for g in judgments.values())
        if relevant:
            return sum(n / i for n, i in enumerate(hits, 1)) / relevant
        return 0.0

    function = ndcg_of_the_rest if name == "nDCG@5" else ap_of_the_rest
    found = diagnose_function(function, name)
    assert not found.follows
    assert "the unjudged documents taken out after the cut" in found.what


def test_a_return_inside_the_loop_is_no_cut():
    """The first rank over min(R, k): with seven relevant documents 1/7, which AP@1 is, too."""

    def apk(ranking, judgments, k):
        hits = 0
        relevant = sum(g > 0 for g in judgments.values())
        for i, d in enumerate(ranking[:k], 1):
            hits += judgments.get(d, 0) > 0
            return hits / i / min(relevant, k) if relevant else 0.0
        return 0.0

    found = diagnose_function(apk, "AP@7")
    assert "no convention or known mistake" in found.what


def test_an_empty_ranking_is_told_apart():
    """A division by its length is no wrong number; a 1 in place of 0 is."""

    def share(ranking, judgments):
        return sum(judgments.get(d, 0) > 0 for d in ranking) / len(ranking)

    def guarded(ranking, judgments):
        return share(ranking, judgments) if ranking else 1.0

    found = diagnose_function(share, "P")
    assert found.follows
    said = "On an empty ranking it gives no value, and P is 0 there: ZeroDivisionError:"
    assert found.beside == [f"{said} division by zero."]
    found = diagnose_function(guarded, "P")
    assert not found.follows
    assert found.what.endswith("inputs, but not on an empty ranking")
    assert (found.shown.ranking, found.shown.value, found.shown.expected) == ([], 1, 0)


def test_what_conventions_make_of_losses_is_told():
    """trec_eval takes a grade below 0 for unjudged; a sum of grades subtracts it."""

    def my_dcg(ranking, judgments):
        return dcg([judgments.get(d, 0) for d in ranking])

    assert (
        diagnose_function(my_dcg, "DCG", conventions="trec_eval")
        .beside[0]
        .startswith('On grades below 0 it gives other values: trec_eval has negative="')
    )
    assert diagnose_function(my_dcg, "DCG").beside == []  # ours refuses them


def test_a_function_of_grades_does_not_know_what_was_missed():
    """Its ideal is that of the list, which is another convention once a document is missed."""

    def of_list(grades):
        best = dcg(sorted(grades, reverse=True))
        return dcg(grades) / best if best else 0.0

    def binary(grades):
        return of_list([int(g > 0) for g in grades])

    for function in (of_list, binary):
        assert 'If you leave out what was missed, it has ideal="retrieved".' in (
            diagnose_function(function, "nDCG").text
        )
    assert "missed" not in diagnose_function(lambda grades: grades[0] > 0, "P@1").text


@pytest.mark.parametrize(
    ("gain", "key", "negative"),
    [
        (lambda g: min(g, 5), str, "refuse"),
        pytest.param(lambda g: g, str.lower, "refuse", marks=pytest.mark.suite("guide")),
        pytest.param(
            lambda g: g,
            lambda d: str(int(d)) if d.isdigit() and len(d) < 2 else d[:1],
            "refuse",
            marks=pytest.mark.suite("guide"),
        ),
        (lambda g: max(g, 0), str, "keep"),
    ],
)
def test_what_short_lists_and_small_grades_hide_is_found(gain, key, negative):
    """A gain that is capped or never below 0, and ids that are taken for others."""

    def made(gain, key):
        def function(ranking, judgments):
            known = {key(d): gain(g) for d, g in judgments.items()}
            best = dcg(sorted((gain(g) for g in judgments.values()), reverse=True))
            if best:
                return dcg([known.get(key(d), 0) for d in ranking]) / best
            return 0.0

        return function

    by = bundle("irmetrics_edu").using(negative=negative)
    assert diagnose_function(made(lambda g: g, str), "nDCG", conventions=by).follows
    with pytest.raises(RankingAssertionError, match="The smallest input"):
        assert_follows(made(gain, key), "nDCG", conventions=by)


def test_an_error_that_the_function_raises_is_told():
    """AP of nothing relevant divides by 0; on all other inputs it is right."""
    found = diagnose_function(without_guard, "AP")
    assert not found.follows
    assert found.shown.value == "ZeroDivisionError: division by zero"
    assert f"raised an error on {found.raised} of {found.tried} inputs" in found.text
    with pytest.raises(RankingAssertionError, match="raised an error"):
        assert_follows(without_guard, "AP")


def always_raises(ranking, judgments):  # noqa: ARG001 -- whatever it is given
    """Nothing but an error."""
    raise RuntimeError("never")


def test_what_nothing_gives_is_not_named():
    """No convention and no mistake, and nothing made up."""
    assert "no convention or known mistake" in diagnose_function(nonsense, "AP").what
    assert "raised an error on each" in diagnose_function(always_raises, "AP").what


@pytest.mark.parametrize("conventions", ["LightGBM", "scikit-learn"])
def test_what_differs_from_a_library_in_several_ways_is_ours(conventions):
    """LightGBM's ideal is of the retrieved, and scikit-learn shares ranks: both differ in more."""

    def of_judged(ranking, judgments, k):
        best = dcg([2**g - 1 for g in sorted(judgments.values(), reverse=True)[:k]])
        if best:
            return dcg([2 ** judgments.get(d, 0) - 1 for d in ranking[:k]]) / best
        return 0.0

    found = diagnose_function(of_judged, "nDCG@10", conventions=conventions)
    assert found.what.startswith('of_judged is nDCG@10 with gain="exp" (')
    assert f"not nDCG@10 as {conventions} has it" in found.what


def test_a_librarys_conventions_are_the_measure():
    """RecTools divides by k ones: at k = 2 by 1 + 1/log2(3)."""

    def of_ones(ranking, judgments, k):
        hits = [judgments.get(d, 0) >= 1 for d in ranking[:k]]
        return dcg(hits) / dcg([1] * k)

    with pytest.raises(RankingAssertionError, match="k_ones"):
        assert_follows(of_ones, "nDCG@2", conventions="recbole")
    found = diagnose_function(of_ones, "nDCG(no_relevant=zero)@2", conventions="rectools")
    assert found.follows


@pytest.mark.parametrize(
    ("function", "says"),
    [
        (lambda: 0, "takes nothing"),
        (lambda a, b, c: a + b + c, "takes a, b, c"),
        (lambda ranking, judgments: str((ranking, judgments)), "which is not a number"),
        (lambda ranking, judgments: str(ndcg(ranking, judgments)), "which is not a number"),
        (lambda ranking, judgments: b"%f" % ndcg(ranking, judgments), "which is not a number"),
        (lambda grades, k: grades[k], "needs k"),
        ("nowhere_at_all:ndcg", "can't be imported"),
        ("math:no_such_thing", "has no function"),
        ("my_ndcg", "write module:name"),
        (3, "can't be called"),
    ],
)
def test_what_is_no_such_function_is_refused(function, says):
    """The message says what it takes or gave, and what would do."""
    with pytest.raises(InputError, match=says):
        diagnose_function(function, "nDCG")
    with pytest.raises(InputError, match=says):
        assert_follows(function, "nDCG")


def test_a_measure_that_is_not_of_rankings_is_refused():
    """Alpha-nDCG reads nuggets."""
    with pytest.raises(InputError, match="does not measure a ranking"):
        diagnose_function(my_ndcg, "alpha-nDCG")


def test_the_command_probes_a_function(tmp_path, monkeypatch, capsys):
    """A module in the current folder; the exit code says whether it follows."""
    (tmp_path / "probed_module.py").write_text(
        "def p(grades):\n    return sum(g > 0 for g in grades) / len(grades)\n"
        "def twice(grades):\n    return 2 * p(grades)\n"
    )
    monkeypatch.chdir(tmp_path)
    assert main(["diagnose", "P", "--function", "probed_module:p"]) == 0
    assert "p is P as irmetrics_edu has it" in capsys.readouterr().out
    assert main(["diagnose", "P", "--function", "probed_module:twice", "--format", "json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert told["shown"]["ranking"] == ["d1"]
    assert (told["shown"]["value"], told["shown"]["expected"]) == (2, 1)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--function", "m:f", "--value", "1"], "--value can't be combined with --function"),
        (["--relevance", "1,0"], "--value is missing"),
        (["--relevance", "1", "--value", "1", "--conventions", "ranx"], "--conventions goes with"),
        ([], "give --relevance"),
    ],
)
def test_the_command_refuses_what_does_not_go_together(arguments, says, capsys):
    """Exit code 2 and what to write."""
    assert main(["diagnose", "P", *arguments]) == 2
    assert says in capsys.readouterr().err
