"""The pytest plugin: options, fixtures and markers. Loads nothing of the package until it is used.

pytest imports this module in every session, used or not, so it holds hooks that pass on to
`irmetrics_edu.gate.plugin`, and no more. One file: each module more would cost every session its
time.
"""

import os
import sys
import warnings
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from irmetrics_edu import measured
from irmetrics_edu.gate import ASSERTIONS, policy
from irmetrics_edu.gate.plugin import option

if not hasattr(pytest, "StashKey"):  # which pytest 7 brought
    raise pytest.UsageError(
        f"irmetrics-edu needs pytest 7 or later, and this is pytest {pytest.__version__}: "
        "pip install --upgrade pytest, or leave the plugin out with -p no:irmetrics-edu"
    )

OPTIONS = (
    ("report", "PATH", "write the results to PATH (.json, .md or .html); may be repeated"),
    ("history", "FILE", "add a line to FILE (.jsonl) for each measure that a gate compared"),
    ("label", "NAME", "name the job or the project in tables, reports and histories"),
    ("title", "TEXT", "the title of the reports"),
    ("update", "WHICH", "write baselines: 'new', 'failing' or 'all' of them"),
    ("table", "yes|no", "whether to show a table of what was measured (default yes)"),
    ("reveal", "all|hint", "whether failures show what was expected (default all)"),
)
# The limits of a gate, unless its call or its marker says otherwise.
POLICY = tuple((setting.name, setting.shape, setting.help) for setting in policy.OPTIONS)


class _Entry:
    """What pytest finds under the name that its header shows: `-p no:irmetrics-edu` leaves it out.

    `-p no:irmetrics_edu` does so too, and `-p irmetrics_edu.pytest_plugin` loads nothing twice.
    """

    def pytest_addhooks(self, pluginmanager: pytest.PytestPluginManager) -> None:
        """Register the hooks below, under the name of their module."""
        blocked = pluginmanager.is_blocked("irmetrics_edu")
        if not blocked and not pluginmanager.has_plugin(__name__):
            pluginmanager.register(sys.modules[__name__], __name__)


ENTRY = _Entry()


class Outcomes:
    """How each test of the session ended: by all that pytest reports of its last attempt.

    A test has several reports: of its setup, its call and its teardown, of subtests, and of earlier
    attempts where a plugin runs it again.
    """

    def __init__(self) -> None:
        self.ended: set[str] = set()
        # By test and worker: outcomes other than "passed", such as "failed" and "skipped".
        self._others: dict[tuple[str, str], set[str]] = {}
        self._called: set[tuple[str, str]] = set()

    def note(self, report: pytest.TestReport) -> None:
        """Take note of a report. A setup begins an attempt, and so does a second call."""
        key = (report.nodeid, getattr(report, "worker_id", ""))
        if report.when == "setup" or (report.when == "call" and key in self._called):
            self._called.discard(key)
            self._others.pop(key, None)
            self.ended.discard(report.nodeid)
        if report.when == "call" and not hasattr(report, "context"):  # which subtests have
            self._called.add(key)
        if report.when == "teardown":
            self.ended.add(report.nodeid)
        if report.outcome != "passed":
            self._others.setdefault(key, set()).add(report.outcome)

    def others(self, nodeid: str) -> set[str]:
        """The outcomes other than "passed" of a test's last attempt, in any worker."""
        all_outcomes: set[str] = set()
        for (test, _), outcomes in self._others.items():
            if test == nodeid:
                all_outcomes |= outcomes
        return all_outcomes


class State:
    """What this session measures: assertions fill it in, reports read it."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.item: pytest.Item | None = None
        self.heard: list[Any] = []
        self.collected: list[pytest.Item] = []
        self.deselected: list[pytest.Item] = []
        self.uncollected: list[str] = []
        self.ran: set[str] = set()
        self.outcomes = Outcomes()
        self.attempt = 0  # of a test; each setup begins one, and so does a call without a setup
        self.calls = 0  # of this attempt
        self.workers: list[dict[str, Any]] = []  # what workers of pytest-xdist tell
        self.session: Any = None  # the reporting, once there is something to report

    def forget(self) -> None:
        """Forget what the earlier attempt at the current test measured."""
        self.heard = []
        if self.session is not None and self.item is not None:
            self.session.again(self.item)

    def hear(self, measurement: Any) -> None:
        """Take note of what an assertion measured."""
        self.heard.append(measurement)

    def reveal(self) -> str:
        """Whether a failure of the current test shows what was expected."""
        if self.item is not None and self.item.get_closest_marker("irm_hint"):
            return "hint"
        return option(self.config, "reveal") or "all"

    def verbosity(self) -> int:
        """How many -v there are."""
        return max(0, int(self.config.option.verbose))

    def policy(self) -> dict[str, Any]:
        """The limits for gates of the current test, from options, ini file and markers."""
        options = {name: option(self.config, name) for name, _, _ in POLICY}
        markers = [] if self.item is None else list(self.item.iter_markers("irm_baseline"))
        if not markers and not any(options.values()):
            return {}
        from irmetrics_edu.gate.plugin.plugin_options import policy as of_options

        return of_options(options, markers, "" if self.item is None else self.item.name)

    def reporting(self) -> Any:
        """The part that reports, loaded on first use."""
        if self.session is None:
            from irmetrics_edu.gate.plugin.selection import Selection
            from irmetrics_edu.gate.plugin.session import Session

            seen = (self.collected, self.deselected, self.uncollected, self.ran, self.workers)
            self.session = Session(self.config, Selection(*seen), self)
        return self.session


_STATE = pytest.StashKey[State]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options, and for each a setting of the same name in the ini file."""
    group = parser.getgroup("irmetrics-edu", "rankings (irmetrics-edu)")
    for name, shape, text in (*OPTIONS, *POLICY):
        many = name == "report"
        group.addoption(
            f"--irm-{name.replace('_', '-')}",
            dest=f"irm_{name}",
            metavar=shape,
            help=text,
            action="append" if many else "store",
            default=None,
        )
        if many:
            parser.addini(f"irm_{name}", text, type="args", default=[])
        else:
            parser.addini(f"irm_{name}", text, default="")

    group.addoption(
        "--irm-prune",
        action="store_true",
        help="remove baselines whose test is gone; needs a run of all tests",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Register the markers, check the options, and start to collect measurements."""
    config.addinivalue_line("markers", "irm_hint: failures show no expected values")
    config.addinivalue_line(
        "markers",
        "irm_baseline(policy, margin, ...): what the gates of a test (irm_baseline, "
        "assert_no_regression) let through, under the names of their keywords",
    )
    state = config.stash[_STATE] = State(config)
    measured.listen(state)
    options = {name: option(config, name) for name, _, _ in (*OPTIONS, *POLICY)}
    options["prune"] = config.getoption("irm_prune")
    if any(options.values()):
        from irmetrics_edu.gate.plugin.plugin_options import check

        check(options, os.environ)


def pytest_unconfigure(config: pytest.Config) -> None:
    """Stop collecting measurements."""
    if _STATE in config.stash:
        measured.stop(config.stash[_STATE])


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Remember the current test; if a test is run again, its last attempt counts."""
    state = item.config.stash[_STATE]
    state.attempt += 1
    state.calls = 0
    if state.item is item:
        state.forget()
    elif state.session is not None:
        state.session.attached = []
    state.item = item


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_call(item: pytest.Item) -> None:
    """Forget an earlier call of the same turn, in which a plugin may call a test several times."""
    state = item.config.stash[_STATE]
    state.calls += 1
    if state.calls > 1:
        state.forget()


@contextmanager
def _warnings_shown() -> Iterator[None]:
    """Show warnings and raise none: under `-W error` one raised in a hook would end the session."""
    with warnings.catch_warnings():
        warnings.simplefilter("default")
        yield


def _raised(call: pytest.CallInfo[Any]) -> tuple[Any, Any]:
    """What a test ended in: a failure of our assertions, or bad input that they refused."""
    failure_module = sys.modules.get("irmetrics_edu.gate.failure")
    if failure_module is None or call.excinfo is None:
        return None, None
    error = call.excinfo.value
    failed = isinstance(error, failure_module.RankingAssertionError)
    return error if failed else None, error if failure_module.is_refused(error) else None


@pytest.hookimpl(specname="pytest_runtest_makereport")
def pytest_irmetrics_before_report(item: pytest.Item, call: pytest.CallInfo[Any]) -> None:
    """Set how much the message shows, and end the traceback at the test."""
    error, _ = _raised(call)
    if error is not None:
        error.verbosity = max(0, item.config.option.verbose)
    if call.excinfo is None or item.config.option.fulltrace:
        return
    failure_module = sys.modules.get("irmetrics_edu.gate.failure")
    errors = sys.modules.get("irmetrics_edu.errors")
    if errors is not None and isinstance(call.excinfo.value, errors.REFUSALS):
        from irmetrics_edu.gate.failure import hide_refusal

        hide_refusal(call.excinfo.tb)
    elif failure_module is not None:
        failure_module.hide_own_frames(call.excinfo.tb)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[Any]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Attach what was measured, and give the summary the first line of the message."""
    report = yield
    advice = _how_to_import(call)
    if advice is not None:
        report.sections.append(advice)
    state = item.config.stash[_STATE]
    error, wrong = _raised(call)
    pending = state.session is not None and state.session.pending
    if error or wrong or state.heard or pending:
        heard = state.heard
        state.heard = []
        with _warnings_shown():
            state.reporting().attach(report, heard, error, wrong)
    if state.session is not None:
        state.session.made(item, report)
    return report


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Gather what was measured, in this process or in a worker."""
    state = measured.current()
    if not isinstance(state, State):
        return
    state.outcomes.note(report)
    if report.when == "setup":
        state.ran.add(report.nodeid)
        if state.session is not None:
            state.session.gathered.pop(report.nodeid, None)  # of earlier attempts: the last counts
    measurements = getattr(report, "irmetrics", None)
    if measurements:
        state.reporting().gather(report, measurements)


def pytest_collectreport(report: pytest.CollectReport) -> None:
    """Remember what could not be collected: its baselines are not stale."""
    state = measured.current()
    if report.failed and isinstance(state, State):
        state.uncollected.append(report.nodeid)


def pytest_itemcollected(item: pytest.Item) -> None:
    """Remember each test that is found: a plugin or a conftest may drop it without a word."""
    item.config.stash[_STATE].collected.append(item)


def pytest_deselected(items: list[pytest.Item]) -> None:
    """Remember deselected tests: their baselines are not stale."""
    if items:
        items[0].config.stash[_STATE].deselected += items


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Write the baselines and reports that are due."""
    state = session.config.stash.get(_STATE, None)
    if state is None:
        return
    if (
        state.session is not None
        or option(session.config, "report")
        or session.config.getoption("irm_prune")
    ):
        with _warnings_shown():
            state.reporting().finish(session)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Take over what a worker of pytest-xdist knows about stale baselines."""
    output = getattr(node, "workeroutput", {}).get("irmetrics")
    if output:
        state = node.config.stash[_STATE]
        state.workers.append(output)
        state.reporting().stale.update(tuple(pair) for pair in output["stale"])


def pytest_terminal_summary(terminalreporter: "pytest.TerminalReporter") -> None:
    """Show what was measured, if anything was."""
    state = terminalreporter.config.stash[_STATE]
    if state.session is not None:
        with _warnings_shown():
            state.session.summarise(terminalreporter)


# -- fixtures


# Most suites need no more, and the others are imported. With all of them, almost a hundred names
# would stand in `pytest --fixtures` and under every misspelt name.
LISTED = {
    "assert_in_top": "a document is among the first of a query",
    "assert_metric": "a measure, given by its name, lies within bounds",
    "assert_mrr": "MRR lies within bounds",
    "assert_ndcg": "nDCG lies within bounds",
    "assert_no_regression": "a run is no worse than another run, query by query",
    "assert_pins": "the documents of a table are where they must be",
    "assert_recall": "recall lies within bounds",
}


def _fixture(name: str) -> Any:
    def give() -> Any:
        import irmetrics_edu.gate

        return getattr(irmetrics_edu.gate, name)

    imported = f"As if imported: help(irmetrics_edu.gate.{name}) says what it takes."
    give.__doc__ = f"Assert that {LISTED[name]}.\n\n{imported}"
    return pytest.fixture(scope="session", name=name)(give)


for _name in LISTED:
    globals()[f"irm_{_name}"] = _fixture(_name)
del _name


def _how_to_import(call: pytest.CallInfo[Any]) -> tuple[str, str] | None:
    """What to write if a test asks for an assertion as a fixture that has to be imported."""
    if call.excinfo is None or not isinstance(call.excinfo.value, pytest.FixtureLookupError):
        return None
    name = call.excinfo.value.argname
    if name is None or not (name in ASSERTIONS or name in _assertions_of_own_metrics()):
        return None
    what_to_do = "Import it, and take it out of the test's arguments:"
    return f"{name} is no fixture", f"{what_to_do}\n    from irmetrics_edu.gate import {name}"


def _assertions_of_own_metrics() -> set[str]:
    """The assertions of the metrics that are registered, those of a conftest included."""
    definition = sys.modules.get("irmetrics_edu.metrics.definition")
    if definition is None:
        return set()
    return {f"assert_{metric.kernel.__name__}" for metric in definition.METRICS.values()}


@pytest.fixture(scope="session")
def irm_run(request: pytest.FixtureRequest) -> Any:
    """Read a run from a file: `irm_run("run.trec")` gives query -> document -> score.

    The file is looked for beside the calling file, then in pytest's root folder. TREC, JSON, CSV,
    TSV or Parquet, by the file's name or `format="csv"`. With `skip_bad=True` malformed lines are
    left out, and a warning counts them.
    """
    from irmetrics_edu.gate.plugin.loading import loader

    return loader(request.config.rootpath, "run")


@pytest.fixture(scope="session")
def irm_qrels(request: pytest.FixtureRequest) -> Any:
    """Read judgments from a file: `irm_qrels("qrels.trec")` gives query -> document -> grade.

    The file is looked for beside the calling file, then in pytest's root folder. TREC, JSON, CSV,
    TSV (BEIR's test.tsv, too) or Parquet, by the file's name or `format="csv"`. With
    `skip_bad=True` malformed lines are left out, and a warning counts them.
    """
    from irmetrics_edu.gate.plugin.loading import loader

    return loader(request.config.rootpath, "qrels")


@pytest.fixture
def irm_baseline(request: pytest.FixtureRequest) -> Any:
    """Compare a run with the baseline kept beside the test: `irm_baseline(run, qrels)`.

    `irm_baseline(run, qrels, "nDCG@10 RR", margin=0.01)` fails if a measure fell by more than
    `margin` and the fall is more than chance, or if it breaks a hard limit (`max_observed_drop`,
    `max_query_drop`, `protected`). It takes the keywords of `assert_no_regression`, and three more:
    `name` for a second baseline of the same test, `depth` for the number of documents to keep of
    each ranking, and `corpus` for what tells the documents from those of another day.
    --irm-update=new writes the baseline; --irm-update=failing accepts a change.
    """
    from irmetrics_edu.gate.plugin.baseline_fixture import BaselineGate

    return BaselineGate(request.node, request.config.stash[_STATE].reporting())
