"""What is to be done with a submission in this round: mark it, mark it again, or keep its marks."""

from collections.abc import Container, Mapping, Sequence
from enum import Enum

from irmetrics_edu.classroom.marking.matching.ownership import HandIn
from irmetrics_edu.classroom.marking.results import ELSEWHERE, PARTLY, UNREADABLE, Result


class ToDo(Enum):
    """What is to be done with a submission."""

    MARK = "it is new"
    MARK_ANEW = "another file was handed in"
    MARK_AGAIN = "other sources, key, limits or roster marked it, or all is to be marked again"
    KEEP = "its result is kept"


def to_do(
    hand_ins: Sequence[HandIn],
    kept: Mapping[str, Result],
    listed: Container[str],
    *,
    force: bool,
) -> dict[str, ToDo]:
    """What is to be done with each submission, by its path; `listed` are all on the roster."""
    tasks = {}
    for one in hand_ins:
        before = kept.get(one.submission.path)
        if before and _of_another(before, one, listed):
            before = None
        tasks[one.submission.path] = _of_one(one, before, force=force)
    return tasks


def _of_another(before: Result, hand_in: HandIn, listed: Container[str]) -> bool:
    """Whether an earlier round had another file at this path: other students', or exercises'."""
    if before.exercise and hand_in.number and before.exercise != hand_in.number:
        return True
    return before.student != hand_in.student and before.student in listed


def _of_one(hand_in: HandIn, before: Result | None, *, force: bool) -> ToDo:
    # What the machine failed at is tried again as if it were new, and so is what had no marks.
    if before is None or before.status in {PARTLY, UNREADABLE, ELSEWHERE}:
        return ToDo.MARK
    if before.file and before.file != hand_in.submission.digest:
        return ToDo.MARK_ANEW
    if force or before.inputs != hand_in.inputs:
        return ToDo.MARK_AGAIN
    return ToDo.KEEP
