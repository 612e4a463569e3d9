"""Checks of judgments: certain errors, and warnings of possible ones."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from os import PathLike
from typing import Any, NamedTuple

from irmetrics_edu.judging.labels import read_labels, shown
from irmetrics_edu.judging.texts import read_texts
from irmetrics_edu.reading.files import as_file
from irmetrics_edu.reading.tables import Source, source

ERROR, WARNING = "error", "warning"


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


_Said = tuple[str, str, int | None, str]  # a finding without its file


def lint(judged: Any, *, queries: Any = None, documents: Any = None) -> list[Finding]:
    """Lint lists the problems in judgments, errors first, each with its line.

    `judged` is a file of judgments (or a frame, or a mapping, which have no lines). `queries` and
    `documents` are the ids there are: a list, a mapping to texts, or a file of either. Errors are
    lines that can't be read, pairs that are judged twice, and ids that are not among those given.
    Warnings are queries without a relevant document (grade 1 or more) or with nothing else.

    >>> for finding in lint({"q1": {"a": 1, "b": 0}, "q2": {"a": 0, "b": 0}}):
    ...     print(finding)
    the judgments: warning: query q2: none of its 2 judged documents is relevant [no-relevant]
    """
    judged = as_file(judged)  # a pipe gives its bytes once
    name, lines, found = _read(judged)
    said = [*_twice(lines)]
    for what, given in (("query", queries), ("document", documents)):
        if given is not None:
            said += _dangling(lines, what, set(read_texts(given, what, bare=True)))
    said += _queries(lines)
    found += [Finding(kind, rule, name, line, message) for kind, rule, line, message in said]
    found.sort(key=lambda finding: (finding.kind != ERROR, finding.line or 0))
    return found


def _read(judged: Any) -> tuple[str, list[_Line], list[Finding]]:
    """The name of the judgments, their lines, and the unreadable lines."""
    read = source(judged, run=False, skip_bad=True)
    if not isinstance(read, Source):
        name = str(judged) if isinstance(judged, (str, PathLike)) else "the judgments"
        labels = read_labels(read).labels
        return name, [_Line(one.query, one.document, one.grade, None) for one in labels], []
    items = read.all()
    problems = read.problems
    found = [
        Finding(ERROR, "malformed", read.name, problem.line, str(problem))
        for problem in sorted(problems.kept)
    ]
    if problems.count > len(found):
        more = f"{problems.count - len(found):,} more lines can't be read"
        found.append(Finding(ERROR, "malformed", read.name, None, more))
    grades = [1.0] * len(items.line) if items.value is None else items.value.tolist()
    numbers = items.query.tolist()
    rows = zip(numbers, items.document.tolist(), grades, items.line.tolist(), strict=True)
    lines = [_Line(items.queries[q], document, g, line) for q, document, g, line in rows]
    return read.name, sorted(lines, key=lambda one: one.line or 0), found


def _twice(lines: Iterable[_Line]) -> Iterator[_Said]:
    met: dict[tuple[str, str], _Line] = {}
    for one in lines:
        first = met.setdefault((one.query, one.document), one)
        if first is one:
            continue
        pair = f"query {one.query}, document {one.document}"
        if first.grade == one.grade:
            say = f"{pair} is judged again, as in line {first.line}; remove one of the lines"
            yield ERROR, "repeated", one.line, say
        else:
            say = (
                f"{pair} has grade {shown(one.grade)} here and {shown(first.grade)} in line "
                f"{first.line}; keep the one that is right"
            )
            yield ERROR, "conflict", one.line, say


def _folded(identifier: str) -> str:
    return "".join(identifier.split()).casefold()


def _dangling(lines: Iterable[_Line], what: str, known: set[str]) -> Iterator[_Said]:
    """Unknown ids, each once, with a similar known id if there is one."""
    like: Mapping[str, str] = {_folded(identifier): identifier for identifier in sorted(known)}
    for identifier, uses in _uses(lines, what).items():
        if identifier not in known:
            near = like.get(_folded(identifier))
            hint = "" if near is None else f"; {near!r} is, which differs only in blanks or case"
            many = "" if len(uses) == 1 else f" (lines with it: {len(uses):,})"
            say = f"{what} {identifier!r} is not among the {len(known):,} given{hint}{many}"
            yield ERROR, f"dangling-{what}", uses[0].line, say


def _uses(lines: Iterable[_Line], what: str) -> dict[str, list[_Line]]:
    found: dict[str, list[_Line]] = {}
    for one in lines:
        found.setdefault(getattr(one, what), []).append(one)
    return found


def _queries(lines: Iterable[_Line]) -> Iterator[_Said]:
    """Queries with no relevant document, or with relevant documents only."""
    by_query = _uses(lines, "query")
    full = {q for q, of in by_query.items() if all(one.grade >= 1 for one in of)}
    for query, of in by_query.items():
        if not any(one.grade >= 1 for one in of):
            many = f"none of its {len(of):,} judged documents is"
            many = "its one judged document is not" if len(of) == 1 else many
            yield WARNING, "no-relevant", of[0].line, f"query {query}: {many} relevant"
        elif query in full and len(full) < len(by_query):
            say = f"query {query}: all of its {len(of):,} judged documents are relevant"
            yield WARNING, "all-relevant", of[0].line, say
    if full and len(full) == len(by_query):
        say = "every judged document of every query is relevant: nothing was judged not to be"
        yield WARNING, "all-relevant", None, say
