"""`irmetrics-edu exercises 04 --roster FILE --key FILE --out DIR`: copies to hand out."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from irmetrics_edu.errors import InputError
from irmetrics_edu.views.output import put

if TYPE_CHECKING:
    from collections.abc import Sequence

    from irmetrics_edu.classroom.exercises.source import ExerciseSource
    from irmetrics_edu.classroom.marking.collecting.owner_names import Person

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
    parser.add_argument(
        "--key",
        type=Path,
        metavar="FILE",
        help="the file with the course key",
    )
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

    rosters = together([read_roster(path) for path in args.roster])
    people = [person for person in everybody(rosters) if not person.test]
    _refuse_unfit(args, people)
    key = read_key(args.key) if args.key else b""
    for path in chosen(sources_in(args.sources), args.names):
        source = read(path)
        missing = refuse_what_fails(source)
        if missing:
            put(f"{path}: its solution was not tried: {missing}")
        written = _written(args, source, people, key)
        if people and not _for_another_grader(args):
            _add_zips(args, source, written, people)
        else:
            _say(written)
    return 0


def _for_another_grader(args: argparse.Namespace) -> bool:
    return bool(args.nbgrader or args.otter)


def _refuse_unfit(args: argparse.Namespace, people: "Sequence[Person]") -> None:
    """InputError for options that need others."""
    other = _for_another_grader(args)
    if args.key is None and (people or other):
        raise InputError("--key is missing: name the file with the course key")
    if args.canvas and (other or not people):
        raise InputError("--canvas: give the class with --roster, such as Canvas's gradebook")


def _add_zips(
    args: argparse.Namespace,
    source: "ExerciseSource",
    written: list[Path],
    people: "Sequence[Person]",
) -> None:
    """Write the zips of the copies for the platforms, and say what was written and who has none."""
    from irmetrics_edu.classroom.marking.returning.copies_out import handed_out
    from irmetrics_edu.writing import write

    zips, without = handed_out(written, people, args.canvas)
    targets = list(written)
    for platform, data in zips.items():
        target = args.out / f"{source.stem}-{platform}.zip"
        write(target, data)
        targets.append(target)
    _say(targets)
    if without:
        put(f"no notebook is handed in, so Canvas can't give a copy to: {'; '.join(without)}")


def _say(written: "Sequence[Path]") -> None:
    for target in written:
        put(f"wrote {target}")


def _written(
    args: argparse.Namespace,
    source: "ExerciseSource",
    people: "Sequence[Person]",
    key: bytes,
) -> list[Path]:
    """Write an exercise in the form that was asked for; the paths."""
    from irmetrics_edu.classroom.exercises import build, translation

    if args.nbgrader:
        return [build.write_nbgrader(source, args.out, key)]
    if args.otter:
        return build.write_otter(source, args.out, key)
    students = [person.student for person in people]
    written = build.write_copies(source, students or [""], key, args.out)
    for person, path in zip(people, written, strict=False):
        if person.language:
            translation.translate(source, path, person.language)
    for code in sorted({person.language for person in people} - {""}):
        left, texts = translation.texts_left(source, code)
        if left:
            number = source.exercise.number
            put(
                f"exercise {number}: {left} of {texts} texts have no translation into {code} and "
                "stay English"
            )
    return written
