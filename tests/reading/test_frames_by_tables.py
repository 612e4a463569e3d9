"""Columns of tables in memory, and what holds them: each rule over a table of small ones."""

import math
from itertools import product
from types import SimpleNamespace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest

from irmetrics_edu.checks import ReadingLimits
from irmetrics_edu.errors import InputError
from irmetrics_edu.reading import frames, long_ids, tables, tabular
from irmetrics_edu.reading.files import File, Problems
from irmetrics_edu.reading.series import table_of
from irmetrics_edu.reading.trec import QRELS, RUN, _rather
from tests.tables import rows as each_row

CELLS = [1, -2.0, 1.5, None, math.nan, " ", "a", True]


def is_none(cell):
    """Whether a cell holds nothing."""
    return cell is None or cell == " " or cell != cell  # noqa: PLR0124 -- NaN alone


@pytest.mark.parametrize("size", range(4))
def test_whole_numbers_are_whole_again_where_some_are_missing(size):
    """If nothing else stands in the column; else it stays as it is."""
    for cells in product(CELLS, repeat=size):
        left = [cell for cell in cells if not is_none(cell)]
        values, whole = frames._whole_again([*cells])
        if len(left) in (0, size):
            expected = size > 0 and all(type(cell) is int for cell in cells)
        else:
            expected = all(type(cell) is int or cell == -2.0 for cell in left)
        assert whole is expected, cells
        if whole:
            assert values == [None if is_none(cell) else int(cell) for cell in cells]
            assert {type(value) for value in values} <= {int, type(None)}
        else:
            assert all(a is b for a, b in zip(values, cells, strict=True))


NO_ID = [
    ("a", False, ""),
    ("a b", False, ""),
    ("é", False, ""),
    ("", False, "is not an id; expected text"),
    (" a", False, "has blanks around it; trim it"),
    ("a\u3000", False, "has blanks around it; trim it"),
    ("\ud800", False, "is not text in UTF-8"),
    (b"a", False, "is not text in UTF-8"),
    ([], False, "is not an id but a list"),
    (("a",), True, "is not an id but a list"),
    (np.zeros(1), False, "is not an id but a list"),
    (1.0, False, "is not an id, as it has a point"),
    (1.5, False, "is not an id; expected text"),
    (None, False, "is not an id; expected text"),
    (1, False, "is not an id; expected text"),
    (None, True, "is missing; the other rows have whole numbers"),
    (1, True, ""),
    (2**63 - 1, True, ""),
    (-(2**63), True, ""),
    (2**63, True, "is a whole number too large for 64 bits"),
    (-(2**63) - 1, True, "is a whole number too large for 64 bits"),
    (2**63, False, "is a whole number too large for 64 bits"),
]


@each_row(("value", "whole", "says"), NO_ID)
def test_what_is_no_id_is_told(value, whole, says):
    """By what it is instead; a whole number is one in a column of them."""
    found = frames._no_id("n", value, whole=whole)
    assert says in found
    assert bool(found) == bool(says)


def column(values):
    """A column of Arrow."""
    return table_of(pa.table({"x": values}), "t")["x"]


@each_row(
    ("cells", "is_plain"),
    [
        (["a"], True), (["!a~"], True), (["\x7f"], True), (["a b"], True), (["aéa"], True),
        (["a", "é"], False), (["éa"], False), (["a\x1f"], False), ([" a"], False),
        (["\x00"], False),
        (["a", ""], False), (["a", None], False), ([None, "a"], False), ([], False),
    ],
)  # fmt: skip
def test_texts_of_arrow_are_read_where_they_are_if_they_are_plain(cells, is_plain):
    """None is missing or empty, and at an edge stands no blank and no letter of several bytes."""
    for array in (pa.array(cells, pa.string()), pa.array(["z", *cells], pa.string())[1:]):
        found = frames._of_arrow(column(array))
        assert (found is not None) == is_plain
        if found is not None:
            assert [*found] == cells
    assert frames._of_arrow(column(pa.array([1, 2]))) is None


def arrays():
    """Texts as Arrow may hold them, with some that are missing."""
    texts = ["aé", None, "", "bbbb", "aé", "aé", "c"]
    plain = pa.array(texts, pa.string())
    yield texts, plain
    yield texts, plain.cast(pa.large_string())
    yield texts, plain.dictionary_encode()
    yield texts, pa.array(texts, type=pa.string_view())
    yield texts, pc.run_end_encode(plain)
    yield texts, pa.chunked_array([plain[:3], plain[3:]])
    yield [None, None], pa.array([None, None], pa.string()).dictionary_encode()


def test_the_bytes_of_texts_are_asked_where_they_are_held():
    """Of each row, also of a part of an array; what holds no texts has none."""
    for texts, array in arrays():
        sizes = [len((text or "").encode()) for text in texts]
        for begin, end in ((0, 7), (1, 7), (3, 6), (2, 2)):
            part = array[begin:end]
            assert long_ids.lengths(part).tolist() == sizes[begin:end]
            shared = long_ids.lengths_where_shared(part)
            is_shared = not (pa.types.is_string(array.type) or pa.types.is_large_string(array.type))
            assert (shared is not None) == is_shared
            if shared is not None:
                assert shared.tolist() == sizes[begin:end]
    for other in (pa.array([1]), pa.chunked_array([pa.array([1]), pa.array([2])]), [1], None):
        assert long_ids.lengths(other) is None
        assert long_ids.lengths_where_shared(other) is None
    assert long_ids.lengths(pa.chunked_array([], pa.string())).tolist() == []
    numbers = pa.array([1, 2]).dictionary_encode()
    assert long_ids.lengths(numbers) is None
    assert long_ids.lengths(pc.run_end_encode(pa.array([1, 1]))) is None


def test_the_bytes_of_a_column_of_polars_are_asked_of_it():
    """None is no text, and numbers have none."""
    pl = pytest.importorskip("polars")
    texts = pl.Series(["aé", None, "b"])
    assert long_ids.lengths(texts).tolist() == [3, 0, 1]
    assert long_ids.lengths_where_shared(texts).tolist() == [3, 0, 1]
    assert long_ids.lengths(pl.Series([1, 2])) is None
    assert long_ids.lengths_where_shared(pl.Series([1, 2])) is None
    assert long_ids.bytes_of(texts) == texts.estimated_size()
    held = pa.array(["a", "b"])
    assert long_ids.bytes_of(held) == held.get_total_buffer_size()


@each_row("sizes", [[], [3], [10, 10], [3, 11, 12], [11], [10, 3, 11]])
def test_the_first_text_that_is_too_long_is_told_by_its_row(sizes):
    """As long as the limit it may be."""
    most = ReadingLimits(max_line=10)
    rows = [1000 + i for i in range(len(sizes))]
    long = [i for i, size in enumerate(sizes) if size > 10]
    if not long:
        long_ids.refuse_long(np.array(sizes), "t", rows, most)
        return
    with pytest.raises(InputError, match=f"t, row {rows[long[0]]:,}: an id of 11 bytes, longer"):
        long_ids.refuse_long(np.array(sizes), "t", rows, most)


@each_row(
    ("read_out", "held", "is_refused"),
    [(99, 1, False), (100, 1, False), (101, 1, True), (101, 50, False), (150, 50, False),
     (151, 50, True)],
)  # fmt: skip
def test_what_swells_beyond_its_size_is_refused(read_out, held, is_refused, monkeypatch):
    """Up to a size that anything may have it is read."""
    monkeypatch.setattr(long_ids, "FREE", 100)
    most = ReadingLimits(max_ratio=3)
    if not is_refused:
        long_ids.refuse_swollen(read_out, held, "t", most)
        return
    with pytest.raises(InputError, match="t: read out it is more than 3 times its size"):
        long_ids.refuse_swollen(read_out, held, "t", most)


def test_rows_of_frames_are_counted_on_and_their_names_looked_at():
    """From the first row of the first frame; a row that became the names is refused."""
    parts = [pa.table({"query": ["q"] * n, "document": ["d"] * n}) for n in (2, 0, 3)]
    lines = [rows.line.tolist() for rows in frames.rows_of(parts, Problems("t"))]
    assert lines == [[1, 2], [], [3, 4, 5]]
    lost = pa.table({"q1": ["q2"], "d1": ["d2"]})
    for asked, is_refused in (({"q1": "query"}, True), ({"x": "query"}, False), ({}, False)):
        rows = frames.rows_of([lost], Problems("t", asked=asked))
        if is_refused:
            with pytest.raises(InputError, match="t: the names of its columns, 'q1', 'd1', are a"):
                next(rows)
        else:
            assert len([*rows]) == 1


def test_a_row_has_one_problem_and_is_left_out():
    """The first that is found."""
    problems = Problems("t")
    rows = frames.TableRows(["a"], "t", np.arange(5, 8), problems)
    rows.refuse(1, "x", "first")
    rows.refuse(1, "y", "second")
    assert rows.good.tolist() == [True, False, True]
    assert [(p.line, p.text, p.wrong) for p in problems.kept] == [(6, "x", "first")]
    assert problems.count == 1


@each_row(
    ("has", "is_frame", "is_batched", "is_reader"),
    [
        ((), False, False, False),
        (("columns",), True, False, False),
        (("column_names",), True, False, False),
        (("columns", "to_batches"), True, False, False),
        (("to_batches",), False, True, False),
        (("read_next_batch",), False, False, True),
    ],
)
def test_tables_are_known_by_what_they_can(has, is_frame, is_batched, is_reader):
    """A frame, what gives batches any number of times, and what gives them once."""
    value = type("Made", (), dict.fromkeys(has))()
    found = frames.is_frame(value), frames.is_batched(value), frames.is_reader(value)
    assert found == (is_frame, is_batched, is_reader)
    assert frames.is_table(value) == any(found)
    assert tables.is_readable(value) == is_reader
    assert not frames.is_frame(np.zeros((2, 2)))


@each_row(
    ("names", "cells", "lists"),
    [
        (["a", "b"], [[["x"], ["y"]], [1, 2]], ["a"]),
        (["a", "b"], [[["x"]], [["y"]]], ["a", "b"]),
        (["a"], [[None, ["x"]]], []),
        (["a"], [[]], []),
    ],
)
def test_columns_of_lists_are_known_by_their_first_cell(names, cells, lists):
    """And are refused with what makes rows of them."""
    table = pa.table(
        [pa.array(c, None if c else pa.list_(pa.string())) for c in cells], names=names
    )
    assert frames.FrameRows(table, Problems("t")).names_of_lists() == lists
    frames.refuse_lists([], "t")
    with pytest.raises(InputError, match=r"t: a list in each row of 'a', 'b'; .*explode"):
        frames.refuse_lists(["a", "b"], "t")


@each_row(
    ("name", "text", "kind"),
    [
        ("r.json", b"x", "json"), ("r.JSONL", b"x", "jsonl"), ("r.pq", b"x", "parquet"),
        ("r.parquet", b"x", "parquet"), ("r.json.gz", b"x", "json"), ("r.jsonl.zst", b"x", "jsonl"),
        ("r", b"PAR1", "parquet"), ("r.csv", b"PAR1", "parquet"), ("r", b' { "a": 1}', "json"),
        ("r.tsv", b"{}", "json"), ("r", b"{a}", "trec"), ("r", b"", "trec"), ("r.csv", b"", "csv"),
        ("r.tsv", b"", "tsv"), ("r.inter", b"", "tsv"), ("r.csv", b"q 0 d 1\n", "trec"),
        ("r.trec", b"q,d\nr,d\n", "csv"), ("r.txt", b"q;d\nr;d\n", "csv"),
        ("r.csv", b"q\td\t1\nr\td\t1\n", "tsv"), ("r.txt", b"q d 1\n", "trec"),
        ("r.csv.json", b"q,d\n", "json"), ("r.json.csv", b"q,d\nr,d\n", "csv"),
    ],
)  # fmt: skip
def test_a_format_is_told_by_the_name_or_the_first_lines(tmp_path, name, text, kind):
    """Lines of TREC are read as such under any name of a table."""
    (tmp_path / name).write_bytes(text)
    assert tables.format_of(File(tmp_path / name)) == kind


@each_row(
    ("text", "tag"),
    [("q Q0 d 1 2 mine\nq Q0 e 2 1 other\n", "mine"), ("q Q0 d 1 2\n", "r"), ("", "r"),
     ("q Q0 d 1 2 a b\n", "r"), ("query,document\nq,d\n", "r"), ("\nq Q0 d 1 2 t\n", "r")],
)  # fmt: skip
def test_the_name_of_a_run_is_its_tag_or_that_of_its_file(tmp_path, text, tag):
    """Of the first line."""
    (tmp_path / "r").write_text(text, encoding="utf-8")
    assert tables.tag(File(tmp_path / "r")) == tag


class Library:
    """A data set of ir_datasets."""

    def __init__(self, *rows):
        self.rows = rows

    def qrels_iter(self):
        """Judgments, by subtopic where they have them."""
        for query, document, value, *subtopic in self.rows:
            yield SimpleNamespace(
                query_id=query, doc_id=document, relevance=value, score=-value,
                subtopic_id=subtopic[0] if subtopic else None,
            )  # fmt: skip

    scoreddocs_iter = qrels_iter


def test_data_sets_of_a_library_are_mappings():
    """Runs by scores, judgments by grades and by subtopics; what comes twice is refused."""
    data = Library(("q", "a", 1), ("q", "b", 2), ("r", "a", 3))
    judged = {"q": {"a": 1, "b": 2}, "r": {"a": 3}}
    assert tables.of_library(data, run=False) == judged
    scores = {q: {d: -v for d, v in of.items()} for q, of in judged.items()}
    assert tables.of_library(data, run=True) == scores
    by_topic = Library(("q", "a", 1, "s"), ("q", "a", 2, "t"), ("q", "b", 0, "s"))
    found = tables.of_library(by_topic, run=False, subtopics=True)
    assert found == {"q": {"a": {"s": 1, "t": 2}, "b": {"s": 0}}}
    for run, what in ((True, "ranked"), (False, "judged")):
        with pytest.raises(InputError, match=f"query 'q', document 'a': {what} twice in the data"):
            tables.of_library(by_topic, run=run)
    with pytest.raises(InputError, match="judged twice in the data set"):
        tables.of_library(Library(*[("q", "a", 1, "s")] * 2), run=False, subtopics=True)
    assert tables.of_library(7, run=True) == 7


@pytest.mark.parametrize(
    ("origin", "count", "is_kept"), [(0, 0, True), (5, 0, False), (0, 1, False)]
)
def test_a_source_is_kept_once_it_was_read_whole_and_well(origin, count, is_kept):
    """What was met then is told each time; a reading from within, or of odd lines, is not kept."""
    readings = []

    def pieces(problems, at):
        readings.append(at)
        problems.count = count
        problems.told["odd"] += 1
        problems.columns = {"query": "q"}
        problems.unnamed = True
        yield SimpleNamespace(compact=lambda: "part")

    kept = tables.Source("t", pieces).kept()
    first = Problems("t")
    assert len([*kept.pieces(first, origin)]) == 1
    for _ in range(2):
        again = Problems("t")
        [part] = kept.pieces(again, 0)
        assert (part == "part") == is_kept or len(readings) > 1
        assert (again.told, again.columns, again.unnamed) == ({"odd": 1}, {"query": "q"}, True)
    assert readings[0] == origin
    assert len(readings) == {(0, 0): 1, (5, 0): 2, (0, 1): 3}[origin, count]
    made = []
    assert [kept.once(made.append), kept.once(made.append)] == [None, None]
    assert len(made) == 1


@each_row(
    ("text", "says"),
    [
        ('{"q": {"a": 1e999, "b": 1}}', "query 'q', document 'a': score inf is not finite"),
        ('{"q": {"b": 1, "a": 1e999}}', "query 'q', document 'a': score inf is not finite"),
        ('{"q": {"a": true, "b": 1}}', "query 'q', document 'a': score True is True or False"),
        ('{"q": ["a", "b", "a"]}', "query 'q', document 'a', rank 3: ranked twice"),
        ('{"q": ["a", 1]}', "query 'q'"),
        ('{"q": ["a", null]}', "query 'q'"),
        ('{"p": ["a"], "q": "a"}', "query 'q': 'a' is not a ranking"),
        ("[]", "line 1: a list; expected"),
        ('[{"query": "q", "document": "d", "score": 1}, 5]', "line 1: a list; expected"),
    ],
)
def test_a_ranking_in_json_is_checked_in_each_place(tmp_path, text, says):
    """Wherever in it something is wrong."""
    (tmp_path / "r.json").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=says):
        tabular.of_json_run(File(tmp_path / "r.json"))


@each_row(
    ("digits", "kind"),
    [(1, int), (20, int), (299, int), (300, float), (309, float), (400, float)],
)
def test_a_number_of_many_digits_is_a_float(digits, kind):
    """As Python refuses to read those of thousands."""
    found = tabular._whole("9" * digits)
    assert type(found) is kind
    assert found == (float("9" * digits) if kind is float else 10**digits - 1)


@each_row(
    ("hits", "expected"),
    [
        (["a", "b"], ["a", "b"]),
        ([1, 2], [1, 2]),
        ([], {}),
        ([{"id": "a", "score": 2}, {"corpus_id": "b", "sim": 1}], {"a": 2, "b": 1}),
        (["a", {"id": "b", "score": 1}], "'a' is no result; expected 'corpus_id' and 'score'"),
        ([{"id": "a"}], "is no result"),
        ([{"id": "a", "score": 1}, {"id": "a", "score": 1}], "document 'a': ranked twice"),
        ([{"id": "a", "score": "1"}], "document 'a': score '1' is not a number"),
        (["a", "a"], "ranked twice"),
    ],
)
def test_results_of_a_query_are_ids_or_hits(hits, expected):
    """All of them of one kind."""
    if isinstance(expected, str):
        with pytest.raises(InputError, match=expected):
            tabular._ranking_of(hits, "q", "f, line 1: ")
    else:
        assert tabular._ranking_of(hits, "q", "f, line 1: ") == expected


@each_row(
    ("rows", "expected"),
    [
        ([{"qid": "q", "results": ["a"]}, {"qid": "r", "results": []}], {"q": ["a"], "r": {}}),
        ([{"results": ["a"]}], "line 1: there are 'results'; expected 'query_id' and 'results'"),
        ([{"qid": "q", "results": "a"}], "line 1: there are 'qid', 'results'"),
        ([{"qid": "q", "results": []}, {"qid": "q", "results": []}], "line 2: query 'q': a line"),
        ([], "it is empty"),
    ],
)
def test_lines_of_results_are_a_run(rows, expected):
    """Each query once."""
    if isinstance(expected, str):
        with pytest.raises(InputError, match=expected):
            tabular._of_results(enumerate(rows, 1), "f")
    else:
        assert tabular._of_results(enumerate(rows, 1), "f") == expected


@each_row(
    ("layout", "words", "says"),
    [
        (RUN, [b"#", b"x"], "a comment"), (RUN, [b"a#"], ""), (RUN, [], ""),
        (RUN, [b"a,b"], "rename the file to end in .csv"), (RUN, [b"a,b", b"c"], ""),
        (QRELS, [b"a,b"], "rename the file to end in .csv"), (RUN, [b"w"] * 4, "judgments have 4"),
        (RUN, [b"w"] * 5, ""), (QRELS, [b"w"] * 5, "an id with a blank"), (QRELS, [b"w"] * 4, ""),
        (QRELS, [b"w"] * 6, "a run has 6"), (QRELS, [b"w"] * 7, ""), (RUN, [b"w"] * 6, ""),
        (QRELS, [b"#w"] * 6, "a comment"),
    ],
)  # fmt: skip
def test_what_a_line_is_rather_is_told_by_its_fields(layout, words, says):
    """Of others nothing is said."""
    found = _rather(layout, words)
    assert says in found
    assert bool(found) == bool(says)
