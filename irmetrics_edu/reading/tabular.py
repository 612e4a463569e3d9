"""CSV and TSV, with or without a line of names, and JSON."""

import csv
import io
import itertools
import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from irmetrics_edu import checks
from irmetrics_edu.checks import at
from irmetrics_edu.engine.columns import RunColumns, whole_queries
from irmetrics_edu.engine.decimals import decimals
from irmetrics_edu.engine.run import Run
from irmetrics_edu.engine.text import Text
from irmetrics_edu.errors import LONGER_LINES, Avoidable, InputError
from irmetrics_edu.numbers import Array
from irmetrics_edu.reading import files, json_shapes
from irmetrics_edu.reading.column_names import Chosen
from irmetrics_edu.reading.files import File, Problems
from irmetrics_edu.reading.frames import TableRows, columns_of, mostly_numbers, read_as
from irmetrics_edu.reading.heads import (
    LOOKED_AT,
    Use,
    are_numbered,
    by_position,
    names_columns,
)
from irmetrics_edu.reading.other_formats import about_no_number
from irmetrics_edu.reading.rank_columns import gaps_told, told_of_hits
from irmetrics_edu.reading.records import each_key_once, objects, text_of

_MTEB = "mteb_model_meta"  # what the predictions of MTEB hold besides
_BATCH = 1 << 16  # rows at a time


def of_csv(
    file: File,
    problems: Problems,
    separator: str,
    *,
    run: bool,
) -> Iterator[RunColumns]:
    """Whole queries from a file of separated values, some at a time."""

    def parts() -> Iterator[tuple[RunColumns, bool]]:
        names: Chosen | None = None
        for rows in rows_of(file, problems, separator, Use.of(run=run)):
            if names is None:
                names = read_as(rows, run=run)  # the first rows tell which columns are numbers
                rows.refuse_head_alone()
            yield columns_of(rows, names, run=run), True

    return gaps_told(whole_queries(parts()), problems)


def rows_of(
    file: File,
    problems: Problems,
    separator: str,
    table: Use,
) -> Iterator["CsvRows"]:
    """The rows of a file of separated values below the line of names, some at a time.

    Where no line names the columns, they are called by their places, and `problems` says so.
    """
    with files.opened(file) as stream:
        raw = io.BufferedReader(_Checked(stream, file))
        text = io.TextIOWrapper(
            raw,
            encoding="utf-8-sig",
            newline="",
        )
        rows = csv.reader(
            text,
            delimiter=separator,
            strict=True,
        )
        line = 1
        try:
            header = next(filter(None, rows), [])  # a blank line is no row
            problems.check(any_good=bool(header), expected="a header that names its columns")
            first = rows.line_num
            where = f"{file}, line {first}"
            batch, line = _first_rows(rows)
            if not _names_columns(header, batch, problems, where):
                blank: list[list[str]] = [[]] * (line - first - 1)
                batch, line = [header, *blank, *batch], first - _ends_within(header)
                header = _called_by_place(batch, problems, where, table)
            yield CsvRows(header, batch, line, where, problems, last=rows.line_num)
            while batch:
                line = rows.line_num + 1
                batch = list(itertools.islice(rows, _BATCH))
                yield CsvRows(header, batch, line, where, problems, last=rows.line_num)
        except (csv.Error, UnicodeDecodeError, ValueError) as error:
            if isinstance(error, InputError):
                raise
            raise InputError(
                f"{file}, line {max(line, rows.line_num)} or soon after: {error}; "
                f"expected text in UTF-8, values separated by {separator!r}"
            ) from None


def _first_rows(rows: Any) -> tuple[list[list[str]], int]:
    """The first batch that is not blank lines alone, and the line that it begins on."""
    while True:
        line = rows.line_num + 1
        batch = list(itertools.islice(rows, _BATCH))
        if any(batch) or not batch:
            return batch, line


def _names_columns(
    header: list[str],
    below: list[list[str]],
    problems: Problems,
    where: str,
) -> bool:
    """Whether the first line names the columns; refused if nobody can tell."""
    if are_numbered(header):
        if set(header) <= set(problems.asked):
            return True
        raise InputError(
            f"{where}: {','.join(header)!r} may number the columns, as pandas does, or be a row; "
            "write a line of names, such as query,document,score, in its place or above it"
        )
    return names_columns(header, below[:LOOKED_AT])


def _called_by_place(
    rows: list[list[str]],
    problems: Problems,
    where: str,
    table: Use,
) -> list[str]:
    """The places of the columns as names; their roles are added to those that are asked for."""
    written = [row for row in rows if row]
    problems.asked = by_position(written, where, table, problems.asked)
    problems.unnamed = True
    return [str(i + 1) for i in range(len(rows[0]))]


class _Checked(io.RawIOBase):
    """A stream whose broken archives are told by their file."""

    def __init__(self, stream: Any, file: File) -> None:
        self._stream = stream
        self._file = file
        self._most = file.limits.max_line
        self._since, self._lines = 0, 0  # the last end of a line, and how many there were

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        raw = files.read(self._stream, len(buffer), self._file)
        buffer[: len(raw)] = raw
        end = max(raw.rfind(b"\n"), raw.rfind(b"\r")) + 1
        self._since = len(raw) - end + (0 if end else self._since)
        self._lines += raw.count(b"\n") or raw.count(b"\r")
        if self._since > self._most:
            wrong = f"{self._file}, line {self._lines + 1}: longer than {self._most:,} bytes"
            raise Avoidable(wrong, LONGER_LINES)
        return len(raw)


_TRUTHS = {"True": 1.0, "False": 0.0}


def _ends_within(row: list[str]) -> int:
    """How many ends of lines are within the quoted values of a row."""
    return sum(len(_END.findall(value)) for value in row)


_END = re.compile(r"\r\n|\r|\n")


def _lines_of(batch: list[list[str]], first: int, last: int | None) -> Array:
    """The line on which each row begins: the next one, unless a quoted value has more lines."""
    lines = np.arange(first, first + len(batch))
    if last is None or last - first + 1 == len(batch):
        return lines
    more = np.array([_ends_within(row) for row in batch[:-1]], dtype=np.intp)
    lines[1:] += np.cumsum(more)
    return lines


class CsvRows(TableRows):
    """Rows of a file, the first on line `first`, the last ending on line `last` if that is known.

    A row may go over several lines, if a quoted value does.
    """

    def __init__(
        self,
        header: list[str],
        batch: list[list[str]],
        first: int,
        where: str,
        problems: Problems,
        last: int | None = None,
    ) -> None:
        line = _lines_of(batch, first, last)
        if set(map(len, batch)) != {len(header)}:
            fit = [len(row) == len(header) for row in batch]
            for row, fits, number in zip(batch, fit, line.tolist(), strict=True):
                if not fits and row:  # a blank line is no row
                    wrong = f"{len(row)} values; expected {len(header)}: {header}"
                    problems.add(number, ",".join(row), wrong)
            batch, line = list(itertools.compress(batch, fit)), line[np.array(fit, dtype=bool)]
        columns = list(zip(*batch, strict=True)) or [()] * len(header)
        self._batch = batch
        self._columns = dict(zip(header, columns, strict=True))
        super().__init__(header, where, line, problems)

    def refuse_head_alone(self) -> None:
        """Refuse a file that names its columns and has nothing below."""
        if not self._batch and not self.problems.count:
            raise InputError(
                f"{self.where}: it names the columns ({', '.join(self._columns)}), and no line "
                "follows; expected at least one"
            )

    def ids(self, name: str) -> Text:
        """The ids of a column."""
        values = self._columns[name]
        bare = tuple(map(str.strip, values))
        if bare != values or not all(bare):
            for i, (value, trimmed) in enumerate(zip(values, bare, strict=True)):
                if value != trimmed or not trimmed:
                    wrong = "has blanks around it; trim it" if trimmed else "is not an id"
                    self.refuse(i, value, f"{name} {value!r} {wrong}")
        return Text.of(values)

    def numbers(self, name: str, *, run: bool) -> Array:
        """The numbers of a column; grades may be truth values, as pandas writes them."""
        column = Text.of(self._columns[name])
        numbers, finite = decimals(column)
        if not run and not finite.all() and set(self._columns[name]) <= _TRUTHS.keys():
            return np.array([_TRUTHS[value] for value in self._columns[name]])
        for i in np.flatnonzero(~finite).tolist():
            wrong = f"{name} {column[i]!r} is not a finite number{about_no_number(column[i])}"
            self.refuse(i, ",".join(self._batch[i]), wrong)
        return numbers

    def is_numeric(self, name: str) -> bool:
        """Whether a column may hold scores."""
        return mostly_numbers(self._columns[name])


_EXPECTED = 'expected {"query": {"document": number}} or {"query": ["document", ...]}'


def of_json(file: File, expected: str = _EXPECTED) -> dict[str, Any]:
    """The object of a JSON file: query -> document -> number, or query -> documents."""
    value = _value_of(file, expected)
    if not isinstance(value, dict):
        raise InputError(f"{file}, line 1: a {type(value).__name__}; {expected}")
    return value


def _value_of(file: File, expected: str) -> Any:
    """What a JSON file holds."""
    try:
        return json.loads(text_of(file), **_HOOKS)
    except json.JSONDecodeError as error:
        raise InputError(f"{file}, line {error.lineno}: {error.msg}; expected JSON") from None
    except MemoryError:
        raise InputError(
            f"{file}: JSON is read whole, and there is too little memory for it; write it as a "
            "TREC file or as Parquet, which are read in parts"
        ) from None
    except RecursionError:
        raise InputError(f"{file}, line 1: nested too deeply; {expected}") from None
    except InputError as error:
        raise InputError(f"{file}: {error}") from None


def _of_records(file: File, *, run: bool) -> Mapping[Any, Any] | dict[str, Any]:
    """The object of a JSON file, or what a list of objects holds: each a hit, or a query's hits."""
    value = _value_of(file, _EXPECTED)
    is_list_of_objects = isinstance(value, list) and all(isinstance(one, dict) for one in value)
    if is_list_of_objects and value:
        return _of_rows(list(enumerate(value, 1)), file, run=run)
    if not isinstance(value, dict):
        raise InputError(f"{file}, line 1: a {type(value).__name__}; {_EXPECTED}")
    rows = json_shapes.rows_of_frame(value)
    if rows:
        return _of_rows(list(enumerate(rows, 1)), file, run=run)
    return value


def of_json_run(file: File) -> Mapping[Any, Any]:
    """The object of a JSON file, if each of its values is a ranking, judged or not."""
    run = _of_records(file, run=True)
    if isinstance(run, Run):
        return run
    if _MTEB in run:
        run = _of_mteb(run, file)
    return _checked_run(run, file)


def _checked_run(held: Mapping[Any, Any], file: File) -> dict[Any, Any]:
    """Queries with their rankings, if each is one: an object or a list of documents."""
    run = json_shapes.plain(held, file, run=True)
    for query, ranking in run.items():
        where = f"{file}: {at(query)}"
        if isinstance(ranking, dict):
            values = ranking.values()
            if not set(map(type, values)) <= {int, float} or not all(map(math.isfinite, values)):
                for document, score in ranking.items():
                    checks.score(score, f"{file}: {at(query, document)}")
        elif isinstance(ranking, list):
            if not set(map(type, ranking)) <= {str} or len(set(ranking)) < len(ranking):
                checks.ids(ranking, query)
                checks.one_kind(ranking, "document", where)
        else:
            raise InputError(f"{where}{ranking!r} is not a ranking; {_EXPECTED}")
    return run


def of_json_judgments(file: File) -> dict[str, Any]:
    """The judgments of a JSON file: query -> document -> grade, or query -> documents."""
    return json_shapes.plain(_of_records(file, run=False), file, run=False)


def _of_mteb(held: Mapping[str, Any], file: File) -> dict[str, Any]:
    """The one run of the predictions that MTEB saves: subset -> split -> run."""
    runs = {
        f"{subset}, {split}": run
        for subset, splits in held.items()
        if subset != _MTEB
        for split, run in splits.items()
    }
    run = next(iter(runs.values()), None)
    if len(runs) != 1 or not isinstance(run, dict):
        raise InputError(
            f"{file}: predictions of MTEB with {len(runs)} runs ({'; '.join(runs)}); load the file "
            "as JSON, and give predictions[subset][split] of a retrieval task"
        )
    return run


def of_jsonl(file: File, *, run: bool) -> Mapping[Any, Any]:
    """The run or the judgments of a file with an object in each line.

    A line is a hit, {"query": "q1", "document": "d1", "score": 0.9}, or all hits of a query, as
    evaluators of sentence-transformers write them: {"query_id": "q1", "results": [{"corpus_id":
    "d1", "score": 0.9}, ...]}. The list may have another name, and hold ids or pairs.
    """
    return _of_rows(list(objects(file)), file, run=run)


def _of_rows(
    rows: list[tuple[int, dict[str, Any]]],
    file: File,
    *,
    run: bool,
) -> Mapping[Any, Any]:
    """The run or the judgments of objects, each with its line."""
    of_queries = json_shapes.of_lists(rows, file)
    if of_queries is not None:
        return _checked_run(of_queries, file) if run else of_queries
    if rows and "results" not in rows[0][1]:
        held = json_shapes.of_hits(rows, file, run=run)
        if not run:
            return held
        ranked = Run(held)
        ranked.told += told_of_hits(json_shapes.ranks_and_scores(rows))
        return ranked
    if not run:
        raise InputError(
            f"{file}: rankings, and judgments are asked for; give a line for each judgment: "
            '{"query": "q1", "document": "d1", "grade": 1}'
        )
    return _of_results(rows, file)


def _of_results(
    rows: Iterable[tuple[int, Mapping[str, Any]]],
    file: File,
) -> dict[Any, Any]:
    """The run of lines that have all hits of a query."""
    run: dict[Any, Any] = {}
    for line, row in rows:
        place = f"{file}, line {line}: "
        query = json_shapes.query_of(row)
        results = row.get("results")
        if query is None or not isinstance(results, list):
            keys = ", ".join(map(repr, row)) or "nothing"
            raise InputError(f"{place}there are {keys}; expected 'query_id' and 'results'")
        if query in run:
            raise InputError(f"{place}{at(query)}a line above ranks it, too; give it once")
        run[query] = _ranking_of(results, query, place)
    if not run:
        raise InputError(f"{file}: it is empty; expected at least one line")
    return run


def _ranking_of(
    results: list[Any],
    query: Any,
    place: str,
) -> Any:
    """The scores of a query's hits, or its documents in ranked order if these are ids alone."""
    if results and all(isinstance(hit, (str, int)) for hit in results):
        return checks.ids(results, query)
    scores: dict[Any, float] = {}
    for hit in results:
        names = json_shapes.names_of_hit(hit)
        if names is None:
            raise InputError(
                f"{place}{at(query)}{hit!r:.80} is no result; expected 'corpus_id' and 'score'"
            )
        document = hit[names[0]]
        if document in scores:
            raise InputError(f"{place}{at(query, document)}ranked twice; give it once")
        scores[document] = checks.score(hit[names[1]], place + at(query, document))
    return scores


def _no_number(name: str) -> Any:
    raise InputError(f"{name} is not a finite number")


def _whole(digits: str) -> int | float:
    return int(digits) if len(digits) < 300 else float(digits)


_HOOKS: dict[str, Any] = {
    "object_pairs_hook": each_key_once,
    "parse_constant": _no_number,
    "parse_int": _whole,
}
