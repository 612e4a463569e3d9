"""Says what a metric lacks: `python -m dev.tools.metric NAME`, or of all metrics without a name.

Each line names what is missing and the file to edit. If nothing is, the tests that look at every
measure are run, and what fails is printed. Nothing is printed for a metric that has all, and the
exit code is 0. The tests of the registry and of the vectors call the same functions, so a check is
written once.

Pseudo-code, the twin in JavaScript, and names in Chinese and Japanese may come later:
`dev/waiting.md` lists what waits.
"""

import argparse
import doctest
import importlib
import inspect
import re
import subprocess
import sys
import tomllib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from operator import itemgetter
from pathlib import Path
from typing import Any

from dev.tools import changelog, inputs
from dev.tools.changelog import INTERFACE
from dev.tools.generate import FILES
from dev.tools.vectors import exposure_cases, list_cases
from dev.tools.vectors.made import made
from dev.tools.vectors.meaning import meanings
from dev.tools.vectors.oracles import further, nuggets, rankings, readers, sets
from dev.tools.vectors.unsaid import without_meaning
from irmetrics_edu.commands.metrics import TASKS
from irmetrics_edu.conventions import Convention
from irmetrics_edu.diagnosis.conformance.vectors import VectorCase
from irmetrics_edu.errors import InputError
from irmetrics_edu.metrics import FAMILIES
from irmetrics_edu.metrics.definition import GREEK, METRICS, Metric, import_all
from irmetrics_edu.metrics.notation import parse
from irmetrics_edu.views.output import ended, put
from irmetrics_edu.views.terms import GLOSSARY

ROOT = Path(__file__).resolve().parents[2]
KERNELS = "irmetrics_edu/metrics"


@dataclass(frozen=True)
class Oracles:
    """A table of oracles, the file that holds it, and the cases that are computed by it."""

    file: str
    table: str
    measures: Collection[str]
    cases: str  # what to do for its vectors; nothing if they follow from the kernel's signature


_LISTED = "list_cases.py: list its options in _GRID, and what it reads in _READS"
_SHOWN = "exposure_cases.py: list it in _OF_LISTS or in _OF_OTHERS, with its inputs"
TABLES = (
    Oracles("oracles/sets.py", "OF_SETS", sets.OF_SETS, ""),
    Oracles("oracles/further.py", "OF_RANKINGS", further.OF_RANKINGS, ""),
    Oracles("oracles/readers.py", "OF_READERS", readers.OF_READERS, ""),
    Oracles("oracles/further.py", "OF_SCORES", further.OF_SCORES, ""),
    Oracles("oracles/nuggets.py", "NUGGET_ORACLES", nuggets.NUGGET_ORACLES, ""),
    Oracles("list_cases.py", "ORACLES, from oracles/lists.py", list_cases.ORACLES, _LISTED),
    Oracles("exposure_cases.py", "_OF_LISTS", exposure_cases.MEASURES, _SHOWN),
)
# Those whose vectors are made by grids of their own; no new measure is meant for these.
GRIDS = frozenset(rankings.ORACLES)
ORACLES = GRIDS.union(*(table.measures for table in TABLES))
# Tests that look at every measure. CI runs them, and `make check` those that import what changed.
OVER_THE_REGISTRY = (
    "tests/metrics", "tests/conformance", "tests/public", "tests/views/test_terms.py",
    "tests/test_generate.py", "tests/test_cli.py", "tests/test_public_names.py",
    "tests/test_project_files.py", "tests/test_plain_english.py", "tests/test_house.py",
    "tests/test_lightness.py", "tests/libraries/test_table.py", "tests/mistakes/test_mistakes.py",
    "tests/plugin/test_assertions.py", "tests/plugin/test_guide.py", "tests/joining/test_axes.py",
    "tests/conventions/test_values_are_values.py", "tests/site/test_metric_pages.py",
    "tests/views/test_no_relevant_note.py",
)  # fmt: skip
# What LaTeX itself means by these; any other macro of a formula is a parameter.
LATEX = frozenset(
    """
    Pi Sigma Omega Delta arg ast bar begin big Big bigl bigr Bigl Bigr bigcap bigcup binom
    cap cdot cdots choose circ colon cup delta dfrac displaystyle dots emptyset end epsilon
    equiv exists exp forall frac ge geq gt hat in infty int lVert lambda land lceil ldots le
    left leq lfloor limits ln log lor lt lvert mapsto mathbb mathbf mathbin mathcal mathit
    mathrm max mid min mu ne neg notin operatorname overline phi pi prod propto psi qquad quad
    rVert rceil rfloor rho right rvert setminus sigma sim sqrt star subset subseteq substack
    sum text textstyle tfrac tilde times to top underbrace varepsilon vert
    """.split()  # noqa: SIM905 -- as a list it would fill a page
)


def undocumented(metric: Metric) -> Iterator[str]:
    """What the docstring of the kernel and its `@metric` do not say."""
    text = inspect.getdoc(metric.kernel) or ""
    first = text.split("\n", 1)[0]
    if not first.endswith(".") or len(first) > 100:
        yield "the docstring's first line is not a definition: one sentence of at most 100 letters"
    if ">>>" not in text:
        yield "the docstring has no doctest"
    elif not _doctests(metric):
        yield "doctest does not find the examples: the kernel has to be at the top of its module"
    if not re.search(r"\(\d{4}\)", metric.source):
        yield 'source= does not name author and year: source="Author (2024), title"'
    if not metric.range[0] < metric.range[1]:
        yield f"range={metric.range} is empty: give the least and the greatest value"
    if not metric.formula_template:
        yield "formula= is missing"


def _doctests(metric: Metric) -> list[doctest.Example]:
    module = importlib.import_module(metric.__module__)
    found = {test.name: test for test in doctest.DocTestFinder().find(module)}
    name = f"{metric.__module__}.{metric.kernel.__name__}"
    return found[name].examples if name in found else []


def faults_of_formula(metric: Metric) -> Iterator[str]:
    """Parameters that the formula leaves out, macros that are none, and what filling in leaves."""
    macros = set(re.findall(r"\\([A-Za-z]+)", metric.formula_template))
    expected = {name.replace("_", "") for name in metric.defaults}
    expected |= {"k"} if metric.has_cutoff else set()
    for name in sorted(expected - macros):
        yield rf"the formula leaves out the parameter \{name}"
    for name in sorted(macros - expected - LATEX):
        yield rf"\{name} in the formula is no parameter, and no LaTeX in dev/tools/metric.py"
    filled = metric.formula
    left = {name.replace("_", "") for name in metric.defaults if name not in GREEK}
    left &= set(re.findall(r"\\([A-Za-z]+)", filled))
    left |= {
        n for n, v in metric.defaults.items() if isinstance(v, Convention) and f"\\{n}{{" in filled
    }
    for name in sorted(left):
        yield rf"\{name} is not filled in"
    if filled.count("{") != filled.count("}"):
        yield "the braces of the formula do not match"


def unexplained(metric: Metric) -> set[str]:
    """The names in a metric's workings that the glossary does not explain."""
    found = set()
    for example in inputs.of(metric):
        working = metric.working(*example.arguments, **example.options)
        found |= set(_names_within(working)) - set(GLOSSARY) - example.own_names
    return found


def _names_within(working: Any) -> Iterator[str]:
    """All names of columns, quantities, labels and parts, down the tree."""
    yield from working.columns
    yield from working.quantities
    yield from working.table.labels
    for name, part in working.parts.items():
        yield name
        yield from _names_within(part)


def without_vectors(metrics: Mapping[str, Metric], seen: Collection[str]) -> list[str]:
    """The measures of rankings and lists, not of values over queries, that have no vector."""
    return [n for n, m in metrics.items() if m.inputs.name != "values" and n not in seen]


def told_by_nothing(cases: Collection[VectorCase]) -> set[tuple[str, str, Any]]:
    """The values of a measure's own conventions by which no vector differs from the definition."""
    plain = {(c.metric, c.input, c.k, c.topic): c for c in cases if not c.departs}
    seen, told = set(), set()
    for case in cases:
        other = plain.get((case.metric, case.input, case.k, case.topic), case)
        turned = [n for n, v in case.conventions.items() if v != other.conventions.get(n, v)]
        if len(turned) == 1 and turned[0] not in case.reading:
            key = (case.metric, turned[0], case.conventions[turned[0]])
            seen.add(key)
            if case.value != other.value:
                told.add(key)
    return seen - told


# Values that no vector can tell from the definition's while all else is as in the definition.
TOLD_TOGETHER = {
    ("IPrec", "interpolation", "trec_eval"): "rounding differs at other levels of recall",
    ("IPrec", "interpolation", "trec_eval_10"): "rounding differs at other levels of recall",
    ("alpha-DCG", "no_relevant", "one"): "only what is normalised has such a value",
    ("alpha-DCG", "no_relevant", "nan"): "only what is normalised has such a value",
    ("pair_accuracy", "gain", "exp"): "it keeps the order of linear gain",
}


def unregistered() -> Iterator[tuple[str, str]]:
    """The families' files that `FAMILIES` does not list, and what lists each family besides."""
    files = (ROOT / KERNELS).glob("*.py")
    found = {p.stem for p in files if "\n@metric(" in p.read_text("utf-8")}
    for family in sorted(found - set(FAMILIES)):
        yield f"{KERNELS}/__init__.py", f"FAMILIES does not list {family}"
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]
    kernels = [c for c in contracts["contracts"] if c["name"].endswith("import no kernel")]
    listed = {module for c in kernels for module in c.get("forbidden_modules", ())}
    tasks = " ".join(TASKS.values()).split()
    for family in sorted(found | set(FAMILIES)):
        if f"irmetrics_edu.metrics.{family}" not in listed:
            yield "pyproject.toml", f"the contract on kernels does not list {family}"
        if family not in tasks:
            yield "irmetrics_edu/commands/metrics.py", f"TASKS does not say what {family} is for"


def stale() -> Iterator[tuple[str, str]]:
    """How many generated files are not up to date."""
    files = [(ROOT / path, content()) for path, content in FILES.items()]
    old = [f for f, text in files if not f.exists() or f.read_text(encoding="utf-8") != text]
    if old:
        what = "not up to date: run python -m dev.tools.generate, which names them"
        yield f"{len(old)} generated files", what


def untested(metric: Metric) -> bool:
    """Whether neither a test nor a worked example of a document calls the metric."""
    name = re.compile(rf"\b{metric.kernel.__name__}\b")
    tests = (p for p in (ROOT / "tests").rglob("test_*.py") if p.parent.name != "libraries")
    documents = (ROOT / "irmetrics_edu/course/documents").rglob("*.toml")
    return not any(name.search(p.read_text("utf-8")) for p in (*tests, *documents))


def lacks(metric: Metric, cases: Collection[VectorCase]) -> Iterator[tuple[str, str]]:
    """What one metric lacks, each with the file to edit."""
    kernel = f"{metric.__module__.replace('.', '/')}.py"
    for fault in (*undocumented(metric), *faults_of_formula(metric)):
        yield kernel, fault
    if metric.inputs.arguments not in inputs.CALLS:
        yield "dev/tools/inputs.py", f"CALLS has no example of {metric.inputs.arguments}"
    else:
        try:
            for name in sorted(unexplained(metric)):
                yield "irmetrics_edu/views/terms.toml", f"the glossary has no {name!r}"
        except InputError as error:
            yield "dev/tools/inputs.py", f"NEEDED has to give what the metric asks for: {error}"
    if untested(metric):
        yield "tests/metrics", f"no test compares {metric.kernel.__name__} with its oracle"
    yield from lacks_of_vectors(metric, [case for case in cases if case.metric == metric.name])
    if not _names(INTERFACE, f"measure {metric.name}:"):
        if not changelog.tells_of(metric.name):
            yield changelog.FILE, "its first section has no line that tells users of it"
        yield INTERFACE, "it is not accepted as public: run make public"


def nearest_oracles(metric: Metric) -> Oracles:
    """The table that the oracle of a measure belongs to: that of its nearest neighbour.

    A neighbour is called with the same; the nearer, the fewer measures lie between, and a measure
    of the same file is nearer than any other.
    """
    import_all()
    order = list(METRICS)
    place = order.index(metric.name) if metric.name in METRICS else len(order)

    def distance(name: str) -> tuple[bool, int]:
        other = METRICS[name]
        return other.__module__ != metric.__module__, abs(order.index(name) - place)

    alike = [
        (distance(name), table)
        for table in TABLES
        for name in table.measures
        if METRICS[name].inputs.arguments == metric.inputs.arguments
    ]
    if not alike:
        return TABLES[-1]
    return min(alike, key=itemgetter(0))[1]


def lacks_of_vectors(metric: Metric, own: Collection[VectorCase]) -> Iterator[tuple[str, str]]:
    """What its vectors lack, and what explains them and computes them anew."""
    table = nearest_oracles(metric)
    new = without_vectors({metric.name: metric}, {case.metric for case in own})
    if new and metric.name not in ORACLES:
        yield (
            f"dev/tools/vectors/{table.file}",
            f"there is no oracle, a plain loop, in {table.table}",
        )
    if new and table.cases:
        file, _, what = table.cases.partition(": ")
        yield f"dev/tools/vectors/{file}", f"there are no vectors: {what}"
    for _, word, value in sorted(told_by_nothing(own) - set(TOLD_TOGETHER), key=str):
        yield (
            "dev/tools/vectors/more_cases.py",
            f"no vector changes with {word}={value}: list its options in _GRID there",
        )
    for what in without_meaning(own, meanings(own)):
        yield (
            f"{metric.__module__.replace('.', '/')}.py",
            f"the docstring does not say what it is: {what}",
        )


def _names(file: str, name: str) -> bool:
    text = (ROOT / file).read_text(encoding="utf-8")
    return re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text) is not None


def main(arguments: list[str]) -> int:
    """Print what is missing; 1 if anything is."""
    parser = argparse.ArgumentParser(prog="python -m dev.tools.metric", description=__doc__)
    parser.add_argument(
        "name", metavar="NAME", nargs="?", default="", help="a metric (default: all)"
    )
    parser.add_argument("--no-tests", action="store_true", help="say only what is missing")
    options = parser.parse_args(arguments)
    name = options.name
    found = list(unregistered())
    import_all()
    if not found or not name:  # else the metric may not be in the registry yet
        cases = made()
        for metric in [parse(name)] if name else METRICS.values():
            found += [(file, f"{metric.name}: {what}") for file, what in lacks(metric, cases)]
        found += stale()
    for file, what in found:
        put(f"{file}: {what}")
    if found or options.no_tests:
        return 1 if found else 0
    return failing_tests()


def failing_tests() -> int:
    """Run the tests over all measures, and print what they say if one fails."""
    command = [sys.executable, "-m", "pytest", "-q", "-n", "2", "-m", "not slow"]
    done = subprocess.run(  # noqa: S603 -- our own tests
        [*command, *OVER_THE_REGISTRY], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if done.returncode:
        put(done.stdout + done.stderr)
    return done.returncode


if __name__ == "__main__":
    sys.exit(ended("python -m dev.tools.metric", lambda: main(sys.argv[1:])))
