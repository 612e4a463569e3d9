"""Which columns of a table are read, and that no run is ranked by the order of its rows unsaid."""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import dask.dataframe as dd
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from irmetrics_edu import InputError, compare, evaluate
from irmetrics_edu.cli import main
from irmetrics_edu.distributed import evaluate_distributed

QRELS = {"q": {"b": 1}}
# By the scores b stands first, in the order of rows second: reciprocal ranks of 1 and 1/2.
ROWS = {"query": ["q", "q"], "document": ["a", "b"]}


def as_csv(columns: Any, folder: Path) -> Path:
    """A file of CSV."""
    pd.DataFrame(columns).to_csv(folder / "run.csv", index=False)
    return folder / "run.csv"


def as_parquet(columns: Any, folder: Path) -> Path:
    """A file of Parquet."""
    pq.write_table(pa.table(columns), folder / "run.parquet")
    return folder / "run.parquet"


FORMS = [
    as_csv,
    as_parquet,
    lambda columns, _: pd.DataFrame(columns),
    lambda columns, _: pl.DataFrame(columns),
    lambda columns, _: pa.table(columns),
]
forms = pytest.mark.parametrize(
    "form", FORMS, ids=["csv", "parquet", "pandas", "polars", "pyarrow"]
)
Form = Callable[[Any, Path], Any]


@forms
@pytest.mark.parametrize("name", ["score", "similarity", "relevance_score", "_score", " Score "])
def test_scores_by_their_usual_names(form: Form, name: str, tmp_path: Path) -> None:
    """Read as scores, and the counts say which column was; a note, where it isn't `score`."""
    e = evaluate(form({**ROWS, name: [1.0, 2.0]}, tmp_path), QRELS, "RR")
    assert e.mean["RR"] == 1
    assert e.counts.columns["run"] == {"query": "query", "document": "document", "score": name}
    assert e.facts()["counts"]["columns"] == {"run": e.counts.columns["run"]}
    assert any(f"{name!r} as score" in note for note in e.notes()) == (name != "score")


@forms
@pytest.mark.parametrize("values", [[1.0, 2.0], [1, 2], ["1.5", "2e1"]], ids=str)
def test_numbers_by_another_name_are_refused(form: Form, values: Any, tmp_path: Path) -> None:
    """They may be the scores: the error names the column and what to call it."""
    with pytest.raises(InputError) as caught:
        evaluate(form({**ROWS, "closeness": values}, tmp_path), QRELS, "RR")
    assert "there is no column of the score" in str(caught.value)
    assert "'closeness' holds numbers. If the rows are in ranked order" in str(caught.value)


@forms
def test_rows_in_ranked_order_are_taken_and_said(form: Form, tmp_path: Path) -> None:
    """Columns of text beside the ids are no scores."""
    e = evaluate(form({**ROWS, "title": ["8 1/2", "x"]}, tmp_path), QRELS, "RR")
    assert e.mean["RR"] == 1 / 2
    assert "score" not in e.counts.columns["run"]
    said = "the run has no column of scores: its documents are ranked by the order of its rows"
    assert said in e.notes()


@forms
def test_judgments_say_their_columns(form: Form, tmp_path: Path) -> None:
    """Those of grades and those by subtopic."""
    run = {"q": {"b": 2.0, "a": 1.0}}
    e = evaluate(run, form({**ROWS, "label": [0, 1]}, tmp_path), "RR")
    assert e.counts.columns["judgments"]["grade"] == "label"
    assert e.mean["RR"] == 1
    by_subtopic = {"qid": ["q", "q"], "intent": [1, 2], "docno": ["a", "b"], "rel": [1, 1]}
    e = evaluate(run, form(by_subtopic, tmp_path), "alpha_nDCG@2")
    assert e.counts.columns["judgments"] == {
        "query": "qid", "subtopic": "intent", "document": "docno", "grade": "rel",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("header", "says"),
    [
        ("query,document,score,score", "2 columns are called 'score'"),
        ("query,document,Score,score", "2 columns are called 'score'"),
        ("query,document,document,score", "2 columns are called 'document'"),
    ],
)
def test_two_columns_of_one_name(header: str, says: str, tmp_path: Path) -> None:
    """Which is meant can't be told."""
    (tmp_path / "run.csv").write_text(f"{header}\nq,a,1,2\n", encoding="utf-8")
    with pytest.raises(InputError, match=says):
        evaluate(tmp_path / "run.csv", QRELS, "RR")
    table = pa.table([["q"], ["a"], [1.0], [2.0]], names=header.split(","))
    with pytest.raises(InputError, match=says):
        evaluate(table, QRELS, "RR")


SHUFFLED = {
    "query": ["p", "q", "p", "q", "q"],
    "document": ["x", "c", "y", "a", "b"],
    "rank": [2, 3, 1, 1, 2],
    "score": [5.0, 1.0, 5.0, 1.0, 1.0],
}
JUDGED = {"q": {"b": 1}, "p": {"y": 1}}


@forms
@pytest.mark.parametrize("conventions", ["irmetrics_edu", "cwl_eval"])
def test_a_column_of_ranks_settles_what_scores_leave_open(
    form: Form, conventions: str, tmp_path: Path
) -> None:
    """Ties that stand as given, and conventions that read no scores, follow the ranks."""
    for order in range(5):
        mixed = random.Random(order).sample(range(5), 5)
        columns = {name: [values[i] for i in mixed] for name, values in SHUFFLED.items()}
        for without in ("score", ""):
            given = {name: values for name, values in columns.items() if name != without}
            e = evaluate(form(given, tmp_path), JUDGED, "RR", conventions)
            assert e.per_query["RR"] == {"q": 1 / 2, "p": 1}


SHARED = "2 documents share their score with another of the same query"


def test_ties_and_scores_that_are_not_read_are_said() -> None:
    """A note says whose order it is, whatever the run came as; not where ids settle it."""
    run = {"q": {"a": 1.0, "b": 1.0}}
    frame = pd.DataFrame({**ROWS, "score": [1.0, 1.0]})
    for given in (run, frame):
        for conventions, note in (
            (
                "trec_eval",
                f"{SHARED}: ties=docid orders them; choose another order with ties= or --ties",
            ),
            ("irmetrics_edu", f"{SHARED}, and these are in the order given"),
            ("recbole", f"{SHARED}, and these are in the order given"),
            ("cwl_eval", "2 documents are in the order given: the conventions read no scores"),
        ):
            e = evaluate(given, QRELS, "RR", conventions)
            assert [n for n in e.notes() if n.startswith("2 ")] == [note]


def distributed(columns: Any, parts: int = 1) -> Any:
    """A frame of Dask."""
    return dd.from_pandas(pd.DataFrame(columns), npartitions=parts, sort=False)


def test_a_distributed_frame_has_no_order_of_rows() -> None:
    """Without scores and ranks, or where scores aren't read, there is no ranking."""
    bare = {name: SHUFFLED[name] for name in ("query", "document")}
    with pytest.raises(InputError, match="no column of scores or ranks, and the rows of a dist"):
        evaluate_distributed(distributed(bare), JUDGED, "RR")
    scored = {**bare, "score": SHUFFLED["score"]}
    with pytest.raises(InputError, match=r"cwl_eval reads no scores .* give a column 'rank'"):
        evaluate_distributed(distributed(scored), JUDGED, "RR", "cwl_eval")
    for conventions in ("irmetrics_edu", "cwl_eval"):
        e = evaluate_distributed(distributed(SHUFFLED), JUDGED, "RR", conventions)
        assert e.per_query["RR"] == {"q": 1 / 2, "p": 1}
        assert e.counts.columns["run"]["rank"] == "rank"


@forms
def test_names_of_other_peoples_tables(form: Form, tmp_path: Path) -> None:
    """MovieLens, PyTerrier and BEIR: the judgments and the run by the names that they use.

    PyTerrier's results have the words of the topic and a number of its own beside the ids.
    """
    movielens = {"userId": ["q", "q"], "movieId": ["a", "b"], "rating": [2, 5], "timestamp": [1, 2]}
    pyterrier = {
        "qid": ["q", "q"], "docid": [7, 8], "docno": ["a", "b"], "rank": [1, 0],
        "score": [1.0, 2.0], "query": ["words of a topic"] * 2,
    }  # fmt: skip
    beir = {"query-id": ["q", "q"], "corpus-id": ["a", "b"], "score": [2, 5]}
    run = form(pyterrier, tmp_path)
    with_texts = {
        "query": ["some words"], "query_id": ["q"], "document": ["a passage"], "doc_id": ["b"],
        "relevance": [1],
    }  # fmt: skip
    by_user = {"user": ["u"], "query": ["q"], "item": ["i"], "document": ["b"], "grade": [1]}
    two = {"qid": ["q"], "docno": ["b"], "label": [1]}
    for judged in (movielens, beir, two, with_texts, by_user):
        e = evaluate(run, pd.DataFrame(judged), "RR nDCG@1")
        assert dict(e.mean) == {"RR": 1, "nDCG@1": 1}
        assert any("a rating of 1 counts" in n for n in e.notes()) == ("rating" in judged)
        assert (
            "columns of the run are read by other names: 'qid' as query, 'docno' as document"
        ) in e.notes()
    with pytest.raises(InputError) as caught:
        evaluate(run, pd.DataFrame({**two, "qid": ["p"]}), "RR")
    assert str(caught.value) == (
        "no query of the run is judged; compare the ids: the run has 'q', and the judgments have "
        "'p'; columns of the run are read by other names: 'qid' as query, 'docno' as document; "
        "columns of the judgments are read by other names: 'qid' as query, 'docno' as document, "
        "'label' as grade"
    )


@forms
def test_judgments_of_two_columns_list_what_is_relevant(form: Form, tmp_path: Path) -> None:
    """Held-out items need no grades; with a third column of an unknown name they do."""
    run = {"user": ["u", "u", "v"], "item": ["a", "b", "c"], "score": [2.0, 1.0, 1.0]}
    held = {"user": ["u", "v"], "item": ["b", "c"]}
    e = evaluate(form(run, tmp_path), pd.DataFrame(held), "RR")
    assert e.per_query["RR"] == {"u": 1 / 2, "v": 1}
    assert e.notes()[0] == (
        "only relevant documents are given, so all others count as not relevant"
    )
    (tmp_path / "held").mkdir()
    pd.DataFrame(held).to_csv(tmp_path / "held" / "out.csv", index=False)
    again = evaluate(form(run, tmp_path), tmp_path / "held" / "out.csv", "RR")
    assert again.per_query == e.per_query
    with pytest.raises(InputError, match=r"no column of the grade; .* 'stars'"):
        evaluate(form(run, tmp_path), pd.DataFrame({**held, "stars": [1, 1]}), "RR")
    twice = pd.DataFrame({"user": ["u", "u"], "item": ["b", "b"]})
    with pytest.raises(InputError, match="'b': judged twice"):
        evaluate(form(run, tmp_path), twice, "RR")


@forms
def test_columns_that_the_caller_names(form: Form, tmp_path: Path) -> None:
    """Any name has the role that it is given, also where another column has the usual name."""
    odd = {"reader": ["q", "q"], "book": ["a", "b"], "score": [2.0, 1.0], "liking": [1.0, 2.0]}
    columns = {"reader": "query", "book": "document", "liking": "score", "stars": "grade"}
    judged = pd.DataFrame({"reader": ["q"], "book": ["b"], "stars": [3], "grade": [0]})
    e = evaluate(form(odd, tmp_path), judged, "RR", columns=columns)
    assert e.mean["RR"] == 1
    assert e.counts.columns["run"] == {"query": "reader", "document": "book", "score": "liking"}
    assert e.working("RR", "q").value == 1  # read again, by the same names
    with pytest.raises(InputError, match="have a column 'pages' to be read as rank"):
        evaluate(form(odd, tmp_path), judged, "RR", columns={**columns, "pages": "rank"})
    with pytest.raises(InputError, match="'book' is to be read as 'item'; say one of query, doc"):
        evaluate(form(odd, tmp_path), judged, "RR", columns={"book": "item"})
    with pytest.raises(InputError, match="if 'book' is the column, turn it round: book=document"):
        evaluate(form(odd, tmp_path), judged, "RR", columns={"document": "book"})
    with pytest.raises(InputError, match=r"no column of the query.* by columns=;"):
        evaluate(form(odd, tmp_path), judged, "RR")


def test_columns_of_pieces_and_of_several_runs(tmp_path: Path) -> None:
    """The names hold for each piece, for judgments that runs share, and for subtopics."""
    odd = pd.DataFrame({"reader": ["q", "q"], "book": ["a", "b"], "score": [1.0, 2.0]})
    judged = pd.DataFrame({"reader": ["q"], "book": ["b"], "topic": ["t"], "stars": [1]})
    columns = {"reader": "query", "book": "document", "stars": "grade"}
    assert evaluate([odd], judged, "RR", columns=columns).mean["RR"] == 1
    both = compare({"one": odd, "other": odd}, judged, "RR", columns=columns)
    assert [e.mean["RR"] for e in both.evaluations.values()] == [1, 1]
    by_topic = {**columns, "topic": "subtopic"}
    assert evaluate(odd, judged, "alpha-nDCG@2", columns=by_topic).mean["alpha-nDCG@2"] == 1
    odd.to_csv(tmp_path / "run.csv", index=False)
    judged.to_csv(tmp_path / "qrels.csv", index=False)
    files = [str(tmp_path / "qrels.csv"), str(tmp_path / "run.csv")]
    named = ",".join(f"{name}={role}" for name, role in columns.items())
    assert main(["evaluate", *files, "-m", "RR", "--columns", named]) == 0
    assert main(["evaluate", *files, "-m", "RR", "--columns", "reader"]) == 2
