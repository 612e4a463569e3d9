"""What commands print on any terminal, pipe and encoding, and how they end."""

import argparse
import csv
import html
import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from rich.cells import cell_len

from irmetrics_edu.cli import main, parser
from irmetrics_edu.course import documents

QRELS = "q1 0 α 1\nq1 0 b 0\nq2 0 α 1\n"
RUN = "q1 Q0 b 1 2.5 r\nq1 Q0 α 2 1.5 r\nq2 Q0 α 1 0.5 r\n"
BETTER = "q1 Q0 α 1 2.5 naïve\nq1 Q0 b 2 1.5 naïve\nq2 Q0 α 1 0.5 naïve\n"
ENDED = 128
unix = pytest.mark.skipif(sys.platform == "win32", reason="signals and terminals of Unix")


@pytest.fixture
def files(tmp_path, monkeypatch):
    """Judgments and two runs, in the folder where the command is called."""
    for name, text in (("qrels", QRELS), ("old", RUN), ("new", BETTER)):
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


class Stream(io.TextIOWrapper):
    """A stream of an encoding, that may be a terminal."""

    terminal = False

    def isatty(self):
        """Whether it is a terminal."""
        return self.terminal


def printed(monkeypatch, arguments, encoding="utf-8", columns=0):
    """What a command prints on a stream of an encoding, or on a terminal so wide."""
    return printed_bytes(monkeypatch, arguments, encoding, columns).decode(encoding)


def printed_bytes(monkeypatch, arguments, encoding, columns=0):
    """The bytes that a command prints."""
    stream = Stream(io.BytesIO(), encoding=encoding)
    stream.terminal = columns > 0
    with monkeypatch.context() as m:
        m.setattr(sys, "stdout", stream)
        m.setenv("COLUMNS", str(columns or 333))
        m.setenv("TERM", "xterm")  # of a dumb terminal no width is believed
        assert main(arguments) in (0, 1)
    stream.flush()
    return re.sub(rb"\x1b\[[0-9;]*m", b"", stream.buffer.getvalue())


def start(*arguments, **options):
    """The command in a process of its own."""
    return subprocess.Popen([sys.executable, "-m", "irmetrics_edu", *arguments], **options)


# -- encodings

EVALUATE = ["evaluate", "qrels", "new", "-m", "AP", "--per-query"]
OF_FILES = ["--run", "run", "--qrels", "qrels"]
MOVES = ["compare", "qrels", "old", "new", "-m", "AP", "--moves", "q1"]


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "latin-1"])
@pytest.mark.parametrize("arguments", [EVALUATE, MOVES, ["conventions"], ["metrics", "nDCG"]])
def test_what_an_encoding_lacks_is_shown_as_its_escape(files, monkeypatch, encoding, arguments):
    """Digits and ids are those that UTF-8 shows, once the escapes are read."""
    assert files
    wide = printed(monkeypatch, arguments)
    narrow = printed(monkeypatch, arguments, encoding)
    read = re.sub(r"\\x(..)|\\u(....)", lambda m: chr(int(m[1] or m[2], 16)), narrow)
    figures = r"[\w.=@()]+"  # the frames of tables are of other characters
    assert re.findall(figures, read) == re.findall(figures, wide)


COMMANDS_OF_GITHUB = ["::error::x", "::add-mask::a", "::stop-commands::t", "\u3000::debug::", ":::"]


@pytest.mark.parametrize("query", COMMANDS_OF_GITHUB)
@pytest.mark.parametrize("form", ["table", "csv", "latex", "markdown", "html", "json", "trec"])
def test_no_line_is_a_command_to_github(tmp_path, monkeypatch, query, form):
    """What begins a line of its log is obeyed there; elsewhere the id stands as it is."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "qrels").write_text(f"{query} 0 {query} 1\n", encoding="utf-8")
    (tmp_path / "run").write_text(f"{query} Q0 {query} 1 1.0 {query}\n", encoding="utf-8")
    every = [["evaluate", "qrels", "run", "-m", "RR", "--per-query", "--format", form]]
    if form == "table":
        every += [["judgments", "lint", "qrels"], ["explain", "RR", *OF_FILES, "--query", query]]
    if form == "csv":
        (tmp_path / "none").write_text(f"{query} 0 other 1\n", encoding="utf-8")
        every += [["judgments", "unjudged", "run", "--judged", "none"]]
    for arguments in every:
        monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
        usual = printed(monkeypatch, arguments)
        monkeypatch.setenv("GITHUB_ACTIONS", "true")
        shown = printed(monkeypatch, arguments)
        assert not [line for line in shown.splitlines() if line.lstrip().startswith("::")]
        if form == "csv":
            assert list(csv.reader(io.StringIO(shown))) == list(csv.reader(io.StringIO(usual)))
        elif form != "latex":
            read = shown.replace(r"\x3a", ":").replace(r"\::", "::")
            assert without_provenance(read) == without_provenance(usual)


def without_provenance(text):
    """A page without the lines that say when it was made."""
    return re.sub(r"(?m)^.*made 20.*$", "", text)


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_data_are_whole_in_any_encoding(files, monkeypatch, encoding):
    """JSON and HTML have escapes of their own, which their readers understand."""
    assert files
    for form, read in (("json", json.loads), ("html", html.unescape)):
        arguments = [*EVALUATE, "--format", form]
        assert read(printed(monkeypatch, arguments, encoding)) == read(
            printed(monkeypatch, arguments)
        )


def test_json_is_json_whatever_an_id_holds(tmp_path, monkeypatch):
    """Characters that a terminal obeys, and a surrogate without its other half."""
    ids = ["a\x1b", "b\x9b\u202e", "c\ud800"]
    (tmp_path / "q.json").write_text(json.dumps({i: {"d": 1} for i in ids}), encoding="utf-8")
    (tmp_path / "r.json").write_text(json.dumps({i: {"d": 1.0} for i in ids}), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    arguments = ["evaluate", "q.json", "r.json", "-m", "RR", "--format"]
    text = printed(monkeypatch, [*arguments, "json"])
    assert list(json.loads(text)["per_query"]["RR"]) == ids
    for shown in (text, printed(monkeypatch, [*arguments, "csv"])):
        assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", shown)


@unix
@pytest.mark.slow
def test_no_digit_hangs_on_the_environment(files):
    """The same numbers in every locale, in a process of its own."""
    code = f"""if 1:
        from irmetrics_edu.cli import main
        for arguments in ({EVALUATE}, ["reproduce", "--document", "003"]):
            print("code", main(arguments))
    """
    found = []
    for environment in (
        {},
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"PYTHONIOENCODING": "ascii"},
        {"LC_ALL": "de_DE.UTF-8"},
    ):
        given = {**os.environ, **environment}
        command = [sys.executable, "-c", code]
        text = subprocess.run(command, cwd=files, env=given, capture_output=True, check=True).stdout
        text = re.sub(rb"\\u[0-9a-f]{4}", b"?", text)  # how a character is written that ascii lacks
        parts = text.split(b"code 0")
        assert len(parts) == 3
        found.append([re.findall(rb"\d+\.\d+", part) for part in parts[:2]])
    assert all(found[0])
    assert all(other == found[0] for other in found)


NARROW = ("ascii", "cp1252", "latin-1", "cp437", "utf-16-le", "utf-8")
FOR_PEOPLE = {"table", "text"}
# Ids of letters that no narrow encoding has, that one has, and that look alike in another.
LETTERS = ("d😀", "é", "e\u0301", "日本", "ф", "\u200d", "ß", "a\u00a0b")


def commands_by_format():
    """Each command that prints ids, in each format that it says it has, but tables for people."""
    qrels, run, other = "qrels.csv", "run.csv", "other.csv"
    explained = ["explain", "RR", "--ranking", ",".join(LETTERS), "--judgments", LETTERS[1]]
    diagnosed = ["--run", run, "--qrels", qrels]
    for arguments in (
        ["evaluate", qrels, run, "-m", "AP", "--per-query"],
        ["compare", qrels, run, other, "-m", "AP"],
        explained,
        ["diagnose", "RR", *diagnosed, "--value", "0.7"],
        ["reconcile", "RR", *diagnosed, "--values", "0.7", "0.6"],
        ["judgments", "agreement", qrels, "marks.csv"],
    ):
        chosen = parser(arguments[0])
        (top,) = (a for a in chosen._actions if a.dest == "command")
        sub = top.choices[arguments[0]]
        actions = [a for a in sub._actions if isinstance(a, argparse._SubParsersAction)]
        sub = actions[0].choices[arguments[1]] if actions else sub
        (form,) = (a.choices for a in sub._actions if a.dest == "form")
        for name in sorted(set(form) - FOR_PEOPLE):
            yield [*arguments, "--format", name]
    yield ["judgments", "unjudged", run, "--judged", qrels]


@pytest.fixture
def letters(tmp_path, monkeypatch):
    """Two runs and judgments whose ids have such letters."""
    monkeypatch.chdir(tmp_path)
    lines = [f"{q},{d},{n}" for n, d in enumerate(LETTERS) for q in LETTERS]
    files = {
        "run.csv": ("score", lines),
        "other.csv": ("score", lines[5:]),
        "qrels.csv": ("grade", lines[:-9]),
        "marks.csv": ("grade", lines[3:]),
    }
    for name, (value, rows) in files.items():
        text = "\n".join([f"query,document,{value}", *rows, ""])
        Path(name).write_text(text, encoding="utf-8")


@pytest.mark.usefixtures("letters")
@pytest.mark.parametrize("arguments", list(commands_by_format()), ids=" ".join)
def test_what_machines_read_is_utf8_always(monkeypatch, arguments):
    """The same bytes on every output; JSON and HTML may name a letter by its number instead."""
    expected = printed_bytes(monkeypatch, arguments, "utf-8").decode()
    for encoding in NARROW:
        found = printed_bytes(monkeypatch, arguments, encoding).decode()
        if arguments[-1] == "json":
            assert json.loads(found) == json.loads(expected), encoding
        elif arguments[-1] == "html":
            assert html.unescape(found) == html.unescape(expected), encoding
        else:
            assert found == expected, encoding


@pytest.mark.usefixtures("letters")
@pytest.mark.parametrize("encoding", NARROW)
def test_a_printed_list_is_the_list_that_is_written(monkeypatch, encoding):
    """What a redirected list holds is what `-o` writes, so a grade finds its document again."""
    work = ["judgments", "unjudged", "run.csv", "--judged", "qrels.csv"]
    redirected = printed_bytes(monkeypatch, work, encoding)
    assert main([*work, "-o", "work.csv"]) == 0
    assert redirected == Path("work.csv").read_bytes()
    rows = redirected.decode().splitlines()
    graded = [row.replace(",,,", ",1,person,", 1) if i else row for i, row in enumerate(rows)]
    Path("work.csv").write_text("\n".join([*graded, ""]), encoding="utf-8")
    assert main(["judgments", "merge", "work.csv", "--judged", "qrels.csv", "-o", "new.csv"]) == 0
    again = printed_bytes(
        monkeypatch, ["judgments", "unjudged", "run.csv", "--judged", "new.csv"], encoding
    )
    assert again.decode().splitlines() == rows[:1]


# -- widths

RICH = [["conventions"], ["metrics"]]
FOLDED = [["reproduce"], ["reproduce", "--document", "004"]]


def columns_of(text):
    """What stands in each column of each table, without the white space that folding makes."""
    found = []
    for line in text.splitlines():
        if "┏" in line:
            found.append([])
        elif "│" in line or "┃" in line:
            cells = re.split("[│┃]", line)[1:-1]
            found[-1] = found[-1] or [""] * len(cells)
            found[-1] = [a + "".join(b.split()) for a, b in zip(found[-1], cells, strict=True)]
    return found


@pytest.mark.parametrize("arguments", RICH)
def test_narrow_terminals_lose_no_cell(monkeypatch, arguments):
    """At 40, 60 and 80 columns and through a pipe: the same columns with the same text."""
    wide = printed(monkeypatch, arguments, columns=500)
    expected = columns_of(wide)
    assert "…" not in wide
    for width in (40, 60, 80, 0):
        assert columns_of(printed(monkeypatch, arguments, columns=width)) == expected


def test_the_check_of_columns_can_fail(monkeypatch):
    """Text that is cut off is seen."""
    wide = printed(monkeypatch, ["conventions"], columns=500)
    assert columns_of(wide.replace("docid", "doc…")) != columns_of(wide)


def test_at_80_columns_tables_fit(monkeypatch):
    """The usual width, and that of a pipe, whatever the terminal around it."""
    for arguments in RICH[:1]:
        for columns in (80, 0):
            lines = printed(monkeypatch, arguments, columns=columns).splitlines()
            assert max(map(len, lines)) <= 80


@pytest.mark.parametrize("arguments", FOLDED)
def test_folded_lines_lose_nothing_and_fit(monkeypatch, arguments):
    """At each width the same letters, in lines that fit; a Chinese letter is two columns wide."""
    wide = printed(monkeypatch, arguments, columns=500)
    assert max(map(cell_len, wide.splitlines())) <= 100
    for width in (40, 60, 80, 0):
        text = printed(monkeypatch, arguments, columns=width)
        assert "".join(text.split()) == "".join(wide.split())
        assert max(map(cell_len, text.splitlines())) <= (width or 80)


def test_formulas_are_not_cut_into_pieces_in_a_pipe(monkeypatch):
    """Where a formula has spaces, it is folded at one of them, and at no other place."""
    text = printed(monkeypatch, ["reproduce"], columns=0)
    for example in documents.examples():
        pieces = example.printed.split()
        if max(map(cell_len, pieces), default=0) <= 60:
            assert all(piece in text for piece in pieces), example.id


# -- how commands end


@unix
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("arguments", [["metrics"], ["metrics", "nDCG"], ["evaluate", "--help"]])
def test_a_closed_pipe_is_no_error(arguments, unbuffered):
    """Nothing is said; the exit status is that of other tools whose reader goes."""
    read, write = os.pipe()
    os.close(read)
    given = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
    process = start(*arguments, stdout=write, stderr=subprocess.PIPE, env=given)
    os.close(write)
    assert process.communicate(timeout=60)[1] == b""
    assert process.returncode == ENDED + signal.SIGPIPE


@unix
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="Linux has a device that is full")
def test_a_full_disk_behind_the_output_is_told():
    """In a sentence, once."""
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        process = start("metrics", "nDCG", stdout=full, stderr=subprocess.PIPE)
    said = process.communicate(timeout=60)[1].decode()
    assert (
        said == "irmetrics-edu metrics: can't write to standard output: no space left on device\n"
    )
    assert process.returncode == 2


@unix
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="Linux has a device that is full")
@pytest.mark.parametrize(
    "arguments",
    [["--version"], ["--help"], ["evaluate", "--help"], ["metrics"], ["conventions"]],
)
def test_nothing_is_said_to_be_printed_that_was_not(arguments):
    """Neither what argparse would print by itself, nor any list."""
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        process = start(*arguments, stdout=full, stderr=subprocess.PIPE)
    said = process.communicate(timeout=60)[1].decode()
    assert said.endswith("can't write to standard output: no space left on device\n")
    assert process.returncode == 2


@unix
@pytest.mark.parametrize(
    ("locale", "reason"),
    [
        (
            {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
            "no text in ASCII, the encoding of this locale; set PYTHONUTF8=1, or LC_ALL",
        ),
        (
            {"LC_ALL": "C.UTF-8", "PYTHONUTF8": "1"},
            "no text in UTF-8, the encoding of this locale; write it in UTF-8",
        ),
    ],
)
def test_the_encoding_that_an_argument_is_not_in_is_named(files, locale, reason):
    """In the C locale it is the locale's, whatever the argument is in."""
    name = b"o\xc3\xa9.csv" if "ASCII" in reason else b"o\xff.csv"
    done = subprocess.run(
        [sys.executable, "-m", "irmetrics_edu", "evaluate", "qrels", "old", "-m", name],
        cwd=files, env={**os.environ, **locale}, capture_output=True, check=False, timeout=60,
    )  # fmt: skip
    assert done.returncode == 2
    assert reason in done.stderr.decode("utf-8")


@unix
@pytest.mark.parametrize(("closed", "code"), [(1, 2), (2, 0)])
def test_a_stream_that_is_closed_is_told_or_needs_nothing(files, closed, code):
    """`>&-` is an error that the other stream tells; `2>&-` loses only what would be told."""
    done = subprocess.run(
        ["sh", "-c", f'"$0" -m irmetrics_edu evaluate qrels new -m AP --format csv {closed}>&-',
         sys.executable],
        cwd=files, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == code
    if closed == 1:
        assert done.stderr == (
            "irmetrics-edu evaluate: can't write to standard output: bad file descriptor\n"
        )
    else:
        assert done.stdout.endswith("AP,all,1.0\n")
        assert "note" not in done.stdout


@unix
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_the_cursor_comes_back_after_a_signal(files, number):
    """The bar is taken away before the command ends."""
    import pty

    os.mkfifo(files / "pipe")
    mine, theirs = pty.openpty()
    process = start(
        "evaluate", "qrels", "pipe",
        stdout=subprocess.DEVNULL, stderr=theirs, cwd=files,
        env={**os.environ, "TERM": "xterm"}, start_new_session=True,
        preexec_fn=lambda: signal.signal(number, signal.SIG_DFL),  # whatever is ignored around us
    )  # fmt: skip
    os.close(theirs)
    shown = b""
    until = time.monotonic() + 60
    while b"\x1b[?25l" not in shown and time.monotonic() < until:
        shown += os.read(mine, 1 << 12)
    process.send_signal(number)
    try:
        while chunk := os.read(mine, 1 << 12):
            shown += chunk
    except OSError:  # the other end is closed
        pass
    os.close(mine)
    assert process.wait(timeout=60) == ENDED + number, shown.decode()
    assert shown.rfind(b"\x1b[?25h") > shown.rfind(b"\x1b[?25l")
    assert b"Traceback" not in shown


# -- what is refused


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--format", "trec", "--summary"], "--format trec can't use --summary"),
        (["--format", "json", "--summary"], "choose --format table or csv or markdown or"),
        (["--format", "json", "--digits", "2"], "--format json can't use --digits"),
        (["--format", "csv", "--digits", "2"], "--format csv can't use --digits"),
        (["--digits", "-1"], "--digits: '-1': give a whole number from 0 to 17"),
        (["--digits", "1e3"], "'1e3': give a whole number"),
        (["--digits", "9" * 5000], "give a whole number from 0 to 17"),
        (["-m", f"nDCG@{'9' * 23}"], "is above the largest cut-off, 1000000000"),
        (["-m", f"ndcg_cut_{'9' * 23}"], "is above the largest cut-off, 1000000000"),
        (["--plot", "figure.xyz"], "figure.xyz does not end as the file of a figure"),
        (["--plot", "figure"], "the file of a figure; use one of"),
        (["--plot", "."], "the file of a figure; use one of"),
        (["--plot", "gone/../../\0.png"], "its name holds a zero byte"),
        (["-m", "\udcff"], "is no text in UTF-8"),
    ],
)
def test_evaluate_refuses_what_it_cannot_do(files, capsys, arguments, message):
    """Exit code 2 and a sentence, before anything is written."""
    assert main(["evaluate", "qrels", "old", *arguments]) == 2
    out, err = capsys.readouterr()
    assert message in err
    assert err.count("\n") == 1
    assert out == ""
    assert sorted(p.name for p in files.iterdir()) == ["new", "old", "qrels"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["compare", "qrels", "old", "new", "--format", "json", "--moves", "q1"], "--moves"),
        (["compare", "qrels", "old", "new", "--format", "json", "--details"], "--details"),
        (["compare", "qrels", "old", "new", "--details", "--moves", "q1"], "not allowed with"),
        (["compare", "qrels", "old", "new", "--seed", "-1"], "whole number from 0 to 4294967295"),
        (["compare", "qrels", "old", "new", "--plot", "x.txt"], "the file of a figure"),
        (["explain", "RR", "--relevance", "1", "--judgments", "a"], "--judgments goes with"),
        (["explain", "RR", "--relevance", "1", "--digits", "-1"], "from 0 to 17"),
        (
            ["diagnose", "RR", "--value", "1", "--relevance", "1", "--qrels", "qrels"],
            "--qrels goes with --run, not with --relevance",
        ),
        (
            ["diagnose", "RR", "--value", "1", "--ranking", "a", "--judgments", "a",
             "--unretrieved", "1"],
            "--unretrieved goes with --relevance",
        ),
        (["conformance", "export", "out", "--format", "json"], "unrecognized arguments: --format"),
        (["study", "diversity", "--unknown-users", "drop"], "goes with --data"),
        (["nonsense"], "invalid choice: 'nonsense'"),
        (["evalute", "a", "b"], "'evalute' is no command; did you mean evaluate?"),
        (["compare", "q", "r", "--basline", "r"], "did you mean --baseline?"),
        (["judgments", "lint", "q", "--documnets=x"], "did you mean --documents?"),
        (["evaluate", "q", "r", "--fold", "dev.txt"], "did you mean --only?"),
        (["evaluate", "q", "r", "--by=f.csv"], "did you mean --groups?"),
        (["eval", "q", "r"], "did you mean evaluate?"),
        (["comp", "q", "r"], "did you mean compare or completion?"),
        (["diff", "q", "r"], "did you mean compare?"),
        (["evaluate", "q", "r", "--metrics", "AP"], "did you mean --measure?"),
        (["evaluate", "q", "r", "--cutoff=9"], "; write -m nDCG@10 ("),
        (["explain", "RR", "-k", "9"], "unrecognized arguments: -k 9 ("),
        (["evaluate", "q", "r", "--csv"], "; write --format csv ("),
        (["evaluate", "q", "r", "-o", "x"], "send it to a file: > FILE"),
        (["evaluate", "q", "r", "s"], "several runs: irmetrics-edu compare QRELS RUN RUN ("),
        (["evaluate", "--qrels", "q", "r"], "without an option: irmetrics-edu evaluate QRELS RUN"),
        (["compare", "q", "r", "--runs", "s"], "irmetrics-edu compare QRELS RUN ... ("),
        (["judgments", "unjudged", "r", "--qrels", "q"], "did you mean --judged?"),
        (["metrics", "rank of the first hit"], "did you mean hit_rank?"),
        (["diagnose", "precision at 3", "--relevance", "1", "--value", "1"], "did you mean P@3?"),
        ([], "COMMAND"),
    ],
)  # fmt: skip
def test_commands_refuse_what_they_cannot_do(files, capsys, arguments, message):
    """Exit code 2 and a sentence."""
    assert main(arguments) == 2
    out, err = capsys.readouterr()
    assert message in err
    assert err.count("\n") == 1
    assert out == ""
    assert not (files / "out").exists()


@unix
@pytest.mark.usefixtures("files")
def test_a_file_may_have_a_name_that_is_no_text(capsys):
    """Its bytes are shown as escapes; only an argument that names no file is refused."""
    odd = os.fsdecode(b"r\xff\x1b")
    Path(odd).write_text(RUN, encoding="utf-8")
    assert main(["compare", "qrels", odd, "new", "-m", "AP"]) == 0
    assert r"r\udcff\x1b (baseline)" in capsys.readouterr().out


# -- without extras

BARE = """
import contextlib, io, json, sys
sys.modules.update(dict.fromkeys(["scipy", "matplotlib", "pandas", "sklearn", "autograd"]))
from irmetrics_edu.cli import main, parser
found = []
for arguments in json.loads(sys.argv[1]):
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(arguments)
    found.append([code, out.getvalue(), err.getvalue()])
print(json.dumps(found))
"""


def test_without_extras_commands_do_what_they_can_and_say_what_to_install(files):
    """`compare` prints means and moves; what needs an extra names it."""
    compare = ["compare", "qrels", "old", "new", "-m", "AP"]
    evaluate = ["evaluate", "qrels", "old", "-m", "AP"]
    calls = [
        compare,
        [*compare, "--moves", "q1"],
        [*compare, "--format", "json"],
        [*compare, "--details"],
        [*compare, "--plot", "a.png"],
        [*evaluate, "--plot", "a.png"],
        ["study", "diversity", "--epochs", "1"],
    ]
    done = subprocess.run(
        [sys.executable, "-c", BARE, json.dumps(calls)],
        cwd=files, capture_output=True, text=True, check=True,
    )  # fmt: skip
    plain, moves, as_json, *refused = json.loads(done.stdout)
    assert plain[0] == moves[0] == as_json[0] == 0
    assert "old (baseline)  0.7500" in plain[1]
    assert "new             1.0000" in plain[1]
    assert "note: no difference was tested" in plain[1]
    assert "pip install scipy (the extra gate of this package brings it)" in plain[1]
    assert moves[1].splitlines()[-1].split()[-3:] == ["0.5000", "1.0000", "0.5000"]
    read = json.loads(as_json[1])
    assert read["comparisons"][0]["differences"] == {"q1": 0.5, "q2": 0.0}
    assert "pip install scipy" in read["notes"][0]
    for (code, _, err), extra in zip(refused, ("gate", "plot", "plot", "lab"), strict=True):
        assert code == 2
        assert f"(the extra {extra} of this package brings it)" in err
        assert "Traceback" not in err
