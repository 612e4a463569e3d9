"""Small tables for diversity: which subtopics a document covers, which categories an item has."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from os import PathLike
from typing import Any

from irmetrics_edu.errors import InputError
from irmetrics_edu.reading import files, frames, tabular
from irmetrics_edu.reading.column_names import SUBTOPIC_QRELS, column
from irmetrics_edu.reading.files import File, Problems
from irmetrics_edu.reading.heads import Use
from irmetrics_edu.reading.tables import format_of, separator_of
from irmetrics_edu.reading.trec import not_text

Subtopics = dict[str, dict[str, dict[str, float]]]
Categories = dict[str, set[str]]


def subtopics_of(
    source: Any,
    problems: Problems,
) -> Subtopics:
    """Judgments for diversity: query -> document -> subtopic -> grade, from a File or data frame.

    The lines are those of TREC's diversity tasks: query, subtopic, document, grade. CSV, TSV and
    Parquet files name these columns. A JSON file holds the mapping itself. `problems` collects what
    was wrong.
    """
    if not isinstance(source, File):
        problems.file = f"the judgments ({type(source).__name__})"
        problems.unit = "row"
        tables = frames.rows_of(frames.parts_of(source, problems.file), problems)
        return _collected(_of_tables(tables, problems), problems)
    problems.file = str(source)
    kind = format_of(source)
    if kind == "json":
        return tabular.of_json(source)
    if kind == "parquet":
        problems.unit = "row"
        batches = frames.batches_of(
            source, lambda names: list(_places(names, problems.file, problems.asked))
        )
        tables = frames.rows_of(batches, problems)
        return _collected(_of_tables(tables, problems), problems)
    if kind in ("csv", "tsv"):
        rows = tabular.rows_of(
            source,
            problems,
            separator_of(source),
            Use.SUBTOPICS,
        )
        return _collected(_of_tables(rows, problems), problems)
    return _collected(_words(source, problems), problems)


def _places(
    names: Sequence[str],
    where: str,
    asked: Mapping[str, str],
) -> dict[str, str]:
    """The columns of query, subtopic, document and grade, in this order, as what each is read."""
    return {
        column(
            names,
            usual_names,
            what,
            where,
            asked,
        ): what
        for what, usual_names in SUBTOPIC_QRELS.items()
    }


def _of_tables(
    tables: Iterable[Any],
    problems: Problems,
) -> Iterator[tuple[int, str, list[Any]]]:
    """The good rows of tables, one after the other."""
    for rows in tables:
        places = _places(rows.names, rows.where, problems.asked)
        problems.columns = {what: name for name, what in places.items()}
        *three, grade = places
        ids = [rows.ids(name).tolist() for name in three]
        grades = rows.numbers(grade, run=False).tolist()
        each = zip(
            rows.line.tolist(),
            rows.good.tolist(),
            *ids,
            grades,
            strict=True,
        )
        for number, fine, *values in each:
            if fine:
                yield number, " ".join(map(str, values)), list(values)


def _collected(
    rows: Iterable[tuple[int, str, list[Any]]],
    problems: Problems,
) -> Subtopics:
    """Rows of query, subtopic, document and grade, put together by query and document."""
    judgments: Subtopics = {}
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
        judged = judgments.setdefault(query, {}).setdefault(document, {})
        if subtopic in judged:
            problems.add(
                number, line, f"document {document!r} is judged twice for subtopic {subtopic!r}"
            )
            continue
        judged[subtopic] = grade
    problems.check(any_good=bool(judgments), expected="query subtopic document grade")
    return judgments


def read_categories(
    path: str | PathLike[str],
    *,
    skip_bad: bool = False,
) -> tuple[Categories, int]:
    """The categories of items: item -> set of categories, and the lines left out.

    A line is an item and one of its categories, separated by a tab or blanks. A JSON file maps
    items to lists of categories.
    """
    file = files.as_file(path)
    if format_of(file) == "json":
        return {
            item: _as_set(item, listed, file) for item, listed in tabular.of_json(file).items()
        }, 0
    problems = Problems(str(file), skip=skip_bad)
    categories: Categories = {}
    for number, line, words in _words(file, problems):
        parts = [part.strip() for part in line.split("\t")] if "\t" in line else words
        if len(parts) != 2 or not all(parts):
            problems.add(number, line, f"{len(parts)} fields; expected 2: item category")
            continue
        categories.setdefault(parts[0], set()).add(parts[1])
    problems.check(any_good=bool(categories), expected="an item and a category on each line")
    return categories, problems.count


def read_items(path: str | PathLike[str]) -> list[str]:
    """The items of a file with one item a line, blanks included."""
    file = files.as_file(path)
    problems = Problems(str(file))
    items = [line for _, line, _ in _words(file, problems)]
    problems.check(any_good=bool(items), expected="an item on each line")
    return items


def _words(
    file: File,
    problems: Problems,
) -> Iterator[tuple[int, str, list[str]]]:
    raw = files.contents(file)
    bad = dict(not_text(raw))
    for number, raw_line in enumerate(raw.split(b"\n")):
        line = raw_line.decode("utf-8", errors="backslashreplace").strip()
        if number in bad:
            problems.add(number + 1, line, bad[number])
        elif line:
            yield number + 1, line, line.split()


def _grade(written: Any) -> float | None:
    if isinstance(written, str) and ("_" in written or not written.isascii()):
        return None  # Python reads more as a number than is written as one
    try:
        grade = float(written)
    except ValueError:
        return None
    return grade if abs(grade) < float("inf") else None


def _as_set(
    item: str,
    categories: Any,
    file: File,
) -> set[str]:
    if not isinstance(categories, list) or not all(isinstance(c, str) for c in categories):
        raise InputError(
            f"{file}: item {item!r} has {categories!r}; expected a list of categories as text"
        )
    return set(categories)
