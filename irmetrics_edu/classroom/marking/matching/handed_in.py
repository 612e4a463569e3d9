"""When each submission was handed in: by a platform's table, by its stamp, or by its name."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from irmetrics_edu.classroom.marking.collecting.rosters import WORKSHEET, Roster
from irmetrics_edu.classroom.marking.matching import lateness
from irmetrics_edu.classroom.marking.matching.lateness import LatenessRules, Times, Worksheet
from irmetrics_edu.classroom.marking.matching.ownership import HandIn
from irmetrics_edu.errors import InputError


def worksheet_of(rosters: Sequence[Roster], hand_ins: Sequence[HandIn]) -> Worksheet | None:
    """Moodle's worksheet and its exercise, if one was given; InputError if there are several."""
    sheets = [roster for roster in rosters if roster.kind == WORKSHEET]
    if not sheets:
        return None
    numbers = sorted({one.number for one in hand_ins} - {""})
    if len(numbers) > 1 or len(sheets) > 1:
        raise InputError(
            f"{sheets[0].path}: Moodle's worksheet is of one assignment, and exercises "
            f"{', '.join(numbers)} were handed in; grade them one by one"
        )
    return Worksheet(sheets[0], numbers[0] if numbers else "")


def with_times(
    hand_ins: Sequence[HandIn],
    times: Times,
    rules: LatenessRules,
    groups: Mapping[str, Sequence[str]],
) -> list[HandIn]:
    """The hand-ins, each with its time as far as it is known; `groups` are the members of each."""
    timed = []
    for hand_in in hand_ins:
        stamped = _with_stamp(hand_in, rules)
        timed.append(_with_time(stamped, times, groups.get(hand_in.student, ())))
    return timed


def _with_stamp(hand_in: HandIn, rules: LatenessRules) -> HandIn:
    """The submission with the time of nbgrader's stamp, which the rules' zone decides."""
    submission = hand_in.submission
    if not (submission.stamp and submission.believed):
        return hand_in
    when, note = lateness.of_stamp(submission.stamp, rules.zone)
    if when is not None:
        submission = replace(submission, handed_in=when, clock=lateness.STAMP)
    notes = hand_in.notes
    if note and (when is None or rules.due):
        notes = (*notes, note)
    return replace(hand_in, submission=submission, notes=notes)


def _with_time(hand_in: HandIn, times: Times, group: Sequence[str]) -> HandIn:
    """The submission with its time: of the file, or of any file; a group has its latest time."""
    submission = hand_in.submission
    for file in (submission.path, ""):
        times_of_file = []
        for student in (hand_in.student, *group):
            time = times.get((student, hand_in.number, file))
            if time is not None:
                times_of_file.append(time)
        if times_of_file:
            when, clock = max(times_of_file)
            return replace(hand_in, submission=replace(submission, handed_in=when, clock=clock))
    return hand_in
