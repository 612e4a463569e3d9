r"""Files of LETOR and SVMlight: a line per document, "2 qid:10 1:0.5 3:1 # docid = d7".

A line has the grade, the query, the features by number (from 1, rising; a missing feature is 0) and
a comment.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from irmetrics_edu.errors import InputError
from irmetrics_edu.lab.learning.ranking_data import RankingData
from irmetrics_edu.numbers import Array
from irmetrics_edu.reading.files import File
from irmetrics_edu.reading.records import text_of

_DOCUMENT = re.compile(r"docid\s*=\s*(\S+)")
_MOST_DIGITS = 9
_ANY_TABLE = 2**26  # cells, half a gigabyte: so large a table may be nearly empty
_MOST_EMPTY = 200  # cells for each value that a file gives
_FORM = "write it as '2 qid:10 1:0.5 2:0.25 # docid = d7'"


def read_letor(
    path: str | Path,
    *,
    sizes: str | Path | None = None,
    n_features: int | None = None,
) -> RankingData:
    """Reads a file of LETOR or SVMlight: grade, qid, features, and the document in the comment.

    `sizes` is a file of whole numbers, as in LightGBM: the first query has that many lines, and so
    on. The lines then have no qid, and queries are named by their number, from 1.

    A document without `docid = ...` in its comment is named by the number of its line in the query,
    from 1. `n_features` is the number of features, if the last ones may be 0 throughout. If
    something can't be read, InputError names the file and the line. Only empty lines and comment
    lines are skipped.

    Sources: Joachims (2002), Optimizing search engines using clickthrough data, KDD (SVMlight's
    form); Qin, Liu, Xu & Li (2010), LETOR, Information Retrieval 13.
    """
    file = str(path)
    lines = list(_read(path, sizes))
    if not lines:
        raise InputError(f"{file}: no line holds a document; {_FORM}")
    features = _table(lines, n_features, file)
    try:
        return RankingData(
            features,
            [line.grade for line in lines],
            [line.query for line in lines],
            [line.document for line in lines],
        )
    except InputError as error:
        raise InputError(f"{file}: {error}") from None


class _LetorLine(NamedTuple):
    """A document of the file: the number of its line, and what stands there."""

    number: int
    grade: float
    query: str
    document: str
    features: dict[int, float]


def _read(path: str | Path, sizes: str | Path | None) -> Iterator[_LetorLine]:
    """The documents of a file, line by line."""
    counts = None if sizes is None else _sizes(_lines(sizes), str(sizes))
    query_by_place = _by_place(counts or [])
    in_query: Counter[str] = Counter()
    for number, line in enumerate(_lines(path), 1):
        place = f"{path}, line {number}: "
        body, _, comment = line.partition("#")
        words = body.split()
        if not words:
            continue
        if counts is not None:
            _require_no_query(body, place)
            words.insert(1, next(query_by_place, "qid:0"))
        grade, query = _grade_and_query(words, line, place)
        in_query[query] += 1
        docid = _DOCUMENT.search(comment)
        document = docid[1] if docid else str(in_query[query])
        features = _features(words[2:], place)
        yield _LetorLine(number, grade, query, document, features)
    documents = in_query.total()
    if counts is not None and documents != sum(counts):
        raise InputError(
            f"{path} has {documents} documents, but the sizes of {len(counts)} queries add up to "
            f"{sum(counts)}; give the file of sizes that belongs to it"
        )


def _by_place(sizes: Sequence[int]) -> Iterator[str]:
    """The query of each line, where a file of sizes gives the number of lines of each query."""
    for number, size in enumerate(sizes, 1):
        yield from [f"qid:{number}"] * size


def _require_no_query(body: str, place: str) -> None:
    if "qid:" in body:
        raise InputError(
            f"{place}the line names its query, but sizes= gives it one by its place; leave "
            "out one of them"
        )


def _grade_and_query(
    words: list[str],
    line: str,
    place: str,
) -> tuple[float, str]:
    """The grade and the query that a line begins with."""
    if len(words) < 2 or not words[1].startswith("qid:") or words[1] == "qid:":
        raise InputError(f"{place}{line.strip()!r} names no query; {_FORM}")
    grade = _number(words[0], "grade", place)
    if grade < 0:
        raise InputError(f"{place}grade {words[0]} is negative; give at least 0")
    return grade, words[1].removeprefix("qid:")


def _lines(path: str | Path) -> list[str]:
    return text_of(File(path)).splitlines()


def _sizes(lines: list[str], file: str) -> list[int]:
    sizes = []
    for number, line in enumerate(lines, 1):
        word = line.strip()
        if not word:
            continue
        if not (word.isascii() and word.isdigit() and int(word)):
            raise InputError(
                f"{file}, line {number}: {word!r} is not a number of documents of a query; "
                "write a whole number of at least 1 on each line"
            )
        sizes.append(int(word))
    return sizes


def _number(word: str, what: str, place: str) -> float:
    try:
        value = float(word)
    except ValueError:
        raise InputError(f"{place}{what} {word!r} is not a number; {_FORM}") from None
    if not np.isfinite(value):
        raise InputError(f"{place}{what} {word!r} is not finite; give a finite number")
    return value


def _features(words: list[str], place: str) -> dict[int, float]:
    row: dict[int, float] = {}
    last = 0
    for word in words:
        index, colon, value = word.partition(":")
        if not colon or not index.isascii() or not index.isdigit() or not index.strip("0"):
            raise InputError(f"{place}{word!r} is not a feature with its value; write it as 3:0.5")
        if len(index) > _MOST_DIGITS:
            raise InputError(f"{place}the number of a feature has {len(index)} digits; 9 at most")
        number = int(index)
        if number <= last:
            raise InputError(
                f"{place}feature {number} follows feature {last}; give each number "
                "once, in rising order"
            )
        row[number] = _number(value, f"feature {number}:", place)
        last = number
    return row


def _table(
    lines: Sequence[_LetorLine],
    n: int | None,
    file: str,
) -> Array:
    """The features of all lines, a row for each; 0 where a line does not name a feature."""
    width = max(max(line.features, default=0) for line in lines)
    if n is not None and n < width:
        place = next(line.number for line in lines if max(line.features, default=0) > n)
        raise InputError(
            f"{file}, line {place}: there are {width} features, more than n_features={n}; "
            "give a larger n_features"
        )
    columns = n or width
    if columns > 100_000:
        raise InputError(
            f"{file}: feature {width} makes a table of {width} columns; 100000 at most"
        )
    _refuse_empty_table(lines, columns, file)
    table = np.zeros((len(lines), columns))
    for row, line in enumerate(lines):
        for number, value in line.features.items():
            table[row, number - 1] = value
    return table


def _refuse_empty_table(lines: Sequence[_LetorLine], columns: int, file: str) -> None:
    """Refuse a table of many gigabytes whose cells are nearly all 0."""
    cells = len(lines) * columns
    values = sum(len(line.features) for line in lines)
    if cells > _ANY_TABLE and cells > _MOST_EMPTY * max(1, values):
        raise InputError(
            f"{file}: {len(lines):,} lines of {columns:,} features are a table of {cells:,} cells, "
            f"and the file gives {values:,} of them; number the features that occur from 1 on"
        )
