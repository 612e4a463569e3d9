"""The result of marking a submission, and how results are kept: one file for each."""

import codecs
import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from enum import StrEnum
from pathlib import Path
from typing import NotRequired, TypeAlias, TypedDict

from irmetrics_edu import writing
from irmetrics_edu.classroom.marking.collecting.notebook import clean
from irmetrics_edu.views.formatting import csv_table
from irmetrics_edu.views.language import restored, stored

# What a file of JSON holds.
Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"

GRADED = "graded"
PARTLY = "partly graded"
UNREADABLE = "unreadable"
ELSEWHERE = "another exercise"


class WhyOpen(StrEnum):
    """Why a program gave no marks: the machine failed, or it is not known what is right."""

    NOBODYS = "nobody's copy"
    OTHER_DATA = "data of another source"
    FAILED = "could not be graded"


@dataclass(frozen=True)
class QuestionMark:
    """The marks for one question, and the feedback on it.

    `judged` is False if the machine failed, not the student; then there are no marks, and
    `why_open` is the reason. `label` and `says` name the mistake. `text` and `told` are the
    feedback for the student, and `read` says where to read on. `answer` is the packed answer to a
    "value" question. `carried` are the earlier questions whose right answers replaced the student's
    in the run that earned these marks. A `bonus` is above the total. `seen` is for the teacher to
    look at.
    """

    name: str
    title: str
    out_of: float
    marks: float = 0.0
    judged: bool = True
    label: str = ""
    says: str = ""
    text: str = ""
    told: tuple[str, ...] = ()
    read: str = ""
    answer: Json = None
    limit: str = ""
    tampered: bool = False
    carried: tuple[str, ...] = ()
    bonus: bool = False
    seen: tuple[str, ...] = ()
    why_open: str = ""

    @classmethod
    def from_data(cls, data: Json) -> "QuestionMark":
        """The marks from plain data, of an earlier version too; TypeError if they are none."""
        if not isinstance(data, dict):
            raise TypeError("a question that is no object")
        values: dict[str, object] = dict(data)
        for name in ("told", "carried", "seen"):
            values[name] = tuple(_listed(data.get(name, [])))
        return cls(**values)  # type: ignore[arg-type]  # a missing field is a TypeError

    @property
    def right(self) -> bool:
        """Whether all its marks were given."""
        return self.judged and self.marks == self.out_of


@dataclass(frozen=True)
class Result:
    """The result of one submission: its state, its marks, and notes for student and teacher.

    `status` is graded, partly graded (the rest is for the teacher), unreadable, or of another
    exercise: then `why` and `remedy` say what to do, and there are no marks, not even 0. `inputs`
    is a digest of all that the marks depend on, `file` one of what was handed in, and `python` the
    version that graded. `code` is what similarity is judged by. `language` is that of the copy, and
    of the feedback on its questions.
    """

    path: str
    student: str
    exercise: str
    title: str
    status: str
    inputs: str
    tier: str = ""
    holds: str = ""
    secure: bool = False
    python: str = ""
    why: str = ""
    remedy: str = ""
    questions: tuple[QuestionMark, ...] = ()
    told: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    code: tuple[int, ...] = ()
    file: str = ""
    language: str = ""

    @classmethod
    def from_data(cls, data: Mapping[str, Json]) -> "Result":
        """The result from plain data, of an earlier version too; TypeError or KeyError if not."""
        values: dict[str, object] = {}
        for field in fields(cls):
            if field.name in data:
                values[field.name] = data[field.name]
        values["questions"] = tuple(map(QuestionMark.from_data, _listed(data["questions"])))
        for name in ("told", "notes", "code"):
            values[name] = tuple(_listed(data[name]))
        words = data.get("words")
        if isinstance(words, dict):
            values |= {name: restored(words[name]) for name in SENTENCES}
        return cls(**values)  # type: ignore[arg-type]  # a missing field is a TypeError


def _listed(value: Json) -> list[Json]:
    if not isinstance(value, list):
        raise TypeError("no list")
    return value


# An entry of marks.json: the marks of a student for an exercise; None where they are not known.
MarkEntry = TypedDict(
    "MarkEntry",
    {
        "student": str,
        "exercise": str,
        "status": str,
        "file": str,
        "late": str,
        "raw": float | None,
        "penalty": float | None,
        "marks": float | None,
        "out of": float | None,
        "questions": dict[str, float | None],
        "group": NotRequired[str],
    },
)


_RESERVED = {"con", "prn", "aux", "nul", *(f"{p}{i}" for p in ("com", "lpt") for i in range(10))}


def write(path: Path, content: str | bytes) -> None:
    """Write a file unless it has this content already.

    A table begins with the mark of UTF-8, without which Excel takes its letters for others.
    """
    data = content.encode("utf-8", "replace") if isinstance(content, str) else content
    if path.suffix == ".csv":
        data = codecs.BOM_UTF8 + data
    if not (path.is_file() and path.read_bytes() == data):
        writing.write(path, data)


def as_csv(lines: Iterable[Iterable[object]]) -> str:
    """A table of the grader's own; what is not known is an empty cell."""
    return csv_table(([_cell(value) for value in line] for line in lines), end="\r\n")


def _cell(value: object) -> str:
    if value is None:
        return ""
    return f"{value:g}" if isinstance(value, int | float) else clean(value, 5_000)


def file_name(name: str) -> str:
    """A name that every file system can hold, different for different names."""
    safe = re.sub(r"[^\w.\-@ ]", "_", name).strip(" .")[:60]
    plain = safe == name and safe.lower() == safe and safe.lower() not in _RESERVED
    digest = hashlib.sha256(name.encode("utf-8", "replace")).hexdigest()[:8]
    return safe if plain and safe else f"{safe or 'student'}-{digest}"


def kept(folder: Path) -> dict[str, Result]:
    """The results that are kept, by the path of the submission; a broken file counts as none."""
    results: dict[str, Result] = {}
    for path in sorted((folder / "results").glob("*.json")):
        try:
            result = Result.from_data(json.loads(path.read_text(encoding="utf-8")))
        except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
            continue
        results[result.path] = result
    return results


# The fields of a result that can be said in another language.
SENTENCES = ("why", "remedy")


def _by_name(one: Result | QuestionMark) -> dict[str, object]:
    """The fields by name, as they are: `asdict` would copy each number of a long code."""
    return {field.name: getattr(one, field.name) for field in fields(one)}


def as_stored(result: Result) -> dict[str, object]:
    """A result as plain data; `words` has its sentences so that they can be said anew."""
    data = _by_name(result)
    data["questions"] = list(map(_by_name, result.questions))
    if result.why:
        data["words"] = {name: stored(getattr(result, name)) for name in SENTENCES}
    return data


def save(folder: Path, result: Result) -> None:
    """Keep a result."""
    text = json.dumps(as_stored(result), ensure_ascii=True, indent=1) + "\n"
    write(folder / "results" / f"{file_name(result.path)}.json", text)
