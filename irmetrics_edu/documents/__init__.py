"""The worked examples of five documents, as printed, and what comes of computing them again."""

import ast
import importlib
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, cached_property
from importlib import resources
from typing import Any

import numpy as np

import irmetrics_edu
from irmetrics_edu.documents.printed import PrintedNumber, read
from irmetrics_edu.errors import InputError
from irmetrics_edu.numbers import plain
from irmetrics_edu.working import Working

DOCUMENTS = ("000", "001", "002", "003", "004")

AGREES, ROUNDS, MISPRINT, EXTRA, NOTE, DIFFERS = (
    "agrees",
    "agrees (rounded)",
    "misprint",
    "not printed",
    "note",
    "DIFFERS",
)


@dataclass(frozen=True, slots=True)
class Erratum:
    """Where a document is wrong: what it says, what is right, and why."""

    printed: str
    right: str
    why: str
    places: tuple[int, ...] = ()  # which of the printed numbers, counted from 1; none: all

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {"printed": self.printed, "right": self.right, "why": self.why}


@dataclass(frozen=True, slots=True)
class Sides:
    """A formula put to the test on small inputs: what it gives as printed, and what is right.

    `of` says what each value belongs to, such as "R=2, N=3".
    """

    printed: Sequence[Any]
    right: Sequence[Any]
    of: Sequence[str] = ()


@dataclass(frozen=True)
class Line:
    """One thing a document prints and the call that computes it."""

    what: str
    call: str
    printed: str
    inputs: Mapping[str, Any]
    erratum: Erratum | None = None

    @cached_property
    def result(self) -> Any:
        """What the call gives."""
        return evaluate(self.call, self.inputs) if self.call else None

    @cached_property
    def values(self) -> list[Any]:
        """The computed numbers, one for each printed one."""
        return _flat(self.result.right if isinstance(self.result, Sides) else self.result)

    @cached_property
    def verdict(self) -> str:
        """Whether the print comes out: to its digits, exactly, or as the misprint that it is."""
        if not self.call:
            return MISPRINT if self.erratum else NOTE
        if isinstance(self.result, Sides):
            return self._verdict_on_formula(self.result)
        if not self.printed:
            return EXTRA if self.erratum is None or self._right_comes_out() else DIFFERS
        return self._verdict_on_numbers(read(self.printed))

    def _verdict_on_formula(self, sides: Sides) -> str:
        printed, right = _flat(sides.printed), _flat(sides.right)
        if not right or len(printed) != len(right):
            return DIFFERS
        pairs = zip(printed, right, strict=True)
        wrong = [i for i, (p, r) in enumerate(pairs, 1) if not _same(p, r)]
        if self.erratum is None:
            return DIFFERS if wrong else AGREES if self.printed else EXTRA
        places = list(self.erratum.places)
        return MISPRINT if wrong and places in ([], wrong) else DIFFERS

    def _verdict_on_numbers(self, numbers: list[PrintedNumber]) -> str:
        if len(numbers) != len(self.values):
            return DIFFERS
        wrong = [
            i
            for i, (n, v) in enumerate(zip(numbers, self.values, strict=True), 1)
            if not n.agrees(v)
        ]
        if self.erratum is not None:
            places = list(self.erratum.places) or list(range(1, len(numbers) + 1))
            return MISPRINT if wrong == places and self._right_comes_out() else DIFFERS
        if wrong:
            return DIFFERS
        exactly = all(n.exactly(v) for n, v in zip(numbers, self.values, strict=True))
        return AGREES if exactly else ROUNDS

    def _right_comes_out(self) -> bool:
        if self.erratum is None or not self.erratum.right:
            return True
        right = read(self.erratum.right)
        places = self.erratum.places or range(1, len(self.values) + 1)
        chosen = [self.values[i - 1] for i in places]
        return len(right) == len(chosen) and all(
            r.agrees(v) for r, v in zip(right, chosen, strict=True)
        )

    @cached_property
    def working(self) -> Working | None:
        """The working behind the number, if the call is that of a metric."""
        return _working_behind(self.call, self.inputs, self.result) if self.call else None


@dataclass(frozen=True)
class Example(Line):
    """A worked example: where it stands, what is printed, and its intermediate lines."""

    document: str = ""
    id: str = ""
    where: str = ""
    note: str = ""
    lines: tuple[Line, ...] = field(default_factory=tuple)

    @cached_property
    def verdict(self) -> str:
        """The example's own verdict, or the worst of its lines'."""
        own = super().verdict
        return DIFFERS if any(line.verdict == DIFFERS for line in self.lines) else own

    @property
    def comes_out(self) -> bool:
        """Whether every number and formula comes out, misprints as what they are."""
        return self.verdict != DIFFERS

    def as_dict(self) -> dict[str, Any]:
        """For JSON: numbers as numbers, beside them the fraction where the value is one."""
        out: dict[str, Any] = {
            "document": self.document,
            "id": self.id,
            "where": self.where,
            "what": self.what,
            **_as_dict(self),
        }
        if self.lines:
            out["lines"] = [{"what": line.what, **_as_dict(line)} for line in self.lines]
        if self.note:
            out["note"] = self.note
        return out


def _as_dict(line: Line) -> dict[str, Any]:
    out: dict[str, Any] = {
        "call": line.call,
        "printed": line.printed,
        "computed": None,
        "verdict": line.verdict,
    }
    if line.call:
        values = line.values
        shown = [v if isinstance(v, bool | int | str) else float(v) for v in values]
        if isinstance(line.result, Sides):
            as_printed = _flat(line.result.printed)
            out["as_printed"] = [
                v if isinstance(v, bool | int | str) else float(v) for v in as_printed
            ]
        out["computed"] = shown[0] if len(shown) == 1 else shown
        if any(isinstance(v, Fraction) for v in values):
            exact = [str(v) for v in values]
            out["exact"] = exact[0] if len(exact) == 1 else exact
    if line.erratum is not None:
        out["erratum"] = line.erratum.as_dict()
    return out


@cache
def load(document: str) -> tuple[dict[str, Any], tuple[Example, ...]]:
    """A document's facts (title, language, where it is from) and its examples in its order."""
    if document not in DOCUMENTS:
        raise InputError(f"document {document!r} is not one of {', '.join(DOCUMENTS)}")
    file = resources.files("irmetrics_edu.documents") / f"{document}.toml"
    data = tomllib.loads(file.read_text(encoding="utf-8"))
    _fields(data, {"document", "input", "example"}, {"document", "example"}, f"{document}.toml")
    shared = data.get("input", {})
    return data["document"], tuple(_example(e, document, shared) for e in data["example"])


def examples(document: str | None = None) -> list[Example]:
    """All worked examples, or those of one document, in the order of the text."""
    chosen = DOCUMENTS if document is None else (document,)
    return [e for d in chosen for e in load(d)[1]]


def example(identifier: str) -> Example:
    """One worked example by its id; an unknown id is refused with the nearest ones."""
    import difflib

    known = {e.id: e for e in examples()}
    if identifier not in known:
        near = difflib.get_close_matches(identifier, known, n=3, cutoff=0.3) or list(known)[:3]
        raise InputError(f"no example {identifier!r}; the nearest are {', '.join(near)}")
    return known[identifier]


_LINE = {"what", "call", "printed", "input", "erratum"}
_EXAMPLE = _LINE | {"id", "where", "note", "lines"}
_ERRATUM = {"printed", "right", "why", "places"}


def _example(
    entry: Mapping[str, Any], document: str, shared: Mapping[str, Any] | None = None
) -> Example:
    place = f"{document}.toml, {entry.get('id', 'an example without id')}"
    _fields(entry, _EXAMPLE, {"id", "where", "what"}, place)
    given = {**(shared or {}), **entry.get("input", {})}
    lines = []
    for line in entry.get("lines", ()):
        at = f"{place}, line {line.get('what')!r}"
        _fields(line, _LINE, {"what"}, at)
        lines.append(Line(**_line(line, given, at)))
    return Example(
        **_line(entry, given, place),
        document=document,
        id=entry["id"],
        where=entry["where"],
        note=entry.get("note", ""),
        lines=tuple(lines),
    )


def _line(entry: Mapping[str, Any], given: Mapping[str, Any], place: str) -> dict[str, Any]:
    call = entry.get("call", "")
    if not call and not entry.get("printed"):
        raise InputError(f"{place}: neither a call nor anything printed")
    # A document's inputs serve many examples; each holds those that its call names.
    own = {**given, **entry.get("input", {})}
    return {
        "what": entry["what"],
        "call": call,
        "printed": entry.get("printed", ""),
        "inputs": {name: value for name, value in own.items() if name in _names_in(call)},
        "erratum": _erratum(entry.get("erratum"), place),
    }


def _names_in(call: str) -> set[str]:
    tree = ast.parse(call or "None", mode="eval")
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}


def _erratum(given: Mapping[str, Any] | None, place: str) -> Erratum | None:
    if given is None:
        return None
    _fields(given, _ERRATUM, {"printed", "right", "why"}, f"{place}, erratum")
    return Erratum(given["printed"], given["right"], given["why"], tuple(given.get("places", ())))


def _fields(entry: Mapping[str, Any], known: set[str], needed: set[str], place: str) -> None:
    if unknown := entry.keys() - known:
        raise InputError(f"{place}: unknown {', '.join(sorted(unknown))}")
    if missing := needed - entry.keys():
        raise InputError(f"{place}: {', '.join(sorted(missing))} missing")


# -- computing

_BUILTINS = {
    f.__name__: f
    for f in (all, any, abs, dict, float, int, len, list, max, min, range, set, sorted, str, sum)
} | {"zip": zip, "Fraction": Fraction, "True": True, "False": False, "None": None}


class _Names(dict[str, Any]):
    """The public names of the package, resolved on use, and the functions of `formulas`."""

    def __missing__(self, name: str) -> Any:
        if name == "formulas":
            return importlib.import_module("irmetrics_edu.documents.formulas")
        if name in vars(irmetrics_edu)["__all__"]:
            return getattr(irmetrics_edu, name)
        raise KeyError(name)


def evaluate(call: str, inputs: Mapping[str, Any] | None = None) -> Any:
    """What a call of a worked example gives: a Python expression over the public names."""
    tree = ast.parse(call, mode="eval")
    for node in ast.walk(tree):
        name = getattr(node, "attr", getattr(node, "id", ""))
        if name.startswith("_"):
            raise InputError(f"{call}: {name} is private")
    names = _Names({**_BUILTINS, **(inputs or {})})
    # The package's own data file, public names alone; globals must be a plain dict, so the
    # names that need looking up are put there first.
    wanted = {
        n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)
    }
    bound = {
        n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
    }
    space = {name: names[name] for name in wanted - bound}
    return eval(compile(tree, call, "eval"), {"__builtins__": {}, **space})  # noqa: S307 -- see above


def _working_behind(call: str, inputs: Mapping[str, Any], result: Any) -> Working | None:
    """The working of the first metric called in the expression."""
    if isinstance(result, Working):
        return result
    if isinstance(getattr(result, "working", None), Working):
        return result.working  # type: ignore[no-any-return]  # just seen to be one
    from irmetrics_edu.aggregation import Aggregate
    from irmetrics_edu.definition import Metric

    for node in ast.walk(ast.parse(call, mode="eval")):
        if not isinstance(node, ast.Call):
            continue
        try:
            function = evaluate(ast.unparse(node.func), inputs)
            if isinstance(function, Metric | Aggregate):
                node.func = ast.Attribute(node.func, "working", ast.Load())
                ast.fix_missing_locations(node)
                found = evaluate(ast.unparse(node), inputs)
            else:
                found = evaluate(ast.unparse(node), inputs)
        except (KeyError, NameError):  # a name bound by a comprehension around it
            continue
        found = getattr(found, "working", found)
        if isinstance(found, Working):
            return found
    return None


def _flat(result: Any) -> list[Any]:
    if isinstance(result, Working):
        return [plain(v) for v in result.score]
    if isinstance(result, np.ndarray | list | tuple):
        return [v for item in result for v in _flat(item)]
    return [plain(result)]


def _same(left: Any, right: Any) -> bool:
    if isinstance(left, bool | str) or isinstance(right, bool | str):
        return type(left) is type(right) and bool(left == right)
    return left == right or bool(abs(left - right) <= _SAME)


_SAME = 1e-12  # two ways to the same float differ in their last bits
