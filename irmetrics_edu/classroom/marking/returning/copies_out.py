"""The copies that students get, as zips for Canvas and Moodle.

Each student gets a copy of an exercise as a feedback file of Moodle, and as a comment of Canvas on
a notebook that the student handed in.
"""

import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from irmetrics_edu.classroom.marking.collecting.archives import DAMAGED, entries_of
from irmetrics_edu.classroom.marking.collecting.owner_names import Person, named
from irmetrics_edu.classroom.marking.returning.feedback_zips import OF_A_FILE, moodle_folder
from irmetrics_edu.errors import InputError
from irmetrics_edu.writing import zipped


def handed_out(
    written: Sequence[Path], people: Sequence[Person], asked: Path | None = None
) -> tuple[dict[str, bytes], list[str]]:
    """The zips of the copies by platform, and who gets none on Canvas.

    `asked` is Canvas's zip of what students handed in. InputError if it has no student's notebook.
    """
    copies = {path.parent.name: path for path in written}
    zips: dict[str, bytes] = {}
    for_moodle = _for_moodle(copies, people)
    if for_moodle:
        zips["moodle"] = _zipped(for_moodle)
    if asked is None:
        return zips, []
    for_canvas = _for_canvas(copies, people, asked)
    if for_canvas:
        zips["canvas"] = _zipped(for_canvas)
    served = {path.parent.name for path in for_canvas.values()}
    return zips, sorted(copies.keys() - served)


def _zipped(files: Mapping[str, Path]) -> bytes:
    return zipped({name: path.read_text("utf-8") for name, path in sorted(files.items())})


def _for_moodle(copies: Mapping[str, Path], people: Sequence[Person]) -> dict[str, Path]:
    """Each student's copy in the folder that Moodle has for the student."""
    files = {}
    for person in people:
        copy = copies.get(person.student)
        if person.moodle and copy:
            files[f"{moodle_folder(person)}/{copy.name}"] = copy
    return files


def _for_canvas(
    copies: Mapping[str, Path], people: Sequence[Person], handed_in: Path
) -> dict[str, Path]:
    """Each student's copy under the name of a notebook that the student handed in."""
    try:
        with zipfile.ZipFile(handed_in) as archive:
            names = sorted(Path(entry.filename).name for entry in entries_of(archive))
    except (*DAMAGED, OSError) as error:
        raise InputError(f"--canvas {handed_in}: it is no zip of Canvas's ({error})") from None
    # A group's file has the number of a member.
    alone = [replace(person, group="") for person in people]
    notebooks: dict[str, str] = {}
    for name in names:
        if OF_A_FILE.search(name) and name.endswith(".ipynb"):
            owner = named(
                name,
                [],
                alone,
                folder=False,
            ).student
            notebooks.setdefault(owner, name)
    if not notebooks.keys() & copies.keys():
        raise InputError(
            f"--canvas {handed_in}: no notebook in it is of a student of the roster; let students "
            "hand in the copy for all first, and download the submissions"
        )
    return {name: copies[owner] for owner, name in notebooks.items() if owner in copies}
