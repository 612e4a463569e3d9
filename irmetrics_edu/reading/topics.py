"""Small tables for diversity: which subtopics a document covers, which categories an item has."""

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from irmetrics_edu.errors import InputError
from irmetrics_edu.reading import files, frames, tabular
from irmetrics_edu.reading.problems import Problems

Subtopics = dict[str, dict[str, dict[str, float]]]
Categories = dict[str, set[str]]


def read_subtopics(path: str | PathLike[str], *, skip_bad: bool = False) -> tuple[Subtopics, int]:
    """Judgments for diversity: query -> document -> subtopic -> grade, and the lines left out.

    The lines are those of TREC's diversity tasks: query, subtopic, document, grade. CSV, TSV and
    Parquet files name these columns; a JSON file holds the mapping itself.
    """
    path = Path(path)
    if ".json" in path.suffixes:
        return tabular.of_json(path), 0
    problems = Problems(str(path), skip=skip_bad)
    kind = next((s for s in reversed(path.suffixes) if s in (".csv", ".tsv", ".parquet")), "")
    if kind == ".parquet":
        return subtopics_of_frame(_parquet(path), skip_bad=skip_bad, name=str(path))
    if kind:
        return _collected(_rows(path, problems, "," if kind == ".csv" else "\t"), problems)
    return _collected(_words(path, problems), problems)


def subtopics_of_frame(
    frame: Any, *, skip_bad: bool = False, name: str = ""
) -> tuple[Subtopics, int]:
    """Judgments for diversity from a data frame's columns, and the rows left out."""
    import narwhals as nw

    problems = Problems(name or f"the judgments ({type(frame).__name__})", "row", skip_bad)
    table = nw.from_native(frame)
    table = table.collect() if isinstance(table, nw.LazyFrame) else table
    places = [frames.column(table.columns, known, what, problems.file) for known, what in _COLUMNS]
    good, row = np.ones(len(table), dtype=bool), np.arange(1, len(table) + 1)
    ids = [frames.ids_of(table[place], row, good, problems).tolist() for place in places[:3]]
    grades = frames.numbers_of(table[places[3]], row, good, problems).tolist()
    rows = zip(row.tolist(), good.tolist(), *ids, grades, strict=True)
    return _collected(
        ((i, " ".join(map(str, values)), list(values)) for i, fine, *values in rows if fine),
        problems,
    )


_COLUMNS: tuple[tuple[Sequence[str], str], ...] = (
    (frames.QUERY, "query"),
    (frames.SUBTOPIC, "subtopic"),
    (frames.DOCUMENT, "document"),
    (frames.GRADE, "grade"),
)


def _collected(
    rows: Iterable[tuple[int, str, list[Any]]], problems: Problems
) -> tuple[Subtopics, int]:
    """Rows of query, subtopic, document and grade, put together by query and document."""
    found: Subtopics = {}
    for number, line, words in rows:
        if len(words) != 4:
            problems.add(
                number, line, f"{len(words)} fields; expected 4: query subtopic document grade"
            )
            continue
        query, subtopic, document, written = words
        grade = _grade(written)
        if grade is None:
            problems.add(number, line, f"grade {written!r} is not a finite number")
            continue
        judged = found.setdefault(query, {}).setdefault(document, {})
        if subtopic in judged:
            problems.add(
                number, line, f"document {document!r} is judged twice for subtopic {subtopic!r}"
            )
            continue
        judged[subtopic] = grade
    problems.check()
    if not found:
        raise InputError(
            f"{problems.file}: there is nothing in it; expected query subtopic document grade"
        )
    return found, problems.count


def _parquet(path: Path) -> Any:
    try:
        import pyarrow as pa  # type: ignore[import-untyped]
        import pyarrow.parquet as pq  # type: ignore[import-untyped]
    except ImportError:
        raise InputError(
            f"{path}: to read Parquet, install the extra: pip install 'irmetrics-edu[parquet]'"
        ) from None
    try:
        return pq.read_table(path)
    except pa.ArrowException as error:
        raise InputError(f"{path}: not a Parquet file that can be read: {error}") from None


def _rows(path: Path, problems: Problems, separator: str) -> Iterator[tuple[int, str, list[str]]]:
    """The values of query, subtopic, document and grade in each row below the header."""
    try:
        text = files.without_mark(files.contents(path)).decode("utf-8")
        lines = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
        header = next(lines, [])
        where = f"{path}, line 1"
        names = [frames.column(header, known, what, where) for known, what in _COLUMNS]
        places = [header.index(name) for name in names]
        for values in lines:
            shown = separator.join(values)
            if len(values) != len(header):
                if values:
                    wrong = f"{len(values)} values; expected {len(header)}: {header}"
                    problems.add(lines.line_num, shown, wrong)
                continue
            row = [values[place] for place in places]
            odd = next((v for v in row if not v or v != v.strip()), None)
            if odd is None:
                yield lines.line_num, shown, row
            else:
                problems.add(lines.line_num, shown, f"{odd!r} is empty or has blanks around it")
    except (csv.Error, UnicodeDecodeError) as error:
        raise InputError(
            f"{path}: {error}; expected text in UTF-8, values separated by {separator!r}"
        ) from None


def read_categories(path: str | PathLike[str], *, skip_bad: bool = False) -> tuple[Categories, int]:
    """The categories of items: item -> set of categories, and the lines left out.

    A line is an item and one of its categories, parted by a tab or blanks; a JSON file maps items
    to lists of categories.
    """
    path = Path(path)
    if ".json" in path.suffixes:
        return _as_sets(tabular.of_json(path), path), 0
    problems = Problems(str(path), skip=skip_bad)
    found: Categories = {}
    for number, line, words in _words(path, problems):
        parts = [part.strip() for part in line.split("\t")] if "\t" in line else words
        if len(parts) != 2 or not all(parts):
            problems.add(number, line, f"{len(parts)} fields; expected 2: item category")
            continue
        found.setdefault(parts[0], set()).add(parts[1])
    problems.check()
    if not found:
        raise InputError(f"{path}: there is nothing in it; expected an item and a category a line")
    return found, problems.count


def _words(path: Path, problems: Problems) -> Iterator[tuple[int, str, list[str]]]:
    for number, raw in enumerate(files.contents(path).split(b"\n"), 1):
        try:
            line = raw.decode("utf-8").strip()
        except UnicodeDecodeError:
            shown = raw.decode("utf-8", errors="backslashreplace").strip()
            problems.add(number, shown, "it is not text in UTF-8")
            continue
        if "\0" in line:
            problems.add(number, line, "it holds a NUL byte; expected text in UTF-8 (not UTF-16)")
        elif line:
            yield number, line, line.split()


def _grade(written: Any) -> float | None:
    try:
        grade = float(written)
    except ValueError:
        return None
    return grade if abs(grade) < float("inf") and "_" not in str(written) else None


def _as_sets(given: Mapping[str, Any], path: Path) -> Categories:
    found = {}
    for item, categories in given.items():
        if not isinstance(categories, list) or not all(isinstance(c, str) for c in categories):
            raise InputError(
                f"{path}: item {item!r} has {categories!r}; expected a list of categories as text"
            )
        found[item] = set(categories)
    return found
