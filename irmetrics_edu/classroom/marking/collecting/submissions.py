"""Finding submissions: a folder of notebooks, one notebook, or nbgrader's layout.

    x.ipynb                             one notebook
    DIR/NAME.ipynb                      a folder of notebooks
    DIR/STUDENT/x.ipynb                 a folder for each student
    DIR/STUDENT/ASSIGNMENT/x.ipynb      nbgrader's, with or without submitted/ above
    DIR/TUTORIAL/STUDENT/...            any folders above: one that names nobody is no student
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
from irmetrics_edu.classroom.marking.collecting.archives import RefusedEntry, downloads, unpack
from irmetrics_edu.classroom.marking.collecting.notebook import (
    AGAIN,
    LARGEST,
    Notebook,
    Unreadable,
    clean,
    is_like_notebook,
    no_notebook,
    parse,
)
from irmetrics_edu.classroom.marking.collecting.owner_names import (
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
# What platforms put beside the students' folders.
_OF_PLATFORMS = {"index.html", "submission_metadata.yml", "grades.csv", "grades.xls"}


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


# Who a file's place says that its owner is, and the assignment that it says.
Owner = tuple[Named, str]


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
        return [
            _read(where, where.parent, _named(where, where.parent, where.parent, stems, people))
        ]
    if not where.is_dir():
        raise InputError(f"{where}: there is no such folder or file; name what was handed in")
    root = where / "submitted" if (where / "submitted").is_dir() else where
    files, empty = _files_in(root)
    lost = {p: one for one in refused if root in (p := where / one.name).parents}
    who = _owners([*files, *lost], empty, root, stems, people)
    holders = {p: _holder(p, root, one) for p, (one, _) in who.items()}
    books = [p for p in files if p.suffix.lower() == ".ipynb"]
    asked = {p: next((stem for stem in stems if stem in p.name), "") for p in who}
    served = {(holders[p], own) for p in books for own in ("", asked[p])}
    # A file of another kind stands for a submission only where no notebook does.
    others = [p for p in files if p not in set(books) and (holders[p], asked[p]) not in served]
    found = [_read(p, root, who[p]) for p in books]
    found += [_read(p, root, who[p], kin=is_like_notebook(p.name)) for p in others]
    nothing = dict.fromkeys(
        empty, ("the folder is empty", "Hand in the .ipynb file: nothing arrived.")
    )
    for p, one in lost.items():
        if p.suffix.lower() == ".ipynb" or (holders[p], asked[p]) not in served:
            nothing[p] = one.why, one.remedy
    for p, (why, remedy) in nothing.items():
        found.append(replace(_known(p, root, who[p]), why=why, remedy=remedy))
    if not found:
        raise InputError(
            f"{where}: nothing was handed in there: no notebook, no other file; "
            "name the folder that holds the students' notebooks"
        )
    return sorted(found, key=lambda s: s.path)


def _files_in(root: Path) -> tuple[list[Path], list[Path]]:
    """The files that were handed in, and the folders without any."""
    files = [p for p in root.rglob("*") if not _passed_over(p.relative_to(root)) and not p.is_dir()]
    empty = [
        p
        for p in root.iterdir()
        if p.is_dir() and not _passed_over(p.relative_to(root)) and not _holds(p, files)
    ]
    return sorted(files), sorted(empty)


def _holds(folder: Path, files: Sequence[Path]) -> bool:
    return any(folder in file.parents for file in files)


def _owners(
    files: Sequence[Path], empty: Sequence[Path], root: Path, stems: Sequence[str],
    people: Sequence[Person],
) -> dict[Path, Owner]:  # fmt: skip
    """The owner of each file and of each empty folder.

    A platform that lists several students under one name tells nothing by the name.
    """
    top = _top(files, root, stems)
    who = {p: _named(p, root, top, stems, people) for p in files}
    who |= {p: (named(p.name, stems, people, folder=True), "") for p in empty}
    groups = members(people)  # Canvas may give a group's file under the id of each member
    twice = ambiguous([one for one, _ in who.values() if one.student not in groups])
    for path, (one, assignment) in who.items():
        if (one.platform, folded(one.student)) in twice and not one.why:
            why = f"{one.platform} lists several students under the name {one.student}"
            who[path] = replace(one, student="", why=why), assignment
    return who


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
    name = path.name.lower()
    return hidden or name in _NOT_HANDED_IN or (len(path.parts) == 1 and name in _OF_PLATFORMS)


def _holder(path: Path, root: Path, who: Named) -> tuple[Path, str]:
    """The key under which one notebook stands for all files: a platform's student or a folder."""
    if who.platform:
        return root, f"{who.platform} {who.number}"
    if path.parent == root:
        return path, ""
    return (root, f"student {who.student}") if who.sure and who.student else (path.parent, "")


def _top(files: Sequence[Path], root: Path, stems: Sequence[str]) -> Path:
    """The folder in which the students' own lie, where no roster tells their names.

    A folder in which all files lie is no student's if several folders are in it, beside those of
    exercises: `submissions/ann/`, `submissions/ben/`.
    """
    top = root
    while True:
        inner = {p.relative_to(top).parts[0] for p in files if p.parent != top}
        if len(inner - set(stems)) > 1 and top != root:
            return top
        if len(inner) != 1 or any(p.parent == top for p in files):
            return root
        top = top / min(inner)


def _named(
    path: Path, root: Path, top: Path, stems: Sequence[str], people: Sequence[Person]
) -> Owner:
    """The owner of a file and its assignment, by the file's place.

    A folder is a student's if it names one: on the roster, or as a platform does. Else one goes
    down to the next folder, and last to the file. Without a roster it is the first below `top`.
    """
    *folders, name = path.relative_to(root).parts
    stem = name.split(".ipynb")[0] if ".ipynb" in name else Path(name).stem
    assignment = _assignment(folders, stem, stems)
    own = [part for part in folders if part not in stems]
    found = [named(part, stems, people, folder=True) for part in own]
    file = named(stem, stems, people, folder=False)
    for one in [*found, file]:
        if one.platform:
            return one, assignment
    if people:
        return _by_roster(own, found, file), assignment
    below = [part for part in path.relative_to(top).parts[:-1] if part not in stems]
    return named(below[0], stems, people, folder=True) if below else file, assignment


def _assignment(folders: Sequence[str], stem: str, stems: Sequence[str]) -> str:
    """What a file's place says of its exercise: a folder of that name, or the last of several."""
    for part in folders:
        if part in stems:
            return part
    return folders[-1] if len(folders) > 1 else stem


def _by_roster(folders: Sequence[str], found: Sequence[Named], file: Named) -> Named:
    """The student whom a folder names, or the file; else a name that is nobody's."""
    path = clean("/".join(folders), 200)
    sure = {one.student: one for one in found if one.sure}
    if len(sure) > 1:
        return Named("", why=f"{path} may mean {' or '.join(sure)}")
    if sure or not found:
        return next(iter(sure.values()), file)
    if file.sure:
        note = f"the folder {path} names nobody on the roster; it counts by the file's name"
        return replace(file, note=note)
    for one in found:
        if one.why and not one.unlisted:
            return one
    return Named(path, why=found[-1].why, unlisted=True)


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
        book = parse(data)
        if who.why:
            why = f"it is not known whose this is: {who.why}"
            return replace(known, notebook=book if who.unlisted else None, why=why, remedy=REMEDY)
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
