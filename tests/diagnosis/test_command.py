"""`irmetrics-edu diagnose`: text, JSON, exit codes."""

import json
import math

import pytest

from irmetrics_edu import diagnose
from irmetrics_edu.cli import main
from irmetrics_edu.diagnosis.search import Search

GRADES = ["--relevance", "3,2,3,0,1,2"]


def test_an_explained_value_exits_with_0(capsys):
    """The convention and what to write."""
    assert main(["diagnose", "nDCG@10", *GRADES, "--value", "0.949"]) == 0
    out = capsys.readouterr().out
    assert 'ndcg([3, 2, 3, 0, 1, 2], k=10, gain="exp")' in out


def test_an_unexplained_value_exits_with_1(capsys):
    """And says that nothing is near."""
    assert main(["diagnose", "nDCG@10", *GRADES, "--value", "0.12345"]) == 1
    assert "Nothing comes near it" in capsys.readouterr().out


@pytest.mark.parametrize("value", ["0.7562", "0.12345"])
def test_an_interrupted_search_says_what_it_found_so_far(capsys, monkeypatch, value):
    """Ctrl-C ends it with 130, and says how many of the conventions were tried."""
    whole, tried = Search.score, []

    def interrupted(self, setting):
        tried.append(setting)
        if len(tried) == 6:  # our own setting is scored before the others
            raise KeyboardInterrupt
        return whole(self, setting)

    monkeypatch.setattr(Search, "score", interrupted)
    given = [*GRADES, "--unretrieved", "3,2", "--value", value]
    assert main(["diagnose", "nDCG@10", *given]) == 130
    out = capsys.readouterr().out
    assert "Interrupted: 4 of " in out
    assert ("nDCG@10 as we define it gives" in out) == (value == "0.7562")
    assert ("None of these gives it." in out) == (value != "0.7562")
    tried.clear()
    with pytest.raises(KeyboardInterrupt):  # whoever does not watch is not told, and stops
        diagnose("nDCG@10", [3, 2, 3, 0, 1, 2], value=value)


def test_json(capsys):
    """The same for programs."""
    assert main(["diagnose", "nDCG@10", *GRADES, "--value", "0.949", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["candidates"][0]["arguments"] == {"gain": "exp"}


def test_files(capsys, tmp_path):
    """A run and qrels as TREC files; the value is the mean."""
    (tmp_path / "run").write_text("q1 Q0 a 1 2.0 x\nq1 Q0 b 2 1.0 x\n", encoding="utf-8")
    (tmp_path / "qrels").write_text("q1 0 a 1\nq1 0 b 3\n", encoding="utf-8")
    files = ["--run", str(tmp_path / "run"), "--qrels", str(tmp_path / "qrels")]
    assert main(["diagnose", "nDCG@10", *files, "--value", "0.7098"]) == 0
    assert 'evaluate(run, qrels, "nDCG(gain=exp)@10")' in capsys.readouterr().out


def test_tables_with_columns_of_other_names(capsys, tmp_path):
    """What `evaluate` reads with --columns can be diagnosed and explained, too."""
    (tmp_path / "run.csv").write_text("reader,book,points\nu1,a,2\nu1,b,1\n", encoding="utf-8")
    (tmp_path / "qrels.csv").write_text("reader,book,stars\nu1,a,1\nu1,b,3\n", encoding="utf-8")
    files = ["--run", str(tmp_path / "run.csv"), "--qrels", str(tmp_path / "qrels.csv")]
    files += ["--columns", "reader=query,book=document,points=score,stars=grade"]
    assert main(["diagnose", "nDCG@10", *files, "--value", "0.7098"]) == 0
    assert 'gain="exp"' in capsys.readouterr().out
    assert main(["explain", "nDCG@10", *files, "--query", "u1"]) == 0
    assert "DCG@10 / IDCG@10 = 2.8928 / 3.6309 = 0.7967" in capsys.readouterr().out


def test_files_of_subtopics_and_categories(capsys, tmp_path):
    """Judgments by subtopic for alpha-nDCG, categories for DCC; each value is another's."""
    texts = {
        "run": "q1 Q0 b 1 3.0 x\nq1 Q0 a 2 2.0 x\nq1 Q0 c 3 1.0 x\n",
        "topics": "q1 A a 1\nq1 B a 1\nq1 B b 1\nq1 C b 1\nq1 A c 1\nq1 D c 1\n",
        "qrels": "q1 0 a 1\nq1 0 c 1\n",
        "categories": "a rock\nb rock\nb folk\nc jazz\n",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    run = ["--run", str(tmp_path / "run")]
    # c (A, D) then b (B, C) are ideal for ndeval: 2 and 2; by our rule a and b: 2 and 3/2.
    value = f"{(2 + 1.5 / math.log2(3)) / (2 + 2 / math.log2(3)):.4f}"
    by_topic = [*run, "--qrels", str(tmp_path / "topics"), "--value", value]
    assert main(["diagnose", "alpha-nDCG@2", *by_topic]) == 0
    assert 'alpha-nDCG(ideal=ndeval)@2"' in capsys.readouterr().out
    # rock and jazz by the hits; of folk alone 1/100, for rock is covered: of three categories.
    files = ["--qrels", str(tmp_path / "qrels"), "--categories", str(tmp_path / "categories")]
    assert main(["diagnose", "DCC", *run, *files, "--value", f"{2.01 / 3:.5f}"]) == 0
    assert "DCC(overlap=once)" in capsys.readouterr().out


@pytest.mark.parametrize(
    "wrong",
    [
        [],
        [*GRADES, "--ranking", "a"],
        ["--ranking", "a"],
        ["--run", "a"],
        ["--ranking", "a", "--judgments", "a", "--unretrieved", "1"],
        ["--relevance", "1,x"],
        [*GRADES, "--categories", "c"],
    ],
)
def test_bad_input_exits_with_2(wrong, capsys):
    """What is missing or too much is said."""
    assert main(["diagnose", "nDCG", *wrong, "--value", "0.5"]) == 2
    assert "irmetrics-edu diagnose:" in capsys.readouterr().err
