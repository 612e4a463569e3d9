"""JSON, CSV, TSV, Parquet, data frames, batches, arrays: all give what the mapping gives."""

import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.dataset
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from irmetrics_edu.errors import InputError
from irmetrics_edu.reading.files import File, Problems
from irmetrics_edu.reading.topics import read_categories, subtopics_of
from irmetrics_edu.rows.aligned_ranking import align
from irmetrics_edu.rows.ranked_rows import Rows
from irmetrics_edu.runs.joining.judgments import read_pool
from tests.aligned_runs import align_run
from tests.conftest import examples

RUN = {"q1": {"d1": 3.5, "d2": 2.25, "d3": 2.25}, "q2": {"d1": 0.5, "é9": -7.0}}
JUDGED = {"q1": {"d3": 1, "d1": 0, "d8": 2}, "q2": {"é9": 1}}
ITEMS = [(q, d, s) for q, documents in RUN.items() for d, s in documents.items()]
COLUMNS = {
    "qid": [q for q, _, _ in ITEMS],
    "docno": [d for _, d, _ in ITEMS],
    "score": [s for _, _, s in ITEMS],
}
JUDGED_COLUMNS = {
    "query_id": [q for q, judged in JUDGED.items() for _ in judged],
    "doc_id": [d for judged in JUDGED.values() for d in judged],
    "relevance": [g for judged in JUDGED.values() for g in judged.values()],
}


def write(folder: Path, name: str) -> tuple[Path, Path]:
    """Run and judgments in files of the format that the name tells."""
    run, qrels = folder / f"run.{name}", folder / f"qrels.{name}"
    if name == "json":
        run.write_text(json.dumps(RUN))
        qrels.write_text(json.dumps(JUDGED))
    elif name == "parquet":
        pq.write_table(pa.table(COLUMNS), run)
        pq.write_table(pa.table(JUDGED_COLUMNS), qrels)
    else:
        separator = "\t" if name == "tsv" else ","
        pd.DataFrame(COLUMNS).to_csv(run, sep=separator, index=False)
        pd.DataFrame(JUDGED_COLUMNS).to_csv(qrels, sep=separator, index=False)
    return run, qrels


def check_same(aligned: Any, ties: str = "given") -> None:
    """The rows, and the documents of each query, are those of the mappings."""
    whole = align_run(RUN, JUDGED, ties=ties)
    for name in ("query", "rank", "grade", "retrieved", "pool_grade", "queries"):
        np.testing.assert_array_equal(getattr(aligned.rows, name), getattr(whole.rows, name))
    for query in JUDGED:
        assert aligned.full(query).document == whole.full(query).document


@pytest.mark.parametrize("name", ["json", "csv", "tsv", "parquet"])
@pytest.mark.parametrize("ties", ["given", "docid"])
def test_files(tmp_path: Path, name: str, ties: str) -> None:
    """A file of any format gives what the mapping gives."""
    check_same(align_run(*write(tmp_path, name), ties=ties), ties)


@pytest.mark.parametrize("name", ["json", "csv"])
def test_packed_files(tmp_path: Path, name: str) -> None:
    """The format is told by the name before .gz."""
    run, qrels = write(tmp_path, name)
    packed = run.with_name(f"{run.name}.gz")
    packed.write_bytes(gzip.compress(run.read_bytes()))
    check_same(align_run(packed, qrels))


@pytest.mark.parametrize(
    "made",
    [
        pd.DataFrame,
        pl.DataFrame,
        pa.table,
        lambda columns: pl.DataFrame(columns).lazy(),
        lambda columns: pd.DataFrame(columns).astype({next(iter(columns)): "category"}),
        lambda columns: pd.DataFrame(columns).convert_dtypes(),
    ],
    ids=["pandas", "polars", "pyarrow", "lazy", "categories", "nullable"],
)
def test_frames(made: Any) -> None:
    """A data frame of any make gives what the mapping gives."""
    check_same(align_run(made(COLUMNS), made(JUDGED_COLUMNS)))
    check_same(align_run(made(COLUMNS), JUDGED))
    check_same(align_run(RUN, made(JUDGED_COLUMNS)))


def test_frames_without_arrow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where Arrow isn't installed a frame is read all the same."""
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    check_same(align_run(pl.DataFrame(COLUMNS), pl.DataFrame(JUDGED_COLUMNS)))


def test_parquet_without_arrow_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The message names the extra."""
    run, _ = write(tmp_path, "parquet")
    monkeypatch.setitem(__import__("sys").modules, "pyarrow.parquet", None)
    with pytest.raises(InputError, match=r"pip install pyarrow .the extra frames"):
        align_run(run, JUDGED)


@pytest.mark.parametrize("size", [1, 2, 4, 100])
def test_batches_may_cut_queries(tmp_path: Path, size: int) -> None:
    """An Arrow dataset is read a batch at a time, and no query is cut in two."""
    pq.write_table(pa.table(COLUMNS), tmp_path / "run.parquet", row_group_size=size)
    check_same(align_run(pyarrow.dataset.dataset(tmp_path / "run.parquet"), JUDGED))
    check_same(align_run(tmp_path / "run.parquet", JUDGED))


def test_an_iterable_of_pieces() -> None:
    """Pieces of whole queries, mappings or frames, give the same as all at once."""
    frame = pd.DataFrame(COLUMNS)
    pieces = [frame[frame.qid == "q2"], {"q1": RUN["q1"]}]
    aligned = align_run(iter(pieces), JUDGED)
    assert aligned.rows.rank.tolist() == align_run(RUN, JUDGED).rows.rank.tolist()
    with pytest.raises(InputError, match="the run came as an iterable"):
        aligned.full("q1")


@pytest.mark.parametrize("again", [{"q1": ["d9"]}, pd.DataFrame(COLUMNS)[:2]])
def test_a_query_in_two_pieces_is_refused(again: Any) -> None:
    """An iterable can't be read twice, so a query that comes back is an error."""
    with pytest.raises(InputError, match=r"'q1' was in an earlier piece|comes in two pieces"):
        align_run(iter([RUN, again]), JUDGED)


def test_ranks_instead_of_scores() -> None:
    """A column of ranks orders the documents, the lowest first."""
    frame = pd.DataFrame({"query": ["q"] * 3, "document": ["a", "b", "c"], "rank": [3, 1, 2]})
    assert align_run(frame, {"q": ["a"]}).full("q").document == ["b", "c", "a"]


def test_whole_numbers_as_ids() -> None:
    """Ids that are whole numbers on both sides match; numbers never match text."""
    frame = pd.DataFrame({"user": [1, 1, 2], "item": [7, 8, 9], "score": [1.0, 2.0, 3.0]})
    assert align_run(frame, {1: {7: 1}, 2: {8: 1}}).rows.rank.tolist() == [2]
    with pytest.raises(InputError, match=r"ids are whole numbers, and those of .* are texts"):
        align_run(frame, {1: {"7": 1}})
    with pytest.raises(InputError, match=r"judged query '1' only in type \(.* a CSV file makes"):
        align_run(frame, {"1": {7: 1}})


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"score": [1, 2, np.nan, 4, 5]}, "row 3: 'nan': score nan is not a finite number"),
        ({"docno": ["a", "b ", "c", "d", "e"]}, "row 2: 'b ': docno 'b ' has blanks around it"),
        ({"docno": ["a", None, "c", "d", "e"]}, "is not an id; expected text"),
        ({"docno": ["a", "", "c", "d", "e"]}, "is not an id; expected text"),
        ({"docno": ["a", "b", "a", "d", "e"]}, "row 3: 'a': query 'q1', document 'a': ranked tw"),
        ({"score": list("abcde")}, "column 'score' holds String, not numbers"),
    ],
)
def test_rows_that_are_wrong(change: Any, says: str) -> None:
    """A malformed row is told by its number, with what it holds."""
    frame = pd.DataFrame({**COLUMNS, **change})
    with pytest.raises(InputError, match=says):
        align_run(frame, JUDGED)


def test_rows_left_out_are_counted() -> None:
    """With skip_bad, malformed rows are left out and counted."""
    frame = pd.DataFrame({**COLUMNS, "score": [3.5, np.nan, 2.25, 0.5, -7]})
    aligned = align_run(frame, JUDGED, skip_bad=True)
    assert (aligned.noted.skipped, aligned.full("q1").document) == (1, ["d1", "d3"])


@pytest.mark.parametrize(
    ("columns", "says"),
    [
        ({"q": ["a"], "doc_id": ["d"]}, r"the run \(DataFrame\): there is no column of the query"),
        (
            {"query": ["a"], "d": ["d"]},
            r"the run \(DataFrame\): there is no column of the document",
        ),
    ],
)
def test_columns_that_are_not_there(columns: Any, says: str) -> None:
    """An error lists the names that would do and those that are there."""
    with pytest.raises(InputError, match=says):
        align_run(pd.DataFrame(columns), JUDGED)
    with pytest.raises(InputError, match="no column of the grade"):
        read_pool(pd.DataFrame(COLUMNS))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "it is empty; expected a header that names its columns"),
        ("a,b\n1,2\n", "line 1: there is no column of the query"),
        ("q\n", "line 1: there is no column of the query"),
        ("9\n", "line 1: '9' is a line of one column; expected query, document"),
        ("query,document,score\nq,d,1\nq,e\n", "line 3: 'q,e': 2 values; expected 3"),
        ("query,document,score\nq,d,high\n", "line 2: 'q,d,high': score 'high' is not a finite"),
        ("query,document,score\nq, d,1\n", "line 2: ' d': document ' d' has blanks around it"),
        ("query,document,score\nq,d,1\nq,,1\n", "line 3: '': document '' is not an id"),
        ("query,document,score\nq,,1\nq,d,1\n", "line 2: '': document '' is not an id"),
        ("query,document,score\nq,d,1\n,e,1\n", "line 3: '': query '' is not an id"),
        ("query,document,score\nq,d,1\nq, ,1\n", "line 3: ' ': document ' ' is not an id"),
        ('query,document,score\nq,"d"x,1\n', "line 2 or soon after"),
    ],
)
def test_csv_that_is_wrong(tmp_path: Path, text: str, says: str) -> None:
    """A malformed line of CSV is told by file and line."""
    path = tmp_path / "run.csv"
    path.write_text(text)
    with pytest.raises(InputError, match=says):
        align_run(path, JUDGED)


def test_csv_with_quotes_and_more_columns(tmp_path: Path) -> None:
    """Quoted values and columns of no concern are read as CSV has them."""
    path = tmp_path / "run.csv"
    path.write_text('tag,document,query,score\n"x, y","d ""1""",q,2\n"x\n",d2,q,1\n')
    assert align_run(path, {"q": ["d2"]}).full("q").document == ['d "1"', "d2"]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{", "line 1: "),
        ('{"q": {"d": NaN}}', "NaN is not a finite number"),
        ('{"q": {"d": 1, "d": 2}}', "'d' occurs twice in one object"),
        ("[1]", "line 1: a list; expected"),
        ('{"q":\n {"d": 1e999}}', "query 'q', document 'd': score inf is not finite"),
        ('{"q": {"d": "1"}}', "query 'q', document 'd': score '1' is not a number"),
        ('{"q": 5}', "query 'q': 5 is not a ranking"),
        ("[" * 100_000, "nested too deeply|Expecting"),
        ('{"q": {"d": 1' + "0" * 5000 + "}}", "score inf is not finite"),
    ],
)
def test_json_that_is_wrong(tmp_path: Path, text: str, says: str) -> None:
    """What is no JSON, or no run, is told by file and line, or query and document."""
    path = tmp_path / "run.json"
    path.write_text(text)
    with pytest.raises(InputError, match=says):
        align_run(path, {"q": {"d": 1}})


@given(raw=st.binary(max_size=120) | st.text("qd,\"'\n\t{}[]:1.", max_size=60).map(str.encode))
@pytest.mark.parametrize("kind", ["json", "csv", "tsv", "parquet"])
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=examples(60))
def test_any_bytes_give_an_error_or_a_result(tmp_path: Path, kind: str, raw: bytes) -> None:
    """Whatever a file holds, there is a result or an error of ours."""
    path = tmp_path / "file"
    header = b"query,document,score\n" if kind == "csv" else b""
    path.write_bytes(header + raw)
    try:
        align_run(path, {"q": {"d": 1}}, format=kind)
    except InputError:
        return


def recommended_one_by_one(recommended: Any, held_out: Any) -> Rows:
    """Each user's list aligned alone."""
    return Rows.joined(
        [
            align(row, dict.fromkeys(held, 1), query=user)
            for user, (row, held) in enumerate(zip(recommended, held_out, strict=True))
        ]
    )


@pytest.mark.parametrize("kind", ["lists", "arrays", "sets", "table", "mappings", "text"])
def test_recommended_items(kind: str) -> None:
    """A 2-D array beside ragged held-out items gives what aligning each user gives."""
    rng = np.random.default_rng(3)
    recommended = np.argsort(rng.random((300, 40)), axis=1)[:, :20]
    sizes = np.full(300, 4) if kind == "table" else rng.integers(1, 9, 300)
    held_out: Any = [rng.permutation(60)[:n].tolist() for n in sizes]
    each = recommended_one_by_one(recommended.tolist(), held_out)
    if kind == "arrays":
        held_out = [np.array(h) for h in held_out]
    elif kind == "sets":
        held_out = [set(h) for h in held_out]
    elif kind == "table":
        held_out = np.array(held_out)
    elif kind == "mappings":
        held_out = [dict.fromkeys(h, 1) for h in held_out]
    elif kind == "text":
        recommended = recommended.astype(str)
        held_out = [list(map(str, h)) for h in held_out]
    aligned = align_run(recommended, held_out)
    judged = each.where(each.judged)
    np.testing.assert_array_equal(aligned.rows.query, judged.query)
    np.testing.assert_array_equal(aligned.rows.rank, judged.rank)
    np.testing.assert_array_equal(aligned.rows.retrieved, each.retrieved)
    np.testing.assert_array_equal(aligned.rows.relevant(), each.relevant())
    assert aligned.full(7).document == recommended[7].tolist()


def test_padding_of_short_rows() -> None:
    """Short lists are filled up with a number that is named."""
    recommended = np.array([[5, 6, -1, -1], [7, -1, -1, -1]])
    aligned = align_run(recommended, [[6], [8]], padding=-1)
    assert aligned.rows.rank.tolist() == [2]
    assert aligned.rows.retrieved.tolist() == [2, 1]
    assert aligned.full(0).document == [5, 6]
    with pytest.raises(InputError, match="query 0, document -1: ranked twice"):
        align_run(recommended, [[6], [8]])
    aligned = align_run(recommended, [[6], [8]], skip_bad=True)
    assert (aligned.noted.skipped, aligned.rows.retrieved.tolist()) == (3, [3, 2])


@pytest.mark.parametrize(
    ("recommended", "held_out", "says"),
    [
        (
            np.array([1, 2]),
            [[1]],
            "the recommended items are not a 2-D array with a row for each user",
        ),
        (np.array([[1, 2]]), [[1], [2]], "1 rows of recommended items and 2 collections"),
        (np.array([[1.0, 2.0]]), [[1]], "item ids are of type float64"),
        (np.array([[1, 2]]), [1], "a collection of item ids for each user"),
        (np.array([[1, 2]]), np.ones((1, 2, 0), dtype=int), "an array of 3 axes; give one of two"),
        (np.array([[1, 2]]), [["1"]], "ids are whole numbers, and those of .* are texts"),
        (np.array([[1, 2]]), [[1, 1]], "query 0, document 1: judged twice"),
        (np.array([[1, 2]]), [[]], "it is empty|nothing is judged"),
    ],
)
def test_recommendations_that_are_wrong(recommended: Any, held_out: Any, says: str) -> None:
    """Shapes, types and repetitions are told."""
    with pytest.raises(InputError, match=says):
        align_run(recommended, held_out)


def test_subtopics(tmp_path: Path) -> None:
    """Diversity judgments: query, subtopic, document, grade."""
    path = tmp_path / "qrels"
    path.write_text("1 1 d1 1\n1\t2  d1 0\n1 1 d2 2\n\n")
    expected = {"1": {"d1": {"1": 1.0, "2": 0.0}, "d2": {"1": 2.0}}}
    assert subtopics_of(File(path), Problems("")) == expected
    path.write_text("1 1 d1 1\n1 1 d1\n1 1 d2 x\n1 1 d1 0\n")
    with pytest.raises(InputError) as caught:
        subtopics_of(File(path), Problems(""))
    for line in ("line 2: '1 1 d1': 3 fields", "line 3: .*'x'", "line 4: .*judged twice"):
        caught.match(line)
    problems = Problems("", skip=True)
    assert subtopics_of(File(path), problems) == {"1": {"d1": {"1": 1.0}}}
    assert problems.count == 3


def test_categories(tmp_path: Path) -> None:
    """The categories of items, a line each, or JSON."""
    path = tmp_path / "items"
    path.write_text("i1 drama\ni1 comedy\ni2\tscience fiction\n")
    expected = {"i1": {"drama", "comedy"}, "i2": {"science fiction"}}
    assert read_categories(path) == (expected, 0)
    path = tmp_path / "items.json"
    path.write_text(json.dumps({item: sorted(names) for item, names in expected.items()}))
    assert read_categories(path) == (expected, 0)
    path.write_text('{"i1": "drama"}')
    with pytest.raises(InputError, match="item 'i1' has 'drama'; expected a list"):
        read_categories(path)
    path = tmp_path / "bad"
    path.write_text("i1 science fiction\n")
    with pytest.raises(InputError, match=r"line 1: .*3 fields; expected 2: item category"):
        read_categories(path)
