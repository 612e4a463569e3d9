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
import re
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
    NO_FILE,
    Notebook,
    Unreadable,
    clean,
    is_like_notebook,
    language_told,
    no_notebook,
    parse,
)
from irmetrics_edu.classroom.marking.collecting.owner_names import (
    REMEDY,
    Named,
    Person,
    ambiguous,
    folded,
    may_mean,
    members,
    named,
)
from irmetrics_edu.errors import InputError
from irmetrics_edu.views.language import worded

_NOT_HANDED_IN = {"timestamp.txt", "desktop.ini", "thumbs.db"}
# What platforms put beside the students' folders.
_OF_PLATFORMS = {"index.html", "submission_metadata.yml", "grades.csv", "grades.xls"}


@dataclass(frozen=True)
class Submission:
    """A submission: its path, its owner as far as the file name says, its time and its content.

    `handed_in` is the platform's time, by its `clock`. `stamp` is the text of a timestamp.txt that
    lies beside it; only one that nbgrader wrote is `believed`. `language` is that of a copy that
    can't be read, as far as the file tells.
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
    language: str = ""


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
        place = _Place(where.parent, where.parent, stems, people)
        return [_read(where, where.parent, place.owner(where))]
    if not where.is_dir():
        raise InputError(f"{where}: there is no such folder or file; name what was handed in")
    root = where / "submitted" if (where / "submitted").is_dir() else where
    files = _Folder(root, stems, people, refused).submissions()
    if not files:
        raise InputError(
            f"{where}: nothing was handed in there: no notebook, no other file; "
            "name the folder that holds the students' notebooks"
        )
    return sorted(files, key=lambda submission: submission.path)


class _Folder:
    """What lies in the folder of a class: files, empty folders, and what an archive refused."""

    def __init__(
        self,
        root: Path,
        stems: Sequence[str],
        people: Sequence[Person],
        refused: Sequence[RefusedEntry],
    ) -> None:
        self.root = root
        self.stems = stems
        self.files, self.empty = _files_in(root)
        self.lost: dict[Path, RefusedEntry] = {}
        for entry in refused:
            path = root / entry.name
            if root in path.parents:
                self.lost[path] = entry
        self.owners = _owners(
            [*self.files, *self.lost],
            self.empty,
            root,
            stems,
            people,
        )

    def submissions(self) -> list[Submission]:
        """Every file that somebody handed in, in no order.

        A file of another kind stands for a submission only where no notebook does.
        """
        notebooks = [path for path in self.files if _is_notebook(path)]
        served: set[tuple[tuple[Path, str], str]] = set()
        for path in notebooks:
            served.add((self._holder(path), ""))
            served.add((self._holder(path), self._exercise(path)))
        handed_in = self._notebooks(notebooks)
        for path in self.files:
            if not _is_notebook(path) and self._at(path) not in served:
                kin = is_like_notebook(path.name)
                handed_in.append(
                    _read(
                        path,
                        self.root,
                        self.owners[path],
                        kin=kin,
                    )
                )
        handed_in += [self._nothing(path, EMPTY, NOTHING_ARRIVED) for path in self.empty]
        for path, entry in self.lost.items():
            if _is_notebook(path) or self._at(path) not in served:
                handed_in.append(self._nothing(path, entry.why, entry.remedy))
        return handed_in

    def _notebooks(self, notebooks: Sequence[Path]) -> list[Submission]:
        """The notebooks; those that are too many for one student are not read."""
        beyond = self._beyond(notebooks)
        handed_in = []
        for path in notebooks:
            if path in beyond:
                handed_in.append(self._nothing(path, _too_many(beyond[path]), ALONE))
            else:
                handed_in.append(_read(path, self.root, self.owners[path]))
        return handed_in

    def _beyond(self, notebooks: Sequence[Path]) -> dict[Path, int]:
        """The notebooks that are too many for one student and exercise, with how many there are.

        Each is run and kept in memory: one student's would hold up all others. The last by name are
        read. Where it is not known whose they are, they may be a whole class.
        """
        owned: dict[tuple[tuple[Path, str], str], list[Path]] = {}
        for path in notebooks:
            who, _ = self.owners[path]
            if who.platform or (who.sure and who.student):
                owned.setdefault(self._at(path), []).append(path)
        counts: dict[Path, int] = {}
        for paths in owned.values():
            paths.sort(key=_by_name)
            for path in paths[:-MOST_OF_ONE]:
                counts[path] = len(paths)
        return counts

    def _at(self, path: Path) -> tuple[tuple[Path, str], str]:
        """Whose a file is, and of which exercise."""
        return self._holder(path), self._exercise(path)

    def _holder(self, path: Path) -> tuple[Path, str]:
        who, _ = self.owners[path]
        return _holder(path, self.root, who)

    def _exercise(self, path: Path) -> str:
        """The exercise that the name of a file says; "" for none."""
        for stem in self.stems:
            if stem in path.name:
                return stem
        return ""

    def _nothing(
        self,
        path: Path,
        why: str,
        remedy: str,
    ) -> Submission:
        """A submission of which nothing could be read."""
        return replace(_known(path, self.root, self.owners[path]), why=why, remedy=remedy)


# The notebooks of one student under one name, or under names that tell no exercise: more than a
# course has exercises, and far more than anybody tries.
MOST_OF_ONE = 30
ALONE = worded("Hand in the notebook that counts, alone.")
EMPTY = worded("the folder is empty")
NOTHING_ARRIVED = worded("Hand in the .ipynb file: nothing arrived.")


def _too_many(count: int) -> str:
    """Why a notebook is not read where a student handed in so many."""
    return worded(
        "it is one of {count} notebooks of one student, and {most} are the most that are read",
        count=count,
        most=MOST_OF_ONE,
    )


def _by_name(path: Path) -> list[tuple[int, str]]:
    """The order of names in which numbers count by their values."""
    parts = re.split(r"([0-9]+)", str(path.with_suffix("")))
    return [(int(part[:20]), "") if part.isdecimal() else (0, part) for part in parts]


def _is_notebook(path: Path) -> bool:
    return path.suffix.lower() == ".ipynb"


def _files_in(root: Path) -> tuple[list[Path], list[Path]]:
    """The files that were handed in, and the folders without any."""
    counting = [path for path in root.rglob("*") if not _passed_over(path.relative_to(root))]
    files = [path for path in counting if not path.is_dir()]
    filled: set[Path] = set()
    for path in files:
        filled.update(path.parents)
    folders = [path for path in counting if path.parent == root and path.is_dir()]
    empty = [folder for folder in folders if folder not in filled]
    return sorted(files), sorted(empty)


def _owners(
    files: Sequence[Path],
    empty: Sequence[Path],
    root: Path,
    stems: Sequence[str],
    people: Sequence[Person],
) -> dict[Path, Owner]:
    """The owner of each file and of each empty folder.

    A platform that lists several students under one name tells nothing by the name.
    """
    place = _Place(root, _top(files, root, stems), stems, people)
    owners: dict[Path, Owner] = {}
    for path in files:
        owners[path] = place.owner(path)
    for path in empty:
        owners[path] = (
            named(
                path.name,
                stems,
                people,
                folder=True,
            ),
            "",
        )
    # Canvas may give a group's file under the id of each member.
    groups = members(people)
    twice = ambiguous([who for who, _ in owners.values() if who.student not in groups])
    for path, (who, assignment) in owners.items():
        if (who.platform, folded(who.student)) in twice and not who.why:
            why = worded(
                "{platform} lists several students under the name {name}",
                platform=who.platform,
                name=who.student,
            )
            owners[path] = replace(who, student="", why=why), assignment
    return owners


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
    """Whether a file is none that somebody handed in."""
    if any(part.startswith((".", "__")) for part in path.parts):
        return True
    name = path.name.lower()
    on_top = len(path.parts) == 1
    return name in _NOT_HANDED_IN or (on_top and name in _OF_PLATFORMS)


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
    within = [path.relative_to(root).parts for path in files]
    depth = 0  # of the folder in which all files lie, below the root
    while True:
        inner = {parts[depth] for parts in within if len(parts) > depth + 1}
        if len(inner - set(stems)) > 1 and depth:
            return root.joinpath(*within[0][:depth])
        if len(inner) != 1 or any(len(parts) == depth + 1 for parts in within):
            return root
        depth += 1


@dataclass(frozen=True)
class _Place:
    """What a file's place says of its owner, in a class: the folders above it, and its name."""

    root: Path
    top: Path
    stems: Sequence[str]
    people: Sequence[Person]

    def owner(self, path: Path) -> Owner:
        """The owner of a file and its assignment.

        A folder is a student's if it names one: on the roster, or as a platform does. Else one
        goes down to the next folder, and last to the file. Without a roster it is the first below
        `top`.
        """
        *folders, name = path.relative_to(self.root).parts
        stem = name.split(".ipynb")[0] if ".ipynb" in name else Path(name).stem
        assignment = _assignment(folders, stem, self.stems)
        owner_folders = [part for part in folders if part not in self.stems]
        by_folder = [self._named(part) for part in owner_folders]
        by_file = named(
            stem,
            self.stems,
            self.people,
            folder=False,
        )
        for who in [*by_folder, by_file]:
            if who.platform:
                return who, assignment
        if self.people:
            return _by_roster(owner_folders, by_folder, by_file), assignment
        for part in path.relative_to(self.top).parts[:-1]:
            if part not in self.stems:
                return self._named(part), assignment
        return by_file, assignment

    def _named(self, folder: str) -> Named:
        """The owner that a folder names."""
        return named(
            folder,
            self.stems,
            self.people,
            folder=True,
        )


def _assignment(folders: Sequence[str], stem: str, stems: Sequence[str]) -> str:
    """What a file's place says of its exercise: a folder of that name, or the last of several."""
    for part in folders:
        if part in stems:
            return part
    return folders[-1] if len(folders) > 1 else stem


def _by_roster(folders: Sequence[str], by_folder: Sequence[Named], by_file: Named) -> Named:
    """The student whom a folder names, or the file; else a name that is nobody's."""
    path = clean("/".join(folders), 200)
    sure = {who.student: who for who in by_folder if who.sure}
    if len(sure) > 1:
        return Named("", why=may_mean(path, list(sure)))
    for who in sure.values():
        return who
    if not by_folder:
        return by_file
    if by_file.sure:
        note = f"the folder {path} names nobody on the roster; it counts by the file's name"
        return replace(by_file, note=note)
    for who in by_folder:
        if who.why and not who.unlisted:
            return who
    return Named(path, why=by_folder[-1].why, unlisted=True)


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


def _read(
    path: Path,
    root: Path,
    whose: Owner,
    *,
    kin: bool = True,
) -> Submission:
    """A file as it was handed in; `kin` says whether its name may be that of a notebook."""
    who, _ = whose
    submission = _known(path, root, whose)
    data = b""
    try:
        _require_file(path)
        submission = _with_stamp(path, root, submission)
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
        submission = replace(submission, digest=hashlib.sha256(data).hexdigest())
        if not kin:
            raise no_notebook(path.name)
        book = parse(data)
    except Unreadable as error:
        return replace(
            submission,
            why=error.why,
            remedy=error.remedy,
            language=language_told(data),
        )
    except OSError as error:
        why = worded("it can't be opened: {error}", error=error.strerror)
        return replace(submission, why=why, remedy=AGAIN)
    except Exception as error:  # noqa: BLE001 -- a file of a stranger; the class is graded
        why = worded("it can't be read: {error}", error=type(error).__name__)
        return replace(submission, why=why, remedy=AGAIN)
    if who.why:
        why = worded("it is not known whose this is: {why}", why=who.why)
        return replace(
            submission,
            notebook=book if who.unlisted else None,
            why=why,
            remedy=REMEDY,
        )
    notes = (*submission.notes, *book.notes)
    if not _is_notebook(path) or path.name.lower().endswith(".ipynb.ipynb"):
        notes = (*notes, f"the file is called {clean(path.name, 100)}; it was read all the same")
    return replace(submission, notebook=book, notes=notes)


def _require_file(path: Path) -> None:
    """Unreadable if it is no file."""
    if path.is_symlink() or not path.is_file():
        raise Unreadable(worded(NO_FILE))


def _with_stamp(path: Path, root: Path, submission: Submission) -> Submission:
    """The submission with the text of a timestamp.txt beside it.

    A student may hand in a file called timestamp.txt: only nbgrader's own is believed.
    """
    if path.parent == root:
        return submission
    nbgrader = root.name == "submitted" and len(path.relative_to(root).parts) == 3
    return replace(submission, stamp=_stamp_beside(path), believed=nbgrader)


def _stamp_beside(path: Path) -> str:
    """The text of a timestamp.txt in the folder of a submission; "" if there is none."""
    stamp = path.parent / "timestamp.txt"
    if not stamp.is_file() or stamp.is_symlink():
        return ""
    with stamp.open("rb") as file:
        text = clean(file.read(200).decode("utf-8", "replace")).strip()
    return text or "(empty)"
