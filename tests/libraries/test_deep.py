"""Deep lists with unjudged documents, long ties, grades to 4 and queries that are documents."""

import json
from pathlib import Path

import pytest

from irmetrics_edu import evaluate
from irmetrics_edu.libraries import BUNDLES
from tests.libraries import deep

RECORDED = json.loads(Path(__file__).with_name("deep.json").read_text(encoding="utf-8"))
VALUES = [(name, metric) for name, found in RECORDED.items() for metric in found["values"]]


@pytest.mark.parametrize("name", RECORDED)
def test_the_version_is_that_of_the_bundle(name):
    """What was asked is what the bundle speaks of."""
    assert RECORDED[name]["version"] == BUNDLES[name].version


@pytest.mark.parametrize(("name", "metric"), VALUES)
def test_a_library_gives_what_its_bundle_gives(name, metric):
    """To five digits, query by query or in the mean."""
    run, qrels = deep.by_subtopic() if name == "ndeval" else deep.graded()
    measure, by = BUNDLES[name].measure(metric)
    e = evaluate(run, qrels, measure, by)
    value = RECORDED[name]["values"][metric]
    if isinstance(value, dict):
        assert next(iter(e.per_query.values())) == pytest.approx(value, abs=1e-5)
    else:
        assert next(iter(e.mean.values())) == pytest.approx(value, abs=1e-5)


def test_the_inputs_have_what_the_bundles_differ_in():
    """Unjudged documents, many ties in long lists, grades to 4, and a query's own document."""
    run, qrels = deep.graded()
    for query, scores in run.items():
        assert query in scores
        assert len(set(scores) - set(qrels[query])) > 200
        assert max(list(scores.values()).count(s) for s in set(scores.values())) >= 10
    assert {g for of in qrels.values() for g in of.values()} == {0, 1, 2, 3, 4}
