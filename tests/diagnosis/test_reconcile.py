"""Two numbers of one measure, and the values of several runs."""

import json
import random
from dataclasses import replace

import numpy as np
import pytest

from irmetrics_edu import diagnose
from irmetrics_edu.cli import main
from irmetrics_edu.diagnosis import reconcile
from irmetrics_edu.diagnosis.candidates import explain_value, search_of
from irmetrics_edu.diagnosis.printed import Target
from irmetrics_edu.diagnosis.result import some_of
from irmetrics_edu.diagnosis.several_runs import SeveralRuns
from irmetrics_edu.errors import InputError
from irmetrics_edu.metrics.notation import measure

QUERIES, DOCUMENTS, K = 12, 30, 10


def made(seed):
    """A run without ties."""
    draw = random.Random(seed)
    return {f"q{q}": {f"d{d}": draw.random() for d in range(DOCUMENTS)} for q in range(QUERIES)}


DRAW = random.Random(3)
QRELS = {
    f"q{q}": {f"d{d}": DRAW.choice([0, 0, 0, 1, 2, 3]) for d in range(0, 40, 2)}
    for q in range(QUERIES)
}
RUNS = [made(seed) for seed in (1, 2, 4)]


def of_each(run, gain, discount=lambda i: 1 / np.log2(i + 1)):
    """NDCG@10 of each query, in plain numpy."""
    scores = {}
    weights = discount(np.arange(1, K + 1))
    for q, documents in run.items():
        ranking = sorted(documents, key=documents.get, reverse=True)[:K]
        grades = [QRELS[q].get(d, 0) for d in ranking]
        ideal = sorted(QRELS[q].values(), reverse=True)[:K]
        dcg, best = (float((gain(np.array(g, float)) * weights).sum()) for g in (grades, ideal))
        scores[q] = dcg / best
    return scores


def linear(g):
    """The grade itself."""
    return g


def exponential(g):
    """2 to the power of the grade, less 1."""
    return 2**g - 1


def mean(scores):
    """With four digits, as printed."""
    return f"{np.mean(list(scores.values())):.4f}"


def test_the_convention_that_differs_is_named_with_the_queries_it_moves():
    """The largest difference first, and each score as plain numpy has it."""
    one, other = of_each(RUNS[0], linear), of_each(RUNS[0], exponential)
    found = reconcile("nDCG@10", RUNS[0], QRELS, values=[mean(one), mean(other)])
    assert found.explained
    assert found.differences == [
        "gain: linear (the grade itself) or exp (2 to the power of the grade, less 1)"
    ]
    expected = sorted(one, key=lambda q: -abs(one[q] - other[q]))
    assert [q for q, *_ in found.queries] == expected[: len(found.queries)]
    for q, a, b in found.queries:
        assert (a, b) == pytest.approx((one[q], other[q]), abs=1e-12)
    assert len(found.queries) + found.equal == QUERIES
    assert "... and 2 more\nEqual scores: 0 of 12 queries." in found.text


def test_a_mistake_may_be_one_of_the_two():
    """The gain without the -1 is no convention."""
    wrong = of_each(RUNS[0], lambda g: 2**g)
    found = reconcile(
        "nDCG@10", RUNS[0], QRELS, values=[mean(of_each(RUNS[0], linear)), mean(wrong)]
    )
    assert found.facts()["by"][1].startswith("by the mistake gain-without-minus-1")


def test_one_number_written_twice_differs_by_rounding():
    """No convention is blamed."""
    value = np.mean(list(of_each(RUNS[0], linear).values()))
    found = reconcile("nDCG@10", RUNS[0], QRELS, values=[f"{value:.3f}", f"{value:.5f}"])
    assert "differ by rounding alone" in found.text


def test_a_number_that_nothing_gives_is_told_from_one_that_is_explained():
    """What nothing is near to is said to be so."""
    found = reconcile("nDCG@10", [3, 2, 3, 0, 1, 2], values=["0.961", "0.123"])
    assert not found.explained
    assert "0.961 by our default" in found.text
    assert "Nothing comes near it" in found.text


@pytest.mark.parametrize("values", [["0.5"], ["0.1", "0.2", "0.3"], "0.5"])
def test_two_values_are_asked_for(values):
    """Not one, three or a text."""
    with pytest.raises(InputError, match="give two numbers"):
        reconcile("nDCG@10", [3, 2], values=values)


def test_one_convention_explains_a_whole_table():
    """Three runs by one gain; and by none if one of them has another."""
    values = [mean(of_each(run, exponential)) for run in RUNS]
    found = diagnose("nDCG@10", RUNS, QRELS, value=values)
    assert [c.written for c in found.candidates] == ['gain="exp"']
    assert f"{' and '.join(values)} with gain" in found.text
    mixed = [*values[:2], mean(of_each(RUNS[2], linear))]
    assert not diagnose("nDCG@10", RUNS, QRELS, value=mixed).explained


@pytest.mark.suite("guide")
def test_three_values_give_invented_bugs_no_false_name():
    """One value of few queries with short lists is often met by chance; three are not.

    Each bug is no convention, and a library that had it would be named wrongly.
    """
    bugs = [
        (lambda g, p=p: g**p, lambda i, s=s: 1 / np.log2(i + s))
        for p in (0.7, 2.3)
        for s in (1.3, 1.7, 2.4, 3.2)
    ]
    short = [{q: run[q] for q in list(run)[:2]} for run in RUNS]
    named = {1: 0, 3: 0}
    # Each run is searched once for all bugs, as `diagnose` does for one value after the other.
    each = {f"run {i}": search_of(measure("nDCG@10"), (run, QRELS), (), None, {})[0]
            for i, run in enumerate(short)}  # fmt: skip
    of_all = SeveralRuns(each)
    for gain, discount in bugs:
        values = [f"{np.mean(list(of_each(run, gain, discount).values())):.2f}" for run in short]
        named[1] += explain_value(each["run 0"], Target.of(values[0])).explained
        several = replace(Target.of(dict(zip(each, values, strict=True))), what="runs")
        named[3] += explain_value(of_all, several).explained
    assert named[1] > 2
    assert named[3] == 0


def test_as_many_runs_as_values():
    """A list of runs, as long as that of the values."""
    with pytest.raises(InputError, match="a list of as many runs"):
        diagnose("nDCG@10", RUNS[:2], QRELS, value=["0.1", "0.2", "0.3"])


def test_the_commands(tmp_path, capsys):
    """Files of runs; JSON; the exit code says whether all is explained."""
    (tmp_path / "qrels.json").write_text(json.dumps(QRELS), encoding="utf-8")
    for i, run in enumerate(RUNS):
        (tmp_path / f"{i}.json").write_text(json.dumps(run), encoding="utf-8")
    files = [str(tmp_path / f"{i}.json") for i in range(3)]
    qrels = ["--qrels", str(tmp_path / "qrels.json")]
    exp = [mean(of_each(run, exponential)) for run in RUNS]
    assert main(["diagnose", "nDCG@10", "--run", *files, *qrels, "--value", *exp]) == 0
    assert 'with gain="exp"' in capsys.readouterr().out
    assert main(["diagnose", "nDCG@10", "--run", *files, *qrels, "--value", *exp[:2]]) == 2
    assert "2 numbers, and there are 3 runs" in capsys.readouterr().err
    values = ["--values", mean(of_each(RUNS[0], linear)), exp[0], "--format", "json"]
    assert main(["reconcile", "nDCG@10", "--run", files[0], *qrels, *values]) == 0
    assert json.loads(capsys.readouterr().out)["differences"][0].startswith("gain: linear")


def test_a_library_that_needs_its_input_made_so_is_named_last():
    """scikit-learn is the most used, and cuts the ideal at what was retrieved unless told more."""
    labels = ["BEIR: NDCG@10", "scikit-learn: ndcg_score k=10 (judged docs appended)"]
    assert some_of(labels) == " (BEIR, scikit-learn)"
    assert some_of([*labels, "scikit-learn: ndcg_score"]) == " (scikit-learn, BEIR)"
