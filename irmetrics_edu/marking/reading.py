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
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from zoneinfo import ZoneInfo

from irmetrics_edu.errors import InputError
from irmetrics_edu.marking.names import REMEDY, Named, Person, ambiguous, folded, named, normal
from irmetrics_edu.marking.notebook import AGAIN, LARGEST, Notebook, Unreadable, clean, parse

_LIKE_NOTEBOOKS = (".ipynb.txt", ".ipynb.json", ".json", ".ipynb.ipynb")
_NOT_HANDED_IN = {"timestamp.txt", "desktop.ini", "thumbs.db"}
_STAMP = re.compile(r"(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d(?::\d\d)?)[.\d]* ?([\w/+-]*)")


@dataclass(frozen=True)
class Submission:
    """What was handed in: where, by whom as far as the name of the file says, when, and what.

    `sure` if a folder or a learning platform names the student.
    """

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
    sure: bool = False


def table(path: Path) -> list[list[str]]:
    """The lines of a CSV file, with commas or, as some spreadsheets save it, semicolons."""
    if not path.is_file():
        what = "is a folder" if path.is_dir() else "is not there"
        raise InputError(f"{path} {what}; name a CSV file, saved as CSV UTF-8")
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
        if len(row) > len(head):
            raise InputError(
                f"{path}, line {number}: {len(row)} fields, and the head has {len(head)}; "
                "quote a field with commas"
            )
        cells = {n: normal(v) for n, v in zip(head, row, strict=False)}
        if not any(cells.values()):
            continue
        person = Person(**cells)
        if not person.student or folded(person.student) in found:
            what = "a second time" if person.student else "without a name"
            raise InputError(f"{path}, line {number}: student {person.student!r} {what}")
        found[folded(person.student)] = person
    if not found:
        raise InputError(f"{path}: there is no student in it; write one in each line")
    return list(found.values())


def submissions(
    where: Path, stems: Iterable[str], people: Sequence[Person] = ()
) -> list[Submission]:
    """All that was handed in, in a fixed order; `stems` are the exercises' file names."""
    stems = list(stems)
    if where.is_file():
        return [_read(where, where.parent, _named(where, where.parent, stems, people))]
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
    who = {p: _named(p, root, stems, people) for p in [*books, *others]}
    who |= {p: (named(p.name, stems, people, folder=True), "") for p in empty}
    twice = ambiguous([one for one, _ in who.values()])
    for path, (one, assignment) in who.items():
        if (one.platform, folded(one.student)) in twice and not one.why:
            why = f"{one.platform} lists several students under the name {one.student}"
            who[path] = Named("", why=why), assignment
    found = [_read(p, root, who[p]) for p in books]
    found += [_read(p, root, who[p], kin=p.name.lower().endswith(_LIKE_NOTEBOOKS)) for p in others]
    found += [
        Submission(clean(p.name), who[p][0].student, why="the folder is empty",
                   remedy="Hand in the .ipynb file: nothing arrived.")
        for p in empty
    ]  # fmt: skip
    if not found:
        raise InputError(
            f"{where}: nothing was handed in there: no notebook, no other file; "
            "name the folder that holds the students' notebooks"
        )
    return sorted(found, key=lambda s: s.path)


def class_root(where: Path, graded: Iterable[str]) -> Path:
    """The folder of the whole class, of which `where` is one notebook or one folder.

    It is the one below which submissions lie that were graded before. Raises InputError for one
    notebook that does not lie among them: the tables of the class would not know where it belongs.
    """
    paths = list(graded)
    for folder in [where.resolve(), *where.resolve().parents]:
        if folder.is_dir() and any((folder / path).is_file() for path in paths):
            return folder
    if where.is_file() and paths:
        raise InputError(
            f"{where} does not lie among the submissions that were graded before; put it into "
            "their folder, or name another folder with --out"
        )
    return where


def _passed_over(path: Path) -> bool:
    hidden = any(part.startswith((".", "__")) for part in path.parts)
    return hidden or path.name.lower() in _NOT_HANDED_IN


def _under(path: Path, folder: Path) -> bool:
    return folder in path.parents


def _holder(path: Path, root: Path) -> Path:
    """The folder whose one notebook answers for all files in it; a loose file's own path."""
    return path if path.parent == root else path.parent


def _named(
    path: Path, root: Path, stems: Sequence[str], people: Sequence[Person]
) -> tuple[Named, str]:
    """Who handed a file in, and for which assignment, by its place."""
    parts = path.relative_to(root).parts
    stem = path.name.split(".ipynb")[0] if ".ipynb" in path.name else path.stem
    assignment = parts[1] if len(parts) > 2 else stem
    raw, folder = (parts[0], True) if len(parts) > 1 else (stem, False)
    if len(parts) == 2 and raw in stems:
        raw, assignment, folder = stem, parts[0], False
    return named(raw, stems, people, folder=folder), assignment


def _read(path: Path, root: Path, whose: tuple[Named, str], *, kin: bool = True) -> Submission:
    who, assignment = whose
    parts = path.relative_to(root).parts
    known = Submission(clean("/".join(parts)), who.student, assignment, sure=who.sure)
    # A student may hand in a file called timestamp.txt: only nbgrader's own is believed.
    nbgrader = root.name == "submitted" and len(parts) == 3
    try:
        if path.is_symlink() or not path.is_file():
            raise Unreadable("it is a link or a device, not a file")
        when, clock = _time(path, stamped=nbgrader)
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
        known = replace(known, digest=hashlib.sha256(data).hexdigest(), handed_in=when, clock=clock)
        if not kin:
            what = clean(path.suffix, 20) or "nothing"
            raise Unreadable(f"the file name ends in {what}, not in .ipynb")
        if who.why:
            raise Unreadable(f"it is not known whose this is: {who.why}", REMEDY)
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


def _time(path: Path, *, stamped: bool) -> tuple[datetime, str]:
    """When it was handed in, and what says so: nbgrader's time stamp, or the file's own time."""
    stamp = path.parent / "timestamp.txt"
    if stamped and stamp.is_file() and not stamp.is_symlink():
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
