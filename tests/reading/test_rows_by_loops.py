"""Rows of separated values, beside a plain loop over all small tables."""

import io
import random
from itertools import product

import numpy as np
import pytest

from irmetrics_edu.checks import limits
from irmetrics_edu.errors import InputError
from irmetrics_edu.reading import tabular
from irmetrics_edu.reading.files import File, Problems
from irmetrics_edu.reading.heads import Use
from irmetrics_edu.reading.tabular import CsvRows
from tests.tables import rows as each_row

HEAD = ["query", "document", "score"]


def wrong_of(row):
    """The first thing that is wrong with a row, or nothing."""
    if len(row) != 3:
        return f"{len(row)} values; expected 3: {HEAD}"
    for name, value in zip(HEAD[:2], row, strict=False):
        if not value.strip():
            return f"{name} {value!r} is not an id"
        if value != value.strip():
            return f"{name} {value!r} has blanks around it; trim it"
    return "" if row[2] == "1" else f"score {row[2]!r} is not a finite number"


ROWS = [
    *map(list, product(["q", "", " q"], ["d", " ", "d "], ["1", "x", ""])),
    ["q", "d"],
    ["q", "d", "1", "2"],
    [],
]


@pytest.mark.parametrize("seed", range(12))
def test_each_row_has_the_first_thing_that_is_wrong_with_it(seed):
    """With its line; a blank line is no row, and good rows are kept."""
    chance = random.Random(seed)
    for _ in range(40):
        batch = [["q", "d", "1"], *chance.choices(ROWS, k=chance.randint(0, 4))]
        chance.shuffle(batch)
        problems = Problems("t")
        rows = CsvRows(HEAD, batch, 7, "t, line 6", problems)
        for name in HEAD[:2]:
            rows.ids(name)
        numbers = rows.numbers("score", run=True)
        wrong = {i: wrong_of(row) for i, row in enumerate(batch, 7) if row and wrong_of(row)}
        assert {p.line: p.wrong for p in problems.kept} == wrong
        assert problems.count == len(wrong)
        kept = [i for i, row in enumerate(batch, 7) if len(row) == 3]
        assert rows.line.tolist() == kept
        assert rows.good.tolist() == [i not in wrong for i in kept]
        assert numbers[rows.good].tolist() == [1.0] * int(rows.good.sum())


@each_row(
    ("cells", "run", "numbers"),
    [
        (["True", "False"], False, [1.0, 0.0]),
        (["True"], False, [1.0]),
        (["True", "1"], False, None),
        (["True", "False"], True, None),
        (["1", "2.5"], False, [1.0, 2.5]),
        (["1", "true"], False, None),
    ],
)
def test_truth_values_alone_are_grades(cells, run, numbers):
    """As pandas writes them; beside numbers or as scores they are told."""
    problems = Problems("t")
    rows = CsvRows(["x"], [[cell] for cell in cells], 2, "t", problems)
    found = rows.numbers("x", run=run)
    if numbers is None:
        assert problems.count > 0
    else:
        assert (found.tolist(), problems.count) == (numbers, 0)


@each_row(
    ("batch", "count", "is_refused"),
    [([], 0, True), ([], 1, False), ([["a", "b"]], 0, False), ([["a"]], 0, False)],
)
def test_names_without_a_line_below_are_refused(batch, count, is_refused):
    """Unless something was wrong with the lines."""
    problems = Problems("t")
    problems.count = count
    rows = CsvRows(["x", "y"], batch, 2, "t, line 1", problems)
    if is_refused:
        with pytest.raises(
            InputError, match=r"t, line 1: it names the columns \(x, y\), and no li"
        ):
            rows.refuse_head_alone()
    else:
        rows.refuse_head_alone()


@pytest.mark.parametrize("at_once", [1, 2, 3, 100])
@pytest.mark.parametrize("named", [False, True])
@each_row("blank", [(), (0,), (1, 1), (0, 2, 2)])
@each_row("first_is_long", [False, True])
def test_rows_keep_their_lines_in_batches_of_any_size(
    tmp_path, monkeypatch, at_once, named, blank, first_is_long
):
    """With names or places, and blank lines anywhere; quoted values go over several lines."""
    monkeypatch.setattr(tabular, "_BATCH", at_once)
    lines = ["q1,a,9.5", 'q1,"b\nc",8.5', "q2,d,7.5", 'q2,"e\n\nf",6.5', "q3,g,5.5"]
    if first_is_long:
        lines[0] = 'q1,"a\na",9.5'
    if named:
        lines.insert(0, "query,document,score")
    for place in blank:
        lines.insert(place, "")
    (tmp_path / "t.csv").write_text("\n".join(lines), encoding="utf-8")
    problems = Problems("t")
    expected, number = [], 1
    for line in lines:
        if line and line != "query,document,score":
            expected.append((number, line.split(",")[0], line.split(",")[1].strip('"')))
        number += line.count("\n") + 1
    found = []
    for rows in tabular.rows_of(File(tmp_path / "t.csv"), problems, ",", Use.RUN):
        names = rows.names
        ids = [rows.ids(name).tolist() for name in names[:2]]
        found += zip(rows.line.tolist(), *ids, strict=True)
    assert found == expected
    assert problems.unnamed is not named


@each_row(
    ("text", "line"),
    [
        (b"x" * 10, None),
        (b"x" * 11, 1),
        (b"ab\n" + b"x" * 11, 2),
        (b"ab\r\ncd\r\n" + b"x" * 11, 3),
        (b"ab\rcd\r" + b"x" * 11, 3),
        (b"abcdefghij\nabcdefghij\n", None),
    ],
)
def test_a_line_of_a_table_that_is_too_long_is_told_by_its_number(tmp_path, text, line):
    """Whatever ends the lines before it."""
    (tmp_path / "t").write_bytes(b"")
    with limits(max_line=10):
        file = File(tmp_path / "t")
    for size in (4, 100):
        checked = tabular._Checked(io.BytesIO(text), file)
        assert checked.readable()
        buffer = bytearray(size)
        parts = []
        try:
            while count := checked.readinto(buffer):
                parts.append(bytes(buffer[:count]))
        except InputError as error:
            assert line is not None
            assert f"t, line {line}: longer than 10 bytes" in str(error)  # noqa: PT017 -- each size
        else:
            assert line is None
            assert b"".join(parts) == text


@each_row(
    ("cells", "are_scores"),
    [(["1", "2"], True), (["1", "x"], False), (["1", "", ""], True), (["x"], False), ([], False)],
)
def test_a_column_of_a_file_may_hold_scores(cells, are_scores):
    """If more than half of what is written are numbers."""
    rows = CsvRows(["x", "y"], [[cell, "z"] for cell in cells], 2, "t", Problems("t"))
    assert rows.is_numeric("x") is are_scores
    assert np.array_equal(rows.line, np.arange(2, 2 + len(cells)))
