"""The second step: each submission gets its student, its exercise, its copy and its time.

The teacher's own tables are read here, too: a line that can't be is told before any code runs.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from irmetrics_edu.classroom.exercises.source import read as read_source
from irmetrics_edu.classroom.exercises.spec import Exercise
from irmetrics_edu.classroom.marking.collect import Collected
from irmetrics_edu.classroom.marking.collecting.owner_names import Person, members
from irmetrics_edu.classroom.marking.grade_options import GradeOptions
from irmetrics_edu.classroom.marking.matching import lateness
from irmetrics_edu.classroom.marking.matching.answer_key import AnswerKey
from irmetrics_edu.classroom.marking.matching.handed_in import with_times, worksheet_of
from irmetrics_edu.classroom.marking.matching.lateness import LatenessRules, Worksheet
from irmetrics_edu.classroom.marking.matching.ownership import HandIn, sort_out
from irmetrics_edu.classroom.marking.matching.rounds import ToDo, to_do
from irmetrics_edu.classroom.marking.results import Result
from irmetrics_edu.classroom.marking.reviewing import earlier_rows, hand_marks, regrading
from irmetrics_edu.classroom.marking.reviewing.earlier_rows import EarlierRow
from irmetrics_edu.classroom.marking.reviewing.hand_marks import ManualMarks
from irmetrics_edu.classroom.marking.reviewing.regrading import MarkChange


@dataclass(frozen=True)
class TeacherTables:
    """The teacher's tables: rules of lateness, marks by hand, and changes for all."""

    rules: LatenessRules
    manual: ManualMarks
    changes: Sequence[MarkChange]


@dataclass(frozen=True)
class MatchedHandIns:
    """The hand-ins of a class, each with its student, exercise, copy and time.

    `to_do` says of each that was asked for what is to be done with it. `earlier` are the rows of
    earlier rounds that stand. `worksheet` is Moodle's, if it was given.
    """

    hand_ins: Sequence[HandIn]
    to_do: Mapping[str, ToDo]
    collected: Collected
    tables: TeacherTables
    worksheet: Worksheet | None
    earlier: Sequence[EarlierRow] = ()

    @property
    def answer_keys(self) -> Mapping[str, AnswerKey]:
        """The exercises by number."""
        return self.collected.answer_keys

    @property
    def kept(self) -> Mapping[str, Result]:
        """The results of earlier rounds, by path."""
        return self.collected.kept

    @property
    def asked(self) -> list[HandIn]:
        """The hand-ins that are to be graded now."""
        return [one for one in self.hand_ins if one.submission.path in self.collected.asked]

    @property
    def waiting(self) -> list[HandIn]:
        """Those of them that have to be marked."""
        return [one for one in self.asked if self.to_do[one.submission.path] is not ToDo.KEEP]


def match(collected: Collected, options: GradeOptions) -> MatchedHandIns:
    """Match what was collected with the class, the exercises and the teacher's tables."""
    people = collected.people
    hand_ins = sort_out(
        collected.submissions,
        collected.answer_keys,
        collected.course_key,
        people,
        options.number,
        own_copies=options.own_copies,
    )
    earlier = earlier_rows.standing(earlier_rows.read(options.folder), hand_ins, people)
    students = _nameable(people, hand_ins, earlier)
    rules = LatenessRules()
    if options.late:
        numbers = {one.row.exercise for one in earlier} - {""}
        numbers |= {path.stem.partition("_")[0] for path in collected.sources}
        rules = lateness.read(Path(options.late), sorted(numbers), students)
    worksheet = worksheet_of(collected.rosters, hand_ins)
    times = lateness.known_times(
        worksheet if options.late else None,
        Path(options.times) if options.times else None,
        rules.zone,
        students,
    )
    hand_ins = with_times(hand_ins, times, rules, members(people))
    matched = MatchedHandIns(
        hand_ins=hand_ins,
        to_do=to_do(
            hand_ins,
            collected.kept,
            {name for person in people for name in (person.student, person.group)},
            force=options.force,
        ),
        collected=collected,
        tables=_tables(
            options,
            collected,
            rules,
            hand_ins,
            students,
            earlier=earlier,
        ),
        worksheet=worksheet,
        earlier=earlier,
    )
    for number in sorted({one.number for one in matched.waiting} - {""}):
        # If no input tells enough, the teacher has to know at once.
        collected.answer_keys[number].require_hidden()
    return matched


def _nameable(
    people: Sequence[Person], hand_ins: Sequence[HandIn], earlier: Sequence[EarlierRow]
) -> list[Person]:
    """Whom the teacher's tables may name: the roster, its groups, and who else handed in."""
    units = {one.student for one in hand_ins} | members(people).keys()
    units |= {one.row.student for one in earlier}
    units -= {person.student for person in people}
    return [*people, *(Person(unit) for unit in sorted(units))]


def _tables(
    options: GradeOptions,
    collected: Collected,
    rules: LatenessRules,
    hand_ins: Sequence[HandIn],
    students: Sequence[Person],
    earlier: Sequence[EarlierRow],
) -> TeacherTables:
    exercises: dict[str, Exercise] = {}
    for number, answer_key in collected.answer_keys.items():
        exercises[number] = answer_key.source.exercise
    points: dict[str, dict[str, float]] = {}
    for one in earlier:
        of_exercise = points.setdefault(one.row.exercise, {})
        of_exercise.update({line.question.name: line.question.out_of for line in one.row.lines})
    points.pop("", None)
    for number in sorted({one.number for one in hand_ins} - {""}):
        points[number] = {question.name: question.marks for question in exercises[number].every}
    return TeacherTables(
        rules=rules,
        manual=hand_marks.read_manual(options.folder / "manual.csv", points, students),
        changes=_changes(options, collected),
    )


def _changes(options: GradeOptions, collected: Collected) -> Sequence[MarkChange]:
    """The teacher's table of changes, of all exercises of the course."""
    if not options.regrade:
        return ()
    exercises: dict[str, Exercise] = {}
    for path in collected.sources:
        exercise = read_source(path, whole=False).exercise
        exercises[exercise.number] = exercise
    return regrading.read(Path(options.regrade), exercises)
