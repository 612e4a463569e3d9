"""Tables whose first line names no columns: no line is lost, and what was taken is said."""

import io
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from irmetrics_edu import InputError, evaluate
from irmetrics_edu.cli import main
from irmetrics_edu.judging.judgment_checks import lint
from irmetrics_edu.reading.heads import Use, by_position, names_columns

QRELS = {"q1": {"a": 1}, "q2": {"c": 1}}
JUDGED = "q1 0 a 1\nq2 0 c 1\n"

# What others write: a name, the text, and what is read by position ({} if by names or as TREC).
RUNS = {
    "MS MARCO": ("run.tsv", "q1\ta\t1\nq1\tb\t2\nq2\tc\t1\n", "query document rank"),
    "MS MARCO in .txt": ("run.txt", "q1\ta\t1\nq1\tb\t2\nq2\tc\t1\n", "query document rank"),
    "MS MARCO in .trec": ("run.trec", "q1\ta\t1\nq1\tb\t2\nq2\tc\t1\n", "query document rank"),
    "ranks from 0": ("run.tsv", "q1\ta\t0\nq1\tb\t1\nq2\tc\t0\n", "query document rank"),
    "ranks in any order": (
        "run.tsv", "q1\tb\t2\nq1\tz\t3\nq1\ta\t1\nq2\tc\t1\n", "query document rank",
    ),
    "ColBERT": (
        "ranking.tsv", "q1\ta\t1\t23.5\nq1\tb\t2\t21\nq2\tc\t1\t9\n", "query document rank score",
    ),
    "scores and ranks": (
        "r.csv", "q1,a,23.5,1\nq1,b,21.25,2\nq2,c,9.5,1\n", "query document score rank",
    ),
    "scores": ("run.csv", "q1,a,9\nq1,b,8\nq2,c,7\n", "query document score"),
    "scores with points": ("run.csv", "q1,a,0.5\nq1,b,-0.5\nq2,c,1e-3\n", "query document score"),
    "in ranked order": ("run.csv", "q1,a\nq1,b\nq2,c\n", "query document"),
    "semicolons": ("run.csv", "q1;a;9\nq1;b;8\nq2;c;7\n", "query document score"),
    "TREC's fields with commas": (
        "run.csv", "q1,Q0,a,1,9,me\nq1,Q0,b,2,8,me\nq2,Q0,c,1,7,me\n",
        "query - document rank score -",
    ),
    "TREC in .csv": ("run.csv", "q1 Q0 a 1 9 me\nq1 Q0 b 2 8 me\nq2 Q0 c 1 7 me\n", ""),
    "TREC in .tsv": ("run.tsv", "q1\tQ0\ta\t1\t9\tme\nq1\tQ0\tb\t2\t8\tme\nq2\tQ0\tc\t1\t7\tme\n",
                     ""),
    "names in .txt": ("run.txt", "qid\tdocno\tscore\nq1\ta\t9\nq1\tb\t8\nq2\tc\t7\n", ""),
    "names with semicolons": ("run.csv", "qid;docno;score\nq1;a;9\nq1;b;8\nq2;c;7\n", ""),
    "JSON in .txt": ("run.txt", '{"q1": {"a": 9, "b": 8}, "q2": {"c": 7}}', ""),
}  # fmt: skip
JUDGMENTS = {
    "MS MARCO": ("qrels.tsv", "q1\t0\ta\t1\nq2\t0\tc\t1\n", ""),
    "MIRACL": ("qrels.tsv", "q1\tQ0\ta#4\t1\nq1\tQ0\ta\t1\nq2\tQ0\tc\t1\n", ""),
    "TREC in .csv": ("qrels.csv", JUDGED, ""),
    "TREC's fields with commas": ("q.csv", "q1,0,a,1\nq2,0,c,1\n", "query - document grade"),
    "BEIR without names": ("qrels.tsv", "q1\ta\t1\nq2\tc\t1\n", "query document grade"),
    "held-out items": ("test.csv", "q1,a\nq2,c\n", "query document"),
    "MovieLens, u.data": (
        "u.tsv", "q1\ta\t3\t881250949\nq2\tc\t5\t891717742\n", "query document grade -",
    ),
}  # fmt: skip


def put(folder: Path, name: str, text: str) -> Path:
    """A file."""
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("kind", RUNS)
def test_a_run_is_read_by_what_it_holds(kind: str, tmp_path: Path) -> None:
    """No line is lost, under any name of the file, and a note says which column is which."""
    name, text, roles = RUNS[kind]
    e = evaluate(put(tmp_path, name, text), QRELS, "RR")
    assert e.mean["RR"] == 1.0
    assert e.counts.retrieved == text.count("b") + text.count("z\t") + 2 or "{" in text or not roles
    if roles:
        places = {role: str(i) for i, role in enumerate(roles.split(), 1) if role != "-"}
        assert e.counts.columns["run"] == places
        [said] = [note for note in e.notes() if "the first line of the run names no" in note]
        said = said.replace("is read as", "as")
        assert all(f"{place} as {role}" in said for role, place in places.items())
    else:
        assert not any("names no columns" in note for note in e.notes())


@pytest.mark.parametrize("kind", JUDGMENTS)
def test_judgments_are_read_by_what_they_hold(kind: str, tmp_path: Path) -> None:
    """As runs are; and `judgments lint` reads what evaluate reads."""
    name, text, roles = JUDGMENTS[kind]
    path = put(tmp_path, name, text)
    e = evaluate({"q1": ["a"], "q2": ["c"]}, path, "RR")
    assert e.mean["RR"] == 1.0
    assert e.counts.queries == 2
    places = {role: str(i) for i, role in enumerate(roles.split(), 1) if role != "-"}
    assert e.counts.columns.get("judgments", {}) == places
    assert not [found for found in lint(path) if found.rule == "malformed"]


@pytest.mark.parametrize("name", ["qrels.tsv", "qrels.csv"])
def test_lines_of_trec_under_the_name_of_a_table_are_said(name: str, tmp_path: Path) -> None:
    """They are read, and a note says as what."""
    e = evaluate({"q1": ["a"], "q2": ["c"]}, put(tmp_path, name, JUDGED), "RR")
    assert any("1 file has the name of a table" in note for note in e.notes())
    plain = evaluate({"q1": ["a"], "q2": ["c"]}, put(tmp_path, "qrels.txt", JUDGED), "RR")
    assert not any("lines of TREC" in note for note in plain.notes())


def test_subtopics_without_names(tmp_path: Path) -> None:
    """Query, subtopic, document, grade."""
    path = put(tmp_path, "s.csv", "1,s1,a,1\n1,s2,b,2\n")
    e = evaluate({"1": ["a", "b"]}, path, "S-Recall@1 S-Recall@2")
    assert list(e.mean.values()) == [0.5, 1.0]
    assert list(e.counts.columns["judgments"].values()) == ["1", "2", "3", "4"]


COMMANDS = {
    "evaluate": "evaluate {qrels} {run} -m RR --columns {columns}",
    "compare": "compare {qrels} {run} {other} -m RR --columns {columns}",
    "explain": "explain RR --run {run} --qrels {qrels} --query q1 --columns {columns}",
    "diagnose": "diagnose RR --run {run} --qrels {qrels} --value 0.5 --columns {columns}",
    "reconcile": "reconcile RR --run {run} --qrels {qrels} --values 1 0.5 --columns {columns}",
}


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("kind", ["run.csv", "run.tsv"])
def test_no_value_of_the_first_line_becomes_a_name(
    command: str, kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every command says what to write instead, and what it says is read."""
    text = "q1,a,9\nq1,b,8\nq2,c,7\n"
    text = text if kind == "run.csv" else text.replace(",", "\t")
    paths = {
        "qrels": put(tmp_path, "qrels", JUDGED),
        "run": put(tmp_path, kind, text),
        "other": put(tmp_path, f"other-{kind}", text),
    }

    def called(columns: str) -> int:
        return main(COMMANDS[command].format(**paths, columns=columns).split())

    assert called("q1=query,a=document,9=score") == 2
    said = capsys.readouterr().err
    assert "line 1: 'q1,a,9' names no columns" in said
    proposed = said.split("--columns ")[1].split()[0]
    assert proposed == "1=query,2=document,3=score"
    assert called(proposed) != 2
    assert "a" in capsys.readouterr().out


def test_a_role_by_place_comes_before_what_is_seen(tmp_path: Path) -> None:
    """The caller knows that the numbers 1 and 2 are scores; the rest goes by position."""
    path = put(tmp_path, "run.csv", "q1,b,1\nq1,a,2\nq2,c,1\n")
    assert evaluate(path, QRELS, "RR").mean["RR"] == 0.75
    by = evaluate(path, QRELS, "RR", columns={"3": "score"})
    assert by.mean["RR"] == 1.0
    turned = put(tmp_path, "turned.csv", "a,q1,2\nb,q1,1\nc,q2,1\n")
    columns = {"1": "document", "2": "query", "3": "score"}
    assert evaluate(turned, QRELS, "RR", columns=columns).mean["RR"] == 1.0
    both = put(tmp_path, "both.csv", "q1,a,1\nq2,c,1\n")
    assert evaluate(path, both, "RR", columns={"3": "score"}).mean["RR"] == 1.0


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("q1,a,3\nq1,b,1\nq1,c,3\nq1,d,2\n", "column 3 may hold ranks or scores"),
        ("q1,a,x\nq1,b,y\n", "column 3 holds no numbers"),
        ("q1,a,0.5,0.25\nq1,b,0.5,0.25\n", "2 columns may be the score or the rank"),
        ("0,1,2\n0,2,3\n", "may number the columns, as pandas does, or be a row"),
        ("q1\nq2\n", "'q1' is a line of one column"),
    ],
)
def test_what_nobody_can_tell_is_asked(text: str, says: str, tmp_path: Path) -> None:
    """No guess is made of a column that may be either."""
    with pytest.raises(InputError, match=says) as error:
        evaluate(put(tmp_path, "run.csv", text), QRELS, "RR")
    assert "run.csv, line 1" in str(error.value)


def test_a_frame_that_pandas_numbered_is_read_with_its_names(tmp_path: Path) -> None:
    """The line 0,1,2 is then a header, as the caller says."""
    path = tmp_path / "run.csv"
    pd.DataFrame([["q1", "a", 9.0], ["q2", "c", 8.0]]).to_csv(path, index=False)
    columns = {"0": "query", "1": "document", "2": "score"}
    assert evaluate(path, QRELS, "RR", columns=columns).counts.retrieved == 2


@pytest.mark.parametrize("read", [pd.read_csv, lambda text: pl.read_csv(text.read().encode())])
def test_a_frame_that_made_names_of_its_first_row_is_refused(read: Any) -> None:
    """As the file is: its first row is lost already."""
    frame = read(io.StringIO("q1,a,9\nq1,b,8\nq2,c,7\n"))
    columns = {"q1": "query", "a": "document", "9": "score"}
    with pytest.raises(InputError, match="are a row of the table; read its file without a header"):
        evaluate(frame, QRELS, "RR", columns=columns)
    kept = pd.read_csv(io.StringIO("q1,a,9\nq1,b,8\nq2,c,7\n"), header=None)
    columns = {"0": "query", "1": "document", "2": "score"}
    assert evaluate(kept, QRELS, "RR", columns=columns).mean["RR"] == 1.0


NAMES = [
    ["reader", "book", "stars"], ["reader", "book", "2023"], ["my query", "my doc", "bm25"],
    ["q", "d", "s"], ["QID", "DOCNO", "SIM"], ["", "query", "doc"],
]  # fmt: skip


@pytest.mark.parametrize("names", NAMES, ids=",".join)
def test_names_are_names(names: list[str]) -> None:
    """Names that nobody knows are not taken for a row."""
    assert names_columns(names, [["r1", "b1", "0.5"], ["r1", "b2", "0.25"]])


WORDS = st.text("abcdefghij", min_size=1, max_size=4)
IDS = st.one_of(
    st.integers(1, 10**7).map(str),
    st.builds("{}{}".format, st.sampled_from("qdx"), st.integers(0, 99)),
)


@settings(deadline=None, max_examples=150)
@given(
    run=st.dictionaries(
        IDS, st.lists(IDS, min_size=2, max_size=6, unique=True), min_size=1, max_size=5
    ),
    separator=st.sampled_from([",", "\t", ";"]),
    kind=st.sampled_from(["rank", "score", "both"]),
    data=st.data(),
)
def test_a_table_without_names_gives_what_it_gives_with_them(
    run: dict[str, list[str]], separator: str, kind: str, data: st.DataObject,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:  # fmt: skip
    """Random runs, whatever their ids: ranks, scores, and both."""
    folder = tmp_path_factory.getbasetemp()
    rows = []
    head = {"rank": ["rank"], "score": ["score"], "both": ["rank", "score"]}[kind]
    for query, documents in run.items():
        for rank, document in enumerate(documents, 1):
            values = {"rank": str(rank), "score": f"{100 - rank}.5"}
            rows.append([query, document, *(values[name] for name in head)])
    qrels = {query: {data.draw(st.sampled_from(d)): 1} for query, d in run.items()}
    lines = [separator.join(row) for row in rows]
    bare = put(folder, "bare.csv", "\n".join(lines) + "\n")
    named = put(folder, "named.csv", "\n".join([separator.join(["qid", "docno", *head]), *lines]))
    first = evaluate(bare, qrels, "RR")
    assert first.per_query == evaluate(named, qrels, "RR").per_query
    assert first.counts.retrieved == len(rows)


@given(st.lists(st.tuples(WORDS, WORDS), min_size=1, max_size=5))
def test_words_alone_are_taken_for_names(rows: list[tuple[str, str]]) -> None:
    """Without a digit nobody can tell, so what is asked for is needed; a repeated word is a row."""
    first, *below = [list(row) for row in rows]
    twice = any(first[i] == row[i] for row in below for i in range(2))
    assert names_columns(first, below) != twice or by_position([first], "x", Use.RUN, {})
