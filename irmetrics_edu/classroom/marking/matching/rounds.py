"""What is to be done with a submission in this round: mark it, mark it again, or keep its marks."""

from collections.abc import Mapping, Sequence
from enum import Enum

from irmetrics_edu.classroom.marking.matching.ownership import HandIn
from irmetrics_edu.classroom.marking.results import PARTLY, Result


class ToDo(Enum):
    """What is to be done with a submission."""

    MARK = "it is new"
    MARK_ANEW = "another file was handed in"
    MARK_AGAIN = "other sources, key, limits or roster marked it, or all is to be marked again"
    KEEP = "its result is kept"


def to_do(
    hand_ins: Sequence[HandIn], kept: Mapping[str, Result], *, force: bool
) -> dict[str, ToDo]:
    """What is to be done with each submission, by its path."""
    return {one.submission.path: _of_one(one, kept, force=force) for one in hand_ins}


def _of_one(hand_in: HandIn, kept: Mapping[str, Result], *, force: bool) -> ToDo:
    before = kept.get(hand_in.submission.path)
    # What the machine failed at is tried again as if it were new.
    if before is None or before.status == PARTLY:
        return ToDo.MARK
    if before.file and before.file != hand_in.submission.digest:
        return ToDo.MARK_ANEW
    if force or before.inputs != hand_in.inputs:
        return ToDo.MARK_AGAIN
    return ToDo.KEEP
