"""What a first look at a file decides, each over a table of small files."""

import io
import json
from itertools import pairwise, product

import numpy as np
import pytest

from irmetrics_edu import evaluate
from irmetrics_edu.checks import limits
from irmetrics_edu.errors import InputError
from irmetrics_edu.libraries import TREC_EVAL
from irmetrics_edu.reading import files, frames, heads, json_shapes, tabular
from irmetrics_edu.reading.heads import Use, _free, separator_within
from irmetrics_edu.reading.other_formats import _first_lines
from irmetrics_edu.reading.rank_columns import _FEWEST, run_against
from tests.tables import rows as each_row


class Waiting(io.BytesIO):
    """A pipe that would wait for ever once its bytes are read."""

    def read(self, size=-1):
        """Fail where the pipe would wait."""
        part = super().read(size)
        assert part, "it waits for bytes that nobody asked for"
        return part


@pytest.mark.parametrize("asked", [0, 1, 5, 9, 10])
def test_no_more_of_a_pipe_is_taken_than_is_asked_for(asked):
    """What was written is read before the writer goes on."""
    kept = files._Kept(Waiting(b"0123456789"))
    assert kept.read(0, asked) == b"0123456789"[:asked]
    assert kept.read(asked // 2, asked - asked // 2) == b"0123456789"[asked // 2 : asked]


def test_a_file_that_cannot_be_read_is_refused_by_name(tmp_path, monkeypatch):
    """Already where its first bytes are looked at: a disk may be damaged there."""

    class Damaged(io.BytesIO):
        def read(self, *_):
            raise OSError(5, "Input/output error")

    path = tmp_path / "run.txt"
    path.write_text("q1 Q0 a 1 1 t\n", encoding="utf-8")
    monkeypatch.setattr(files.File, "bare", lambda _: Damaged())
    with pytest.raises(InputError, match=r"run\.txt: it can't be read: Input/output error"):
        _ = files.File(path).packing


ODD = [
    *(b"q1 Q0 \xff 1 9 t", b"q1 Q0 d\x009 1 9 t", b"\xfe Q0 d9 1 9 t", b"q1 Q0 d9 1 9 \xff"),
    *(b"q1 Q0 \x80 1 9 t", b"\x00q1 Q0 d9 1 9 t"),
]


@pytest.mark.parametrize("odd", ODD)
@pytest.mark.parametrize("place", range(4))
def test_a_line_that_is_no_text_is_left_out_whole(tmp_path, odd, place):
    """With `skip_bad` the others count as if it were not there, where a file is read as text."""
    lines = [b"q1 Q0 a 1 3 t", b"q1 Q0 b 2 2 t", b"q2 Q0 a 1 1 t"]
    plain, spoilt = tmp_path / "plain.txt", tmp_path / "spoilt.txt"
    plain.write_bytes(b"\n".join(lines) + b"\n")
    spoilt.write_bytes(b"\n".join([*lines[:place], odd, *lines[place:]]) + b"\n")
    qrels = {"q1": {"b": 1, "d9": 2}, "q2": {"a": 1}}
    strict = {"conventions": TREC_EVAL.using(reading="strict")}
    found = evaluate(spoilt, qrels, "nDCG RR P@1", skip_bad=True, **strict).per_query
    assert found == evaluate(plain, qrels, "nDCG RR P@1").per_query
    with pytest.raises(InputError, match=rf"spoilt\.txt: a malformed line.*\n  line {place + 1}: "):
        evaluate(spoilt, qrels, "RR", **strict)


@each_row("width", range(1, 7))
@each_row(("separator", "named"), [*product("\t,;", ["", "\t", ","])])
def test_a_table_is_told_by_how_many_values_each_line_has(width, separator, named):
    """Two or three without a promise of the name; with one, two and more."""
    lines = [separator.join(f"{letter}{i}" for letter in "abcdef"[:width]) for i in range(3)]
    found = separator_within("\n".join(lines).encode() + b"\n", named)
    is_told = width >= 2 if named else 2 <= width <= 3
    assert found == (separator if is_told else named)
    ragged = f"{lines[0]}{separator}g"
    assert separator_within("\n".join([*lines, ragged]).encode() + b"\n", named) == named


TEXT = b"one\r\n\ntwo\n \nthree\nfour"


@each_row("end", range(1, len(TEXT) + 1))
def test_the_first_lines_are_whole_ones(end):
    """The last one counts only if it ends there, or if there is no other."""
    head = TEXT[:end]
    whole = head[: head.rfind(b"\n") + 1] if b"\n" in head else head
    expected = [line for line in whole.replace(b"\r", b"").split(b"\n") if line.strip()]
    assert [*_first_lines(head)] == expected


@each_row("count", [18, 19, 20, 21, 40])
@each_row("between", [b"", b"\n", b" \r\n\n"])
def test_twenty_lines_tell_a_format(count, between):
    """Blank lines between them do not count."""
    lines = [b"line %d" % number for number in range(count)]
    head = b"".join(line + b"\n" + between for line in lines)
    assert [*_first_lines(head)] == lines[:20]


KEYS = ("_id", "_score")


@pytest.mark.parametrize("missing", [(), ("_id",), ("_score",), KEYS])
@pytest.mark.parametrize("place", [0, 1])
def test_an_answer_of_a_search_is_one_if_each_hit_has_an_id_and_a_score(tmp_path, missing, place):
    """Else it is refused by name, and never read in part."""
    hits = [{"_id": "a", "_score": 2.0}, {"_id": "b", "_score": 1.0}]
    for key in missing:
        del hits[place][key]
    path = tmp_path / "answers.json"
    path.write_text(json.dumps({"q1": {"hits": {"hits": hits}}}), encoding="utf-8")
    if not missing:
        assert evaluate(path, {"q1": {"b": 1}}, "RR").mean["RR"] == 0.5
        return
    with pytest.raises(InputError, match=r"answers\.json"):
        evaluate(path, {"q1": {"b": 1}}, "RR")


@pytest.mark.parametrize("cells", [*product(["d1", "7", "0.5", "-.25"], repeat=3)])
def test_a_column_for_the_document_of_each_rank_holds_no_decimals(tmp_path, cells):
    """With one decimal the columns may be scores of topics, folds or models."""
    path = tmp_path / "wide.csv"
    path.write_text("query,doc_1,doc_2,doc_3\nq1," + ",".join(cells) + "\n", encoding="utf-8")
    with pytest.raises(InputError) as refused:
        evaluate(path, {"q1": {"d1": 1}}, "RR")
    is_scores = any("." in cell for cell in cells)
    assert ("hold the documents of a query in one row" in str(refused.value)) != is_scores


@pytest.mark.parametrize(
    ("last", "is_time"),
    [(5, False), (99_999_999, False), (100_000_000, False), (100_000_001, True)],
)
def test_a_fourth_column_is_a_time_where_no_grade_goes(tmp_path, last, is_time):
    """Ratings without names, as MovieLens has them: user, item, rating, time."""
    path = tmp_path / "ratings.csv"
    path.write_text("".join(f"u{i},m{i},{i % 5 + 1},{last}\n" for i in range(4)), encoding="utf-8")
    run = {f"u{i}": {f"m{i}": 1.0} for i in range(4)}
    if is_time:
        assert evaluate(run, path, "RR").mean["RR"] == 1
        return
    with pytest.raises(InputError, match=r"ratings\.csv.*may be the grade"):
        evaluate(run, path, "RR")


@pytest.mark.parametrize("order", [("query", "document"), ("document", "query")])
def test_a_long_id_in_parquet_is_found_in_whichever_column_it_is(tmp_path, order):
    """Also behind a column whose texts can't be long."""
    pa = pytest.importorskip("pyarrow")
    pq = pytest.importorskip("pyarrow.parquet")
    n = 90
    columns = {"query": ["q"] * n, "document": ["d" * (1 << 20) + "d"] * n}
    table = {name: columns[name] for name in order} | {"score": np.arange(n, 0.0, -1)}
    path = tmp_path / "run.parquet"
    pq.write_table(pa.table(table), path)
    with limits(max_line=1 << 20), pytest.raises(InputError, match="an id of 1,048,577 bytes"):
        evaluate(path, {"q": {"d": 1}}, "RR")


@each_row("value", [5, 1.5, True, b"run", bytearray(b"run"), object(), np.float64(1)])
def test_what_is_neither_a_run_nor_judgments_is_refused_by_its_type(value):
    """In either place."""
    held = {"q1": {"d1": 1}}
    name = type(value).__name__
    with pytest.raises(InputError, match=rf"the run \({name}\) can't be read; give a mapping"):
        evaluate(value, held, "RR")
    with pytest.raises(InputError, match=rf"the judgments \({name}\) can't be read; give a"):
        evaluate(held, value, "RR")


@each_row(
    ("cells", "may_be_scores"),
    [
        ([1, 2], True),
        ([0.5, None], True),
        ([float("inf"), 1.0], True),
        (["1", "2.5"], True),
        ([True, False], False),
        (["a", "b"], False),
        ([None, None], False),
    ],
)
def test_a_column_by_another_name_that_may_be_the_scores_is_asked_about(cells, may_be_scores):
    """Rows are not taken in their order where a column of numbers may say another."""
    pd = pytest.importorskip("pandas")
    run = pd.DataFrame({"query": ["q1", "q1"], "document": ["d1", "d2"], "kept": cells})
    judged = {"q1": {"d1": 1}}
    if may_be_scores:
        with pytest.raises(InputError, match="'kept' holds numbers"):
            evaluate(run, judged, "RR")
    else:
        assert evaluate(run, judged, "RR").mean["RR"] == 1


@each_row(("table", "width"), [*product(Use, range(1, 7))])
@each_row("second", [("0", "0"), ("Q0", "q0"), ("0", "1")])
def test_the_second_column_of_trec_has_no_role(table, width, second):
    """In a table as wide as TREC's files, if it says nothing; a subtopic may be called 0."""
    columns = [("a1", "b2")] * width
    columns[1:2] = [second] * (width > 1)
    is_of_trec = table is not Use.SUBTOPICS and width >= 4 and second != ("0", "1")
    open_roles = [i for i in range(width) if i != 1 or not is_of_trec]
    for given in [(), (0,), (1,), (2,), (0, 2), (1, 5)]:
        roles = {str(place + 1): "query" for place in given}
        assert _free(roles, columns, table) == [i for i in open_roles if i not in given]


@pytest.mark.parametrize("rows_at_once", [1, 2, 3, 100])
@pytest.mark.parametrize("blank", range(4))
@pytest.mark.parametrize("head", ["query,document,score\n", ""])
@pytest.mark.parametrize("above", [0, 1, 3])
def test_blank_lines_are_no_rows_however_many(
    tmp_path, monkeypatch, rows_at_once, blank, head, above
):
    """Where a file is read some lines at a time: lines keep their numbers, and a file its rows."""
    monkeypatch.setattr(tabular, "_BATCH", rows_at_once)
    path = tmp_path / "run.csv"
    rows = ["q1,a,2.5", "q1,b,1.5", "q2,b,0.5"]
    text = "\n" * above + ("\n" * (blank + 1)).join([*head.splitlines(), *rows]) + "\n"
    path.write_text(text, encoding="utf-8")
    judged = {"q1": {"b": 1}, "q2": {"b": 1}}
    assert evaluate(path, judged, "RR").per_query == {"RR": {"q1": 0.5, "q2": 1.0}}
    path.write_text(f"{text}q2,c,high\n", encoding="utf-8")
    number = text.count("\n") + 1
    with pytest.raises(InputError, match=rf"line {number}: "):
        evaluate(path, judged, "RR")
    path.write_text(text.replace("q1,a", " q1,a"), encoding="utf-8")
    number = text.partition("q1,a")[0].count("\n") + 1
    with pytest.raises(InputError, match=rf"line {number}: "):
        evaluate(path, judged, "RR")


@pytest.mark.parametrize("queries", [(0, 0, 0), (0, 0, 0, 1), (0, 1, 1, 1)])
def test_ranks_run_against_scores_as_neighbours_say(queries):
    """Each two neighbours of a query by rank, over all small runs; equal ranks say nothing."""
    alone = queries.index(1) if queries.count(1) == 1 else 0
    for ranks, scores in product(product((1, 2, 3), repeat=3), repeat=2):
        others = len(queries) - 3
        at = alone if others else 3
        rank = [*ranks[:at], *[2] * others, *ranks[at:]]
        score = [*scores[:at], *[2] * others, *scores[at:]]
        by_rank = sorted(zip(queries, rank, score, strict=True), key=lambda row: row[:2])
        pairs = [
            (above[2], below[2])
            for above, below in pairwise(by_rank)
            if above[0] == below[0] and above[1] < below[1]
        ]
        higher = sum(below > above for above, below in pairs)
        expected = higher >= _FEWEST and all(below >= above for above, below in pairs)
        assert run_against(*map(np.array, (queries, rank, score))) == expected


@pytest.mark.parametrize("size", range(5))
def test_a_column_holds_numbers_if_more_than_half_of_its_texts_are(size):
    """In a frame blank texts don't count; in a table without names they are no numbers."""
    for cells in product(["1", "-2.5", "x", " "], repeat=size):
        numbers = sum(cell in ("1", "-2.5") for cell in cells)
        written = sum(cell != " " for cell in cells)
        assert frames.mostly_numbers(cells) == (numbers > written - numbers)
        values = heads._Values([cells], ["q"] * size, "run.csv, line 1", Use.RUN)
        assert values._are_numbers(0) == (numbers > size - numbers)


@each_row("number", ["1", "-0.5", "+2", "1e3", ".5", "7.", " 1 ", "-1E-3"])
@each_row("spoilt", ["{}", "{}_0", "{}x", "x{}", "{} 1", "{},1", "inf", "nan", "1e400", ""])
def test_a_number_is_a_finite_one_as_people_write_it(number, spoilt):
    """Python alone reads 1_000 as a number."""
    assert heads.is_number(spoilt.format(number)) == (spoilt == "{}")


@each_row("held", [*product([0, 1], repeat=4)])
def test_an_object_has_the_names_of_an_id_and_of_a_number_or_neither(held):
    """The first of each that is usual, in whatever order the object has them."""
    names = ("id", "docno", "score", "sim")
    one = {name: 1 for name, there in reversed([*zip(names, held, strict=True)]) if there}
    first_id = next((name for name in names[:2] if name in one), None)
    first_value = next((name for name in names[2:] if name in one), None)
    whole = first_id is not None and first_value is not None
    expected = (first_id, first_value) if whole else None
    assert json_shapes._names_of(one, names[:2], names[2:]) == expected
    assert json_shapes._names_of([one], names[:2], names[2:]) is None
