"""The result of a diagnosis (candidates, mistakes, nearest scores) and its text."""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from irmetrics_edu.conventions import Convention
from irmetrics_edu.diagnosis.evidence import Evidence
from irmetrics_edu.diagnosis.mistakes import Mistake
from irmetrics_edu.diagnosis.printed import Target
from irmetrics_edu.diagnosis.switches import Setting
from irmetrics_edu.libraries import BUNDLES
from irmetrics_edu.views.result_table import Report

_SHOWN = 6
_OTHERS_SHOWN = 3  # measures


@dataclass(frozen=True, eq=False)
class Candidate:
    """A convention that gives the value: what to change, which libraries follow it, its score."""

    setting: Setting
    arguments: Mapping[str, Any]  # by name, as a call takes them; {} for our defaults
    differences: Sequence[str]  # "gain: exp (2 to the power of the grade, less 1), ours linear"
    libraries: Sequence[str]
    score: float
    call: str  # runs, with the inputs under their names

    @property
    def written(self) -> str:
        """The arguments as they are written in a call: gain="exp"."""
        return written(self.arguments)

    def facts(self) -> dict[str, Any]:
        """In plain values."""
        return {
            "arguments": {name: _plain(v) for name, v in self.arguments.items()},
            "differences": list(self.differences),
            "libraries": list(self.libraries),
            "score": self.score,
            "call": self.call,
        }


@dataclass(frozen=True, eq=False)
class FoundMistake:
    """A mistake of the catalogue that gives the value, perhaps under other conventions."""

    mistake: Mistake
    score: float
    arguments: Mapping[str, Any] = field(default_factory=dict)  # {} under our defaults
    libraries: Sequence[str] = ()  # that have these arguments

    @property
    def under(self) -> str:
        """The conventions that it was made under, as words; "" under ours."""
        if not self.arguments:
            return ""
        return f" under {written(self.arguments)}{some_of(self.libraries)}"

    def facts(self) -> dict[str, Any]:
        """In plain values."""
        m = self.mistake
        return {
            "label": m.label,
            "sentence": m.sentence,
            "why": m.why,
            "read": m.read,
            "score": self.score,
            "arguments": {name: _plain(value) for name, value in self.arguments.items()},
            "libraries": list(self.libraries),
        }


@dataclass(frozen=True, eq=False)
class Distinction:
    """A small input on which the candidates differ: its value leaves only one of them."""

    ranking: Any
    judgments: Any
    values: Sequence[tuple[str, float]]  # what each candidate gives

    def lines(self) -> list[str]:
        """The input to measure, and the value of each candidate."""
        width = max(len(name) for name, _ in self.values)
        return [
            "To tell them apart, measure one more:",
            f"  ranking    {self.ranking}",
            f"  judgments  {self.judgments}",
            *(f"    {name:<{width}}  {value:.4f}" for name, value in self.values),
        ]


@dataclass(frozen=True, eq=False)
class Diagnosis(Report):
    """Which conventions and which mistakes give a value of a measure on an input.

    `candidates` are the conventions that give the value within its printed digits. Ours comes
    first, then those of the most used libraries (an estimate, `use` of a bundle), then those with
    the fewest changes. `mistakes` are mistakes of the catalogue. `distinction` is a small input on
    which several candidates differ. If nothing gives the value, `nearest` holds the nearest scores.
    """

    measure: str
    target: Target
    ours: float | None  # what our default gives
    why_not: str  # why our default gives nothing
    candidates: Sequence[Candidate]
    mistakes: Sequence[FoundMistake]
    distinction: Distinction | None
    nearest: Sequence[tuple[str, float, float]]  # what, its score, how far off
    scored: int  # how many settings were tried
    untried: Sequence[str] = ()  # what would take too long
    rounded_twice: bool = False  # only as a number that was rounded before is it explained
    unordered: Sequence[str] = ()  # libraries that promise no order of these ties
    _of_order: Sequence[str] = ()  # why the order of documents may be another one than is meant
    percent: bool = False  # whether it is too large for the measure, and may be in percent
    others: Sequence[tuple[str, float]] = ()  # measures that give it, if this one does not
    evidence: Evidence | None = None  # how much one value says
    has_judgments: bool = True  # and not orders or counts alone
    interrupted_of: int | None = None  # of how many settings, where somebody stopped the search

    @property
    def explained(self) -> bool:
        """Whether anything gives the value."""
        return bool(self.candidates or self.mistakes)

    @property
    def explanations(self) -> list[Candidate | FoundMistake]:
        """The conventions that give the value, then the mistakes."""
        return [*self.candidates, *self.mistakes]

    def facts(self) -> dict[str, Any]:
        """In plain values, as JSON has them."""
        return {
            "measure": self.measure,
            "value": self.target.text,
            "explained": self.explained,
            "default": self.ours,
            "candidates": [c.facts() for c in self.candidates],
            "mistakes": [m.facts() for m in self.mistakes],
            "told_apart_by": None
            if self.distinction is None
            else {
                "ranking": self.distinction.ranking,
                "judgments": _plain(self.distinction.judgments),
                "values": dict(self.distinction.values),
            },
            "nearest": [{"what": w, "score": s, "off": d} for w, s, d in self.nearest],
            "rounded_twice": self.rounded_twice,
            "settings_tried": self.scored,
            "interrupted_of": self.interrupted_of,
            "not_tried": list(self.untried),
            "unordered_by": list(self.unordered),
            "of_order": list(self._of_order),
            "others": [{"what": what, "score": score} for what, score in self.others],
            "evidence": None if self.evidence is None else self.evidence.facts(),
        }

    @property
    def _is_uncertain(self) -> bool:
        """Whether a name may well be chance, and our own definition does not give the value."""
        return self.evidence is not None and self.evidence.is_weak and not self._is_plain

    @property
    def text(self) -> str:
        """Plain text."""
        d = self.target.digits
        subject = "the mean of the runs" if self.target.what == "runs" else "it"
        shown = "gives nothing: " + self.why_not if self.ours is None else f"is {self.ours:.{d}f}"
        lines = [f"{self.measure} = {self.target.text}? By our default {subject} {shown}."]
        lines += [f"Note: {sentence}." for sentence in self._of_order]
        lines += self._interrupted()
        if not self.explained:
            is_whole = self.interrupted_of is None
            return "\n".join([*lines, *(self._none(d) if is_whole else [])])
        if self.rounded_twice:
            lines.append("Nothing rounds to it at once. Rounded to more digits first:")
        for c in self.candidates[:_SHOWN]:
            lines += ["", *_candidate(c, self._shown(c.score, c.libraries), self.measure)]
        if len(self.candidates) > _SHOWN:
            lines += ["", f"... and {len(self.candidates) - _SHOWN} more"]
        for m in self.mistakes:
            lines += ["", *_mistake(m, self._shown(m.score), alone=not self.candidates)]
        for sentence in self._certainty():
            lines += ["", sentence]
        if self.distinction is not None:
            lines += self.distinction.lines()
        return "\n".join(lines)

    def _interrupted(self) -> list[str]:
        """How far the search came, if somebody stopped it."""
        if self.interrupted_of is None:
            return []
        lines = [f"Interrupted: {self.scored} of {self.interrupted_of} conventions tried."]
        if self.explained:
            return [f"{lines[0]} What follows is the best answer so far."]
        return [*lines, "None of these gives it."]

    def _certainty(self) -> list[str]:
        """How far the number tells its causes apart, and how much one number says."""
        sentences: list[str] = []
        if len(self.candidates) > 1:
            n = len(self.candidates)
            sentences.append(
                f"{n} conventions give this number; it can't tell you which one was used."
            )
        elif len(self.explanations) > 1:
            n = len(self.explanations)
            sentences.append(f"{n} causes give this number; it can't tell you which one is yours.")
        if self.evidence is not None and not self._is_plain and self.evidence.sentence:
            sentences.append(self.evidence.sentence)
        return sentences

    @property
    def _is_plain(self) -> bool:
        """Whether our own definition gives the value."""
        return any(not candidate.arguments for candidate in self.candidates)

    def _shown(self, score: float, libraries: Sequence[str] = ()) -> str:
        """The score with one more digit than the value; of several runs, the values themselves.

        Where a name may be chance and no library has it, it is given with a "perhaps".
        """
        several = self.target.what == "runs"
        shown = self.target.text if several else f"{score:.{self.target.digits}f}"
        return f"{shown} perhaps" if self._is_uncertain and not libraries else shown

    def _none(self, digits: int) -> list[str]:
        if self.scored == 1:
            lines = ["The one convention does not give it, and no mistake of the catalogue does."]
        else:
            lines = [f"None of {self.scored} conventions and no mistake of the catalogue gives it."]
        if self.others:
            for name, score in self.others[:_OTHERS_SHOWN]:
                lines.append(f"But {name} gives {score:.{digits}f}: was that computed instead?")
            return lines
        return [*lines, *self._what_to_look_for(), *self._what_is_near(digits)]

    def _what_to_look_for(self) -> list[str]:
        """Where a value comes from that nothing gives or comes near to."""
        if self.percent:
            lines = [f"It is too large. If it is in percent, write {self.target.text}%."]
            if self.has_judgments:
                lines.append(
                    "If not, look for documents that count twice, grades below 0, or an ideal that "
                    "is too small: cut at a lower rank, or without the best grades."
                )
            return lines
        if self.nearest:
            return []
        asked = "Are these the inputs that it was computed from?"
        if self.has_judgments:
            asked = "Are all judged documents given, retrieved or not?"
        return [f"Nothing comes near it. {asked}"]

    def _what_is_near(self, digits: int) -> list[str]:
        """The nearest scores, and what was not tried."""
        lines: list[str] = []
        for i, (what, score, off) in enumerate(self.nearest):
            if off < 5 * 10.0**-digits:
                return [*lines, f"But {what} gives {score:.{digits}f}."]
            head = "Nearest: " if i == 0 else "  then   "
            lines.append(f"{head} {score:.{digits}f}, off by {off:.{digits}f}: {what}")
            if self.target.is_cut(score):
                cut = f"that is {self.target.text}"
                lines.append(f"          With its digits cut off and not rounded, {cut}.")
        if self.untried:
            lines.append(f"Not tried on so much data: {'; '.join(self.untried)}.")
        if self.unordered:
            lines.append(
                f"Documents are tied here, and {', '.join(self.unordered)} promise no order of "
                "so many ties: no convention follows them."
            )
        return lines

    def __str__(self) -> str:
        return self.text


def _candidate(c: Candidate, shown: str, measure: str) -> list[str]:
    who = some_of(c.libraries, _SHOWN)
    if not c.arguments:
        return [f"{measure} as we define it gives {shown}{who}."]
    return [
        f"{shown} with {c.written}{who}",
        *(f"  {line}" for line in c.differences),
        f"  To agree, write: {c.call}",
    ]


def some_of(libraries: Sequence[str], most: int = 3) -> str:
    """A few libraries, the most used first, without their names for the measure.

    Those that have it only where their input is made so, as they say in brackets, come last.
    """
    on_terms: dict[str, bool] = {}
    for label in libraries:
        name = re.split(r"[:\[]", label)[0]
        on_terms[name] = on_terms.get(name, True) and "(" in label
    use = {library.name: library.use for library in BUNDLES.values()}
    names = sorted(on_terms, key=lambda name: (on_terms[name], -use[name]))
    shown = ", ".join(names[:most])
    return f" ({shown}{' ...' if len(names) > most else ''})" if names else ""


def _mistake(fitting: FoundMistake, shown: str, *, alone: bool) -> list[str]:
    """A mistake, in full if it is the only explanation, else in one line."""
    m = fitting.mistake
    if not alone:
        return [f"Or the mistake {m.label}{fitting.under}: {m.says}."]
    return [
        f"{shown} by the mistake {m.label}{fitting.under}",
        f"  {m.sentence}",
        f"  {m.why}",
        f"  Read on: {m.read}",
    ]


def _plain(value: Any) -> Any:
    if isinstance(value, (bool, int, float, str, type(None))):
        return value
    if isinstance(value, Mapping):
        return {str(k): _plain(v) for k, v in value.items()}
    if isinstance(value, (set, frozenset)):
        return sorted(map(str, value))
    return str(value)


def written(changes: Mapping[str, Any], *, as_code: bool = False) -> str:
    """Changes as arguments of a call: gain="exp", rel=2; as code, -inf is float("-inf")."""
    arguments: list[str] = []
    for name, value in changes.items():
        if isinstance(value, (Convention, str)):
            arguments.append(f'{name}="{value}"')
        elif as_code and math.isinf(value):
            arguments.append(f'{name}=float("{value:g}")')
        else:
            arguments.append(f"{name}={value:g}")
    return ", ".join(arguments)
