"""What the first lines of a table tell, each rule beside a plain loop over all small tables."""

import re
from itertools import pairwise, product

import pytest

from irmetrics_edu.errors import InputError
from irmetrics_edu.reading import heads
from irmetrics_edu.reading.heads import Use, by_position, names_columns
from tests.tables import rows as each_row


def ranks_by_a_loop(cells, queries):
    """Whether a column holds ranks (True), scores (False), or may hold either (None)."""
    if any(re.fullmatch(r" *[0-9]+ *", cell) is None for cell in cells):
        return False
    of_query = {}
    for query, cell in zip(queries, cells, strict=True):
        of_query.setdefault(query, []).append(int(cell))
    pairs = [pair for numbers in of_query.values() for pair in pairwise(numbers)]
    if not pairs:
        return max(map(int, cells)) <= 1
    if all(above < below for above, below in pairs):
        return True
    if all(above >= below for above, below in pairs):
        return False
    counted = all(sorted(n) == [*range(1, len(n) + 1)] for n in of_query.values())
    return True if counted else None


@pytest.mark.parametrize(
    "queries", ["a", "ab", "aa", "abc", "aab", "aba", "aaa", "abab", "aaba", "aaaa"]
)
def test_a_column_holds_ranks_if_they_rise_or_count(queries):
    """Of each query alone, wherever its rows stand."""
    digits = ["0", "1", "2", "3"] if len(queries) > 2 else ["0", "1", " 2 ", "3", "0.5", "-1", "x"]
    for cells in product(digits, repeat=len(queries)):
        values = heads._Values([cells], [*queries], "run.csv, line 1", Use.RUN)
        assert values._are_ranks(0) is ranks_by_a_loop(cells, queries), cells


def is_named_by_a_loop(first, below):
    """Whether a first line names the columns."""
    if any(cell.strip().strip('"').lower() in heads.KNOWN_NAMES for cell in first):
        return True
    if any(cell.strip() == "" for cell in first):
        return True
    alike = [row for row in below if len(row) == len(first)]
    columns = [[row[i] for row in alike] for i in range(len(first))]
    if any(cell in column for cell, column in zip(first, columns, strict=True)):
        return False
    of_data = False
    for cell, column in zip(first, columns, strict=True):
        digits = any("0" <= one <= "9" for one in cell)
        all_below = all(any("0" <= one <= "9" for one in under) for under in column)
        if column and all_below and not digits:
            return True
        shapes = [re.sub("[0-9]+", "0", under) for under in column]
        is_number = re.fullmatch(r"-?[0-9.]+", cell) is not None
        of_data = of_data or is_number or (digits and re.sub("[0-9]+", "0", cell) in shapes)
    return not of_data


@each_row("first", product(["q1", "-7.5", "word", " ", '"QID"', "doc"], repeat=2))
def test_a_first_line_names_columns_as_a_loop_says(first):
    """Over the lines below, of which some are wider."""
    cells = ["q1", "q22", "8", "name"]
    for below in product(product(cells, cells), repeat=2):
        for beside in ([], [("q1", "word", "doc")], [("-7.5",)]):
            rows = [*below, *beside]
            assert names_columns(first, rows) == is_named_by_a_loop(first, rows), rows
    for below in ([], [("q1",)], [("q9", "x", "y")]):
        assert names_columns(first, below) == is_named_by_a_loop(first, below), below


RUN, JUDGED, BY_TOPIC = Use.RUN, Use.JUDGMENTS, Use.SUBTOPICS
# The rows, what they are read for, the roles that were asked for, and those that all have.
PLACES = [
    (["q1 d1", "q1 d2"], RUN, {}, "query document"),
    (["q1 d1 1", "q1 d2 2"], RUN, {}, "query document rank"),
    (["q1 d1 9", "q1 d2 8"], RUN, {}, "query document score"),
    (["q1 d1 1"], RUN, {}, "query document rank"),
    (["q1 d1 0"], RUN, {}, "query document rank"),
    (["q1 d1 2"], RUN, {}, "query document score"),
    (["q1 d1 1 9.5", "q1 d2 2 8.5"], RUN, {}, "query document rank score"),
    (["q1 d1 9.5 1", "q1 d2 8.5 2"], RUN, {}, "query document score rank"),
    (["q1 d1 9.5 1 t", "q1 d2 8.5 2 t"], RUN, {}, "query document score rank -"),
    (["q1 d1 9.5 t", "q1 d2 8.5 t"], RUN, {}, "query document score -"),
    (["q1 Q0 d1 1 9.5 t", "q1 Q0 d2 2 8.5 t"], RUN, {}, "query - document rank score -"),
    (["q1 0 d1 9.5", "q1 q0 d2 8.5"], RUN, {}, "query - document score"),
    (["q1 d1 9.5", "q1 d2 8.5 7", "q1 d3 7.5"], RUN, {}, "query document score"),
    (["q1 d1 1", "q1 d2 2"], RUN, {"3": "score"}, "query document score"),
    (["q1 d1 1", "q1 d2 2"], RUN, {"3": "score", "4": "rank"}, "query document score"),
    (["q1 d1 1", "q1 d2 2"], RUN, {"3": "grade"}, "query document rank"),
    (["d1 q1 9", "d2 q1 8"], RUN, {"2": "query"}, "document query score"),
    (["9 d1 q1", "8 d2 q1"], RUN, {"3": "query", "1": "score"}, "score document query"),
    (["1 q1 d1", "2 q1 d2"], RUN, {"2": "query", "3": "document"}, "rank query document"),
    (["1 q1 d1", "2 q2 d2"], RUN, {"2": "query", "3": "document"}, "score query document"),
    (["q1 d1", "q2 d2"], JUDGED, {}, "query document"),
    (["q1 d1 1", "q2 d2 0"], JUDGED, {}, "query document grade"),
    (["q1 0 d1 1", "q2 0 d2 0"], JUDGED, {}, "query - document grade"),
    (["q1 d1 3 881250949", "q2 d2 5 891717742"], JUDGED, {}, "query document grade -"),
    (["q1 d1 1", "q2 d2 0"], JUDGED, {"3": "score"}, "query document grade"),
    (["1 d1 q1", "0 d2 q2"], JUDGED, {"1": "grade"}, "grade query document"),
    (["q1 0 d1 1", "q2 0 d2 0"], BY_TOPIC, {}, "query subtopic document grade"),
    (["q1 s d1 1", "q2 s d2 0"], BY_TOPIC, {"2": "subtopic"}, "query subtopic document grade"),
    (["s q1 d1 1", "s q2 d2 0"], BY_TOPIC, {"1": "subtopic"}, "subtopic query document grade"),
]
ASKED = [
    (["q1"], RUN, {}, "'q1' is a line of one column; expected query, document, and a rank"),
    (["q1 d1 x", "q1 d2 y"], RUN, {}, "column 3 holds no numbers"),
    (["q1 d1 x 1", "q1 d2 y 2"], RUN, {}, "column 3 holds no numbers"),
    (["q1 d1 x y", "q1 d2 x y"], RUN, {}, "column 3 holds no numbers"),
    (["q1 d1 9", "q1 d2 x"], RUN, {}, "column 3 holds no numbers"),
    (["q1 d1 3", "q1 d2 1", "q1 d3 3"], RUN, {}, "column 3 may hold ranks or scores"),
    (["q1 d1 .5 .5", "q1 d2 .5 .5"], RUN, {}, "2 columns may be the score or the rank"),
    (["q1 d1 1 1", "q1 d2 2 2"], RUN, {}, "2 columns may be the score or the rank"),
    (["q1 d1 x"], JUDGED, {}, "column 3 holds no numbers"),
    (["q1 d1 1 2"], JUDGED, {}, "2 columns may be the grade"),
    (["q1 d1 3 881250949", "q2 d2 5 9"], JUDGED, {}, "2 columns may be the grade"),
    (["q1 d1 3 881250949 1"], JUDGED, {}, "3 columns may be the grade"),
    (["q1 0 d1"], BY_TOPIC, {}, "0 columns may be the grade"),
    (["q1 d1 9"], RUN, {"q1": "query", "d1": "document"}, r"--columns 1=query,2=document\b"),
    (["q1 d1 9"], RUN, {"1": "query", "d1": "document"}, r"--columns 1=query,2=document\b"),
    (["q1 d1 9"], RUN, {"9": "score", "x": "query"}, r"--columns 3=score,x=query\b"),
    (["1 d1 q1"], RUN, {"q1": "query", "1": "rank"}, r"--columns 3=query,1=rank\b"),
]


@each_row(("rows", "table", "asked", "roles"), PLACES)
def test_columns_have_roles_by_their_places(rows, table, asked, roles):
    """From the left, but for those that a caller names."""
    expected = {str(i): role for i, role in enumerate(roles.split(), 1) if role != "-"}
    found = by_position([row.split() for row in rows], "t.csv", table, asked)
    assert found == expected
    assert [*found] == [*expected]


@each_row(("rows", "table", "asked", "says"), ASKED)
def test_columns_that_may_be_either_are_asked_about(rows, table, asked, says):
    """With the number of the column, or of columns that may be it."""
    with pytest.raises(InputError) as refused:
        by_position([row.split() for row in rows], "t.csv, line 1", table, asked)
    told = (
        f"{refused.value} {refused.value.in_command(['--columns'])}"
        if asked
        else str(refused.value)
    )
    assert re.search(says, told), told


FIELDS = ["q1", "0", "Q0", "7.5", "inf"]


@pytest.mark.parametrize("width", range(1, 8))
def test_lines_of_trec_are_told_by_their_fields(width):
    """Four with an iteration and a number at the end, or six with a rank and a score."""
    plain = ["q1", "0", "d1", "1", "2.5", "t", "x"][:width]
    assert heads._is_trec([" ".join(plain)] * 3) == (width in (4, 6))
    for place, field in product(range(width), FIELDS):
        other = [*plain[:place], field, *plain[place + 1 :]]
        lines = [" ".join(plain), "\t".join(other)]
        numbers = all(re.fullmatch(r"[0-9.]+", other[i]) for i in (3, 4) if i < width)
        iteration = width != 4 or other[1] in ("0", "Q0")
        expected = width in (4, 6) and numbers and iteration
        assert heads._is_trec(lines) == expected, other
        assert heads._is_trec([*lines, "q1 0"]) is False
    assert heads._is_trec([" ".join(plain), " ".join([*plain, "x"])]) is False
    assert heads._is_trec(["qid\t0\td1\t1", "q1\t0\td1\t1"]) is False


@each_row("end", ["\n", "\r\n", "\r"])
def test_the_first_lines_of_a_head_are_whole_and_filled(end):
    """At most twenty; the last one counts only if it ends, or is alone."""
    for count in (1, 2, 19, 20, 21, 25):
        lines = [f"line {i}" for i in range(count)]
        whole = end.join(lines).encode()
        assert heads._lines(whole + end.encode()) == lines[:20]
        assert heads._lines(whole) == (lines if count == 1 else lines[:-1])[:20]
        blank = (end + "  " + end).join(lines) + end
        assert heads._lines(blank.encode()) == lines[:20]
        assert heads._lines((whole.decode() + f"{end}cut").encode()) == lines[:20]
        assert heads._lines(f"{end}cut".encode()) == []


@each_row(
    ("head", "named", "separator"),
    [
        ("", ",", ","),
        ("", "", ""),
        ("qid,docno,a note\nq1,a b\n", "", ","),
        ("qid,x\nq1,a\n", "", ","),
        ("qid,docno,a,b,c\nq1,a\n", "", ","),
        ("q1 a,b\nq1 c,d\n", "", ""),
        ("q1 a,b\nq1,c\n", "", ""),
        ("qid,a,b,c\nq1,a,b,c\n", "", ""),
        ("docno,a,b,c\nq1,a,b,c\n", "", ""),
        ("qid,a b,c\nq1,a\n", "", ""),
        ("a,docno,b\nq1,a\n", "", ""),
        ("q1\ta b\nq1\tc d\n", "", "\t"),
        ("q1;a\nq1;b\n", ",", ";"),
        ("q1,a\nq1,b\n", "\t", ","),
        ("q1,a;b\nq1,c;d\n", ",", ","),
        ("q1\n", ",", ","),
        ('"q1,x"y,1\n', "", ","),
    ],
)
def test_what_separates_values_is_told_by_names_or_numbers(head, named, separator):
    """Of names that are known one is a query's and one a document's, whatever stands below."""
    assert heads.separator_within(head.encode(), named) == separator


@each_row("count", range(4))
def test_names_that_count_from_0_are_those_of_pandas(count):
    """Others are a row, where what stands below says so."""
    cells = [str(i) for i in range(count)]
    assert heads.are_numbered(cells)
    assert not heads.are_numbered([str(i + 1) for i in range(max(count, 1))])
    heads.refuse_row_as_names(cells, [["1"] * count], "t")
    with pytest.raises(InputError, match="t: the names of its columns, 'q1', '9', are a row"):
        heads.refuse_row_as_names(["q1", "9"], [["q2", "8"]], "t")
    heads.refuse_row_as_names(["query", "9"], [["q2", "8"]], "t")
