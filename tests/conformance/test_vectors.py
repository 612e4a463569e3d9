"""The vectors are right, say all that they rest on, and stay the same from run to run."""

import copy
import hashlib
import json
import math
import re
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

import pytest

from dev.tools.metric import TOLD_TOGETHER, told_by_nothing, without_vectors
from dev.tools.vectors.made import made
from dev.tools.vectors.oracles import rankings as oracles
from irmetrics_edu import evaluate, parse
from irmetrics_edu.conventions import (
    CollectionSize,
    Cut,
    Discount,
    Divisor,
    Duplicates,
    Gain,
    Ideal,
    Interpolation,
    MissingQueries,
    Negative,
    NoRelevant,
    Overlap,
    Paired,
    Pooled,
    PreferenceBound,
    Satisfaction,
    Scores,
    Ties,
    Undefined,
    Unjudged,
    Unretrieved,
)
from irmetrics_edu.diagnosis.conformance import VERSION, cases, export
from irmetrics_edu.errors import InputError
from irmetrics_edu.libraries import OURS
from irmetrics_edu.metrics.definition import METRICS, import_all
from irmetrics_edu.metrics.notation import GEOMETRIC_MEAN, MEAN, Measure
from irmetrics_edu.metrics.novelty_ideal import NoveltyIdeal
from irmetrics_edu.metrics.nugget_decay import Normalisation
from irmetrics_edu.rows.scored import SCORED

CASES = cases()
# What is beside the vectors and their schema; tests/conformance/test_meaning.py reads it.
BESIDE = ("meanings.json", "results.schema.json")
TYPES = {"object": dict, "array": list, "string": str, "null": type(None), "number": (int, float)}
OF_THE_RUN = ("missing_queries", "unjudged_queries", "no_relevant", "floor")


def of_type(value, name):
    """Whether a value is of a type as JSON schema names it."""
    if name == "integer":
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(value, TYPES[name])


def faults(value, schema, whole, path="$"):  # noqa: C901 -- a case per keyword
    """Where a value breaks a schema: as much of JSON schema as ours needs, and no more."""
    known = {"$schema", "$defs", "$ref", "title", "description", "type", "required", "properties",
             "additionalProperties", "items", "const", "enum", "pattern", "minimum", "minItems",
             "uniqueItems", "anyOf"}  # fmt: skip
    assert set(schema) <= known, f"{path}: this check does not know {set(schema) - known}"
    if "$ref" in schema:
        yield from faults(value, whole["$defs"][schema["$ref"].rpartition("/")[2]], whole, path)
        return
    if "anyOf" in schema:
        tried = [list(faults(value, choice, whole, path)) for choice in schema["anyOf"]]
        if all(tried):
            yield f"{path}: fits none of {len(tried)} forms, {tried}"
    if value not in schema.get("enum", [value]):
        yield f"{path}: {value!r}"
    types = schema.get("type", [])
    types = [types] if isinstance(types, str) else types
    if types and not any(of_type(value, t) for t in types):
        yield f"{path}: {value!r} is no {types}"
        return
    if "const" in schema and value != schema["const"]:
        yield f"{path}: {value!r}"
    if isinstance(value, str) and not re.search(schema.get("pattern", ""), value):
        yield f"{path}: {value!r} is not like {schema['pattern']}"
    if isinstance(value, int) and value < schema.get("minimum", -math.inf):
        yield f"{path}: {value} is too small"
    if isinstance(value, dict):
        yield from (f"{path}: no {n}" for n in schema.get("required", []) if n not in value)
        for name, item in value.items():
            inner = schema.get("properties", {}).get(name, schema.get("additionalProperties", {}))
            if inner is False:
                yield f"{path}: {name} is not known"
            else:
                yield from faults(item, inner, whole, f"{path}.{name}")
    if isinstance(value, list):
        if len(value) < schema.get("minItems", 0):
            yield f"{path}: too short"
        if schema.get("uniqueItems") and len(set(value)) < len(value):
            yield f"{path}: repeats itself"
        for i, item in enumerate(value):
            yield from faults(item, schema.get("items", {}), whole, f"{path}[{i}]")


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """The vectors as they are written."""
    folder = tmp_path_factory.mktemp("vectors")
    written = export(folder)
    texts = {p.name: p.read_text(encoding="utf-8") for p in written}
    return {n: t for n, t in texts.items() if n.endswith(".json") and n not in BESIDE}


def test_the_files_keep_to_the_schema(files):
    """Every file, checked against the schema that is written beside them."""
    schema = json.loads(files["schema.json"])
    for name, text in files.items():
        if name != "schema.json":
            assert list(faults(json.loads(text), schema, schema)) == []


@pytest.mark.parametrize(
    "spoil",
    [
        lambda d: d.pop("version"),
        lambda d: d.update(version="2.2"),
        lambda d: d.pop("conventions"),
        lambda d: d["cases"][0].pop("conventions"),
        lambda d: d["cases"][0].update(k=0),
        lambda d: d["cases"][0]["value"].update(decimal="0.5"),
        lambda d: d.update(more=1),
        lambda d: next(iter(d["inputs"].values())).pop("judgments"),
        lambda d: next(iter(d["inputs"].values())).update(scores={"d1": 1.0}),
        lambda d: d["cases"][0].update(aggregate="median"),
    ],
)
def test_the_schema_refuses_what_is_wrong(files, spoil):
    """The check can fail."""
    schema, data = json.loads(files["schema.json"]), copy.deepcopy(json.loads(files["nDCG.json"]))
    spoil(data)
    assert list(faults(data, schema, schema))


def test_the_files_are_small_and_the_same_every_time(files, tmp_path):
    """Small enough to vendor, with 13 kB a measure; a second export changes no byte."""
    measures = files.keys() - {"schema.json"}
    assert sum(map(len, files.values())) < 13_257 * len(measures)
    again = {p.name: p.read_text(encoding="utf-8") for p in export(tmp_path)}
    assert {n: again[n] for n in files} == files


def test_the_folder_is_a_release_of_its_own(tmp_path):
    """Licence, citation, both runners, and a checksum of each file, as sha256sum reads them."""
    export(tmp_path, flat=True)
    there = {p.relative_to(tmp_path).as_posix() for p in tmp_path.rglob("*") if p.is_file()}
    runners = {"runners/metrics.mjs", "runners/run.mjs", "runners/metrics.c"}
    assert {"README.md", "LICENSE", "CITATION.cff", "cases.tsv", *runners} < there
    lines = (tmp_path / "SHA256SUMS").read_text(encoding="utf-8").splitlines()
    sums = {name: sum_ for sum_, name in (line.split("  ") for line in lines)}
    assert {*sums, "SHA256SUMS"} == there
    for name, sum_ in sums.items():
        assert hashlib.sha256((tmp_path / name).read_bytes()).hexdigest() == sum_
    assert f'version: "{VERSION}"' in (tmp_path / "CITATION.cff").read_text(encoding="utf-8")
    assert "Attribution 4.0 International" in (tmp_path / "LICENSE").read_text(encoding="utf-8")


def test_the_stored_cases_are_those_that_are_made():
    """Reading what the generator wrote loses only digits that change no value."""
    for stored, case in zip(CASES, made(), strict=True):
        assert vars(replace(stored, value=case.value)) == vars(case)  # nan is itself in a dict
        assert stored.as_dict() == case.as_dict()
        assert type(stored.value) is type(case.value)
        assert repr(stored.number) == repr(case.number)  # which are alike for nan, too
        assert [*stored.conventions] == [*case.conventions]
        assert json.dumps(stored.given) == json.dumps(case.given)


def test_a_reader_needs_nothing_but_the_file(files):
    """Input, own id, 17 digits of a value."""
    seen = set()
    for name, text in files.items():
        data = json.loads(text)
        for case in data.get("cases", []):
            assert case["input"] in data["inputs"]
            assert case["id"] not in seen
            seen.add(case["id"])
            if "fraction" in case["value"]:
                exact = Fraction(case["value"]["fraction"])
                assert float(exact) == pytest.approx(float(case["value"]["decimal"]), rel=1e-16)
        assert name == "schema.json" or data["metric"] + ".json" == name
    assert len(seen) == len(CASES)


def test_a_case_says_every_convention(files):
    """What the metric takes, and what reading its input takes, stands in the case or the file."""
    for name, text in files.items():
        data = json.loads(text)
        if name == "schema.json":
            continue
        metric = parse(data["metric"])
        wanted = {*metric.defaults, *metric.inputs.options} - {"intents", "target", metric.cutoff}
        for case in data["cases"]:
            given_too = data["inputs"][case["input"]]
            missing = wanted - {*case["conventions"], *data["conventions"], *given_too}
            assert not missing - {"alpha"} if metric.name == "F" else not missing, case["id"]


def as_number(value):
    """A number that stands as text, so that it is exact; anything else as it is."""
    is_number = isinstance(value, str) and re.fullmatch(r"[\d.]+", value)
    return float(value) if is_number else value


def scored(case):
    """What our kernel gives for a case, under the names that the case uses."""
    options = {n: as_number(v) for n, v in case.conventions.items()}
    of_run = {n: options.pop(n) for n in OF_THE_RUN if case.aggregate and n in options}
    metric = parse(case.metric).using(**options)
    metric = metric if case.k is None else metric @ case.k
    if metric.inputs is SCORED:  # a list of grades, and the scores beside them
        return metric([case.judged[d] for d in case.ranking], list(case.ranking.values()))
    if "users" in case.given:
        beside = [[held[d] for d in case.ranking] for held in (case.judged, case.given["users"])]
        return metric(beside[0], list(case.ranking.values()), beside[1])
    if not case.aggregate:
        judged = [] if case.judged is None else [case.judged]
        return metric(case.ranking, *judged, **case.beside)
    how = GEOMETRIC_MEAN if case.aggregate == "geometric_mean" else MEAN
    measure = Measure(repr(metric), metric, how)
    return evaluate(case.ranking, case.judged, [measure], OURS.using(**of_run)).mean[measure.name]


@pytest.mark.parametrize("metric", sorted({c.metric for c in CASES}))
def test_the_kernels_agree_with_the_vectors(metric):
    """Two computations that share nothing: the plain loops, and ours under the same names."""
    for case in (c for c in CASES if c.metric == metric):
        wanted = pytest.approx(case.number, abs=1e-12, nan_ok=True)
        try:
            found = scored(case)
        except InputError:
            found = math.nan  # a refused input has no score
        assert found == wanted, case.id


def test_every_value_of_a_switch_has_a_case():
    """None is forgotten, less the order that one library's sort leaves: no vector asks for it."""
    seen = {(n, str(v)) for c in CASES for n, v in {**c.reading, **c.conventions}.items()}
    for kind, name in (
        (Ties, "ties"),
        (Scores, "scores"),
        (Unjudged, "unjudged"),
        (Negative, "negative"),
        (Pooled, "pool"),
        (Unretrieved, "unretrieved"),
        (Duplicates, "duplicates"),
        (MissingQueries, "missing_queries"),
        (NoRelevant, "no_relevant"),
        (Ideal, "ideal"),
        (Cut, "cut"),
        (Divisor, "divisor"),
        (Gain, "gain"),
        (Discount, "discount"),
        (NoveltyIdeal, "ideal"),
        (Normalisation, "normalisation"),
        (Overlap, "overlap"),
        (Satisfaction, "satisfaction"),
        (PreferenceBound, "bound"),
        (Interpolation, "interpolation"),
        (CollectionSize, "collection"),
        (Undefined, "undefined"),
        (Paired, "paired"),
    ):
        for value in kind.values.values():
            asked = value.name not in ("refuse", "quicksort")
            if (kind, value.name) == (Undefined, "skip"):
                continue  # it leaves a query out of a mean; of one list it is nan
            assert (name, value.name) in seen or not asked, f"{name}={value}"


def test_every_measure_has_vectors():
    """A measure that is registered and has no vector is named; the check can fail."""
    import_all()
    ours = {n: m for n, m in METRICS.items() if m.__module__.startswith("irmetrics_edu.")}
    assert without_vectors(ours, {c.metric for c in CASES}) == []
    assert without_vectors(ours, {c.metric for c in CASES} - {"Q"}) == ["Q"]


def test_ties_tell_every_rule_apart():
    """No two rules give the same values for both inputs, whatever the measure."""
    tied = [c for c in CASES if c.topic == "ties"]
    for metric, k in {(c.metric, c.k) for c in tied}:
        values: dict[str, list[float]] = {}
        for case in tied:
            if (case.metric, case.k) == (metric, k):
                values.setdefault(case.conventions["ties"], []).append(case.number)
        assert len(values) == 7
        assert len(set(map(tuple, values.values()))) == 7


def test_printed_values_of_documents_are_among_them():
    """What a document prints is the value of its case, to the digits printed."""
    printed = [c for c in CASES if c.printed]
    assert {c.printed for c in printed} >= {"7.762", "6.393", "0.983", "0.83", "0.45"}
    for case in printed:
        half = Decimal(10) ** -len(case.printed.partition(".")[2]) / 2
        assert abs(Decimal(case.number) - Decimal(case.printed)) <= half, case.id
        assert case.why.startswith("printed in document")


def test_logarithms_have_seventeen_digits():
    """1 + 1/log2(3) to forty digits is 1 + ln 2 / ln 3 = 1.6309297535714574371..."""
    found = oracles.dcg([1, 1], ())
    assert str(found).startswith("1.630929753571457437099527114342760854")


def test_a_convention_that_is_turned_changes_a_value():
    """Else a program that ignores it would pass; the check can fail."""
    assert told_by_nothing(CASES) == set(TOLD_TOGETHER)
    uncut = [c for c in CASES if c.metric == "Hole" and c.k is None]
    assert told_by_nothing(uncut) == {("Hole", "divisor", "k")}
