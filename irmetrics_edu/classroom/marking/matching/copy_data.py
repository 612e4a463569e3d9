"""The data that a copy was handed out with: read from its first cell, and known by their seal.

The inputs of a "value" question are drawn for each student. Whether a draw is taken hangs on the
right answer and on the mistakes that are named, so a source that was changed after the hand-out
draws others. The student worked on those in the copy. So a copy has a seal of its data, which only
who has the course key can make, and is marked by its own data. Data without a seal that differ from
what is drawn now can't be judged: nothing is marked 0.
"""

import base64
import bz2
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from irmetrics_edu.classroom.exercises.computed_question import Inputs, Question
from irmetrics_edu.classroom.exercises.copy_text import tagged
from irmetrics_edu.classroom.exercises.variants import Variant
from irmetrics_edu.classroom.grading.plain_values import NotPlain, pack, parts_of, unpack
from irmetrics_edu.classroom.marking.matching.answer_key import AnswerKey
from irmetrics_edu.views.language import LANGUAGES

# What a first cell may hold: those of the course have a tenth of it.
LONGEST_TEXT = 400_000
LONGEST_DATA = 4_000_000
MOST_PARTS = 5_000
# A text in plain words; or, in copies of before, one packed word.
_BEGIN = re.compile(
    r"\bbegin\(\s*(?:"
    r"r?\"{3}(?P<text>\s*\{(?:(?!\"{3})[\s\S])*)\"{3}"
    r"|(?:\"{3}|'{3})(?P<packed>[A-Za-z0-9+/=\s]+)(?:\"{3}|'{3}))"
)

_LANGUAGE = re.compile(r"(?:\"{3}|'{3})\s*,\s*language\s*=\s*[\"']([a-z]{2})[\"']\s*\)")


@dataclass(frozen=True)
class CopyData:
    """The data of a copy by question, where they are not those that are drawn now.

    `own` are proved to be those of the hand-out. Answers to `unknown` questions can't be judged.
    """

    own: Mapping[str, Inputs] = field(default_factory=dict)
    unknown: tuple[str, ...] = ()


@dataclass(frozen=True)
class Handed:
    """What the first cell of a notebook holds: the exercise, packed inputs and seals by question.

    Everything in it may be made up.
    """

    number: str
    inputs: Mapping[str, Any]
    seals: Mapping[str, str]


def data_of(
    cells: Sequence[str],
    answer_key: AnswerKey,
    student: str,
    owner: str,
    names: Iterable[str],
) -> CopyData:
    """The data of a student's notebook, beside those that are drawn for the student now.

    `owner` is whose fingerprint it has, and `names` are all who may have a copy. Another's data are
    none of the student's: then the answer is judged by the student's own.
    """
    handed = packed_in(cells)
    if handed is None or handed.number != answer_key.source.exercise.number:
        return CopyData()
    copy_inputs: dict[str, Inputs] = {}
    unknown: list[str] = []
    for question in answer_key.questions:
        if question.kind != "value" or question.name not in handed.inputs:
            continue
        packed = handed.inputs[question.name]
        drawn = [_drawn(answer_key, question, who) for who in dict.fromkeys([student, owner, ""])]
        if packed in [pack(dict(one)) for one in drawn]:
            continue
        seal = handed.seals.get(question.name, "")
        sealed = _sealed_for(
            seal,
            answer_key,
            question.name,
            packed,
            [student, *names],
        )
        if sealed == student:
            inputs = _inputs(packed, drawn[0])
            if inputs is not None:
                copy_inputs[question.name] = inputs
                continue
        if sealed in {"", student}:
            unknown.append(question.name)
    return CopyData(copy_inputs, tuple(unknown))


def inputs_in(
    cells: Sequence[str],
    answer_key: AnswerKey,
    question: Question,
    like: Inputs,
) -> Inputs | None:
    """The inputs of a question that the first cell of a notebook holds; None if it holds none.

    They are the data of the copy that the student has, be it another's.
    """
    handed = packed_in(cells)
    if handed is None or handed.number != answer_key.source.exercise.number:
        return None
    packed = handed.inputs.get(question.name)
    return _inputs(packed, like) if packed is not None else None


def language_in(cells: Sequence[str]) -> str | None:
    """The language in which the first call of `begin` has the feedback; "" for English.

    None if there is no such call, so that the notebook doesn't tell.
    """
    for cell in cells:
        match = _BEGIN.search(cell[:LONGEST_TEXT])
        if match is None:
            continue
        language = _LANGUAGE.match(cell, match.end(match.lastgroup or 0))
        return language[1] if language and language[1] in LANGUAGES else ""
    return None


def packed_in(cells: Sequence[str]) -> Handed | None:
    """What the first call of `begin` holds that can be read; None if there is none."""
    for cell in cells:
        match = _BEGIN.search(cell[:LONGEST_TEXT])
        if match is None:
            continue
        try:
            if match["text"]:
                told = json.loads(match["text"])
                number = str(told["exercise"])
                inputs = {name: tagged(one) for name, one in told["data"].items()}
            else:
                raw = base64.b64decode("".join(match["packed"].split()), validate=True)
                told = json.loads(bz2.BZ2Decompressor().decompress(raw, LONGEST_DATA))
                number = str(told["number"])
                inputs = {name: several[0] for name, several in told["inputs"].items()}
            seals = {name: str(seal) for name, seal in told.get("seals", {}).items()}
        except (ValueError, LookupError, TypeError, OSError, AttributeError, RecursionError):
            continue
        # Nothing bigger is compared, or becomes a key of anything.
        inputs = {
            n: one if parts_of(one, MOST_PARTS) <= MOST_PARTS else None for n, one in inputs.items()
        }
        return Handed(number, inputs, seals)
    return None


def _drawn(answer_key: AnswerKey, question: Question, student: str) -> Inputs:
    """The inputs of a copy as they are drawn now; of the general copy for ""."""
    return answer_key.trial(question, student, general=not student).general[0]


def _sealed_for(
    seal: str,
    answer_key: AnswerKey,
    question: str,
    packed: Any,
    names: Iterable[str],
) -> str:
    """Whose data these are by their seal; "" if it is nobody's."""
    for name in names:
        variant = Variant(name, answer_key.key) if name else None
        if (
            seal
            and variant
            and variant.seal(answer_key.source.exercise.number, question, packed) == seal
        ):
            return name
    return ""


def _inputs(packed: Any, like: Inputs) -> Inputs | None:
    """The inputs, if the question can still be asked of them."""
    try:
        inputs = unpack(packed)
    except NotPlain:
        return None
    return inputs if isinstance(inputs, dict) and inputs.keys() == like.keys() else None
