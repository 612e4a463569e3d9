"""Test vectors: inputs, conventions spelt out, exact values, and why each case is there."""

import ast
import itertools
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from importlib import resources
from pathlib import Path
from typing import Any

from irmetrics_edu.conformance.oracles import Number, value

VERSION = "1.0"

# Grades in ranked order (None: not judged), and those of judged documents not retrieved.
_INPUTS: tuple[tuple[str, Sequence[int | None], Sequence[int], str], ...] = (
    ("graded", (5, 2, 3), (), "three grades, all retrieved: nDCG is 0.9834 with linear gain"),
    ("missed", (3, 2, 3, 0, 1, 2), (3, 2), "two good documents are not retrieved: which ideal?"),
    ("short", (1, 0, 1), (1, 1), "a list shorter than the cut-off, and R = 4: which divisor?"),
    ("nothing-relevant", (0, 0, 0), (), "judged, and nothing is relevant"),
    ("nothing-found", (0, 0), (1, 3), "what is relevant is not retrieved"),
    ("unjudged", (None, 2, None, 1), (3, 0), "unjudged documents keep their ranks"),
    ("late", (0, 0, 0, 0, 2), (1,), "the only hit stands at the end"),
    ("perfect", (3, 3, 2, 1, 0), (), "the ideal order: every normalised measure is 1"),
    ("reversed", (0, 1, 2, 3), (), "the worst order"),
    ("single", (1,), (), "one document"),
    ("empty", (), (1, 2), "nothing was retrieved"),
    ("long", (0, 1, 0, 2, 0, 0, 3, 0, 1, 0, 0, 2), (2, 1), "longer than the cut-off 10"),
    ("high-grades", (4, 0, 4, 1), (4,), "the top of a scale from 0 to 4"),
    ("binary", (1, 0, 1, 1, 0), (1,), "grades 0 and 1: linear and exponential gain agree"),
)

_GAINS = ("linear", "exp", "binary")
_SHORT_CUT, _LONG_CUT = 3, 10
_GRID: Mapping[str, Mapping[str, Sequence[Any]]] = {
    "P": {"rel": (1, 2), "divisor": ("k", "retrieved")},
    "R": {"rel": (1,), "divisor": ("relevant", "reachable")},
    "F": {"rel": (1,)},
    "Success": {"rel": (1,)},
    "Rprec": {"rel": (1,)},
    "AP": {"rel": (1, 2), "divisor": ("relevant", "reachable", "hits")},
    "RR": {"rel": (1, 2)},
    "DCG": {"gain": _GAINS, "discount": ("log2", "jk(2)", "reciprocal", "none")},
    "nDCG": {
        "gain": _GAINS,
        "discount": ("log2",),
        "ideal": ("judged", "retrieved", "r_ones", "k_ones"),
        "no_relevant": ("zero", "one"),
    },
    "ERR": {"max_grade": (4,)},
    "RBP": {"p": ("0.8", "0.5"), "rel": (1,)},
    "bpref": {"rel": (1,)},
}
_UNCUT = ("Rprec", "bpref")  # measures without a cut-off
# Of the ideals of ones only with the gain that makes sense of them.
_ONES = ("r_ones", "k_ones")


@dataclass(frozen=True)
class Case:
    """One test vector. `value` is exact, or printed in a document and exact to its digits."""

    id: str
    input: str
    metric: str
    k: int | None
    ranking: tuple[str, ...]
    judgments: Mapping[str, int]
    conventions: Mapping[str, Any]
    value: Number
    why: str
    printed: str = ""

    @property
    def number(self) -> float:
        """The value as a float."""
        return float(self.value)

    def as_dict(self) -> dict[str, Any]:
        """The case as JSON has it."""
        found: dict[str, Any] = {
            "id": self.id,
            "input": self.input,
            "k": self.k,
            "conventions": dict(self.conventions),
            "value": _written(self.value),
        }
        if self.printed:
            found["printed"] = self.printed
        return found


def _written(number: Number) -> dict[str, Any]:
    """A fraction where the value is one, and always a decimal of 17 significant digits."""
    decimal = f"{_decimal(number):.16e}"
    if isinstance(number, Fraction):
        return {"decimal": decimal, "fraction": f"{number.numerator}/{number.denominator}"}
    return {"decimal": decimal}


def _decimal(number: Number) -> Decimal:
    if isinstance(number, Decimal):
        return number
    return Decimal(number.numerator) / Decimal(number.denominator)


def cases() -> list[Case]:
    """All cases: the grid of conventions over the inputs, then those from documents."""
    return [*_of_grid(), *_of_documents()]


def _of_grid() -> Iterator[Case]:
    for name, ranked, missed, why in _INPUTS:
        ranking, judgments = _with_ids(ranked, missed)
        pool = list(judgments.values())
        for metric, switches in _GRID.items():
            for k in _cuts(metric, ranked, missed):
                for values in itertools.product(*switches.values()):
                    conventions = dict(zip(switches, values, strict=True))
                    if not _sensible(conventions, pool, k):
                        continue
                    at = "" if k is None else f"@{k}"
                    said = ",".join(str(v) for v in conventions.values())
                    yield Case(
                        f"{name}/{metric}{at}/{said}",
                        name,
                        metric,
                        k,
                        tuple(ranking),
                        judgments,
                        conventions,
                        value(metric, ranked, pool, k, conventions),
                        why,
                    )


def _cuts(
    metric: str, ranked: Sequence[int | None], missed: Sequence[int]
) -> tuple[int | None, ...]:
    """The whole ranking, a cut inside it, and one beyond it where that makes a difference."""
    if metric in _UNCUT:
        return (None,)
    inside = (_SHORT_CUT,) if len(ranked) > _SHORT_CUT else ()
    beyond = (_LONG_CUT,) if len(ranked) > _LONG_CUT or (missed and len(ranked) > 2) else ()
    return (None, *inside, *beyond)


def _sensible(conventions: Mapping[str, Any], pool: Sequence[int], k: int | None) -> bool:
    """Leave out what repeats another case, to keep the vectors small."""
    ideal = conventions.get("ideal")
    if ideal in _ONES and (conventions["gain"] != "binary" or (ideal == "k_ones" and k is None)):
        return False
    if max(pool, default=0) > conventions.get("max_grade", 1000):
        return False
    if conventions.get("no_relevant") == "one" and any(g >= 1 for g in pool):
        return False
    if conventions.get("divisor") in ("reachable", "retrieved") and k is None:
        return False
    return not (conventions.get("rel") == 2 and max(pool, default=0) < 2)


def _with_ids(
    ranked: Sequence[int | None], missed: Sequence[int]
) -> tuple[list[str], dict[str, int]]:
    ranking = [f"d{i}" for i in range(1, len(ranked) + 1)]
    judged = {d: g for d, g in zip(ranking, ranked, strict=True) if g is not None}
    return ranking, judged | {f"x{i}": g for i, g in enumerate(missed, 1)}


# Public functions that the documents call, by the names that vectors use.
_FUNCTIONS = {
    "precision": "P", "recall": "R", "average_precision": "AP", "reciprocal_rank": "RR",
    "dcg": "DCG", "ndcg": "nDCG", "r_precision": "Rprec", "f_measure": "F", "err": "ERR",
}  # fmt: skip
_DEFAULTS = {name: {n: v[0] for n, v in switches.items()} for name, switches in _GRID.items()}


def _of_documents() -> Iterator[Case]:
    """Single calls in the worked examples: the print is the value, to its digits."""
    from irmetrics_edu import documents

    for example in documents.examples():
        for n, line in enumerate((example, *example.lines)):
            call = ast.parse(line.call, mode="eval").body if line.call else None
            if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
                continue
            metric = _FUNCTIONS.get(call.func.id)
            if metric is None or not _NUMBER.fullmatch(line.printed) or line.erratum is not None:
                continue
            try:
                given = [_literal(a, line.inputs) for a in call.args]
                options = {str(o.arg): _literal(o.value, line.inputs) for o in call.keywords}
            except (ValueError, KeyError):
                continue
            found = _case_of_document(f"{example.id}/{n}", metric, given, options, line, example)
            if found is not None:
                yield found


_LINES = ",\n"
_NUMBER = re.compile(r"[0-9]+\.[0-9]+")


def _literal(node: ast.expr, inputs: Mapping[str, Any]) -> Any:
    return inputs[node.id] if isinstance(node, ast.Name) else ast.literal_eval(node)


def _case_of_document(
    id_: str, metric: str, given: list[Any], options: dict[str, Any], line: Any, example: Any
) -> Case | None:
    options.pop("exact", None)
    k = options.pop("k", None)
    if set(options) - set(_DEFAULTS[metric]):
        return None
    if len(given) == 1:
        ranking, judgments = _with_ids(given[0], ())
    else:
        ranking = list(given[0])
        judged = given[1]
        judgments = (
            dict(judged) if isinstance(judged, Mapping) else dict.fromkeys(sorted(judged), 1)
        )
    ranked = [judgments.get(d) for d in ranking]
    conventions = {**_DEFAULTS[metric], **options}
    exact = value(metric, ranked, list(judgments.values()), k, conventions)
    why = f"printed in document {example.document}: {example.where}"
    name = f"document-{id_}"
    return Case(
        name, name, metric, k, tuple(ranking), judgments, conventions, exact, why, line.printed
    )


def export(folder: Path | str) -> list[Path]:
    """Write the vectors, a file per metric, and their schema; what was written is returned.

    The same bytes every time, so that a project that vendors them sees what changed.
    """
    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    by_metric: dict[str, list[Case]] = {}
    for case in cases():
        by_metric.setdefault(case.metric, []).append(case)
    written = []
    for metric, found in by_metric.items():
        path = target / f"{metric}.json"
        inputs = {
            c.input: {"ranking": c.ranking, "judgments": c.judgments, "why": c.why} for c in found
        }
        head = {"format": "irmetrics-edu/vectors", "version": VERSION, "metric": metric}
        lines = [f"{json.dumps(n)}: {json.dumps(i, ensure_ascii=False)}" for n, i in inputs.items()]
        listed = [json.dumps(c.as_dict(), ensure_ascii=False) for c in found]
        text = (
            json.dumps(head)[:-1]
            + f', "inputs": {{\n{_LINES.join(lines)}\n}}, "cases": [\n{_LINES.join(listed)}\n]}}\n'
        )
        path.write_text(text, encoding="utf-8")
        written.append(path)
    path = target / "schema.json"
    path.write_text(schema_text(), encoding="utf-8")
    return [*written, path]


def schema_text() -> str:
    """The JSON schema of a file of vectors."""
    return (resources.files("irmetrics_edu.conformance") / "schema.json").read_text("utf-8")
