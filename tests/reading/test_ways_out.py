"""A refusal that leaves a way out names it as the caller can say it: by keyword, or by option."""

import copy
import gzip
import pickle
import re
from pathlib import Path

import pytest

import irmetrics_edu
from irmetrics_edu import errors, evaluate
from irmetrics_edu.checks import limits
from irmetrics_edu.cli import main
from irmetrics_edu.errors import SKIP_BAD, Avoidable, InputError, WayOut
from irmetrics_edu.gate.failure import refused
from irmetrics_edu.judging import merge

ROOT = Path(irmetrics_edu.__file__).parent
RUN = "q1 Q0 a 1 2 x\nq1 Q0 b 2 1 x\n"
QRELS = "q1 0 a 1\n"

# What is refused: the files, limits in Python and in the command, and both ways out.
REFUSED = {
    "malformed lines of TREC": ({"r.txt": RUN + "bad\n"}, {}, "skip_bad=True", "--skip-bad"),
    "malformed lines of CSV": (
        {"r.csv": "query,document,score\nq1,a,2\nq1,b,x\n"},
        {},
        "skip_bad=True",
        "--skip-bad",
    ),
    "malformed judgments": (
        {"r.txt": RUN, "q.txt": QRELS + "q1 0 b x\n"},
        {},
        "skip_bad=True",
        "--skip-bad",
    ),
    "malformed lines of JSON": (
        {"r.jsonl": '{"query": "q1", "documents": ["a"]}\n{"query"\n'},
        {},
        "",
        "",
    ),
    "a column that is not there": (
        {"r.csv": "query,book,score\nq1,a,2\n"},
        {},
        "columns=",
        "--columns",
    ),
    "a table without names": (
        {"r.csv": "q1,a,x7\nq1,b,x8\nq2,c,x9\n"},
        {},
        "columns={'1': 'query', '2': 'document'}",
        "--columns 1=query,2=document",
    ),
    "a long line of TREC": ({"r.txt": RUN}, {"max_line": 9}, "max_line=", "--max-line"),
    "a long line of CSV": (
        {"r.csv": "query,document,score\nq1,abcdefgh,2"},
        {"max_line": 9},
        "max_line=",
        "--max-line",
    ),
    "a file that swells": (
        {"r.txt.gz": gzip.compress(RUN.encode() * 2_400_000, 1)},
        {"max_ratio": 2},
        "max_ratio=",
        "--max-ratio",
    ),
}


def written(folder: Path, files: dict[str, str | bytes]) -> tuple[str, str]:
    """The paths of the judgments and of the run."""
    for name, text in {"q.txt": QRELS, **files}.items():
        data = text.encode() if isinstance(text, str) else text
        (folder / name).write_bytes(data)
    (run,) = [name for name in files if name != "q.txt"]
    return str(folder / "q.txt"), str(folder / run)


@pytest.mark.parametrize("case", REFUSED)
def test_each_front_names_its_own_way_out(case, tmp_path, capsys):
    """Python says the keyword, the command its option, and neither the other's."""
    files, most, keyword, option = REFUSED[case]
    qrels, run = written(tmp_path, files)
    with limits(**most), pytest.raises(InputError) as refused:
        evaluate(run, qrels, "RR")
    options = [
        part for name, value in most.items() for part in (f"--{name.replace('_', '-')}", str(value))
    ]
    assert main(["evaluate", qrels, run, "-m", "RR", *options]) == 2
    told = capsys.readouterr().err
    assert keyword in str(refused.value)
    assert "--" not in str(refused.value)
    assert option in told
    assert not re.search(r"\b(skip_bad|columns|max_line|max_ratio|max_cutoff|source)=", told)
    assert isinstance(refused.value, Avoidable) == bool(keyword)


def test_a_command_without_the_option_names_no_way(tmp_path, capsys, monkeypatch):
    """The refusal stands; what can't be said is not advised."""
    (tmp_path / "q.csv").write_text("query,book,grade\nq1,a,1\n")
    (tmp_path / "r.run").write_text("q1 Q0 a 1 2 x\n")
    files = ["r.run", "--judged", "q.csv"]
    monkeypatch.chdir(tmp_path)
    assert main(["judgments", "unjudged", *files]) == 2
    told = capsys.readouterr().err
    assert "there is no column of the document; call it 'document'" in told
    assert "columns are 'query', 'book', 'grade'" in told
    assert "columns=" not in told
    assert "--columns" not in told


def test_a_row_without_a_source_says_how_all_rows_get_one(tmp_path, capsys):
    """In a keyword of merge, or in an option of the command."""
    work = tmp_path / "work.csv"
    work.write_text("query,document,grade\nq1,a,1\n")
    with pytest.raises(Avoidable, match="give the source of all rows by source=\n"):
        merge(work)
    assert main(["judgments", "merge", str(work), "-o", str(tmp_path / "new.csv")]) == 2
    assert "give the source of all rows by --source\n" in capsys.readouterr().err


def test_ways_out_are_there():
    """Each keyword is one of evaluate or of limits, and each option one of the command evaluate."""
    from irmetrics_edu.cli import parser

    ways = [value for value in vars(errors).values() if isinstance(value, WayOut)]
    assert len(ways) >= 5
    (commands,) = [a for a in parser("evaluate")._actions if a.dest == "command"]
    options = commands.choices["evaluate"].format_help()
    known = {"skip_bad", "columns", "max_line", "max_ratio", "max_cutoff"}
    for way in ways:
        assert way.keyword.partition("=")[0] in known
        assert f"{way.option} " in options or f"{way.option}\n" in options
        assert way.in_python() != way.in_command()


def test_no_message_names_both_fronts_or_cuts_another_message():
    """A message that says "x= (--x)" suits neither reader: the way out is a field of the error."""
    both = []
    for path in ROOT.rglob("*.py"):
        if path.is_relative_to(ROOT / "classroom"):  # lecturers call a command alone
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if re.search(r"\w(=|\}?) \(--[a-z-]+", line):
                both.append(f"{path.relative_to(ROOT)}:{number}")
    assert both == []


def test_such_an_error_can_be_copied():
    """As processes hand it on, and as an assertion raises it in place of the first."""
    error = Avoidable("a line is wrong", SKIP_BAD, ":\nline 1")
    for copied in (pickle.loads(pickle.dumps(error)), copy.copy(error), refused(error)):  # noqa: S301 -- our own
        assert str(copied) == str(error)
        assert copied.in_command(["--skip-bad"]) == error.in_command(["--skip-bad"])
