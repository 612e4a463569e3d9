"""A review of what changed: baselines side by side, and the reports of shards as one."""

import base64
import hashlib
import io
import itertools
import json
import os
import re
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from irmetrics_edu import evaluate
from irmetrics_edu.cli import main
from irmetrics_edu.gate.baseline import Baseline
from irmetrics_edu.gate.plugin import baseline_files

QRELS = {"q1": {"a": 1}, "q2": {"a": 1}, "q3": {"a": 1}}
OLD = {"q1": ["a", "b"], "q2": ["a", "b"], "q3": ["b", "a"]}
NEW = {"q1": ["a", "b"], "q2": ["b", "c", "d", "a"], "q3": ["a", "b"]}


def entry(run, measures="RR", qrels=QRELS):
    """What a file keeps of a run."""
    return {**Baseline.of(evaluate(run, qrels, measures), qrels).entry(), "test": "t"}


def kept(path, **entries):
    """A file of baselines, by the names of tests."""
    found = {f"test_it.py::{name}": one for name, one in entries.items()}
    path.write_text(baseline_files.text(found), encoding="utf-8")
    return str(path)


@pytest.fixture
def files(tmp_path):
    """Two files: of one test the ranking changed, one is new, one is gone, one is the same."""
    same = entry(OLD, "P@1")
    old = kept(tmp_path / "old.json", test_x=entry(OLD), test_same=same, test_gone=same)
    new = kept(tmp_path / "new.json", test_x=entry(NEW), test_same=same, test_new=same)
    return old, new


@pytest.fixture
def qrels(tmp_path):
    """The judgments as a file."""
    return judged(tmp_path / "qrels.txt", QRELS)


def judged(path, qrels):
    """Judgments in TREC's format."""
    lines = [f"{q} 0 {d} {grade}\n" for q, of in qrels.items() for d, grade in of.items()]
    path.write_text("".join(lines), encoding="utf-8")
    return str(path)


def printed(capsys):
    """The lines on standard output, each space one."""
    return [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]


def test_the_means_and_the_queries_are_shown_the_greatest_loss_first(files, capsys):
    """RR was 1, 1 and 1/2, a mean of 5/6, and is 1, 1/4 and 1: 3/4, a loss of 1/12."""
    assert main(["baseline", "diff", *files]) == 0
    lines = printed(capsys)
    assert lines[0] == "baselines: 1 changed, 1 new, 1 removed, 1 the same"
    assert lines[2] == "test_it.py::test_x RR 0.8333 0.7500 -0.0833 3 1 1"
    assert "test_it.py::test_x: queries that changed, the greatest loss first" in lines
    assert "note: test_it.py::test_new: new" in lines
    assert "note: test_it.py::test_gone: removed" in lines
    q2 = "RR q2 1.0000 0.2500 -0.7500"
    q3 = "RR q3 0.5000 1.0000 0.5000"
    assert lines[lines.index(q2) + 1] == q3
    assert not any(" q1 " in line for line in lines)
    assert lines[-1].startswith("note: give --qrels FILE to see the documents that moved")
    assert main(["baseline", "diff", *files, "--worst", "1"]) == 0
    lines = printed(capsys)
    assert q3 not in lines
    more = "test_it.py::test_x, RR: 1 more changed; --worst 2 shows them"
    assert f"note: {more}" in lines


def test_documents_are_shown_by_their_effect_also_one_that_left(tmp_path, capsys):
    """By hand: AP of q was (1 + 2/3) / 2 = 5/6, and is 1/4 / 2 = 1/8; the loss has two parts.

    x counted 1/2 and is gone; a counted (2/3) / 2 = 1/3 and counts 1/8, a loss of 5/24. RR has no
    parts: its documents come without a change.
    """
    qrels = {"q": {"x": 3, "a": 1}, "r": {"a": 1}}
    runs = ({"q": ["x", "b", "a"], "r": ["b", "a"]}, {"q": ["b", "c", "d", "a"], "r": ["a"]})
    paths = [
        kept(tmp_path / f"{i}.json", t=entry(run, "AP RR", qrels)) for i, run in enumerate(runs)
    ]
    told = ["--qrels", judged(tmp_path / "qrels.txt", qrels)]
    assert main(["baseline", "diff", *paths, *told]) == 0
    lines = printed(capsys)
    first = lines.index("AP q x 3 1 - left -0.5000")
    assert lines[first + 1 : first + 4] == [
        "AP q a 1 3 4 fell -0.2083",
        "AP r a 1 2 1 rose 0.5000",
        "RR q x 3 1 - left -",
    ]
    # Of the documents that moved in RR, one stands for each query; a of q moved too.
    assert lines[first + 4] == "RR r a 1 2 1 rose -"
    assert "note: 1 more moved, at lower ranks; --query ID shows them" in lines
    assert "note: RR is not a sum over documents" in " ".join(lines)
    assert "the baseline keeps" not in " ".join(lines)
    assert main(["baseline", "diff", *reversed(paths), *told, "--worst", "2"]) == 0
    assert "AP q x 3 - 1 entered 0.5000" in printed(capsys)
    assert main(["baseline", "diff", *paths, *told, "--query", "q"]) == 0
    out = capsys.readouterr().out
    assert "(1.0000 + 0.0000 + 0.6667) / 2 = 0.8333" in out
    assert "test_it.py::t, AP, query q, after" in out
    assert "query r, after" not in out


def test_other_judgments_are_said_and_a_query_that_is_not_there_is_refused(
    files, qrels, tmp_path, capsys
):
    """The effects are by the file; what the baselines keep stands in the tables above."""
    other = judged(tmp_path / "other.txt", {"q1": {"a": 1}, "q2": {"b": 1}})
    assert main(["baseline", "diff", *files, "--qrels", other]) == 0
    out = capsys.readouterr().out
    # q2 was 1/2 by b at rank 2, and is 1; q3 is not judged, in either: 4 of 6 scores.
    assert f"4 scores are others by {other} (q2, q3, q2 ...): the baseline was made by" in out
    assert "RR of q3: no document can be named" in out
    assert main(["baseline", "diff", *files, "--query", "q2"]) == 2
    assert "--query q2: a working needs judgments; give --qrels FILE" in capsys.readouterr().err
    assert main(["baseline", "diff", *files, "--qrels", qrels, "--query", "q7"]) == 2
    assert "--query q7: no test that changed compares this query" in capsys.readouterr().err


def test_markdown_fits_into_a_comment_and_says_what_it_cut(tmp_path, capsys):
    """GitHub refuses a comment of more than 65,536 characters."""
    judgments = {f"q{i}": {"a": 1} for i in range(2000)}
    old, new = (
        kept(tmp_path / f"{top[0]}.json", t=entry(dict.fromkeys(judgments, top), qrels=judgments))
        for top in (["a", "b"], ["b", "a"])
    )
    assert main(["baseline", "diff", old, new, "--worst", "2000", "--format", "markdown"]) == 0
    out = capsys.readouterr().out
    assert len(out) <= 65_000
    *_, row, empty, last = out.rstrip("\n").split("\n")
    assert row.startswith("| RR | q")
    assert row.endswith(" |")
    assert not empty
    shown = sum(line.startswith("| RR | q") for line in out.splitlines())
    # Beside the other queries, the table has an empty line and the note on --qrels below it.
    assert last.startswith(f"**Cut here**: {2000 - shown + 2:,} more lines do not fit")


def test_the_page_shows_all_queries_and_workings_on_a_click(files, qrels, capsys):
    """All queries that changed, since its table sorts, and the workings of those that lost most."""
    given = ["--qrels", qrels, "--worst", "1", "--format", "html"]
    assert main(["baseline", "diff", *files, *given]) == 0
    out = capsys.readouterr().out
    assert "<td>q3</td>" in out
    assert "more changed" not in out
    assert out.count("<details>") == 2  # of q2, before and after
    assert "<summary>test_it.py::test_x, RR, query q2, before</summary>" in out
    assert out.startswith("<!DOCTYPE html>")
    assert out.endswith("</html>\n")
    # One script runs, by its hash, and nothing else that the page may hold.
    (script,) = re.findall(r"(?s)<script>(.*)</script>", out)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]*)"', out)
    assert policy.startswith("default-src 'none';")
    assert policy.endswith(f"; script-src 'sha256-{digest}'")


def test_queries_are_told_by_their_words(files, tmp_path, capsys):
    """The text of a query stands beside its id; without a file the id stands alone."""
    texts = tmp_path / "queries.csv"
    texts.write_text("id,text\nq2,cheap flights\n", encoding="utf-8")
    assert main(["baseline", "diff", *files, "--queries", str(texts)]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert 'RR q2 "cheap flights" 1.0000' in out
    assert "RR q3 0.5000" in out


def test_groups_are_shown_worst_first(files, tmp_path, capsys):
    """q1 and q2 lose 3/8 on the mean, q3 gains 1/2."""
    groups = tmp_path / "groups.csv"
    groups.write_text("query,language\nq1,de\nq2,de\nq3,en\n", encoding="utf-8")
    assert main(["baseline", "diff", *files, "--groups", str(groups), "--worst", "0"]) == 0
    out = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    assert out[-2:] == [
        "RR de 2 1.0000 0.6250 -0.3750",
        "RR en 1 0.5000 1.0000 0.5000",
    ]
    for text, said in (
        ("query,language\nq1,de\nq2,de\n", "query 'q3' has no group"),
        ("query,language\nq1,de,x\n", "line 2: 3 values"),
        ("query,language\nq1,de\nq1,en\n", "line 3: query 'q1' is in 'en', but in 'de'"),
        ("", "the file is empty"),
    ):
        groups.write_text(text, encoding="utf-8")
        assert main(["baseline", "diff", *files, "--groups", str(groups)]) == 2
        assert said in capsys.readouterr().err


@pytest.mark.parametrize("form", ["markdown", "html"])
def test_it_is_printed_for_a_pull_request(files, capsys, form):
    """In the formats of all tables, escaped."""
    assert main(["baseline", "diff", *files, "--format", form]) == 0
    out = capsys.readouterr().out
    assert "0.8333" in out
    assert {"markdown": "| test ", "html": "<table"}[form] in out


def test_conventions_judgments_and_queries_that_differ_are_noted(tmp_path, capsys):
    """What is not compared is said, and no mean hides it."""
    more = {**QRELS, "q4": {"a": 1}}
    old = kept(tmp_path / "old.json", t=entry(OLD, "RR P@1"))
    changed = {**entry({**NEW, "q4": ["a"]}, "RR AP", more)}
    changed["conventions"] = {**changed["conventions"], "ties": "given"}
    new = kept(tmp_path / "new.json", t=changed)
    assert main(["baseline", "diff", old, new]) == 0
    out = capsys.readouterr().out
    for note in (
        "the judgments changed, so scores differ even where rankings do not",
        "ties was docid and is given",
        "P@1 is gone",
        "AP is new",
        "1 query is new (q4), and not compared",
    ):
        assert f"note: test_it.py::t: {note}" in out
    assert " ".join(out.splitlines()[2].split()) == "test_it.py::t RR 0.8333 0.7500 -0.0833 3 1 1"


def test_no_change_is_said(files, tmp_path, capsys):
    """In a line, and a measure that did not change is counted and not shown."""
    paths = (
        kept(tmp_path / f"{name}.json", t=entry(run, "RR P@4 P@5"))
        for name, run in (("one", OLD), ("other", NEW))
    )
    assert main(["baseline", "diff", *paths]) == 0
    lines = printed(capsys)
    assert "note: measures that did not change: 2" in lines
    assert not any(" P@" in line for line in lines)
    old, _ = files
    assert main(["baseline", "diff", old, old]) == 0
    assert capsys.readouterr().out == "baselines: 3 the same\n"


def test_a_file_may_come_through_a_pipe(files, tmp_path, capsys, monkeypatch):
    """As from git show, as standard input or in a shell's <( )."""
    old, new = files
    content = Path(old).read_text(encoding="utf-8")
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_text, args=(content,))
    writer.start()
    assert main(["baseline", "diff", str(pipe), new]) == 0
    writer.join()
    shown = capsys.readouterr().out
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(content.encode())))
    assert main(["baseline", "diff", "-", new]) == 0
    assert "0.8333" in shown
    assert shown == capsys.readouterr().out
    for wrong, message in (
        (b"{", "standard input, line 1: not JSON"),
        (b"{}\n\xff", "standard input, line 2: byte 3 is not UTF-8"),
    ):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(wrong)))
        assert main(["baseline", "diff", "-", new]) == 2
        assert message in capsys.readouterr().err


def test_standard_input_is_one_of_the_two_files(files, capsys, monkeypatch):
    """It can be read once."""
    content = Path(files[0]).read_bytes()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(content)))
    assert main(["baseline", "diff", "-", "-"]) == 2
    assert "standard input (-) was given twice" in capsys.readouterr().err


def test_what_is_no_file_of_baselines_is_refused(files, tmp_path, capsys):
    """By name, and with what would do."""
    old, _ = files
    assert main(["baseline", "diff", old, str(tmp_path / "none.json")]) == 2
    assert "none.json: there is no such file" in capsys.readouterr().err
    (tmp_path / "other.json").write_text("{}", encoding="utf-8")
    assert main(["baseline", "diff", old, str(tmp_path / "other.json")]) == 2
    assert "no file of baselines" in capsys.readouterr().err


def report(path, *tests, stale=()):
    """A report of tests that passed."""
    result = {"measure": "RR", "score": 1.0, "verdict": "pass", "bounds": {}, "queries": 2}
    found = {
        "format": "irmetrics-edu report, version 1",
        "results": [{"test": test, **result, "per_query": {"q1": 1.0}} for test in tests],
        "stale_baselines": [{"file": "b.json", "test": key} for key in stale],
    }
    path.write_text(json.dumps(found), encoding="utf-8")
    return str(path)


def test_reports_of_shards_become_one(tmp_path, capsys):
    """All results in one order, in each format; a stale baseline of any shard."""
    one = report(tmp_path / "1.json", "t.py::b", stale=["t.py::old"])
    two = report(tmp_path / "2.json", "t.py::a", "t.py::c", stale=["t.py::old"])
    to = [str(tmp_path / f"all{suffix}") for suffix in (".json", ".md", ".html")]
    assert main(["report", "merge", one, two, *(f"--to={path}" for path in to)]) == 0
    assert capsys.readouterr().out == "3 pass (tests: 3; reports: 2)\n"
    found = json.loads((tmp_path / "all.json").read_text(encoding="utf-8"))
    assert [r["test"] for r in found["results"]] == ["t.py::a", "t.py::b", "t.py::c"]
    assert found["stale_baselines"] == [{"file": "b.json", "test": "t.py::old"}]
    assert "t.py::c" in (tmp_path / "all.md").read_text(encoding="utf-8")
    assert "t.py::c" in (tmp_path / "all.html").read_text(encoding="utf-8")


def test_a_test_of_two_reports_and_what_is_no_report_are_refused(tmp_path, capsys):
    """A test that counts twice would be told twice."""
    one, two = (report(tmp_path / f"{i}.json", "t.py::a") for i in (1, 2))
    assert main(["report", "merge", one, two, "--to", str(tmp_path / "x.md")]) == 2
    assert "2.json: t.py::a is also in" in capsys.readouterr().err
    assert main(["report", "merge", one, one, "--to", str(tmp_path / "x.md")]) == 2
    assert "each once" in capsys.readouterr().err
    (tmp_path / "2.json").write_text('{"format": "else"}', encoding="utf-8")
    assert main(["report", "merge", two, "--to", str(tmp_path / "x.md")]) == 2
    assert "not a report of this plugin" in capsys.readouterr().err
    text = (tmp_path / "1.json").read_text(encoding="utf-8")
    twice = text.replace('"results"', '"results": [], "results"')
    (tmp_path / "2.json").write_text(twice, encoding="utf-8")
    assert main(["report", "merge", two, "--to", str(tmp_path / "x.md")]) == 2
    assert "'results' occurs twice in one object" in capsys.readouterr().err
    assert main(["report", "merge", one, "--to", "x.txt"]) == 2
    assert "ends in one of .json, .md, .html" in capsys.readouterr().err


def test_the_baselines_of_a_renamed_test_stay_in_force(tmp_path, capsys):
    """All its parameters and named baselines go along; a test whose name goes on does not."""
    path = kept(tmp_path / "b.json", **{n: entry(OLD) for n in ("t", "t[1] #x", "t2")})
    assert main(["baseline", "rename", "test_it.py::t", "test_it.py::u", "--file", path]) == 0
    capsys.readouterr()
    assert main(["baseline", "show", path]) == 0
    lines = capsys.readouterr().out.splitlines()[2:]
    assert [line.partition("  ")[0] for line in lines] == [
        "test_it.py::t2",
        "test_it.py::u",
        "test_it.py::u[1] #x",
    ]
    assert main(["baseline", "rename", "test_it.py::t", "test_it.py::v", "--file", path]) == 2
    assert "no baseline of 'test_it.py::t'" in capsys.readouterr().err
    assert main(["baseline", "rename", "test_it.py::u", "test_it.py::t2", "--file", path]) == 2
    assert "a baseline for test_it.py::t2 already" in capsys.readouterr().err
    assert len(baseline_files.read(Path(path))) == 3


def git(folder, *words):
    """Run git in a folder; return its exit code."""
    who = ("-c", "user.name=a", "-c", "user.email=a@example.org")
    words = ["git", *who, *words]
    return subprocess.run(words, cwd=folder, capture_output=True, check=False).returncode


def test_two_branches_merge_by_the_driver_and_lose_no_baseline(tmp_path):
    """One accepts a change and adds a test, the other adds another; then both change the same."""
    file = tmp_path / "irm_baselines.json"
    git(tmp_path, "init", "-q", "-b", "main")
    command = f"'{sys.executable}' -m irmetrics_edu baseline merge %O %A %B"
    git(tmp_path, "config", "merge.irm.driver", command)
    (tmp_path / ".gitattributes").write_text("irm_baselines.json merge=irm\n", encoding="utf-8")

    def commit(**entries):
        kept(file, **entries)
        git(tmp_path, "add", ".")
        return git(tmp_path, "commit", "-q", "-m", "x")

    assert commit(test_m=entry(OLD)) == 0
    git(tmp_path, "checkout", "-q", "-b", "other")
    assert commit(test_m=entry(NEW), test_n=entry(OLD)) == 0
    git(tmp_path, "checkout", "-q", "main")
    assert commit(test_m=entry(OLD), test_o=entry(NEW)) == 0
    assert git(tmp_path, "merge", "-q", "--no-edit", "other") == 0
    found = baseline_files.read(file)
    assert sorted(found) == [f"test_it.py::test_{name}" for name in "mno"]
    assert found["test_it.py::test_m"] == entry(NEW)


def test_no_merge_loses_a_baseline():
    """Each side has none, A, B or C: all 64 cases, by what a reader of the three files would do."""
    values = (None, {"a": 1}, {"b": 1}, {"c": 1})
    for was, one, other in itertools.product(values, repeat=3):
        base, ours, theirs = ({} if v is None else {"t": v} for v in (was, one, other))
        found, both = baseline_files.merged(base, ours, theirs)
        sides = {str(one), str(other)}
        removed = was is not None and sides == {"None", str(was)}  # by one side alone
        assert ("t" in found) == (not removed and (one, other) != (None, None))
        assert found.get("t") in (one, other)
        # Neither side's change is dropped in silence.
        changed = [v for v in (one, other) if v not in (None, was)]
        assert all(found["t"] == v for v in changed) or both == ["t"]
        assert bool(both) == (len(changed) == 2 and one != other)


def test_a_baseline_that_both_sides_changed_is_named_and_ours_kept(tmp_path, capsys):
    """Neither is the merged run. What one side removed and the other changed is kept."""
    third = {q: ["b", "c", "a"] for q in QRELS}
    base = kept(tmp_path / "base.json", t=entry(OLD), u=entry(OLD), v=entry(OLD))
    ours = kept(tmp_path / "ours.json", t=entry(NEW), v=entry(OLD))
    theirs = kept(tmp_path / "theirs.json", t=entry(third), u=entry(NEW))
    assert main(["baseline", "merge", base, ours, theirs]) == 1
    assert "test_it.py::t: both branches changed" in capsys.readouterr().out
    found = baseline_files.read(Path(ours))
    assert found == {"test_it.py::t": entry(NEW), "test_it.py::u": entry(NEW)}
    Path(base).write_text("", encoding="utf-8")
    assert main(["baseline", "merge", base, ours, ours]) == 0
