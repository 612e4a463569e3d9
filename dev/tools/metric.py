"""Says what a metric lacks: `python -m dev.tools.metric NAME`, or of all metrics without a name.

Each line names what is missing and the file to edit. Nothing is printed for a metric that has all,
and the exit code is 0. The tests of the registry and of the vectors call the same functions, so a
check is written once. What has to be run, such as the kernel on many queries at once, is left to
them.
"""

import argparse
import doctest
import importlib
import inspect
import re
import sys
import tomllib
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

from dev.tools import changelog, inputs
from dev.tools.changelog import INTERFACE
from dev.tools.generate import FILES
from dev.tools.vectors import list_cases
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
RUNNER = "irmetrics_edu/diagnosis/conformance/runners/metrics.mjs"
# The files and tables of the vectors and of the oracle, by what a metric is called with.
VECTORS: Mapping[tuple[str, ...], tuple[str, str, str, str]] = {
    ("ranking", "judgments"): ("more_cases.py", "_SHORTER", "sets.py", "OF_SETS"),
    ("relevance", "scores"): ("more_cases.py", "_OF_SCORES", "further.py", "OF_SCORES"),
    ("ranking", "nuggets"): ("nugget_cases.py", "_GRID", "nuggets.py", "NUGGET_ORACLES"),
}
_OTHERS = (
    "list_cases.py or exposure_cases.py", "a table there",
    "lists.py or exposure.py", "a table of list_cases.py or exposure_cases.py",
)  # fmt: skip
ORACLES = frozenset().union(
    rankings.ORACLES, further.OF_RANKINGS, further.OF_SCORES, readers.OF_READERS, sets.OF_SETS,
    nuggets.NUGGET_ORACLES, list_cases.ORACLES,
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


def lacks_of_vectors(metric: Metric, own: Collection[VectorCase]) -> Iterator[tuple[str, str]]:
    """What its vectors lack, and what explains them and computes them anew."""
    listed, table, oracle, oracles = VECTORS.get(metric.inputs.arguments, _OTHERS)
    new = without_vectors({metric.name: metric}, {case.metric for case in own})
    if new and metric.name not in ORACLES:
        yield (
            f"dev/tools/vectors/oracles/{oracle}",
            f"there is no oracle, a plain loop, in {oracles}",
        )
    if new:
        yield f"dev/tools/vectors/{listed}", f"there are no vectors: list its options in {table}"
        yield "dev/tools/vectors/meanings.toml", "there is no pseudo-code under [metrics]"
    for _, word, value in sorted(told_by_nothing(own) - set(TOLD_TOGETHER), key=str):
        yield f"dev/tools/vectors/{listed}", f"no vector changes with {word}={value}"
    for what in without_meaning(own, meanings(own)):
        yield "dev/tools/vectors/meanings.toml", f"[metrics], [kinds] or [numbers] lacks {what}"
    if (new or own) and not _names(RUNNER, metric.name):
        yield RUNNER, "there is no function for it"


def _names(file: str, name: str) -> bool:
    text = (ROOT / file).read_text(encoding="utf-8")
    return re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text) is not None


def main(arguments: list[str]) -> int:
    """Print what is missing; 1 if anything is."""
    parser = argparse.ArgumentParser(prog="python -m dev.tools.metric", description=__doc__)
    parser.add_argument(
        "name", metavar="NAME", nargs="?", default="", help="a metric (default: all)"
    )
    name = parser.parse_args(arguments).name
    found = list(unregistered())
    import_all()
    if not found or not name:  # else the metric may not be in the registry yet
        cases = made()
        for metric in [parse(name)] if name else METRICS.values():
            found += [(file, f"{metric.name}: {what}") for file, what in lacks(metric, cases)]
        found += stale()
    for file, what in found:
        put(f"{file}: {what}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(ended("python -m dev.tools.metric", lambda: main(sys.argv[1:])))
