"""What is handed out to be judged: each pair once, in a known order, and no formula in it."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irmetrics_edu.cli import main
from irmetrics_edu.errors import InputError
from irmetrics_edu.judging.labels import id_cell, id_of
from irmetrics_edu.judging.worklist import HEADER, unjudged
from irmetrics_edu.reading.texts import read_texts

RUNS = {
    "A": {"q1": ["x", "y", "u"], "q2": ["x"]},
    "B": {"q1": {"y": 2.0, "z": 1.0, "w": 1.0}, "q3": ["v"]},
}


def rows(work):
    """The CSV as a spreadsheet would have it."""
    return list(csv.DictReader(io.StringIO(work.csv())))


def test_unjudged_pairs_of_the_pool_stand_there_once():
    """By hand: q1 has x y | y z (z before w by trec_eval's rule for ties), x is judged."""
    work = unjudged(RUNS, {"q1": {"x": 0}}, k=2)
    assert [(p.query, p.document, dict(p.ranks), p.best_rank) for p in work.pairs] == [
        ("q1", "y", {"A": 2, "B": 1}, 1),
        ("q1", "z", {"B": 2}, 2),
        ("q2", "x", {"A": 1}, 1),
        ("q3", "v", {"B": 1}, 1),
    ]
    assert (work.pooled, work.judged, work.new_queries) == (5, 1, 2)
    assert work.notes[0] == (
        "5 pairs of query and document in the first 2; 1 judged, 4 to be judged"
    )
    assert "queries without any judgment: 2" in work.notes
    first = rows(work)[0]
    assert tuple(first) == HEADER
    assert (first["runs"], first["best_rank"], first["grade"]) == ("A; B", "1", "")


some_runs = st.dictionaries(
    st.sampled_from("AB"), st.permutations("pqrstu").map(lambda p: {"q": p[:4]}), min_size=1
)


@given(some_runs, st.sets(st.sampled_from("pqrstu")), st.integers(1, 6))
def test_the_list_is_the_union_of_the_tops_less_what_is_judged(runs, judged, k):
    """Against sets."""
    expected = {d for run in runs.values() for d in run["q"][:k]} - judged
    work = unjudged(runs, {"q": dict.fromkeys(judged, 1)} if judged else None, k)
    assert len(work) == len(expected)
    assert {p.document for p in work.pairs} == expected


def test_what_has_no_text_is_counted():
    """The list leaves its place empty, and says of how many."""
    found = unjudged({"a": {"q": ["d", "e"]}}, queries={"p": "x"}, documents={"d": "y"})
    assert "no text is given for 1 queries" in found.notes
    assert "no text is given for 1 documents" in found.notes


def test_texts_and_ids_are_no_formulas_and_on_one_line(tmp_path):
    """A text that begins with = is quoted; so is an id, which is read back as it was."""
    run = {"A": {"=q": ["@d", "-1", "d"]}}
    texts = {"@d": "=HYPERLINK(1)", "-1": "two\nlines", "d": "x" * 40_000}
    work = unjudged(run, k=3, queries={"=q": "+1 cheap"}, documents=texts)
    work.write(tmp_path / "work.csv")
    with (tmp_path / "work.csv").open(encoding="utf-8", newline="") as file:
        found = list(csv.DictReader(file))
    assert [r["document"] for r in found] == ["'@d", "-1", "d"]
    assert [id_of(r["document"]) for r in found] == ["@d", "-1", "d"]
    assert found[0]["query_text"] == "'+1 cheap"
    assert [r["document_text"][:14] for r in found] == ["'=HYPERLINK(1)", "two lines", "x" * 14]
    assert "texts cut after 32,000 letters: 1" in work.notes


@given(st.text())
def test_an_id_is_read_back_or_refused(identifier):
    """Never another one."""
    try:
        assert id_of(id_cell(identifier)) == identifier
    except InputError:
        assert identifier.startswith("'") or not identifier.isprintable()


@pytest.mark.parametrize("identifier", ["'=d", "d\x1b[2J", "a\nb"])
def test_an_id_that_could_not_be_read_back_is_refused(identifier):
    """The check of the property above can fail."""
    with pytest.raises(InputError, match="can't be stored in a spreadsheet"):
        unjudged({"A": {"q": [identifier]}}).csv()


@pytest.mark.parametrize(
    ("inputs", "said"),
    [
        (({},), "runs map names to runs"),
        (({"A": {}},), "run 'A': it has no query"),
        (({"A": {"q": ["d", "d"]}},), "run 'A', query 'q'.*ranked twice"),
        (({"A": {"q": [1.5]}},), "ids are text or whole numbers"),
        ((RUNS, None, 0), "k=0 is not possible"),
        ((RUNS, None, None), "such as k=10"),
    ],
)
def test_bad_runs_are_refused(inputs, said):
    """With the name of the run."""
    with pytest.raises(InputError, match=said):
        unjudged(*inputs)


TEXTS = {
    "a.csv": "_id,title,text\nd1,Hello,World\n",
    "a.tsv": "d1\tHello World\n",
    "b.tsv": "doc_id\tbody\nd1\tHello World\n",
    "a.json": '{"d1": "Hello World"}',
    "a.jsonl": '{"_id": "d1", "title": "Hello", "text": "World"}\n\n',
    "b.csv": "docno;title\nd1;Hello World\n",
}


@pytest.mark.parametrize("name", TEXTS)
def test_texts_are_read_from_the_usual_files(tmp_path, name):
    """Title before text; blank lines are none."""
    (tmp_path / name).write_text(TEXTS[name], encoding="utf-8")
    assert read_texts(tmp_path / name, "document") == {"d1": "Hello World"}


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("a.txt", "d1", "ends in none of"),
        ("a.csv", "id,name\nd1,x\n", "line 2: no text of the document: call it one of text"),
        ("a.tsv", "d1\tx\nd2\n", "line 2: expected an id, a tab and a text"),
        ("a.json", "[1]", 'a list; expected {"id": "text"}'),
        ("a.json", '{"d1": 3}', "'d1': the text is 3"),
        ("a.jsonl", '{"id": "d1"}', "line 1: no text"),
        ("a.jsonl", '{"text": "x"}', "line 1: no id"),
        ("a.jsonl", '{"id": "d1", "text": "x"}\n{', "line 2: "),
        ("a.jsonl", '{"id": "d", "text": "x"}\n{"id": "d", "text": "y"}', "'d' has two texts"),
    ],
)
def test_texts_that_cannot_be_read_are_refused(tmp_path, name, text, said):
    """By file, and line where there is one."""
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=said):
        read_texts(tmp_path / name, "document")


def test_the_command_prints_csv_and_tells_the_rest_beside(tmp_path, capsys, monkeypatch):
    """The list goes to standard output, the counts to the error stream."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.run").write_text("q1 Q0 d1 1 2.0 a\nq1 Q0 d2 2 1.0 a\n")
    (tmp_path / "qrels").write_text("q1 0 d1 1\n")
    assert main(["judgments", "unjudged", "a.run", "--judged", "qrels", "-k", "2"]) == 0
    shown = capsys.readouterr()
    assert shown.out.splitlines() == [",".join(HEADER), "q1,,d2,,a.run,2,,,,,"]
    assert "1 judged, 1 to be judged" in shown.err
    assert main(["judgments", "unjudged", "a.run", "a.run"]) == 2
    assert "given twice" in capsys.readouterr().err
    (tmp_path / "bad.run").write_text("q1 Q0 d1 1 2.0 a\nq1 Q0 d2 2 x a\n")
    assert main(["judgments", "unjudged", "bad.run"]) == 2
    assert "line 2" in capsys.readouterr().err
