"""The report to the teacher: marks of the class, mistakes by count, and what needs a look."""

import statistics
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from irmetrics_edu.marking.book import Line, Row
from irmetrics_edu.marking.feedback import ran_in
from irmetrics_edu.marking.notebook import clean
from irmetrics_edu.marking.pages import page
from irmetrics_edu.marking.result import GRADED
from irmetrics_edu.marking.rubrics import CHANGED, FOLDER
from irmetrics_edu.marking.similarity import Alike, alike, identical
from irmetrics_edu.views import escaping
from irmetrics_edu.views.formatting import html_table, markdown_table

MOST_GROUPS = 40
TO_MARK = "to be marked by hand, in"
ANEW = "the answer changed after it was marked; look again, in"


@dataclass(frozen=True)
class Table:
    """A table of the report: a title, a head, and lines; what is said if it has none."""

    title: str
    head: tuple[str, ...]
    lines: Sequence[Sequence[str]]
    none: str = ""


def tables(rows: Sequence[Row]) -> list[Table]:
    """The tables of the report, in reading order."""
    return [_exercises(rows), _questions(rows), _mistakes(rows), _attention(rows), _alike(rows)]


def hows(rows: Sequence[Row]) -> list[str]:
    """How the code was run, each way once."""
    return sorted({how for row in rows if (how := ran_in(row))})


def _exercises(rows: Sequence[Row]) -> Table:
    lines = []
    for number in sorted({row.exercise for row in rows}):
        own = [row for row in rows if row.exercise == number]
        got = sorted(row.marks for row in own if row.marks is not None)
        states = Counter(row.status for row in own)
        shown = ", ".join(f"{count} {state}" for state, count in sorted(states.items()))
        title = f"{number} {own[0].title}".strip()
        lines.append([title, f"{own[0].out_of:g}", shown, *_summary(got)])
    head = ("exercise", "out of", "submissions", "mean", "median", "least", "most")
    return Table("Marks", head, lines)


def _summary(got: Sequence[float]) -> list[str]:
    if not got:
        return ["", "", "", ""]
    values = (statistics.fmean(got), statistics.median(got), got[0], got[-1])
    return [f"{round(value, 2):g}" for value in values]


def _questions(rows: Sequence[Row]) -> Table:
    lines = []
    for (number, name), own in _lines(rows).items():
        got = [line.marks for line in own if line.marks is not None]
        right = sum(line.marks == line.question.out_of for line in own)
        mean = f"{statistics.fmean(got):.2f}" if got else ""
        lines.append(
            [f"{number} {name}", f"{own[0].question.out_of:g}", mean, f"{right} of {len(own)}"]
        )
    return Table("Questions", ("question", "out of", "mean", "all right"), lines)


def _lines(rows: Sequence[Row]) -> dict[tuple[str, str], list[Line]]:
    found: dict[tuple[str, str], list[Line]] = {}
    for row in rows:
        for line in row.lines:
            found.setdefault((row.exercise, line.question.name), []).append(line)
    return found


def mistakes(rows: Sequence[Row]) -> list[tuple[str, str, str, str, int]]:
    """Exercise, question, label, what it is, and how many students made it."""
    counted = Counter(
        (row.exercise, line.question.name, line.question.label, line.question.says)
        for row in rows
        for line in row.lines
        if line.question.label
    )
    found = [(*what, count) for what, count in counted.items()]
    return sorted(found, key=lambda m: (m[0], -m[4], m[1], m[2]))


def _mistakes(rows: Sequence[Row]) -> Table:
    lines = [[f"{n} {q}", label, says, str(c)] for n, q, label, says, c in mistakes(rows)]
    head = ("question", "mistake", "values equal those of", "students")
    return Table("Mistakes by name", head, lines, "No answer equals that of a known mistake.")


def _attention(rows: Sequence[Row]) -> Table:
    lines = []
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
                if line.hand:
                    said += _of_hand(row, line)
                elif line.question.tampered:
                    said.append(f"{line.question.name}: the code wrote on the grader's channel")
                elif line.question.limit:
                    said.append(f"{line.question.name}: limit of {line.question.limit}")
                elif not line.question.judged:
                    said.append(f"{line.question.name}: {line.question.text}")
        said += [f"does not count, another one does: {path}" for path in row.others]
        path = row.result.path if row.result else ""
        if said:
            what = "; ".join(text.rstrip(".") for text in said)
            lines.append([clean(row.student, 100), row.exercise, clean(path, 200), what])
    head = ("student", "exercise", "file", "what")
    return Table("To look at", head, lines, "Nothing.")


def _of_hand(row: Row, line: Line) -> list[str]:
    """What is left to do at a question that is marked by hand."""
    if line.hand is None or line.marks is not None:
        return []
    where = f"{FOLDER}/{row.exercise}-{line.question.name}.csv"
    if line.hand.state == CHANGED:
        return [f"{line.question.name}: {ANEW} {where}"]
    return [f"{line.question.name}: {TO_MARK} {where}"]


def groups(rows: Sequence[Row]) -> list[Alike]:
    """The groups of students with identical files or similar code, by exercise."""
    found: list[Alike] = []
    for number in sorted({row.exercise for row in rows} - {""}):
        own = {r.student: r.result for r in rows if r.exercise == number and r.result}
        code = {who: result.code for who, result in own.items()}
        same = identical(number, {who: result.file for who, result in own.items()}, code)
        known = {group.students for group in same}
        found += [*same, *(a for a in alike(number, code) if a.students not in known)]
    return found


def _alike(rows: Sequence[Row]) -> Table:
    lines = [[g.exercise, clean(", ".join(g.students), 2_000), _shared(g)] for g in groups(rows)]
    more = len(lines) - MOST_GROUPS
    if more > 0:
        lines = [*lines[:MOST_GROUPS], ["", "", f"and {more} more groups"]]
    head = ("exercise", "students", "what they share")
    none = "No submissions share more than the class does."
    return Table("Similar code: a hint to look, never a finding", head, lines, none)


def _shared(group: Alike) -> str:
    if group.identical:
        own = "" if group.shared else ", with nothing in them but what was handed out"
        return f"identical files{own}"
    return f"{group.shared} traces that few others have, {group.part:.0%} of the shortest"


def markdown(rows: Sequence[Row]) -> str:
    """The report as Markdown."""
    lines = ["# Report to the teacher", ""]
    for table in tables(rows):
        lines += [f"## {table.title}", ""]
        if not table.lines:
            lines += [table.none, ""]
            continue
        lines += [markdown_table(table.head, table.lines), ""]
    return "\n".join([*lines, *hows(rows), ""])


def as_html(rows: Sequence[Row]) -> str:
    """The report as a page of HTML."""
    esc = escaping.html
    body = ['<main class="wide"><h1>Report to the teacher</h1>']
    for table in tables(rows):
        body.append(f"<section><h2>{esc(table.title)}</h2>")
        if table.lines:
            body += [html_table(table.head, table.lines), "</section>"]
        else:
            body.append(f"<p>{esc(table.none)}</p></section>")
    body.append(f"<footer>{''.join(f'<p>{esc(how)}</p>' for how in hows(rows))}</footer></main>")
    return page("Report to the teacher", body)
