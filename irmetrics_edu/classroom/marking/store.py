"""Results on disk, one file for each submission, and the marks that the teacher gives by hand."""

import codecs
import hashlib
import json
import math
import re
import shutil
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from irmetrics_edu import writing
from irmetrics_edu.classroom.marking.owner_names import folded, misread, normal
from irmetrics_edu.classroom.marking.submission_result import Result
from irmetrics_edu.errors import InputError
from irmetrics_edu.reading.records import table

# Where regraded results lie until all of them are there, and the file that says so.
NEXT, COMPLETE = "results.next", "complete"
HEAD = ("student", "exercise", "question", "marks", "comment")
_RESERVED = {"con", "prn", "aux", "nul", *(f"{p}{i}" for p in ("com", "lpt") for i in range(10))}


@dataclass(frozen=True)
class Manual:
    """The teacher's entry by hand: marks that replace the computed ones, a comment, or both."""

    marks: float | None = None
    comment: str = ""


def write(path: Path, content: str | bytes) -> bool:
    """Write a file unless it has this content already; return whether it was written.

    A table begins with the mark of UTF-8, without which Excel takes its letters for others.
    """
    data = content.encode("utf-8", "replace") if isinstance(content, str) else content
    if path.suffix == ".csv":
        data = codecs.BOM_UTF8 + data
    if path.is_file() and path.read_bytes() == data:
        return False
    writing.write(path, data)
    return True


def file_name(name: str) -> str:
    """A name that every file system can hold, different for different names."""
    safe = re.sub(r"[^\w.\-@ ]", "_", name).strip(" .")[:60]
    plain = safe == name and safe.lower() == safe and safe.lower() not in _RESERVED
    digest = hashlib.sha256(name.encode("utf-8", "replace")).hexdigest()[:8]
    return safe if plain and safe else f"{safe or 'student'}-{digest}"


def results(folder: Path) -> dict[str, Result]:
    """The results that are kept, by the path of the submission; a broken file counts as none."""
    found: dict[str, Result] = {}
    files = sorted((folder / "results").glob("*.json"))
    if (folder / NEXT / COMPLETE).is_file():
        files += sorted((folder / NEXT).glob("*.json"))  # they replace those of before
    for path in files:
        try:
            result = Result.from_data(json.loads(path.read_text(encoding="utf-8")))
        except (ValueError, TypeError, KeyError):
            continue
        found[result.path] = result
    return found


def save(folder: Path, result: Result, place: str = "results") -> None:
    """Keep a result."""
    text = json.dumps(result.as_data(), ensure_ascii=True, indent=1) + "\n"
    write(folder / place / f"{file_name(result.path)}.json", text)


def replace_all(folder: Path, regraded: Iterable[Result]) -> None:
    """Replace stored results: all of them, or none if this is interrupted.

    New results are written beside the old ones, and count once all of them are written.
    """
    _discard(folder)
    for result in regraded:
        save(folder, result, NEXT)
    if (folder / NEXT).is_dir():
        write(folder / NEXT / COMPLETE, "")
        settle(folder)


def settle(folder: Path) -> None:
    """Finish an interrupted replacement if everything was written; otherwise drop it."""
    if (folder / NEXT / COMPLETE).is_file():
        for path in sorted((folder / NEXT).glob("*.json")):
            write(folder / "results" / path.name, path.read_text(encoding="utf-8"))
    _discard(folder)


def _discard(folder: Path) -> None:
    if (folder / NEXT).is_dir():
        # The mark first: without it, what is left counts for nothing.
        (folder / NEXT / COMPLETE).unlink(missing_ok=True)
        shutil.rmtree(folder / NEXT)


def manual(
    path: Path, questions: Mapping[str, Mapping[str, float]], students: Iterable[str]
) -> dict[tuple[str, str, str], Manual]:
    """The marks by hand, by student, exercise and question; InputError names the line.

    `questions` are the marks that can be had, by exercise and question. A line without a question
    is for the whole exercise. Where there is no file, one with its head alone is made.
    """
    if not path.exists():
        write(path, ",".join(HEAD) + "\r\n")
        return {}
    known = {folded(student): student for student in students}
    found: dict[tuple[str, str, str], Manual] = {}
    given = table(path, known.values())
    if tuple(c.strip().lower() for c in given.head) != HEAD:
        raise InputError(f"{path}, line 1: the head must be {','.join(HEAD)}")
    for line, row in given.rows:
        if len(row) > len(HEAD):
            raise InputError(f"{path}, line {line}: {len(row)} fields; quote a comment with commas")
        cells = [normal(cell) for cell in row] + [""] * (len(HEAD) - len(row))
        student, exercise, question, marks, comment = cells
        exercise = exercise.zfill(2)
        where = f"{path}, line {line}"
        if folded(student) not in known:
            hint = misread(student, known)
            raise InputError(f"{where}: student {student!r} handed nothing in{hint}")
        student = known[folded(student)]
        if exercise not in questions:
            raise InputError(f"{where}: exercise {exercise!r}; known are {sorted(questions)}")
        if question and question not in questions[exercise]:
            raise InputError(
                f"{where}: question {question!r}; exercise {exercise} has "
                f"{', '.join(questions[exercise])}"
            )
        most = questions[exercise][question] if question else sum(questions[exercise].values())
        at = student, exercise, question
        if at in found:
            raise InputError(f"{where}: {student}, exercise {exercise}, {question} a second time")
        found[at] = Manual(_marks(marks, most, where), comment)
    return found


def _marks(text: str, most: float, where: str) -> float | None:
    if not text:
        return None
    try:
        marks = float(text.replace(",", "."))
    except ValueError:
        raise InputError(f"{where}: marks {text!r} are no number") from None
    if not (math.isfinite(marks) and 0 <= marks <= most):
        raise InputError(f"{where}: marks {text!r}; give 0 to {most:g}")
    return marks
