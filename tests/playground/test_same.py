"""The page computes, explains and prints what the package does: drawn inputs, in a browser."""

import json
import math
import random
from collections.abc import Callable
from typing import Any

import pytest

from dev.tools.playground.data import MEASURES, data
from dev.tools.playground.page import PURE, script
from irmetrics_edu import diagnose, evaluate, explain
from irmetrics_edu.conventions import Convention
from irmetrics_edu.diagnosis.conformance.vectors import cases
from irmetrics_edu.diagnosis.mistakes.mistake import mistakes_of
from irmetrics_edu.diagnosis.printed import Printed
from irmetrics_edu.errors import InputError
from irmetrics_edu.libraries import BUNDLES
from irmetrics_edu.metrics.definition import METRICS, import_all
from irmetrics_edu.views.formatting import number
from tests.playground.drawn import Drawn, draw, same

pytestmark = pytest.mark.slow
Ask = Callable[..., Any]

VALUES = """cases.map(({ metric, given, k }) => {
  const base = modules.settings.defaultsOf(data.measures[metric]);
  const { options } = data.measures[metric];
  return options.flatMap((o) => [...o.values, ...o.more, o.default].map((v) => {
    const { score } = modules.explain.scored(metric, given, k, { ...base, [o.name]: v });
    return [o.name, v, score === undefined ? null : score];
  }));
})"""
MISTAKES = """cases.map(({ metric, given, k }) => {
  const base = modules.settings.defaultsOf(data.measures[metric]);
  const right = modules.explain.worked(metric, given, k, base);
  if (right.refused) return [];
  return data.measures[metric].mistakes.map((m) => {
    try {
      const { mistaken } = modules.mistakes;
      return [m.label, mistaken(m, metric, given, k, base, base, right.each)];
    } catch {
      return [m.label, null];
    }
  });
})"""
EXPLAINED = """cases.map(({ metric, given, k, value, more }) => {
  const base = { ...modules.settings.defaultsOf(data.measures[metric]), ...more };
  const target = modules.printed.printed(value);
  const found = modules.explain.explained(data, metric, given, k, base, target);
  return {
    candidates: found.candidates.map((c) => [c.changes, c.libraries.map((one) => one.label)]),
    mistakes: found.mistakes.map((one) => one.mistake.label),
    nearest: found.nearest.map((one) => one.score),
    twice: found.twice,
  };
})"""
LIBRARIES = """cases.map(({ metric, given, k }) => {
  const base = modules.settings.defaultsOf(data.measures[metric]);
  const groups = modules.explain.valuesOfLibraries(data, metric, given, k, base);
  return groups.flatMap((g) => g.names.map((one) => [one.library.name, one.name, g.score ?? null]));
})"""
STEPS = """cases.map(({ metric, given, k }) => {
  const base = modules.settings.defaultsOf(data.measures[metric]);
  const found = modules.explain.worked(metric, given, k, base);
  if (found.refused || !found.each[0].seen) return null;
  const { seen } = found.each[0];
  const shown = Object.entries({ ...seen, columns: seen.columns }.parts);
  const columns = (part) => Object.fromEntries(
    Object.entries(part.columns).map(([name, values]) => [name, modules.say.column(values)]));
  return {
    equation: modules.say.equation(metric, k, seen, found.score),
    notes: modules.say.notesOf(seen),
    parts: [seen, ...shown.map(([, part]) => part)].map(columns),
  };
})"""


# Numbers that a reader chose: explanations start from them.
NUMBERS = {"RBP": {"p": 0.5}, "AP": {"rel": 2}, "ERR": {"max_grade": 3}, "Q": {"beta": 2},
           "alpha-nDCG": {"alpha": 0.25}, "P": {"rel": 2}, "bpref": {"rel": 2}}  # fmt: skip


def wrong_values(drawn: list[Drawn], found: Any) -> list[str]:
    """Where the values of the page are not those of the package."""
    wrong = []
    for one, values in zip(drawn, found, strict=True):
        for name, value, theirs in values:
            try:
                option = -math.inf if value == "-inf" else value
                ours = float(one.metric.using(**{name: option})(*one.inputs))
            except InputError:
                ours = None
            if not same(theirs, ours):
                wrong.append(f"{one} {name}={value}: {theirs}, not {ours}")
    return wrong


def test_every_convention_gives_the_value_of_the_package(ask: Ask) -> None:
    """All values of all options of all measures, one at a time."""
    drawn = draw(110, seed=1)
    found = ask(VALUES, cases=[one.as_dict() for one in drawn])
    assert wrong_values(drawn, found) == []
    assert sum(map(len, found)) > 2000


SCORED = """cases.map(({ metric, given, k, said }) => {
  const all = { ...modules.settings.defaultsOf(data.measures[metric]), ...said };
  const { score } = modules.explain.scored(metric, given, k, all);
  return score ?? null;
})"""


def _drawn_settings(seed: int, count: int) -> list[dict[str, Any]]:
    """Inputs with grades below 0 and between whole ones, some without judgments; any options."""
    rng, measures = random.Random(seed), data()["measures"]
    found = []
    for i in range(count):
        name = MEASURES[i % len(MEASURES)]
        measure = measures[name]
        ids = [f"d{j}" for j in range(rng.randint(1, 5))]
        share = rng.choice([0.1, 0.8])
        judged = [d for d in [*ids, "x1", "x2"] if rng.random() < share]
        grades = rng.choice([[0, 1, 2, 3], [0, 0.5, 1, 1.5], [-1, 0, 1, 2], [0.3, 0.7, 2.25, 12]])
        given: dict[str, Any] = {"ranking": ids}
        if rng.random() < 0.4:
            scores = sorted((rng.randint(1, 3) for _ in ids), reverse=True)
            given = {"scores": dict(zip(ids, scores, strict=True))}
        if measure["nuggets"]:
            given["nuggets"] = {d: rng.choice([[], ["A"], ["A", "B"]]) for d in judged}
        else:
            given["judgments"] = {d: rng.choice(grades) for d in judged}
        said: dict[str, Any] = {}
        numbers = {"rel": [1, 2, 0.5], "max_grade": [1, 3, "highest"]}
        for option in measure["options"]:
            values = [v for v in (*option["values"], *option["more"]) if v != "skip"]
            values = values or numbers.get(option["name"], [])
            if option["shown"] and values and rng.random() < 0.25:
                said[option["name"]] = rng.choice(values)
        k = rng.choice([None, 1, 2, 3, 7]) if measure["cutoff"] else None
        found.append({"metric": name, "given": given, "k": k, "said": said})
    return found


def test_what_the_package_refuses_the_page_refuses(ask: Ask) -> None:
    """And the other way round: of several options together, both have a score or neither."""
    import_all()
    asked = _drawn_settings(seed=21, count=1100)
    refused, wrong = 0, []
    for case, theirs in zip(asked, ask(SCORED, cases=asked), strict=True):
        one = Drawn(case["metric"], case["given"], case["k"])
        said = {n: -math.inf if v == "-inf" else v for n, v in case["said"].items()}
        given = case["given"]
        nuggets = {d: set(held) for d, held in given.get("nuggets", {}).items()}
        beside = nuggets if "nuggets" in given else given["judgments"]
        try:
            ours = float(one.metric.using(**said)(given.get("scores") or given["ranking"], beside))
        except InputError:
            ours = None
        refused += ours is None
        if not same(theirs, ours):
            wrong.append(f"{case}: {theirs}, not {ours}")
    assert wrong == []
    assert 100 < refused < 800


def test_nan_is_explained_as_diagnose_does(ask: Ask) -> None:
    """Of each measure that has a value for nothing relevant: the same conventions and libraries."""
    found = 0
    for name in MEASURES:
        given: dict[str, Any] = {"ranking": ["d0", "d1", "d2"]}
        if name == "alpha-nDCG":
            given["nuggets"] = {"d0": [], "d1": [], "d2": []}
        else:
            given["judgments"] = {"d0": 0, "d1": 0, "d2": 0}
        one = Drawn(name, given, None)
        (theirs,) = ask(EXPLAINED, cases=[{**one.as_dict(), "value": "nan"}])
        ours = diagnose(one.metric, *one.inputs, value="nan")
        candidates = [
            [{n: _plain(v) for n, v in c.arguments.items()}, list(c.libraries)]
            for c in ours.candidates
        ]
        assert theirs["candidates"] == candidates, name
        found += bool(candidates)
    assert found >= 8


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("exp: (x) => 2 ** x - 1", "exp: (x) => 2 ** x - 0.999"),
        ("1 / Math.log2(i + 1)", "1 / Math.log2(i + 1.0001)"),
        ("retrieved: (c) => falling(c.rated.", "retrieved: (c) => (c.rated."),
    ],
)
def test_a_planted_error_is_found(ask: Ask, right: str, wrong: str) -> None:
    """The comparison can fail: a gain, a discount and an ideal that are not quite right."""
    code = script(PURE)
    assert right in code
    drawn = draw(55, seed=1)
    given = [one.as_dict() for one in drawn]
    assert wrong_values(drawn, ask(VALUES, code=code.replace(right, wrong), cases=given))


OF_SEVERAL_QUERIES = {"ratio-of-means", "mean-over-queries-with-a-hit", "median-for-the-mean"}
# The page has no scores, and so no two documents of one score.
OF_SCORES = {"auc-turned-round", "auc-ties-lost", "auc-ties-won", "pr-auc-by-trapezoids"}


def test_mistakes_give_the_values_of_the_catalogue(ask: Ask) -> None:
    """Each mistake that the page knows, and it knows nearly all that one query can show."""
    drawn = draw(110, seed=2)
    wrong = []
    for one, values in zip(drawn, ask(MISTAKES, cases=[d.as_dict() for d in drawn]), strict=True):
        metric = one.metric
        for label, theirs in values:
            (mistake,) = (m for m in mistakes_of(metric) if m.label == label)
            try:
                ours = float(mistake.instead_of(metric)(*one.inputs))
            except InputError:
                ours = None
            if not same(theirs, ours):
                wrong.append(f"{one} {label}: {theirs}, not {ours}")
    assert wrong == []
    for name, measure in data()["measures"].items():
        known = {m["label"] for m in measure["mistakes"]}
        lacking = {m.label for m in mistakes_of(METRICS[name])} - known
        assert lacking <= OF_SEVERAL_QUERIES | OF_SCORES


@pytest.mark.parametrize("seed", [3, 34])
def test_a_number_is_explained_as_diagnose_does(ask: Ask, seed: int) -> None:
    """The same conventions, libraries and mistakes in the same order, and the same nearest."""
    rng, measures = random.Random(seed), data()["measures"]
    drawn = draw(22, seed=seed)
    values = ask(VALUES, cases=[one.as_dict() for one in drawn])
    numbers = []
    for i, found in enumerate(values):
        ours = found[-1][2]  # of the last option's default: what departs from it says more
        others = [v for _, _, v in found if _is_number(v) and v != ours]
        numbers.append(f"{rng.choice(others or [0.5]):.{2 + i % 3}f}")
    numbers[::8] = ["0.1234"] * len(numbers[::8])  # which nothing gives
    numbers[1::4] = ["1.0"] * len(numbers[1::4])  # exactly, and by rounding
    asked = [{**one.as_dict(), "value": v} for one, v in zip(drawn, numbers, strict=True)]
    for one in asked[::2]:
        one["more"] = NUMBERS.get(one["metric"], {})
    some = 0
    for one, how, theirs in zip(drawn, asked, ask(EXPLAINED, cases=asked), strict=True):
        value = how["value"]
        ours = diagnose(one.metric.using(**how.get("more", {})), *one.inputs, value=value)
        candidates = [
            [{n: _plain(v) for n, v in c.arguments.items()}, list(c.libraries)]
            for c in ours.candidates
        ]
        known = {m["label"] for m in measures[one.name]["mistakes"]}
        mistakes = [f.mistake.label for f in ours.mistakes if f.mistake.label in known]
        assert theirs["candidates"] == candidates, (one, value)
        assert theirs["mistakes"] == mistakes, (one, value)
        assert theirs["twice"] == ours.rounded_twice
        nearest = [score for _, score, _ in ours.nearest if math.isfinite(score)]
        assert theirs["nearest"] == pytest.approx(nearest, abs=1e-9)
        some += len(candidates) > 1
    assert some > 3


def test_libraries_give_what_their_bundles_give(ask: Ask) -> None:
    """Each name of each library under its bundle, by `evaluate`."""
    drawn = [one for one in draw(44, seed=4) if "nuggets" not in one.given][:24]
    wrong, compared = [], 0
    for one, values in zip(drawn, ask(LIBRARIES, cases=[d.as_dict() for d in drawn]), strict=True):
        ranking, judgments = one.inputs
        bundles = {b.name: b for b in BUNDLES.values()}
        for library, name, theirs in values:
            metric, by = bundles[library].measure(name)
            try:
                found = evaluate({"q": ranking}, {"q": judgments}, [metric], conventions=by)
                ours = float(next(iter(found.scores.values()))[0])
            except InputError:
                ours = None
            compared += 1
            if not same(theirs, ours):
                wrong.append(f"{one} {library} {name}: {theirs}, not {ours}")
    assert wrong == []
    assert compared > 300


MEANS = """cases.map(({ metric, given, k, value }) => {
  const base = modules.settings.defaultsOf(data.measures[metric]);
  const { score } = modules.explain.scored(metric, given, k, base);
  if (score === undefined) return null;
  const target = modules.printed.printed(modules.say.number(score, 6));
  const found = modules.explain.explained(data, metric, given, k, base, target);
  return [score, found.candidates.some((c) => Object.keys(c.changes).length === 0)];
})"""


def test_several_queries_have_the_mean_of_the_package(ask: Ask) -> None:
    """The mean over two or three queries, of each measure, and our defaults explain it."""
    by_measure: dict[str, list[Drawn]] = {}
    for one in draw(121, seed=13):
        by_measure.setdefault(one.name, []).append(one)
    groups = [own[i : i + 2 + i % 2] for own in by_measure.values() for i in (0, 3, 6)]
    cases = [
        {"metric": own[0].name, "k": own[0].k, "given": {"queries": [one.given for one in own]}}
        for own in groups
    ]
    means = 0
    for own, found in zip(groups, ask(MEANS, cases=cases), strict=True):
        metric = Drawn(own[0].name, {}, own[0].k).metric
        try:
            scores = [float(metric(*one.inputs)) for one in own]
        except InputError:
            assert found is None
            continue
        assert found == [pytest.approx(sum(scores) / len(scores)), True]
        means += 1
    assert means > 15


AREAS = """cases.map(({ given }) => {
  const base = modules.settings.defaultsOf(data.measures["PR-AUC"]);
  const { score, each } = modules.explain.worked("PR-AUC", given, null, base);
  return [score, Object.values(each?.[0].seen?.columns ?? {})];
})"""


def test_the_area_under_the_curve_is_that_of_the_package(ask: Ask) -> None:
    """With ties and without, the value and each column; scikit-learn's "AP" is this area."""
    drawn = [one for one in draw(88, seed=12) if "judgments" in one.given]
    some = 0
    for one, (score, columns) in zip(
        drawn, ask(AREAS, cases=[d.as_dict() for d in drawn]), strict=True
    ):
        ranking, judgments = one.inputs
        grades = [judgments.get(d, 0) for d in ranking]
        scores = list(ranking.values()) if isinstance(ranking, dict) else None
        try:
            ours = METRICS["PR-AUC"].working(grades, scores)
        except InputError:
            assert score is None
            continue
        assert same(score, float(METRICS["PR-AUC"](grades, scores)))
        for column, values in zip(columns, ours.columns.values(), strict=bool(columns)):
            assert column == pytest.approx(list(values))
            some += len(column)
    assert some > 300


def test_every_cell_of_a_working_is_that_of_the_package(ask: Ask) -> None:
    """Letter by letter: the equation, and the cells of each column of each table.

    The page has a paragraph of its own where nothing is relevant, and says nothing of how the
    ideal of alpha-nDCG was found; its other notes are those of the package.
    """
    drawn = draw(121, seed=5)
    compared = without_rank = 0
    for one, theirs in zip(drawn, ask(STEPS, cases=[d.as_dict() for d in drawn]), strict=True):
        try:
            sections = explain(one.metric, *one.inputs).sections
        except InputError:
            assert theirs is None
            continue
        if theirs is None:
            continue
        assert theirs["equation"] == sections[0].equation
        if one.name == "RR":
            assert theirs["notes"] == list(sections[0].notes)
            without_rank += bool(theirs["notes"])
        else:
            assert theirs["notes"] == []
        for section, columns in zip(sections, theirs["parts"], strict=True):
            ours = dict(zip(section.header, zip(*section.lines, strict=True), strict=False))
            for name, cells in columns.items():
                assert cells == list(ours.get(name, ())), (one, name)
                compared += len(cells)
    assert compared > 1000
    assert without_rank


@pytest.mark.suite("guide")
@pytest.mark.parametrize("share", ["(1 + 3e-16)", "(1 - 3e-16)"])
def test_no_digit_and_no_verdict_hangs_on_the_last_bits(ask: Ask, share: str) -> None:
    """Under a logarithm and a division that are off by a bit or two, all that is shown stays."""
    code = script(PURE)
    other = code.replace("/ Math.log2(", f"* {share} / Math.log2(")
    other = other.replace("return total / size", f"return {share} * total / size")
    other = other.replace("sum(list.map", f"{share} * sum(list.map").replace(
        "sum(steps", f"{share} * sum(steps"
    )
    assert other != code
    given = [one.as_dict() for one in draw(88, seed=7)]
    assert ask(STEPS, code=other, cases=given) == ask(STEPS, cases=given)
    numbers = ["0.5", "0.63", "0.6309", "1", "0.7500", "33.3%"]
    asked = [{**one, "value": numbers[i % 6]} for i, one in enumerate(given[:44])]
    there, here = ask(EXPLAINED, code=other, cases=asked), ask(EXPLAINED, cases=asked)
    for one, two in zip(there, here, strict=True):
        assert one.pop("nearest") == pytest.approx(two.pop("nearest"))
        assert one == two
    groups = [[line[:2] for line in found] for found in ask(LIBRARIES, code=other, cases=given)]
    assert groups == [[line[:2] for line in found] for found in ask(LIBRARIES, cases=given)]


def test_numbers_are_printed_as_the_package_prints_them(ask: Ask) -> None:
    """Halves that floats hold exactly, their neighbours, large and small numbers."""
    rng = random.Random(6)
    values = [m / 32 for m in range(-40, 41)] + [m / 2**13 for m in range(0, 8192, 37)]
    values += [x * (1 + e) for x in (0.00375, 0.12345, 1.00005) for e in (-2e-16, 0, 2e-16)]
    values += [rng.uniform(-1, 1) * 10 ** rng.randint(-14, 8) for _ in range(300)]
    values += [0.99995, 9.99995, 0.999949999999, 1e-13, 123456.78125, 1e6 + 0.03125]
    for digits in (3, 4, 6):
        theirs = ask(
            "values.map((x) => modules.say.number(x, digits))", values=values, digits=digits
        )
        assert theirs == [number(x, digits) for x in values]
    assert ask("[NaN].map((x) => modules.say.number(x))") == ["NaN"]


def test_a_typed_number_is_read_as_diagnose_reads_it(ask: Ask) -> None:
    """Digits are the tolerance; percentages, powers of ten; what is no number is none."""
    texts = ["0.949", "94.9%", "1", ".5", "0", "1e-3", "9.5e-1", "100%", "0.96081234567891234"]
    theirs = ask("texts.map((t) => modules.printed.printed(t))", texts=texts)
    for text, found in zip(texts, theirs, strict=True):
        ours = Printed.of(text)
        assert found["value"] == ours.value
        assert found["tolerance"] == pytest.approx(ours.tolerance)
    bad = ["", "abc", "1.2.3", "--1", "0x10", "1e999", "Infinity"]
    assert ask("texts.map((t) => modules.printed.printed(t))", texts=bad) == [None] * len(bad)
    assert ask('modules.printed.printed("0,949").value') == 0.949


def test_the_vectors_pass_on_the_script_of_the_page(ask: Ask) -> None:
    """All conformance vectors of these measures, on the very text that the page holds."""
    chosen = [case for case in cases() if case.metric in MEASURES and not case.aggregate]
    files: dict[str, Any] = {}
    for case in chosen:
        file = files.setdefault(case.metric, {"metric": case.metric, "inputs": {}, "cases": []})
        file["inputs"][case.input] = dict(case.given)
        made = case.as_dict()
        file["cases"].append({**made, "conventions": {**case.reading, **case.conventions}})
        file["conventions"] = {}
    given = json.loads(json.dumps(list(files.values()), default=str))
    found = ask("Object.assign({}, ...files.map((f) => modules.metrics.results(f)))", files=given)
    wrong = [c.id for c in chosen if not _near(found[c.id], c.number)]
    assert wrong == []
    assert len(chosen) > 1000


def _near(theirs: Any, ours: float) -> bool:
    x = float(theirs)
    return (math.isnan(x) and math.isnan(ours)) or abs(x - ours) <= 1e-6 * max(1.0, abs(ours))


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and abs(value) < 10


def _plain(value: Any) -> Any:
    if isinstance(value, Convention):
        return value.name
    return str(value) if isinstance(value, float) and math.isinf(value) else value
