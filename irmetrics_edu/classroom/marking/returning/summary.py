"""What `grade` says when it is done: what was marked, what changed, and where to look."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from irmetrics_edu.classroom.marking.matching.ownership import HandIn
from irmetrics_edu.classroom.marking.matching.rounds import ToDo
from irmetrics_edu.classroom.marking.results import MarkEntry, WhyOpen
from irmetrics_edu.classroom.marking.returning import class_report, exports
from irmetrics_edu.classroom.marking.reviewing.gradebook import Row
from irmetrics_edu.classroom.marking.reviewing.hand_marks import DIFFER

MOST_SHOWN = 20
MOST_NAMED = 5
WOULD = "would change (--force takes it over; nothing was changed)"
SINCE = "changed since the last marks.csv"


def listed(lines: Sequence[str]) -> list[str]:
    """Lines below a heading; of many the first alone, and how many more there are."""
    shown = [f"  {line}" for line in lines[:MOST_SHOWN]]
    if len(lines) > MOST_SHOWN:
        shown.append(f"  and {len(lines) - MOST_SHOWN} more")
    return shown


def of_round(hand_ins: Iterable[HandIn], to_do: Mapping[str, ToDo]) -> str:
    """How many files were graded, how many could not be, and how many stay as they were."""
    count: Counter[ToDo] = Counter()
    without = 0
    for hand_in in hand_ins:
        if hand_in.ready is None:
            without += 1
        else:
            count[to_do[hand_in.submission.path]] += 1
    text = f"{count[ToDo.MARK]} newly graded"
    if count[ToDo.MARK_ANEW]:
        text += f", {count[ToDo.MARK_ANEW]} handed in anew"
    if without:
        text += f", {without} that can't be graded"
    text += f", {count[ToDo.KEEP]} kept as they were"
    if count[ToDo.MARK_AGAIN]:
        text += f", {count[ToDo.MARK_AGAIN]} graded again"
    return text


def of_earlier(rows: Sequence[Row]) -> Iterator[str]:
    """Whose marks stand from earlier rounds, as this round has no file of theirs."""
    students: dict[str, list[str]] = {}
    for row in rows:
        students.setdefault(row.exercise, []).append(row.student)
    for number, names in sorted(students.items()):
        shown = "; ".join(names[:MOST_NAMED])
        if len(names) > MOST_NAMED:
            shown += f"; and {len(names) - MOST_NAMED} more"
        yield f"exercise {number or '?'}: as before, without a file in this round: {shown}"


def changed_since(before: Sequence[MarkEntry], rows: Sequence[Row]) -> list[str]:
    """Whose marks are others than in the last marks.json, and which."""
    return _changes(
        SINCE,
        before,
        exports.as_data(rows),
        new=False,
    )


def would_change(rows: Sequence[Row], if_forced: Sequence[Row]) -> list[str]:
    """Whose marks would be others if all new results counted, and which, new ones included."""
    return _changes(
        WOULD,
        exports.as_data(rows),
        exports.as_data(if_forced),
        new=True,
    )


def _changes(
    title: str,
    before: Sequence[MarkEntry],
    after: Sequence[MarkEntry],
    *,
    new: bool,
) -> list[str]:
    later = {(entry["student"], entry["exercise"]): entry for entry in after}
    changes = []
    for entry in before:
        old = _known_marks(entry)
        now = _known_marks(later.get((entry["student"], entry["exercise"]), {}))
        names = {**old, **now} if new else old
        differing = [name for name in names if old.get(name) != now.get(name)]
        differences = [
            f"{name} {old.get(name, 'none')} -> {now.get(name, 'none')}" for name in differing
        ]
        if differences:
            what = ", ".join(differences)
            changes.append(f"{entry['student']}, exercise {entry['exercise']}: {what}")
    return [f"{title}: {len(changes)}", *listed(changes)] if changes else []


def _known_marks(entry: Mapping[str, object]) -> dict[str, str]:
    """The marks of an entry of marks.json that are known: of each question, in all, and out of."""
    questions = entry.get("questions", {})
    marks: dict[str, object] = dict(questions) if isinstance(questions, Mapping) else {}
    marks["penalty"] = entry.get("penalty")
    marks["marks"] = entry.get("marks")
    if marks["marks"] is not None:
        marks["out of"] = entry.get("out of")
    return {name: f"{value:g}" for name, value in marks.items() if value is not None}


def to_look_at(rows: Sequence[Row], out: Path) -> Iterator[str]:
    """What waits for the teacher, and where to look."""
    nobodys = _with_open(rows, WhyOpen.NOBODYS)
    if nobodys:
        yield (
            f"copies of nobody in the class, whose values are not marked: {nobodys}; give the "
            "roster that they were built with as the first --roster, and the key of then"
        )
    other = _with_open(rows, WhyOpen.OTHER_DATA)
    if other:
        yield (
            "copies with other data than the source draws now, whose values are not marked: "
            f"{other}; grade with the source and the key that the copies were built with"
        )
    without = []
    for row in rows:
        if row.marks is None:
            place = f"{row.person.listed}, exercise {row.exercise or '?'}"
            without.append(f"{place}: {_why_without_marks(row)}")
    if without:
        yield "without marks, look at these:"
        yield from listed(without)
    for way in class_report.ways(rows):
        if not way.secure:
            yield way.sentence
    yield f"see {out / 'report.html'}, {out / 'marks.csv'} and {out / 'feedback'}"


def _why_without_marks(row: Row) -> str:
    """Why a row has no marks: its file can't be read, or what its state is."""
    if row.result and row.result.why:
        return row.result.why
    apart = [line.hand for line in row.lines if line.hand and line.hand.state == DIFFER]
    return f"{row.status}, as {DIFFER}" if apart else row.status


def _with_open(rows: Sequence[Row], why: WhyOpen) -> int:
    """How many rows have a question that is open for this reason."""
    return sum(any(line.question.why_open == why for line in row.lines) for row in rows)
