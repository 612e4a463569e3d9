"""Every bundle on runs as people have them, against what its library gave there."""

from collections import Counter

from irmetrics_edu.libraries import BUNDLES
from tests.libraries.real.ask import ALL_NAMES, metrics_of
from tests.libraries.real.inputs import inputs
from tests.libraries.real.record import HOME, recorded
from tests.libraries.real.replay import classes, evaluated, is_given

RECORDED = sorted(path.name.removesuffix(".json.gz") for path in HOME.glob("*.json.gz"))
# Rows that the library's conventions don't give, as a quirk says: none becomes one unseen.
QUIRKS = {
    "allrank": 39,
    "beir": 3,
    "cornac": 1,
    "ignite": 1,
    "ir_measures": 1,
    "lenskit": 12,
    "llama_index": 6,
    "rankereval": 24,
    "rax": 7,
    "scikit_learn": 3,
    "tf_ranking": 4,
}


def quirks_among(beside=None):
    """How many rows of each library a quirk speaks of, after no row was wrong."""
    found = {}
    for name in RECORDED:
        rows = list(classes(name, recorded(name)["rows"], beside))
        assert [row for row in rows if row[0] == "wrong"] == [], name
        counts = Counter(row[0] for row in rows)
        assert counts["equal"] >= 5, name
        if counts["quirk"]:
            found[name] = counts["quirk"]
    return found


def test_each_value_is_the_librarys_own_or_a_quirk():
    """All names in one call, as they are asked for; no row is wrong."""
    assert set(quirks_among()) == set(QUIRKS)


def test_each_value_on_a_published_run_is_so_too(shared):
    """The run that trec_eval is tested with is among these, and each quirk is counted."""
    assert quirks_among(shared) == QUIRKS


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
