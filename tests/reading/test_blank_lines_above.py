# ruff: noqa: E501 -- one file a line
"""Blank lines above the first line of a file are no rows, whoever reads it."""

import re

import pytest

from irmetrics_edu.cli import main

RUN = "q1 Q0 a 1 2 t\nq2 Q0 b 1 2 t\n"
QRELS = "query,document,grade\nq1,a,1\nq2,a,2\nq2,b,1\n"
SCORES = "query,measure,value\nq1,m,0.5\nq2,m,1\n"
READERS = {
    "judgments": (QRELS, ["evaluate", "FILE", "run", "-m", "nDCG"]),
    "a run": ("query;document;score\nq1;a;2\nq2;b;1\n", ["evaluate", "qrels.csv", "FILE", "-m", "RR"]),
    "labels": (QRELS, ["judgments", "agreement", "FILE", "qrels.csv"]),
    "scores": (SCORES, ["compare", "FILE", "scores.csv", "--scores"]),
    "wide scores": ("query,m\nq1,0.5\nq2,1\n", ["compare", "FILE", "scores.csv", "--scores"]),
    "scores of Ragas": ("user_input,m\nq1,0.5\nq2,1\n", ["compare", "FILE", "scores.csv", "--scores"]),
    "scores of ir_measures": ("q1\tRR\t0.5\nq2\tRR\t1\n", ["compare", "FILE", "rr.txt", "--scores"]),
    "scores of trec_eval": ("recip_rank\tq1\t0.5\nrecip_rank\tq2\t1\n", ["compare", "FILE", "rr.txt", "--scores"]),
    "groups": ("query,group\nq1,x\nq2,y\n", ["evaluate", "qrels.csv", "run", "--groups", "FILE"]),
    "weights": ("query\tweight\nq1\t3\nq2\t1\n", ["evaluate", "qrels.csv", "run", "--weights", "FILE"]),
    "texts": ("query,text\nq1,one\nq2,two\n", ["compare", "qrels.csv", "run", "other", "--worst", "1", "--queries", "FILE"]),
    "queries": ("query\nq1\n", ["evaluate", "qrels.csv", "run", "--only", "FILE"]),
}  # fmt: skip


@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize("blank", ["\n", "\n\r\n\n"])
def test_blank_lines_above_change_nothing(tmp_path, monkeypatch, capsys, name, blank):
    """The same is printed with them and without."""
    monkeypatch.chdir(tmp_path)
    text, call = READERS[name]
    files = {
        "run": RUN,
        "other": RUN.replace(" a ", " c "),
        "qrels.csv": QRELS,
        "scores.csv": SCORES,
        "rr.txt": "recip_rank\tq1\t1\nrecip_rank\tq2\t1\n",
    }
    for file, content in files.items():
        (tmp_path / file).write_text(content, encoding="utf-8")
    said = []
    for above in ("", blank):
        (tmp_path / "given.csv").write_bytes((above + text).encode())
        code = main([word.replace("FILE", "given.csv") for word in call])
        shown = capsys.readouterr()
        said.append((code, re.sub(r"\d{4}-\d\d-\d\d.*", "", shown.out), shown.err))
    assert said[0] == said[1]
    assert said[0][0] == 0
