"""The report to the teacher: marks of the class, mistakes by count, and what to look at.

The difficulty of a question is the mean share of its marks; discrimination is the correlation of
its marks with those of all other questions (the corrected item-total correlation), over the
students whose marks are all known. All sums are of fractions, so that no digit hangs on rounding.
"""

import statistics
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from irmetrics_edu.classroom.marking.collecting.notebook import clean
from irmetrics_edu.classroom.marking.results import GRADED
from irmetrics_edu.classroom.marking.returning import side_by_side
from irmetrics_edu.classroom.marking.returning.side_by_side import CellsOf
from irmetrics_edu.classroom.marking.reviewing.gradebook import QuestionLine, Row
from irmetrics_edu.classroom.marking.reviewing.hand_marks import DIFFER, FOLDER
from irmetrics_edu.classroom.marking.reviewing.marking_page import NAME
from irmetrics_edu.classroom.marking.reviewing.similarity import Alike, alike, identical
from irmetrics_edu.numbers import as_fraction
from irmetrics_edu.views import escaping
from irmetrics_edu.views.formatting import html_table
from irmetrics_edu.views.formatting import number as decimals
from irmetrics_edu.views.page import STYLE, page
from irmetrics_edu.views.result_table import ResultTable

BARS = """
.bars div { display: flex; flex-wrap: wrap; gap: 1rem 3rem; align-items: start; }
.bars table { width: auto; }
.bars caption { text-align: left; } .bars th, .bars td { border: 0; padding: 0 .8rem 0 0; }
.bars meter { width: 16rem; max-width: 40vw; }
section { overflow-x: auto; }
"""
BINS = 10
# Below this a correlation says nothing of the question.
FEWEST = 5
APART = "markers differ, and it stays open until they agree:"
TO_MARK = "to be marked by hand, in"
QUESTIONS = "Questions"


@dataclass(frozen=True)
class Item:
    """The figures of a question in the answers that have marks; None if they are unknown."""

    name: str
    out_of: float
    students: int
    mean: float | None
    difficulty: float | None
    discrimination: float | None
    right: int


def items(rows: Sequence[Row]) -> list[Item]:
    """The questions of one exercise, in its order."""
    lines: dict[str, list[QuestionLine]] = {}
    whole = []
    for row in rows:
        for line in row.lines:
            lines.setdefault(line.question.name, []).append(line)
        if row.lines and all(line.marks is not None for line in row.lines):
            whole.append(row)
    return [_item(name, question_lines, whole) for name, question_lines in lines.items()]


def _item(name: str, lines: Sequence[QuestionLine], whole: Sequence[Row]) -> Item:
    out_of = lines[0].question.out_of
    marks = [as_fraction(line.marks) for line in lines if line.marks is not None]
    mean = None
    difficulty = None
    if marks:
        exact = sum(marks, Fraction(0)) / len(marks)
        mean = float(exact)
        if out_of:
            difficulty = float(exact / as_fraction(out_of))
    return Item(
        name=name,
        out_of=out_of,
        students=len(marks),
        mean=mean,
        difficulty=difficulty,
        discrimination=_discrimination(name, whole),
        right=sum(line.marks == out_of for line in lines),
    )


def _discrimination(name: str, whole: Sequence[Row]) -> float | None:
    """The correlation of a question's marks with those of all others; None if it is unknown."""
    of_question = []
    rest = []
    for row in whole:
        marks = {line.question.name: as_fraction(line.marks) for line in row.lines}
        if name in marks:
            of_question.append(marks[name])
            rest.append(sum(marks.values()) - marks[name])
    return correlation(of_question, rest)


def correlation(one: Sequence[Fraction], other: Sequence[Fraction]) -> float | None:
    """Pearson's correlation; None for fewer than five values, or if one side is constant."""
    if len(one) < FEWEST or len({*one}) == 1 or len({*other}) == 1:
        return None
    return statistics.correlation(one, other)


def histogram(rows: Sequence[Row]) -> list[tuple[float, float, int]]:
    """The final marks of one exercise in ten bins: from, up to, and how many students.

    A mark on a border belongs to the upper bin. Full marks belong to the last bin, and so do marks
    above the total.
    """
    out_of = as_fraction(max((row.out_of for row in rows), default=0.0))
    marks = [as_fraction(row.marks) for row in rows if row.marks is not None]
    if not out_of or not marks:
        return []
    places: Counter[int] = Counter()
    for mark in marks:
        place = int(mark * BINS / out_of)
        places[max(0, min(BINS - 1, place))] += 1
    bins = []
    for place in range(BINS):
        start = float(out_of * place / BINS)
        end = float(out_of * (place + 1) / BINS)
        bins.append((start, end, places[place]))
    return bins


def tables(rows: Sequence[Row], cells: CellsOf | None = None) -> list[ResultTable]:
    """The tables of the report, in reading order; a note is said if there are no lines.

    `cells` are those of this round's notebooks, to say where similar code stands.
    """
    return [
        _exercises(rows),
        _questions(rows),
        _mistakes(rows),
        _attention(rows),
        _alike(rows, cells or {}),
    ]


@dataclass(frozen=True, order=True)
class Way:
    """A way in which code was run: what it holds back, whether that is secure, which Python ran."""

    holds: str
    secure: bool
    python: str = ""

    @property
    def sentence(self) -> str:
        """One line that says it."""
        by = f", by {clean(self.python)}" if self.python else ""
        text = f"How the code was run: {clean(self.holds)}{by}."
        return text if self.secure else f"{text} This is not a secure sandbox."


def ways(rows: Sequence[Row]) -> list[Way]:
    """How the code was run, each way once."""
    ran = set()
    for row in rows:
        if row.result and row.result.tier:
            ran.add(Way(row.result.holds, row.result.secure, row.result.python))
    return sorted(ran)


def _exercises(rows: Sequence[Row]) -> ResultTable:
    """A line for each exercise, and below it one for each section if there are any."""
    lines = []
    for number, rows_of_exercise in _by_exercise(rows).items():
        lines.append(_states(f"{number} {rows_of_exercise[0].title}".strip(), rows_of_exercise))
        sections = sorted({row.person.section for row in rows_of_exercise})
        if any(sections):
            for section in sections:
                members = [row for row in rows_of_exercise if row.person.section == section]
                lines.append(_states(f"section {clean(section, 100) or '(none)'}", members))
    head = ("exercise", "out of", "submissions", "with marks", "mean", "median", "least", "most")
    return ResultTable(head, lines, "Marks")


def _states(what: str, rows: Sequence[Row]) -> list[str]:
    """A line on some rows of an exercise."""
    states = Counter(row.status for row in rows)
    shown = ", ".join(f"{count} {state}" for state, count in sorted(states.items()))
    return [
        what,
        f"{rows[0].out_of:g}",
        shown,
        *_summary(rows),
    ]


def _summary(rows: Sequence[Row]) -> list[str]:
    """How many have marks, and the mean, the median, the least and the most of these."""
    got = sorted(row.marks for row in rows if row.marks is not None)
    if not got:
        return ["0", "", "", "", ""]
    values = (statistics.fmean(got), statistics.median(got), got[0], got[-1])
    return [f"{len(got)}", *(f"{round(value, 2):g}" for value in values)]


def _questions(rows: Sequence[Row]) -> ResultTable:
    lines = []
    for exercise, rows_of_exercise in _by_exercise(rows).items():
        lines += [_question(exercise, item) for item in items(rows_of_exercise)]
    head = ("question", "out of", "mean", "mean share", "discrimination", "all right")
    return ResultTable(head, lines, QUESTIONS)


def _question(exercise: str, item: Item) -> list[str]:
    """A line on a question."""
    return [
        f"{exercise} {item.name}",
        f"{item.out_of:g}",
        _figure(item.mean),
        _figure(item.difficulty),
        _figure(item.discrimination),
        f"{item.right} of {item.students}" if item.students else "",
    ]


def _figure(value: float | None) -> str:
    return "" if value is None else decimals(value, 2)


def _by_exercise(rows: Sequence[Row]) -> dict[str, list[Row]]:
    by_exercise: dict[str, list[Row]] = {}
    for row in sorted(rows, key=lambda row: row.exercise):
        by_exercise.setdefault(row.exercise, []).append(row)
    return by_exercise


@dataclass(frozen=True)
class _NamedMistake:
    """A mistake in one question of an exercise."""

    exercise: str
    question: str
    label: str
    says: str


def _mistakes(rows: Sequence[Row]) -> ResultTable:
    counted: Counter[_NamedMistake] = Counter()
    for row in rows:
        for line in row.lines:
            question = line.question
            if question.label:
                mistake = _NamedMistake(
                    row.exercise,
                    question.name,
                    question.label,
                    question.says,
                )
                counted[mistake] += 1

    def order(mistake: _NamedMistake) -> tuple[str, int, str, str]:
        return mistake.exercise, -counted[mistake], mistake.question, mistake.label

    lines = []
    for mistake in sorted(counted, key=order):
        where = f"{mistake.exercise} {mistake.question}"
        lines.append(
            [
                where,
                mistake.label,
                mistake.says,
                str(counted[mistake]),
            ]
        )
    head = ("question", "mistake", "values equal those of", "students")
    none = "No answer equals that of a known mistake."
    return ResultTable(head, lines, "Mistakes by name", (none,))


def _attention(rows: Sequence[Row]) -> ResultTable:
    # Equal lines are one: the students by file.
    same: dict[tuple[str, str], dict[str, list[str]]] = {}
    for row in rows:
        notes = _to_look_at(row)
        if notes:
            what = "; ".join(note.rstrip(".") for note in notes)
            path = row.result.path if row.result else ""
            by_file = same.setdefault((row.exercise, what), {})
            by_file.setdefault(clean(path, 200), []).append(clean(row.person.listed, 100))
    lines = []
    for (exercise, what), by_file in same.items():
        students: dict[str, None] = {}
        for names in by_file.values():
            students.update(dict.fromkeys(names))
        lines.append(
            [
                "; ".join(students),
                exercise,
                "; ".join(by_file),
                what,
            ]
        )
    head = ("student", "exercise", "file", "what")
    return ResultTable(head, lines, "To look at", ("Nothing.",))


def _to_look_at(row: Row) -> list[str]:
    """What there is to see in a submission."""
    notes = []
    if row.status != GRADED:
        notes.append(row.status)
    if row.late:
        cost = f": {row.penalty:g} taken off {row.raw:g}" if row.penalty else ""
        notes.append(f"{row.late}{cost}")
    notes += row.times
    if row.beaten:
        by_hand, total = row.beaten
        notes.append(
            f"the mark in manual.csv is the lower one: {by_hand:g} in all, without it: {total:g}"
        )
    result = row.result
    if result:
        if result.why:
            notes.append(f"{result.why}. {result.remedy}")
        notes += [*result.notes, *row.copied]
        for line in row.lines:
            notes += _of_line(line, row)
    notes += [f"does not count, another one does: {path}" for path in row.others]
    return notes


def _lower(line: QuestionLine) -> str:
    """What there is to say of a mark by hand that is the lower one; "" if it is not."""
    by_hand = line.manual.marks if line.manual else None
    without = line.without_manual
    if by_hand is None or without is None or by_hand >= without:
        return ""
    return f"the mark in manual.csv is the lower one: {by_hand:g}, without it: {without:g}"


def _of_line(line: QuestionLine, row: Row) -> list[str]:
    """What there is to see in one question."""
    question = line.question
    lower = _lower(line)
    if lower:
        return [f"{question.name}: {lower}"]
    if line.hand:
        if line.marks is not None or row.by_hand is not None:
            return []
        what = f"{TO_MARK} {FOLDER}/{NAME}"
        if line.hand.state == DIFFER:
            what = f"{APART} {line.hand.note}"
        return [f"{question.name}: {what}"]
    notes = list(question.seen)
    if question.tampered:
        notes.append("the code wrote on the grader's channel")
    elif question.limit:
        notes.append(f"limit of {question.limit}")
    if question.carried:
        notes.append(f"judged with the right {' and '.join(question.carried)} in its place")
    if not question.judged:
        notes.append(question.text)
    return [f"{question.name}: {note}" for note in notes]


def _alike(rows: Sequence[Row], cells: CellsOf) -> ResultTable:
    """Students with identical files or similar code, by exercise; a group counts as one."""
    lines = []
    for number, rows_of_exercise in _by_exercise(rows).items():
        if number:
            for group in _groups(rows_of_exercise):
                students = clean("; ".join(group.students), 2_000)
                where = side_by_side.said(side_by_side.places(group, rows_of_exercise, cells))
                lines.append([number, students, _shared(group), where])
    head = ("exercise", "students", "what they share", "where")
    none = "No submissions share more than the class does."
    return ResultTable(
        head,
        lines,
        "Similar code: a hint to look, never a finding",
        (none,),
    )


def _beside(rows: Sequence[Row], cells: CellsOf) -> list[str]:
    """The similar code of each group, side by side."""
    parts = []
    for number, rows_of_exercise in _by_exercise(rows).items():
        for group in _groups(rows_of_exercise) if number else ():
            shown = side_by_side.as_html(side_by_side.places(group, rows_of_exercise, cells))
            if shown:
                title = f"Exercise {number}: {clean('; '.join(group.students), 300)}"
                parts.append(f"<details><summary>{escaping.html(title)}</summary>{shown}</details>")
    if not parts:
        return []
    return ["<section><h2>Similar code side by side</h2>", *parts, "</section>"]


def _groups(rows: Sequence[Row]) -> list[Alike]:
    """Those with identical files, and then those with similar code."""
    files: dict[str, str] = {}
    code: dict[str, Sequence[int]] = {}
    for row in rows:
        if row.result:
            files[row.unit] = row.result.file
            code[row.unit] = row.result.code
    same = identical(files, code)
    seen = {group.students for group in same}
    return [*same, *(group for group in alike(code) if group.students not in seen)]


def _shared(group: Alike) -> str:
    if group.identical:
        remark = "" if group.shared else ", with nothing in them but what was handed out"
        return f"identical files{remark}"
    return f"{group.shared} traces that few others have, {group.part:.0%} of the shortest"


def _plots(rows: Sequence[Row]) -> list[str]:
    """Bars of the marks and of the questions of each exercise; the tables hold their numbers."""
    parts = []
    for exercise, rows_of_exercise in _by_exercise(rows).items():
        bins = histogram(rows_of_exercise)
        if not bins:
            continue
        most = max(count for _, _, count in bins)
        spread = ""
        for start, end, count in bins:
            spread += _bar(f"{start:g} to {end:g}", count / most, str(count))
        shares = ""
        for item in items(rows_of_exercise):
            shares += _bar(item.name, item.difficulty, _figure(item.difficulty))
        title = escaping.html(f"Exercise {exercise}: {rows_of_exercise[0].title}")
        parts += [
            f'<section class="bars"><h2>{title}</h2>',
            f"<div><table><caption>Students by marks</caption>{spread}</table>",
            f"<table><caption>Mean share of marks</caption>{shares}</table>",
            "</div></section>",
        ]
    return parts


def _bar(name: str, share: float | None, label: str) -> str:
    drawn = "" if share is None else f'<meter value="{decimals(share, 4)}"></meter>'
    shown = escaping.html(label or "not marked")
    return f'<tr><th scope="row">{escaping.html(name)}</th><td>{drawn} {shown}</td></tr>'


def as_html(rows: Sequence[Row], cells: CellsOf | None = None) -> str:
    """The report as a page of HTML; `cells` are those of this round's notebooks."""
    body = ['<main class="wide"><h1>Report to the teacher</h1>']
    for table in tables(rows, cells):
        if table.caption == QUESTIONS:
            body += _plots(rows)
        if table.lines:
            shown = html_table(table.header, table.lines)
        else:
            shown = "".join(f"<p>{escaping.html(note)}</p>" for note in table.notes)
        body += [f"<section><h2>{escaping.html(table.caption)}</h2>", shown, "</section>"]
    body += _beside(rows, cells or {})
    how = "".join(f"<p>{escaping.html(way.sentence)}</p>" for way in ways(rows))
    body.append(f"<footer>{how}</footer></main>")
    return page("Report to the teacher", body, style=STYLE + BARS)
