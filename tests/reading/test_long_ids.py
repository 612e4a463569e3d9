"""Long ids in tables: refused by the limits before they take room, and read in linear time."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from irmetrics_edu import InputError, evaluate
from irmetrics_edu.checks import limits
from irmetrics_edu.engine import text as texts
from irmetrics_edu.engine.text import Text
from tests.memory import ran

pa = pytest.importorskip("pyarrow")
pc = pytest.importorskip("pyarrow.compute")
pq = pytest.importorskip("pyarrow.parquet")
pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")

QRELS = {"q": {"d": 1}}
LONG = "x" * 2000
HALF_A_GIGABYTE = 1 << 29


def _arrow(documents: list[str]) -> Any:
    n = len(documents)
    return pa.table({"query": ["q"] * n, "document": documents, "score": np.arange(n, 0.0, -1)})


def _cast(kind: Any) -> Callable[[list[str]], Any]:
    def made(documents: list[str]) -> Any:
        table = _arrow(documents)
        return table.set_column(1, "document", table["document"].cast(kind))

    return made


def _pandas(kind: str) -> Callable[[list[str]], Any]:
    return lambda documents: _arrow(documents).to_pandas().astype({"document": kind})


def _polars(kind: Any) -> Callable[[list[str]], Any]:
    return lambda documents: pl.from_arrow(_arrow(documents)).cast({"document": kind})


def _views(documents: list[str]) -> Any:
    """Built, not cast: pyarrow 16 has the type and no cast to it."""
    table = _arrow(documents)
    return table.set_column(1, "document", pa.array(documents, type=pa.string_view()))


def _ends(documents: list[str]) -> Any:
    table = _arrow(documents)
    coded = pc.run_end_encode(table["document"].combine_chunks())
    return table.set_column(1, "document", coded)


TABLES: dict[str, Callable[[list[str]], Any]] = {
    "Arrow": _arrow,
    "Arrow, large": _cast(pa.large_string()),
    "Arrow, views": _views,
    "Arrow, a dictionary": _cast(pa.dictionary(pa.int32(), pa.string())),
    "Arrow, runs": _ends,
    "pandas": _pandas("str"),
    "pandas, objects": _pandas("object"),
    "pandas, categories": _pandas("category"),
    "polars": _polars(pl.String),
    "polars, categories": _polars(pl.Categorical),
}


@pytest.mark.parametrize("make", TABLES.values(), ids=TABLES)
@pytest.mark.parametrize("at", [0, 3])
def test_an_id_of_a_table_is_no_longer_than_a_line(make, at) -> None:  # type: ignore[no-untyped-def]
    """It is refused with its row, its bytes and the limit; one byte less is read."""
    documents = ["d", "e", "f", "g"]
    documents[at] = LONG
    table = make(documents)
    said = rf"row {at + 1}: an id of 2,000 bytes, longer than 1,999 bytes.*max_line"
    with limits(max_line=1999), pytest.raises(InputError, match=said):
        evaluate(table, QRELS, "RR")
    with limits(max_line=2000):
        assert evaluate(table, QRELS, "RR").counts.retrieved == 4


@pytest.mark.parametrize("make", TABLES.values(), ids=TABLES)
def test_short_ids_of_any_table_are_read_as_they_are(make) -> None:  # type: ignore[no-untyped-def]
    """With letters of several bytes, and one id in many rows."""
    table = make(["é", "d", "日本", "z"])
    assert evaluate(table, QRELS, "RR").mean["RR"] == 0.5


def test_a_text_that_is_held_once_is_not_read_out_a_million_times() -> None:
    """A dictionary of a megabyte that 100,000 rows name would be a hundred gigabytes."""
    n = 100_000
    texts = pa.array(["x" * 1_000_000, "d"])
    places = pa.array(np.zeros(n, np.int32))
    table = {"query": pa.array(["q"] * n), "score": np.arange(n, 0.0, -1)}
    table["document"] = pa.DictionaryArray.from_arrays(places, texts)
    with pytest.raises(InputError, match=r"more than 200 times its size.*max_ratio"):
        evaluate(pa.table(table), QRELS, "RR")


EVALUATE = """
import sys
from irmetrics_edu import InputError, evaluate
try:
    print(evaluate(sys.argv[1], {"q": {"d": 1}}, "RR").mean)
except InputError as error:
    print(str(error).replace("\\n", " "))
"""


def _one_long(path: Path) -> str:
    pq.write_table(_arrow(["d" * 300_000_000]), path, compression="zstd")
    return "max_ratio"


def _long_in_a_dictionary(path: Path) -> str:
    table = _arrow(["d"] * 3)
    documents = pa.array(["d" * 3_000_000] * 100 + ["e"] * 100)
    table = pa.table(
        {"query": ["q"] * 200, "document": documents, "score": np.arange(200, 0.0, -1)}
    )
    pq.write_table(table, path, compression="zstd")
    return "max_line"


def _named_often(path: Path, *, store_schema: bool = True) -> str:
    """A megabyte that 300,000 rows name: a few kilobytes hold 300 gigabytes."""
    n = 300_000
    texts = pa.array(["x" * 1_000_000, "d"])
    places = pa.array(np.zeros(n, np.int32))
    documents = pa.DictionaryArray.from_arrays(places, texts)
    table = pa.table({"query": ["q"] * n, "document": documents, "score": np.zeros(n)})
    pq.write_table(table, path, compression="zstd", store_schema=store_schema)
    return "max_ratio"


def _named_often_as_text(path: Path) -> str:
    """The same, but for that the file does not say that they came from a dictionary."""
    return _named_often(path, store_schema=False)


def _rows_without_end(path: Path) -> str:
    """Ten million rows of the same three values, in some ten kilobytes."""
    n = 10_000_000
    same = {"query": np.zeros(n, np.int8), "document": np.zeros(n, np.int8), "score": np.zeros(n)}
    pq.write_table(pa.table(same), path, compression="zstd")
    return "max_ratio"


@pytest.mark.suite("guide")
@pytest.mark.slow
@pytest.mark.slow
@pytest.mark.parametrize(
    "write",
    [_one_long, _long_in_a_dictionary, _named_often, _named_often_as_text, _rows_without_end],
)
def test_a_small_parquet_file_takes_little_room(write, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    """Whatever it says it holds: refused by name and limit, in half a gigabyte."""
    path = tmp_path / "run.parquet"
    limit = write(path)
    assert path.stat().st_size < 1_000_000
    done = ran("-c", EVALUATE, path)
    assert limit in done.out, done.err[-500:]
    assert str(path) in done.out
    assert done.peak < HALF_A_GIGABYTE


def test_a_parquet_file_has_the_limits_that_held_when_it_was_given(tmp_path: Path) -> None:
    """As files of other formats have."""
    path = tmp_path / "run.parquet"
    pq.write_table(_arrow(["d", LONG]), path)
    with limits(max_line=1999), pytest.raises(InputError, match="2,000 bytes, longer than 1,999"):
        evaluate(path, QRELS, "RR")
    with limits(max_line=2000):
        assert evaluate(path, QRELS, "RR").counts.retrieved == 2


def _texts(length: int) -> list[str]:
    """Texts that differ at the start, at the end and nowhere, short ones between."""
    same = "m" * (length - 1)
    return [same + "a", same + "b", "a" + same, same + "a", "s", "", same + "a", same + "a", same]


@pytest.mark.parametrize("length", [8, 1016, 1024, 1025, 1032, 5000])
def test_long_texts_are_told_apart_by_all_their_bytes(length: int) -> None:
    """Keys, equality, neighbours and copies, for short texts and for those that are read whole."""
    given = _texts(length)
    text = Text.of(given)
    keys = text.keys().tolist()
    for i, one in enumerate(given):
        for j, other in enumerate(given):
            assert (keys[i] == keys[j]) is (one == other)
    shifted = Text.of(given[1:] + given[:1])
    expected = [one == other for one, other in zip(given, given[1:] + given[:1], strict=True)]
    assert text.equal(shifted).tolist() == expected
    new = [True, *(one != other for one, other in zip(given[1:], given, strict=False))]
    assert text.new().tolist() == new
    assert text.take(slice(1, None)).compact().tolist() == given[1:]


@pytest.mark.parametrize("most", [1, 7, 100])
def test_copies_are_the_same_however_many_are_made_at_once(most, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    """Bytes or texts at a time, with texts longer than that between."""
    monkeypatch.setattr(texts, "_BYTES_AT_ONCE", most)
    given = ["a", "bb" * 60, "", "c", "", "dd", "e" * 200, ""]
    assert Text.of(given).compact().tolist() == given
    assert Text.of([""]).compact().tolist() == [""]


def _seconds(length: int) -> float:
    text = Text.of([f"d{i}" for i in range(20_000)] + ["x" * length])
    begin = time.process_time()
    text.keys()
    text.new()
    text.equal(text)
    text.compact()
    return time.process_time() - begin


def test_time_grows_with_the_bytes_and_not_with_rows_times_the_longest() -> None:
    """A text a thousand times as long among 20,000 takes no hundred times as long."""
    short = min(_seconds(10_000) for _ in range(3))
    assert _seconds(10_000_000) < 1 + 20 * short
