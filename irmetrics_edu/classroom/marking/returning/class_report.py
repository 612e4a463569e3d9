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
INSECURE = " This is not a secure sandbox."


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
    names = list(dict.fromkeys(line.question.name for row in rows for line in row.lines))
    lines = {n: [x for row in rows for x in row.lines if x.question.name == n] for n in names}
    whole = [row for row in rows if row.lines and all(x.marks is not None for x in row.lines)]
    return [_item(name, lines[name], whole) for name in names]


def _item(name: str, lines: Sequence[QuestionLine], whole: Sequence[Row]) -> Item:
    out_of = lines[0].question.out_of
    got = [as_fraction(line.marks) for line in lines if line.marks is not None]
    mean = sum(got, Fraction(0)) / len(got) if got else None
    own = []
    rest = []
    for row in whole:
        marks = {x.question.name: as_fraction(x.marks) for x in row.lines}
        if name in marks:
            own.append(marks[name])
            rest.append(sum(marks.values(), Fraction(0)) - marks[name])
    return Item(
        name=name,
        out_of=out_of,
        students=len(got),
        mean=None if mean is None else float(mean),
        difficulty=float(mean / as_fraction(out_of)) if mean is not None and out_of else None,
        discrimination=correlation(own, rest),
        right=sum(line.marks == out_of for line in lines),
    )


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
    got = [as_fraction(row.marks) for row in rows if row.marks is not None]
    if not out_of or not got:
        return []
    places = Counter(max(0, min(BINS - 1, int(m * BINS / out_of))) for m in got)
    edges = [float(out_of * i / BINS) for i in range(BINS + 1)]
    return [(edges[i], edges[i + 1], places[i]) for i in range(BINS)]


def tables(rows: Sequence[Row]) -> list[ResultTable]:
    """The tables of the report, in reading order; a note is said if there are no lines."""
    return [_exercises(rows), _questions(rows), _mistakes(rows), _attention(rows), _alike(rows)]


def hows(rows: Sequence[Row]) -> list[str]:
    """How the code was run, and whether that is secure, each way once."""
    ran = {(r.result.holds, r.result.secure) for r in rows if r.result and r.result.tier}
    return [
        f"How the code was run: {clean(holds)}.{'' if secure else INSECURE}"
        for holds, secure in sorted(ran)
    ]


def _exercises(rows: Sequence[Row]) -> ResultTable:
    """A line for each exercise, and below it one for each section if there are any."""
    lines = []
    for number, all_ in _by_exercise(rows).items():
        parts = [(f"{number} {all_[0].title}".strip(), all_)]
        names = sorted({row.person.section for row in all_})
        for name in names if any(names) else ():
            own = [row for row in all_ if row.person.section == name]
            parts.append((f"section {clean(name, 100) or '(none)'}", own))
        for what, own in parts:
            states = Counter(row.status for row in own)
            shown = ", ".join(f"{count} {state}" for state, count in sorted(states.items()))
            lines.append([what, f"{all_[0].out_of:g}", shown, *_summary(own)])
    head = ("exercise", "out of", "submissions", "with marks", "mean", "median", "least", "most")
    return ResultTable(head, lines, "Marks")


def _summary(rows: Sequence[Row]) -> list[str]:
    """How many have marks, and the mean, the median, the least and the most of these."""
    got = sorted(row.marks for row in rows if row.marks is not None)
    if not got:
        return ["0", "", "", "", ""]
    values = (statistics.fmean(got), statistics.median(got), got[0], got[-1])
    return [f"{len(got)}", *(f"{round(value, 2):g}" for value in values)]


def _questions(rows: Sequence[Row]) -> ResultTable:
    lines = []
    for exercise, own in _by_exercise(rows).items():
        for q in items(own):
            shares = [_figure(v) for v in (q.mean, q.difficulty, q.discrimination)]
            right = f"{q.right} of {q.students}" if q.students else ""
            lines.append([f"{exercise} {q.name}", f"{q.out_of:g}", *shares, right])
    head = ("question", "out of", "mean", "mean share", "discrimination", "all right")
    return ResultTable(head, lines, "Questions")


def _figure(value: float | None) -> str:
    return "" if value is None else decimals(value, 2)


def _by_exercise(rows: Sequence[Row]) -> dict[str, list[Row]]:
    numbers = sorted({row.exercise for row in rows})
    return {n: [row for row in rows if row.exercise == n] for n in numbers}


def _mistakes(rows: Sequence[Row]) -> ResultTable:
    counted = Counter(
        (row.exercise, line.question.name, line.question.label, line.question.says)
        for row in rows
        for line in row.lines
        if line.question.label
    )
    found = sorted(counted.items(), key=lambda one: (one[0][0], -one[1], *one[0][1:3]))
    lines = [[f"{n} {q}", label, says, str(count)] for (n, q, label, says), count in found]
    head = ("question", "mistake", "values equal those of", "students")
    none = "No answer equals that of a known mistake."
    return ResultTable(head, lines, "Mistakes by name", (none,))


def _attention(rows: Sequence[Row]) -> ResultTable:
    lines: dict[tuple[str, str], dict[str, list[str]]] = {}  # equal lines are one: students by file
    for row in rows:
        said = [f"{row.status}"] if row.status != GRADED else []
        if row.late:
            off = f": {row.penalty:g} taken off {row.raw:g}" if row.penalty else ""
            said.append(row.late + off)
        said += row.times
        if row.result:
            said += [f"{row.result.why}. {row.result.remedy}"] if row.result.why else []
            said += [*row.result.notes, *row.copied]
            for line in row.lines:
                said += _of_line(line, row)
        said += [f"does not count, another one does: {path}" for path in row.others]
        path = row.result.path if row.result else ""
        if said:
            what = "; ".join(text.rstrip(".") for text in said)
            own = lines.setdefault((row.exercise, what), {})
            own.setdefault(clean(path, 200), []).append(clean(row.student, 100))
    head = ("student", "exercise", "file", "what")
    shown = []
    for (exercise, what), own in lines.items():
        who = dict.fromkeys(name for names in own.values() for name in names)
        shown.append(["; ".join(who), exercise, "; ".join(own), what])
    return ResultTable(head, shown, "To look at", ("Nothing.",))


def _of_line(line: QuestionLine, row: Row) -> list[str]:
    """What there is to see in one question."""
    question = line.question
    if line.hand:
        if line.marks is not None or row.by_hand is not None:
            return []
        differ = f"{APART} {line.hand.note}" if line.hand.state == DIFFER else ""
        return [f"{question.name}: {differ or f'{TO_MARK} {FOLDER}/{NAME}'}"]
    said = list(question.seen)
    if question.tampered:
        said.append("the code wrote on the grader's channel")
    elif question.limit:
        said.append(f"limit of {question.limit}")
    if question.carried:
        said.append(f"judged with the right {' and '.join(question.carried)} in its place")
    said += [] if question.judged else [question.text]
    return [f"{question.name}: {one}" for one in said]


def _alike(rows: Sequence[Row]) -> ResultTable:
    """Students with identical files or similar code, by exercise; a group counts as one."""
    lines: list[list[str]] = []
    for number in sorted({row.exercise for row in rows} - {""}):
        own = {r.unit: r.result for r in rows if r.exercise == number and r.result}
        code = {who: result.code for who, result in own.items()}
        same = identical({who: result.file for who, result in own.items()}, code)
        known = {group.students for group in same}
        lines += [
            [number, clean("; ".join(group.students), 2_000), _shared(group)]
            for group in [*same, *(a for a in alike(code) if a.students not in known)]
        ]
    head = ("exercise", "students", "what they share")
    none = "No submissions share more than the class does."
    return ResultTable(head, lines, "Similar code: a hint to look, never a finding", (none,))


def _shared(group: Alike) -> str:
    if group.identical:
        own = "" if group.shared else ", with nothing in them but what was handed out"
        return f"identical files{own}"
    return f"{group.shared} traces that few others have, {group.part:.0%} of the shortest"


def _plots(rows: Sequence[Row]) -> list[str]:
    """Bars of the marks and of the questions of each exercise; the tables hold their numbers."""
    found = []
    for exercise, own in _by_exercise(rows).items():
        bins = histogram(own)
        if not bins:
            continue
        most = max(count for _, _, count in bins)
        spread = [_bar(f"{a:g} to {b:g}", count / most, f"{count}") for a, b, count in bins]
        shares = [_bar(q.name, q.difficulty, _figure(q.difficulty)) for q in items(own)]
        title = escaping.html(f"Exercise {exercise}: {own[0].title}")
        found += [
            f'<section class="bars"><h2>{title}</h2>',
            f"<div><table><caption>Students by marks</caption>{''.join(spread)}</table>",
            f"<table><caption>Mean share of marks</caption>{''.join(shares)}</table>",
            "</div></section>",
        ]
    return found


def _bar(name: str, share: float | None, said: str) -> str:
    drawn = "" if share is None else f'<meter value="{decimals(share, 4)}"></meter>'
    shown = escaping.html(said or "not marked")
    return f'<tr><th scope="row">{escaping.html(name)}</th><td>{drawn} {shown}</td></tr>'


def as_html(rows: Sequence[Row]) -> str:
    """The report as a page of HTML."""
    esc = escaping.html
    body = ['<main class="wide"><h1>Report to the teacher</h1>']
    for table in tables(rows):
        if table.caption == "Questions":
            body += _plots(rows)
        none = "".join(f"<p>{esc(note)}</p>" for note in table.notes)
        shown = html_table(table.header, table.lines) if table.lines else none
        body += [f"<section><h2>{esc(table.caption)}</h2>", shown, "</section>"]
    body.append(f"<footer>{''.join(f'<p>{esc(how)}</p>' for how in hows(rows))}</footer></main>")
    return page("Report to the teacher", body, style=STYLE + BARS)
