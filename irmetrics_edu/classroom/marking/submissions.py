"""Finding submissions: a folder of notebooks, one notebook, or nbgrader's layout.

    x.ipynb                             one notebook
    DIR/NAME.ipynb                      a folder of notebooks
    DIR/STUDENT/x.ipynb                 a folder for each student
    DIR/STUDENT/ASSIGNMENT/x.ipynb      nbgrader's, with or without submitted/ above
    submissions.zip                     what Canvas and Moodle give, unpacked by archives.py

Every file that somebody handed in comes back as a submission, readable or not.
"""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from irmetrics_edu.classroom.grading.folders import clean_up, folder
from irmetrics_edu.classroom.marking.archives import RefusedEntry, downloads, unpack
from irmetrics_edu.classroom.marking.notebook import (
    AGAIN,
    LARGEST,
    Notebook,
    Unreadable,
    clean,
    is_like_notebook,
    no_notebook,
    parse,
)
from irmetrics_edu.classroom.marking.owner_names import (
    REMEDY,
    Named,
    Person,
    ambiguous,
    folded,
    members,
    named,
)
from irmetrics_edu.errors import InputError

_NOT_HANDED_IN = {"timestamp.txt", "desktop.ini", "thumbs.db"}


@dataclass(frozen=True)
class Submission:
    """A submission: its path, its owner as far as the file name says, its time and its content.

    `handed_in` is the platform's time, by its `clock`. `stamp` is the text of a timestamp.txt that
    lies beside it; only one that nbgrader wrote is `believed`.
    """

    path: str
    who: Named
    assignment: str = ""
    digest: str = ""
    handed_in: datetime | None = None
    clock: str = ""
    notebook: Notebook | None = None
    why: str = ""
    remedy: str = ""
    notes: tuple[str, ...] = ()
    stamp: str = ""
    believed: bool = False


@contextmanager
def opened(where: Path, graded: Sequence[str]) -> Iterator[tuple[Path, Path, list[RefusedEntry]]]:
    """The folder of the class at a path, what of it was asked for, and refused archive entries.

    An archive is unpacked while this is open.
    """
    clean_up()
    archives = downloads(where)
    if len(archives) > 1:
        raise InputError(
            f"{where}: it holds {len(archives)} downloads; grade them with `grade course {where}`, "
            "or name one of them"
        )
    if not archives:
        yield class_root(where, graded), where, []
        return
    with folder() as place:
        root = place.resolve()
        yield root, root, unpack(archives[0], root)


def submissions(
    where: Path,
    stems: Iterable[str],
    people: Sequence[Person] = (),
    *,
    refused: Sequence[RefusedEntry] = (),
) -> list[Submission]:
    """All submissions in a fixed order; `stems` are the exercises' file names.

    `refused` entries of an archive could not be unpacked.
    """
    stems = list(stems)
    if where.is_file():
        return [_read(where, where.parent, _named(where, where.parent, stems, people))]
    if not where.is_dir():
        raise InputError(f"{where}: there is no such folder or file; name what was handed in")
    root = where / "submitted" if (where / "submitted").is_dir() else where
    files = sorted(
        p for p in root.rglob("*") if not _passed_over(p.relative_to(root)) and not p.is_dir()
    )
    empty = [
        p
        for p in sorted(root.iterdir())
        if p.is_dir() and not p.name.startswith(".") and not any(p in f.parents for f in files)
    ]
    lost = {p: one for one in refused if root in (p := where / one.name).parents}
    who = {p: _named(p, root, stems, people) for p in [*files, *lost]}
    who |= {p: (named(p.name, stems, people, folder=True), "") for p in empty}
    groups = members(people)  # Canvas may give a group's file under the id of each member
    twice = ambiguous([one for one, _ in who.values() if one.student not in groups])
    for path, (one, assignment) in who.items():
        if (one.platform, folded(one.student)) in twice and not one.why:
            why = f"{one.platform} lists several students under the name {one.student}"
            who[path] = replace(one, student="", why=why), assignment
    holders = {p: _holder(p, root, one) for p, (one, _) in who.items()}
    books = [p for p in files if p.suffix.lower() == ".ipynb"]
    asked = {p: next((stem for stem in stems if stem in p.name), "") for p in who}
    served = {(holders[p], own) for p in books for own in ("", asked[p])}
    # A file of another kind stands for a submission only where no notebook does.
    others = [p for p in files if p not in set(books) and (holders[p], asked[p]) not in served]
    found = [_read(p, root, who[p]) for p in books]
    found += [_read(p, root, who[p], kin=is_like_notebook(p.name)) for p in others]
    void = "the folder is empty", "Hand in the .ipynb file: nothing arrived."
    nothing = dict.fromkeys(empty, void)
    nothing |= {
        p: (one.why, one.remedy)
        for p, one in lost.items()
        if p.suffix.lower() == ".ipynb" or (holders[p], asked[p]) not in served
    }
    found += [
        replace(_known(p, root, who[p]), why=why, remedy=remedy)
        for p, (why, remedy) in nothing.items()
    ]
    if not found:
        raise InputError(
            f"{where}: nothing was handed in there: no notebook, no other file; "
            "name the folder that holds the students' notebooks"
        )
    return sorted(found, key=lambda s: s.path)


def class_root(where: Path, graded: Iterable[str]) -> Path:
    """The folder of the whole class, of which `where` is one notebook or one folder.

    It is the folder that holds the submissions graded before. Raises InputError for a single
    notebook outside of it, because the tables of the class would not know where it belongs.
    """
    paths = list(graded)
    for above in [where.resolve(), *where.resolve().parents]:
        if above.is_dir() and any((above / path).is_file() for path in paths):
            return above
    if where.is_file() and paths:
        raise InputError(
            f"{where} does not lie among the submissions that were graded before; put it into "
            "their folder, or name another folder with --out"
        )
    return where


def _passed_over(path: Path) -> bool:
    hidden = any(part.startswith((".", "__")) for part in path.parts)
    return hidden or path.name.lower() in _NOT_HANDED_IN


def _holder(path: Path, root: Path, who: Named) -> tuple[Path, str]:
    """The key under which one notebook stands for all files: a platform's student or a folder."""
    if who.platform:
        return root, f"{who.platform} {who.number}"
    return (path if path.parent == root else path.parent), ""


def _named(
    path: Path,
    root: Path,
    stems: Sequence[str],
    people: Sequence[Person],
) -> tuple[Named, str]:
    """The owner of a file and its assignment, by the file's place."""
    parts = path.relative_to(root).parts
    stem = path.name.split(".ipynb")[0] if ".ipynb" in path.name else path.stem
    assignment = parts[1] if len(parts) > 2 else stem
    raw, folder = (parts[0], True) if len(parts) > 1 else (stem, False)
    if len(parts) == 2 and raw in stems:
        raw = stem
        assignment = parts[0]
        folder = False
    return named(raw, stems, people, folder=folder), assignment


def _known(path: Path, root: Path, whose: tuple[Named, str]) -> Submission:
    """The facts from a submission's name and place, before it is read."""
    who, assignment = whose
    return Submission(
        clean("/".join(path.relative_to(root).parts)),
        who,
        assignment,
        clock=f"{who.platform}'s mark" if who.late else "",
        notes=(who.note,) if who.note else (),
    )


def _read(path: Path, root: Path, whose: tuple[Named, str], *, kin: bool = True) -> Submission:
    who = whose[0]
    parts = path.relative_to(root).parts
    known = _known(path, root, whose)
    # A student may hand in a file called timestamp.txt: only nbgrader's own is believed.
    nbgrader = root.name == "submitted" and len(parts) == 3
    try:
        if path.is_symlink() or not path.is_file():
            raise Unreadable("it is a link or a device, not a file")
        if path.parent != root:
            known = replace(known, stamp=_stamp_beside(path), believed=nbgrader)
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
        known = replace(known, digest=hashlib.sha256(data).hexdigest())
        if not kin:
            raise no_notebook(path.name)
        if who.why:
            raise Unreadable(f"it is not known whose this is: {who.why}", REMEDY)
        book = parse(data)
    except Unreadable as error:
        return replace(known, why=error.why, remedy=error.remedy)
    except OSError as error:
        return replace(known, why=f"it can't be opened: {error.strerror}", remedy=AGAIN)
    except Exception as error:  # noqa: BLE001 -- a file of a stranger; the class is graded
        return replace(known, why=f"it can't be read: {type(error).__name__}", remedy=AGAIN)
    notes = (*known.notes, *book.notes)
    if path.suffix.lower() != ".ipynb" or path.name.lower().endswith(".ipynb.ipynb"):
        notes = (*notes, f"the file is called {clean(path.name, 100)}; it was read all the same")
    return replace(known, notebook=book, notes=notes)


def _stamp_beside(path: Path) -> str:
    """The text of a timestamp.txt in the folder of a submission; "" if there is none."""
    stamp = path.parent / "timestamp.txt"
    if not stamp.is_file() or stamp.is_symlink():
        return ""
    with stamp.open("rb") as file:
        text = clean(file.read(200).decode("utf-8", "replace")).strip()
    return text or "(empty)"
