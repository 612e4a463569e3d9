"""What the page "Review a changed baseline" promises, beside what it prints."""

import json

import pytest

from irmetrics_edu.cli import main
from irmetrics_edu.gate.plugin import baseline_files
from tests.plugin.test_review import NEW, OLD, entry

pytest_plugins = ["pytester"]

KEYS = (
    "test_a.py::TestShop::test_one",
    "test_a.py::TestShop::test_two[x y] #name",
    "test_a.py::TestShopping::test_one",
    "test_a.py::test_free",
    "test_ab.py::test_one",
)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("test_a.py::TestShop", "test_a.py::TestStore"),
        ("test_a.py", "test_other.py"),
        ("test_a.py::test_free", "test_a.py::TestShop::test_free"),
    ],
)
def test_a_class_and_a_test_file_are_renamed_as_a_test_is(tmp_path, old, new):
    """With all their tests; one whose name only begins alike stays as it was."""
    path = tmp_path / "irm_baselines.json"
    before = {key: entry(OLD if "free" in key else NEW) for key in KEYS}
    path.write_text(baseline_files.text(before), encoding="utf-8")
    assert main(["baseline", "rename", old, new, "--file", str(path)]) == 0
    after = baseline_files.read(path)
    moved = {key for key in KEYS if key == old or key.startswith((f"{old}::", f"{old}["))}
    assert moved
    for key in KEYS:
        name = new + key.removeprefix(old) if key in moved else key
        assert after.pop(name) == before[key]
    assert after == {}


GATES = """
import pytest
Q = {f"q{i}": {"d": 1} for i in range(9)}
RUN = {q: ["d"] for q in Q}

def test_two_measures(irm_baseline):
    irm_baseline(RUN, Q, "RR nDCG@3")

@pytest.mark.skip
def test_left_out(irm_baseline):
    irm_baseline(RUN, Q, "RR")

def test_bound(assert_mrr):
    assert_mrr(RUN, Q, at_least=1)
"""


def test_a_history_has_a_line_for_each_measure_that_a_gate_compared_or_wrote(pytester, session):
    """Of a bound and of a test that is skipped there is none."""
    pytester.makepyfile(test_it=GATES)
    for update in (["--irm-update=new"], []):
        session("--irm-history=h.jsonl", *update)
    lines = (pytester.path / "h.jsonl").read_text(encoding="utf-8").splitlines()
    found = [json.loads(line) for line in lines]
    assert [(one["measure"], one["verdict"]) for one in found] == [
        ("RR", "new"),
        ("nDCG@3", "new"),
        ("RR", "pass"),
        ("nDCG@3", "pass"),
    ]


def test_ten_queries_are_shown_unless_said(tmp_path, capsys):
    """Of each measure, the greatest loss first; a note says how many more there are."""
    qrels = {f"q{i}": {"a": 1} for i in range(13)}
    run = {query: ["a"] for query in qrels}
    worse = {query: [*"xyz"[: 1 + i % 3], "a"] for i, query in enumerate(qrels)}
    files = []
    for name, ranking in (("old", run), ("new", worse)):
        path = tmp_path / f"{name}.json"
        found = {"t.py::t": entry(ranking, "RR nDCG@5", qrels)}
        path.write_text(baseline_files.text(found), encoding="utf-8")
        files.append(str(path))
    for option, shown in (([], 10), (["--worst", "3"], 3)):
        assert main(["baseline", "diff", *files, *option]) == 0
        out = capsys.readouterr().out
        rows = [line.split() for line in out.splitlines() if line.startswith(("RR ", "nDCG@5 "))]
        for measure in ("RR", "nDCG@5"):
            changes = [float(row[-1]) for row in rows if row[0] == measure]
            assert len(changes) == shown
            assert changes == sorted(changes)
            assert f"{measure}: {13 - shown} more changed" in out
