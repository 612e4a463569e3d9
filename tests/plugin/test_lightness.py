"""A suite that does not use the plugin does not pay for it: no module, file, print or warning."""

import importlib.util
import json
import os
import random
import subprocess
import sys

import pytest

from irmetrics_edu import pytest_plugin
from irmetrics_edu.gate import RankingAssertionError, assert_ndcg
from tests.work import calls_in

HEAVY = {
    "numpy",
    "scipy",
    "rich",
    "matplotlib",
    "irmetrics_edu.metrics.definition",
    "irmetrics_edu.gate.plugin.session",
}
SHOW = """
import json, pathlib, sys

def pytest_unconfigure(config):
    pathlib.Path(r"{path}").write_text(json.dumps(sorted(sys.modules)))
"""


def modules_after(tmp_path, test, *options):
    """The modules in memory after a session, and what the session printed."""
    suite = tmp_path / "suite"
    suite.mkdir()
    (suite / "test_it.py").write_text(test, encoding="utf-8")
    listing = tmp_path / "modules.json"
    (suite / "conftest.py").write_text(SHOW.format(path=listing), encoding="utf-8")
    environment = {
        **os.environ,
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    environment.pop("PYTEST_ADDOPTS", None)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-W", "error", "-p", "no:cacheprovider", "-p",
         "irmetrics_edu.pytest_plugin", *options],
        cwd=suite, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert {p.name for p in suite.iterdir()} == {"conftest.py", "test_it.py"}
    return set(json.loads(listing.read_text(encoding="utf-8"))), done.stdout + done.stderr


PLAIN = "def test_plain():\n    assert 1 + 1 == 2\n"


@pytest.mark.parametrize("options", [(), ("-v",)], ids=["plain", "-v"])
def test_a_suite_that_uses_none_of_it_loads_and_writes_nothing(tmp_path, options):
    """Neither numpy nor the core is in memory after the session, and nothing of ours is shown."""
    modules, text = modules_after(tmp_path, PLAIN, *options)
    assert "irmetrics_edu.pytest_plugin" in modules
    assert not modules & HEAVY
    ours = {name for name in modules if name.startswith("irmetrics_edu")}
    assert ours == {
        "irmetrics_edu",
        "irmetrics_edu.measured",
        "irmetrics_edu.gate",
        "irmetrics_edu.gate.plugin",
        "irmetrics_edu.gate.policy",
        "irmetrics_edu.pytest_plugin",
    }
    assert "rankings" not in text
    for place in (sys.executable, str(tmp_path)):  # a clone may lie in a folder of any name
        text = text.replace(place, "")
    assert "irm" not in text.replace("irmetrics", "")


@pytest.mark.parametrize(
    "test",
    [
        "def test_used(assert_ndcg):\n    assert_ndcg([1, 0], at_least=0.5)\n",
        "import irmetrics_edu.runs.evaluation\n" + PLAIN,
    ],
    ids=["fixture", "import"],
)
def test_the_check_can_fail(tmp_path, test):
    """A suite that uses the plugin, or the core, is seen to load it."""
    modules, _ = modules_after(tmp_path, test)
    assert {"numpy", "irmetrics_edu.metrics.definition"} <= modules


def test_failing_tests_of_others_load_nothing_either(tmp_path):
    """The hooks that run when a test fails look before they load."""
    test = "import pytest\n\n@pytest.mark.xfail\ndef test_fails():\n    assert 1 == 2\n"
    modules, _ = modules_after(tmp_path, test)
    assert not modules & HEAVY


def test_a_thousand_queries_are_asserted_at_a_time():
    """A hundred documents each, and few functions entered for a query; a failure is explained."""
    chance = random.Random(1)
    documents = [f"d{i}" for i in range(2000)]
    queries = [f"q{i}" for i in range(1000)]
    qrels = {
        q: {d: chance.choice([0, 1, 2, 3]) for d in chance.sample(documents, 25)} for q in queries
    }
    run = {q: {d: chance.random() for d in chance.sample(documents, 100)} for q in queries}
    half = {query: run[query] for query in queries[:500]}
    judged = {query: qrels[query] for query in half}
    calls = calls_in(lambda: assert_ndcg(run, qrels, k=10, at_least=0.0))
    calls_of_half = calls_in(lambda: assert_ndcg(half, judged, k=10, at_least=0.0))
    assert calls - calls_of_half < 5 * (len(run) - len(half))
    assert calls < 6 * len(run)
    with pytest.raises(RankingAssertionError) as caught:
        assert_ndcg(run, qrels, k=10, at_least=0.9)
    assert "(short by " in caught.value.summary
    assert "; 1,000 queries)" in caught.value.summary


def test_a_pytest_that_is_too_old_is_refused_in_a_line(monkeypatch):
    """The sixth has no stash; pytest shows such an error without a traceback."""
    monkeypatch.delattr(pytest, "StashKey")
    monkeypatch.setattr(pytest, "__version__", "6.2.5")
    spec = importlib.util.spec_from_file_location("of_old", pytest_plugin.__file__)
    with pytest.raises(pytest.UsageError) as refused:
        spec.loader.exec_module(importlib.util.module_from_spec(spec))
    (line,) = str(refused.value).splitlines()
    assert line.startswith("irmetrics-edu needs pytest 7 or later, and this is pytest 6.2.5: ")
