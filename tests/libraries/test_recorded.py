"""Every bundle against what its library gave, recorded here or elsewhere, in its named version."""

import json
from importlib.metadata import PackageNotFoundError, version

import pytest

from irmetrics_edu import METRICS, diagnose, evaluate
from irmetrics_edu.libraries import BUNDLES, OURS
from tests.conftest import MEASURED
from tests.libraries import inputs_drawn
from tests.libraries.asked import NAMES, library
from tests.libraries.counted import REAL
from tests.libraries.real import record as real
from tests.libraries.replay import (
    FILES,
    HOME,
    as_run,
    classes,
    counts_of,
    inputs,
    kept_counts,
    quirks_of,
    recorded,
    reproduces,
)
from tests.runs.test_as_trec_eval import BUNDLE_OF

INPUTS = inputs()


def name_of(path):
    """The library's name, for a test's."""
    return path.stem


@pytest.mark.slow
@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_every_recorded_value_is_reproduced_or_is_a_quirk(path):
    """No row is wrong; as many are quirks as the page says, so that none becomes one unseen."""
    rows = list(classes(path.stem, recorded(path)["rows"], INPUTS))
    assert [row for row in rows if row[0] == "wrong"] == []
    counts = counts_of((row[0], row[3]) for row in rows)
    assert counts == kept_counts("small inputs", path.stem)
    assert sum(row[0] == "reproduced" for row in rows) >= 10


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_cases_of_quirks_were_recorded(path):
    """A quirk that cites an input of ours cites a recorded value, that is no convention's."""
    rows = recorded(path)["rows"]
    for quirk in BUNDLES[path.stem].quirks:
        if quirk.case is None or quirk.case["probe"] not in INPUTS:
            continue
        metric, probe, value = quirk.case.values()
        found = [v for m, p, v in rows if (m, p) == (metric, probe)]
        elsewhere = any(isinstance(v, dict) != isinstance(value, dict) for v in found)
        if found and not elsewhere:  # measured on an input of the same name that is not ours
            assert value in found, (metric, probe)
            assert any(not reproduces(path.stem, metric, INPUTS[probe], v) for v in found)


def measured_versions():
    """Packages and versions of which there are measured values."""
    rows = json.loads(MEASURED.read_text(encoding="utf-8"))["rows"]
    here = {(r["package"], r["version"]) for r in map(recorded, FILES)}
    here |= {(r["package"], r["version"]) for r in map(real.recorded, REAL)}
    printed = {("trec_eval", of) for of in BUNDLE_OF}  # what it printed, held by other tests
    return {(package, of) for package, of, *_ in rows} | here | printed


def is_compared_live(bundle):
    """Whether `make test` compares the library itself: it is installed, in this version."""
    try:
        return bundle.package == "pyndeval" and version(bundle.package) == bundle.version
    except PackageNotFoundError:
        return False


def unmeasured(bundles, versions):
    """Bundles that claim to be measured in a version of which no value was."""
    return [
        b.name
        for b in bundles
        if b.version
        and b.known == "measured"
        and (b.package, b.version) not in versions
        and not is_compared_live(b)
    ]


def test_every_bundle_was_measured_in_its_version_or_says_that_it_was_read():
    """The version that a bundle names is that of its values."""
    assert unmeasured(BUNDLES.values(), measured_versions()) == []
    assert all(b.known in ("measured", "read") for b in BUNDLES.values())


def test_a_version_that_was_not_measured_is_found():
    """The check can fail: a bundle moved on to another version, and one that has no values."""
    versions = measured_versions()
    assert unmeasured([BUNDLES["mlflow"].using(version="99")], versions) == ["MLflow"]
    assert unmeasured([BUNDLES["mlflow"].using(version="99", known="read")], versions) == []
    assert unmeasured([BUNDLES["mlflow"]], versions - {("mlflow", BUNDLES["mlflow"].version)})


def test_whoever_is_asked_is_recorded():
    """Each library that can be asked has a file of values, and each file a library to ask."""
    assert {path.stem for path in FILES} == set(NAMES)
    for name in NAMES:
        for metric in library(name).METRICS:
            BUNDLES[name].measure(metric)


def test_the_inputs_are_those_that_are_drawn():
    """The file is what its source gives."""
    assert inputs_drawn.INPUTS.read_text(encoding="utf-8") == inputs_drawn.as_text(
        inputs_drawn.inputs()
    )


def test_another_convention_is_not_reproduced():
    """The check can fail: PySpark's MAP cut off at k does not divide by R."""
    short = INPUTS["short"]
    assert reproduces("pyspark", "meanAveragePrecisionAt(3)", short, 1 / 3)
    assert not reproduces("pyspark", "meanAveragePrecisionAt(3)", short, 1 / 4)
    assert not reproduces("implicit", "precision K=3", short, 1 / 2)


def test_a_plain_name_stops_at_rank_32_in_xgboost():
    """50 documents: ndcg is ndcg@32, no uncut measure, and diagnose says whose it is."""
    rows = {(m, p): v["q1"] for m, p, v in recorded(HOME / "xgboost.json")["rows"]}
    value = rows["ndcg", "falling50"]
    assert value != pytest.approx(rows["ndcg@40", "falling50"])
    given = INPUTS["falling50"]
    found = diagnose("nDCG", as_run(given["run"]), given["qrels"], value=f"{value:.6f}")
    assert found.explained
    assert {c.arguments["k"] for c in found.candidates} == {32}
    assert found.candidates[0].libraries == ["XGBoost"]
    assert "@32" in found.candidates[0].call
    whole = evaluate(as_run(given["run"]), given["qrels"], "nDCG", "xgboost")["nDCG"]
    uncut = diagnose("nDCG", as_run(given["run"]), given["qrels"], value=f"{whole:.6f}")
    assert "XGBoost" not in uncut.text  # it has no such value
    short = INPUTS["graded"]
    few = next(v["q1"] for m, p, v in recorded(HOME / "xgboost.json")["rows"]
               if (m, p) == ("ndcg", "graded"))  # fmt: skip
    assert "XGBoost" in diagnose("nDCG", as_run(short["run"]), short["qrels"], value=few).text


def test_diagnose_says_who_promises_no_order_of_ties():
    """AllRank keeps the given order of up to 16 documents, and none of 17."""
    given = INPUTS["tied16"]
    run, qrels = as_run(given["run"]), given["qrels"]
    assert "allRank" not in diagnose("RR", run, qrels, value="0.0123").unordered
    longer = {"q1": {**run["q1"], "another": 1.0}}
    found = diagnose("RR", longer, qrels, value="0.0123")
    assert "allRank" in found.unordered
    assert "allRank" in found.text
    assert "LensKit" not in found.text
    assert not diagnose("RR", {"q1": ["a", "b"]}, {"q1": {"b": 1}}, value="0.3").unordered


@pytest.mark.parametrize(
    ("name", "metric", "probe"),
    [
        ("scikit_learn", "ndcg_score@5", "one document"),
        ("scikit_learn", "roc_auc_score", "one class"),
        ("ignite", "HitRate(top_k=[5])", "k above n"),
        ("torch_rechub", "NDCG@5", "k above n"),
        ("recbole", "NDCG@5", "k above n"),
        ("cwl_eval", "RR", "grades"),
        ("rankereval", "NDCG@3 default", "negative grades and grade 0"),
        ("ir_measures", "Compat(p=0.90)", "negative scores"),
        ("allrank", "mrr", "tied40"),
    ],
)
def test_a_value_that_no_convention_gives_is_named(name, metric, probe):
    """What a library refuses, or gives by no convention, has a quirk for a metric that it has."""
    BUNDLES[name].measure(metric)
    assert any(q.probes for q in quirks_of(BUNDLES[name], metric, probe))


def test_rr_of_cwl_eval_is_a_gain_over_a_rank():
    """Its reader looks at all ranks to the first gain alike: a mean of gains, and not 1/rank."""
    gains = [0, 2 / 3, 0, 0, 1 / 3]
    seen = gains[: next(i for i, g in enumerate(gains, 1) if g)]
    [quirk] = quirks_of(BUNDLES["cwl_eval"], "RR", "grades")
    assert sum(seen) / len(seen) == pytest.approx(1 / 3)
    assert "1/3 for gains 0, 2/3, 0, 0, 1/3" in quirk.says
    measure, by = BUNDLES["cwl_eval"].measure("RR")
    grades = {"b": 2, "e": 1}
    e = evaluate({"q": list("abcde")}, {"q": grades}, measure, by)
    assert e.mean == {"RR": 0.5}


# What diagnose calls each library; Surprise has pair accuracy alone, which takes no diagnosis.
TOLD = {name: BUNDLES[name].name for name in NAMES if name != "surprise"}
EACH = 4  # metrics that are asked for, spread over those of the library


def one_query(name, probe="graded"):
    """The library's metrics with the values that it gave on an input of one query."""
    for metric, on, value in recorded(HOME / f"{name}.json")["rows"]:
        one = next(iter(value.values()), None) if isinstance(value, dict) else value
        if on == probe and isinstance(one, float) and not is_odd(name, metric, probe):
            yield metric, one


def is_odd(name, metric, probe):
    """Whether a quirk may hold, or the measure wants what a diagnosis is not given."""
    return any(quirks_of(BUNDLES[name], metric, probe)) or "fall_out" in metric


@pytest.mark.slow
@pytest.mark.parametrize("name", TOLD)
def test_diagnose_names_the_library_for_a_value_that_it_gave(name):
    """A plain metric's value leads back to the library that gave it."""
    given, values, lost = INPUTS["graded"], list(one_query(name)), []
    assert values
    for metric, value in values[:: -(-len(values) // EACH)]:
        ours, _ = BUNDLES[name].measure(metric)
        asked = METRICS[ours.name] if ours.k is None else METRICS[ours.name] @ ours.k
        fixed = {n: v for n, v in ours.params.items() if n in ("p", "recall", "rel")}
        found = diagnose(
            asked.using(**fixed) if fixed else asked,
            as_run(given["run"]),
            given["qrels"],
            value=value,
            conventions=OURS,
            tolerance=10.0 ** -min(6, BUNDLES[name].digits),
        )
        if TOLD[name] not in {w.partition(":")[0] for c in found.candidates for w in c.libraries}:
            lost.append((metric, value, found.text[:300]))
    assert not lost, lost[:3]
