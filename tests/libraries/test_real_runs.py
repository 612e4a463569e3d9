"""Every bundle on runs as people have them, against what its library gave there."""

from collections import Counter

import pytest

from irmetrics_edu.libraries import BUNDLES
from tests.libraries.real.ask import ALL_NAMES, metrics_of
from tests.libraries.real.inputs import PUBLISHED, inputs
from tests.libraries.real.record import names, recorded
from tests.libraries.real.replay import classes, evaluated, is_given
from tests.libraries.replay import EQUAL, counts_of, kept_counts

RECORDED = names()


def part_of(name, published, beside=None):
    """How many values of a library are what, in the drawn runs or in the published one."""
    rows = [row for row in recorded(name)["rows"] if (row[1] == PUBLISHED) == published]
    found = list(classes(name, rows, beside))
    assert [row for row in found if row[0] == "wrong"] == [], name
    return counts_of((row[0], row[3]) for row in found)


@pytest.mark.suite("guide")
def test_each_value_is_the_librarys_own_or_a_quirk():
    """All names in one call; none is wrong, and as many are quirks as the page says."""
    for name in RECORDED:
        found = part_of(name, published=False)
        assert found[EQUAL] >= 5, name
        assert found == kept_counts("long runs", name), name


def test_each_value_on_a_published_run_is_so_too(shared):
    """The run that trec_eval is tested with is among these, and each quirk is counted."""
    for name in RECORDED:
        assert part_of(name, True, shared) == kept_counts("published run", name), name


def test_each_file_is_of_the_version_that_the_bundle_names():
    """What was asked is what the bundle speaks of, on each of its metrics."""
    for name in RECORDED:
        file = recorded(name)
        assert file["version"] == BUNDLES[name].version, name
        assert {metric for metric, _, _ in file["rows"]} == set(metrics_of(name)), name


def test_what_can_be_asked_is_recorded():
    """Each library that has a question is here."""
    assert set(ALL_NAMES) == set(RECORDED)


def test_a_wrong_value_is_found():
    """The check can fail: a value moved by the last digit that counts, and another query's."""
    rows = recorded("ranx")["rows"]
    metric, probe, value = next(row for row in rows if row[1] == "thousand")
    ours = evaluated("ranx", probe, [metric])[metric]
    assert is_given(value, ours, 6)
    assert not is_given({q: v + 1e-5 for q, v in value.items()}, ours, 6)
    assert not is_given(dict(list(value.items())[1:]), ours, 6)


def test_the_inputs_are_as_real_runs_are():
    """A thousand deep, mostly unjudged, long ties, grades to 4, losses, own documents, gaps."""
    run, qrels = inputs()["thousand"]
    assert {len(ranked) for ranked in run.values()} == {1000}
    for query, ranked in run.items():
        assert sum(d not in qrels[query] for d, _ in ranked) > 800
    assert {g for judged in qrels.values() for g in judged.values()} == {0, 1, 2, 3, 4}
    for name in ("thousand tied", "hundred tied"):
        for ranked in inputs()[name][0].values():
            assert Counter(score for _, score in ranked).most_common(1)[0][1] >= 12
    run, qrels = inputs()["own documents"]
    assert all(ranked[0][0] == query for query, ranked in run.items())
    assert any(query in judged for query, judged in qrels.items())
    run, qrels = inputs()["missing and extra"]
    assert set(run) - set(qrels)
    assert set(qrels) - set(run)
    _, qrels = inputs()["negative"]
    assert min(g for judged in qrels.values() for g in judged.values()) == -2
    _, qrels = inputs()["by subtopic"]
    assert max(g for of in qrels.values() for held in of.values() for g in held.values()) == 4
