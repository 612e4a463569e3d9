"""A question of an exercise: its right answer, the mistakes it names, the inputs it is tried on.

Nobody types a right answer: `expected` is an expression over the package's public names and the
inputs, so the package computes the answer. A mistake of the catalogue is the same expression with
the wrong metric in place of the right one.
"""

import ast
import difflib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from random import Random
from typing import Any

from irmetrics_edu.classroom.exercises.spec_fields import (
    refuse_repeated,
    refuse_unfit_name,
    refuse_unless_count,
    refuse_unless_listed,
    refuse_unless_number,
    refuse_unless_text,
)
from irmetrics_edu.classroom.grading.plain_values import pack, unpack
from irmetrics_edu.errors import InputError
from irmetrics_edu.views.language import said

KINDS = ("function", "value")

Inputs = Mapping[str, Any]


@dataclass(frozen=True)
class Wrong:
    """A mistake: `says` completes "your values equal those of ...".

    `expected` is the expression of a mistake of one question alone.
    """

    label: str
    says: str
    expected: str = ""
    why: str = ""
    read: str = ""

    @property
    def sentence(self) -> str:
        """One sentence that names it."""
        return said("Your values equal those of {says}.", says=self.says)


_LISTS: Mapping[str, tuple[type, str]] = {
    "mistakes": (str, '["natural-logarithm"]'),
    "wrongs": (Wrong, '[Wrong("sum-alone", "the sum of the grades", "cg(grades)")]'),
    "hints": (str, '["Divide the second grade by the log of 3."]'),
    "edges": (Mapping, '[{"grades": [], "k": 3}]'),
    "packages": (str, '("numpy",)'),
    "parts": (str, '["the first value", "the second value"]'),
}


@dataclass(frozen=True)
class Question:
    """A question: what the student defines under `name`, and what is right.

    kind      "function": called with the inputs, by position; "value": read as it stands, for the
              inputs that this copy of the notebook has
    expected  an expression over the inputs, the public names and `names`
    names     metrics under names of their own, {"score": "nDCG(gain=exp)@3"}, and other public
              objects, {"latency": "irmetrics_edu.lab.efficiency.measures:latency"}
    inputs    draws inputs from a seeded source; those that tell too little are drawn again
    edges     inputs on which mistakes need not differ: an empty list, a cut beyond the end
    prefix    the input whose beginnings are tried one by one, to find the first line that differs
    column    the column of the working that such a line is read from
    line      what a line is called: rank, query, item
    mistakes  labels of the catalogue; `wrongs`: mistakes of this question alone
    jointly   whether mistakes are told apart by all inputs together rather than by each
    harness   code that runs after the student's and defines `calls`, which is called in their
              place; it holds no expected value
    packages  what may be imported besides the standard library where it is graded
    partly    whether each number of a list, table or dict counts: marks in proportion to those that
              are right, less what guessing can bring
    bonus     whether its marks are above the total of the exercise
    asks      what a quiz asks, in words, or no quiz has it; `parts`: what each value of a list is
    """

    name: str
    expected: str
    inputs: Callable[[Random], Inputs] | None = None
    kind: str = "function"
    title: str = ""
    marks: float = 2.0
    names: Mapping[str, str] = field(default_factory=dict)
    edges: Sequence[Inputs] = ()
    prefix: str = ""
    column: str = ""
    line: str = "rank"
    mistakes: Sequence[str] = ()
    wrongs: Sequence[Wrong] = ()
    hints: Sequence[str] = ()
    tolerance: float = 1e-6
    tries: int = 6
    jointly: bool = False
    harness: str = ""
    calls: str = ""
    packages: Sequence[str] = ("numpy",)
    partly: bool = False
    bonus: bool = False
    asks: str = ""
    parts: Sequence[str] = ()

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise InputError(f"question {self.name}: kind {self.kind!r}; give one of {KINDS}")
        refuse_unfit_name(self.name)
        where = f"question {self.name}"
        refuse_unless_number(f"{where}, marks", self.marks)
        refuse_unless_number(f"{where}, tolerance", self.tolerance)
        refuse_unless_count(f"{where}, tries", self.tries)
        for name in ("expected", "title", "prefix", "column", "line"):
            refuse_unless_text(f"{where}, {name}", getattr(self, name))
        for name, (kind, example) in _LISTS.items():
            refuse_unless_listed(f"{where}, {name}", getattr(self, name), kind, example)
        self._refuse_unfit_mistakes(where)
        if self.edges and self.kind == "value":
            raise InputError(
                f"{where}, edges: a value has no edge cases, as nothing is called; give "
                'kind="function"'
            )
        if self.harness and not self.calls:
            raise InputError(f"{where}: say what the harness defines, calls='...'")

    def _refuse_unfit_mistakes(self, where: str) -> None:
        """InputError for a mistake without an expression."""
        for wrong in self.wrongs:
            if not wrong.expected:
                raise InputError(
                    f"{where}, wrongs: {wrong.label!r} has no expression for its value; write "
                    'Wrong("sum-alone", "the sum of the grades", "cg(grades)")'
                )

    def refuse_unknown(self) -> None:
        """InputError for a name that an expression can't have, or a mistake that is not known."""
        from irmetrics_edu.course.expressions import FUNCTIONS, unknown
        from irmetrics_edu.diagnosis.mistakes import MISTAKES

        names = [*self.own, *self.sample]
        for call in [self.expected, *(w.expected for w in self.wrongs if w.expected)]:
            for name, names_like_it in unknown(call, names).items():
                fault = "neither an input, nor in names={...}, nor a public name of the package"
                python = f"nor one of Python's {', '.join(sorted(FUNCTIONS))}"
                raise InputError(
                    f"{name!r} in {call!r} is {fault}, {python}{like(name, names_like_it)}"
                )
        for label in self.mistakes:
            if label not in MISTAKES:
                raise InputError(f"no mistake is called {label!r}{like(label, MISTAKES)}")
        refuse_repeated("mistakes and wrongs", self.labels)
        self._require_mistakes()

    def draw(self, rng: Random) -> Inputs:
        """Inputs from a source of random numbers; InputError if the question can't draw any."""
        if self.inputs is None:
            raise InputError(f"question {self.name} has nothing that draws its inputs")
        return self.inputs(rng)

    @cached_property
    def sample(self) -> Inputs:
        """The inputs of one draw, for their names; InputError if they can't be drawn."""
        try:
            inputs = self.draw(Random(0))
        except InputError:
            raise
        except Exception as error:
            what = f"{type(error).__name__}: {error}"
            raise InputError(f"its inputs can't be drawn: {what}; correct `inputs`") from error
        if not isinstance(inputs, Mapping):
            raise InputError(
                f"its inputs are {inputs!r}; return a dict of names and values, such as "
                '{"grades": [3, 2, 0]}'
            )
        return inputs

    def right(self, inputs: Inputs) -> Any:
        """The right answer for these inputs, as plain data; computed once."""
        at = "", repr(inputs)
        if at not in self._known:
            self._known[at] = _evaluated(self.expected, {**self.own, **inputs})
        return self._known[at]

    def wrong(
        self,
        label: str,
        inputs: Inputs,
    ) -> Any:
        """The value of the mistake for these inputs, as plain data; computed once."""
        at = label, repr(inputs)
        if at not in self._known:
            of_its_own = {wrong.label: wrong.expected for wrong in self.wrongs}
            names = self.own if label in of_its_own else self._mistaken[label]
            expression = of_its_own.get(label, self.expected)
            self._known[at] = _evaluated(expression, {**names, **inputs})
        return self._known[at]

    @cached_property
    def _known(self) -> dict[tuple[str, str], Any]:
        """The values computed so far, by the label of the mistake ("" for none) and the inputs."""
        return {}

    def computed(self, inputs: Inputs, names: Mapping[str, Any]) -> Any:
        """What the expression gives with other objects under these names."""
        return _evaluated(self.expected, {**self.own, **names, **inputs})

    @property
    def labels(self) -> list[str]:
        """The mistakes that apply, by label."""
        return [*self.mistakes, *(wrong.label for wrong in self.wrongs)]

    def naming(self, label: str) -> Wrong:
        """The mistake with its texts."""
        from irmetrics_edu.diagnosis.mistakes import MISTAKES

        for wrong in self.wrongs:
            if wrong.label == label:
                return replace(
                    wrong,
                    says=said(wrong.says),
                    why=said(wrong.why),
                )
        m = MISTAKES[label]
        return Wrong(
            label,
            said(m.says),
            why=said(m.why),
            read=m.read,
        )

    @cached_property
    def own(self) -> dict[str, Any]:
        """What the expression calls by the names of `names`."""
        return {name: _named(text) for name, text in self.names.items()}

    @cached_property
    def used(self) -> dict[str, Any]:
        """The metrics that the expression uses, by the names that it has for them."""
        import irmetrics_edu
        from irmetrics_edu.metrics.definition import Metric

        used = {n.id for n in ast.walk(ast.parse(self.expected)) if isinstance(n, ast.Name)}
        public = {n: getattr(irmetrics_edu, n) for n in used if n in vars(irmetrics_edu)["__all__"]}
        return {n: m for n, m in {**public, **self.own}.items() if isinstance(m, Metric)}

    @cached_property
    def _mistaken(self) -> dict[str, dict[str, Any]]:
        """For each mistake of the catalogue, the names of the expression with the wrong metric."""
        return {label: {**self.own, **self._exchanged(label)} for label in self.mistakes}

    def _require_mistakes(self) -> None:
        """InputError if the expression uses no metric in which one of the mistakes is made."""
        for label in self.mistakes:
            self._exchanged(label)

    def _exchanged(self, label: str) -> dict[str, Any]:
        """The metrics of the expression in which a mistake is made, each with the mistake."""
        from irmetrics_edu.diagnosis.mistakes import MISTAKES

        mistake = MISTAKES[label]
        exchanged = {}
        for name, metric in self.used.items():
            if metric.name in mistake.metrics:
                exchanged[name] = mistake.instead_of(metric)
        if not exchanged:
            raise InputError(
                f"question {self.name}: {label!r} is a mistake in {', '.join(mistake.metrics)},"
                f" and {self.expected!r} uses none of them"
            )
        return exchanged

    def as_data(self) -> dict[str, Any]:
        """The question as plain data, without what draws its inputs and what a quiz says."""
        left_out = {"inputs", "asks", "parts"}
        # Only where they are set: a copy of an exercise without them stays as it is.
        left_out |= {name for name in ("partly", "bonus") if not getattr(self, name)}
        return {
            **{f.name: getattr(self, f.name) for f in fields(self) if f.name not in left_out},
            "edges": pack([dict(e) for e in self.edges]),
            "wrongs": [
                [
                    w.label,
                    w.says,
                    w.expected,
                    w.why,
                ]
                for w in self.wrongs
            ],
        }

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> "Question":
        """The question that `as_data` gave, without what draws its inputs."""
        made = dict(data)
        made["edges"] = unpack(made["edges"])
        made["wrongs"] = [Wrong(*words) for words in made["wrongs"]]
        return cls(**made)


@dataclass(frozen=True)
class Trial:
    """All inputs on which one question is tried, in order.

    `general` inputs decide the marks and `edges` are special cases. `prefixes` are the beginnings
    of one input; they show the first line that differs. Of `hidden` general inputs no right value
    is shown, only of `examples`, which give no marks.
    """

    general: Sequence[Inputs]
    edges: Sequence[Inputs] = ()
    prefixes: Sequence[Inputs] = ()
    examples: Sequence[Inputs] = ()
    hidden: bool = False

    def __iter__(self) -> Iterator[Inputs]:
        yield from self.general
        yield from self.edges
        yield from self.prefixes
        yield from self.examples

    def __len__(self) -> int:
        return sum(map(len, (self.general, self.edges, self.prefixes, self.examples)))


def like(word: str, words: Iterable[str]) -> str:
    """The known words that are most like one, as the end of an error."""
    near = difflib.get_close_matches(
        word,
        sorted(words),
        cutoff=0.5,
    )
    return f"; most like it: {', '.join(near)}" if near else ""


def _named(text: str) -> Any:
    """A metric in the field's notation, or an object of the package as module:name."""
    from irmetrics_edu.metrics.notation import object_named, parse

    module, colon, name = text.partition(":")
    if not colon:
        return parse(text)
    if not module.startswith("irmetrics_edu.") or name.startswith("_"):
        raise InputError(f"{text}: give a public name of the package, irmetrics_edu.module:name")
    target = object_named(text, text)
    if target is None:
        raise InputError(f"{text}: {module} has no {name}; give a public name of the package")
    return target


def _evaluated(expression: str, names: Mapping[str, Any]) -> Any:
    import numpy as np

    from irmetrics_edu.course.expressions import evaluate

    with np.errstate(all="ignore"):  # a mistake may well divide by 0
        return plain(evaluate(expression, names))


def literal(value: Any) -> str:
    """A value as Python writes it, the elements of sets in order: the same on every run."""
    if isinstance(value, (set, frozenset)):
        if value:
            return "{" + ", ".join(sorted(map(literal, value))) + "}"
        return "set()"
    if isinstance(value, dict):
        return "{" + ", ".join(entries(value)) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(literal, value)) + "]"
    if isinstance(value, tuple):
        return "(" + ", ".join(map(literal, value)) + ("," if len(value) == 1 else "") + ")"
    return repr(value)


def entries(value: Mapping[Any, Any]) -> list[str]:
    """The entries of a dict, each as Python writes it."""
    return [f"{literal(key)}: {literal(item)}" for key, item in value.items()]


def plain(value: Any) -> Any:
    """A value as plain data: arrays as lists, numpy's numbers as Python's."""
    return unpack(pack(value))
