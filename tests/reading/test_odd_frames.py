"""Odd frames are read, or refused by an error of ours that says where."""

import sys
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.dataset
import pyarrow.parquet as pq
import pytest

from irmetrics_edu import InputError, evaluate

GOOD = {"query": ["q", "q"], "document": ["a", "b"], "score": [1.0, 2.0]}
QRELS = {"q": {"b": 1}}


def objects(values: Any) -> Any:
    """A column of Python's objects."""
    return pd.Series(values, dtype=object)


def invalid(raw: list[bytes]) -> Any:
    """A column of text that holds these bytes."""
    offsets = np.cumsum([0, *map(len, raw)]).astype(np.int32)
    return pa.Array.from_buffers(
        pa.string(), len(raw), [None, pa.py_buffer(offsets), pa.py_buffer(b"".join(raw))]
    )


@pytest.mark.parametrize(
    ("column", "values"),
    [
        ("score", objects([1, 2])),
        ("score", objects([1, Decimal("2.5")])),
        ("score", objects([np.float32(1), np.int8(2)])),
        ("score", objects([1, 10**30])),
        ("score", pd.array([1, 2], dtype="UInt8")),
        ("score", pa.array([1, 2], pa.decimal128(9, 2))),
        ("score", pa.array([2**63, 2**63 + 4096], pa.uint64())),
        ("document", pd.Categorical(["a", "b"])),
        ("document", pa.array(["a", "b"], pa.string_view())),
        ("document", pa.array(["a", "b"]).dictionary_encode()),
    ],
    ids=str,
)
def test_numbers_and_ids_of_any_type_are_read(column: str, values: Any) -> None:
    """B stands first."""
    make = pa.table if isinstance(values, pa.Array) else pd.DataFrame
    assert evaluate(make({**GOOD, column: values}), QRELS, "RR").mean["RR"] == 1


@pytest.mark.parametrize("type_", [object, np.uint64, "Int64", np.int8], ids=str)
def test_whole_numbers_are_ids(type_: Any) -> None:
    """As Python has them, with and without a sign."""
    frame = pd.DataFrame({**GOOD, "document": pd.Series([1, 2], dtype=type_)})
    assert evaluate(frame, {"q": {2: 1}}, "RR").mean["RR"] == 1


def test_readers_and_batches_of_arrow_are_read_however_often_they_are_needed() -> None:
    """A reader gives its batches once; queries go on in the next one."""
    qrels = pa.table({"query": ["q", "q"], "document": ["a", "b"], "grade": [0, 1]})
    nuggets = qrels.append_column("subtopic", [["1", "2"]])
    table = pa.table(GOOD)

    def reader(rows: Any) -> Any:
        return pa.RecordBatchReader.from_batches(rows.schema, rows.to_batches(max_chunksize=1))

    measures = ["AP", "AP(unjudged=removed)", "AUC"]
    expected = evaluate(table, qrels, measures).per_query
    for made in (reader, lambda rows: rows.to_batches()[0], pyarrow.dataset.dataset):
        assert evaluate(made(table), made(qrels), measures).per_query == expected
        by_subtopic = evaluate(made(table), made(nuggets), "alpha_nDCG").mean
        assert by_subtopic == evaluate(table, nuggets, "alpha_nDCG").mean


@pytest.mark.parametrize("value", [True, np.True_])
def test_truth_values_are_grades_and_no_scores(value: Any) -> None:
    """Of judgments they say relevant or not, in a frame as in a mapping."""
    frame = pd.DataFrame({"query": ["q"], "document": ["b"], "grade": [value]})
    run = {"q": {"b": 1.0}}
    assert evaluate(run, frame, "AP").mean == evaluate(run, {"q": {"b": value}}, "AP").mean
    with pytest.raises(InputError, match=r"column 'score' holds [Bb]ool.*, not numbers"):
        evaluate(pd.DataFrame({**GOOD, "score": [value, value]}), QRELS, "RR")


@pytest.mark.parametrize(
    ("column", "values", "says"),
    [
        ("document", objects(["a", 2]), "row 2: '2': document 2 is not an id; expected text"),
        ("document", objects([1.5, 2]), "row 1: '1.5': document 1.5 is not an id"),
        ("document", objects([True, False]), "row 1: 'True': document True is not an id"),
        ("document", objects([b"a", b"b"]), "row 1: .*document b'a' is not text in UTF-8"),
        ("document", objects(["a", "\ud800"]), "row 2: .*document .* is not text in UTF-8"),
        ("document", objects([("a", 1), [2]]), "row 1: .*document .* is not an id"),
        ("document", objects([1, 2**63]), "row 2: .*document 9223372036854775808 is a whole num"),
        ("document", np.array([1, 2**63], dtype=np.uint64), "row 2: .*too large for 64 bits"),
        ("document", objects([1, pd.NA]), "row 2: 'None': document is missing; the other rows"),
        ("document", pd.to_datetime(["2020", "2021"]), "row 1: .*document .*2020.* is not an id"),
        ("document", invalid([b"a", b"\xff"]), r"row 2: .*document b'\\xff' is not text in UTF-8"),
        ("document", invalid([b"\xc3", b"\xa9"]), "row 1: .*is not text in UTF-8"),
        ("query", objects([None, "q"]), "row 1: 'None': query None is not an id"),
        ("score", objects([1, "2"]), "row 2: '2': score 2 is not a finite number"),
        ("score", objects([1, None]), "row 2: 'None': score None is not a finite number"),
        ("score", objects([1, 1 + 2j]), r"row 2: .*score \(1\+2j\) is not a finite number"),
        ("score", objects([1, 10**400]), "row 2: .* is not a finite number"),
        ("score", objects([True, 2]), "row 1: 'True': score True is not a finite number"),
        ("score", pd.array([1, None], dtype="Int64"), "row 2: 'nan': score nan is not a finite"),
        ("score", pd.to_datetime(["2020", "2021"]), "score .*2020.* is not a finite number"),
    ],
    ids=str,
)
def test_what_is_no_id_or_number_is_told_by_its_row(column: str, values: Any, says: str) -> None:
    """The row, the column and what it holds."""
    make = pa.table if isinstance(values, pa.Array) else pd.DataFrame
    with pytest.raises(InputError, match=says):
        evaluate(make({**GOOD, column: values}), QRELS, "RR")


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame([["q", "a", 1, 2]], columns=["query", "document", "score", "score"]),
        pd.DataFrame([["q", "a", 1]], columns=pd.MultiIndex.from_product([["x"], list("abc")])),
        pd.DataFrame([["q", "a", 1]], columns=[0, None, "score"]),
        pl.DataFrame({"query": [1]}).lazy().select(pl.col("nowhere")),
        pa.table([["q"], ["q"], ["a"], [1]], names=["query", "query", "document", "score"]),
        pa.table({"query": ["q"], "document": [["a"]], "score": [{"x": 1}]}),
        pd.Series([1, 2]),
        pl.Series([1, 2]),
    ],
    ids=["equal names", "levels", "no names", "lazy", "equal in arrow", "nested", "pd", "pl"],
)
def test_frames_that_are_none(frame: Any) -> None:
    """An error of ours, as a run and as judgments."""
    for run, qrels in ((frame, QRELS), ({"q": {"a": 1.0}}, frame)):
        with pytest.raises(InputError):
            evaluate(run, qrels, "RR")


@pytest.fixture(scope="module")
def parquet(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """A run, judgments, and judgments by subtopic."""
    folder = tmp_path_factory.mktemp("parquet")
    judged = pa.table({"query": ["q"], "document": ["b"], "grade": [1]})
    for name, table in (
        ("run", pa.table(GOOD)),
        ("qrels", judged),
        ("subtopics", judged.append_column("subtopic", [["1"]])),
    ):
        pq.write_table(table, folder / f"{name}.parquet")
    return [str(folder / f"{name}.parquet") for name in ("run", "qrels", "subtopics")]


def test_without_arrow_or_narwhals_the_extra_is_named(
    parquet: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """For files, frames, and judgments by subtopic."""
    monkeypatch.setitem(sys.modules, "narwhals", None)
    frame = pd.DataFrame({**GOOD, "grade": [1, 1], "subtopic": ["1", "2"]})
    for measure in ("RR", "alpha_nDCG"):
        with pytest.raises(InputError, match=r"reading a data frame needs .*the extra frames"):
            evaluate({"q": {"a": 1.0}}, frame, measure)
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    for measure, path in (("RR", parquet[1]), ("alpha_nDCG", parquet[2])):
        with pytest.raises(InputError, match=r"reading Parquet needs .*the extra frames"):
            evaluate({"q": {"a": 1.0}}, Path(path), measure)


@pytest.mark.parametrize("column", ["query", "document"])
@pytest.mark.parametrize("gaps", [[2], [0, 3]])
def test_an_id_that_is_missing_does_not_spoil_the_column(column, gaps):
    """In pandas whole numbers become 1.0 where one is missing; those rows alone are named."""
    values = {"query": [1, 1, 2, 2], "document": [7, 8, 7, 9], "score": [4.0, 3.0, 2.0, 1.0]}
    ids = [None if i in gaps else value for i, value in enumerate(values[column])]
    for of in (float, "Int64", object):
        frame = pd.DataFrame({**values, column: pd.Series(ids, dtype=of)})
        with pytest.raises(InputError) as refused:
            evaluate(frame, {1: {8: 1}, 2: {9: 1}}, "RR")
        rows = [line for line in str(refused.value).splitlines() if line.startswith("  row")]
        assert [f"row {i + 1}: 'None': {column} is missing" for i in gaps] == [
            row.strip().partition(";")[0] for row in rows
        ]
        kept = evaluate(frame, {1: {8: 1}, 2: {9: 1}}, "RR", skip_bad=True)
        assert set(kept.per_query["RR"]) == {1, 2}


def test_a_whole_number_with_a_point_says_what_to_write():
    """As pandas leaves a column after dropna()."""
    frame = pd.DataFrame({"query": [1.0], "document": ["a"], "score": [1.0]})
    with pytest.raises(InputError, match="has a point; give text or whole numbers"):
        evaluate(frame, {1: {"a": 1}}, "RR")
