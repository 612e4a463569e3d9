"""Columns of tables of any make: what their types hold, and what stands for a missing value."""

import math

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from irmetrics_edu.errors import InputError
from irmetrics_edu.reading import series
from irmetrics_edu.reading.series import is_text, table_of
from tests.tables import rows as each_row

pl = pytest.importorskip("polars")


def column(values):
    """A column of whatever holds these values."""
    if isinstance(values, pl.Series):
        return table_of(pl.DataFrame({"x": values}), "t")["x"]
    if isinstance(values, (pa.Array, pa.ChunkedArray)):
        return table_of(pa.table({"x": values}), "t")["x"]
    return table_of(pd.DataFrame({"x": values}), "t")["x"]


@each_row(
    ("values", "whole"),
    [
        (pd.array([1, 2], dtype="Int64"), [1, 2]),
        (pd.array([1, None], dtype="Int64"), None),
        (pd.array([1, 2], dtype="UInt8"), [1, 2]),
        (np.array([1, 2], dtype=np.int8), [1, 2]),
        (np.array([1, 2**63 - 1], dtype=np.uint64), [1, 2**63 - 1]),
        (np.array([1, 2**63], dtype=np.uint64), None),
        (pa.array([1, 2]), [1, 2]),
        (pa.array([1, None]), None),
        (pl.Series([1, 2]), [1, 2]),
        (pl.Series([1, None]), None),
    ],
)
def test_whole_numbers_are_told_where_none_is_missing(values, whole):
    """Of 64 bits with their sign."""
    found = column(values).integers()
    assert (found is None) == (whole is None)
    if whole is not None:
        assert found.tolist() == whole


@each_row(
    ("values", "kind", "numbers"),
    [
        (pd.array([1, None], dtype="Int64"), series.WHOLE, [1.0, math.nan]),
        (pd.array([0.5, None], dtype="Float64"), series.NUMBER, [0.5, math.nan]),
        (np.array([0.5, math.nan]), series.NUMBER, [0.5, math.nan]),
        (np.array([True, False]), series.BOOLEAN, [1.0, 0.0]),
        (pd.array([True, None], dtype="boolean"), series.BOOLEAN, [1.0, math.nan]),
        (pa.array([0.5, None]), series.NUMBER, [0.5, math.nan]),
        (pa.array([3, 2**62 + 1]), series.WHOLE, [3.0, float(2**62)]),
        (pl.Series([1, None]), series.WHOLE, [1.0, math.nan]),
        (pl.Series([True, False]), series.BOOLEAN, [1.0, 0.0]),
    ],
)
def test_numbers_and_truth_values_are_floats(values, kind, numbers):
    """NaN where there is none."""
    found = column(values)
    assert found.kind == kind
    assert found.floats().tolist() == pytest.approx(numbers, nan_ok=True)
    assert found.floats().dtype == np.float64


@each_row(
    ("values", "kind"),
    [
        (pa.array(["a"]), series.TEXT),
        (pa.array(["a"]).dictionary_encode(), series.TEXT),
        (pd.Categorical(["a"]), series.TEXT),
        (pl.Series(["a"], dtype=pl.Categorical), series.TEXT),
        (pl.Series(["a"], dtype=pl.Enum(["a"])), series.TEXT),
        (pa.array([["a"]]), series.OTHER),
        (pd.Series([["a"]], dtype=object), series.OTHER),
        (pd.to_datetime(["2020-01-01"]), series.OTHER),
    ],
)
def test_kinds_of_columns_are_told(values, kind):
    """Categories hold text; lists and dates are neither text nor numbers."""
    assert column(values).kind == kind


def test_a_column_is_held_by_polars_or_by_arrow():
    """Where neither has it there is nothing to ask."""
    of_polars = column(pl.Series(["a", "b"]))
    assert isinstance(of_polars.held(), pl.Series)
    of_arrow = column(pa.array(["a", "b"]))
    assert isinstance(of_arrow.held(), (pa.Array, pa.ChunkedArray))
    assert column(pd.Series([object()], dtype=object)).held() is None


def test_bytes_that_are_no_text_are_given_as_they_are():
    """Beside them texts and missing ones stay so."""
    offsets = pa.py_buffer(np.array([0, 2, 3, 3, 4], dtype=np.int32))
    valid = pa.py_buffer(bytes([0b1011]))
    buffers = [valid, offsets, pa.py_buffer(b"\xc3\xa9\xffa")]
    array = pa.Array.from_buffers(pa.string(), 4, buffers)
    assert column(array).tolist() == ["é", b"\xff", None, "a"]


@each_row(
    ("kind", "holds_text"),
    [
        (pa.string(), True), (pa.large_string(), True), (pa.string_view(), True),
        (pa.dictionary(pa.int32(), pa.string()), True),
        (pa.dictionary(pa.int32(), pa.large_string()), True),
        (pa.dictionary(pa.int32(), pa.int64()), False),
        (pa.binary(), False), (pa.int64(), False), (pa.list_(pa.string()), False),
    ],
)  # fmt: skip
def test_types_of_arrow_that_hold_text(kind, holds_text):
    """Itself, or in a dictionary."""
    assert is_text(kind) is holds_text


@each_row(
    ("names", "twice"),
    [(["a", "b"], 0), (["a", "a"], 2), (["a", "b", "a"], 2), (["b", "a", "a", "a"], 3)],
)
def test_columns_of_one_name_are_refused(names, twice):
    """With how many there are."""
    table = pa.table([[1]] * len(names), names=names)
    if not twice:
        found = table_of(table, "t")
        assert (found.names, len(found)) == (names, 1)
        return
    with pytest.raises(InputError, match=f"t: {twice} columns are called 'a'; keep only the"):
        table_of(table, "t")


def test_a_batch_of_arrow_is_a_table():
    """With the same columns and rows."""
    batch = pa.RecordBatch.from_pydict({"x": [1, 2], "y": ["a", "b"]})
    found = table_of(batch, "t")
    assert (found.names, len(found)) == (["x", "y"], 2)
    assert found.first(1) == [["1", "a"]]
    assert found["x"].integers().tolist() == [1, 2]


@each_row(
    ("names", "by_text"),
    [(["a", "b"], True), (["a", 0], False), ([0, "a"], False), ([0, 1], False)],
)
def test_names_may_be_numbers_of_a_library(names, by_text):
    """As pandas has them where nobody named the columns."""
    found = table_of(pd.DataFrame([[1, 2]], columns=names), "t")
    assert found.named_by_text is by_text
    assert found.names == [str(name) for name in names]


def test_an_error_of_a_library_is_told_by_its_first_sentence():
    """With what was read; one of ours stays as it is."""
    for error, says in (
        (ValueError("\n  it is odd \nand long"), "t: it is odd$"),
        (ValueError(), "t: ValueError$"),
        (InputError("ours"), "^ours$"),
    ):
        with pytest.raises(InputError, match=says), series.told("t"):
            raise error
    with pytest.raises(InputError, match="t: int is not a data frame that can be read"):
        table_of(7, "t")
