"""How long the texts of a table are, asked before they are read out.

A table may hold a text once and name it in a million rows. Read out, that is a million texts. So
lengths are taken where the texts are held, and what is beyond the limits is refused by name.
"""

import os
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from irmetrics_edu.checks import ReadingLimits
from irmetrics_edu.errors import GREATER_RATIO, LONGER_LINES, Avoidable
from irmetrics_edu.numbers import Array
from irmetrics_edu.reading.files import FREE, File

BATCH = 1 << 18  # rows of a table at a time
_ROOM = 1 << 24  # bytes that the ids of a batch may take
_VIEW = 4  # words of 32 bits in which Arrow describes a text that it holds elsewhere


def lengths(held: Any) -> Array | None:
    """The bytes of each text of Arrow's array or of polars' column; None if it holds no text."""
    length_of = getattr(getattr(held, "str", None), "len_bytes", None)
    if length_of is not None:  # polars
        try:
            return np.asarray(length_of().fill_null(0).to_numpy(), dtype=np.int64)
        except Exception:  # noqa: BLE001 -- any of polars': it is no column of text
            return None
    if not hasattr(held, "type"):
        return None
    parts = held.chunks if hasattr(held, "chunks") else [held]
    of_parts = [_of_array(part) for part in parts]
    there = [one for one in of_parts if one is not None]
    if len(there) < len(of_parts):
        return None
    return np.concatenate(there) if there else np.zeros(0, dtype=np.int64)


def lengths_where_shared(held: Any) -> Array | None:
    """The bytes of each text, if rows may share texts; None where each row has its own."""
    if held is None or not hasattr(held, "type") or not _is_shared(held.type):
        return lengths(held) if hasattr(held, "estimated_size") else None
    return lengths(held)


def _is_shared(kind: Any) -> bool:
    import pyarrow as pa  # type: ignore[import-untyped]

    asked = (
        pa.types.is_dictionary,
        pa.types.is_run_end_encoded,
        pa.types.is_string_view,
        pa.types.is_binary_view,
    )
    return any(is_kind(kind) for is_kind in asked)


def _of_array(array: Any) -> Array | None:
    """The bytes of each text of one array of Arrow; 0 where there is none."""
    import pyarrow as pa
    import pyarrow.compute as pc  # type: ignore[import-untyped]

    kind = array.type
    if pa.types.is_dictionary(kind):
        of_each = _of_array(array.dictionary)
        if of_each is None:
            return None
        if not len(of_each):
            return np.zeros(len(array), dtype=np.int64)
        places = array.indices.fill_null(0).to_numpy(zero_copy_only=False)
        of_rows: Array = of_each[places]
        of_rows[array.indices.is_null().to_numpy(zero_copy_only=False)] = 0
        return of_rows
    if pa.types.is_run_end_encoded(kind):
        of_run = _of_array(array.values)
        ends = array.run_ends.to_numpy(zero_copy_only=False)
        runs = np.searchsorted(ends, np.arange(array.offset, array.offset + len(array)), "right")
        return None if of_run is None else of_run[runs]
    if pa.types.is_string_view(kind) or pa.types.is_binary_view(kind):
        views = np.frombuffer(array.buffers()[1], np.int32).reshape(-1, _VIEW)
        bytes_of_each: Array = views[array.offset : array.offset + len(array), 0].astype(np.int64)
        bytes_of_each[array.is_null().to_numpy(zero_copy_only=False)] = 0
        return bytes_of_each
    try:
        sizes = pc.binary_length(array).fill_null(0)
    except pa.ArrowException:
        return None
    return np.asarray(sizes.to_numpy(zero_copy_only=False), dtype=np.int64)


def bytes_of(held: Any) -> int:
    """The bytes that polars' column or Arrow's array takes where it is held."""
    if hasattr(held, "estimated_size"):
        return int(held.estimated_size())
    return int(held.get_total_buffer_size())


def refuse_long(
    sizes: Array,
    where: str,
    rows: Sequence[int] | Array,
    most: ReadingLimits,
) -> None:
    """Refuse a text that is longer than a line may be; `sizes` are bytes, of these rows."""
    if len(sizes) and int(sizes.max()) > most.max_line:
        first = int(np.argmax(sizes > most.max_line))
        wrong = (
            f"{where}, row {int(rows[first]):,}: an id of {int(sizes[first]):,} bytes, longer than "
            f"{most.max_line:,} bytes"
        )
        raise Avoidable(wrong, LONGER_LINES)


def refuse_swollen(
    read_out: int,
    held: int,
    where: str,
    most: ReadingLimits,
) -> None:
    """Refuse what takes far more bytes when it is read out than where it is held."""
    if read_out > max(FREE, most.max_ratio * held):
        wrong = (
            f"{where}: read out it is more than {most.max_ratio:,} times its size, which is "
            "unusual for rankings"
        )
        raise Avoidable(wrong, GREATER_RATIO)


def bounded_batches(
    table: Any,
    names: list[str],
    file: File,
    stream: Any,
) -> Iterator[Any]:
    """Some columns of a Parquet file, as many rows at a time as fit into little memory.

    A file of a few bytes can hold a text of megabytes, and name it in any number of rows. So what
    its footer says is looked at first, then the longest text of each dictionary, and last what
    the rows took that were read.
    """
    most = file.limits
    packed = _size_of(stream)
    stored = 0
    for group in range(table.metadata.num_row_groups):
        for chunk in _chunks(table, group, names):
            stored += chunk.total_uncompressed_size
    refuse_swollen(stored, packed, str(file), most)
    read_out = 0
    for group in range(table.metadata.num_row_groups):
        rows = _rows_at_once(table, group, names, file, stream)
        for batch in table.iter_batches(batch_size=rows, row_groups=[group], columns=names):
            read_out += sum(map(_read_out, batch.columns))
            refuse_swollen(read_out, packed, str(file), most)
            yield batch


def _read_out(array: Any) -> int:
    """The bytes of a column of a batch when each row has its own text."""
    of_each = lengths_where_shared(array)
    return int(array.nbytes if of_each is None else of_each.sum())


def _size_of(stream: Any) -> int:
    """The bytes of a file that is open."""
    place = stream.tell()
    size = int(stream.seek(0, os.SEEK_END))
    stream.seek(place)
    return size


def _chunks(table: Any, group: int, names: list[str]) -> list[Any]:
    """What the footer says of these columns in a group of rows."""
    of_group = table.metadata.row_group(group)
    chunks = (of_group.column(i) for i in range(of_group.num_columns))
    return [chunk for chunk in chunks if chunk.path_in_schema.split(".")[0] in names]


def _rows_at_once(
    table: Any,
    group: int,
    names: list[str],
    file: File,
    stream: Any,
) -> int:
    """How many rows of a group to read at a time; a text beyond the limits is refused."""
    longest = 1
    for chunk in _chunks(table, group, names):
        if not chunk.has_dictionary_page or chunk.physical_type != "BYTE_ARRAY":
            continue
        if chunk.total_uncompressed_size * min(BATCH, chunk.num_values) <= FREE:
            continue  # whatever the lengths of its texts are
        longest = max(longest, _longest_text(table, group, chunk.path_in_schema, stream))
    if longest > file.limits.max_line:
        wrong = f"{file}: an id of {longest:,} bytes, longer than {file.limits.max_line:,} bytes"
        raise Avoidable(wrong, LONGER_LINES)
    return max(1, min(BATCH, _ROOM // longest))


def _longest_text(
    table: Any,
    group: int,
    name: str,
    stream: Any,
) -> int:
    """The bytes of the longest text in the dictionary of a column."""
    import pyarrow.parquet as pq  # type: ignore[import-untyped]

    texts = pq.ParquetFile(stream, metadata=table.metadata, read_dictionary=[name])
    one = texts.iter_batches(
        1,
        row_groups=[group],
        columns=[name],
        use_threads=False,
    )
    first = next(one, None)
    if first is None or not hasattr(first.column(0), "dictionary"):
        return 1
    of_each = lengths(first.column(0).dictionary)
    return 1 if of_each is None else int(of_each.max(initial=1))
