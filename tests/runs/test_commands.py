"""The commands `evaluate` and `compare`: what they print, where, and their exit codes."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from irmetrics_edu.cli import main

QRELS = "q1 0 a 1\nq1 0 b 0\nq2 0 a 1\n"
RUN = "q1 Q0 b 1 2.5 mine\nq1 Q0 a 2 1.5 mine\nq2\tQ0\ta\t1\t0.5\tmine\n"
BETTER = "q1 Q0 a 1 2.5 new\nq1 Q0 b 2 1.5 new\nq2 Q0 a 1 0.5 new\n"


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str, str]:
    """Judgments and two runs in files."""
    out = []
    for name, text in (("qrels", QRELS), ("old.run", RUN), ("new.run", BETTER)):
        (tmp_path / name).write_text(text, encoding="utf-8")
        out.append(str(tmp_path / name))
    return out[0], out[1], out[2]


def test_evaluate_prints_the_means(
    files: tuple[str, str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    """A table of means, with the tag of the run, and exit code 0."""
    assert main(["evaluate", files[0], files[1], "-m", "AP", "-m", "P_1"]) == 0
    out, err = capsys.readouterr()
    assert out == (
        "mine: 2 queries, conventions of trec_eval\n"
        "measure    mean\n"
        "AP       0.7500\n"
        "P@1      0.5000\n"
    )
    assert err == ""


@pytest.mark.parametrize("form", ["table", "markdown", "latex", "html", "csv", "trec"])
def test_every_format_has_the_scores(
    files: tuple[str, str, str], capsys: pytest.CaptureFixture[str], form: str
) -> None:
    """Each format shows the score of each query and the mean."""
    assert main(["evaluate", *files[:2], "-m", "AP", "--per-query", "--format", form]) == 0
    out = capsys.readouterr().out
    for value in ("0.5", "1.0", "0.75"):
        assert value in out


def test_json_can_be_read_back(
    files: tuple[str, str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    """JSON has means, scores and counts."""
    assert main(["evaluate", *files[:2], "-m", "AP", "--format", "json"]) == 0
    read = json.loads(capsys.readouterr().out)
    assert read["per_query"]["AP"] == {"q1": 0.5, "q2": 1.0}


def test_a_bad_line_is_an_error_with_its_place(
    files: tuple[str, str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing is computed and file and lines are named; or they are skipped and counted."""
    bad = Path(files[1])
    bad.write_text(RUN + "q2 Q0 oops\nq2 Q0 a 2 0.1 mine\n", encoding="utf-8")
    assert main(["evaluate", *files[:2], "-m", "AP"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert f"{bad}: 2 malformed lines" in err
    assert "line 4: 'q2 Q0 oops'" in err
    assert "line 5" in err
    assert "leave such lines out and count them with --skip-bad" in err
    explain = ["explain", "AP", "--qrels", files[0], "--run", files[1], "--worst", "1"]
    assert main(explain) == 2  # which leaves no line out, so it proposes no option
    assert "so nothing was computed; correct the file\n" in capsys.readouterr().err
    assert main(["evaluate", *files[:2], "-m", "AP", "--skip-bad"]) == 0
    out = capsys.readouterr().out
    assert "AP       0.7500" in out
    assert "2 bad lines were left out" in out
    assert "repeated" not in out  # its line is one of the two


def test_notes_that_do_not_fit_the_format_go_to_the_error_stream(
    files: tuple[str, str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    """trec_eval's format and CSV stay clean, and what was missing is said all the same."""
    Path(files[0]).write_text(QRELS + "q3 0 a 1\n", encoding="utf-8")
    assert main(["evaluate", *files[:2], "-m", "AP", "--format", "trec"]) == 0
    out, err = capsys.readouterr()
    assert "note" not in out
    assert "map                   \tall\t0.5000" in out
    assert "note: 1 judged query is not in the run and scores 0: q3" in err
    assert main(["evaluate", *files[:2], "-m", "AP", "--missing-queries", "skip"]) == 0
    assert "AP       0.7500" in capsys.readouterr().out


def test_compare_prints_a_table_and_moves(
    files: tuple[str, str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    """Runs stand under each other, and the moves of a query sum to its change."""
    assert main(["compare", *files, "-m", "AP"]) == 0
    out = capsys.readouterr().out
    assert "old.run (baseline)  0.7500" in out
    assert "new.run             1.0000" in out
    assert main(["compare", *files, "-m", "AP", "--moves", "q1"]) == 0
    out = capsys.readouterr().out
    assert "new.run against old.run, query q1: AP" in out
    assert out.splitlines()[-1].split()[-3:] == ["0.5000", "1.0000", "0.5000"]
    assert main(["compare", *files, "-m", "AP", "--details", "--baseline", "new.run"]) == 0
    assert "-0.2500" in capsys.readouterr().out
    assert main(["compare", *files, "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["baseline"] == "old.run"


def test_the_queries_that_moved_most_are_named_and_ties_go_as_the_queries_come(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """By hand, 1 over the rank: the three largest gains and losses, and who shows them."""

    def ranked(name: str, **ranks: int) -> str:
        """A file of a run in which d of each query has rank 2, or another rank."""
        lines = [
            f"{q} Q0 {'d' if i == ranks.get(q, 2) else f'x{i}'} 0 {-i} t\n"
            for q in "zyxwvut"
            for i in range(1, 5)
        ]
        (tmp_path / name).write_text("".join(lines), encoding="utf-8")
        return str(tmp_path / name)

    def said(*arguments: str) -> str:
        assert main(["compare", *arguments]) == 0
        return capsys.readouterr().out

    qrels = tmp_path / "q"
    qrels.write_text("".join(f"{q} 0 d 1\n" for q in "zyxwvut"), encoding="utf-8")
    old, new = ranked("old"), ranked("new", z=1, y=1, x=1, w=1, v=4, u=3)
    call = ["-m", "RR DCG", "--digits", "2", str(qrels), old, new]
    moved = "queries that moved most, by RR of new: z (+0.50), y (+0.50), x (+0.50); v (-0.25), u "
    how = "to see the documents that moved in a query: --moves QUERY"
    assert f"note: {moved}(-0.17)\nnote: {how}\n" in said(*call)
    assert f"note: {moved}(-0.17)\nnote: {how}\n" in said(*call, "--details")
    assert f"- {moved}(-0.17)\n- {how}\n" in said(*call, "--format", "markdown")
    assert f"<em>{moved}(-0.17)</em></p>\n<p><em>{how}</em>" in said(*call, "--format", "html")
    back = "RR of old: v (+0.25), u (+0.17); z (-0.50), y (-0.50), x (-0.50)\n"
    assert back in said(*call, "--baseline", "new")
    some, many = ([ranked(f"r{i}", z=1) for i in range(n)] for n in (2, 3))
    assert said(*call, *some).count("z (+0.50)") == 3
    assert said(*call, *many, "--details").count("z (+0.50)") == 4
    same = [str(qrels), old, ranked("same")]
    for without in ([*call, "--format", "latex"], [*call, *many], same):
        assert "moved" not in said(*without)
    assert "moved" not in said(str(qrels), old, new, "-m", "micro-P@1")


def test_a_comparison_as_csv_is_for_machines(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A line per run and measure with every digit, and the mark in a column of its own."""
    (tmp_path / "q").write_text("".join(f"q{i} 0 a 1\n" for i in range(30)), encoding="utf-8")
    for name, ranked in (("old", "xa"), ("new", "ax")):
        lines = [f"q{i} Q0 {d} 0 {-j} t\n" for i in range(30) for j, d in enumerate(ranked)]
        (tmp_path / name).write_text("".join(lines), encoding="utf-8")
    call = ["compare", *(str(tmp_path / name) for name in ("q", "old", "new")), "-m", "RR P@2"]
    assert main([*call, "--format", "csv"]) == 0
    out, err = capsys.readouterr()
    assert out == ("run,measure,mean,mark\nold,RR,0.5,\nold,P@2,0.5,\nnew,RR,1.0,*\nnew,P@2,0.5,\n")
    assert err.startswith("note: * differs from old: p < 0.05, randomisation test")
    assert main([*call, "--format", "csv", "--details", "--test", "sign"]) == 0
    lines = [line.split(",") for line in capsys.readouterr().out.splitlines()]
    assert lines[0][6:12] == ["wins", "losses", "ties", "p", "p corrected", "mark"]
    assert lines[1][6:9] == ["30", "0", "0"]
    assert float(lines[1][9]) == 2 / 2**30  # and no "<0.0001"
    assert (lines[1][11], lines[2][11]) == ("*", "")
    assert main([*call, "--details", "--test", "sign"]) == 0
    assert "  <0.0001  " in capsys.readouterr().out
    assert main([*call, "--format", "csv", "--digits", "2"]) == 2
    assert "--format csv can't use --digits" in capsys.readouterr().err


def test_bad_calls_of_the_commands_exit_with_2(
    files: tuple[str, str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    """A missing file, an unknown measure or a single run is told in a line."""
    assert main(["evaluate", files[0], "nowhere.run"]) == 2
    assert "nowhere.run" in capsys.readouterr().err
    assert main(["evaluate", *files[:2], "-m", "nDGC@10"]) == 2
    assert "did you mean nDCG@10? `irmetrics-edu metrics` lists all" in capsys.readouterr().err
    assert main(["compare", *files[:2]]) == 2
    assert f"at least two runs, each once; the first file, {files[0]}," in capsys.readouterr().err


def test_plots_are_written_where_asked(files: tuple[str, str, str], tmp_path: Path) -> None:
    """Both commands write a plot to a file, whose kind its name tells."""
    assert main(["evaluate", *files[:2], "-m", "AP", "--plot", str(tmp_path / "a.svg")]) == 0
    assert main(["compare", *files, "-m", "AP", "--plot", str(tmp_path / "b.png")]) == 0
    assert (tmp_path / "a.svg").read_text(encoding="utf-8").startswith("<?xml")
    assert (tmp_path / "b.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are of Unix")
def test_a_bar_in_a_terminal_and_nowhere_else(files: tuple[str, str, str]) -> None:
    """On a terminal the error stream shows which file is read; what is printed stays the same."""
    import pty

    command = [sys.executable, "-m", "irmetrics_edu", "evaluate", *files[:2], "-m", "AP"]
    plain = subprocess.run(command, capture_output=True, check=True)
    assert plain.stderr == b""
    mine, theirs = pty.openpty()
    shown = subprocess.run(
        command,
        stdout=subprocess.PIPE,
        stderr=theirs,
        check=True,
        env={**os.environ, "TERM": "xterm"},
    )
    os.close(theirs)
    bar = os.read(mine, 1 << 16).decode()
    os.close(mine)
    assert shown.stdout == plain.stdout
    assert "reading old.run" in bar or "views" in bar


def test_the_worst_queries_are_shown_and_explained(
    files: tuple[str, str, str], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Lowest first, each with its text, its documents and what they gain."""
    assert main(["evaluate", *files[:2], "-m", "AP RR", "--worst", "1"]) == 0
    assert capsys.readouterr().out == (
        "mine: 2 queries, conventions of trec_eval; the lowest AP first\n"
        "query      AP      RR\n"
        "q1     0.5000  0.5000\n"
    )
    texts = tmp_path / "texts.tsv"
    texts.write_text("q1\tcheap flights\nq2\thotels\n", encoding="utf-8")
    of_run = ["explain", "nDCG@2", "--run", files[1], "--qrels", files[0]]
    assert main([*of_run, "--worst", "1", "--queries", str(texts)]) == 0
    head, first, *rest = capsys.readouterr().out.splitlines()
    assert (head, first) == (
        "query q1: cheap flights",
        "nDCG@2 = DCG@2 / IDCG@2 = 0.6309 / 1.0000 = 0.6309",
    )
    assert "     1  b             0  0.0000" in rest
    for form, heading in (("markdown", "## query q1"), ("latex", r"\subsection*{query q1}")):
        assert main([*of_run, "--query", "q1", "--format", form]) == 0
        assert capsys.readouterr().out.startswith(heading)


def test_moves_are_of_a_query(
    files: tuple[str, str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    """Each document with its grade and its ranks."""
    assert main(["compare", *files, "-m", "nDCG@2", "--moves", "q1"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "new.run against old.run, query q1: nDCG@2",
        "document  grade  rank before  rank after  before   after  change",
        "a             1            2           1  0.6309  1.0000  0.3691",
        "sum           -            -           -  0.6309  1.0000  0.3691",
    ]
    assert main(["compare", *files, "-m", "RR", "--moves", "q1"]) == 0
    assert "so its change belongs to the whole ranking" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--run", "old.run"], "give --relevance 5,2,3 alone"),
        (["--run", "old.run", "--qrels", "q", "--query", "q", "--worst", "2"], "--query ID (or"),
        (["--relevance", "1", "--query", "q1"], "--query goes with --run, not with --relevance"),
    ],
)
def test_one_way_to_say_what_is_explained(
    options: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A mixture is refused with what to give."""
    assert main(["explain", "AP", *options]) == 2
    assert says in capsys.readouterr().err


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ("docid", 1 / 2),
        ("docid_ascending", 1.0),
        ("given", 1 / 2),
        ("reversed", 1.0),
        ("averaged", 3 / 4),
    ],
)
def test_the_order_of_ties_is_an_option_of_both_commands(
    rule: str, expected: float, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two documents share their score, and "a", the relevant one, came last."""
    qrels, run, other = (str(tmp_path / name) for name in ("q", "r", "o"))
    Path(qrels).write_text("q1 0 a 1\n")
    Path(run).write_text("q1 Q0 b 1 5 x\nq1 Q0 a 2 5 x\n")
    Path(other).write_text("q1 Q0 a 1 5 x\n")
    words = ["-m", "AP", "--ties", rule, "--format", "json"]
    assert main(["evaluate", qrels, run, *words]) == 0
    assert json.loads(capsys.readouterr().out)["mean"]["AP"] == expected
    assert main(["compare", qrels, run, other, *words]) == 0
    assert json.loads(capsys.readouterr().out)["mean"]["r"]["AP"] == expected


def test_an_order_of_ties_that_is_not_known_is_refused(
    files: tuple[str, str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    """With the rules that there are."""
    assert main(["evaluate", *files[:2], "--ties", "random"]) == 2
    assert "docid_ascending" in capsys.readouterr().err


def test_latex_has_how_files_were_read_as_a_comment(capsys, tmp_path, monkeypatch):
    """A paper's table says what its numbers are of, and not which columns were taken for which."""
    monkeypatch.chdir(tmp_path)
    for name in ("a.csv", "b.csv"):
        (tmp_path / name).write_text("user,item,score\nq1,x,2\nq1,y_1,1\n")
    (tmp_path / "q.csv").write_text("user,item,rating\nq1,y_1,1\nq2,x,1\n")
    for command in (["evaluate", "q.csv", "a.csv"], ["compare", "q.csv", "a.csv", "b.csv"]):
        assert main([*command, "-m", "RR"]) == 0
        notes = [line for line in capsys.readouterr().out.splitlines() if line.startswith("note: ")]
        of_columns = [note for note in notes if "are read by other names" in note]
        assert main([*command, "-m", "RR", "--format", "latex"]) == 0
        latex = capsys.readouterr().out
        assert len(of_columns) >= 1
        assert all(f"% {note}\n" in latex or latex.endswith(f"% {note}\n") for note in of_columns)
        assert "other names" not in "".join(
            line for line in latex.splitlines() if not line.startswith("%")
        )
        assert r"\par{\footnotesize" in latex


@pytest.mark.parametrize("measure", ["nDCG@10", "RR"])
def test_measures_that_stand_apart_are_shown_in_quotes(capsys, measure):
    """All that were given, each once, where the option takes several; history's takes one."""
    assert main(["compare", "q", "a", "b", "-m", "P@5", "-m", "AP", measure]) == 2
    assert f"-m 'P@5 AP {measure}'" in capsys.readouterr().err
    assert main(["history", "f.jsonl", "--measure", "P@5", measure]) == 2
    assert "quotes" not in capsys.readouterr().err
