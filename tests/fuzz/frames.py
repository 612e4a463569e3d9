"""Frames and arrays of every make, their columns made well and then spoilt."""

import datetime as dt
import decimal
import math
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from tests.fuzz import oracle
from tests.fuzz.files import BLOCKS, made
from tests.fuzz.oracle import Row, Verdict, verdict
from tests.fuzz.trial import Trial

_ODD: tuple[Any, ...] = (
    None, math.nan, math.inf, "", " ", " a", "b ", b"a", b"\xff", 0, 1, -7, 1.0, 2.5, True, False,
    2**63, 2**64, 10**400, decimal.Decimal("1.5"), decimal.Decimal("NaN"), 1 + 2j, "7", "1e3", [],
    (), {}, object(), "\ud800", "a\0b", dt.date(2020, 1, 1), pd.NA, pd.NaT, np.float32(0.1),
    np.int8(3), np.str_("d1"), np.uint64(2**64 - 1),
)  # fmt: skip
_DTYPES = (
    "int8", "uint8", "int64", "uint64", "float16", "float32", "float64", "object", "str", "bytes",
    "bool", "category", "Int64", "Float64", "string", "datetime64[ns]", "complex128",
)  # fmt: skip


def _columns(rng: random.Random, rows: list[list[str]], *, run: bool) -> dict[str, list[Any]]:
    heads = ["query", "document", "score" if run else "grade"]
    if run and rng.random() < 0.05:
        heads[2] = "mystery"
    columns: dict[str, list[Any]] = {
        name: list(values) for name, values in zip(heads, zip(*rows, strict=True), strict=True)
    }
    columns[heads[2]] = [float(v) for v in columns[heads[2]]]
    if not run:
        columns["grade"] = [int(v) for v in columns["grade"]]
    return columns


def _spoilt(rng: random.Random, columns: dict[str, list[Any]]) -> None:
    name = rng.choice(list(columns))
    values = columns[name]
    if rng.random() < 0.25:
        columns[name] = [rng.choice(_ODD) for _ in values]
    else:
        values[rng.randrange(len(values))] = rng.choice(_ODD)


def _pandas(rng: random.Random, columns: dict[str, list[Any]]) -> Any:
    frame = pd.DataFrame(
        {name: pd.Series(values, dtype=object) for name, values in columns.items()}
    )
    for name in columns:
        if rng.random() < 0.85:
            frame[name] = frame[name].infer_objects()
        elif rng.random() < 0.5:
            frame[name] = frame[name].astype(rng.choice(_DTYPES))
    if rng.random() < 0.1:
        frame = frame.set_index(pd.Index(rng.choices("xyz", k=len(frame))))
    if rng.random() < 0.1:
        frame.columns = [rng.choice((name, "query", 7, None)) for name in frame.columns]
    return frame.iloc[::-1] if rng.random() < 0.05 else frame


def _polars(rng: random.Random, columns: dict[str, list[Any]]) -> Any:
    kinds = (*[None] * 20, pl.Object, pl.Categorical, pl.String, pl.UInt64, pl.Float32, pl.Binary)
    frame = pl.DataFrame(
        [pl.Series(name, v, rng.choice(kinds), strict=False) for name, v in columns.items()]
    )
    return frame.lazy() if rng.random() < 0.2 else frame


def _arrow(rng: random.Random, columns: dict[str, list[Any]]) -> Any:
    kinds = (
        *[None] * 20, pa.large_string(), pa.string_view(), pa.binary(), pa.uint64(), pa.float16(),
        pa.float32(), pa.decimal128(20, 3), pa.dictionary(pa.int8(), pa.string()), pa.bool_(),
    )  # fmt: skip
    arrays = []
    for values in columns.values():
        kind = rng.choice(kinds)
        given = [np.float16(v) for v in values] if kind == pa.float16() else values
        arrays.append(pa.array(given, kind))
    names = list(columns)
    if rng.random() < 0.1:
        names[rng.randrange(len(names))] = rng.choice(("query", "score", "grade", ""))
    table = pa.table(arrays, names=names)
    if rng.random() < 0.15:  # text that is none
        bad = [b"d\xff" if i % 2 else b"a" for i in range(len(table))]
        array = pa.array(bad, pa.binary())
        text = pa.StringArray.from_buffers(len(bad), array.buffers()[1], array.buffers()[2])
        table = table.set_column(rng.randrange(2), table.column_names[rng.randrange(2)], text)
    shape = rng.random()
    if shape < 0.2:
        return table.slice(0, len(table)).combine_chunks().to_batches()[0]
    if shape < 0.3 and len(table) > 1:
        return pa.concat_tables([table.slice(0, 1), table.slice(1)])
    return table


def _rows_of(frame: Any) -> tuple[list[str], list[list[Any]]]:
    """Names and values, as the frame's own library gives them."""
    if isinstance(frame, pd.DataFrame):
        return list(frame.columns), [frame.iloc[:, i].tolist() for i in range(frame.shape[1])]
    if isinstance(frame, (pl.DataFrame, pl.LazyFrame)):
        held = frame.lazy().collect()
        return held.columns, [held[name].to_list() for name in held.columns]
    try:
        return list(frame.schema.names), [column.to_pylist() for column in frame.columns]
    except UnicodeDecodeError:
        raise oracle.Refused from None


def _is_odd(frame: Any) -> bool:
    """Whether a column is of a type that may be refused, whatever it holds."""
    if isinstance(frame, pd.DataFrame):
        columns = [frame.iloc[:, i] for i in range(frame.shape[1])]
        kinds = [  # text is of type object or str, by the version of pandas
            "str" if all(type(v) is str for v in c.tolist()) else str(c.dtype) for c in columns
        ]
    elif isinstance(frame, (pl.DataFrame, pl.LazyFrame)):
        kinds = [str(kind) for kind in frame.lazy().collect().dtypes]
    else:
        kinds = [str(kind) for kind in frame.schema.types]
    plain = re.compile(r"u?int(8|16|32|64)|float\d+|double|str|string")  # NumPy has no int128
    return not all(plain.fullmatch(kind.lower()) for kind in kinds)


def _read(frame: Any, *, run: bool) -> list[Row]:
    names, columns = _rows_of(frame)
    if not all(isinstance(name, str) for name in names):
        raise oracle.Doubtful
    query, document, value = oracle.places(names, run=run)
    if not columns[query]:
        raise oracle.Refused
    if value is None:  # numbers by a name that says nothing may be the scores
        others = [c for i, c in enumerate(columns) if i not in (query, document)]
        if any(all(type(v) in (int, float) for v in column) for column in others):
            raise oracle.Refused
        raise oracle.Doubtful
    for column in (columns[query], columns[document]):
        _check_ids(column)
    rows = []
    for q, d, v in zip(columns[query], columns[document], columns[value], strict=True):
        if isinstance(v, (bool, np.bool_, str, bytes, decimal.Decimal, complex)):
            raise oracle.Doubtful
        if not isinstance(v, (int, float, np.number)) or not abs(v) < 1e308:
            raise oracle.Refused
        rows.append((q, d, float(v)))
    return rows


def _is_nan(value: Any) -> bool:
    return isinstance(value, (float, np.floating)) and bool(np.isnan(value))


def _check_ids(column: list[Any]) -> None:
    """Ids are text throughout, or whole numbers throughout."""
    if all(type(v) is int for v in column):
        if any(abs(v) >= 2**63 for v in column):
            raise oracle.Doubtful
        return
    for value in column:
        if isinstance(value, str):
            oracle.identity(value)
            if "\0" in value or not value.isprintable():
                raise oracle.Doubtful
        elif isinstance(value, (int, float, np.number, bytes)) and not _is_nan(value):
            raise oracle.Doubtful
        else:
            raise oracle.Refused
    if any(type(v) is not str for v in column):
        raise oracle.Doubtful


_MAKERS: tuple[Callable[..., Any], ...] = (_pandas, _polars, _arrow)


def of_frames(rng: random.Random, folder: Path) -> Trial:
    """A run and judgments in frames, of which one is spoilt."""
    rows = made(rng)
    frames: list[Any] = []
    while not frames:
        parts = [_columns(rng, r, run=i == 0) for i, r in enumerate(rows)]
        for _ in range(rng.choice((0, 0, 0, 1, 1, 2))):
            _spoilt(rng, parts[rng.randrange(2)])
        try:
            frames = [rng.choice(_MAKERS)(rng, columns) for columns in parts]
            shown = [_rows_of(frame) for frame in frames]
        except oracle.Refused:
            shown = ["text that is none"]
        except (Exception, pl.exceptions.PanicException):  # noqa: BLE001 -- it can't be made so
            frames = []

    def scores() -> oracle.Scores:
        qrels = oracle.by_query(_read(frames[1], run=False))
        run = oracle.by_query(_read(frames[0], run=True), qrels)
        kinds = {type(d) for held in (run, qrels) for inner in held.values() for d in inner}
        if len(kinds) > 1 or any(0 < g < 1 for inner in qrels.values() for g in inner.values()):
            raise oracle.Doubtful
        return oracle.ndcg(run, qrels, None, bits=24)

    given: list[Any] = list(frames)
    found: Verdict = verdict(scores, refusable=any(map(_is_odd, frames)))
    if isinstance(frames[0], pa.Table) and rng.random() < 0.3:
        try:
            pq.write_table(frames[0], folder / "run.parquet", row_group_size=2)
            given[0] = folder / "run.parquet"
        except (pa.ArrowException, OSError, ValueError):
            pass
    makes = [type(frame).__module__.split(".")[0] for frame in frames]
    return Trial(f"{makes} {shown!r:.1200}", *given, {"nDCG": found}, {}, rng.choice(BLOCKS))


def of_mappings(rng: random.Random, folder: Path) -> Trial:  # noqa: ARG001
    """A run and judgments as dicts, of which ids or values are odd."""
    run: dict[Any, dict[Any, Any]] = {}
    qrels: dict[Any, dict[Any, Any]] = {}
    for held, kind, rows in zip((run, qrels), (float, int), made(rng), strict=True):
        for query, document, value in rows:
            held.setdefault(query, {})[document] = kind(value)
    for _ in range(rng.choice((0, 0, 0, 1, 1, 2))):
        held = rng.choice((run, qrels))
        query = rng.choice(list(held))
        odd = rng.choice([o for o in _ODD if o.__hash__ is not None])
        where = rng.randrange(3)
        if where == 0:
            held[odd] = held.pop(query)
        elif where == 1:
            held[query][odd] = held[query].pop(next(iter(held[query])), 1)
        else:
            held[query][rng.choice(list(held[query]) or ["a"])] = rng.choice(_ODD)

    def scores() -> oracle.Scores:
        for query, inner in [*qrels.items(), *run.items()]:
            _check_names([query, *inner])
            values = list(inner.values())
            if any(type(value) not in (int, float) for value in values):
                raise oracle.Doubtful
            if not all(abs(value) < 1e300 for value in values):
                raise oracle.Refused if query in qrels else oracle.Doubtful
        return oracle.ndcg(run, qrels, None, bits=24)

    return Trial(f"{run!r} {qrels!r}", run, qrels, {"nDCG": verdict(scores)})


def _check_names(names: list[Any]) -> None:
    if any(type(name) is not str or name != name.strip() or not name for name in names):
        raise oracle.Doubtful


def of_arrays(rng: random.Random, folder: Path) -> Trial:  # noqa: ARG001
    """An array of recommended items, and the held-out ones of each user."""
    users, width = rng.randint(1, 3), rng.randint(1, 4)
    kind = rng.choice(("int64", "int8", "uint64", "float64", "U3", "object", "S2", "bool"))
    items = [[rng.randrange(6) for _ in range(width)] for _ in range(users)]
    if rng.random() < 0.6:
        items = [rng.sample(range(6), width) for _ in range(users)]
    array = np.array(items).astype(kind)
    held: list[Any] = [rng.sample(range(6), rng.randint(1, 3)) for _ in range(users)]
    plain = kind in ("int64", "int8", "uint64")
    if kind == "U3":
        held, plain = [[str(i) for i in h] for h in held], True
    if kind == "object" and rng.random() < 0.7:
        array[rng.randrange(users), rng.randrange(width)] = rng.choice(_ODD)
    if rng.random() < 0.2:
        held[rng.randrange(users)] = rng.choice((None, [], "ab", 3, {1.5: 1}, {0: 2}, {None}))
        plain = False

    def scores() -> oracle.Scores:
        if not plain:
            raise oracle.Doubtful
        lists = array.tolist()
        if any(len(set(row)) < len(row) for row in lists):
            raise oracle.Refused
        run = {u: {d: -float(i) for i, d in enumerate(row)} for u, row in enumerate(lists)}
        return oracle.ndcg(
            run, {u: dict.fromkeys(h, 1.0) for u, h in enumerate(held)}, None, bits=53
        )

    return Trial(f"{kind} {array!r} {held!r}", array, held, {"nDCG": verdict(scores)})
