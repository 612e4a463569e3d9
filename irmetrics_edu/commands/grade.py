"""`irmetrics-edu grade SUBMISSIONS --key FILE --out DIR`: marks and feedback for a class."""

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from irmetrics_edu.commands.progress import bar
from irmetrics_edu.errors import InputError
from irmetrics_edu.views.output import put

if TYPE_CHECKING:
    from irmetrics_edu.classroom.marking.answer_key import Paper
    from irmetrics_edu.classroom.marking.gradebook import Row
    from irmetrics_edu.classroom.marking.intake import Desk, Handed
    from irmetrics_edu.classroom.marking.ownership import Work
    from irmetrics_edu.classroom.marking.running import Round
    from irmetrics_edu.classroom.marking.submission_result import Result

MOST_SHOWN = 20
EXAMPLES = (
    "grade submissions --key course.key --out marks",
    "grade submissions --key course.key --out marks --roster students.csv --late late.csv",
    "grade submissions.zip --key course.key --out marks --roster gradebook.csv",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's own arguments."""
    parser.add_argument(
        "submissions", type=Path, metavar="SUBMISSIONS",
        help="a folder of notebooks, one notebook, nbgrader's submitted/STUDENT/ASSIGNMENT/, the "
        "zip that Canvas or Moodle gives, or a folder of such zips",
    )  # fmt: skip
    parser.add_argument(
        "--key", type=Path, required=True, metavar="FILE", help="the file with the course key"
    )
    parser.add_argument(
        "--out", type=Path, required=True, metavar="DIR",
        help="the folder for results, feedback and tables; write marks by hand into DIR/manual.csv",
    )  # fmt: skip
    parser.add_argument(
        "--exercise",
        metavar="NN",
        help="grade all submissions as exercise NN (default: as the notebooks say)",
    )
    parser.add_argument(
        "--sources", type=Path, metavar="DIR", help="the exercises' sources (default: solutions)"
    )
    parser.add_argument(
        "--roster", type=Path, metavar="FILE", action="append", default=[],
        help="the students: a list of names, a CSV file with the columns "
        "student,name,id,email,login,section,group (a group hands in together), "
        "Canvas's gradebook or file of groups, Moodle's participants or grading "
        "worksheet; may be repeated for the same class",
    )  # fmt: skip
    parser.add_argument(
        "--copies", choices=("auto", "own", "general"), default="auto",
        help="own if each student got a copy of their own, general if all got the same one "
        "(default: auto, as the notebooks say)",
    )  # fmt: skip
    parser.add_argument(
        "--due",
        metavar="TIME",
        help="report the submissions that are later than TIME, such as 2026-11-20T23:59+01:00",
    )
    parser.add_argument(
        "--late", type=Path, metavar="FILE",
        help="deadlines, grace, penalties and extensions: CSV with the columns "
        "rule,exercise,student,value (see docs/grading.md)",
    )  # fmt: skip
    parser.add_argument(
        "--times", type=Path, metavar="FILE",
        help="when submissions were handed in, from the learning platform: CSV with the "
        "columns student,exercise,time and optionally file; file modification times "
        "are never used",
    )  # fmt: skip
    parser.add_argument(
        "--attempt", choices=("last", "first", "best"), default="last",
        help="which of several submissions counts; best is after penalties (default: last)",
    )  # fmt: skip
    parser.add_argument(
        "--tier", choices=("namespaces", "user", "plain"),
        help="how students' code is isolated (default: namespaces, the secure tier; if the "
        "system does not allow it, nothing runs until you choose another tier)",
    )  # fmt: skip
    parser.add_argument(
        "--limit", action="append", default=[], metavar="NAME=VALUE",
        help="the limits for one question: cpu=5 and wall=10 (seconds), memory=1024MiB, "
        "output=8MiB, file=8MiB, answer=1MiB, processes=16; and for all runs of a notebook that "
        "the clock cuts: submission=120 (seconds); may be repeated",
    )  # fmt: skip
    parser.add_argument(
        "--workers", type=int, default=2, metavar="N",
        help="how many submissions to grade at a time (default: 2)",
    )  # fmt: skip
    parser.add_argument(
        "--force",
        action="store_true",
        help="grade everything again, and replace marks that have changed",
    )
    parser.add_argument("--dry-run", action="store_true", help="only show what would be graded")


def run(args: argparse.Namespace) -> int:
    """Grade; the exit code is 0 if all submissions have marks, 1 if one waits for the teacher."""
    from irmetrics_edu.classroom.marking import intake, store

    if args.workers < 1:
        raise InputError(f"--workers {args.workers}: give 1 or more")
    _outside(args.out, args.submissions)
    kept = store.results(args.out)
    with intake.opened(args.submissions, list(kept)) as handed:
        return _graded(args, handed, kept)


def _graded(args: argparse.Namespace, handed: "Handed", kept: "dict[str, Result]") -> int:
    from irmetrics_edu.classroom.exercises.variants import read_key
    from irmetrics_edu.classroom.marking import gradebook, hand_marks, intake, running, store
    from irmetrics_edu.classroom.marking.ownership import sort_out
    from irmetrics_edu.classroom.marking.submissions import submissions
    from irmetrics_edu.classroom.marking.times import timed

    key = read_key(args.key)
    rosters = intake.read_rosters(args.roster)
    people = intake.Desk(rosters).people
    papers = _papers(args, key)
    stems = [paper.source.stem for paper in papers.values()]
    root = handed.root
    forced = args.exercise.zfill(2) if args.exercise else ""
    handed_in = submissions(
        root, stems, people, refused=handed.refused, several=handed.several
    )  # fmt: skip
    works = sort_out(handed_in, papers, key, people, args.copies, forced)
    desk = intake.desk(rosters, works, list(papers), due=args.due or "", rules=args.late,
                       handed_in=args.times)  # fmt: skip
    works = timed(works, desk.times, people)
    lies_in = root if handed.unpacked else args.submissions
    asked = [w for w in works if _lies_in(root / w.submission.path, root, lies_in)]
    used = {n: papers[n] for n in sorted({w.number for w in works} - {""})}
    need = running.sorted_by_need(asked, kept, force=args.force)
    if args.dry_run:
        return _dry(need)
    students = {w.student for w in works} | {n for p in people for n in (p.student, p.unit)}
    points = {n: {q.name: q.marks for q in p.source.exercise.every} for n, p in used.items()}
    by_hand = store.manual(args.out / "manual.csv", points, students)
    waiting = {*need.new, *need.anew, *need.stale}
    for number in sorted({w.number for w in asked if w.submission.path in waiting} - {""}):
        _ = papers[number].hidden  # that no input tells enough is the teacher's to know, at once
    with _bar(len(asked)) as done:
        found = running.grade(asked, papers, args.out, force=args.force, done=done,
                             workers=args.workers)  # fmt: skip
    rows = gradebook.rows(works, kept | found.results, papers, by_hand, people, desk.rules,
                     args.attempt)  # fmt: skip
    rows = hand_marks.marked(rows, works, papers, args.out, by_hand)
    _write(args.out, rows, works, desk, handed)
    return _say(found, rows, args.out, force=args.force)


def _papers(args: argparse.Namespace, key: bytes) -> dict[str, "Paper"]:
    from irmetrics_edu.classroom.exercises.build import SOLUTIONS, sources
    from irmetrics_edu.classroom.exercises.source import read
    from irmetrics_edu.classroom.grading.limits import Limits
    from irmetrics_edu.classroom.grading.sandbox import tier_for
    from irmetrics_edu.classroom.grading.tiers import named
    from irmetrics_edu.classroom.marking.answer_key import Paper

    places = [args.sources] if args.sources else [Path("solutions"), SOLUTIONS]
    paths = next((found for p in places if (found := sources(folder=p))), [])
    if not paths:
        shown = " or ".join(str(p) for p in places)
        raise InputError(f"no source of an exercise in {shown}; name their folder with --sources")
    known = ", ".join(p.stem.partition("_")[0] for p in paths)
    if args.exercise:
        paths = [p for p in paths if p.stem.startswith(f"{args.exercise.zfill(2)}_")]
    if not paths:
        raise InputError(f"--exercise {args.exercise}: no such source; known are {known}")
    tier = named(args.tier or "namespaces") if args.dry_run else tier_for(args.tier or "")
    limits = Limits.named(args.limit)
    read_in = [read(path) for path in paths]
    return {source.exercise.number: Paper(source, key, tier, limits) for source in read_in}


def _lies_in(path: Path, root: Path, asked: Path) -> bool:
    """Whether a submission was asked for: the whole class, one folder or one notebook."""
    wanted = asked.resolve()
    return root == asked or root.resolve() == wanted or wanted in (path.resolve(), *path.parents)


def _outside(out: Path, submissions: Path) -> None:
    """InputError if nothing can be written there, or if it would be read as a submission."""
    root, target = submissions.resolve(), out.resolve()
    above = next((p for p in (target, *target.parents) if p.exists()), target)
    if not above.is_dir():
        raise InputError(f"--out {out}: {above.name} is a file; name a folder, which may be new")
    if submissions.is_dir() and (target == root or root in target.parents):
        raise InputError(f"--out {out} is inside {submissions}; name a folder outside of it")


def _write(
    out: Path, rows: Sequence["Row"], works: Sequence["Work"], desk: "Desk", handed: "Handed"
) -> None:
    """Write the files for students and teacher; a file that stays the same is not touched."""
    from irmetrics_edu.classroom.marking import (
        class_report,
        feedback,
        intake,
        lms_export,
        mark_tables,
        store,
    )

    for row in rows:
        if row.result is None:
            continue
        folder = out / "feedback" / store.file_name(row.student)
        name = row.stem if row.exercise else f"unknown-{store.file_name(row.result.path)}"
        store.write(folder / f"{name}.html", feedback.as_html(row))
        store.write(folder / f"{name}.md", feedback.markdown(row))
    store.write(out / "marks.csv", mark_tables.marks(rows))
    store.write(out / "marks.json", mark_tables.as_data(rows))
    store.write(out / "canvas.csv", mark_tables.canvas(rows, desk.gradebook()))
    store.write(out / "moodle.csv", mark_tables.moodle(rows))
    store.write(out / "mistakes.csv", mark_tables.mistakes(rows))
    store.write(out / "report.html", class_report.as_html(rows))
    store.write(out / "report.md", class_report.markdown(rows))
    if sheets := desk.worksheets():
        number = intake.exercise_of_worksheet(works, sheets)
        store.write(out / "moodle-worksheet.csv", lms_export.worksheet(sheets[0], rows, number))
    zips, without = lms_export.archives(rows, works, several=handed.several)
    for name, data in zips.items():
        store.write(out / name, data)
    for why, which in without.items():
        put(why)
        _list(which)
    if hidden := sorted({row.exercise for row in rows if row.anonymous}):
        put(f"names are hidden in exercise {', '.join(hidden)}: marks and feedback are under the "
            "anonymous ids, not in canvas.csv and moodle.csv")  # fmt: skip


def _dry(need: "Round") -> int:
    for what, paths in (
        ("grade", need.new),
        ("grade again, as another file was handed in,", need.anew),
        ("grade again, by other rules or by force,", need.stale),
        ("keep", need.kept),
    ):
        put(f"would {what} {len(paths)}")
        if what != "keep":
            _list(paths)
    return 0


def _list(lines: Sequence[str]) -> None:
    for line in lines[:MOST_SHOWN]:
        put(f"  {line}")
    if len(lines) > MOST_SHOWN:
        put(f"  and {len(lines) - MOST_SHOWN} more")


def _say(found: "Round", rows: Sequence["Row"], out: Path, *, force: bool) -> int:
    from irmetrics_edu.classroom.marking.class_report import hows

    anew = f", {len(found.anew)} handed in anew" if found.anew else ""
    again = f", {len(found.stale)} graded again" if found.stale else ""
    put(f"{len(found.new)} newly graded{anew}, {len(found.kept)} kept as they were{again}")
    taken = {p: what for p, what in found.changes.items() if force or p not in set(found.stale)}
    left = {p: what for p, what in found.changes.items() if p not in taken}
    for title, changes in (
        ("changed:", taken),
        ("would change (--force takes it over; nothing was changed):", left),
    ):
        if changes:
            put(title)
            _list([f"{path}: {'; '.join(what)}" for path, what in sorted(changes.items())])
    open_ = [row for row in rows if row.marks is None]
    if open_:
        put("without marks, look at these:")
        why = [(r, r.result.why if r.result and r.result.why else r.status) for r in open_]
        _list([f"{row.student}, exercise {row.exercise or '?'}: {reason}" for row, reason in why])
    for how in hows(rows):
        put(how)
    put(f"see {out / 'report.html'}, {out / 'marks.csv'} and {out / 'feedback'}")
    return 1 if open_ else 0


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
