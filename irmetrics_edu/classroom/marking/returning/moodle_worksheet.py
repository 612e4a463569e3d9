"""Moodle's grading worksheet, filled in.

Moodle has a feedback column beside each grade, as a feedback imported alone takes the grade away.
"""

from collections.abc import Mapping, Sequence

from irmetrics_edu.classroom.marking.matching.lateness import SUBMITTED, Worksheet
from irmetrics_edu.classroom.marking.returning.exports import brief
from irmetrics_edu.classroom.marking.returning.platform_points import maximum, scaled
from irmetrics_edu.classroom.marking.reviewing.gradebook import Row
from irmetrics_edu.views import escaping
from irmetrics_edu.views.formatting import csv_table

TIMES = (SUBMITTED, "Last modified (grade)")


def worksheet(sheet: Worksheet, rows: Sequence[Row]) -> tuple[str, list[str]]:
    """Moodle's grading worksheet as it was given, filled in, and what to say of it.

    Marks are scaled to the maximum grade of each line. Moodle takes nothing above it, so marks
    beyond it by a bonus become the maximum. Marks that are not known stay as they were; Moodle
    skips a line whose grade is empty. A comment in the worksheet is replaced, which is said.
    """
    roster = sheet.roster
    by_student = {row.student: row for row in rows if row.exercise == sheet.exercise}
    comment = _column(roster.head, "feedback comments") or "Feedback comments"
    head = list(dict.fromkeys([*roster.head, comment]))
    lines: list[list[object]] = [list(head)]
    remarks = []
    above: list[str] = []
    replaced = []
    for person, _, line in roster.lines:
        row = by_student.get(person.student)
        cells = {**line, **_without_dashes(line)}
        if row is not None:
            above += _fill_in(cells, row, head, comment)
            if line.get(comment, "").strip() not in {"", cells.get(comment, "")}:
                replaced.append(row.student)
        lines.append([cells.get(name, "") for name in head])
    if above:
        remarks.append(
            "moodle-worksheet.csv: Moodle takes nothing above the maximum grade, which is written "
            f"for: {'; '.join(above)}"
        )
    if replaced:
        remarks.append(
            "moodle-worksheet.csv: the feedback replaces comments that the worksheet has of: "
            f"{'; '.join(replaced)}"
        )
    return csv_table(lines, end="\r\n"), remarks


def _fill_in(cells: dict[str, str], row: Row, head: Sequence[str], comment: str) -> list[str]:
    """Write what is known of a student into the cells of a line; who has more than is written."""
    above = []
    if row.marks is not None:
        grade, note = _grade(
            row,
            row.marks,
            cells.get(_column(head, "maximum grade"), ""),
        )
        cells[_column(head, "grade")] = grade
        if note:
            above.append(note)
    if row.result:
        # Moodle takes it for HTML.
        cells[comment] = "<br>".join(escaping.html(line) for line in brief(row))
    return above


def _without_dashes(line: Mapping[str, str]) -> dict[str, str]:
    """The times of a line; Moodle writes a dash for none, and does not read it."""
    times = {}
    for name in TIMES:
        time = line.get(name, "")
        times[name] = "" if time.strip() == "-" else time
    return times


def _grade(
    row: Row,
    marks: float,
    possible: str,
) -> tuple[str, str]:
    """The grade in Moodle's points, and who has more than that, with both; "" if nobody has."""
    most = maximum(possible)
    points = scaled(
        marks,
        most,
        row.out_of,
    )
    if most is None or points <= most:
        return f"{points:g}", ""
    return f"{float(most):g}", f"{row.student} ({points:g} of {float(most):g})"


def _column(head: Sequence[str], name: str) -> str:
    """The column of this name as the file writes it; "" if there is none."""
    for column in head:
        if column.strip().lower() == name:
            return column
    return ""
