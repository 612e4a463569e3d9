"""What each library gave for nine small inputs, against what its bundle gives."""

import json
import math
from collections import Counter, defaultdict
from contextlib import suppress

import pytest

from dev.tools.conventions_page import page
from irmetrics_edu import evaluate
from irmetrics_edu.errors import InputError
from irmetrics_edu.libraries import BUNDLES
from irmetrics_edu.libraries.table import HEADER, columns
from irmetrics_edu.rows.aligned_ranking import RANKED
from tests.conftest import MEASURED
from tests.libraries.real import record as real
from tests.libraries.replay import (
    FILES,
    agree,
    counts_of,
    is_lacking,
    kept_counts,
    number,
    quirks_of,
    recorded,
)

DATA = json.loads(MEASURED.read_text(encoding="utf-8"))
OF_MANY = (" per query", " per user", " aggregated", " mean, make_comparable=True")
MEANS = (" aggregated", " mean, make_comparable=True")
SERIES = {"RecBole": "{name}@{k}", "Evidently": "NDCG@{k}"}  # a value for each cut-off
# These take lists of documents; a run with scores they never see.
OF_LISTS = {"RecBole", "RecTools", "Cornac", "rankerEval", "recmetrics"}

# trec_eval's binding without -c is what was measured under the package's name.
BY_PACKAGE = {b.package: b for name, b in BUNDLES.items() if b.package and name != "trec_eval"}
BY_PACKAGE["ir-measures[traps]"] = BY_PACKAGE["ir-measures[gdeval]"]


def number_of(query):
    """A query by its number: gdeval was given 1 for q1."""
    return str(query).removeprefix("q")


def evaluated(metric, by, probe):
    """Our evaluation of a probe under conventions, given as the library was given it."""
    given = DATA["inputs"][probe]
    run = {query: dict(map(tuple, ranked)) for query, ranked in given["run"].items()}
    if by.name in OF_LISTS and metric.inputs is RANKED:
        run = {query: list(ranked) for query, ranked in run.items()}
    return evaluate(run, given["qrels"], metric, by)


def reproduces(bundle, name, probe, value):
    """Whether the bundle gives the value, or refuses the input where the library does."""
    suffix = next((s for s in OF_MANY if name.endswith(s)), "")
    metric, by = bundle.measure(name.removesuffix(suffix))
    try:
        e = evaluated(metric, by, probe)
        scores = next(iter(e.per_query.values()))
    except InputError:
        return isinstance(value, str) and "rror" in value
    if isinstance(value, dict):
        return list(map(number_of, scores)) == list(map(number_of, value)) and all(
            agree(a, number(b), bundle.digits)
            for a, b in zip(scores.values(), value.values(), strict=True)
        )
    if isinstance(value, list):
        return all(
            agree(a, number(b), bundle.digits) for a, b in zip(scores.values(), value, strict=True)
        )
    expected = number(value)
    if isinstance(expected, str):
        return False
    if math.isnan(expected):
        return all(math.isnan(score) for score in scores.values())
    if suffix and suffix not in MEANS:
        return False
    try:
        mean = next(iter(e.mean.values()))
    except InputError:
        return False
    return agree(mean, expected, bundle.digits)


def row_is_reproduced(bundle, name, probe, value):
    """The same for a row, which may hold a value for each of several cut-offs."""
    if bundle.name in SERIES and isinstance(value, dict):
        names = {k: SERIES[bundle.name].format(name=name, k=k) for k in value}
        return all(reproduces(bundle, names[k], probe, v) for k, v in value.items())
    try:
        return reproduces(bundle, name, probe, value)
    except InputError:  # a metric that the bundle does not have
        return False


def classes():
    """Every row with what it is: reproduced, a metric that is not ours, a quirk, or wrong."""
    for library, _version, _method, name, probe, value in DATA["rows"]:
        bundle = BY_PACKAGE.get(library)
        bare = name
        for suffix in OF_MANY:
            bare = bare.removesuffix(suffix)
        if bundle is None:
            kind = "no bundle"
        elif is_lacking(bundle, bare):
            kind = "metric not ours"
        elif row_is_reproduced(bundle, name, probe, value):
            kind = "reproduced"
        elif any(quirks_of(bundle, name, probe)):
            kind = "quirk"
        else:
            kind = "wrong"
        yield kind, library, name, probe, value


def stem_of(package):
    """The bundle that a package's values are held against, by the name of its file."""
    name = BY_PACKAGE[package].name
    return next(stem for stem, bundle in BUNDLES.items() if bundle.name == name)


def by_library(classified):
    """Kinds and values by the library; several packages may be one."""
    found = defaultdict(list)
    for kind, package, _, _, value in classified:
        found[stem_of(package)].append((kind, value))
    return found


@pytest.fixture(scope="module")
def rows():
    """All rows, classified once."""
    return list(classes())


@pytest.mark.slow
def test_every_measured_value_is_reproduced_or_accounted_for(rows):
    """No row is wrong or left out; the counts are stated so that none changes class unseen."""
    assert [row for row in rows if row[0] in ("wrong", "no bundle")] == []
    assert Counter(row[0] for row in rows) == {
        "reproduced": 2306,
        "metric not ours": 161,
        "quirk": 147,
    }


@pytest.mark.slow
def test_the_page_counts_the_values_of_each_library(rows):
    """None of a library becomes a quirk unseen."""
    for name, found in by_library(rows).items():
        assert counts_of(found) == kept_counts("nine inputs", name), name


def test_versions_are_those_that_were_measured():
    """A bundle states the version that its values come from."""
    for library, version, *_ in DATA["rows"]:
        assert BY_PACKAGE[library].version == version


def test_cases_of_quirks_were_measured(rows):
    """A quirk that cites a case cites a row of the file, with its value, that is no convention."""
    known = {(row[1], row[2], row[3]): row for row in rows}
    here = {(file["package"], *row[:2]) for file in map(recorded, FILES) for row in file["rows"]}
    cited = 0
    for bundle in {b.name: b for b in BY_PACKAGE.values()}.values():
        package = bundle.package
        for quirk in bundle.quirks:
            if quirk.case is None:
                continue
            metric, probe, value = quirk.case.values()
            if (package, metric, probe) in here:  # a test of the recorded values has it
                continue
            kind, *_, measured = known[package, metric, probe]
            assert kind == "quirk", (package, metric, probe)
            if isinstance(value, float):
                assert measured == pytest.approx(value, abs=1e-7)
            elif isinstance(value, dict):
                assert measured == pytest.approx(value)
            else:
                assert str(measured).startswith(value)
            cited += 1
    assert cited > 10


@pytest.mark.parametrize("wrong", ["ties", "scores", "negative", "pool"])
def test_another_convention_does_not_reproduce(wrong):
    """The check can fail: with one convention exchanged some measured values come out otherwise."""
    other = {"ties": "reversed", "scores": "order", "negative": "keep", "pool": "retrieved"}[wrong]
    bundle = BUNDLES["pytrec_eval"].using(**{wrong: other})
    got = [
        row_is_reproduced(bundle, name, probe, value)
        for library, _, _, name, probe, value in DATA["rows"]
        if library == bundle.package and not is_lacking(bundle, name)
    ]
    right = [
        row_is_reproduced(BUNDLES["pytrec_eval"], name, probe, value)
        for library, _, _, name, probe, value in DATA["rows"]
        if library == bundle.package and not is_lacking(bundle, name)
    ]
    assert sum(got) < sum(right)


def measures_compared():
    """For each library with recorded values, our measures that its values were compared with."""
    named = [(library, name) for library, _version, _how, name, *_ in DATA["rows"]]
    for file in map(recorded, FILES):
        named += [(file["package"], row[0]) for row in file["rows"]]
    for file in map(real.recorded, real.names()):
        named += [(file["package"], row[0]) for row in file["rows"]]
    compared = {}
    for package, name in named:
        bundle = BY_PACKAGE[package]
        found = compared.setdefault(bundle.name, set())
        bare = name
        for suffix in OF_MANY:
            bare = bare.removesuffix(suffix)
        if is_lacking(bundle, bare):
            continue
        series = SERIES.get(bundle.name, "{name}").format(name=bare, k=1)
        for written in (bare, series):
            with suppress(InputError):  # a metric that the bundle does not have
                found.add(bundle.measure(written)[0].name)
    return compared


def test_an_empty_cell_of_the_table_is_a_metric_without_a_compared_value():
    """And where a cell of a library that was measured says something, a value was compared."""
    compared = measures_compared()
    table = columns(BUNDLES.values())
    measures = [heading for heading in HEADER if heading in ("nDCG", "AP", "P", "R", "ERR")]
    assert len(measures) == 5
    apart = set()
    for i, library in enumerate(table["library"]):
        if library not in compared:
            apart.add(library)
            continue
        filled = {measure for measure in measures if table[measure][i]}
        assert filled == compared[library].intersection(measures), library
    of_sources = {b.name for b in BUNDLES.values() if b.known == "read"}
    assert apart == {*of_sources, "trec_eval", "trec_eval_10"}  # what a program printed
    assert "for it, or if the library lacks the metric" in " ".join(page().split())
