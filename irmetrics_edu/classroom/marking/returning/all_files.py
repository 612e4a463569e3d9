"""All files of a class that was marked; one that stays the same is not touched."""

import json
import re
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from irmetrics_edu import writing
from irmetrics_edu.classroom.marking import results
from irmetrics_edu.classroom.marking.collecting.rosters import CANVAS, Roster
from irmetrics_edu.classroom.marking.grade_options import GradeOptions
from irmetrics_edu.classroom.marking.match import MatchedHandIns
from irmetrics_edu.classroom.marking.results import MarkEntry
from irmetrics_edu.classroom.marking.returning import (
    class_report,
    course_total,
    exports,
    feedback,
    summary,
)
from irmetrics_edu.classroom.marking.returning.canvas_grades import canvas_files
from irmetrics_edu.classroom.marking.returning.feedback_zips import archives
from irmetrics_edu.classroom.marking.returning.moodle_worksheet import worksheet
from irmetrics_edu.classroom.marking.returning.side_by_side import cells_of
from irmetrics_edu.classroom.marking.review import Reviewed
from irmetrics_edu.classroom.marking.reviewing import earlier_rows
from irmetrics_edu.classroom.marking.reviewing.gradebook import Row
from irmetrics_edu.errors import InputError

_WORKSHEET = "moodle-worksheet.csv"
_OF_CANVAS = re.compile(r"canvas(-\d\d)?\.csv")


def write_all(matched: MatchedHandIns, reviewed: Reviewed, options: GradeOptions) -> list[str]:
    """Write the files for students and teacher, and say what changed and what was left out.

    The zips for a platform hold the feedback on the files of this round.
    """
    out = options.folder
    rows = reviewed.rows
    remarks = []
    with suppress(InputError):  # a damaged table is written anew
        remarks += summary.changed_since(_before(out), rows)
    for row in rows:
        _write_feedback(out, row)
    results.write(out / "marks.csv", exports.marks(rows))
    data = json.dumps(exports.as_data(rows), ensure_ascii=False, indent=1)
    results.write(out / "marks.json", f"{data}\n")
    earlier_rows.save(out, rows, reviewed.by_hand.answers)
    remarks += _write_canvas(
        out,
        exports.of_exercises(rows, {row.exercise for row in reviewed.now}),
        matched.collected.rosters,
        options.named_columns,
    )
    results.write(out / "report.html", class_report.as_html(rows, cells_of(matched.hand_ins)))
    for_platforms: dict[str, str | bytes] = {}
    if matched.worksheet:
        for_platforms[_WORKSHEET], about = worksheet(matched.worksheet, rows)
        remarks += about
    zips, without = archives(reviewed.now, matched.hand_ins)
    for_platforms.update(zips)
    for name, content in for_platforms.items():
        results.write(out / name, content)
    remarks += _of_earlier_rounds(out, for_platforms)
    for why, which in without.items():
        remarks += [why, *summary.listed(which)]
    hidden = sorted({row.exercise for row in rows if row.anonymous})
    if hidden:
        remarks.append(
            f"names are hidden in exercise {', '.join(hidden)}: marks and feedback are under the "
            "anonymous ids, not in canvas.csv"
        )
    return remarks


def _of_earlier_rounds(out: Path, written: Collection[str]) -> list[str]:
    """Which files for a platform lie there from an earlier round: their marks may be others now."""
    left = [_WORKSHEET, *(f"feedback-{platform}.zip" for platform in ("canvas", "moodle"))]
    return [
        f"{name} is of an earlier round, and has none of the marks of this one"
        for name in left
        if name not in written and (out / name).exists()
    ]


def _before(out: Path) -> list[MarkEntry]:
    """The marks of the last round; none if there was none."""
    return course_total.graded_in(out) if (out / "marks.json").exists() else []


def _write_feedback(out: Path, row: Row) -> None:
    """Write the files of one student for one exercise, if something was handed in."""
    if row.result is None:
        return
    folder = out / "feedback" / results.file_name(row.student)
    name = row.stem
    if not row.exercise:
        name = f"unknown-{results.file_name(row.result.path)}"
    results.write(folder / f"{name}.html", feedback.as_html(row))
    results.write(folder / f"{name}.md", feedback.markdown(row))
    results.write(folder / f"{name}.results.json", exports.gradescope(row))


def _write_canvas(
    out: Path,
    rows: Sequence[Row],
    rosters: Sequence[Roster],
    columns: Mapping[str, str],
) -> list[str]:
    """Write the files for Canvas and remove those of an earlier run; what to say of them."""
    books = [roster for roster in rosters if roster.kind == CANVAS]
    files, remarks = canvas_files(rows, books[0] if books else None, columns)
    for path in sorted(out.glob("canvas*.csv")):
        if _OF_CANVAS.fullmatch(path.name) and path.name not in files:
            writing.remove(path)
    for name, text in files.items():
        results.write(out / name, text)
    return remarks
