"""Judgments with their sources: a person, a model or a rule, with name and date."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import Any, Protocol

from irmetrics_edu import checks
from irmetrics_edu.checks import at
from irmetrics_edu.errors import InputError
from irmetrics_edu.reading.column_names import DOCUMENT, GRADE, QUERY
from irmetrics_edu.reading.files import ENDINGS, File, as_file
from irmetrics_edu.reading.records import Record, records
from irmetrics_edu.reading.tables import format_of
from irmetrics_edu.runs.joining.judgments import read_pool
from irmetrics_edu.views import escaping, formatting
from irmetrics_edu.writing import write

__tracebackhide__ = True  # pytest shows the line that called

LONGEST = 32_000  # letters of a cell; a spreadsheet has room for few more


def id_cell(identifier: str) -> str:
    """An id as a cell that is not a formula; InputError if it could not be read back.

    >>> id_cell("d7"), id_cell("=d7"), id_of("'=d7")
    ('d7', "'=d7", '=d7')
    """
    cell = str(escaping.csv(identifier))
    if id_of(cell) != identifier:
        raise InputError(
            f"id {identifier!r} can't be stored in a spreadsheet and read back; write it without "
            "control characters, and without an apostrophe before a formula"
        )
    return cell


def id_of(cell: str) -> str:
    """The id in a cell, without the apostrophe that keeps it from being a formula."""
    bare = cell.removeprefix("'")
    return bare if bare != cell and escaping.csv(bare) == cell else cell


def text_cell(text: str) -> str:
    """A text as a cell: one line, not a formula, cut to the length that a spreadsheet can hold."""
    line = " ".join(text.split())
    return str(escaping.csv(line if len(line) <= LONGEST else line[:LONGEST] + " ..."))


SOURCES = ("person", "model", "rule")
UNKNOWN = "unknown"  # what a label without a source is called
ROLES = {"query": QUERY, "document": DOCUMENT, "grade": GRADE}
OF_SOURCE = {"source": ("source",), "judge": ("judge", "annotator"), "when": ("when",)}


@dataclass(frozen=True)
class Label:
    """A grade that somebody gave to a document for a query.

    `source` is "person", "model" or "rule" ("" where it is not known), `judge` says who, `when`
    is a date. `place` is where it was read, for messages.
    """

    query: str
    document: str
    grade: float
    source: str = ""
    judge: str = ""
    when: str = ""
    place: str = field(default="", compare=False)

    @property
    def by(self) -> str:
        """The source with the judge: "person:Anna"."""
        return ":".join(filter(None, (self.source, self.judge))) or UNKNOWN


class Labels(Mapping[str, Mapping[str, float]]):
    """Judgments, query -> document -> grade, each with its source.

    You can use them like other judgments. If two sources judged the same pair of query and
    document, the pair has two labels. Then choose a source with `of_source` before you score
    anything.

    `unanswered` are queries whose answer says nothing, so that there is nothing to label. They have
    no judgments, and `judge_claims` scores them 0.

    >>> both = Labels([Label("q", "d", 1, "person"), Label("q", "d", 0, "model")])
    >>> both.sources, dict(of_source(both, "model"))
    (['person', 'model'], {'q': {'d': 0}})
    """

    def __init__(
        self,
        labels: Iterable[Label],
        name: str = "the judgments",
        *,
        unanswered: Iterable[str] = (),
    ) -> None:
        self.labels = tuple(labels)
        self.name = name
        self.unanswered = tuple(unanswered)

    @property
    def sources(self) -> list[str]:
        """The sources there are, in their order; "unknown" for labels that have none."""
        return list(dict.fromkeys(label.source or UNKNOWN for label in self.labels))

    @cached_property
    def _held(self) -> dict[str, dict[str, float]]:
        labels: dict[str, dict[str, Label]] = {}
        for label in self.labels:
            first = labels.setdefault(label.query, {}).setdefault(label.document, label)
            if first is not label:
                raise InputError(
                    f"{label.place}{at(label.query, label.document)}judged twice, by {first.by} "
                    f"and {label.by}; choose one source, as of_source(labels, {label.by!r}) does"
                )
        grades: dict[str, dict[str, float]] = {}
        for query, by_document in labels.items():
            grades[query] = {document: one.grade for document, one in by_document.items()}
        return grades

    def require_one_source(self) -> None:
        """InputError if two sources judged one pair: no score is possible then."""
        if self.labels:
            len(self._held)

    def __repr__(self) -> str:
        counts = Counter(label.source or UNKNOWN for label in self.labels)
        total = len(self.labels)
        size = "1 label" if total == 1 else f"{total:,} labels"
        listed = ", ".join(f"{count:,} of {source}" for source, count in counts.items())
        summary = f"{size}: {listed}" if listed else size
        if self.unanswered:
            silent = len(self.unanswered)
            answers = "1 answer says" if silent == 1 else f"{silent:,} answers say"
            summary = f"{summary}; {answers} nothing"
        return f"Labels({summary})"

    def __getitem__(self, query: str) -> Mapping[str, float]:
        return self._held[query]

    def __iter__(self) -> Iterator[str]:
        return iter(self._held)

    def __len__(self) -> int:
        return len(self._held)


class Frame(Protocol):
    """A data frame or an Arrow table, of any library."""

    @property
    def columns(self) -> Any:
        """The columns, or their names."""


# Judgments in any form that `evaluate` takes, or labels.
Judged = Mapping[Any, Any] | str | PathLike[str] | Iterable[Any] | Frame


def of_source(judged: Judged, source: str) -> Labels:
    """The judgments of one source, ready for scoring.

    `judged` is what `read_labels` takes. `source` is "person", "model", "rule" or "unknown", or who
    it was: "Anna" or "person:Anna". InputError if there is no such label.

    >>> both = [Label("q", "d", 1, "person", "Anna"), Label("q", "e", 0, "model")]
    >>> of_source(both, "person:Anna")
    Labels(1 label: 1 of person)
    """
    labels = read_labels(judged)
    kept = [one for one in labels.labels if source in (one.source or UNKNOWN, one.judge, one.by)]
    if not kept:
        sources = ", ".join(dict.fromkeys(label.by for label in labels.labels))
        raise InputError(f"{labels.name}: no label is of {source!r}; there are {sources or 'none'}")
    return Labels(kept, labels.name, unanswered=labels.unanswered)


def read_labels(judged: Judged) -> Labels:
    """Judgments with their sources, from a file, a mapping or labels.

    A CSV or TSV file may have the columns source, judge and when beside query, document and grade.
    Judgments in any other form that `evaluate` takes have no source.
    """
    if isinstance(judged, Labels):
        return judged
    if isinstance(judged, (str, PathLike)):
        return _of_file(as_file(judged))
    if isinstance(judged, Sequence):
        labels = [one for one in judged if isinstance(one, Label)]
        if labels and len(labels) == len(judged):
            return Labels(labels)
    return Labels(_of_pool(judged))


def _of_file(file: File) -> Labels:
    if format_of(file) not in ("csv", "tsv"):
        return Labels(_of_pool(file), str(file))
    rows = records(file, ROLES, OF_SOURCE)
    return Labels([label(row, row.id("query"), row.id("document")) for row in rows], str(file))


def _of_pool(judged: Any) -> Iterator[Label]:
    pool = read_pool(judged, negative="keep")
    checks.one_kind(pool.queries, "query")
    for q, query in enumerate(pool.queries):
        for document, grade_of_pair in pool.of(q).items():
            if grade_of_pair is not None:
                yield Label(str(query), str(document), float(grade_of_pair))


def label(
    row: Record,
    query: str,
    document: str,
) -> Label:
    """The label of a row; an unreadable grade, source or date is refused."""
    source = row["source"].strip()
    if source not in ("", *SOURCES):
        raise InputError(f"{row.place}source {source!r} is not known; use {', '.join(SOURCES)}")
    grade_of_row = grade(row["grade"], f"{row.place}{at(query, document)}")
    return Label(
        query=query,
        document=document,
        grade=grade_of_row,
        source=source,
        judge=row["judge"].strip(),
        when=date(row["when"], row.place),
        place=row.place,
    )


def grade(written: str, place: str) -> float:
    """A grade that is written in a cell."""
    bare = written.strip()
    try:
        if "_" in bare or not bare.isascii():
            raise ValueError
        value = float(bare)
    except ValueError:
        what = f"grade {written!r} is not a number" if bare else "no grade is filled in"
        raise InputError(f"{place}{what}; give a number such as 1") from None
    checks.grade(value, place)
    return value


def date(written: str, place: str) -> str:
    """A date as it is written: 2026-05-01, with a time or without."""
    bare = written.strip()
    if bare:
        try:
            datetime.fromisoformat(bare)
        except ValueError:
            raise InputError(f"{place}when is {written!r}; give a date as 2026-05-01") from None
    return bare


def shown(value: float) -> str:
    """A grade as files have it: a whole number as such, else with every digit.

    >>> shown(1.0), shown(0.1)
    ('1', '0.1')
    """
    return str(int(value)) if value == int(value) else repr(value)


HEADER = ("query", "document", "grade", "source", "judge", "when")
_READ_OTHERWISE = (".json", ".jsonl", ".tsv", ".parquet", ".pq", *ENDINGS)


def keeps_sources(path: str | PathLike[str]) -> bool:
    """Whether judgments that are written under this name have their sources."""
    return Path(path).suffix.lower() == ".csv"


def write_labels(labels: Labels, path: str | PathLike[str]) -> None:
    """Write judgments: with their sources into a .csv file, without them into a file of TREC.

    A CSV file has the columns query, document, grade, source, judge and when. `read_labels` reads
    it back, and `evaluate` reads the grades. Any other name gives a TREC file, which has no room
    for sources. InputError for ids that the format can't hold: blanks in TREC, formulas in CSV.
    """
    dict(labels)  # a pair with two labels is refused before anything is written
    target = Path(path)
    as_table = keeps_sources(target)
    if target.suffix.lower() in _READ_OTHERWISE:
        raise InputError(
            f"{target}: judgments are written as .csv, or as TREC (.qrels, .txt); choose such a "
            "name"
        )
    for label in labels.labels:
        for identifier in (label.query, label.document):
            if wrong := _unwritable(identifier, as_table=as_table):
                raise InputError(f"{at(label.query, label.document)}{wrong}")
    if as_table:
        lines = [
            (one.query, one.document, shown(one.grade), one.source, one.judge, one.when)
            for one in labels.labels
        ]
        write(target, formatting.csv_table([HEADER, *lines]))
        return
    written = (f"{one.query} 0 {one.document} {shown(one.grade)}\n" for one in labels.labels)
    write(target, "".join(written))


def _unwritable(identifier: str, *, as_table: bool) -> str:
    """Why a file of this kind can't hold an id; "" if it can."""
    if not identifier or identifier != identifier.strip():
        return "an id is empty or ends in blanks"
    if as_table and id_cell(identifier) != identifier:
        return (
            f"{identifier!r} would be a formula in a spreadsheet; give a name that does not end in "
            ".csv, for a file of TREC"
        )
    if not as_table and identifier.split() != [identifier]:
        return (
            "an id has a blank in it, and a TREC file can't hold it; give a name that ends in .csv"
        )
    return ""
