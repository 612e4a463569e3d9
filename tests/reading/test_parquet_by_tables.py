"""How much of a file of Parquet is read at once, by what its footer says."""

from types import SimpleNamespace

import pytest

from irmetrics_edu.checks import limits
from irmetrics_edu.errors import InputError
from irmetrics_edu.reading import frames, long_ids
from irmetrics_edu.reading.files import File, Problems
from tests.tables import rows as each_row


def footer(groups):
    """A table of Parquet by its footer: chunks of each group, by name, bytes, rows and kind."""
    made = []
    for chunks in groups:
        columns = [
            SimpleNamespace(
                path_in_schema=name,
                total_uncompressed_size=size,
                num_values=rows,
                has_dictionary_page=has_dictionary,
                physical_type=kind,
            )
            for name, size, rows, has_dictionary, kind in chunks
        ]
        made.append(SimpleNamespace(num_columns=len(columns), column=columns.__getitem__))
    metadata = SimpleNamespace(num_row_groups=len(made), row_group=made.__getitem__)
    return SimpleNamespace(metadata=metadata)


TEXT = "BYTE_ARRAY"


@each_row(
    ("chunks", "longest", "rows"),
    [
        ([("a", 1 << 20, 100, False, TEXT)], 99, 1 << 18),
        ([("a", 1 << 20, 100, True, "INT64")], 99, 1 << 18),
        ([("a", 1 << 20, 64, True, TEXT)], 99, 1 << 18),
        ([("a", 1 << 20, 65, True, TEXT)], 99, (1 << 24) // 99),
        ([("a.list.element", 1 << 20, 65, True, TEXT)], 99, (1 << 24) // 99),
        ([("b", 1 << 20, 65, True, TEXT)], 99, 1 << 18),
        ([("a", 256, 1 << 30, True, TEXT)], 99, 1 << 18),
        ([("a", 257, 1 << 30, True, TEXT)], 99, (1 << 24) // 99),
        ([("a", 9, 9, False, TEXT), ("c", 1 << 20, 65, True, TEXT)], 99, (1 << 24) // 99),
        ([("a", 1 << 20, 65, True, TEXT)], 63, 1 << 18),
        ([("a", 1 << 20, 65, True, TEXT)], 1000, (1 << 24) // 1000),
        ([("a", 1 << 20, 65, True, TEXT)], 1001, None),
    ],
)
def test_so_many_rows_are_read_at_once_as_their_texts_allow(
    tmp_path, monkeypatch, chunks, longest, rows
):
    """The longest of a dictionary is asked for where all of its rows may be much."""
    monkeypatch.setattr(long_ids, "_longest_text", lambda *_: longest)
    (tmp_path / "f").write_bytes(b"")
    with limits(max_line=1000):
        file = File(tmp_path / "f")
    asked = footer([[], chunks]), 1, ["a", "c"], file, None
    if rows is None:
        with pytest.raises(InputError, match=r"f: an id of 1,001 bytes, longer than 1,000 bytes"):
            long_ids._rows_at_once(*asked)
    else:
        assert long_ids._rows_at_once(*asked) == rows


def test_at_least_one_row_is_read_at_once(tmp_path, monkeypatch):
    """Whatever the length of its text."""
    monkeypatch.setattr(long_ids, "_longest_text", lambda *_: 1 << 25)
    (tmp_path / "f").write_bytes(b"")
    with limits(max_line=1 << 26):
        file = File(tmp_path / "f")
    table = footer([[("a", 1 << 20, 65, True, TEXT)]])
    assert long_ids._rows_at_once(table, 0, ["a"], file, None) == 1


@each_row(
    ("stored", "read", "is_refused"),
    [([50, 50], 10, False), ([51, 50], 10, True), ([50, 50], 34, True), ([50, 50], 33, False)],
)
def test_what_a_file_of_parquet_holds_is_added_up(tmp_path, monkeypatch, stored, read, is_refused):
    """Of all groups, by the footer and by what was read."""
    monkeypatch.setattr(long_ids, "FREE", 5)
    monkeypatch.setattr(long_ids, "_rows_at_once", lambda *_: 7)
    (tmp_path / "f").write_bytes(b"x" * 10)
    with limits(max_ratio=10):
        file = File(tmp_path / "f")
    table = footer([[("a", size, 1, False, TEXT), ("b", 999, 1, False, TEXT)] for size in stored])
    asked = []

    def batches(batch_size, row_groups, columns):
        asked.append((batch_size, row_groups, columns))
        yield SimpleNamespace(columns=[SimpleNamespace(nbytes=read), SimpleNamespace(nbytes=0)])
        yield SimpleNamespace(columns=[SimpleNamespace(nbytes=read // 2)])

    table.iter_batches = batches
    with file.bare() as stream:
        stream.read(3)
        if is_refused:
            with pytest.raises(InputError, match="f: read out it is more than 10 times its size"):
                list(long_ids.bounded_batches(table, ["a"], file, stream))
            return
        assert len(list(long_ids.bounded_batches(table, ["a"], file, stream))) == 4
        assert stream.tell() == 3
    assert asked == [(7, [0], ["a"]), (7, [1], ["a"])]


@each_row(
    ("names", "run", "wanted"),
    [
        ("query document score n", True, "query document score"),
        ("query document rank n", True, "query document rank"),
        ("n rank score document query", True, "query document score rank"),
        ("query document n", True, "query document n"),
        ("query document grade n", False, "query document grade"),
        ("query document", False, "query document"),
        ("query document", True, "query document"),
    ],
)
def test_columns_of_no_concern_are_not_read(tmp_path, monkeypatch, names, run, wanted):
    """But for a run without scores and ranks: another column may hold them."""
    asked = []
    monkeypatch.setattr(
        frames, "batches_of", lambda _, choose: asked.append(choose(names.split())) or []
    )
    (tmp_path / "f").write_bytes(b"")
    file = File(tmp_path / "f")
    assert list(frames.of_parquet(file, Problems("f"), run=run)) == []
    assert asked == [wanted.split()]
