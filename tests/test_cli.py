"""The command line as a user meets it."""

import importlib
import json
import re
import shlex
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from irmetrics_edu.cli import BAD_INPUT, COMMANDS, FAILED, FINE, main, parser
from irmetrics_edu.commands.metrics import TASKS
from irmetrics_edu.course import documents
from irmetrics_edu.course.documents.example import DIFFERS, Example
from irmetrics_edu.errors import InputError
from irmetrics_edu.metrics.definition import METRICS, import_all


def output(capsys, *arguments, code=FINE):
    """What a command prints, having exited as expected."""
    assert main(arguments) == code
    return capsys.readouterr()


def test_explain_prints_the_working(capsys):
    """The example of the help text."""
    shown = output(capsys, "explain", "nDCG@3", "--relevance", "5,2,3").out
    assert shown.startswith("nDCG@3 = DCG@3 / IDCG@3 = 7.7619 / 7.8928 = 0.9834")


def test_explain_takes_a_ranking_and_judgments(capsys, tmp_path):
    """Judgments on the line, an id alone being relevant, or in a JSON file."""
    line = output(capsys, "explain", "RR", "--ranking", "a,b", "--judgments", "b=1,c").out
    file = tmp_path / "judgments.json"
    file.write_text('{"b": 1, "c": 1}', encoding="utf-8")
    assert line == output(capsys, "explain", "RR", "--ranking", "a,b", "--judgments", str(file)).out
    assert "= 1 / 2 = 0.5000" in line


def test_explain_takes_judged_documents_that_were_not_retrieved(capsys):
    """A 1 beside a missed 2, by hand; AUC has to say where they rank, and then counts them."""
    shown = output(capsys, "explain", "nDCG", "--relevance", "1", "--unretrieved", "2").out
    assert shown.startswith("nDCG = DCG / IDCG = 1.0000 / 2.6309 = 0.3801")
    last = ["--relevance", "1,0,1", "--unretrieved", "1,0"]
    assert "= 0.5833" in output(capsys, "explain", "AUC(unretrieved=last)", *last).out
    assert main(["explain", "AUC", *last]) == 2
    assert "write AUC(unretrieved=last)" in capsys.readouterr().err
    unjudged = ["--relevance", "1,-,0", "--unretrieved", "1"]
    assert main(["explain", "AUC(unretrieved=last)", *unjudged]) == 2
    assert "item 2 is not judged" in capsys.readouterr().err


def test_explain_of_a_query_needs_no_value_of_the_others(capsys, tmp_path, monkeypatch):
    """AUC of q2 has no pair, and q1 is asked for; of q9 it says that there is no such query."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "r").write_text("q1 Q0 a 1 2 x\nq1 Q0 b 2 1 x\nq2 Q0 c 1 1 x\n")
    (tmp_path / "q").write_text("q1 0 a 1\nq1 0 b 0\nq2 0 c 1\n")
    asked = ["explain", "AUC", "--run", "r", "--qrels", "q", "--query"]
    assert "= 1.0000" in output(capsys, *asked, "q1").out
    for query, says in (("q2", "query 'q2': of 1 documents all"), ("q9", "asked for is 'q9'")):
        assert main([*asked, query]) == 2
        assert says in capsys.readouterr().err


@pytest.mark.parametrize("form", ["html", "latex", "markdown"])
def test_explain_in_other_forms(capsys, form):
    """Each form names the measure."""
    assert "nDCG" in output(capsys, "explain", "nDCG", "--relevance", "1,0", "--format", form).out


def test_explain_exactly(capsys):
    """Fractions instead of decimals."""
    assert "5/6" in output(capsys, "explain", "AP", "--relevance", "1,0,1", "--exact").out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["explain", "nDCG"], "give --relevance"),
        (["explain", "nDCG", "--relevance", "5,x"], "grade 'x' is not a number"),
        (["explain", "nDGC", "--relevance", "5"], "not a known measure"),
        (["explain", "nDCG", "--relevance", "5", "--ranking", "a"], "alone"),
        (["explain", "nDCG", "--ranking", "a", "--judgments", "a=1,a=2"], "judged twice"),
        (["explain", "nDCG", "--ranking", "a", "--judgments", "no.json"], "no.json"),
        (["reproduce", "--example", "003-DGC"], "the nearest are"),
        (["reproduce", "--example", "003-DCG", "--document", "004"], "is in document 003"),
        (["metrics", "nDGC"], "not a known measure"),
    ],
)
def test_bad_input_says_what_would_do(capsys, arguments, message):
    """Exit code 2 and one line on stderr, no traceback."""
    shown = output(capsys, *arguments, code=BAD_INPUT)
    assert message in shown.err
    assert shown.err.count("\n") == 1
    assert shown.out == ""


def test_a_json_file_that_is_none_is_reported_with_its_line(capsys, tmp_path):
    """File and line."""
    file = tmp_path / "judgments.json"
    file.write_text('{"a": 1,\n oops', encoding="utf-8")
    shown = output(
        capsys, "explain", "RR", "--ranking", "a", "--judgments", str(file), code=BAD_INPUT
    )
    assert "line 2" in shown.err


def test_metrics_lists_the_registry(capsys):
    """Every metric, in every form; one in full."""
    import_all()
    names = [
        entry["name"] for entry in json.loads(output(capsys, "metrics", "--format", "json").out)
    ]
    assert names == list(METRICS)
    tasks = output(capsys, "metrics").out
    assert set(names) <= set(tasks.split())
    assert len(tasks.splitlines()) <= 24
    assert all(len(line) <= 80 for line in tasks.splitlines())
    for task in TASKS:
        first, *lines = output(capsys, "metrics", task).out.splitlines()
        assert first.split() == ["metric", "definition"]
        assert all(len(line) <= 80 for line in lines)
    full = output(capsys, "metrics", "ndcg").out
    assert "Järvelin" in full
    assert "gain: linear, exp" in full


def test_reproduce_closes_with_its_count(capsys):
    """Each example of each document, the misprints explained, and all come out."""
    shown = " ".join(output(capsys, "reproduce").out.split())
    for example in documents.examples():
        assert f"{example.id}: " in shown
    for document in documents.DOCUMENTS:
        assert document in shown
    assert shown.rstrip().endswith("All come out.")
    for heading in ("What the documents have wrong:", "Unusual signs:"):
        assert heading in shown
    assert re.search(r"\d+ cautions and \d+ points of notation explained", shown)


def test_reproduce_one_example_with_its_working(capsys):
    """Print, computation and every step."""
    shown = output(capsys, "reproduce", "--example", "003-DCG").out
    assert "printed   7.762" in shown
    assert "printed   5, 1.262, 1.5" in shown
    assert "DCG = the sum of discounted gain" in shown


def test_reproduce_as_json(capsys):
    """The promised fields, in every object."""
    entries = json.loads(output(capsys, "reproduce", "--format", "json").out)
    assert len(entries) == len(documents.examples())
    for entry in entries:
        assert {"document", "id", "where", "call", "printed", "computed", "verdict"} <= set(entry)
    with_errata = [e for e in entries if "erratum" in e]
    assert with_errata
    assert all({"kind", "printed", "right", "why"} == set(e["erratum"]) for e in with_errata)


def test_reproduce_fails_if_one_does_not_come_out(capsys, monkeypatch):
    """The exit code is a check that can fail."""
    wrong = Example(
        what="a wrong digit",
        call="dcg([5, 2, 3])",
        printed="7.763",
        inputs={},
        document="003",
        where="nowhere",
        id="x",
    )
    monkeypatch.setattr(documents, "examples", lambda _document: [wrong])
    shown = output(capsys, "reproduce", code=FAILED).out
    assert DIFFERS in shown
    assert "1 do not come out: x" in shown


def test_every_command_has_help(capsys):
    """Help for all, with the options of each."""
    for name, summary in COMMANDS.items():
        with pytest.raises(SystemExit) as stop:
            main([name, "--help"])
        assert stop.value.code == 0
        shown = capsys.readouterr().out
        assert summary.split()[0] in shown.lower()
        assert len(shown.split("\n\n")[0].splitlines()) == 1  # a usage that is read at a glance
        assert shown.index("-h, --help") < shown.find("how files are read") or name != "evaluate"


def test_the_installed_command_runs():
    """Through the interpreter, as a user's shell would."""
    done = subprocess.run(
        [sys.executable, "-m", "irmetrics_edu.cli", "explain", "RR", "--relevance", "0,1"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.startswith("RR = 1 / rank of the first relevant = 1 / 2 = 0.5000")


@pytest.mark.parametrize(("name", "module"), [(name, name.replace("-", "_")) for name in COMMANDS])
def test_the_examples_of_the_help_are_calls_that_can_be_made(capsys, name, module):
    """Each is printed by --help, and its arguments are understood."""
    examples = importlib.import_module(f"irmetrics_edu.commands.{module}").EXAMPLES
    with pytest.raises(SystemExit, match="0"):
        main([name, "--help"])
    shown = capsys.readouterr().out
    for example in examples:
        assert f"irmetrics-edu {example}\n" in f"{shown}\n"
        assert parser(name).parse_args(shlex.split(example)).command == name


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_a_help_has_the_usual_options_first_and_others_under_headings(command, capsys):
    """At most ten options stand before the first heading of a command's own."""
    with suppress(SystemExit):
        main([*command.split(), "--help"])
    usual = capsys.readouterr().out.partition("\noptions:\n")[2].partition("\n\n")[0]
    assert 1 <= len(re.findall(r"^  -", usual, re.MULTILINE)) <= 10


@pytest.mark.parametrize("words", [("RR",), ("RR", "AP@10")])
def test_measures_behind_the_one_that_the_option_takes_are_told_of_quotes(words):
    """A file that was given once too often is not taken for a measure."""
    with pytest.raises(InputError, match=f"in quotes: -m 'nDCG@5 {' '.join(words)}'"):
        parser("evaluate").parse_args(["evaluate", "qrels", "run", "-m", "nDCG@5", *words])
    with pytest.raises(InputError, match=r"unrecognized arguments: other\.txt; for several runs"):
        parser("evaluate").parse_args(["evaluate", "qrels", "run", "-m", "nDCG@5", "other.txt"])


@pytest.mark.parametrize(
    ("metric", "says"),
    [
        ("RBO", "RBO compares two orders; give --ranking a,b,c and --other b,a,c alone"),
        ("Gini", "Gini takes recommended and categories, which are no grades"),
        ("alpha-nDCG@3", "alpha-nDCG takes ranking and nuggets, .* as --judgments FILE.json"),
        ("DCC", r"DCC takes recommended, .* from irmetrics_edu import {0}; print\({0}\(.DCC"),
    ],
)
@pytest.mark.parametrize("command", ["explain", "diagnose"])
def test_grades_are_not_taken_for_other_inputs(command, metric, says, capsys):
    """They would be read as the second order, or as nuggets, without a word."""
    value = ["--value", "0.5"] if command == "diagnose" else []
    given = ["--ranking", "a,b", "--judgments", "a=1,b"]
    assert main([command, metric, *given, *value]) == BAD_INPUT
    assert re.search(says.format(command), capsys.readouterr().err)


def test_two_orders_are_compared_by_commands(capsys):
    """Two of three pairs agree in a,b,c and b,a,c: tau is 1/3."""
    orders = ["--ranking", "a,b,c", "--other", "b,a,c"]
    assert main(["explain", "tau", *orders]) == 0
    assert "= 0.3333" in capsys.readouterr().out
    assert main(["diagnose", "tau", *orders, "--value", "0.3333"]) == 0
    assert main(["reconcile", "tau", *orders, "--values", "0.3333", "0.3333"]) == 0
    capsys.readouterr()
    for given, says in (
        (["AP", *orders], "--other is for measures that compare two orders, and AP takes ranking"),
        (["tau", *orders, "--judgments", "a"], "give --ranking a,b,c and --other b,a,c alone"),
        (["tau", "--relevance", "1,0"], "give --ranking a,b,c and --other b,a,c alone"),
        (["Gini", "--relevance", "3,2"], "print(explain(\"Gini\", {'a': 3, 'b': 0}))"),
    ):
        assert main(["explain", *given]) == BAD_INPUT
        assert says in capsys.readouterr().err


def test_worst_queries_of_deep_runs_are_explained_in_a_screen(tmp_path, monkeypatch, capsys):
    """Lines of relevant documents stay; what is left out is counted, and one query shows all."""
    monkeypatch.chdir(tmp_path)
    documents = [f"d{rank}" for rank in range(1, 201)]
    lines = [f"q1 Q0 {d} {i} {-i} t\n" for i, d in enumerate(documents, 1)]
    Path("run").write_text("".join(lines), encoding="utf-8")
    judged = [f"q1 0 {d} 1\n" for d in documents[9:200:10]]  # 20, at ranks 10, 20 ...
    Path("qrels").write_text("".join(judged), encoding="utf-8")
    of_run = ["explain", "AP", "--run", "run", "--qrels", "qrels"]
    assert main([*of_run, "--worst", "1"]) == 0
    short = capsys.readouterr().out
    assert all(f"  {d} " in short for d in documents[9:200:10])
    assert "180 more lines, 0 of them of relevant documents: --query q1 shows all" in short
    assert short.count("\n") < 30
    assert main([*of_run, "--query", "q1"]) == 0
    assert capsys.readouterr().out.count("\n") > 200
