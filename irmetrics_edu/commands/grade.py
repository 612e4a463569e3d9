"""`irmetrics-edu grade SUBMISSIONS --key FILE --out DIR`: marks and feedback for a class.

`irmetrics-edu grade course MARKS ... --out DIR` adds up the exercises of a course, and
`irmetrics-edu grade page MARKS --out FILE` writes the page for another marker, without names.
"""

import argparse
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from irmetrics_edu.commands.options import bar, whole
from irmetrics_edu.errors import InputError
from irmetrics_edu.views.output import put

if TYPE_CHECKING:
    from irmetrics_edu.classroom.marking.grade_options import GradeOptions

EXAMPLES = (
    "grade submissions --key course.key --out marks",
    "grade submissions --key course.key --out marks --roster students.csv --late late.csv",
    "grade submissions.zip --key course.key --out marks --roster gradebook.csv",
    "grade page marks --out for-anna.html",
    "grade course marks-01 marks-02 --out course --rules course.csv",
    "grade course downloads --key course.key --out course --roster gradebook.csv",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's own arguments."""
    parser.add_argument(
        "submissions",
        nargs="+",
        metavar="SUBMISSIONS",
        help="a folder of notebooks, one notebook, nbgrader's submitted/STUDENT/ASSIGNMENT/, the "
        "zip that Canvas or Moodle gives. The word course in front adds up exercises: then give "
        "folders that an earlier run wrote, what is still to be graded, or a folder of zips. "
        "The word page in front, with such a folder, writes a page to mark by hand without names",
    )
    parser.add_argument(
        "--key",
        type=Path,
        metavar="FILE",
        help="the file with the course key",
    )
    parser.add_argument(
        "--out",
        type=Path,
        required=True,
        metavar="DIR",
        help="the folder for results, feedback and tables (page: the file); write marks by hand "
        "into DIR/manual.csv",
    )
    parser.add_argument(
        "--exercise",
        metavar="NN",
        default="",
        help="grade all submissions as exercise NN (default: as the notebooks say)",
    )
    parser.add_argument(
        "--sources",
        type=Path,
        metavar="DIR",
        help="the exercises' sources (default: solutions)",
    )
    parser.add_argument(
        "--roster",
        type=Path,
        metavar="FILE",
        action="append",
        default=[],
        help="the students: a CSV file with the column student and any of "
        "name,id,email,login,section,group (a group hands in together), "
        "Canvas's gradebook or file of groups, Moodle's participants or grading "
        "worksheet; may be repeated for the same class",
    )
    marks = parser.add_argument_group("deadlines, and marks that change")
    runs = parser.add_argument_group("how notebooks are marked")
    tables = parser.add_argument_group("tables for a platform and a course")
    _add_marks(marks)
    _add_runs(runs)
    _add_tables(tables)


def _add_marks(marks: argparse._ArgumentGroup) -> None:
    marks.add_argument(
        "--late",
        type=Path,
        metavar="FILE",
        help="deadlines, grace, penalties and extensions: CSV with the columns "
        "rule,exercise,student,value (see docs/grading.md)",
    )
    marks.add_argument(
        "--times",
        type=Path,
        metavar="FILE",
        help="when submissions were handed in, from the learning platform: CSV with the "
        "columns student,exercise,time and optionally file; file modification times "
        "are never used",
    )
    marks.add_argument(
        "--regrade",
        type=Path,
        metavar="FILE",
        help="marks that change for all after grading: CSV with the columns "
        "rule,exercise,question,value,comment (see docs/grading.md)",
    )
    marks.add_argument(
        "--attempt",
        choices=("last", "first", "best"),
        default="last",
        help="which of several submissions counts; best is after penalties (default: last)",
    )


def _add_runs(runs: argparse._ArgumentGroup) -> None:
    runs.add_argument(
        "--own-copies",
        action="store_true",
        help="mark all by the inputs of the student's own copy, whatever the notebook shows",
    )
    runs.add_argument(
        "--tier",
        choices=("namespaces", "user", "plain"),
        default="",
        help="how students' code is isolated (default: namespaces, the secure tier; if the "
        "system does not allow it, nothing runs until you choose another tier)",
    )
    runs.add_argument(
        "--limit",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="the limits for one question: cpu=5 and wall=10 (seconds), memory=1024MiB, "
        "output=8MiB, file=8MiB, answer=1MiB, processes=16; and for all runs of a notebook that "
        "the clock cuts: submission=120 (seconds); may be repeated",
    )
    runs.add_argument(
        "--workers",
        type=whole(1),
        default=2,
        metavar="N",
        help="how many submissions to grade at a time (default: 2)",
    )
    runs.add_argument(
        "--force",
        action="store_true",
        help="grade everything again, and replace marks that have changed",
    )


def _add_tables(tables: argparse._ArgumentGroup) -> None:
    tables.add_argument(
        "--column",
        action="append",
        default=[],
        metavar="NN=NAME",
        help="the column of exercise NN in Canvas's gradebook, by its name or id, where its title "
        "does not tell; may be repeated",
    )
    tables.add_argument(
        "--rules",
        type=Path,
        metavar="FILE",
        help="course: weights, what is dropped, and bands: CSV with the columns rule,of,value (see "
        "docs/grading.md)",
    )


def run(args: argparse.Namespace) -> int:
    """Grade; the exit code is 0 if all submissions have marks, 1 if one waits for the teacher."""
    from irmetrics_edu.classroom.marking.mark_class import mark_class
    from irmetrics_edu.classroom.marking.mark_course import mark_course

    step, *rest = args.submissions
    if rest and (step == "page" or all((Path(path) / "marks.json").is_file() for path in rest)):
        _refuse_idle(args)
    if step == "page" and len(rest) == 1:
        _write_page(Path(rest[0]), args.out)
        return 0
    if rest and step != "course":
        raise InputError(f"{step} {rest[0]}: give one folder or file, or the word course in front")
    if rest:
        marked = mark_course(
            rest,
            _options(args),
            rules=args.rules,
            progress=_bar,
        )
    else:
        _require_key(args)
        marked = mark_class(step, _options(args), _bar)
    put(str(marked))
    return 1 if marked.open or marked.open_totals else 0


def _write_page(folder: Path, target: Path) -> None:
    """Write the page for another marker."""
    from irmetrics_edu.classroom.marking.reviewing.marking_page import without_names
    from irmetrics_edu.writing import write

    write(target, without_names(folder, target))
    put(f"{target}: the answers without names, to be marked in a browser")


def _require_key(args: argparse.Namespace) -> None:
    """InputError for what a single class needs, or can't use."""
    if args.rules:
        raise InputError("--rules is for `grade course`")
    if args.key is None:
        raise InputError("--key is missing: name the file with the course key")


def _options(args: argparse.Namespace) -> "GradeOptions":
    """The options of the command, as marking takes them."""
    from irmetrics_edu.classroom.marking.grade_options import GradeOptions

    return GradeOptions(
        key=args.key or "",
        out=args.out,
        exercise=args.exercise,
        sources=args.sources,
        rosters=args.roster,
        own_copies=args.own_copies,
        late=args.late,
        times=args.times,
        regrade=args.regrade,
        attempt=args.attempt,
        tier=args.tier,
        limits=args.limit,
        columns=args.column,
        workers=args.workers,
        force=args.force,
    )


def _refuse_idle(args: argparse.Namespace) -> None:
    """InputError for an option that changes nothing where all is graded."""
    names = (
        "exercise",
        "sources",
        "roster",
        "own_copies",
        "late",
        "times",
        "regrade",
        "attempt",
        "tier",
        "limit",
        "column",
        "force",
    )
    unset: tuple[object, ...] = (None, "", [], False, "last")
    idle = [name.replace("_", "-") for name in names if getattr(args, name) not in unset]
    if idle:
        raise InputError(
            f"--{', --'.join(idle)}: all is graded already, so this would change "
            "nothing; give it where the folder is graded"
        )


@contextmanager
def _bar(count: int) -> Iterator[Callable[[], None]]:
    """A progress bar on the terminal's error stream; nothing anywhere else."""
    if not sys.stderr.isatty():
        yield lambda: None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, TimeRemainingColumn

    with bar(BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()) as progress:
        task = progress.add_task("", total=count)
        yield lambda: progress.advance(task)
