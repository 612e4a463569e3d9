"""Checks of judgments: certain errors, and warnings of possible ones."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from os import PathLike
from typing import Any, NamedTuple

from irmetrics_edu.conventions import Reading
from irmetrics_edu.judging.labels import Judged, read_labels, shown
from irmetrics_edu.libraries import Bundle, bundle
from irmetrics_edu.reading.column_names import asked_for
from irmetrics_edu.reading.files import File, as_file, contents
from irmetrics_edu.reading.tables import Source, format_of, source
from irmetrics_edu.reading.texts import Texts, read_texts

ERROR = "error"
WARNING = "warning"
_MANY = 20  # judged pairs; among fewer a grade may well occur once


@dataclass(frozen=True)
class Finding:
    """One finding in judgments: an error, or a warning if it may be intended."""

    kind: str
    rule: str
    file: str
    line: int | None
    message: str

    def __str__(self) -> str:
        line = "" if self.line is None else f", line {self.line}"
        return f"{self.file}{line}: {self.kind}: {self.message} [{self.rule}]"


class _Line(NamedTuple):
    query: str
    document: str
    grade: float
    line: int | None
    subtopic: str = ""  # of judgments by subtopic, in which a document may come again


_Said = tuple[str, str, int | None, str]  # a finding without its file


class Findings(list[Finding]):
    """What was found in judgments, and how many pairs of each grade were read."""

    grades: Mapping[float, int]  # the lowest grade first

    @property
    def of_grades(self) -> str:
        """The count of each grade, in words."""
        counts = [f"{shown(grade)} in {count:,}" for grade, count in self.grades.items()]
        return f"grades: {', '.join(counts) or 'none'}"


def lint(
    judged: Judged,
    *,
    queries: Texts | Iterable[str] | None = None,
    documents: Texts | Iterable[str] | None = None,
    columns: Mapping[str, str] | None = None,
    conventions: Bundle | str = "trec_eval",
) -> Findings:
    """Lint lists the problems in judgments, errors first, each with its line.

    `judged` is a file of judgments (or a frame, or a mapping, which have no lines). `queries` and
    `documents` are the ids there are: a list, a mapping to texts, or a file of either. `columns`
    and `conventions` are read as `evaluate` reads them: what other columns are, and which library
    reads a TREC file. The result has the count of each grade as `grades`. Errors are
    lines that can't be read, pairs that are judged twice, and ids that are not among those given.
    Warnings are queries without a relevant document (grade 1 or more) or with nothing else, ids
    that differ by blanks or case only, and a grade that occurs once among 20 judged pairs or more.

    >>> for finding in lint({"q1": {"a": 1, "b": 0}, "q2": {"a": 0, "A": 0}}):
    ...     print(finding)
    the judgments: warning: query q2: none of its 2 judged documents is relevant [no-relevant]
    the judgments: warning: documents 'a' and 'A' differ only in blanks or case [alike]
    """
    judged = as_file(judged)  # a pipe gives its bytes once
    roles = asked_for(columns) if columns else {}
    name, lines, unreadable = _read(judged, roles, bundle(conventions).reading)
    findings = Findings(unreadable)
    grades = Counter(one.grade for one in lines)
    findings.grades = dict(sorted(grades.items()))
    ids_of: dict[str, set[str]] = {}
    if queries is not None:
        ids_of["query"] = set(read_texts(queries, "query", bare=True))
    if documents is not None:
        ids_of["document"] = set(read_texts(documents, "document", bare=True))
    remarks = list(_twice(lines))
    for what, ids in ids_of.items():
        remarks += _dangling(lines, what, ids)
    remarks += _rare_grades(lines)
    remarks += _queries(lines)
    for what in ("query", "document"):
        remarks += _alike(lines, what, ids_of.get(what, set()))
    for kind, rule, line, message in remarks:
        finding = Finding(
            kind,
            rule,
            name,
            line,
            message,
        )
        findings.append(finding)
    findings.sort(key=lambda finding: (finding.kind != ERROR, finding.line or 0))
    return findings


def _read(
    judged: Any,
    columns: Mapping[str, str],
    reading: Reading,
) -> tuple[str, list[_Line], list[Finding]]:
    """The name of the judgments, their lines, and the unreadable lines."""
    read = source(
        judged,
        run=False,
        skip_bad=True,
        reading=reading,
        columns=columns,
    )
    if not isinstance(read, Source):
        name = str(judged) if isinstance(judged, (str, PathLike)) else "the judgments"
        labels = read_labels(read).labels
        told = [_Line(one.query, one.document, one.grade, None) for one in labels]
        return name, told, []
    lines = _lines_of(read)
    return read.name, _by_subtopic(judged, lines), _unreadable(read)


def _lines_of(read: Source) -> list[_Line]:
    """The lines of a file that can be read, in its order."""
    items = read.all()
    numbers = items.query.tolist()
    grades = [1.0] * len(numbers)
    if items.value is not None:
        grades = items.value.tolist()
    rows = zip(
        numbers,
        items.document.tolist(),
        grades,
        items.line.tolist(),
        strict=True,
    )
    lines: list[_Line] = []
    for number, document, grade, line in rows:
        query = items.queries[number]
        lines.append(_Line(query, document, grade, line))
    lines.sort(key=lambda one: one.line or 0)
    return lines


def _unreadable(read: Source) -> list[Finding]:
    """The lines that can't be read; of many the first, and how many there are besides."""
    problems = read.problems
    findings: list[Finding] = []
    for problem in sorted(problems.kept):
        finding = Finding(
            ERROR,
            "malformed",
            read.name,
            problem.line,
            str(problem),
        )
        findings.append(finding)
    rest = problems.count - len(findings)
    if rest > 0:
        more = f"{rest:,} more lines can't be read"
        finding = Finding(
            ERROR,
            "malformed",
            read.name,
            None,
            more,
        )
        findings.append(finding)
    return findings


def _by_subtopic(judged: Any, lines: list[_Line]) -> list[_Line]:
    """The lines with their subtopics, if TREC's second field has several for one document."""
    pairs = {(one.query, one.document) for one in lines}
    if len(pairs) == len(lines) or not isinstance(judged, File):
        return lines
    if format_of(judged) != "trec":
        return lines
    written = contents(judged).split(b"\n")
    subtopics: list[str] = []
    for one in lines:
        number = (one.line or 1) - 1
        fields = written[number].split()
        subtopic = fields[1].decode(errors="replace")
        subtopics.append(subtopic)
    if set(subtopics) <= {"0", "Q0"}:
        return lines
    return [one._replace(subtopic=name) for one, name in zip(lines, subtopics, strict=True)]


def _twice(lines: Iterable[_Line]) -> Iterator[_Said]:
    met: dict[tuple[str, str, str], _Line] = {}
    for one in lines:
        first = met.setdefault((one.query, one.subtopic, one.document), one)
        if first is one:
            continue
        subtopic = f", subtopic {one.subtopic}" if one.subtopic else ""
        pair = f"query {one.query}{subtopic}, document {one.document}"
        if first.grade == one.grade:
            message = f"{pair} is judged again, as in line {first.line}; remove one of the lines"
            yield ERROR, "repeated", one.line, message
        else:
            message = (
                f"{pair} has grade {shown(one.grade)} here and {shown(first.grade)} in line "
                f"{first.line}; keep the one that is right"
            )
            yield ERROR, "conflict", one.line, message


def _folded(identifier: str) -> str:
    return "".join(identifier.split()).casefold()


def _dangling(
    lines: Iterable[_Line],
    what: str,
    listed: set[str],
) -> Iterator[_Said]:
    """Unknown ids, each once, with a similar known id if there is one."""
    similar: Mapping[str, str] = {_folded(identifier): identifier for identifier in sorted(listed)}
    for identifier, uses in _uses(lines, what).items():
        if identifier in listed:
            continue
        near = similar.get(_folded(identifier))
        hint = "" if near is None else f"; {near!r} is, which differs only in blanks or case"
        many = "" if len(uses) == 1 else f" (lines with it: {len(uses):,})"
        message = f"{what} {identifier!r} is not among the {len(listed):,} given{hint}{many}"
        yield ERROR, f"dangling-{what}", uses[0].line, message


def _alike(
    lines: Iterable[_Line],
    what: str,
    listed: set[str],
) -> Iterator[_Said]:
    """Ids that differ only in blanks or case, unless both are known."""
    plural = "queries" if what == "query" else "documents"
    first_of: dict[str, str] = {}
    for identifier, uses in _uses(lines, what).items():
        other = first_of.setdefault(_folded(identifier), identifier)
        if other == identifier or {other, identifier} <= listed:
            continue
        message = f"{plural} {other!r} and {identifier!r} differ only in blanks or case"
        yield WARNING, "alike", uses[0].line, message


def _rare_grades(lines: list[_Line]) -> Iterator[_Said]:
    """Grades that occur once, as a slip of the keyboard does: 11 for 1."""
    if len(lines) < _MANY:
        return
    counts = Counter(one.grade for one in lines)
    for one in lines:
        if counts[one.grade] == 1:
            pair = f"query {one.query}, document {one.document}"
            message = f"grade {shown(one.grade)} occurs once, {pair}"
            yield WARNING, "rare-grade", one.line, message


def _uses(lines: Iterable[_Line], what: str) -> dict[str, list[_Line]]:
    uses: dict[str, list[_Line]] = {}
    for one in lines:
        identifier = getattr(one, what)
        uses.setdefault(identifier, []).append(one)
    return uses


def _queries(lines: Iterable[_Line]) -> Iterator[_Said]:
    """Queries with no relevant document, or with relevant documents only."""
    by_query = _uses(lines, "query")
    full: set[str] = set()
    for query, lines_of_query in by_query.items():
        if all(one.grade >= 1 for one in lines_of_query):
            full.add(query)
    for query, lines_of_query in by_query.items():
        if not any(one.grade >= 1 for one in lines_of_query):
            lacking = f"none of its {len(lines_of_query):,} judged documents is"
            if len(lines_of_query) == 1:
                lacking = "its one judged document is not"
            yield (
                WARNING,
                "no-relevant",
                lines_of_query[0].line,
                f"query {query}: {lacking} relevant",
            )
        elif query in full and len(full) < len(by_query):
            message = (
                f"query {query}: all of its {len(lines_of_query):,} judged documents are relevant"
            )
            yield WARNING, "all-relevant", lines_of_query[0].line, message
    if full and len(full) == len(by_query):
        message = "every judged document of every query is relevant: nothing was judged not to be"
        yield WARNING, "all-relevant", None, message
