"""The totals of a course: what was graded before, and what is still to be graded."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from irmetrics_edu.classroom.marking import results
from irmetrics_edu.classroom.marking.collecting.archives import downloads
from irmetrics_edu.classroom.marking.collecting.rosters import WORKSHEET
from irmetrics_edu.classroom.marking.collecting.rosters import read as read_roster
from irmetrics_edu.classroom.marking.give_back import MarkedClass
from irmetrics_edu.classroom.marking.grade_options import GradeOptions, Progress, no_progress
from irmetrics_edu.classroom.marking.mark_class import mark_class
from irmetrics_edu.classroom.marking.results import MarkEntry
from irmetrics_edu.classroom.marking.returning import course_total
from irmetrics_edu.classroom.marking.returning.course_total import CourseRules
from irmetrics_edu.classroom.marking.returning.summary import listed
from irmetrics_edu.classroom.marking.reviewing.gradebook import Row
from irmetrics_edu.errors import InputError


def mark_course(
    where: Sequence[str | Path],
    options: GradeOptions,
    *,
    rules: str | Path | None = None,
    progress: Progress = no_progress,
) -> MarkedClass:
    """The totals of a course, as course.csv and course.html in the folder `options.out`.

    `where` are folders that an earlier grading wrote, and what is still to be graded: downloads of
    platforms, or a folder of several. Each of these is graded into a folder of its own below that
    folder. A grading worksheet of Moodle goes with the download whose name ends in the same
    number, all other rosters with each.
    """
    folder = options.folder
    parts: list[Path] = []
    for path in map(Path, where):
        parts += downloads(path) or [path]
    rosters = _rosters_of(parts, [Path(roster) for roster in options.rosters])
    lines: list[str] = []
    entries: list[MarkEntry] = []
    rows: list[Row] = []
    for part in parts:
        graded = part
        if not (part / "marks.json").is_file():
            if not options.key:
                raise InputError(f"{part} is not graded yet: give the course key with --key")
            graded = folder / part.stem
            of_part = replace(options, out=graded, rosters=rosters[part])
            marked = mark_class(part, of_part, progress)
            lines.append(f"{part.name}:")
            lines += [f"  {line}" for line in marked.lines]
            rows += marked.rows
        entries += course_total.graded_in(graded)
    totals = course_total.totals(entries, _rules(rules, entries))
    results.write(folder / "course.csv", course_total.as_csv(totals))
    results.write(folder / "course.html", course_total.as_html(totals))
    left = [f"{one.student}: exercise {', '.join(one.open)}" for one in totals if one.open]
    if left:
        lines += ["totals that stay open, as marks are missing:", *listed(left)]
    files = f"{folder / 'course.html'} and {folder / 'course.csv'}"
    lines.append(f"{len(totals)} students; see {files}")
    return MarkedClass(tuple(lines), tuple(rows), len(left))


def _rules(path: str | Path | None, entries: Sequence[MarkEntry]) -> CourseRules:
    """The rules of the teacher's table; without one all exercises weigh the same."""
    exercises = sorted({entry["exercise"] for entry in entries} - {""})
    return course_total.read_rules(Path(path), exercises) if path else CourseRules()


def _rosters_of(parts: Sequence[Path], rosters: Sequence[Path]) -> Mapping[Path, Sequence[Path]]:
    """The rosters of each download: a worksheet goes with one of them, all others with each."""
    common: list[Path] = []
    worksheets: dict[Path, list[Path]] = {part: [] for part in parts}
    for roster in rosters:
        if read_roster(roster).kind != WORKSHEET:
            common.append(roster)
            continue
        fits = [part for part in parts if _last_number(part) == _last_number(roster)]
        if len(fits) != 1:
            raise InputError(
                f"{roster}: which download is it of? Keep Moodle's names, which end in one number: "
                "Grades-C1-First-33.csv goes with C1-First-33.zip"
            )
        worksheets[fits[0]].append(roster)
    return {part: [*common, *sheets] for part, sheets in worksheets.items()}


def _last_number(path: Path) -> str:
    numbers = re.findall(r"\d+", path.stem)
    return str(numbers[-1]) if numbers else path.stem
