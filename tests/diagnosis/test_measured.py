"""What libraries were measured to give is traced back to these libraries."""

import pytest

from irmetrics_edu import METRICS, diagnose
from irmetrics_edu.diagnosis.candidates import explain_value
from irmetrics_edu.diagnosis.printed import Target
from irmetrics_edu.diagnosis.search import Search
from irmetrics_edu.libraries import BUNDLES, OURS
from irmetrics_edu.metrics.notation import measure
from irmetrics_edu.rows.aligned_ranking import RANKED

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


def rows():
    """Every measured row that its bundle reproduces, of measures of rankings."""
    from tests.libraries import test_measured as file

    for kind, library, name, probe, value in file.classes():
        bundle = file.BY_PACKAGE[library]
        suffix = next((s for s in file.OF_MANY if name.endswith(s)), "")
        bare = name.removesuffix(suffix)
        named = {bare: value}
        if bundle.name in file.SERIES and isinstance(value, dict):
            named = {file.SERIES[bundle.name].format(name=name, k=k): v for k, v in value.items()}
        for label, one in named.items():
            if kind != "reproduced" or (isinstance(one, str) and one not in ("nan", "inf")):
                continue
            metric, _ = bundle.measure(label)
            if metric.inputs is not RANKED or metric.name == "fall-out":  # needs a size
                continue
            given = file.DATA["inputs"][probe]
            listed = bundle.name in file.OF_LISTS
            yield bundle, label, metric, probe, given, listed, numbers(one, given, file.number)


def numbers(value, given, number):
    """A measured value as a number, or as one for each query by the name it has in the input."""
    if isinstance(value, dict):
        judged = {q.removeprefix("q"): q for q in given["qrels"]}
        return {judged[q.removeprefix("q")]: number(v) for q, v in value.items()}
    if isinstance(value, list):
        return dict(zip(given["qrels"], map(number, value), strict=True))
    return number(value)


def written(value, digits):
    """A value as somebody prints it."""
    if isinstance(value, dict):
        return {q: written(v, digits) for q, v in value.items()}
    return value if digits is None else f"{value:.{digits}f}"


FIXED = ("p", "recall", "rel")  # what whoever asks knows


def asked_for(metric):
    """What was asked of a library: the measure, its cut-off and its numbers."""
    return metric.name, metric.k, *(str(metric.params.get(name)) for name in FIXED)


def true_of(claim, metric, truth, key):
    """Whether a library gives what it is named for; None where that was not measured."""
    library, _, label = claim.partition(": ")
    values = [
        value
        for other, value in truth.get((folded(library), *asked_for(metric), *key), [])
        if not label or other == label
    ]
    return values or None


def traced(nth):
    """Each row at three digits, one of four also at full digits and at four: what is named for it.

    Few digits are the hardest. Of the measures over an input every nth is searched.
    """
    found, searches, truth, known = [], {}, {}, {}
    every = list(rows())
    for bundle, label, metric, probe, _, listed, value in every:
        key = (folded(bundle.name), *asked_for(metric), probe, listed)
        truth.setdefault(key, []).append((label, value))
    for number, (bundle, _, metric, probe, given, listed, value) in enumerate(every):
        bare = METRICS[metric.name] if metric.k is None else METRICS[metric.name] @ metric.k
        fixed = {n: v for n, v in metric.params.items() if n in FIXED}
        asked = bare.using(**fixed) if fixed else bare
        if (key := (str(asked), probe, listed)) not in searches:
            run = {q: dict(map(tuple, ranked)) for q, ranked in given["run"].items()}
            run = {q: list(ranked) for q, ranked in run.items()} if listed else run
            asks = measure(asked), run, given["qrels"], OURS, {}
            searches[key] = None if (len(searches) + 1) % nth else Search(*asks)
        if searches[key] is None:
            continue
        for digits in (None, 4, 3) if number % 4 == 0 else (3,):
            if digits is not None and digits > bundle.digits:
                continue
            tolerance = 10.0**-bundle.digits if digits is None and bundle.digits < 10 else None
            target = Target.of(written(value, digits), tolerance)
            if (one := (key, str(target))) not in known:  # many libraries give one value
                known[one] = explain_value(searches[key], target)
            found.append((bundle, asked, probe, listed, digits, value, target, known[one]))
    return found, truth


@pytest.mark.slow
@pytest.mark.parametrize(
    "nth",
    [
        pytest.param(30, marks=pytest.mark.suite("guide")),
        pytest.param(1, marks=pytest.mark.suite("learners")),
    ],
)
def test_libraries_are_named_for_what_they_give_and_for_nothing_else(nth):
    """Of each library's values 98 in 100 are named; of 1,000 names that were measured 1 is false.

    Every value that was measured, ties and empty queries included, at full digits, four and three.
    """
    found, truth = traced(nth)
    named: dict[tuple[str, int | None], list[bool]] = {}
    checked, false = 0, []
    for bundle, asked, probe, listed, digits, value, target, diagnosis in found:
        ok = folded(bundle.name) in libraries_of(diagnosis)
        named.setdefault((bundle.name, digits), []).append(ok)
        for claim in sorted({who for c in diagnosis.candidates for who in c.libraries}):
            values = true_of(claim, asked, truth, (probe, listed))
            if values is None or not all(isinstance(v, type(value)) for v in values):
                continue
            checked += 1
            if not any(fits(target, v) for v in values):
                false.append((claim, str(asked), probe, digits, value, values))
    for digits in (None, 4, 3):
        shares = {name: ok for (name, at), ok in named.items() if at == digits}
        assert sum(map(len, shares.values())) > 400 / nth
        low = {name: ok.count(False) for name, ok in shares.items() if sum(ok) < 0.98 * len(ok)}
        assert {name: n for name, n in low.items() if n > 1} == {}  # of twenty values one is 5 %
        assert sum(map(sum, shares.values())) >= 0.98 * sum(map(len, shares.values()))
    assert checked > 5000 / nth
    assert len(false) <= checked / 1000, (checked, len(false), false[:10])


def fits(target, value):
    """Whether what a library gave is the number in question, within the digits that it prints."""
    if isinstance(value, dict):
        return all(q in value and near(p, value[q]) for q, p in target.per_query.items())
    return near(target.mean, value)


def near(printed, value):
    """One number beside another, of which each may be printed with few digits."""
    return printed.fits(value) or abs(printed.value - value) <= printed.tolerance + 0.00005
