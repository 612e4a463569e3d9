"""The fourth step: the results become rows of a book, with the teacher's own marks in it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from irmetrics_edu.classroom.marking.grade_options import GradeOptions
from irmetrics_edu.classroom.marking.mark import MarkedHandIns
from irmetrics_edu.classroom.marking.match import MatchedHandIns
from irmetrics_edu.classroom.marking.results import Result
from irmetrics_edu.classroom.marking.reviewing import gradebook, regrading
from irmetrics_edu.classroom.marking.reviewing.gradebook import Row
from irmetrics_edu.classroom.marking.reviewing.handing_marks import HandMarked, with_hand_marks


@dataclass(frozen=True)
class Reviewed:
    """The rows of the book, and what a teacher has to know of how they came about.

    `rows` are those of this round, `now`, and those of earlier rounds, which stand. `if_forced` are
    the rows with all new results in them, before any mark by hand, and `by_program` those that
    count in the same state. `regraded` has a line for each mark that the teacher's table of changes
    changed; None without a table.
    """

    rows: Sequence[Row]
    now: Sequence[Row]
    by_program: Sequence[Row]
    if_forced: Sequence[Row]
    by_hand: HandMarked
    regraded: Sequence[Sequence[str]] | None = field(default=None)


def review(matched: MatchedHandIns, marked: MarkedHandIns, options: GradeOptions) -> Reviewed:
    """The marks as they count: of the attempt that counts, after lateness, hand and changes."""
    by_program = _rows(matched, marked.standing, options)
    if_forced = _rows(matched, marked.new, options)
    by_hand = with_hand_marks(
        by_program,
        matched.hand_ins,
        matched.answer_keys,
        options.folder,
        matched.tables.manual,
        earlier=matched.earlier,
    )
    rows: Sequence[Row] = by_hand.rows
    regraded = None
    if matched.tables.changes:
        exercises = {n: one.source.exercise for n, one in matched.answer_keys.items()}
        rows, regraded = regrading.applied(rows, matched.tables.changes, exercises)
    now = _not_standing(rows, by_hand.earlier)
    return Reviewed(
        rows=gradebook.in_order([*now, *by_hand.earlier]),
        now=now,
        by_program=by_program,
        if_forced=if_forced,
        by_hand=by_hand,
        regraded=regraded,
    )


def _not_standing(rows: Sequence[Row], earlier: Sequence[Row]) -> list[Row]:
    """The rows of this round without those in whose place an earlier row stands."""
    standing = {(row.student, row.exercise) for row in earlier}
    return [row for row in rows if row.result or (row.student, row.exercise) not in standing]


def _rows(matched: MatchedHandIns, new: Mapping[str, Result], options: GradeOptions) -> list[Row]:
    book = gradebook.GradeBook(
        results={**matched.kept, **new},
        answer_keys=matched.answer_keys,
        manual=matched.tables.manual,
        people=matched.collected.people,
        rules=matched.tables.rules,
        attempt=options.attempt,
    )
    return book.rows(matched.hand_ins)
