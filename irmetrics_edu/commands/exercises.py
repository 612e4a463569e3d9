"""`irmetrics-edu exercises 04 --roster FILE --key FILE --out DIR`: copies to hand out."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from irmetrics_edu.errors import InputError
from irmetrics_edu.views.output import put

if TYPE_CHECKING:
    from irmetrics_edu.classroom.exercises.source import ExerciseSource

EXAMPLES = (
    "exercises 04 --out copies",
    "exercises 04 --roster gradebook.csv --key course.key --out copies",
    "exercises 04 --roster gradebook.csv --canvas submissions.zip --key course.key --out copies",
    "exercises 04 --nbgrader --key course.key --out course",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's own arguments."""
    parser.add_argument(
        "names",
        nargs="*",
        metavar="NN",
        help="exercises by number, such as 04 (default: all)",
    )
    parser.add_argument(
        "--out",
        type=Path,
        required=True,
        metavar="DIR",
        help="the folder for the copies",
    )
    parser.add_argument(
        "--roster",
        type=Path,
        metavar="FILE",
        action="append",
        default=[],
        help="build a copy for each student of FILE: a table with the column student, or "
        "the roster of Canvas or Moodle, as `grade --roster` takes it; may be repeated for the "
        "same class. With Moodle's grading worksheet a zip for its feedback files is written, too",
    )
    parser.add_argument(
        "--canvas",
        type=Path,
        metavar="ZIP",
        help="Canvas's zip of submissions, where each student handed in any notebook: also write "
        "the zip by which Canvas gives each of them their own copy as a comment",
    )
    parser.add_argument("--key", type=Path, metavar="FILE", help="the file with the course key")
    parser.add_argument(
        "--sources",
        type=Path,
        metavar="DIR",
        help="the exercises' sources (default: solutions)",
    )
    form = parser.add_mutually_exclusive_group()
    form.add_argument(
        "--nbgrader", action="store_true", help="write the source form of nbgrader instead"
    )
    form.add_argument(
        "--otter", action="store_true", help="write the test files of Otter-Grader instead"
    )


def run(args: argparse.Namespace) -> int:
    """Write the copies; the exit code is 0."""
    from irmetrics_edu.classroom.exercises.rehearsal import refuse_what_fails
    from irmetrics_edu.classroom.exercises.source import chosen, read, sources_in
    from irmetrics_edu.classroom.exercises.variants import read_key
    from irmetrics_edu.classroom.marking.collecting.rosters import everybody, together
    from irmetrics_edu.classroom.marking.collecting.rosters import read as read_roster
    from irmetrics_edu.classroom.marking.returning.exports import handed_out
    from irmetrics_edu.writing import write

    people = [p for p in everybody(together(list(map(read_roster, args.roster)))) if not p.test]
    students = [p.student for p in people]
    other = args.nbgrader or args.otter
    if args.key is None and (students or other):
        raise InputError("--key is missing: name the file with the course key")
    if args.canvas and (other or not people):
        raise InputError("--canvas: give the class with --roster, such as Canvas's gradebook")
    key = read_key(args.key) if args.key else b""
    for path in chosen(sources_in(args.sources), args.names):
        source = read(path)
        missing = refuse_what_fails(source)
        if missing:
            put(f"{path}: its solution was not tried: {missing}")
        written = _written(args, source, students, key)
        without: list[str] = []
        if people and not other:
            zips, without = handed_out(written, people, args.canvas)
            for platform, data in zips.items():
                written.append(args.out / f"{source.stem}-{platform}.zip")
                write(written[-1], data)
        for target in written:
            put(f"wrote {target}")
        if without:
            put(f"no notebook is handed in, so Canvas can't give a copy to: {'; '.join(without)}")
    return 0


def _written(
    args: argparse.Namespace,
    source: "ExerciseSource",
    students: list[str],
    key: bytes,
) -> list[Path]:
    """Write an exercise in the form that was asked for; the paths."""
    from irmetrics_edu.classroom.exercises import build

    if args.nbgrader:
        return [build.write_nbgrader(source, args.out, key)]
    if args.otter:
        return build.write_otter(source, args.out, key)
    return build.write_copies(source, students or [""], key, args.out)
