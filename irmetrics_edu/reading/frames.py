"""Tables that are in memory or in Parquet: data frames of any make, Arrow tables and batches."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from irmetrics_edu.errors import InputError
from irmetrics_edu.numbers import Array
from irmetrics_edu.reading.columns import Columns, columns, whole_queries
from irmetrics_edu.reading.problems import Problems
from irmetrics_edu.reading.text import Numbers, Text, ids

# What the columns of a run or of judgments are called, in the order of preference.
QUERY = ("query", "query_id", "qid", "q_id", "topic", "user", "user_id")
DOCUMENT = ("document", "doc_id", "docid", "docno", "doc", "document_id", "item", "item_id")
SCORE = ("score", "sim", "prediction")
RANK = ("rank",)
SUBTOPIC = ("subtopic", "subtopic_id", "intent", "nugget", "aspect")
GRADE = ("grade", "relevance", "rel", "label", "rating")
_BATCH = 1 << 18  # rows at a time


def column(names: Sequence[str], known: Sequence[str], what: str, where: str) -> str:
    """The column that is called by one of the known names; an error lists them."""
    lower = {name.strip().lower(): name for name in reversed(names)}
    for name in known:
        if name in lower:
            return lower[name]
    raise InputError(
        f"{where}: no column of the {what}: call it {known[0]!r} (or {', '.join(known[1:])}); "
        f"there are {', '.join(map(repr, names))}"
    )


def value_column(names: Sequence[str], *, run: bool) -> tuple[str, bool] | None:
    """The column of scores or grades, and whether it counts ranks; None where there is none."""
    lower = {name.strip().lower(): name for name in reversed(names)}
    for known, ranks in ((SCORE, False), (RANK, True)) if run else ((GRADE, False),):
        for name in known:
            if name in lower:
                return lower[name], ranks
    return None


def is_frame(value: Any) -> bool:
    """Whether the value is a data frame or an Arrow table of any make."""
    if isinstance(value, np.ndarray):
        return False
    kind = type(value)  # asked of a lazy frame itself, the question would have it computed
    return hasattr(kind, "columns") or hasattr(kind, "column_names")


def is_batched(value: Any) -> bool:
    """Whether the value is an Arrow dataset or a reader of batches, read a batch at a time."""
    return (hasattr(value, "to_batches") and not is_frame(value)) or hasattr(
        value, "read_next_batch"
    )


def of_frame(frame: Any, problems: Problems, *, run: bool, first: int = 1) -> Columns:
    """The columns of a data frame; rows are counted from `first` on."""
    try:
        import narwhals as nw
    except ImportError:
        raise InputError(
            "to read data frames, install the extra: pip install 'irmetrics-edu[frames]'"
        ) from None
    try:
        native = nw.from_native(frame)
    except TypeError as error:
        raise InputError(
            f"{type(frame).__name__} is no data frame that can be read: {error}"
        ) from None
    table = native.collect() if isinstance(native, nw.LazyFrame) else native
    names = [str(name) for name in table.columns]
    where = problems.file
    query = column(names, QUERY, "query", where)
    document = column(names, DOCUMENT, "document", where)
    value = value_column(names, run=run)
    if value is None and not run:
        column(names, GRADE, "grade", where)
    good = np.ones(len(table), dtype=bool)
    line = np.arange(first, first + len(table))
    query_ids = ids_of(table[query], line, good, problems)
    document_ids = ids_of(table[document], line, good, problems)
    numbers = None
    if value is not None:
        numbers = numbers_of(table[value[0]], line, good, problems)
        numbers = -numbers if value[1] else numbers
    return made(query_ids, document_ids, numbers, line, good)


def made(query: Text, document: Text, value: Array | None, line: Array, good: Array) -> Columns:
    """Columns of the good rows."""
    if good.all():
        return columns(query, document, value, line)
    value = None if value is None else value[good]
    return columns(query.take(good), document.take(good), value, line[good])


def of_batches(batches: Iterable[Any], problems: Problems, *, run: bool) -> Iterator[Columns]:
    """Whole queries from batches of rows, some at a time."""

    def parts() -> Iterator[Columns]:
        first = 1
        for batch in batches:
            table = _table(batch)
            yield of_frame(table, problems, run=run, first=first)
            first += len(table)

    return whole_queries(parts())


def _table(batch: Any) -> Any:
    """A record batch as a table; a frame as it is."""
    import pyarrow as pa  # type: ignore[import-untyped]

    return pa.Table.from_batches([batch]) if isinstance(batch, pa.RecordBatch) else batch


def of_parquet(path: Path, problems: Problems, *, run: bool) -> Iterator[Columns]:
    """Whole queries from a Parquet file, some at a time."""
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq  # type: ignore[import-untyped]
    except ImportError:
        raise InputError(
            f"{path}: to read Parquet, install the extra: pip install 'irmetrics-edu[parquet]'"
        ) from None
    try:
        with pq.ParquetFile(path) as file:
            names = file.schema_arrow.names
            wanted = [column(names, QUERY, "query", str(path))]
            wanted.append(column(names, DOCUMENT, "document", str(path)))
            value = value_column(names, run=run)
            wanted += [] if value is None else [value[0]]
            yield from of_batches(
                file.iter_batches(batch_size=_BATCH, columns=wanted), problems, run=run
            )
    except (pa.ArrowInvalid, pa.ArrowException, OSError) as error:
        raise InputError(f"{path}: not a Parquet file that can be read: {error}") from None


def ids_of(series: Any, line: Array, good: Array, problems: Problems) -> Text:
    """The ids of a column: text, or whole numbers."""
    if series.dtype.is_integer() and not series.is_null().any():
        return Numbers.of(series.to_numpy(), f"{series.name} id")
    text = _of_arrow(series)
    if text is not None:
        return text
    values = series.to_list()
    for i, value in enumerate(values):
        if not isinstance(value, str) or not value or value != value.strip():
            values[i] = "?"
            if good[i]:
                _tell(int(line[i]), value, series.name, problems)
            good[i] = False
    return ids(values, f"{series.name} id")


def _tell(line: int, value: Any, name: str, problems: Problems) -> None:
    blank = isinstance(value, str) and bool(value)
    problems.add(
        line,
        str(value),
        f"{name} {value!r} has blanks around it; trim it"
        if blank
        else f"{name} {value!r} is no id; expected text (or whole numbers in the whole column)",
    )


def _of_arrow(series: Any) -> Text | None:
    """A column of text over Arrow's own bytes; None where some of it needs a closer look."""
    try:
        import pyarrow as pa

        chunked = series.to_arrow()
    except ImportError:
        return None
    array = chunked.combine_chunks() if isinstance(chunked, pa.ChunkedArray) else chunked
    if isinstance(array, pa.ChunkedArray):
        return None
    try:
        array = array.cast(pa.large_string())
    except pa.ArrowInvalid:
        return None
    if array.null_count or not pa.types.is_large_string(array.type) or not len(array):
        return None
    if not pa.types.is_string(chunked.type) and not _is_text(chunked.type):
        return None
    _, offsets, data = array.buffers()
    bounds = np.frombuffer(offsets, np.int64, len(array) + 1 + array.offset)[array.offset :]
    raw = np.frombuffer(data, np.uint8) if data is not None else np.zeros(0, np.uint8)
    begin = int(bounds[0])
    buffer = np.zeros(int(bounds[-1]) - begin + 16, dtype=np.uint8)
    buffer[: int(bounds[-1]) - begin] = raw[begin : int(bounds[-1])]
    text = Text(buffer, bounds[:-1] - begin, np.diff(bounds))
    if (text.length == 0).any():
        return None
    edges = np.concatenate([buffer[text.start], buffer[text.start + text.length - 1]])
    # a blank at an edge, or a byte that may be part of a wider blank
    return None if ((edges <= 32) | (edges >= 128)).any() else text


def _is_text(kind: Any) -> bool:
    import pyarrow as pa

    return bool(
        pa.types.is_large_string(kind)
        or pa.types.is_string_view(kind)
        or (pa.types.is_dictionary(kind) and _is_text(kind.value_type))
    )


def numbers_of(series: Any, line: Array, good: Array, problems: Problems) -> Array:
    """Finite numbers; others are told row by row."""
    if not series.dtype.is_numeric():
        raise InputError(
            f"{problems.file}: column {series.name!r} holds {series.dtype}, not numbers"
        )
    values: Array = series.cast(_float64()).to_numpy().astype(np.float64)
    bad = np.flatnonzero(~np.isfinite(values))
    for i in bad.tolist():
        if good[i]:
            problems.add(
                int(line[i]), str(values[i]), f"{series.name} {values[i]} is not a finite number"
            )
    good[bad] = False
    return values


def _float64() -> Any:
    import narwhals as nw

    return nw.Float64
