"""Tables in memory or in Parquet: data frames of any library, Arrow tables and batches."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from irmetrics_edu.checks import ReadingLimits, current, is_whole
from irmetrics_edu.engine.columns import RunColumns, columns, whole_queries
from irmetrics_edu.engine.decimals import decimals
from irmetrics_edu.engine.text import Numbers, Text, ids, padded
from irmetrics_edu.errors import InputError, extra
from irmetrics_edu.numbers import Array, picked
from irmetrics_edu.reading import heads, series
from irmetrics_edu.reading.column_names import OF_RANX, Chosen, chosen
from irmetrics_edu.reading.files import File, Problems
from irmetrics_edu.reading.long_ids import (
    bounded_batches,
    bytes_of,
    lengths_where_shared,
    refuse_long,
    refuse_swollen,
)
from irmetrics_edu.reading.other_formats import about_no_number
from irmetrics_edu.reading.rank_columns import AGAINST_RANKS, gaps_told, run_against
from irmetrics_edu.reading.series import Series, table_of


def is_frame(value: Any) -> bool:
    """Whether the value is a data frame or an Arrow table of any make."""
    if isinstance(value, np.ndarray):
        return False
    kind = type(value)  # asked of a lazy frame itself, the question would have it computed
    return hasattr(kind, "columns") or hasattr(kind, "column_names")


def is_batched(value: Any) -> bool:
    """Whether the value is an Arrow dataset, read a batch at a time."""
    return hasattr(value, "to_batches") and not is_frame(value)


def is_reader(value: Any) -> bool:
    """Whether the value is a reader of Arrow's batches, which gives them once."""
    return hasattr(value, "read_next_batch")


def is_table(value: Any) -> bool:
    """Whether the value holds rows in columns: a frame, a dataset or a reader of batches."""
    return is_frame(value) or is_batched(value) or is_reader(value)


def parts_of(table: Any, where: str) -> Iterator[Any]:
    """A table as frames, one or several."""
    with series.told(f"{where}: it can't be read"):
        yield from (
            table.to_batches() if is_batched(table) else table if is_reader(table) else [table]
        )


def read_all(reader: Any, what: str) -> Any:
    """The table of a reader of Arrow's batches, which gives them once."""
    with series.told(f"{what}: the reader fails"):
        return reader.read_all()


class TableRows:
    """The rows of a table: the line of each, and which are `good`, without a problem."""

    def __init__(
        self,
        names: list[str],
        where: str,
        line: Array,
        problems: Problems,
    ) -> None:
        self.names = names
        self.where = where
        self.line = line
        self.problems = problems
        self.good = np.ones(len(line), dtype=bool)

    def refuse(
        self,
        i: int,
        shown: str,
        wrong: str,
    ) -> None:
        """Note the first problem of a row, and leave the row out."""
        if self.good[i]:
            self.problems.add(int(self.line[i]), shown, wrong)
        self.good[i] = False


class FrameRows(TableRows):
    """The rows of a data frame, counted from `first` on."""

    def __init__(
        self, frame: Any, problems: Problems, first: int = 1, limits: ReadingLimits | None = None
    ) -> None:
        self._table = table_of(frame, problems.file)
        self._limits = current() if limits is None else limits
        line = np.arange(first, first + len(self._table))
        super().__init__(self._table.names, problems.file, line, problems)

    def ids(self, name: str) -> Text:
        """The ids of a column: text, or whole numbers throughout."""
        column = self._table[name]
        what = f"{name} id"
        wholes = column.integers() if column.kind == series.WHOLE else None
        if wholes is not None:
            return Numbers.of(wholes, what)
        place = f"{self.where}, column {name!r}"
        held = column.held()
        letters = lengths_where_shared(held)
        if letters is not None:
            refuse_long(letters, place, self.line, self._limits)
            refuse_swollen(int(letters.sum()), bytes_of(held), place, self._limits)
        text = _of_arrow(column)
        if text is not None:
            refuse_long(text.length, place, self.line, self._limits)
            return text
        values, whole = _whole_again(column.tolist())
        if not whole:
            sizes = [len(v) if isinstance(v, (str, bytes)) else 0 for v in values]
            refuse_long(np.array(sizes), place, self.line, self._limits)
        for i, value in enumerate(values):
            if wrong := _no_id(name, value, whole=whole):
                values[i] = 0 if whole else "?"
                self.refuse(i, _shown(value), wrong)
        return ids(values, what)

    def numbers(self, name: str, *, run: bool) -> Array:
        """Finite numbers; others are problems. Grades may be truth values, scores may not."""
        column = self._table[name]
        kind, objects = column.kind, None
        if kind in (series.WHOLE, series.NUMBER) or (kind == series.BOOLEAN and not run):
            values = column.floats()
        elif kind == series.OTHER:
            objects = column.tolist()
            values = np.array([_number(value, run=run) for value in objects], dtype=np.float64)
        else:
            raise InputError(f"{self.where}: column {name!r} holds {column.written}, not numbers")
        for i in np.flatnonzero(~np.isfinite(values)).tolist():
            shown = str(values[i]) if objects is None else _shown(objects[i])
            letter = "" if objects is None else about_no_number(objects[i])
            self.refuse(i, shown, f"{name} {shown} is not a finite number{letter}")
        if not run and set(self.names) == OF_RANX and (values % 1 != 0).any():
            raise InputError(
                f"{self.where}: column {name!r} holds fractions, so this is a run of ranx; give "
                "its judgments here"
            )
        return values

    def is_numeric(self, name: str) -> bool:
        """Whether a column may hold scores."""
        return _may_be_scores(self._table[name])

    def names_of_lists(self) -> list[str]:
        """The columns whose first cell holds a list."""
        lists: list[str] = []
        for name in self.names:
            column = self._table[name]
            cells = column.tolist() if column.kind == series.OTHER else []
            if cells and isinstance(cells[0], (list, tuple, np.ndarray)):
                lists.append(name)
        return lists

    def refuse_row_as_names(self) -> None:
        """Refuse a frame whose first row became the names, which a caller then gives roles."""
        if set(self.problems.asked) & set(self.names) and self._table.named_by_text:
            heads.refuse_row_as_names(self.names, self._table.first(heads.LOOKED_AT), self.where)


def rows_of(
    parts: Iterable[Any], problems: Problems, limits: ReadingLimits | None = None
) -> Iterator[FrameRows]:
    """The rows of frames, one after the other."""
    first = 1
    for frame in parts:
        rows = FrameRows(frame, problems, first, limits)
        rows.refuse_row_as_names()
        yield rows
        first += len(rows.line)


def read_as(rows: Any, *, run: bool) -> Chosen:
    """The columns to read of the rows of a frame or a file."""
    problems, is_numeric = rows.problems, rows.is_numeric
    try:
        names = chosen(
            rows.names,
            rows.where,
            run=run,
            is_numeric=is_numeric,
            asked=problems.asked,
        )
    except InputError:
        if isinstance(rows, FrameRows):
            refuse_lists(rows.names_of_lists(), rows.where)
        raise
    problems.columns = names.read(run=run)
    return names


def columns_of(
    rows: Any,
    names: Chosen,
    *,
    run: bool,
) -> RunColumns:
    """Columns of the good rows; without scores, the lower a rank the higher the document."""
    query = rows.ids(names.query)
    document = rows.ids(names.document)
    value, rank = (
        None if name is None else rows.numbers(name, run=run) for name in (names.value, names.rank)
    )
    if value is None and rank is not None:
        value = -rank
    good = rows.good
    line = rows.line
    if not good.all():
        value, rank = picked(value, good), picked(rank, good)
        query, document, line = query.take(good), document.take(good), line[good]
    run_columns = columns(query, document, value, line, rank)
    if rank is not None and value is not None and run_against(run_columns.query, rank, value):
        rows.problems.told[AGAINST_RANKS] = 1
    return run_columns


def of_frame(
    frame: Any,
    problems: Problems,
    *,
    run: bool,
) -> RunColumns:
    """The columns of a data frame."""
    rows = FrameRows(frame, problems)
    rows.refuse_row_as_names()
    columns_of_frame = columns_of(rows, read_as(rows, run=run), run=run)
    [looked_at] = gaps_told([columns_of_frame], problems)
    return looked_at


def refuse_lists(names: list[str], where: str) -> None:
    """Refuse columns of lists, which hold all documents of a query, or all their scores."""
    if names:
        listed = ", ".join(map(repr, names))
        raise InputError(
            f"{where}: a list in each row of {listed}; write a row for each document: "
            f"frame.explode({names!r}) with pandas or polars"
        )


def _may_be_scores(column: Series) -> bool:
    """Whether a column holds numbers throughout, written as text or not."""
    if column.kind in (series.WHOLE, series.NUMBER):
        return True
    if column.kind == series.BOOLEAN:
        return False
    values = [value for value in column.tolist() if not series.is_missing(value)]
    if values and all(isinstance(value, str) for value in values):
        return mostly_numbers(values)
    return bool(values) and bool(np.isfinite([series.as_float(v) for v in values]).all())


def mostly_numbers(values: Iterable[str]) -> bool:
    """Whether more than half of these texts write a number; blank texts don't count.

    A score that is missing or too large for a float does not make the column one of ids.
    """
    written = [value.strip() for value in values if value.strip()]
    try:
        return 2 * int(decimals(Text.of(written))[1].sum()) > len(written)
    except InputError:
        return False


def of_batches(
    batches: Iterable[Any], problems: Problems, *, run: bool, limits: ReadingLimits | None = None
) -> Iterator[RunColumns]:
    """Whole queries from batches of rows, some at a time."""
    each = rows_of(batches, problems, limits)
    parts = ((columns_of(r, read_as(r, run=run), run=run), True) for r in each)
    return gaps_told(whole_queries(parts), problems)


def of_parquet(
    file: File,
    problems: Problems,
    *,
    run: bool,
) -> Iterator[RunColumns]:
    """Whole queries from a Parquet file, some at a time."""

    def wanted(names: list[str]) -> list[str]:
        # Without a column of scores others have to be looked at, to tell whether they hold them.
        of_roles = chosen(
            names,
            str(file),
            run=run,
            asked=problems.asked,
        )
        return names if run and of_roles.value is of_roles.rank is None else of_roles.places

    return of_batches(
        batches_of(file, wanted),
        problems,
        run=run,
        limits=file.limits,
    )


_LISTS = ("list<", "large_list<", "fixed_size_list<")  # as Arrow writes these types


def batches_of(file: File, wanted: Callable[[list[str]], list[str]]) -> Iterator[Any]:
    """Some columns of a Parquet file, a batch of rows at a time."""
    pq = extra("pyarrow.parquet", what=f"{file}: reading Parquet")
    with (
        series.told(f"{file} is not a Parquet file that can be read"),
        file.bare() as stream,
        pq.ParquetFile(stream) as table,
    ):
        schema = table.schema_arrow
        try:
            names = wanted(list(schema.names))
        except InputError:
            lists = [field.name for field in schema if str(field.type).startswith(_LISTS)]
            refuse_lists(lists, str(file))
            raise
        yield from bounded_batches(table, names, file, stream)


def _whole_again(values: list[Any]) -> tuple[list[Any], bool]:
    """Whole numbers, which a table holds as 1.0 where a row has none, and None for such a row.

    Beside them stands whether they are so; otherwise the values are as they were.
    """
    missing = [series.is_missing(value) for value in values]
    if all(missing) or not any(missing):
        return values, bool(values) and all(map(is_whole, values))
    restored: list[Any] = []
    for value, is_gap in zip(values, missing, strict=True):
        is_one = is_gap or is_whole(value) or (isinstance(value, float) and value.is_integer())
        if not is_one:
            return values, False
        restored.append(None if is_gap else int(value))
    return restored, True


def _no_id(
    name: str,
    value: Any,
    *,
    whole: bool,
) -> str:
    """Why a value is no id; "" if it is one, which a whole number is in a column of them."""
    if isinstance(value, bytes) or (isinstance(value, str) and value):
        return _no_text_id(name, value)
    if isinstance(value, (list, tuple, np.ndarray)):
        wrong = f"{name} {value!a:.60} is not an id but a list"
        return f"{wrong}; write a row for each document: frame.explode({name!r})"
    if whole or (is_whole(value) and _no_whole_id(name, value)):
        return _no_whole_id(name, value)
    if isinstance(value, float) and value.is_integer():
        return f"{name} {value} is not an id, as it has a point; give text or whole numbers"
    return f"{name} {value!a} is not an id; expected text (or whole numbers in the whole column)"


def _no_text_id(name: str, value: str | bytes) -> str:
    """Why a text is no id; "" if it is one."""
    if isinstance(value, bytes) or not _utf8(value):
        return f"{name} {_shown(value)} is not text in UTF-8"
    if value == value.strip():
        return ""
    return f"{name} {value!r} has blanks around it; trim it"


def _no_whole_id(name: str, value: int | None) -> str:
    """Why a value is no id in a column of whole numbers; "" if it is one."""
    if value is None:
        return f"{name} is missing; the other rows have whole numbers: give it, or drop the row"
    if -(2**63) <= value < 2**63:
        return ""
    return f"{name} {value} is a whole number too large for 64 bits; write the column as text"


def _shown(value: Any) -> str:
    return value if isinstance(value, str) and _utf8(value) else ascii(value)


def _utf8(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _of_arrow(column: Series) -> Text | None:
    """A column of text over Arrow's own bytes; None where some of it needs a closer look."""
    if column.kind != series.TEXT:
        return None
    chunked = column.arrow
    if chunked is None or not series.is_text(chunked.type):
        return None
    import pyarrow as pa  # type: ignore[import-untyped]

    array = chunked.combine_chunks() if isinstance(chunked, pa.ChunkedArray) else chunked
    if isinstance(array, pa.ChunkedArray):
        return None
    try:
        array = array.cast(pa.large_string())
    except pa.ArrowException:
        return None
    if array.null_count or not len(array):
        return None
    _, offsets, data = array.buffers()
    bounds = np.frombuffer(offsets, np.int64, len(array) + 1 + array.offset)[array.offset :]
    raw = np.zeros(0, np.uint8) if data is None else np.frombuffer(data, np.uint8)
    begin = int(bounds[0])
    buffer = padded(raw[begin : int(bounds[-1])])
    text = Text(buffer, bounds[:-1] - begin, np.diff(bounds))
    return text if _are_plain_ids(text, buffer) else None


def _are_plain_ids(text: Text, buffer: Array) -> bool:
    """Whether none is empty, and none begins or ends with what may be a blank."""
    if (text.length == 0).any() or not text.is_utf8():
        return False
    last = text.start + text.length - 1
    edges = np.concatenate([buffer[text.start], buffer[last]])
    # a blank at an edge, or a byte that may be part of a wider blank
    may_be_blank = (edges <= 32) | (edges >= 128)
    return not bool(may_be_blank.any())


def _number(value: Any, *, run: bool) -> float:
    is_truth = isinstance(value, (bool, np.bool_))
    return float(value) if is_truth and not run else series.as_float(value)
