"""All that writes reports, marks and pages, each by the command or session that writes it."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest

from irmetrics_edu.cli import main
from irmetrics_edu.gate.plugin.plugin_options import OF_CI
from tests.faults.injected import forked
from tests.faults.writers import WRITERS, a_run
from tests.marking.conftest import RIGHT, Class
from tests.marking.test_platforms import GRADEBOOK, WORKSHEET, zipped

PROCESSES, OTHER_ORDER = "REPEATABLE_PROCESSES", "REPEATABLE_OTHER_ORDER"
MANY = 12  # queries of each gate


@dataclass(frozen=True)
class Writing:
    """What writes: how its folder is made, and how it is run there.

    What it says is compared too, unless `says_its_own`: a session of pytest tells of its processes
    and of the order of its tests.
    """

    name: str
    make: Callable[[Path], None]
    run: Callable[[], int]
    says_its_own: bool = False


def gates_of(name: str, folder: Path, *, worse: bool = False) -> None:
    """A file of tests: gates, an assertion and one that warns, over queries in their own order."""
    run = {f"q{q}": [f"d{(q * 7 + rank) % 10}" for rank in range(8)] for q in range(MANY)}
    if worse:
        run = {query: ranking[::-1] for query, ranking in run.items()}
    qrels = {f"q{q}": {f"d{d}": (q + d) % 3 for d in range(6)} for q in range(MANY)}
    text = f"""
import pytest
from irmetrics_edu.gate import assert_metric
RUN = {run!r}
QRELS = {qrels!r}
GROUPS = {{q: "even" if int(q[1:]) % 2 else "odd" for q in RUN}}

def test_strict(irm_baseline):
    irm_baseline(RUN, QRELS, ["nDCG@5", "RR", "AP"], policy="strict")

@pytest.mark.parametrize("k", [1, 3, 5])
def test_groups(irm_baseline, k):
    irm_baseline(RUN, QRELS, f"P@{{k}}", groups=GROUPS)

def test_floor(assert_mrr):
    assert_mrr(RUN, {{query: {{f"d{{d}}" for d in range(6)}} for query in RUN}}, at_least=0.9)

def test_sample(irm_baseline):
    irm_baseline(RUN, {{query: {{"d1", "d2", "d3"}} for query in RUN}}, "R@3")
"""
    (folder / f"test_{name}.py").write_text(text, encoding="utf-8")


def many_gates(folder: Path) -> None:
    """Three files of gates, their baselines, and then an engine of which two became worse."""
    for name in ("a", "b", "c"):
        gates_of(name, folder)
    forked(partial(_session, "--irm-update=new"), folder)
    for name in ("a", "c"):
        gates_of(name, folder, worse=True)


def new_gates(folder: Path) -> None:
    """Three files of gates without any baseline."""
    for name in ("a", "b", "c"):
        gates_of(name, folder)


def a_whole_class(folder: Path) -> None:
    """A class of Moodle's worksheet: times, deadlines, penalties, regrading, a mark by hand."""
    course = Class(folder / "class")
    for number, (student, cells) in enumerate(
        {
            "Ann Lee": [RIGHT, "total = 1"],
            "Su M\u00fcller": [RIGHT.replace("log2(i + 1)", "log(i + 1)"), "total = 2"],
            "Bo Ng": [RIGHT, "total = 3"],
        }.items()
    ):
        name = f"{student}_{991 + number}_assignsubmission_file/77_two.ipynb"
        course.hand_in(name, course.copy(student, cells))
    sheet = WORKSHEET.replace("Participant 992,Ann Lee,ann2", "Participant 993,Bo Ng,bo")
    sheet = sheet.replace("Participant 993,Su", "Participant 992,Su")
    (folder / "worksheet.csv").write_text(sheet, encoding="utf-8")
    (folder / "late.csv").write_text(
        "rule,exercise,student,value\nzone,,,Europe/Vienna\ndue,,,2026-10-25 01:30\n"
        "grace,,,15 min\npenalty,,,10 % per day\ncap,,,50 %\nextension,,su@x.org,1 d\n",
        encoding="utf-8",
    )
    (folder / "regrade.csv").write_text(
        "rule,exercise,question,value,comment\ngive,77,dcg,1.5,the text was unclear\n",
        encoding="utf-8",
    )
    course.out.mkdir()
    (course.out / "manual.csv").write_text(
        "student,exercise,question,marks,comment\nBo Ng,77,dcg,0.25,seen\n", encoding="utf-8"
    )


def a_class_of_canvas(folder: Path) -> None:
    """Canvas's zip and gradebook."""
    course = Class(folder / "class")
    (folder / "gradebook.csv").write_text(GRADEBOOK, encoding="utf-8")
    zipped(folder / "class.zip", {
        "leeann_1001_555_77_two-1.ipynb": course.copy("Lee, Ann", [RIGHT, "total = 1"]),
        "m\u00fcllersu_LATE_1002_556_77_two.ipynb": course.copy("M\u00fcller, Su", [RIGHT]),
        "zedcy_1004_text.html": b"<p>my answer",
    })  # fmt: skip


def handed_by_folders(folder: Path) -> None:
    """Students by folders, some of the same code, one with two files."""
    course = Class(folder / "class")
    for student in ("ann", "ben", "cy", "di"):
        course.hand_in(f"{student}/77_two.ipynb", course.copy(student, [RIGHT, "total = 12"]))
    course.hand_in("ann/77_other.ipynb", course.copy("ann", ["total = 3"]))
    course.hand_in("eve/77_two.ipynb", "no notebook")


def _session(*options: str) -> int:
    """All gates of a folder, in another order or by several processes if it is asked for."""
    for name in (*OF_CI, "GITHUB_SHA", "GITHUB_ACTIONS", "PYTEST_ADDOPTS"):
        os.environ.pop(name, None)
    os.environ["GITHUB_STEP_SUMMARY"] = str(Path("summary.md").resolve())
    os.environ["GIT_COMMIT"] = "c" * 40
    files = sorted(path.name for path in Path().glob("test_*.py"))
    if os.environ.get(OTHER_ORDER):
        files.reverse()
    processes = os.environ.get(PROCESSES)
    spread = ["-n", processes] if processes else ["-p", "no:xdist"]
    fixed = ["-q", "-p", "no:cacheprovider", "--rootdir=.", "-c", os.devnull]
    return int(pytest.main([*files, *fixed, *spread, *options], plugins=[_Turned()]))


class _Turned:
    """Turns the order of the tests round, if it is asked for."""

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        if os.environ.get(OTHER_ORDER):
            items.reverse()


def _grade(*words: str) -> int:
    workers = os.environ.get(PROCESSES) or "1"
    fixed = ("--key", "class/key", "--sources", "class/sources", "--out", "class/out")
    return main(["grade", *words, *fixed, "--workers", workers])


def _printed(words: str, form: str) -> int:
    """A command whose result is printed."""
    return main([*words.split(), "--format", form])


REPORTS = ("--irm-report=r.json", "--irm-report=r.md", "--irm-report=r.html")
_PRINTED = {
    "evaluate qrels run -m nDCG@2": ("table", "json", "csv", "trec", "markdown", "latex", "html"),
    "compare qrels run other": ("table", "json", "csv", "markdown", "latex", "html"),
    "explain nDCG --run run --qrels qrels --query q1": ("text",),
}


def _both(first: str, second: str) -> int:
    """Put two reports together, in another order if it is asked for."""
    reports = [first, second]
    if os.environ.get(OTHER_ORDER):
        reports.reverse()
    to = [word for form in ("html", "md", "json") for word in ("--to", f"out.{form}")]
    return main(["report", "merge", *reports, *to, "--no-provenance"])


def two_reports(folder: Path) -> None:
    """Reports of two jobs."""
    many_gates(folder)
    for name in ("one", "two"):
        forked(partial(_session, f"--irm-report={name}.json", f"--irm-label={name}"), folder)


_NOT_AGAIN = {"session", "failing session", "class", "merged reports"}  # in a richer form below
ROWS = (
    *(Writing(one.name, one.make, one.run) for one in WRITERS if one.name not in _NOT_AGAIN),
    *(
        Writing(f"{words.split()[0]} as {form}", a_run, partial(_printed, words, form))
        for words, forms in _PRINTED.items()
        for form in forms
    ),
    Writing("reports of two jobs", two_reports, partial(_both, "one.json", "two.json")),
    Writing(
        "new baselines",
        new_gates,
        partial(_session, "--irm-update=new", *REPORTS, "--irm-history=h.jsonl"),
        says_its_own=True,
    ),
    Writing(
        "gates",
        many_gates,
        partial(_session, *REPORTS, "--irm-history=h.jsonl", "--junitxml=junit.xml"),
        says_its_own=True,
    ),
    Writing(
        "gates that are updated",
        many_gates,
        partial(_session, "--irm-update=all", *REPORTS, "--irm-history=h.jsonl"),
        says_its_own=True,
    ),
    Writing(
        "class of Moodle",
        a_whole_class,
        partial(
            _grade, "class/submitted", "--roster", "worksheet.csv", "--late", "late.csv",
            "--regrade", "regrade.csv",
        ),
    ),
    Writing(
        "class of Canvas",
        a_class_of_canvas,
        partial(_grade, "class.zip", "--roster", "gradebook.csv"),
    ),
    Writing("class of folders", handed_by_folders, partial(_grade, "class/submitted")),
)  # fmt: skip
BY_NAME = {row.name: row for row in ROWS}
