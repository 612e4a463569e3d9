"""Data for learning to rank: what is refused, made data, files of LETOR."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_svmlight_file

from irmetrics_edu import evaluate, ndcg
from irmetrics_edu.errors import InputError
from irmetrics_edu.lab import term_statistics
from irmetrics_edu.lab.learning.letor import read_letor
from irmetrics_edu.lab.learning.made_queries import made_queries, swamped_queries
from irmetrics_edu.lab.learning.ranking_data import RankingData, from_rankings

TWO = {"features": [[1.0], [2.0]], "grade": [0, 1], "query": ["q", "q"], "document": ["a", "b"]}


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"features": [], "grade": [], "query": [], "document": []}, "the data have no document"),
        ({"features": [[1.0]]}, "2 rows and 2 grades"),
        ({"features": [[1.0], ["x"]]}, "features are not all numbers"),
        ({"features": [[1.0], [np.nan]]}, "query 'q', document 'b'.*not finite"),
        ({"grade": [0, -1]}, "document 'b'.*grade -1"),
        ({"grade": [0, np.inf]}, "document 'b'.*grade inf"),
        ({"document": ["a", "a"]}, "query 'q', document 'a'.*twice"),
        ({"document": ["a"]}, "2 entries of document"),
        ({"facets": [set()]}, "2 entries of facets"),
        ({"feature_names": ("x", "y")}, "2 names are given for 1 features"),
    ],
)
def test_data_that_break_the_form_are_refused(change: dict[str, Any], says: str) -> None:
    """A message names the query and the document of the row that is wrong."""
    with pytest.raises(InputError, match=says):
        RankingData(**{**TWO, **change})


def test_rows_of_a_query_stand_together() -> None:
    """A query whose rows are interrupted by another one is refused."""
    with pytest.raises(InputError, match=r"query 'q', document 'c'.*sort the rows"):
        RankingData([[1], [2], [3]], [0, 1, 0], ["q", "p", "q"], ["a", "b", "c"])


def test_a_run_and_its_judgments_are_what_evaluate_reads() -> None:
    """Scores become a run; with the judgments it has the metrics of the rankings."""
    data = from_rankings({"A": [2, 3, 1], "B": [0, 1]})
    found = evaluate(data.run(data.features[:, 0]), data.qrels, [ndcg])
    assert found.per_query["nDCG"]["A"] == pytest.approx(ndcg([2, 3, 1]))
    assert found.per_query["nDCG"]["B"] == pytest.approx(ndcg([0, 1]))


def test_a_split_is_by_query_and_whole() -> None:
    """Each query is in one part only, with all of its documents; the same seed, the same parts."""
    data = made_queries(10, 4)
    first, second = data.split(0.3, seed=5)
    assert len(first.queries) == 3
    assert set(first.queries) | set(second.queries) == set(data.queries)
    assert not set(first.queries) & set(second.queries)
    assert {**first.qrels, **second.qrels} == data.qrels
    assert data.split(0.3, seed=5)[0].queries == first.queries
    assert data.take(["q3"]).document == ["d1", "d2", "d3", "d4"]
    with pytest.raises(InputError, match="can't be split"):
        made_queries(1).split()
    with pytest.raises(InputError, match="'q99' is not in the data"):
        data.take(["q99"])


def test_features_are_normalised_query_by_query() -> None:
    """Within a query the least value becomes 0 and the greatest 1; a constant becomes 0."""
    data = RankingData(
        [[1, 7], [3, 7], [2, 7], [10, 0], [20, 5]], [0] * 5, ["p"] * 3 + ["q"] * 2, list("abcab")
    )
    expected = [[0, 0], [1, 0], [0.5, 0], [0, 0], [1, 1]]
    assert data.normalised().features.tolist() == expected


def test_made_queries_have_the_structure_they_promise() -> None:
    """Weights fall as 1/j, grades are 60, 25 and 15%, facet 1 is high in feature 1; seeds count."""
    data = made_queries(100, 30, noise=0, seed=4)
    assert np.array_equal(data.features, made_queries(100, 30, noise=0, seed=4).features)
    assert not np.array_equal(data.features, made_queries(100, 30, noise=0, seed=5).features)
    shares = [float((data.grade == g).mean()) for g in (0, 1, 2)]
    assert shares == pytest.approx([0.6, 0.25, 0.15], abs=0.001)
    useful = data.features @ (1 / np.arange(1, 6))
    assert useful[data.grade == 2].min() >= useful[data.grade == 1].max()
    assert useful[data.grade == 1].min() >= useful[data.grade == 0].max()
    assert data.facets is not None
    of_first = np.array(["f1" in f for f in data.facets])
    assert data.features[of_first, 0].mean() > data.features[~of_first, 0].mean() + 0.5


@pytest.mark.parametrize(
    "call",
    [
        lambda: made_queries(0),
        lambda: made_queries(2, 1),
        lambda: made_queries(2.5),
        lambda: made_queries(noise=1.5),
        lambda: swamped_queries(noise=-1),
        lambda: swamped_queries(n_long=2),
    ],
)
def test_impossible_sizes_are_refused(call: Any) -> None:
    """Made data need queries, documents and a noise in range."""
    with pytest.raises(InputError):
        call()


LINES = [
    "2 qid:10 1:0.5 2:0 4:1e-3 #docid = GX001 inc = 1 prob = 0.02",
    "0 qid:10 3:-2.25 # docid = GX002",
    "",
    "# a comment of its own",
    "1 qid:11 1:1",
]


def test_a_file_reads_as_scikit_learn_reads_it(tmp_path: Path) -> None:
    """Features, grades and queries are those of load_svmlight_file."""
    path = tmp_path / "train.txt"
    path.write_text("\n".join(LINES), encoding="utf-8")
    data = read_letor(path)
    features, grades, query = load_svmlight_file(str(path), query_id=True)
    assert np.array_equal(data.features, features.toarray())
    assert data.grade.tolist() == grades.tolist()
    assert [int(str(q)) for q in data.query] == query.tolist()
    assert data.document == ["GX001", "GX002", "1"]


def test_the_mark_that_some_systems_begin_a_file_with_is_no_part_of_the_grade(
    tmp_path: Path,
) -> None:
    """UTF-8 with a byte order mark reads as without it."""
    path = tmp_path / "marked.txt"
    path.write_text("2 qid:1 1:0.5\n", encoding="utf-8-sig")
    assert read_letor(path).grade.tolist() == [2]


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        ([], "no line holds a document"),
        (["2 1:0.5"], "line 1.*names no query"),
        (["2 qid: 1:0.5"], "line 1.*names no query"),
        (["x qid:1 1:0.5"], "line 1.*grade 'x' is not a number"),
        (["nan qid:1 1:0.5"], "line 1.*not finite"),
        (["-1 qid:1 1:0.5"], "line 1.*negative"),
        (["1 qid:1 1:NULL"], "line 1.*feature 1: 'NULL' is not a number"),
        (["1 qid:1 0:2"], "f, line 1: '0:2' is not a feature with its value"),
        (["1 qid:1 a:2"], "f, line 1: 'a:2' is not a feature with its value"),
        (["1 qid:1 7"], "f, line 1: '7' is not a feature with its value"),
        (["1 qid:1 2:1 1:1"], "line 1.*feature 1 follows feature 2"),
        (["1 qid:1 2:1 2:1"], "line 1.*feature 2 follows feature 2"),
        (
            ["1 qid:1 1:1", "1 qid:2 1:1", "0 qid:1 1:1"],
            "f: query '1', document '2': there are other rows between",
        ),
        (
            ["1 qid:1 1:1 #docid = a", "0 qid:1 1:2 #docid = a"],
            "f: query '1', document 'a': .* twice",
        ),
        (["1 qid:1 200000:1"], "100000 at most"),
    ],
)
def test_a_line_that_cannot_be_read_is_named(lines: list[str], says: str, tmp_path: Path) -> None:
    """A message names file and line, or query and document, and what would do."""
    (tmp_path / "f").write_text("\n".join(lines), encoding="utf-8")
    with pytest.raises(InputError, match=says):
        read_letor(tmp_path / "f")


def test_other_trouble_with_files(tmp_path: Path) -> None:
    """Binary content and too few features asked for are refused."""
    (tmp_path / "f").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match=r"line \d+: byte \d+ is not UTF-8"):
        read_letor(tmp_path / "f")
    (tmp_path / "f").write_text("1 qid:1 3:1", encoding="utf-8")
    with pytest.raises(InputError, match="f, line 1: there are 3 features, more than n_features=2"):
        read_letor(tmp_path / "f", n_features=2)
    assert read_letor(tmp_path / "f", n_features=5).features.shape == (1, 5)


def test_a_second_file_says_where_queries_end(tmp_path: Path) -> None:
    """LightGBM's layout: the same data as with qid in the lines, and numbers as queries."""
    lines = ["2 1:0.5 3:1", "", "0 2:4", "# a comment", "1 1:2"]
    (tmp_path / "rank.train").write_text("\n".join(lines), encoding="utf-8")
    (tmp_path / "rank.train.query").write_text("2\n1\n\n", encoding="utf-8")
    data = read_letor(tmp_path / "rank.train", sizes=tmp_path / "rank.train.query")
    assert data.query == ["1", "1", "2"]
    assert data.document == ["1", "2", "1"]
    assert data.features.tolist() == [[0.5, 0, 1], [0, 4, 0], [2, 0, 0]]


@pytest.mark.parametrize(
    ("lines", "sizes", "says"),
    [
        (["1 1:1", "0 1:2"], "3", "has 2 documents, but the sizes of 1 queries add up to 3"),
        (["1 1:1", "0 1:2"], "1", "has 2 documents, but the sizes of 1 queries add up to 1"),
        (["1 1:1"], "one", "line 1: 'one' is not a number of documents of a query"),
        (["1 1:1"], "1\n-2", "line 2: '-2' is not a number of documents of a query"),
        (["1 1:1"], "0\n1", "line 1: '0' is not a number of documents of a query"),
        (["1 1:1"], "1.0", r"line 1: '1\.0' is not a number of documents of a query"),
        (["1 qid:3 1:1"], "1", r"x, line 1: the line names its query"),
        (["", "1 b:1"], "1", "line 2: 'b:1' is not a feature with its value"),
        (["1 1:1", "high 1:2"], "2", r"x, line 2: grade 'high' is not a number"),
        ([], "1", r"has 0 documents"),
    ],
)
def test_sizes_that_do_not_fit_are_named(
    lines: list[str], sizes: str, says: str, tmp_path: Path
) -> None:
    """By file and line where a line is wrong."""
    (tmp_path / "x").write_text("\n".join(lines), encoding="utf-8")
    (tmp_path / "x.query").write_text(sizes, encoding="utf-8")
    with pytest.raises(InputError, match=says):
        read_letor(tmp_path / "x", sizes=tmp_path / "x.query")


def test_what_is_shown_of_data_is_a_line() -> None:
    """Whatever their size."""
    data = made_queries(300, 20)
    assert repr(data) == ("<RankingData of 300 queries, 6000 documents, 5 features, grades 0 to 2>")
    assert repr(term_statistics({"a": "red wine"})) == "<TermStatistics of 1 documents, 2 words>"
