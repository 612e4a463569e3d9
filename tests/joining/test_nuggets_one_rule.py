"""Nuggets: a single ranking and a whole run settle ties and unjudged documents in one way."""

import pytest

from irmetrics_edu import METRICS, evaluate
from irmetrics_edu.conventions import Ties, Unjudged
from irmetrics_edu.errors import InputError
from irmetrics_edu.metrics.definition import import_all

import_all()
OF_NUGGETS = ("alpha-nDCG", "alpha-DCG", "S-recall", "ERR-IA", "P-IA", "AP-IA")
RANKINGS = (
    {"a": 1.0, "b": 1.0, "c": 1.0},
    {"b": 2.0, "x": 1.0, "a": 1.0},
    {"c": 3.0, "b": 2.0, "a": 1.0},
    {"x": 1.0, "y": 1.0},
    {},
)
JUDGMENTS = {"a": set(), "b": {"A"}, "c": {"A", "B"}, "d": {"C"}}


def said(call):
    """The value, or that it is refused and why, without the query's name."""
    try:
        return round(call(), 12)
    except InputError as error:
        return str(error).removeprefix("query 'q': ")


def alone(name, ranking, options):
    """What the measure gives of one ranking."""
    return said(lambda: METRICS[name](ranking, JUDGMENTS, k=2, **options))


def in_a_run(name, ranking, options):
    """What it gives of the same ranking in a run."""

    def score():
        found = evaluate({"q": ranking}, {"q": JUDGMENTS}, f"{name}@2", "irmetrics_edu", **options)
        return found.per_query[f"{name}@2"]["q"]

    return said(score)


@pytest.mark.parametrize("name", OF_NUGGETS)
@pytest.mark.parametrize("ties", list(Ties.values), ids=str)
@pytest.mark.parametrize("unjudged", list(Unjudged.values), ids=str)
def test_a_run_and_its_rankings_agree(name, ties, unjudged):
    """The same value, or the same refusal: never ties as given where others were asked for."""
    options = {"ties": ties, "unjudged": unjudged}
    for ranking in RANKINGS:
        assert alone(name, ranking, options) == in_a_run(name, ranking, options), ranking
