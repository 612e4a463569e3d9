"""The last step: feedback goes back to the students, tables and a report to the teacher."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from irmetrics_edu import writing
from irmetrics_edu.classroom.marking import results
from irmetrics_edu.classroom.marking.grade_options import GradeOptions
from irmetrics_edu.classroom.marking.match import MatchedHandIns
from irmetrics_edu.classroom.marking.returning import summary
from irmetrics_edu.classroom.marking.returning.all_files import write_all
from irmetrics_edu.classroom.marking.review import Reviewed
from irmetrics_edu.classroom.marking.reviewing import regrading
from irmetrics_edu.classroom.marking.reviewing.gradebook import Row


@dataclass(frozen=True)
class MarkedClass:
    """A class that was marked: the marks of each student, and what to say of them, line by line.

    `rows` are the marks, a row for each student and exercise. `open` are the rows without marks,
    which wait for the teacher, and `open_totals` counts the totals of a course that do.
    """

    lines: tuple[str, ...]
    rows: tuple[Row, ...] = ()
    open_totals: int = 0

    @property
    def open(self) -> list[Row]:
        """The rows without marks."""
        return [row for row in self.rows if row.marks is None]

    def __str__(self) -> str:
        return "\n".join(self.lines)


def give_back(matched: MatchedHandIns, reviewed: Reviewed, options: GradeOptions) -> MarkedClass:
    """Write all files, and say what was marked, what changed and what waits for the teacher."""
    reviewed.by_hand.write_page(options.folder)
    lines = list(reviewed.by_hand.agreement)
    lines += _write_regraded(reviewed.regraded, options)
    lines += write_all(matched, reviewed, options)
    lines += summary.of_earlier(reviewed.by_hand.earlier)
    lines.append(summary.of_round(matched.asked, matched.to_do))
    lines += summary.would_change(reviewed.by_program, reviewed.if_forced)
    lines += summary.to_look_at(reviewed.rows, options.folder)
    return MarkedClass(tuple(lines), tuple(reviewed.rows))


def _write_regraded(
    regraded: Sequence[Sequence[str]] | None, options: GradeOptions
) -> Iterator[str]:
    """Write the table of changed marks, or remove that of an earlier round; what to say of it."""
    file = options.folder / "regraded.csv"
    if regraded is not None:
        results.write(file, results.as_csv([regrading.CHANGED, *regraded]))
        yield f"marks changed by --regrade: {len(regraded)}, see {file}"
    elif file.exists():
        writing.remove(file)
        yield f"{file} is removed: without --regrade its changes don't count"
