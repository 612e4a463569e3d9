"""All that the package writes, each by the command or the session that writes it."""

import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest

from irmetrics_edu.cli import main
from irmetrics_edu.gate.plugin.plugin_options import OF_CI
from tests.faults.injected import forked
from tests.marking.conftest import RIGHT, Class

QRELS = "q1 0 a 1\nq1 0 b 0\nq2 0 a 1\nq3 0 c 2\n"
RUN = "q1 Q0 a 1 2.5 r\nq1 Q0 x 2 1.5 r\nq2 Q0 b 1 0.5 r\nq2 Q0 a 2 0.25 r\nq3 Q0 c 1 1 r\n"
GATES = """
import pytest
QRELS = {"q1": {"a": 1}, "q2": {"a": 1}, "q3": {"c": 2}}
RUN = {"q1": ["a", "x"], "q2": ["b", "a"], "q3": ["c"]}
WORSE = {"q1": ["x", "a"], "q2": ["b", "x", "a"], "q3": ["c"]}

def test_kept(irm_baseline):
    irm_baseline(RUN, QRELS, "RR", policy="strict")

def test_fell(irm_baseline):
    irm_baseline(WORSE, QRELS, "RR", policy="strict")
"""


@dataclass(frozen=True)
class Writer:
    """What writes: how its folder is made, and how it is run there.

    `is_slow` is whether a run takes seconds, so that all its calls are tried in the suite alone.
    `grows` are files to which each run adds. An interrupted session is pytest's to end, so
    SIGINT is not tried where it `is_of_pytest`.
    """

    name: str
    make: Callable[[Path], None]
    run: Callable[[], int]
    is_slow: bool = False
    grows: tuple[str, ...] = ()
    is_of_pytest: bool = False


def _texts(folder: Path, **texts: str) -> None:
    for name, text in texts.items():
        path = folder / name.replace("__", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def a_run(folder: Path) -> None:
    """Judgments, two runs, and old files in the place of what is written."""
    _texts(folder, qrels=QRELS, run=RUN, other=RUN.replace("2.5", "1.0"), out__svg="old")
    _texts(folder, out__html="old", out__md="old", out__csv="old", beside__txt="mine")


def filled_lists(folder: Path) -> None:
    """A list that came back from a judge."""
    a_run(folder)
    head = "query,query_text,document,document_text,runs,best_rank,grade,source,judge,when,note\n"
    _texts(folder, work__csv=f"{head}q1,,x,,run,2,1,person,A,2026-01-01,\n")


def an_exercise(folder: Path) -> None:
    """The source of an exercise, and the key of a course."""
    course = Class(folder / "class")
    _texts(folder, roster__csv="student\nann\nben\n")
    assert course.folder


def stored_baselines(folder: Path) -> None:
    """The baselines of a session, as both sides of a merge, and its gates with a worse run."""
    _texts(folder, test_gates__py=GATES.replace("WORSE = {", "OLD = {").replace("WORSE", "RUN"))
    _session(folder, "--irm-update=new")
    stored = (folder / "irm_baselines.json").read_text(encoding="utf-8")
    theirs = stored.replace("test_gates.py::test_fell", "test_gates.py::test_theirs")
    _texts(folder, base__json=stored, ours__json=stored, theirs__json=theirs)
    _texts(folder, test_gates__py=GATES, r__md="old", r__html="old", r__json="old")
    _texts(folder, history__jsonl="", summary__md="before\n")


def received_baselines(folder: Path) -> None:
    """What failing gates received."""
    stored_baselines(folder)
    _session(folder, "--irm-report=r.json")
    assert (folder / "irm_baselines.received.json").exists() or list(folder.glob("*received*"))


def a_report(folder: Path) -> None:
    """The report of a session."""
    stored_baselines(folder)
    _session(folder, "--irm-report=first.json")


def a_history(folder: Path) -> None:
    """The history of two sessions."""
    line = {
        "commit": "c", "test": "t", "measure": "RR", "verdict": "pass", "score": 0.5,
        "low": 0.4, "high": 0.6, "queries": 3, "margin": 0.1,
    }  # fmt: skip
    _texts(folder, history__jsonl=(json.dumps(line) + "\n") * 2, out__svg="old")


def a_graded_class(folder: Path) -> None:
    """A class whose results are kept, and all other files of an earlier round."""
    course = Class(folder / "class")
    for student in ("ann", "ben"):
        course.hand_in(f"{student}/77.ipynb", course.copy(student, [RIGHT, "total = 1"]))
    _texts(folder, roster__csv="student,name\nann,Ann\nben,Ben\ncy,Cy\n")
    assert course.grade("--roster", str(folder / "roster.csv")) in (0, 1)
    for path in (folder / "class" / "out").rglob("*"):
        is_old = path.is_file() and path.suffix in (".csv", ".html", ".md") and path.parent != path
        if is_old and path.name != "manual.csv":
            path.write_text("old", encoding="utf-8")


def _session(folder: Path, *options: str) -> None:
    """A session of pytest in a fork."""
    forked(partial(_gates, *options), folder)


def _command(*words: str) -> Callable[[], int]:
    return partial(main, list(words))


def _gates(*options: str) -> int:
    """A session in this process, which is a fork; in CI baselines are not written by themselves."""
    for name in OF_CI:
        os.environ.pop(name, None)
    os.environ["GITHUB_STEP_SUMMARY"] = str(Path("summary.md").resolve())
    fixed = ["-q", "-p", "no:cacheprovider", "-p", "no:xdist", "--rootdir=.", "-c", os.devnull]
    return int(pytest.main(["test_gates.py", *fixed, *options]))


_GRADE = ("grade", "class/submitted", "--key", "class/key", "--sources", "class/sources")
_EXERCISES = ("exercises", "77", "--key", "class/key", "--sources", "class/sources")
WRITERS = (
    Writer("plot of evaluate", a_run, _command("evaluate", "qrels", "run", "--plot", "out.svg")),
    Writer(
        "plot of compare", a_run, _command("compare", "qrels", "run", "other", "--plot", "out.svg")
    ),
    Writer("plot of history", a_history, _command("history", "history.jsonl", "--svg", "out.svg")),
    Writer(
        "worklist",
        a_run,
        _command("judgments", "unjudged", "run", "--judged", "qrels", "-o", "out.csv"),
    ),
    Writer(
        "labels",
        filled_lists,
        _command("judgments", "merge", "work.csv", "--judged", "qrels", "-o", "new.csv"),
    ),
    Writer("collection", a_run, _command("demo-collection", "new")),
    Writer("playground", a_run, _command("playground", "out.html")),
    Writer("vectors", a_run, _command("conformance", "export", "new")),
    Writer("course", a_run, _command("course", "new")),
    Writer("quiz", a_run, _command("questions", "new.xml", "--count", "2")),
    Writer("exam", a_run, _command("questions", "new.html", "--format", "exam", "--count", "2")),
    Writer("copies", an_exercise, _command(*_EXERCISES, "--out", "new", "--roster", "roster.csv")),
    Writer(
        "merged baselines",
        stored_baselines,
        _command("baseline", "merge", "base.json", "ours.json", "theirs.json"),
    ),
    Writer(
        "renamed baselines",
        stored_baselines,
        _command("baseline", "rename", "test_gates.py::test_kept", "test_gates.py::test_other"),
    ),
    Writer(
        "accepted baselines",
        received_baselines,
        _command("baseline", "accept", "irm_baselines.received.json"),
    ),
    Writer(
        "merged reports",
        a_report,
        _command("report", "merge", "first.json", "--to", "out.html", "--to", "out.md"),
    ),
    Writer(
        "session",
        stored_baselines,
        partial(
            _gates,
            "--irm-update=all",
            "--irm-history=history.jsonl",
            "--irm-report=r.json",
            "--irm-report=r.md",
            "--irm-report=r.html",
        ),
        is_slow=True,
        grows=("history.jsonl", "summary.md", "r.json", "r.md", "r.html"),
        is_of_pytest=True,
    ),
    Writer(
        "failing session",
        stored_baselines,
        partial(_gates, "--irm-report=r.json"),
        is_slow=True,
        grows=("summary.md", "r.json"),
        is_of_pytest=True,
    ),
    Writer("class", a_graded_class, _command(*_GRADE, "--out", "class/out"), is_slow=True),
    Writer(
        "course's total", a_graded_class, _command("grade", "course", "class/out", "--out", "new")
    ),
)
