r"""Files of LETOR and SVMlight: a line per document, "2 qid:10 1:0.5 3:1 # docid = d7".

A line has the grade, the query, the features by number (from 1, rising; a missing feature is 0) and
a comment.
"""

import re
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

from irmetrics_edu.errors import InputError
from irmetrics_edu.lab.learning.ranking_data import RankingData
from irmetrics_edu.reading.files import File
from irmetrics_edu.reading.records import text_of

_DOCUMENT = re.compile(r"docid\s*=\s*(\S+)")
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
    lines = _lines(path)
    counts = None if sizes is None else _sizes(_lines(sizes), str(sizes))
    by_place = (f"qid:{q}" for q, size in enumerate(counts or (), 1) for _ in range(size))
    rows: list[dict[int, float]] = []
    grades: list[float] = []
    query: list[str] = []
    document: list[str] = []
    where: list[int] = []
    in_query: Counter[str] = Counter()
    for number, line in enumerate(lines, 1):
        place = f"{file}, line {number}: "
        body, _, comment = line.partition("#")
        words = body.split()
        if not words:
            continue
        if counts is not None:
            if "qid:" in body:
                raise InputError(
                    f"{place}the line names its query, but sizes= gives it one by its place; leave "
                    "out one of them"
                )
            words.insert(1, next(by_place, "qid:0"))
        if len(words) < 2 or not words[1].startswith("qid:") or words[1] == "qid:":
            raise InputError(f"{place}{line.strip()!r} names no query; {_FORM}")
        grades.append(_number(words[0], "grade", place))
        if grades[-1] < 0:
            raise InputError(f"{place}grade {words[0]} is negative; give at least 0")
        query.append(words[1].removeprefix("qid:"))
        in_query[query[-1]] += 1
        said = _DOCUMENT.search(comment)
        document.append(said[1] if said else str(in_query[query[-1]]))
        rows.append(_features(words[2:], place))
        where.append(number)
    if counts is not None and len(rows) != sum(counts):
        raise InputError(
            f"{file} has {len(rows)} documents, but the sizes of {len(counts)} queries add up to "
            f"{sum(counts)}; give the file of sizes that belongs to it"
        )
    if not rows:
        raise InputError(f"{file}: no line holds a document; {_FORM}")
    features = _table(rows, n_features, file, where)
    try:
        return RankingData(features, grades, query, document)
    except InputError as error:
        raise InputError(f"{file}: {error}") from None


def _lines(path: str | Path) -> list[str]:
    return text_of(File(path)).splitlines()


def _sizes(lines: list[str], file: str) -> list[int]:
    out = []
    for number, line in enumerate(lines, 1):
        word = line.strip()
        if not word:
            continue
        if not (word.isascii() and word.isdigit() and int(word)):
            raise InputError(
                f"{file}, line {number}: {word!r} is not a number of documents of a query; "
                "write a whole number of at least 1 on each line"
            )
        out.append(int(word))
    return out


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
    for word in words:
        index, colon, value = word.partition(":")
        if not colon or not index.isascii() or not index.isdigit() or int(index) < 1:
            raise InputError(f"{place}{word!r} is not a feature with its value; write it as 3:0.5")
        if row and int(index) <= max(row):
            raise InputError(
                f"{place}feature {int(index)} follows feature {max(row)}; give each number "
                "once, in rising order"
            )
        row[int(index)] = _number(value, f"feature {int(index)}:", place)
    return row


def _table(
    rows: list[dict[int, float]],
    n: int | None,
    file: str,
    where: list[int],
) -> Any:
    width = max(max(row, default=0) for row in rows)
    if n is not None and n < width:
        place = next(number for row, number in zip(rows, where, strict=True) if max(row) > n)
        raise InputError(
            f"{file}, line {place}: there are {width} features, more than n_features={n}; "
            "give a larger n_features"
        )
    if (n or width) > 100_000:
        raise InputError(
            f"{file}: feature {width} makes a table of {width} columns; 100000 at most"
        )
    table = np.zeros((len(rows), n or width))
    for i, row in enumerate(rows):
        table[i, [j - 1 for j in row]] = list(row.values())
    return table
