"""What libraries were measured to give is traced back to these libraries."""

import json

import pytest

from irmetrics_edu import METRICS, evaluate
from irmetrics_edu.diagnosis import diagnose
from irmetrics_edu.errors import InputError
from irmetrics_edu.libraries import BUNDLES, OURS

GRADES, MISSED = [3, 2, 3, 0, 1, 2], [3, 2]
# One ranking, six values of nDCG@10, and by what arguments each is had.
SIX = {
    "0.7562": [{}],
    "0.7377": [{"gain": "exp"}],
    "0.9608": [{"ideal": "retrieved"}, {"pool": "retrieved"}],
    "0.9488": [{"gain": "exp", "ideal": "retrieved"}, {"gain": "exp", "pool": "retrieved"}],
    "0.7900": [{"gain": "binary"}],
    "0.6325": [{"gain": "binary", "ideal": "k_ones"}],
}
# Libraries that were measured to give them, of those that have bundles.
LIBRARIES = {
    "0.7562": {"trec_eval", "ranx", "rankerEval"},
    "0.7377": {"gdeval"},
    "0.9608": {"scikit-learn", "CatBoost", "Evidently"},
    "0.9488": {"LightGBM", "XGBoost", "allRank"},
    "0.7900": {"Cornac", "RecBole", "RePlay"},
    "0.6325": {"RecTools"},
}


def folded(name):
    """A library's name without what differs from one list to another."""
    return name.casefold().replace("-", "").replace("_", "").replace(" ", "")


def libraries_of(found):
    """The libraries named, whatever they call the measure."""
    return {folded(who.partition(":")[0]) for c in found.candidates for who in c.libraries}


@pytest.mark.parametrize("value", SIX)
def test_six_values_of_one_ranking(value):
    """Each is named by its arguments, and the libraries that have a bundle by their names."""
    found = diagnose("nDCG@10", GRADES, value=value, unretrieved=MISSED)
    arguments = [{n: str(v) for n, v in c.arguments.items()} for c in found.candidates]
    assert any(expected in arguments for expected in SIX[value])
    bundled = {folded(b.name) for b in BUNDLES.values()}
    expected = {folded(name) for name in LIBRARIES[value]} & bundled
    assert expected <= libraries_of(found), found.text


def measured(shared):
    """Rows of the measurements that a bundle speaks about, of measures of one ranking."""
    data = json.loads((shared / "conventions-measured.json").read_text(encoding="utf-8"))
    for library, version, method, name, probe, value in data["rows"]:
        if method != "run" or probe not in ("g523", "wiki6", "short"):
            continue
        if not isinstance(value, (int, float)):
            continue
        for bundle in BUNDLES.values():
            if bundle.package != library or bundle.version not in ("", version):
                continue
            try:
                metric, by = bundle.measure(name)
                run = {q: dict(pairs) for q, pairs in data["inputs"][probe]["run"].items()}
                given = evaluate(run, data["inputs"][probe]["qrels"], [metric], by)
            except InputError:
                continue
            # That bundles reproduce what was measured is a test of theirs.
            same = abs(given.mean[repr(metric)] - value) <= 10.0**-bundle.digits
            if same and not any(bundle.quirks_of(name, probe)):
                yield bundle, metric, data["inputs"][probe], value


@pytest.mark.slow
def test_measured_values_are_diagnosed_back_to_their_library(shared):
    """Every value measured on the inputs of one query without ties, for every bundle."""
    seen, wrong = 0, []
    for bundle, metric, probe, value in measured(shared):
        bare = METRICS[metric.name] if metric.k is None else METRICS[metric.name] @ metric.k
        fixed = {n: v for n, v in metric.params.items() if n in ("p", "recall", "rel")}
        run = {q: dict(pairs) for q, pairs in probe["run"].items()}
        try:
            found = diagnose(
                bare.using(**fixed) if fixed else bare,
                run,
                probe["qrels"],
                value=value,
                conventions=OURS,
                tolerance=10.0**-bundle.digits,
            )
        except InputError:
            continue  # a measure that is not of rankings
        seen += 1
        if folded(bundle.name) not in libraries_of(found):
            wrong.append(f"{bundle.name} {metric} {value}: {found.text[:200]}")
    assert seen > 50
    assert not wrong, "\n".join(wrong[:10])
