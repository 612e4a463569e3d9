"""Zips by which a platform gives each student their own copy.

Moodle takes them as feedback files, by the participants' numbers of its grading worksheet. Canvas
takes a file as a comment on a file that the student handed in: so students hand in a notebook
first, and the copy goes back under its name (`exports.py` says how the two read a name).
"""

import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from irmetrics_edu.classroom.marking.exports import moodle_folder, of_a_file
from irmetrics_edu.classroom.marking.owner_names import Person, named
from irmetrics_edu.errors import InputError
from irmetrics_edu.writing import zipped


def for_moodle(copies: Mapping[str, Path], people: Sequence[Person]) -> bytes | None:
    """The zip for *Upload multiple feedback files in a zip*; None without participants' numbers."""
    found = {
        f"{moodle_folder(p)}/{copy.name}": copy
        for p in people
        if p.moodle and (copy := copies.get(p.student))
    }
    return _zip(found) if found else None


def for_canvas(
    copies: Mapping[str, Path], people: Sequence[Person], handed_in: Path
) -> tuple[bytes, list[str]]:
    """The zip for *Upload Submissions*, and who gets no copy by it; `handed_in` is Canvas's zip."""
    try:
        with zipfile.ZipFile(handed_in) as archive:
            names = sorted(Path(name).name for name in archive.namelist())
    except (zipfile.BadZipFile, OSError) as error:
        raise InputError(f"--canvas {handed_in}: it is no zip of Canvas's ({error})") from None
    alone = [replace(p, group="") for p in people]  # a group's file has the number of a member
    found: dict[str, Path] = {}
    served: set[str] = set()
    for name in names:
        owner = named(name, [], alone, folder=False).student
        if owner in copies and owner not in served and of_a_file(name) and name.endswith(".ipynb"):
            found[name] = copies[owner]
            served.add(owner)
    if not found:
        raise InputError(
            f"--canvas {handed_in}: no notebook in it is of a student of the roster; let students "
            "hand in the copy for all first, and download the submissions"
        )
    return _zip(found), sorted(copies.keys() - served)


def _zip(files: Mapping[str, Path]) -> bytes:
    return zipped({name: path.read_text("utf-8") for name, path in sorted(files.items())})
