"""Edges of the readers: the largest whole number, letters of several bytes, what is missing."""

import io
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from irmetrics_edu import InputError, evaluate
from irmetrics_edu.checks import limits
from irmetrics_edu.engine.numbers_of_c import grades_of_c
from irmetrics_edu.engine.text import Numbers, Text
from irmetrics_edu.reading.files import Bounded, File, read
from irmetrics_edu.reading.frames import _of_arrow
from irmetrics_edu.reading.series import is_missing, table_of
from irmetrics_edu.reading.tabular import _Checked
from irmetrics_edu.reading.trec import QRELS, RUN, _rather

LARGEST = 2**63 - 1


def column_of(table: Any) -> Any:
    """The column "query" of a table."""
    return table_of(table, "a table")["query"]


@pytest.mark.parametrize("kind", [np.uint64, np.int64])
def test_the_largest_whole_number_is_an_id(kind: Any) -> None:
    """2^63 - 1 is read with and without a sign."""
    assert list(Numbers.of(np.array([1, LARGEST], dtype=kind))) == [1, LARGEST]
    column = column_of(pd.DataFrame({"query": np.array([1, LARGEST], dtype=kind)}))
    assert column.integers().tolist() == [1, LARGEST]


def test_a_larger_number_is_no_id() -> None:
    """One more doesn't fit in 64 bits with a sign."""
    large = np.array([1, LARGEST + 1], dtype=np.uint64)
    with pytest.raises(InputError, match="id"):
        Numbers.of(large)
    assert column_of(pd.DataFrame({"query": large})).integers() is None


def test_nothing_is_missing_in_a_number_or_a_list() -> None:
    """None, NaN, blanks and a library's own marks are; 0, a list and a large number are not."""
    assert all(map(is_missing, (None, float("nan"), " ", pd.NA, pd.NaT)))
    assert not any(map(is_missing, (0, 0.0, "x", [1], 10**400, False)))


def test_bytes_that_are_no_utf8_are_found_wherever_they_stand() -> None:
    """At the beginning of a text, within it, and at its end."""
    for raw, right in (
        (b"\xc3\xa9t", True),
        (b"a\xff", False),
        (b"\xa9t", False),
        (b"t\xc3", False),
    ):
        buffer = np.frombuffer(raw + bytes(16), dtype=np.uint8)
        assert Text(buffer, np.array([0]), np.array([len(raw)])).is_utf8() is right


def test_a_column_of_arrow_is_read_as_it_is_unless_it_needs_a_look() -> None:
    """Letters of one or several bytes do not; an empty id and blanks at an edge do."""

    def found(*ids: str) -> Any:
        return _of_arrow(column_of(pa.table({"query": list(ids)})))

    assert list(found("q1", "q!", "a b")) == ["q1", "q!", "a b"]
    assert found("q1", "") is None
    assert found("q1", " q2") is None
    assert found("q1", "q2 ") is None


def test_a_grade_of_two_characters_is_read_as_c_reads_it() -> None:
    """1x is 1, and said to be cut; 10 is 10."""
    text, value = Text.of(["1x", "10", "2"]), np.array([7.0, 10.0, 2.0])
    told = grades_of_c(text, value, np.ones(3, dtype=bool))
    assert (value.tolist(), told["cut"].tolist()) == ([1.0, 10.0, 2.0], [0])


def test_a_line_of_the_other_kind_of_file_is_named() -> None:
    """Six or five words in judgments, four in a run; any other number says nothing."""
    words = [b"w"] * 6
    assert "a run has 6" in _rather(QRELS, words)
    assert "judgments have 4" in _rather(RUN, words[:4])
    assert "an id with a blank in it" in _rather(QRELS, words[:5])
    assert [_rather(QRELS, words[:n]) for n in (3, 4)] == [""] * 2
    assert [_rather(RUN, words[:n]) for n in (3, 5, 6)] == [""] * 3


def test_a_file_that_can_not_be_read_is_not_called_damaged(tmp_path: Path) -> None:
    """The system's own word, with the file and the line."""

    class Failing(io.BytesIO):
        def read(self, _size: Any = -1) -> bytes:
            raise OSError(5, "Input/output error")

    path = tmp_path / "run"
    path.write_text("q1 Q0 d1 1 2.0 t\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"run, line 3: it can't be read: Input/output error$"):
        read(Failing(), 10, File(path), 3)


def test_no_bytes_are_read_where_none_are_asked_for(tmp_path: Path) -> None:
    """Zero bytes are none, not all that there are."""
    path = tmp_path / "run"
    path.write_text("q1 Q0 d1 1 2.0 t\n", encoding="utf-8")
    assert evaluate(path, {"q1": {"d1": 1}}, "RR").mean == {"RR": 1.0}
    bounded = Bounded(io.BytesIO(b"abc"), io.BytesIO(), "file", 100)
    assert (bounded.read(0), bounded.read(2), bounded.read()) == (b"", b"ab", b"c")


@pytest.mark.parametrize("at_a_time", [3, 7, 100])
def test_the_longest_line_that_is_read_is_as_long_as_the_limit(
    at_a_time: int, tmp_path: Path
) -> None:
    """Wherever the parts of a table end that are read at a time; the line is named."""
    path = tmp_path / "a.csv"
    path.write_text("x", encoding="utf-8")
    with limits(max_line=10):
        file = File(path)

    def read_all(text: bytes) -> None:
        checked, buffer = _Checked(io.BytesIO(text), file), bytearray(at_a_time)
        while checked.readinto(buffer):
            pass

    read_all(b"ab\n" + b"c" * 10)
    with pytest.raises(InputError, match=r"a\.csv, line 2: longer than 10 bytes"):
        read_all(b"ab\n" + b"c" * 11)
    read_all(b"c" * 10)


def test_a_mark_of_the_encoding_before_json_is_no_part_of_it(tmp_path: Path) -> None:
    """Some editors write one; JSON itself has none."""
    path = tmp_path / "run.json"
    path.write_bytes(b'\xef\xbb\xbf{"q1": ["a"]}')
    assert evaluate(path, {"q1": {"a": 1}}, "RR").mean == {"RR": 1.0}
