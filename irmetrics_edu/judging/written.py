"""Labels as files: a TREC file with a file of sources beside it, or one CSV file with both."""

from collections.abc import Sequence
from os import PathLike
from pathlib import Path

from irmetrics_edu.checks import at
from irmetrics_edu.errors import InputError
from irmetrics_edu.judging import csv_ids
from irmetrics_edu.judging.labels import SIDECAR, Label, Labels, shown
from irmetrics_edu.reading.files import ENDINGS
from irmetrics_edu.views import formatting
from irmetrics_edu.writing import write

HEADER = ("query", "document", "grade", "source", "judge", "when")
_READ_OTHERWISE = (".json", ".jsonl", ".tsv", ".parquet", ".pq", *ENDINGS)


def write_labels(labels: Labels, path: str | PathLike[str]) -> list[Path]:
    """Write judgments with their sources, and return the written files.

    If the name ends in .csv, there is one file: query, document, grade, source, judge, when. Any
    other name gives a TREC file, and `NAME.sources.csv` beside it. There, an id that looks like a
    formula begins with an apostrophe. `read_labels` reads both forms back with their sources, and
    `evaluate` reads them without. InputError for ids that the format can't hold: blanks in TREC,
    formulas in CSV.
    """
    dict(labels)  # a pair with two labels is refused before anything is written
    for label in labels.labels:
        if any(i != i.strip() or not i for i in (label.query, label.document)):
            raise InputError(f"{at(label.query, label.document)}an id is empty or ends in blanks")
    target = Path(path)
    if target.suffix.lower() == ".csv":
        for label in labels.labels:
            _refuse_formulas(label)
        write(target, _table(labels.labels))
        return [target]
    if target.suffix.lower() in _READ_OTHERWISE:
        raise InputError(
            f"{target}: judgments are written as .csv, or as TREC (.qrels, .txt); choose such a "
            "name"
        )
    for label in labels.labels:
        if label.query.split() != [label.query] or label.document.split() != [label.document]:
            raise InputError(
                f"{at(label.query, label.document)}an id has a blank in it, and a TREC file can't "
                "hold it; give a name that ends in .csv"
            )
    beside = Path(f"{target}{SIDECAR}")
    sources = _table(labels.labels)  # before the first file is written: it may refuse an id
    lines = (f"{one.query} 0 {one.document} {shown(one.grade)}\n" for one in labels.labels)
    write(target, "".join(lines))
    write(beside, sources)
    return [target, beside]


def _refuse_formulas(label: Label) -> None:
    for identifier in (label.query, label.document):
        if csv_ids.written(identifier) != identifier:
            raise InputError(
                f"{at(label.query, label.document)}{identifier!r} would be a formula in a "
                "spreadsheet; give a name that does not end in .csv, for a file of TREC"
            )


def _table(labels: Sequence[Label]) -> str:
    lines = [
        (
            csv_ids.written(one.query),
            csv_ids.written(one.document),
            shown(one.grade),
            one.source,
            one.judge,
            one.when,
        )
        for one in labels
    ]
    return formatting.csv_table([HEADER, *lines])
