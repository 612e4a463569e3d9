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


def handed_out(
    written: Sequence[Path], people: Sequence[Person], asked: Path | None = None
) -> tuple[dict[str, bytes], list[str]]:
    """The zips of the copies by platform, and who gets none on Canvas.

    `asked` is Canvas's zip of what students handed in. InputError if it has no student's notebook.
    """
    copies = {path.parent.name: path for path in written}
    moodle = {
        f"{moodle_folder(p)}/{copy.name}": copy
        for p in people
        if p.moodle and (copy := copies.get(p.student))
    }
    canvas = _for_canvas(copies, people, asked) if asked else {}
    zips = {
        platform: zipped({name: path.read_text("utf-8") for name, path in sorted(files.items())})
        for platform, files in (("moodle", moodle), ("canvas", canvas))
        if files
    }
    return zips, sorted(copies.keys() - {p.parent.name for p in canvas.values()}) if asked else []


def _for_canvas(
    copies: Mapping[str, Path], people: Sequence[Person], handed_in: Path
) -> dict[str, Path]:
    """Each student's copy under the name of a notebook that the student handed in."""
    try:
        with zipfile.ZipFile(handed_in) as archive:
            names = sorted(Path(name).name for name in archive.namelist())
    except (zipfile.BadZipFile, OSError) as error:
        raise InputError(f"--canvas {handed_in}: it is no zip of Canvas's ({error})") from None
    alone = [replace(p, group="") for p in people]  # a group's file has the number of a member
    found: dict[str, str] = {}
    for name in names:
        if of_a_file(name) and name.endswith(".ipynb"):
            found.setdefault(named(name, [], alone, folder=False).student, name)
    if not found.keys() & copies.keys():
        raise InputError(
            f"--canvas {handed_in}: no notebook in it is of a student of the roster; let students "
            "hand in the copy for all first, and download the submissions"
        )
    return {name: copies[owner] for owner, name in found.items() if owner in copies}
