"""What the page "Test the retrieval of a RAG system" promises, beside what it prints."""

import csv
import re

import pytest

from irmetrics_edu import evaluate, gate
from irmetrics_edu.errors import InputError
from irmetrics_edu.gate import RankingAssertionError, assert_no_regression
from irmetrics_edu.judging import build_run, judge_by_text, label_with
from irmetrics_edu.runs import read_scores

OF_RELEVANCE = (
    "assert_average_precision",
    "assert_bpref",
    "assert_err",
    "assert_f_measure",
    "assert_map",
    "assert_mrr",
    "assert_ndcg",
    "assert_precision",
    "assert_r_precision",
    "assert_rbp",
    "assert_recall",
    "assert_reciprocal_rank",
    "assert_success",
)


@pytest.mark.parametrize("name", OF_RELEVANCE)
def test_judged_passages_are_taken_by_assertions_of_relevance(name):
    """A question without its text, one with two of them, ids that are numbers, no passage."""
    passages = {
        "a": [{"id": 1, "text": "Cats purr. Dogs bark."}, {"id": 2, "text": "Cats purr."}],
        "b": [{"id": 3, "text": "Nothing."}],
        "c": [],
    }
    run = build_run(passages.get, {"a": "a", "b": "b", "c": "c"})
    expected = {"a": ["Cats purr", "dogs bark"], "b": ["Cats purr"], "c": ["Cats purr"]}
    judged = judge_by_text(run, expected)
    getattr(gate, name)(judged.run, judged.qrels, at_least=0)
    with pytest.raises(RankingAssertionError):
        getattr(gate, name)(judged.run, judged.qrels, every_query_at_least=0.01)


def test_labels_are_asked_for_once_and_kept_though_a_call_fails(tmp_path):
    """A claim that stands twice is asked for once; after a failure no claim is asked for again."""
    path = tmp_path / "claims.csv"
    asked = []

    def ask(question, claim):
        asked.append((question, claim))
        if claim == "Fish fly." and len(asked) < 4:
            raise TimeoutError("no answer")
        return claim == "Cats purr."

    claims = {"q1": ["Cats purr.", "Dogs purr.", "Cats purr."], "q2": ["Fish fly.", "Cats purr."]}
    with pytest.raises(TimeoutError):
        label_with(claims, ask, path, judge="model of May")
    rows = list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))
    assert [(row["document"], row["judge"]) for row in rows] == [
        ("Cats purr.", "model of May"),
        ("Dogs purr.", "model of May"),
    ]
    with pytest.raises(InputError, match="has no label"):
        label_with(claims, None, path, judge="nobody")
    labels = label_with(claims, ask, path, judge="model of June")
    assert asked == [
        ("q1", "Cats purr."),
        ("q1", "Dogs purr."),
        ("q2", "Fish fly."),
        ("q2", "Fish fly."),
        ("q2", "Cats purr."),
    ]
    assert dict(label_with(claims, None, path, judge="nobody")) == dict(labels)


def test_a_call_that_fails_scores_0_and_is_named():
    """Beside one that finds nothing, and one that is right."""

    def ask(text):
        if text == "slow":
            raise TimeoutError("no answer")
        return ["d"] if text == "good" else []

    run = build_run(ask, {"q1": "good", "q2": "slow", "q3": "none"}, errors="keep")
    found = evaluate(run, {q: {"d": 1} for q in ("q1", "q2", "q3")}, "RR")
    assert dict(found.per_query["RR"]) == {"q1": 1.0, "q2": 0.0, "q3": 0.0}
    [(query, why)] = run.errors.items()
    assert (query, "no answer" in str(why)) == ("q2", True)
    with pytest.raises(RankingAssertionError, match=r"q2: .*no answer"):
        gate.assert_mrr(run, {q: {"d": 1} for q in ("q1", "q2", "q3")}, at_least=0.9)


def table(path, scores):
    """A table of a measure that nobody knows."""
    lines = [f"q{i},clarity,{score}" for i, score in enumerate(scores)]
    path.write_text("\n".join(["query,measure,value", *lines]), encoding="utf-8")
    return read_scores(path)


@pytest.mark.parametrize("scale", [1, 100])
def test_scores_of_a_range_that_is_not_known_have_no_hard_limit(tmp_path, scale):
    """With max_observed_drop they have one, whatever the test says, in units of the measure."""
    old = table(tmp_path / "old.csv", [0.9 * scale, 0.5 * scale, 0.7 * scale])
    new = table(tmp_path / "new.csv", [0.2 * scale, 0.6 * scale, 0.7 * scale])
    with pytest.warns(gate.InconclusiveWarning):
        assert_no_regression(new, old)
    with pytest.raises(RankingAssertionError, match="the hard limit for the mean"):
        assert_no_regression(new, old, max_observed_drop=0.1 * scale)
    with pytest.warns(gate.InconclusiveWarning):
        assert_no_regression(new, old, max_observed_drop=0.3 * scale)


def no_regression(run, qrels, **_):
    """Against a run that found all texts."""
    best = {question: list(texts) for question, texts in qrels.items()}
    assert_no_regression(run, best, qrels, "R@9", policy="strict")


CHECKS = {
    "assert_recall": (gate.assert_recall, (1, 2, 3, 8)),
    "assert_ndcg": (gate.assert_ndcg, (1, 2, 3, 8)),
    "assert_no_regression": (no_regression, (1, 2, 3)),  # more take all lines for what moved
}


@pytest.mark.parametrize("found", [0, 1])
@pytest.mark.parametrize(
    ("name", "texts"), [(name, count) for name, (_, counts) in CHECKS.items() for count in counts]
)
def test_a_failure_names_the_question_its_texts_and_what_is_near(name, texts, found):
    """Lost texts first, in at most twelve lines; it counts those it leaves out, and -v has all."""
    wanted = [f"alpha gamma {number} delta" for number in range(texts + found)]
    passages = {
        "Which?": [{"id": "near", "text": "alpha beta"}, {"id": "far", "text": "fish"}],
        "ok?": [{"id": "right", "text": "fine"}],
    }
    if found:
        passages["Which?"].append({"id": "held", "text": wanted[-1]})
    run = build_run(passages.get, {question: question for question in passages})
    judged = judge_by_text(run, {"Which?": wanted, "ok?": ["fine"]})
    check, _ = CHECKS[name]
    with pytest.raises(RankingAssertionError) as caught:
        check(judged.run, judged.qrels, k=9, at_least=0.99)
    said = caught.value.lines
    assert len(said) <= 10
    assert any("Which?" in line for line in said[:2])
    assert f'expected:1 is "{wanted[0]}", and no passage holds it' in said
    caught.value.verbosity = 1
    at_length = str(caught.value).splitlines()
    about = [line for line in at_length if line.startswith(("expected:", "  near, "))]
    assert [line for line in about if "far" in line] == []
    assert sum("near at rank 1" in line for line in about) == texts
    assert sum(line.startswith("expected:") for line in about) == texts + found
    shown = [line for line in said if line in about]
    assert shown == about[: len(shown)]
    left_out = [int(n) for line in said for n in re.findall(r"^\.\.\. (\d+) more lines", line)]
    assert len(shown) + sum(left_out) == len(about)
    if name != "assert_no_regression":
        assert said[-1].startswith("Convention: ")
