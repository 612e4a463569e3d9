"""Finding submissions: a folder of notebooks, one notebook, or nbgrader's layout.

    x.ipynb                             one notebook
    DIR/NAME.ipynb                      a folder of notebooks
    DIR/STUDENT/x.ipynb                 a folder for each student
    DIR/STUDENT/ASSIGNMENT/x.ipynb      nbgrader's, with or without submitted/ above

Every file that somebody handed in comes back as a submission, readable or not.
"""

import csv
import hashlib
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from zoneinfo import ZoneInfo

from irmetrics_edu.errors import InputError
from irmetrics_edu.marking.notebook import AGAIN, LARGEST, Notebook, Unreadable, clean, parse

_LIKE_NOTEBOOKS = (".ipynb.txt", ".ipynb.json", ".json", ".ipynb.ipynb")
_NOT_HANDED_IN = {"timestamp.txt", "desktop.ini", "thumbs.db"}
_STAMP = re.compile(r"(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d(?::\d\d)?)[.\d]* ?([\w/+-]*)")


@dataclass(frozen=True)
class Person:
    """A student of the roster: the name that copies are made under, and what the LMS knows."""

    student: str
    name: str = ""
    id: str = ""
    email: str = ""
    login: str = ""
    section: str = ""

    @property
    def words(self) -> list[str]:
        """What a file name may call them, the longest first."""
        found = {self.student, self.name, self.id, self.email, self.login} - {""}
        return sorted(found, key=len, reverse=True)


@dataclass(frozen=True)
class Submission:
    """What was handed in: where, by whom as far as the name of the file says, when, and what."""

    path: str
    named: str
    assignment: str = ""
    digest: str = ""
    handed_in: datetime | None = None
    clock: str = ""
    notebook: Notebook | None = None
    why: str = ""
    remedy: str = ""
    notes: tuple[str, ...] = ()


def normal(name: str) -> str:
    """A name in one form of Unicode, however the system wrote it."""
    return unicodedata.normalize("NFC", name).strip()


def table(path: Path) -> list[list[str]]:
    """The lines of a CSV file, with commas or, as some spreadsheets save it, semicolons."""
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: byte {error.start} is not UTF-8; save it as CSV UTF-8") from None
    head = lines[0] if lines else ""
    return list(csv.reader(lines, delimiter=";" if ";" in head and "," not in head else ","))


def roster(path: Path) -> list[Person]:
    """The students of a CSV file with a column `student`, or of a list with one in each line."""
    rows = table(path)
    if not rows or "student" not in [cell.strip().lower() for cell in rows[0]]:
        rows = [["student"], *([", ".join(row)] for row in rows)]
    head = [cell.strip().lower() for cell in rows[0]]
    known = set(Person.__dataclass_fields__)
    if extra := [name for name in head if name not in known]:
        raise InputError(f"{path}: column {extra[0]!r} is not known; known are {sorted(known)}")
    found: dict[str, Person] = {}
    for number, row in enumerate(rows[1:], 2):
        cells = {n: normal(v) for n, v in zip(head, row, strict=False)}
        if not any(cells.values()):
            continue
        person = Person(**cells)
        if not person.student or person.student in found:
            what = "a second time" if person.student else "without a name"
            raise InputError(f"{path}, line {number}: student {person.student!r} {what}")
        found[person.student] = person
    return list(found.values())


def submissions(
    where: Path, stems: Iterable[str], people: Sequence[Person] = ()
) -> list[Submission]:
    """All that was handed in, in a fixed order; `stems` are the exercises' file names."""
    stems = list(stems)
    if where.is_file():
        return [_read(where, where.parent, stems, people)]
    if not where.is_dir():
        raise InputError(f"{where}: there is no such folder or notebook")
    root = where / "submitted" if (where / "submitted").is_dir() else where
    files = sorted(
        p for p in root.rglob("*") if not _passed_over(p.relative_to(root)) and not p.is_dir()
    )
    books = [p for p in files if p.suffix.lower() == ".ipynb"]
    served = {_holder(p, root) for p in books}
    # A file of another kind stands for a submission only where no notebook does.
    others = [p for p in files if p not in set(books) and _holder(p, root) not in served]
    empty = [
        p
        for p in sorted(root.iterdir())
        if p.is_dir() and not p.name.startswith(".") and not any(_under(f, p) for f in files)
    ]
    found = [_read(p, root, stems, people) for p in books]
    found += [_read(p, root, stems, people, kin=p.name.lower().endswith(_LIKE_NOTEBOOKS))
              for p in others]  # fmt: skip
    found += [
        Submission(clean(p.name), _person(p.name, stems, people), why="the folder is empty",
                   remedy="Hand in the .ipynb file: nothing arrived.")
        for p in empty
    ]  # fmt: skip
    if not found:
        raise InputError(f"{where}: nothing was handed in there: no notebook, no other file")
    return sorted(found, key=lambda s: s.path)


def _passed_over(path: Path) -> bool:
    hidden = any(part.startswith((".", "__")) for part in path.parts)
    return hidden or path.name.lower() in _NOT_HANDED_IN


def _under(path: Path, folder: Path) -> bool:
    return folder in path.parents


def _holder(path: Path, root: Path) -> Path:
    """The folder whose one notebook answers for all files in it; a loose file's own path."""
    return path if path.parent == root else path.parent


def _read(
    path: Path, root: Path, stems: Sequence[str], people: Sequence[Person], *, kin: bool = True
) -> Submission:
    parts = path.relative_to(root).parts
    stem = path.name.split(".ipynb")[0] if ".ipynb" in path.name else path.stem
    assignment = parts[1] if len(parts) > 2 else stem
    raw = parts[0] if len(parts) > 1 else stem
    if len(parts) == 2 and raw in stems:
        raw, assignment = stem, parts[0]
    known = Submission(clean("/".join(parts)), _person(raw, stems, people), assignment)
    try:
        if path.is_symlink() or not path.is_file():
            raise Unreadable("it is a link or a device, not a file")
        when, clock = _time(path)
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
        known = replace(known, digest=hashlib.sha256(data).hexdigest(), handed_in=when, clock=clock)
        if not kin:
            what = clean(path.suffix, 20) or "nothing"
            raise Unreadable(f"the file name ends in {what}, not in .ipynb")
        book = parse(data)
    except Unreadable as error:
        return replace(known, why=error.why, remedy=error.remedy)
    except OSError as error:
        return replace(known, why=f"it can't be opened: {error.strerror}", remedy=AGAIN)
    except Exception as error:  # noqa: BLE001 -- a file of a stranger; the class is graded
        return replace(known, why=f"it can't be read: {type(error).__name__}", remedy=AGAIN)
    notes = book.notes
    if path.suffix.lower() != ".ipynb" or path.name.lower().endswith(".ipynb.ipynb"):
        notes = (*notes, f"the file is called {clean(path.name, 100)}; it was read all the same")
    return replace(known, notebook=book, notes=notes)


def _time(path: Path) -> tuple[datetime, str]:
    """When it was handed in, and what says so: nbgrader's time stamp, or the file's own time."""
    stamp = path.parent / "timestamp.txt"
    if stamp.is_file() and not stamp.is_symlink():
        match = _STAMP.search(stamp.read_bytes()[:200].decode("utf-8", "replace"))
        if match:
            when = datetime.fromisoformat(f"{match[1]}T{match[2]}")
            return when.replace(tzinfo=_zone(match[3])), "timestamp.txt"
    return datetime.fromtimestamp(path.stat().st_mtime, UTC), "the file's time"


def _zone(name: str) -> tzinfo:
    try:
        return ZoneInfo(name)
    except (ValueError, OSError, KeyError):
        return UTC


def _person(raw: str, stems: Sequence[str], people: Sequence[Person]) -> str:
    """The student that a file or folder name speaks of: one of the roster if it names one."""
    name = normal(clean(raw, 200))
    by_word: Mapping[str, str] = {normal(w): p.student for p in people for w in p.words}
    if name in by_word:
        return by_word[name]
    hits = {
        by_word[word]: len(word)
        for word in by_word
        if re.search(rf"(?<![^\W_]){re.escape(word)}(?![^\W_])", name)
    }
    if hits:
        most = max(hits.values())
        longest = [student for student, length in hits.items() if length == most]
        if len(longest) == 1:
            return longest[0]
    for stem in sorted(stems, key=len, reverse=True):
        short = re.sub(rf"[\s_\-]*{re.escape(stem)}[\s_\-]*(\(\d+\))?", "", name)
        if short != name:
            return short or ""
    return name
