"""Files as other tools write them: read by what they hold, or called by their format's name."""

import json
import pickle
import re
import sys
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from irmetrics_edu import evaluate
from irmetrics_edu.cli import main
from irmetrics_edu.errors import InputError
from irmetrics_edu.judging import lint

RUN = "q1 Q0 x 1 3 t\nq1 Q0 a 2 2 t\nq2 Q0 c 1 1 t\n"
QRELS = "q1 0 a 1\nq1 0 x 0\nq2 0 c 2\n"
SCORES = {"q1": {"x": 3.0, "a": 2.0}, "q2": {"c": 1.0}}
GRADES = {"q1": {"a": 1, "x": 0}, "q2": {"c": 2}}


def hits(held: dict[str, dict[str, Any]], value: str, **names: str) -> str:
    """A line of JSON for each hit."""
    rows = [
        {names.get("query", "query"): q, names.get("document", "document"): d, value: number}
        for q, of in held.items()
        for d, number in of.items()
    ]
    return "".join(json.dumps(row) + "\n" for row in rows)


def frame_of(held: dict[str, dict[str, Any]], value: str) -> pd.DataFrame:
    """A row for each document."""
    rows = [(q, d, number) for q, of in held.items() for d, number in of.items()]
    return pd.DataFrame(rows, columns=["query", "document", value])


RUNS = {
    "pairs.json": json.dumps({q: [[d, s] for d, s in of.items()] for q, of in SCORES.items()}),
    "objects.json": json.dumps(
        {q: [{"id": d, "score": s} for d, s in of.items()] for q, of in SCORES.items()}
    ),
    "beir.json": json.dumps(
        {q: [{"corpus_id": d, "score": s} for d, s in of.items()] for q, of in SCORES.items()}
    ),
    "hits.jsonl": hits(SCORES, "score"),
    "other-names.jsonl": hits(SCORES, "similarity", query="qid", document="docno"),
    "ranks.jsonl": hits({"q1": {"a": 2, "x": 1}, "q2": {"c": 1}}, "rank"),
    "answer.json": json.dumps(
        {
            "metric_score": 0.5,
            "details": {
                q: {
                    "metric_score": 1,
                    "unrated_docs": [],
                    "hits": [
                        {"hit": {"_index": "i", "_id": d, "_score": s}, "rating": None}
                        for d, s in of.items()
                    ],
                }
                for q, of in SCORES.items()
            },
        }
    ),
    "score.inter": "user_id:token\titem_id:token\tscore:float\n"
    + "".join(f"{q}\t{d}\t{s}\n" for q, of in SCORES.items() for d, s in of.items()),
    "searches.json": json.dumps(
        {
            q: {"took": 3, "hits": {"hits": [{"_id": d, "_score": s} for d, s in of.items()]}}
            for q, of in SCORES.items()
        }
    ),
    "columns.json": frame_of(SCORES, "score").to_json(),
    "lists.json": json.dumps(frame_of(SCORES, "score").to_dict(orient="list")),
    "split.json": frame_of(SCORES, "score").to_json(orient="split"),
    "table.json": frame_of(SCORES, "score").to_json(orient="table"),
    "run.tsv": RUN.replace(" ", "\t"),
    "run.csv": RUN,
    "msmarco.tsv": "q1\tx\t1\nq1\ta\t2\nq2\tc\t1\n",
}
JUDGMENTS = {
    "pairs.json": json.dumps({q: [[d, g] for d, g in of.items()] for q, of in GRADES.items()}),
    "objects.json": json.dumps(
        {q: [{"doc_id": d, "grade": g} for d, g in of.items()] for q, of in GRADES.items()}
    ),
    "hits.jsonl": hits(GRADES, "relevance"),
    "request.json": json.dumps(
        {
            "requests": [
                {
                    "id": q,
                    "request": {"query": {"match": {"text": q}}},
                    "ratings": [{"_index": "i", "_id": d, "rating": g} for d, g in of.items()],
                }
                for q, of in GRADES.items()
            ],
            "metric": {"precision": {"k": 5}},
        }
    ),
    "ratings.inter": "user_id:token\titem_id:token\trating:float\ttimestamp:float\n"
    + "".join(f"{q}\t{d}\t{g}\t8.8E8\n" for q, of in GRADES.items() for d, g in of.items()),
    "columns.json": frame_of(GRADES, "grade").to_json(),
    "truths.csv": "query,document,rel\nq1,a,True\nq1,x,False\nq2,c,True\n",
    "qrels.tsv": QRELS.replace(" ", "\t"),
    "qrels.csv": QRELS,
}


def put(folder: Path, name: str, text: str | bytes) -> str:
    """The path of a file with this text."""
    (folder / name).write_bytes(text.encode() if isinstance(text, str) else text)
    return str(folder / name)


@pytest.mark.parametrize("name", RUNS)
def test_a_run_is_read_by_what_it_holds(name, tmp_path):
    """Each gives the score of the same run in TREC's lines: x before a, and c."""
    path = put(tmp_path, name, RUNS[name])
    assert evaluate(path, GRADES, "RR nDCG@10").mean == evaluate(SCORES, GRADES, "RR nDCG@10").mean
    assert evaluate(path, GRADES, "RR").mean["RR"] == 0.75


@pytest.mark.parametrize("name", JUDGMENTS)
def test_judgments_are_read_by_what_they_hold_and_lint_reads_them_too(name, tmp_path, capsys):
    """Each gives the score of the same judgments in TREC's lines."""
    path = put(tmp_path, name, JUDGMENTS[name])
    assert evaluate(SCORES, path, "RR nDCG@10").mean == evaluate(SCORES, GRADES, "RR nDCG@10").mean
    assert [finding for finding in lint(path) if finding.kind == "error"] == []
    assert main(["judgments", "lint", path]) == 0
    assert "errors: 0" in capsys.readouterr().out


def test_judgments_that_ranx_saved_are_read_and_its_runs_are_no_judgments(tmp_path):
    """Both call their number "score"; grades are whole."""
    rows = [(q, d, g) for q, of in GRADES.items() for d, g in of.items()]
    qrels = tmp_path / "qrels.parquet"
    pd.DataFrame(rows, columns=["q_id", "doc_id", "score"]).to_parquet(qrels)
    assert evaluate(SCORES, qrels, "RR").mean["RR"] == 0.75
    assert [finding for finding in lint(qrels) if finding.kind == "error"] == []
    run = tmp_path / "run.parquet"
    scores = [(q, d, s + 0.5) for q, of in SCORES.items() for d, s in of.items()]
    pd.DataFrame(scores, columns=["q_id", "doc_id", "score"]).to_parquet(run)
    assert evaluate(run, qrels, "RR").mean["RR"] == 0.75
    with pytest.raises(InputError, match="holds fractions, so this is a run of ranx"):
        evaluate(SCORES, run, "RR")


TAR = b"r".ljust(257, b"\0") + b"ustar\0" + b"\0" * 300
WORKBOOK = b"PK\x03\x04" + bytes(26) + b"[Content_Types].xml" + bytes(40) + b"xl/workbook.xml"
TABLE = "query,document,score\nq1,x,3\nq1,a,2\nq2,c,1\n"
MARKDOWN = (
    "| query | document | score |\n|---|:--|---|\n| q1 | x | 3 |\n| q1 | a | 2 |\n| q2 | c | 1 |\n"
)
LFS = "version https://git-lfs.github.com/spec/v1\noid sha256:12\nsize 9\n"
YAML = "q1:\n  x: 3.0\n  a: 2.5\nq2:\n  c: 1\n"
TOML = "[q1]\nx = 3.0\na = 2.5\n[q2]\nc = 1\n"
NO_TAG = "q1 Q0 x 1 3.0\nq1 Q0 a 2 2.5\nq2 Q0 c 1 1e0\n"
NO_Q0 = "q1 x 1 3.0 bm25\nq1 a 2 2.5 bm25\nq2 c 1 1e0 bm25\n"
REFUSED: dict[str, tuple[str | bytes, bool, str]] = {
    "r.lz4": (b"\x04\x22\x4d\x18@\x00", True, r"packed by lz4.*unpack it first: unlz4 r\.lz4"),
    "r.7z": (b"7z\xbc\xaf\x27\x1c\x00\x04", True, r"packed by 7z.*7z x r\.7z"),
    "r.rar": (b"Rar!\x1a\x07\x00", True, "packed by rar"),
    "r.tar": (TAR, True, r"a tar archive.*tar xf r\.tar"),
    "rre.json": (
        '{"id_field": "id", "index": "i", "topics": [{"query_groups": []}]}',
        False,
        "Rated Ranking Evaluator",
    ),
    "request.json": (JUDGMENTS["request.json"], True, "holds judgments, not a run"),
    "answer.json": (RUNS["answer.json"], False, "holds rankings; give the request"),
    "u.data": (
        "196\t242\t3\t881250949\n186\t302\t3\t891717742\n",
        False,
        r"ratings of MovieLens.*awk '\{print \$1, 0, \$2, \$3\}' u\.data > qrels\.txt",
    ),
    "ratings.dat": (
        "1::1193::5::978300760\n1::661::3::978302109\n",
        False,
        r"ratings of MovieLens \(user::item.*awk -F::",
    ),
    "prels": (
        "20001 GX000-00-0000000 0 1 0.5\n20001 GX000-01-0000000 2 0 1.0\n",
        False,
        "prels of the Million Query track",
    ),
    "lists.csv": (
        'customer_id,article_ids\n1,"a x"\n2,"c d"\n',
        True,
        r"'article_ids' holds several documents in each cell; write a line for each document: awk",
    ),
    "twice.json": ('{"q1": [["a", 2.0], ["a", 1.0]]}', True, "document 'a' is there twice"),
    "twice.jsonl": (hits({"q1": {"a": 1}}, "score") * 2, True, "line 2: .*ranked twice"),
    "run.pkl": (pickle.dumps(SCORES), True, "a pickle of Python, which can run code"),
    "run.feather": (b"ARROW1\0\0\xff", True, r"Feather.*pandas\.read_feather\('run\.feather'\)"),
    "run.h5": (b"\x89HDF\r\n\x1a\n", True, "a file of HDF5"),
    "run.npy": (b"\x93NUMPY\1\0", True, "an array of numpy, which holds no ids"),
    "run.db": (b"SQLite format 3\0\1", True, "a database of SQLite.*sqlite3 -csv -header FILE"),
    "run.xls": (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", True, "a workbook of Excel; save it as CSV"),
    "run.xlsx": (WORKBOOK, True, r"a workbook of Excel \(\.xlsx\); save it as CSV"),
    "run.zip": (b"PK\x03\x04" + bytes(60), True, "a zip archive"),
    "run.avro": (b"Obj\x01\x02", True, "a file of Avro"),
    "run.pdf": (b"%PDF-1.7\n", True, "is a PDF"),
    "run16.csv": (RUN.encode("utf-16"), True, "iconv -f UTF-16 -t UTF-8 run16.csv > out.txt"),
    "run32.txt": (RUN.encode("utf-32"), True, "iconv -f UTF-32 -t UTF-8 run32.txt > out.txt"),
    "page.html": ("<!DOCTYPE html><html>\n", True, "this looks like XML or HTML"),
    "run.xml": ("<run>\n</run>\n", True, "this looks like XML or HTML"),
    "old-mac.txt": (
        RUN.replace("\n", "\r"),
        True,
        r"carriage return alone.*tr '\\r' '\\n' < old-m",
    ),
    "pipes.csv": (TABLE.replace(",", "|"), True, r"separated by '\|'"),
    "pipes.md": (MARKDOWN, True, r"separated by '\|'"),
    "blanks.txt": (TABLE.replace(",", " "), True, "separated by blanks and have names"),
    "blanks.csv": (TABLE.replace(",", "  "), True, "separated by blanks and have names"),
    "ranks.csv": ("query,1,2\nq1,x,a\nq2,c,\n", True, "'1' to '2' hold the documents of a query"),
    "comma.csv": (
        "query;document;score\nq1;x;3,5\nq1;a;2,5\n",
        True,
        r"'3,5' is not a finite number; a comma as the decimal sign\? write 3\.5",
    ),
    "yes.csv": ("query,document,rel\nq1,a,yes\nq1,x,no\n", False, "a truth value: write 1"),
    "msearch.json": (
        '{"took": 1, "responses": [{"hits": {"hits": []}}]}',
        True,
        "_msearch names",
    ),
    "search.json": ('{"hits": {"hits": [{"_id": "a", "_score": 1}]}}', True, "to one query, which"),
    "solr.json": ('{"response": {"docs": [{"id": "a", "score": 1}]}}', True, "an answer of Solr"),
    "no-number.jsonl": ('{"query": "q1", "document": "a"}\n', True, "call the score one of"),
    "run.yaml": (YAML, True, r"looks like YAML, which is not read; write JSON: python -c"),
    "qrels.yml": ("# by hand\nq1:\n  a: 1\n", False, "looks like YAML"),
    "lists.yaml": ("---\nq1:\n- a\n- x\n", True, "looks like YAML"),
    "run.toml": (TOML, True, "looks like TOML, which is not read; write JSON: python -c"),
    "lfs.trec": (LFS, True, "a pointer of Git LFS.*git lfs pull"),
    "lfs.json": (LFS, False, "a pointer of Git LFS"),
    "annex.csv": ("/annex/objects/MD5E-s9--0.csv\n", True, "a pointer of git-annex"),
    "merge.trec": (f"<<<<<<< HEAD\n{RUN}=======\n>>>>>>> x\n", True, "a conflict of git"),
    "repr.txt": (repr(SCORES), True, r"as Python prints it.*json\.dump"),
    "no-tag.txt": (NO_TAG, True, "without the last field, its tag, separated"),
    "no-tag-as-qrels.txt": (NO_TAG, False, "and no judgments; is this the run"),
    "no-q0.txt": (NO_Q0, True, r"without Q0 \(query, document, rank, score, tag\)"),
    "titles.txt": (RUN.replace(" a ", " New York "), True, "the id 'New York' has a blank in it"),
    "titles-q.txt": ("q1 0 New York 1\n", False, "5 fields; .*an id with a blank in it"),
    "head.csv": ("query,document,score\n", True, "names the columns .*and no line follows"),
    "head-q.csv": ("query,document,grade\n", False, "names the columns .*and no line follows"),
    "run-as-qrels.csv": (TABLE, False, "has a column 'score': is this the run.*in commands the j"),
    "qrels-as-run.csv": (
        "user_id,item_id,rating\nq1,a,1\n",
        True,
        "has a column 'rating': are these the judgments.*In Python the run comes first",
    ),
    "l2.csv": ("query,document,distance\nq1,a,0.5\n", True, "of which the smallest is the best"),
    "qrels.xml": ("<qrels>\n</qrels>\n", False, "each document: query 0 document grade"),
    "no-grade.jsonl": ('{"query": "q1", "document": "a"}\n', False, "call the grade one of"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_read_is_called_by_its_name(name, tmp_path):
    """With the program that makes of it what is read."""
    data, is_run, message = REFUSED[name]
    path = put(tmp_path, name, data)
    given = (path, GRADES) if is_run else (SCORES, path)
    with pytest.raises(InputError, match=f"(?s){message}"):
        evaluate(*given, "RR")


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("u.data", "q1\ta\t1\t881250949\nq1\tx\t0\t881250950\nq2\tc\t2\t881250951\n"),
        ("ratings.dat", "q1::a::1::881250949\nq1::x::0::881250950\nq2::c::2::881250951\n"),
    ],
)
def test_the_program_that_is_named_makes_what_is_read(name, data, tmp_path):
    """It is run as it is printed."""
    import subprocess

    path = put(tmp_path, name, data)
    with pytest.raises(InputError) as refused:
        evaluate(SCORES, path, "RR")
    program = str(refused.value).partition("write them as such: ")[2]
    subprocess.run(program, shell=True, check=True, cwd=tmp_path)  # noqa: S602 -- our own words
    assert evaluate(SCORES, tmp_path / "qrels.txt", "RR").mean["RR"] == 0.75


@pytest.mark.parametrize(
    ("name", "data", "made"),
    [
        ("lists.csv", 'customer_id,article_ids\nq1,"x a"\nq2,"c d"\n', "run.txt"),
        ("ranks.csv", "query,doc_1,doc_2\nq1,x,a\nq2,c,\n", "run.txt"),
        ("pipes.csv", TABLE.replace(",", "|"), "out.csv"),
        ("pipes.md", MARKDOWN, "out.csv"),
        ("blanks.txt", TABLE.replace(",", "  "), "out.csv"),
        ("old-mac.txt", RUN.replace("\n", "\r"), "out.txt"),
        ("run16.txt", RUN.encode("utf-16"), "out.txt"),
        ("msmarco.txt", "q1 x 1\nq1 a 2\nq2 c 1\n", "run.txt"),
        ("no-tag.txt", NO_TAG, "run.txt"),
        ("no-q0.txt", NO_Q0, "run.txt"),
        ("run.toml", TOML, "out.json"),
    ],
)
def test_the_program_that_is_named_makes_a_run(name, data, made, tmp_path):
    """It is run as it is printed, and the order of a row is the order of the run."""
    import subprocess

    path = put(tmp_path, name, data)
    with pytest.raises(InputError) as refused:
        evaluate(path, GRADES, "RR")
    program = re.search(r"(awk|sed|tr|iconv|python) .*", str(refused.value))[0]
    program = program.replace("python ", f"{sys.executable} ", 1)
    subprocess.run(program, shell=True, check=True, cwd=tmp_path)  # noqa: S602 -- our own words
    assert evaluate(tmp_path / made, GRADES, "RR").mean["RR"] == 0.75


def test_a_column_of_distances_is_read_as_ranks(tmp_path):
    """The smallest comes first; read as scores it is told what comes first."""
    path = put(tmp_path, "l2.csv", "query,document,distance\nq1,x,0.9\nq1,a,0.1\nq2,c,0.5\n")
    as_ranks = evaluate(path, GRADES, "RR", columns={"distance": "rank"})
    assert as_ranks.mean["RR"] == 1
    as_scores = evaluate(path, GRADES, "RR", columns={"distance": "score"})
    assert as_scores.mean["RR"] == 0.75
    assert any("--columns distance=rank" in note for note in as_scores.notes())


def test_results_may_be_ids_in_ranked_order(tmp_path):
    """As lists of any other name may; an id that comes twice is refused."""
    lines = '{"query_id": "q1", "results": ["x", "a"]}\n{"query_id": "q2", "results": ["c"]}\n'
    assert evaluate(put(tmp_path, "r.jsonl", lines), GRADES, "RR").mean["RR"] == 0.75
    with pytest.raises(InputError, match="ranked twice"):
        evaluate(put(tmp_path, "r.jsonl", lines.replace('"x"', '"a"')), GRADES, "RR")


@pytest.mark.parametrize(
    ("run_id", "judged_id", "how"),
    [
        ("007", "7", "zeros in front"),
        ("d07-003", "d7-3", "zeros in front"),
        ("7.0", "7", "the .0 of a number"),
        ("D7", "d7", "capital letters"),
        ("d7.txt", "d7", "the ending of a file's name"),
        ("https://host/d7", "d7", "what stands before the last / or #"),
    ],
)
def test_ids_that_are_written_otherwise_are_shown_beside_each_other(run_id, judged_id, how):
    """Of documents by a note, of queries by the refusal; where they meet, nothing is said."""
    told = f"'{run_id}' and '{judged_id}' differ in {how}"
    noted = evaluate({"q": [run_id, "z"]}, {"q": {judged_id: 1, "y": 0}}, "RR").notes()
    assert any(told in note for note in noted)
    both = evaluate({"q": [run_id, "y"]}, {"q": {judged_id: 1, "y": 0}}, "RR").notes()
    assert not any("differ in" in note for note in both)
    with pytest.raises(InputError) as refused:
        evaluate({run_id: ["a"]}, {judged_id: {"a": 1}}, "RR")
    assert told in str(refused.value)


def test_lists_in_the_cells_of_a_frame_are_told_to_be_exploded(tmp_path):
    """Under any names, from memory and from Parquet."""
    frame = pd.DataFrame({"query": ["q1", "q2"], "ids": [["x", "a"], ["c"]]})
    called = frame.rename(columns={"ids": "document"})
    path = tmp_path / "lists.parquet"
    frame.to_parquet(path)
    for given, name in ((frame, "ids"), (called, "document"), (path, "ids")):
        with pytest.raises(InputError, match=rf"list.*frame\.explode\(.*{name}"):
            evaluate(given, GRADES, "RR")


def test_two_columns_with_blanks_in_ids_are_still_ids(tmp_path):
    """A title may be an id: what has the names of columns that are known is read as they say."""
    path = put(tmp_path, "titles.csv", "query,document\nq1,New York\nq1,Los Angeles\n")
    judged = {"q1": {"Los Angeles": 1}}
    assert evaluate(path, judged, "RR").mean["RR"] == 0.5
