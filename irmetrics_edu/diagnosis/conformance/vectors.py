"""The test vectors, an input with its conventions and exact value each, and their files."""

import functools
import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal, localcontext
from fractions import Fraction
from importlib import resources
from pathlib import Path
from typing import Any

from irmetrics_edu.writing import write

Number = Fraction | Decimal
# Conventions that every file states for all its cases; a case says it where it has another.
OF_RANKINGS: Mapping[str, str] = {
    "ties": "given",
    "scores": "float64",
    "unjudged": "no_gain",
    "negative": "refuse",
    "pool": "judged",
    "unretrieved": "absent",
    "duplicates": "refuse",
}
OF_SCORES: Mapping[str, str] = {"negative": "refuse", "unretrieved": "absent"}
OF_NUGGETS: Mapping[str, str] = {"ties": "given", "unjudged": "no_gain"}
OF_DISTANCES: Mapping[str, str] = {"distance": "cosine"}
OF_GAINS_OF_NUGGETS: Mapping[str, str] = {**OF_NUGGETS, "gamma": "1"}
NOTHING: Mapping[str, str] = {}
OF_RUNS: Mapping[str, str] = {
    **OF_RANKINGS,
    "missing_queries": "zero",
    "unjudged_queries": "ignore",
    "no_relevant": "zero",
}
MEAN, GEOMETRIC_MEAN = "mean", "geometric_mean"  # over the queries of a run
PROBABILITIES = "probabilities of nuggets"  # a topic: no library takes them
NO_RUN = ("lists of all users", "two orders")  # topics: not asked
_DIGITS = 40  # enough to round a fraction right to seventeen
_NEEDED = ("recall", "collection", "length", "users")  # which have no default


@dataclass(frozen=True)
class VectorCase:
    """One test vector. `value` is exact, or printed in a document and exact to its digits."""

    id: str
    input: str
    metric: str
    k: int | None
    given: Mapping[str, Any]  # the input, as JSON has it
    conventions: Mapping[str, Any]
    value: Number
    why: str
    printed: str = ""
    aggregate: str = ""  # over the queries of a run
    topic: str = ""  # what of the reading of the input it is about
    departs: bool = False  # from the metric's definition, in its own conventions
    reading: Mapping[str, str] = field(default_factory=lambda: OF_RANKINGS)

    @property
    def measure(self) -> str:
        """The metric with its required options, without the cut-off."""
        required = [f"{n}={v}" for n, v in self.conventions.items() if n in _NEEDED]
        return f"{self.metric}({','.join(required)})" if required else self.metric

    @property
    def number(self) -> float:
        """The value as a float."""
        return float(self.value)

    @property
    def ranking(self) -> Any:
        """The ranking: a list, or scores by document; for a run, by query."""
        return next(
            self.given[n]
            for n in ("ranking", "scores", "recommended", "run", "lists")
            if n in self.given
        )

    @property
    def judged(self) -> Any:
        """The judgments: grades, nuggets or relevant items, by query for a run; or an order."""
        names = ("judgments", "nuggets", "relevant", "qrels", "other", "catalogue")
        named = (n for n in names if n in self.given)
        return next((self.given[n] for n in named), None)

    @property
    def beside(self) -> dict[str, Any]:
        """Further inputs, such as the categories or the embeddings of items."""
        names = ("categories", "embeddings", "popularity", "exposure", "expected", "gamma")
        return {n: self.given[n] for n in names if n in self.given}

    def as_dict(self) -> dict[str, Any]:
        """The case as JSON has it."""
        fields_of_case: dict[str, Any] = {"id": self.id, "input": self.input, "k": self.k}
        if self.aggregate:
            fields_of_case["aggregate"] = self.aggregate
        fields_of_case |= {"conventions": dict(self.conventions), "value": written(self.value)}
        if self.printed:
            fields_of_case["printed"] = self.printed
        return fields_of_case


def named(
    input_: str,
    metric: str,
    k: int | None,
    conventions: Mapping[str, Any],
    aggregate: str = "",
) -> str:
    """The id of a case."""
    at = "" if k is None else f"@{k}"
    settings = ",".join(str(v) for v in conventions.values())
    return f"{input_}/{aggregate and aggregate + '-'}{metric}{at}/{settings}"


def written(number: Number) -> dict[str, Any]:
    """A fraction where the value is one, and always a decimal of 17 significant digits."""
    if isinstance(number, Decimal) and number.is_nan():
        return {"decimal": "nan"}
    if isinstance(number, Decimal):
        return {"decimal": f"{number:.16e}"}
    with localcontext() as context:
        context.prec = _DIGITS
        decimal = Decimal(number.numerator) / Decimal(number.denominator)
    return {
        "decimal": f"{decimal:.16e}",
        "fraction": f"{number.numerator}/{number.denominator}",
    }


VERSION = "3.0"
RANKINGS = "rankings"
# The shared conventions of cases, by the name that the stored vectors have for them.
READINGS: Mapping[str, Mapping[str, str]] = {
    RANKINGS: OF_RANKINGS,
    "scores": OF_SCORES,
    "nuggets": OF_NUGGETS,
    "gains of nuggets": OF_GAINS_OF_NUGGETS,
    "distances": OF_DISTANCES,
    "runs": OF_RUNS,
    "nothing": NOTHING,
}
COPIED = (
    "schema.json",
    "results.schema.json",
    "meanings.json",
    "README.md",
    "LICENSE",
    "CITATION.cff",
    "runners/metrics.mjs",
    "runners/run.mjs",
    "runners/metrics.c",
)  # fmt: skip -- as they are here
_LINES = ",\n"
# Of the parts of an input, as the flat form has them.
_OF_LISTS = ("ranking", "recommended", "relevant", "expected", "other", "run", "catalogue")
_OF_NUMBERS = ("scores", "judgments", "qrels", "popularity", "exposure", "gamma")


@functools.cache
def cases() -> tuple[VectorCase, ...]:
    """All cases: the grids of conventions over the inputs, then those from documents.

    They stand in `vectors.json`, which `dev/tools/vectors` writes.
    """
    held = json.loads(_text("vectors.json"))
    every: list[VectorCase] = []
    for block in held["inputs"]:
        for group in block["groups"]:
            every += _of_group(block["input"], block["given"], group)
    return tuple(every)


def _of_group(
    name: str, content: Mapping[str, Any], group: Mapping[str, Any]
) -> Iterator[VectorCase]:
    """The cases of an input that differ in the values of their conventions alone.

    Each is a list: a value for each word, and last the value of the measure.
    """
    metric = group["metric"]
    k = group["k"]
    words = group["words"]
    aggregate = group.get("aggregate", "")
    printed = group.get("printed", "")
    for which in ("defined", "departing"):
        for *values, number in group.get(which, ()):
            settings = dict(zip(words, values, strict=True))
            yield VectorCase(
                id=name if printed else named(name, metric, k, settings, aggregate),
                input=name,
                metric=metric,
                k=k,
                given=content,
                conventions=settings,
                value=_number(number),
                why=content["why"],
                printed=printed,
                aggregate=aggregate,
                topic=group.get("topic", ""),
                departs=which == "departing",
                reading=READINGS[group.get("reading", RANKINGS)],
            )


def _number(text: str) -> Number:
    above, slash, below = text.partition("/")
    return Fraction(int(above), int(below)) if slash else Decimal(text)


def export(folder: Path | str, *, flat: bool = False) -> list[Path]:
    """Write the vectors, a file per metric, and what goes with them, with checksums of it all.

    `flat` adds two files of lines for programs that read no JSON. The return value lists the
    written files. They have the same bytes every time, so a project that copies them sees real
    changes only.
    """
    target = Path(folder)
    every = cases()
    by_metric: dict[str, list[VectorCase]] = {}
    for case in every:
        by_metric.setdefault(case.metric, []).append(case)
    texts = {
        f"{metric}.json": _file(metric, cases_of_metric)
        for metric, cases_of_metric in by_metric.items()
    }
    texts |= {name: _text(name) for name in COPIED}
    if flat:
        texts |= {"cases.tsv": cases_tsv(every), "inputs.tsv": inputs_tsv(every)}
    sums = {name: hashlib.sha256(text.encode()).hexdigest() for name, text in texts.items()}
    texts["SHA256SUMS"] = "".join(f"{sum_}  {name}\n" for name, sum_ in sorted(sums.items()))
    for name, text in texts.items():
        write(target / name, text)
    return [target / name for name in texts]


def _file(metric: str, cases_of_metric: Sequence[VectorCase]) -> str:
    """The vectors of a metric: an input or a case to a line, so that a change is seen."""
    shared: dict[str, str] = {}
    for case in cases_of_metric:
        shared |= case.reading
    changed = {
        name for case in cases_of_metric for name in case.conventions if name not in case.reading
    }
    head = {
        "format": "irmetrics-edu/vectors",
        "version": VERSION,
        "metric": metric,
        "conventions": {n: v for n, v in shared.items() if n not in changed},
    }
    inputs = {case.input: _in_pairs(case.given) for case in cases_of_metric}
    lines = [f"{json.dumps(n)}: {json.dumps(i, ensure_ascii=False)}" for n, i in inputs.items()]
    listed = [json.dumps(c.as_dict(), ensure_ascii=False) for c in cases_of_metric]
    return (
        json.dumps(head)[:-1]
        + f', "inputs": {{\n{_LINES.join(lines)}\n}}, "cases": [\n{_LINES.join(listed)}\n]}}\n'
    )


def _in_pairs(content: Mapping[str, Any]) -> dict[str, Any]:
    """An input as JSON has it: pairs where an order counts, since that of JSON's keys does not."""
    of_queries = {q: [*held.items()] for q, held in content.get("qrels", {}).items()}
    named = {n: [*content[n].items()] for n in ("scores", "judgments") if n in content}
    return {**content, **named, **({"qrels": of_queries} if of_queries else {})}


def _text(name: str) -> str:
    return (resources.files("irmetrics_edu.diagnosis.conformance") / name).read_text("utf-8")


def cases_tsv(cases: Iterable[VectorCase]) -> str:
    """A line for each case: id, metric, k, aggregate, input, value, conventions."""
    lines = []
    for case in cases:
        settings = {**case.reading, **case.conventions}
        number = written(case.value)["decimal"]
        k = "-" if case.k is None else str(case.k)
        first = (case.id, case.metric, k, case.aggregate or "-", case.input, number)
        lines.append("\t".join([*first, *(f"{word}={value}" for word, value in settings.items())]))
    return "\n".join(lines) + "\n"


def inputs_tsv(cases: Iterable[VectorCase]) -> str:
    """A line for each part of an input: its name, the metric, the query, the part, its items."""
    lines: dict[tuple[str, str], list[str]] = {}
    for case in cases:
        if (case.input, case.metric) not in lines:
            lines[case.input, case.metric] = [
                "\t".join([case.input, case.metric, *fields]) for fields in _parts(case.given)
            ]
    return "\n".join(line for part in lines.values() for line in part) + "\n"


def _parts(content: Mapping[str, Any]) -> Iterator[list[str]]:
    """The query, the part's name and the items of each part."""
    names = {"run": "ranking", "qrels": "judgments"}
    for part, held in content.items():
        if part == "why":
            continue
        if part in names:
            for query, of_query in held.items():
                yield [query, names[part], *_items(part, of_query)]
        else:
            yield ["-", part, *_items(part, held)]


def _items(part: str, held: Any) -> list[str]:
    if part in _OF_LISTS:
        return list(held)
    if part in _OF_NUMBERS:
        return [f"{name}={number}" for name, number in held.items()]
    pairs = {n: s.items() if isinstance(s, Mapping) else s for n, s in held.items()}
    return [f"{name}={','.join(map(_written, several))}" for name, several in pairs.items()]


def _written(item: Any) -> str:
    """A name or a number; of a nugget with its probability both."""
    return f"{item[0]}:{item[1]}" if isinstance(item, tuple) else str(item)
