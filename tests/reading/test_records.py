"""Small tables and whole texts: lines, encodings, and what is refused."""

import pytest

from irmetrics_edu.errors import InputError
from irmetrics_edu.reading.files import File
from irmetrics_edu.reading.records import decoded, objects, rows, table


def test_a_row_is_named_by_the_line_on_which_it_begins():
    """A quoted value may hold the end of a line, and blank lines count."""
    found = list(rows('a,b\n"x\ny",1\n\nz,2\n', "t.csv", ","))
    assert found == [(1, ["a", "b"]), (2, ["x\ny", "1"]), (4, []), (5, ["z", "2"])]
    with pytest.raises(InputError, match=r"t.csv, line 2: .*separated by semicolons"):
        list(rows('a;b\n"x"y;1\n', "t.csv", ";"))


def test_a_table_has_a_head_and_rows_that_are_not_blank(tmp_path):
    """Each with its line, whatever separates the values."""
    path = tmp_path / "t.csv"
    path.write_text("a;b\n;\n1;2\n\n", encoding="utf-8-sig")
    found = table(path)
    assert (found.head, found.rows) == (["a", "b"], [(3, ["1", "2"])])
    path.write_bytes(b"")
    assert (table(path).head, table(path).rows) == ([], [])


@pytest.mark.parametrize(
    ("raw", "wide", "says"),
    [
        (b"a\nb\xff", False, "f, line 2: byte 3 is not UTF-8; do this"),
        (b"\xef\xbb\xbfa\n\xff", False, "f, line 2: byte 2 is not UTF-8; do this"),
        (b"a\n\nb\0", False, "f, line 3: a zero byte is no text; do this"),
        ("a\nb".encode("utf-16")[:-1], True, "f, line 2: byte 6 is not UTF-16; do this"),
    ],
)
def test_what_is_no_text_is_refused_with_its_line_and_byte(raw, wide, says):
    """The byte is counted from 0, after the mark of the encoding."""
    with pytest.raises(InputError) as caught:
        decoded(raw, "f", "do this", wide=wide)
    assert str(caught.value) == says


@pytest.mark.parametrize("line", ["[1]", "{", "[" * 100_000, '"a"'])
def test_a_line_that_is_no_object_is_refused_with_its_number(tmp_path, line):
    """Lines before it are given first, and blank lines are passed over."""
    path = tmp_path / "f.jsonl"
    path.write_text('{"a": 1}\n\n' + line)
    found = objects(File(path))
    assert next(found) == (1, {"a": 1})
    with pytest.raises(InputError, match=r"f.jsonl, line 3: .*expected"):
        next(found)
