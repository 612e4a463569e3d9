"""Files as people have them: other orders of columns, quotes, marks, line ends, names and shapes.

Each run ranks x above a for q1 and c first for q2; a, c are relevant. So RR is 0.75 for all.
"""

import json
import subprocess

import pytest

from irmetrics_edu import evaluate
from irmetrics_edu.cli import main
from irmetrics_edu.errors import InputError

RUN = {"q1": {"x": 9.0, "a": 8.0}, "q2": {"c": 7.0}}
GRADES = {"q1": {"a": 1, "x": 0}, "q2": {"c": 2}}
MARK = "\N{ZERO WIDTH NO-BREAK SPACE}"
HITS = [
    {"score": 9, "docno": "x", "query_id": "q1"},
    {"score": 8, "docno": "a", "query_id": "q1"},
    {"query_id": "q2", "docno": "c", "score": 7},
]
JUDGED = [
    {"relevance": 1, "doc_id": "a", "qid": "q1"},
    {"doc_id": "x", "relevance": 0, "qid": "q1"},
    {"qid": "q2", "doc_id": "c", "relevance": 2},
]


def lines(rows):
    """An object of JSON on each line."""
    return "\n".join(map(json.dumps, rows))


RUNS = {
    "three-columns.tsv": "q1\tx\t1\nq1\ta\t2\nq2\tc\t1\n",
    "three-columns-of-windows.tsv": f"{MARK}q1\tx\t1\r\nq1\ta\t2\r\nq2\tc\t1\r\n",
    "four-columns.tsv": "q1\tx\t1\t20.5\nq1\ta\t2\t18.25\nq2\tc\t1\t17.1\n",
    "trec.tsv": f"{MARK}q1\tQ0\tx\t1\t9.5\tt\r\nq1\tQ0\ta\t2\t8\tt\r\nq2\tQ0\tc\t1\t7\tt\r\n",
    "trec.csv": "q1,Q0,x,1,9,t\nq1,Q0,a,2,8,t\nq2,Q0,c,1,7,t\n",
    "semicolons.csv": "docid;score;qid\nx;9;q1\na;8;q1\nc;7;q2\n",
    "quoted.csv": '"qid","docno","score"\r\n"q1","x","9.5"\r\n"q1","a","8.0"\r\n"q2","c","7.0"\r\n',
    "texts.csv": 'docno,rank,score,qid,query\nx,0,9.0,q1,"a, b"\na,1,8.0,q1,"a, b"\nc,0,7.0,q2,c\n',
    "pairs.json": json.dumps({"q1": [["x", 9.0], ["a", 8.0]], "q2": [["c", 7.0]]}),
    "records.json": json.dumps(HITS),
    "hits.jsonl": MARK + lines(HITS).replace("\n", "\r\n"),
    "lists.jsonl": lines([{"qid": "q1", "docs": ["x", "a"]}, {"qid": "q2", "docs": ["c"]}]),
    "lists-of-pairs.jsonl": lines(
        [{"query": "q1", "top": [["x", 9], ["a", 8]]}, {"query": "q2", "top": [["c", 7]]}]
    ),
    "results.jsonl": lines(
        [
            {"qid": "q1", "results": [{"id": "x", "score": 9}, {"id": "a", "score": 8}]},
            {"qid": "q2", "results": [{"id": "c", "score": 7}]},
        ]
    ),
    "recbole.inter": "item_id:token\tuser_id:token\tscore:float\nx\tq1\t9\na\tq1\t8\nc\tq2\t7\n",
    "shop.csv": "customer_id,product_id,score\nq1,x,9\nq1,a,8\nq2,c,7\n",
}


@pytest.mark.parametrize("name", RUNS)
def test_a_run_is_read_however_it_is_written(name, tmp_path):
    """With the same value."""
    path = tmp_path / name
    path.write_bytes(RUNS[name].encode())
    assert evaluate(path, GRADES, "RR").mean["RR"] == 0.75


JUDGMENTS = {
    "semicolons.csv": "doc;query;rel\na;q1;1\nx;q1;0\nc;q2;2\n",
    "beir.tsv": f"{MARK}corpus-id\tscore\tquery-id\r\na\t1\tq1\r\nx\t0\tq1\r\nc\t2\tq2\r\n",
    "four-columns.csv": "q1,0,a,1\nq1,0,x,0\nq2,0,c,2\n",
    "three-columns.tsv": "q1\ta\t1\nq1\tx\t0\nq2\tc\t2\n",
    "trec.tsv": "q1\t0\ta\t1\nq1\t0\tx\t0\nq2\t0\tc\t2\n",
    "records.json": json.dumps(JUDGED),
    "lines.jsonl": lines(JUDGED),
    "lists.jsonl": lines([{"qid": "q1", "relevant": ["a"]}, {"qid": "q2", "relevant": ["c"]}]),
    "rank-eval.json": json.dumps(
        {
            "requests": [
                {"ratings": [{"_id": "a", "rating": 1}, {"_id": "x", "rating": 0}], "id": "q1"},
                {"id": "q2", "params": {}, "ratings": [{"_index": "i", "_id": "c", "rating": 2}]},
            ]
        },
        indent=2,
    ),
    "recbole.inter": "rating:float\tuser_id:token\titem_id:token\r\n1\tq1\ta\r\n0\tq1\tx\r\n"
    "2\tq2\tc\r\n",
    "shop.csv": "customer_id,product_id,rating\nq1,a,1\nq1,x,0\nq2,c,2\n",
}


@pytest.mark.parametrize("name", JUDGMENTS)
def test_judgments_are_read_however_they_are_written(name, tmp_path, capsys):
    """With the same value, and `judgments lint` reads what `evaluate` reads."""
    path = tmp_path / name
    path.write_bytes(JUDGMENTS[name].encode())
    assert evaluate(RUN, path, "RR").mean["RR"] == 0.75
    main(["judgments", "lint", str(path)])
    assert "errors: 0" in capsys.readouterr().out


# What is called by its name, whether it is the run, and what is between the name and the command.
CONVERTED = {
    "blanks.txt": ("q1 x 1\nq1\ta 2\nq2  c 1\n", True, "as lines of TREC: "),
    "scores.txt": ("q1 x 9.5\nq1 a 8.25\nq2 c 7e-1\n".replace("7e-1", "7.0"), True, "of TREC: "),
    "grades.txt": ("q1 a 1\nq1 x 0\nq2 c 2\n", False, "write them as such: "),
    "one-of-some.csv": ("id,prediction\nq1,x a\nq2,c\n", True, "for each document: "),
    "commas.tsv": ("user\titems\nq1\tx,a\nq2\tc\n", True, "for each document: "),
    "printed.csv": ("id,top\nq1,\"['x', 'a']\"\nq2,\"['c']\"\n", True, "for each document: "),
    "ratings.json": (
        json.dumps(
            {
                "index": "i",
                "id_field": "id",
                "topics": [
                    {
                        "query_groups": [
                            {
                                "queries": [{"placeholders": {"$query": "q1"}}],
                                "relevant_documents": {"1": ["a"], "0": ["x"]},
                            },
                            {
                                "queries": [{"placeholders": {"$query": "q2"}}],
                                "relevant_documents": {"c": {"gain": 2}},
                            },
                        ]
                    }
                ],
            }
        ),
        False,
        "first placeholders: ",
    ),
}


@pytest.mark.parametrize("name", CONVERTED)
def test_the_command_that_is_named_makes_what_is_read(name, tmp_path):
    """It is run as it is printed."""
    data, is_run, before = CONVERTED[name]
    path = tmp_path / name
    path.write_text(data)
    given = (path, GRADES) if is_run else (RUN, path)
    with pytest.raises(InputError) as refused:
        evaluate(*given, "RR")
    program = str(refused.value).partition(before)[2]
    subprocess.run(program, shell=True, check=True, cwd=tmp_path)  # noqa: S602 -- our own words
    made = tmp_path / program.rpartition("> ")[2]
    given = (made, GRADES) if is_run else (RUN, made)
    assert evaluate(*given, "RR").mean["RR"] == 0.75


def test_letters_of_the_shopping_queries_are_told_with_their_gains(tmp_path):
    """Their table has the usual columns of that data set."""
    path = tmp_path / "esci.csv"
    path.write_text("query,query_id,product_id,esci_label\nx,q1,a,E\ny,q2,c,S\n")
    with pytest.raises(InputError, match=r"a letter of ESCI: write its gain, 1"):
        evaluate(RUN, path, "RR")


def test_a_query_whose_list_comes_twice_is_refused(tmp_path):
    """Nobody can tell which of them counts."""
    path = tmp_path / "lists.jsonl"
    path.write_text(lines([{"qid": "q1", "docs": ["x"]}] * 2))
    with pytest.raises(InputError, match="line 2: query 'q1': a line above has it, too"):
        evaluate(path, GRADES, "RR")
