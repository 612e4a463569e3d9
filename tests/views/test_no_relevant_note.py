"""The note on a score that a convention decided, since there was nothing to divide by."""

import inspect
from collections.abc import Iterator
from itertools import product

import pytest

from irmetrics_edu import evaluate
from irmetrics_edu.metrics.definition import METRICS, Metric, import_all
from irmetrics_edu.rows.aligned_ranking import RANKED
from irmetrics_edu.views.explanation import Explanation

import_all()
METRICS_WITH_THE_CHOICE = [
    metric
    for metric in METRICS.values()
    if metric.inputs is RANKED and "no_relevant" in inspect.signature(metric).parameters
]
NEEDED = {"nugget-F": {"length": 100}, "IPrec": {"recall": 0.5}}  # without it nothing is measured
RELEVANT_FROM = {"nugget-F": 2}  # the grade of a vital nugget
NOTE = "nothing counts as relevant here, so no_relevant={} gives the score"


def short_rankings() -> Iterator[tuple[list[str], dict[str, int]]]:
    """All rankings of up to two grades, with a judged document beside them or none."""
    for length in (1, 2):
        ranking = ["a", "b"][:length]
        for grades in product((0, 1, 2), repeat=length):
            judgments = dict(zip(ranking, grades, strict=True))
            yield ranking, judgments
            for grade in (0, 1):
                yield ranking, judgments | {"not retrieved": grade}


@pytest.mark.parametrize("metric", METRICS_WITH_THE_CHOICE, ids=lambda metric: metric.name)
def test_it_stands_where_nothing_relevant_is_and_the_score_follows_the_choice(
    metric: Metric,
) -> None:
    """By the judgments, not by the metric: the best grade is 0."""
    options = NEEDED.get(metric.name, {})
    for ranking, judgments in short_rankings():
        for choice, value in (("zero", 0), ("one", 1)):
            working = metric.working(ranking, judgments, no_relevant=choice, **options)
            noted = NOTE.format(choice) in Explanation(working).sections[0].notes
            none = max(judgments.values()) < RELEVANT_FROM.get(metric.name, 1)
            assert noted == none, (judgments, choice)
            assert not noted or working.value == value


def test_a_query_of_several_is_noted_alone() -> None:
    """The note is of the query that is looked at."""
    scores = evaluate({"a": ["x"], "b": ["y"]}, {"a": {"x": 0}, "b": {"y": 1}}, "nDCG@3")
    assert NOTE.format("zero") in str(Explanation(scores.working("nDCG@3", "a")))
    assert "no_relevant" not in str(Explanation(scores.working("nDCG@3", "b")))


@pytest.mark.parametrize("metric", METRICS_WITH_THE_CHOICE, ids=lambda metric: metric.name)
@pytest.mark.parametrize(
    "aligned",
    [
        {"unjudged": "removed"},
        {"ties": "docid"},
        {"pool": "retrieved"},
        {"negative": "zero"},
        {"duplicates": "first"},
        {"unretrieved": "last"},
    ],
    ids=str,
)
def test_it_stands_under_other_conventions_too(metric: Metric, aligned: dict[str, str]) -> None:
    """Those of the input are settled before a metric is computed, and once more is not asked."""
    taken = {name: value for name, value in aligned.items() if name in metric.inputs.options}
    assert taken
    working = metric.working({"a": 2.0, "b": 1.0}, {"b": 0}, **taken, **NEEDED.get(metric.name, {}))
    assert NOTE.format("zero") in Explanation(working).sections[0].notes
