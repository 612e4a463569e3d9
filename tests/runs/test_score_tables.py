"""Scores of single queries as other tools print them, long or wide, are compared alike."""

from pathlib import Path

import pytest

from irmetrics_edu.cli import main
from irmetrics_edu.errors import InputError
from irmetrics_edu.runs.printed_scores import read_scores

FORMS = {
    "trec_eval -q": "ndcg_cut_10\tq1\t0.5\nndcg_cut_10\tq2\t0.7\nndcg_cut_10\tall\t0.6\n",
    "ir_measures -q": "q1\tnDCG@10\t0.5000\nq2\tnDCG@10\t0.7000\nall\tnDCG@10\t0.6000\n",
    "a long table": "qid,measure,value\nq1,nDCG@10,0.5\nq2,nDCG@10,0.7\n",
    "a wide table": "query_id\tndcg_cut_10\nq1\t0.5\nq2\t0.7\n",
    "a wide table of CSV": "qid,nDCG@10\nq1,0.5\nq2,0.7\n",
}


@pytest.mark.parametrize("form", FORMS)
def test_each_form_gives_the_same_scores(form: str, tmp_path: Path) -> None:
    """The line of the mean is no query."""
    path = tmp_path / "scores.txt"
    path.write_text(FORMS[form])
    scores = read_scores(path)
    assert dict(scores.per_query["nDCG@10"]) == {"q1": 0.5, "q2": 0.7}


def test_two_tables_are_compared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One wide, one of ir_measures."""
    (tmp_path / "a.tsv").write_text(FORMS["a wide table"])
    (tmp_path / "b.txt").write_text(FORMS["ir_measures -q"].replace("0.7", "0.9"))
    files = [str(tmp_path / "a.tsv"), str(tmp_path / "b.txt")]
    assert main(["compare", "--scores", *files]) == 0
    assert "0.7000" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("query_id\tndcg_cut_10\nq1\thigh\n", "line 2: ndcg_cut_10 of query 'q1': value 'high'"),
        ("q1\tnDCG@10\t0.5\nq2\tnDCG@10\n", "line 2: .* has 2 fields; expected 3, as ir_measures"),
        ("query_id\tAP\nq1\t0.5\nq1\t0.6\n", "line 3: AP of query 'q1' is there twice"),
    ],
)
def test_what_is_no_score_is_named_with_its_line(text: str, message: str, tmp_path: Path) -> None:
    """As in the other forms."""
    path = tmp_path / "scores.txt"
    path.write_text(text)
    with pytest.raises(InputError, match=message):
        read_scores(path)
