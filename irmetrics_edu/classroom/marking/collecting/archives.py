"""Zip archives from Canvas and Moodle, unpacked under limits or refused with a reason.

An archive is refused as a whole only if no platform makes such archives: a name leads out of it, or
a name is there twice. A problem that a student can cause, such as the size or kind of an entry,
refuses this entry alone, and the class is graded.

Where an archive has more than can be unpacked, those who handed in most lose what is beyond: nobody
can use up the room of others. Notebooks come before other files.
"""

import stat
import struct
import unicodedata
import zipfile
import zlib
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from irmetrics_edu.classroom.marking.collecting.notebook import (
    CLEAR,
    LARGEST,
    NO_FILE,
    Unreadable,
    clean,
    is_like_notebook,
    no_notebook,
)
from irmetrics_edu.classroom.marking.collecting.owner_names import named
from irmetrics_edu.errors import InputError
from irmetrics_edu.views.language import worded
from irmetrics_edu.writing import write

# What is unpacked at most; more entries than the last are not even looked at.
MOST_ENTRIES = 20_000
MOST_BYTES = 2 << 30
MOST_RATIO = 200  # of unpacked to packed bytes; notebooks have ten
FREE = 64 << 20  # unpacked bytes that any archive may hold
MOST_LISTED = 500_000
LONGEST_NAME = 240
LONGEST_PATH = 1_000
_SAYS_UTF8 = 0x800
# What zipfile raises for damaged bytes; a name that is no UTF-8 is a ValueError.
DAMAGED = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    NotImplementedError,
    ValueError,
)
_ASIDE = {"__macosx", ".ds_store", "thumbs.db", "desktop.ini"}


@dataclass(frozen=True)
class RefusedEntry:
    """An archive entry that was not unpacked: its name, the reason, and what to do."""

    name: str
    why: str
    remedy: str


def downloads(where: Path) -> list[Path]:
    """The platform archives at a path: a single archive, or a folder that holds only such archives.

    A folder of zips made by students has none: their entries are not named as platforms do.
    """
    if where.is_file():
        return [where] if where.suffix.lower() == ".zip" else []
    if not where.is_dir():
        return []
    inside = sorted(path for path in where.iterdir() if not path.name.startswith("."))
    for path in inside:
        if path.suffix.lower() != ".zip" or not path.is_file():
            return []
    return inside if all(map(_of_platform, inside)) else []


def _of_platform(path: Path) -> bool:
    """Whether all entries of an archive are named as platforms name them."""
    try:
        with zipfile.ZipFile(path) as archive:
            tops = {e.filename.partition("/")[0] for e in entries_of(archive)[:MOST_ENTRIES]}
    except (*DAMAGED, OSError):
        return False
    tops = {top for top in tops if top.lower() not in _ASIDE}
    return bool(tops) and all(
        named(
            top,
            [],
            [],
            folder=False,
        ).platform
        for top in tops
    )


def entries_of(archive: zipfile.ZipFile) -> list[zipfile.ZipInfo]:
    """The entries; names in UTF-8 are read as such, whether or not the archive says that they are.

    An archive that does not say so is meant to be in the encoding of DOS, in which hardly any
    letters beyond ASCII make UTF-8 by chance.
    """
    entries = archive.infolist()
    for entry in entries:
        if not entry.flag_bits & _SAYS_UTF8:
            with suppress(UnicodeError):
                entry.filename = entry.filename.encode("cp437").decode("utf-8")
    return entries


def unpack(path: Path, folder: Path) -> list[RefusedEntry]:
    """Unpack an archive into an empty folder; return the refused entries with reasons."""
    try:
        archive = zipfile.ZipFile(path)
    except DAMAGED as error:
        raise InputError(
            f"{path}: it can't be read as a zip archive ({clean(error, 100)}); download it again"
        ) from None
    with archive:
        return _unpacked(archive, path, folder)


def _unpacked(archive: zipfile.ZipFile, path: Path, folder: Path) -> list[RefusedEntry]:
    entries = entries_of(archive)
    if len(entries) > MOST_LISTED:
        raise InputError(f"{path}: {len(entries):,} entries; {MOST_LISTED:,} are the most")
    for entry in entries:
        _inside(entry, path)
    files = [entry for entry in entries if not entry.is_dir()]
    _refuse_twice(files, path)
    wanted, refused = _wanted(files)
    taken, left = _within_room(wanted, _room(path.stat().st_size))
    refused += left
    for entry in taken:
        try:
            write(folder / entry.filename, _content(archive, entry))
        except Unreadable as error:
            refused.append(RefusedEntry(entry.filename, error.why, error.remedy))
    return refused


def _refuse_twice(files: Sequence[zipfile.ZipInfo], path: Path) -> None:
    """InputError if two entries have one name."""
    names = Counter(entry.filename for entry in files)
    for name, count in names.items():
        if count > 1:
            raise InputError(
                f"{path}: several entries are called {clean(name, 100)!r}; which one counts is "
                "not known, and nothing of the archive was read"
            )


def _wanted(
    files: Sequence[zipfile.ZipInfo],
) -> tuple[list[zipfile.ZipInfo], list[RefusedEntry]]:
    """The entries to unpack, and those that must not be."""
    folders = set()
    for entry in files:
        near = entry.filename[: 2 * LONGEST_PATH]  # no file that is taken is named as one below
        folders |= {str(parent) for parent in PurePosixPath(near).parents}
    refused: list[RefusedEntry] = []
    wanted: list[zipfile.ZipInfo] = []
    seen: set[str] = set()
    for entry in sorted(files, key=lambda entry: entry.filename):
        parts = {part.lower() for part in PurePosixPath(entry.filename).parts}
        if parts & _ASIDE:
            continue
        try:
            _refuse(entry, seen, folders)
            wanted.append(entry)
        except Unreadable as error:
            refused.append(RefusedEntry(entry.filename, error.why, error.remedy))
        seen.add(_alike(entry.filename))
    return wanted, refused


def _room(packed: int) -> int:
    """How many bytes an archive of this size may unpack to."""
    return min(MOST_BYTES, max(FREE, MOST_RATIO * packed))


def _within_room(
    entries: Sequence[zipfile.ZipInfo], room: int
) -> tuple[list[zipfile.ZipInfo], list[RefusedEntry]]:
    """The entries that are unpacked, and those for which the archive has no room left.

    First come those whose owner has taken least of the room so far, in bytes or in files. So nobody
    loses a file to an owner who needs more.
    """
    owned: dict[str, list[zipfile.ZipInfo]] = {}
    for entry in entries:
        owned.setdefault(_owner(entry.filename), []).append(entry)
    ordered: list[_OwnedEntry] = []
    for entries_of_owner in owned.values():
        size = 0
        entries_of_owner.sort(key=_notebooks_first)
        for count, entry in enumerate(entries_of_owner, 1):
            size += entry.file_size
            used = max(size / room, count / MOST_ENTRIES)
            ordered.append(_OwnedEntry(used, entry, entries_of_owner))
    ordered.sort(key=lambda one: (one.used, one.entry.filename))
    taken: list[zipfile.ZipInfo] = []
    refused: list[RefusedEntry] = []
    total = 0
    for one in ordered:
        if total + one.entry.file_size <= room and len(taken) < MOST_ENTRIES:
            total += one.entry.file_size
            taken.append(one.entry)
        else:
            refused.append(_no_room(one.entry, one.own, len(owned), room))
    return taken, refused


@dataclass(frozen=True)
class _OwnedEntry:
    """An entry with all of its owner, and the share of the room that they take up to it."""

    used: float
    entry: zipfile.ZipInfo
    own: Sequence[zipfile.ZipInfo]


def _notebooks_first(entry: zipfile.ZipInfo) -> tuple[bool, int]:
    return not is_like_notebook(entry.filename), entry.file_size


def _no_room(
    entry: zipfile.ZipInfo, entries_of_owner: Sequence[zipfile.ZipInfo], owners: int, room: int
) -> RefusedEntry:
    """Why an entry is not unpacked: its owner handed in too much, or all together did."""
    size = sum(one.file_size for one in entries_of_owner)
    if size * owners > room or len(entries_of_owner) * owners > MOST_ENTRIES:
        many = worded(
            "{files} files with {bytes} bytes",
            files=f"{len(entries_of_owner):,}",
            bytes=f"{size:,}",
        )
        why = worded("it is one of {many}, more than the archive has room for", many=many)
        return RefusedEntry(entry.filename, why, worded("Hand in the notebook alone."))
    why = worded(
        "the archive unpacks to more than {bytes} bytes or {files} files",
        bytes=f"{room:,}",
        files=f"{MOST_ENTRIES:,}",
    )
    remedy = worded("Your teacher has to grade the class in parts.")
    return RefusedEntry(entry.filename, why, remedy)


def _owner(name: str) -> str:
    """Whose an entry is, as far as its name says: by the platform's number, else by the folder."""
    top, _, below = name.partition("/")
    who = named(
        top,
        [],
        [],
        folder=bool(below),
    )
    if who.platform:
        return f"{who.platform} {who.student} {who.number}"
    return name.rpartition("/")[0] or name


def _inside(entry: zipfile.ZipInfo, path: Path) -> None:
    """InputError if a name might lead out of the folder, on whatever system."""
    name = entry.orig_filename
    parts = name.removesuffix("/").split("/")
    upward = {"", ".", ".."} & set(parts)
    of_windows = parts[0][1:2] == ":"
    if upward or of_windows or set(name) & set("\\\0"):
        raise InputError(
            f"{path}: an entry is called {clean(name, 100)!r}, which no platform writes; nothing "
            "of the archive was read"
        )


def _alike(name: str) -> str:
    """A name in the form that case-insensitive systems compare, with accents in one form."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


def _refuse(entry: zipfile.ZipInfo, seen: set[str], above: set[str]) -> None:
    """Unreadable for an entry that must not be unpacked."""
    mode = entry.external_attr >> 16
    if stat.S_IFMT(mode) not in {0, stat.S_IFREG}:
        raise Unreadable(worded(NO_FILE))
    if entry.flag_bits & 1:
        raise Unreadable(worded("it is encrypted"), worded("Hand it in without a password."))
    if entry.file_size > LARGEST:
        if not is_like_notebook(entry.filename):
            raise no_notebook(entry.filename)
        why = worded(
            "it unpacks to {size} bytes, and {most} are the most that is read",
            size=f"{entry.file_size:,}",
            most=f"{LARGEST:,}",
        )
        raise Unreadable(why, CLEAR)
    parts = [part.encode("utf-8", "replace") for part in entry.filename.split("/")]
    if max(map(len, parts)) > LONGEST_NAME or sum(map(len, parts)) > LONGEST_PATH:
        raise Unreadable(worded("its name is too long"), worded("Give it a shorter name."))
    if _alike(entry.filename) in seen or entry.filename in above:
        raise Unreadable(
            worded(
                "another file or folder has this name, or one that differs by capitals or "
                "accents alone"
            ),
            worded("Give it another name."),
        )


def _content(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes:
    """The data of an entry; Unreadable if it is broken."""
    try:
        with archive.open(entry) as file:
            return file.read(LARGEST + 1)
    except (*DAMAGED, OSError):
        raise Unreadable(worded("its data in the archive are damaged")) from None
    except Exception as error:
        why = worded("it can't be unpacked: {error}", error=type(error).__name__)
        raise Unreadable(why) from error
