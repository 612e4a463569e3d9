"""The text of a copy's first cell: which exercise it is, and the data of this copy, to be read.

    {"exercise": "04",
     "questions": "graded_relevance 3f2a61c0",
     "data":
      {"contributions": {"grades": [2, 2, 3, 2, 0, 0]}}}

The package has the questions of the course, a file each in `questions/`. So a copy names them, with
their version, and is one file. A copy of a teacher's own exercise holds its questions itself:
packed, so that nobody reads hints by chance. What needs a tag in JSON, such as a tuple, has that of
`plain_values`. A student's own copy has seals, too.

Copies of before held all of this as one packed word. They can still be opened, and are graded.
"""

import base64
import bz2
import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from irmetrics_edu.classroom.exercises.spec import Exercise
from irmetrics_edu.classroom.grading.plain_values import pack
from irmetrics_edu.errors import InputError

QUESTIONS = Path(__file__).parent / "questions"
WIDTH = 96
DIGITS = 8
# The tags of `plain_values`.
TAGS = frozenset({"array", "dict", "float", "fraction", "int", "set", "tuple"})
Inputs = Mapping[str, Any]


@dataclass(frozen=True)
class CopyText:
    """What a first cell says.

    asked   the exercise as plain data: its number, title and questions, and the packed inputs on
            which its functions are tried
    data    the packed inputs of each question that asks for a value
    seals   the seals of a student's data
    changed whether the package has other questions than those that the copy was made with
    """

    asked: Mapping[str, Any]
    data: Mapping[str, Any]
    seals: Mapping[str, str] = field(default_factory=dict)
    changed: bool = False


def asked_of(exercise: Exercise, tried: Mapping[str, Sequence[Inputs]]) -> dict[str, Any]:
    """An exercise as plain data, with the inputs on which its functions are tried."""
    inputs = {}
    for question in exercise.questions:
        if question.kind == "function" and question.name in tried:
            several = [dict(one) for one in tried[question.name]]
            inputs[question.name] = pack(several)
    return {
        "number": exercise.number,
        "title": exercise.title,
        "questions": [question.as_data() for question in exercise.questions],
        "inputs": inputs,
    }


def version_of(asked: Mapping[str, Any]) -> str:
    """The version of questions: other questions have another, whatever number they stand under."""
    parts = {key: value for key, value in asked.items() if key != "number"}
    text = json.dumps(parts, sort_keys=True)
    digest = hashlib.sha256(text.encode())
    return digest.hexdigest()[:DIGITS]


def as_file(asked: Mapping[str, Any]) -> str:
    """The file of the package that has these questions: a question or an input a line."""
    questions = map(_json, asked["questions"])
    inputs = []
    for name, several in asked["inputs"].items():
        lines = [_json(readable(one)) for one in several]
        listed = ",\n   ".join(lines)
        inputs.append(f"  {_json(name)}: [\n   {listed}]")
    parts = [
        f'{{"title": {_json(asked["title"])}',
        ' "questions": [\n  ' + ",\n  ".join(questions) + "]",
        ' "inputs": {\n' + ",\n".join(inputs) + "}}\n",
    ]
    return ",\n".join(parts)


def shipped(name: str) -> dict[str, Any] | None:
    """Questions of the course by their name, without a number; None if the package has none."""
    # A name of the course's only: no path leads out of the folder.
    path = QUESTIONS / f"{Path(name).name}.json"
    if not path.is_file():
        return None
    text = path.read_text(encoding="utf-8")
    asked: dict[str, Any] = json.loads(text)
    asked["inputs"] = _tagged_each(asked["inputs"])
    return asked


def written(copy: CopyText, name: str) -> str:
    """The text of a first cell; `name` is that of the package's file, if it has these questions."""
    data = {}
    for question, inputs in copy.data.items():
        data[question] = readable(inputs)
    parts = [
        f'{{"exercise": {_json(copy.asked["number"])}',
        f' "questions": {_questions(copy.asked, name)}',
        f' "data":\n{_lines(data)}',
    ]
    if copy.seals:
        parts.append(f' "seals":\n{_lines(copy.seals)}')
    return ",\n".join(parts) + "}"


def _questions(asked: Mapping[str, Any], name: str) -> str:
    """The name and the version of questions that the package has; of others, all of them."""
    version = version_of(asked)
    stored = shipped(name)
    if stored is not None and version_of(stored) == version:
        return _json(f"{name} {version}")
    packed = packed_text(asked)
    lines = []
    for start in range(0, len(packed), WIDTH):
        line = packed[start : start + WIDTH]
        lines.append(_json(line))
    return "[\n" + ",\n".join(lines) + "]"


def parsed(text: str) -> CopyText:
    """What a first cell says; InputError if it was changed, or for questions that are not there."""
    try:
        if text.lstrip().startswith("{"):
            return _in_words(json.loads(text))
        return _packed(unpacked_data(text))
    except (ValueError, KeyError, TypeError, AttributeError, OSError, RecursionError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(
            f"the first cell was changed and can't be read ({error}); copy it again from "
            "the original notebook"
        ) from None


def _in_words(told: Mapping[str, Any]) -> CopyText:
    data = _tagged_each(told["data"])
    seals = told.get("seals", {})
    questions = told["questions"]
    if isinstance(questions, list):
        return CopyText(unpacked_data("".join(questions)), data, seals)
    name, version = questions.split()
    asked = shipped(name)
    if asked is None or not _fit(asked, data):
        raise InputError(
            f"the questions {questions} of this copy are not in the irmetrics-edu that is "
            "installed; install the version that the copy was made with, or write the exercise "
            "anew with: irmetrics-edu course DIR"
        )
    changed = version_of(asked) != version
    return CopyText({**asked, "number": told["exercise"]}, data, seals, changed=changed)


def _fit(asked: Mapping[str, Any], data: Mapping[str, Any]) -> bool:
    """Whether each question that asks for a value has data in the copy, and none is left over."""
    values = {q["name"] for q in asked["questions"] if q["kind"] == "value"}
    return values == data.keys()


def _packed(told: Mapping[str, Any]) -> CopyText:
    """What a copy of before says, which held the data of values among its inputs."""
    asked = dict(told)
    seals = asked.pop("seals", {})
    inputs = dict(told["inputs"])
    data = {}
    for question in told["questions"]:
        name = question["name"]
        if question["kind"] == "value" and name in inputs:
            [data[name]] = inputs.pop(name)
    asked["inputs"] = inputs
    return CopyText(asked, data, seals)


def packed_text(data: Mapping[str, Any]) -> str:
    """Plain data as one long word, for what is run and not read: the hidden inputs of a test."""
    text = json.dumps(
        data,
        ensure_ascii=False,
        separators=(",", ":"),
        sort_keys=True,
    )
    # bzip2 gives the same bytes everywhere; what zlib gives differs between its builds.
    return base64.b64encode(bz2.compress(text.encode())).decode("ascii")


def unpacked_data(text: str) -> dict[str, Any]:
    """What `packed_text` was given; ValueError or OSError for another text."""
    packed = base64.b64decode("".join(text.split()), validate=True)
    data: dict[str, Any] = json.loads(bz2.decompress(packed))
    return data


def readable(packed: Any) -> Any:
    """Packed data with a dict as a dict of JSON, wherever its keys are text.

    >>> readable({"dict": [["k", 3], ["pair", {"tuple": [1, {"dict": [[7, "x"]]}]}]]})
    {'k': 3, 'pair': {'tuple': [1, {'dict': [[7, 'x']]}]}}
    """
    if isinstance(packed, list):
        return [readable(one) for one in packed]
    if not isinstance(packed, dict):
        return packed
    [(tag, inner)] = packed.items()
    if tag != "dict" or not _may_be_object(inner):
        return {tag: readable(inner)}
    shown = {}
    for key, value in inner:
        shown[key] = readable(value)
    return shown


def _may_be_object(pairs: Sequence[Any]) -> bool:
    """Whether a dict can be an object of JSON: its keys are text, and not a tag alone."""
    keys = [key for key, _ in pairs]
    if any(not isinstance(key, str) for key in keys):
        return False
    return len(keys) != 1 or keys[0] not in TAGS


def tagged(shown: Any) -> Any:
    """What `readable` was given.

    >>> tagged({"k": 3, "pair": {"tuple": [1, {"dict": [[7, "x"]]}]}})
    {'dict': [['k', 3], ['pair', {'tuple': [1, {'dict': [[7, 'x']]}]}]]}
    """
    if isinstance(shown, list):
        return [tagged(one) for one in shown]
    if not isinstance(shown, dict):
        return shown
    keys = list(shown)
    if len(keys) == 1 and keys[0] in TAGS:
        [tag] = keys
        return {tag: tagged(shown[tag])}
    pairs = []
    for key, value in shown.items():
        pairs.append([key, tagged(value)])
    return {"dict": pairs}


def _tagged_each(named: Mapping[str, Any]) -> dict[str, Any]:
    packed = {}
    for name, shown in named.items():
        packed[name] = tagged(shown)
    return packed


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _lines(values: Mapping[str, Any]) -> str:
    """An object of JSON, a name a line."""
    lines = []
    for name, value in values.items():
        lines.append(_wrapped(name, value))
    body = ",\n".join(lines)
    return "  {" + body.lstrip() + "}"


def _wrapped(name: str, value: Any) -> str:
    """A name and its value in lines of a readable length, broken behind commas."""
    text = f"   {_json(name)}: "
    lines = []
    for piece in _between_commas(value):
        if len(text) + len(piece) > WIDTH:
            lines.append(text.rstrip())
            text = "     "
        text += piece
    lines.append(text)
    return "\n".join(lines)


def _between_commas(value: Any) -> list[str]:
    """A value as JSON, cut behind each comma that separates two parts."""
    pieces = [""]
    encoder = json.JSONEncoder(ensure_ascii=False)
    for chunk in encoder.iterencode(value):
        if chunk.startswith(", "):
            pieces[-1] += ", "
            pieces.append("")
        pieces[-1] += chunk.removeprefix(", ")
    return pieces
