"""What a session measured: attached to reports, gathered, written and shown."""

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from irmetrics_edu import measured
from irmetrics_edu.errors import InputError
from irmetrics_edu.gate.plugin import (
    BASELINES,
    baseline_files,
    id_of_all_repetitions,
    option,
    plain_id,
)
from irmetrics_edu.gate.plugin.measured_test import (
    MeasuredTest,
    condensed,
    labelled,
    properties,
)
from irmetrics_edu.gate.plugin.selection import Selection
from irmetrics_edu.gate.plugin.stale_baselines import (
    Stale,
    files_below,
    fitting,
    how_to_move,
    newcomers,
)

_PREFIX = "irmetrics_edu.gate.RankingAssertionError: "
_ROWS = 10  # of the table, unless -v
_UNTOLD = {"inconclusive", "advisory"}  # verdicts that a test's outcome does not tell


class Session:
    """Gathers measurements and baselines; a worker of pytest-xdist only sends them."""

    def __init__(self, config: pytest.Config, seen: Selection, state: Any) -> None:
        self.config = config
        self.seen = seen
        self.state = state  # of the plugin: which attempt it is, and how tests ended
        self.is_worker = hasattr(config, "workerinput")
        self.reports = [Path(p) for p in option(config, "report") or ()]
        self.history = option(config, "history")
        self.label = str(option(config, "label") or "")
        self.summary = bool(os.environ.get("GITHUB_STEP_SUMMARY"))
        self.annotated = os.environ.get("GITHUB_ACTIONS") == "true"
        # Whether somebody will look at single queries and explanations.
        self.at_length = bool(self.reports or self.history or self.summary or self.annotated)
        self.gathered: dict[str, MeasuredTest] = {}  # by the id of the test
        # Of the test at hand: its measurements, baselines, properties, attempt and outcomes.
        self.at_hand = MeasuredTest()
        self.pending: list[dict[str, Any]] = []
        self.attached: list[tuple[str, str]] = []
        self.attempt: tuple[str, int, int] = ("", 0, 0)
        self.outcomes: set[str] = set()
        self.numbered = 0  # reports with measurements
        self.stale: set[tuple[str, str]] = set()
        self.removed: set[tuple[str, str]] = set()
        self.written: list[str] = []
        self.trouble: list[str] = []  # what could not be read or written
        self.folders: set[Path] = set()

    @property
    def results(self) -> list[dict[str, Any]]:
        """All that was measured."""
        measurements: list[dict[str, Any]] = []
        for _, results in self.tests():
            measurements += results
        return measurements

    def tests(self) -> list[tuple[MeasuredTest, list[dict[str, Any]]]]:
        """Each test with what it measured, by how it ended."""
        tests_with_results = []
        for nodeid, test in self.gathered.items():
            results = test.results(self._others(nodeid), ended=self._ended(nodeid))
            for result in results:
                result["test"] = labelled(self.label, result["test"])
            tests_with_results.append((test, results))
        return tests_with_results

    def _others(self, nodeid: str) -> set[str]:
        outcomes: set[str] = self.state.outcomes.others(nodeid)
        return outcomes

    def _ended(self, nodeid: str) -> bool:
        return nodeid in self.state.outcomes.ended

    # -- in the process that runs a test

    def again(self, item: pytest.Item) -> None:
        """Forget the earlier attempts at a test: the last one counts."""
        self.pending = []
        self._put(item, [])

    def attach(
        self,
        report: pytest.TestReport,
        heard: Sequence[Any],
        error: Any,
        wrong: Any = None,
    ) -> None:
        """Put what was measured into a test's report, as plain values that can be sent."""
        facts = condensed([measurement.facts() for measurement in heard])
        verdicts = {fact["verdict"] for fact in facts}
        if wrong is not None and "error" not in verdicts:
            facts.append(measured.no_result("-", str(wrong)))
        if not self.at_length:
            for fact in facts:
                fact.pop("per_query", None)
                fact.pop("differences", None)
                fact.pop("explanation", None)
                fact.pop("texts", None)
        self.numbered += 1
        part = {
            "number": self._unique(self.numbered),
            "attempt": self._unique(self.state.attempt),
            "call": self.state.calls,
            "results": facts,
            "baselines": self.pending,
        }
        self.pending = []
        if facts or part["baselines"]:
            report.irmetrics = part  # type: ignore[attr-defined]  # xdist and pytest carry what is put there
            if self.at_hand.test != report.nodeid:
                self.at_hand = MeasuredTest(report.nodeid)
            self.at_hand.add(part)
        if error is not None:
            _first_line_alone(report, error.summary)

    def _unique(self, number: int) -> str:
        """A number as text that no other worker has."""
        worker = getattr(self.config, "workerinput", {}).get("workerid", "")
        return f"{worker}:{number}"

    def made(self, item: pytest.Item, report: pytest.TestReport) -> None:
        """Give the test the properties of what it measured, by all that is known of it so far."""
        attempt = (item.nodeid, self.state.attempt, self.state.calls)
        if attempt != self.attempt:
            self.attempt = attempt
            self.outcomes = set()
        self.outcomes.add(report.outcome)
        if self.at_hand.test != item.nodeid:
            return
        outcomes = self.outcomes | self._others(item.nodeid)
        others = outcomes & {"failed", "skipped"}
        results = self.at_hand.results(others)
        pairs = properties(results, item.nodeid, self.label)
        self._put(item, pairs)
        report.user_properties = list(item.user_properties)

    def _put(self, item: pytest.Item, pairs: list[tuple[str, str]]) -> None:
        """Put these properties in the place of those that were put before."""
        old = {id(pair) for pair in self.attached}
        kept = [pair for pair in item.user_properties if id(pair) not in old]
        item.user_properties[:] = [*kept, *pairs]
        self.attached = pairs

    # -- in the process that reports

    def gather(self, report: pytest.TestReport, contents: Mapping[str, Any]) -> None:
        """Add the contents of one test's report to those of its earlier reports."""
        if report.nodeid not in self.gathered:
            test = plain_id(report.nodeid, self.config)
            self.gathered[report.nodeid] = MeasuredTest(test, report.location)
        self.gathered[report.nodeid].add(contents)

    def finish(self, session: pytest.Session) -> None:
        """Write what is due; a worker sends what it knows about stale baselines."""
        if self.config.getoption("collectonly"):
            return
        prune = self.config.getoption("irm_prune")
        for path in self._baselines(session, everywhere=prune):
            with self._told():
                self.stale |= self.stale_in(path, session)
        if self.is_worker:
            output = self.config.workeroutput  # type: ignore[attr-defined]  # xdist and pytest carry what is put there
            output["irmetrics"] = {
                "stale": sorted(self.stale),
                **self.seen.told(session),
            }
            return
        if prune:
            self._prune(session)
        self._write(session)

    def _prune(self, session: pytest.Session) -> None:
        """Choose the baselines to remove: not those that a gate without one may have been."""
        partial = self.seen.partial(session)
        if partial is not None:
            self.trouble.append(
                f"--irm-prune removes nothing: {partial.sentence}; it needs a run of all tests"
            )
            return
        spared: dict[Stale, str] = {}
        for newcomer in newcomers(self._of_baselines()):
            for stale in fitting(newcomer, self.stale):
                spared.setdefault(stale, how_to_move(newcomer, stale))
        self.removed = self.stale - spared.keys()
        if not self.stale:
            self.written.append("removed nothing: every baseline has its test")
        for (path, key), command in sorted(spared.items()):
            self.written.append(
                f"not removed: {path} has a baseline for {key}, and there is no such test; it may "
                f"have become another one of this session: {command}"
            )

    def stale_in(self, path: Path, session: pytest.Session) -> set[Stale]:
        """The baselines of a file whose test is gone; none if there may be tests not seen."""
        if self.seen.blind(session):
            return set()
        items = [*session.items, *self.seen.deselected]
        ids = {id_of_all_repetitions(item) for item in items}
        return baseline_files.stale(path, ids, self.config.rootpath)

    def stale_everywhere(self, path: Path, session: pytest.Session) -> set[Stale]:
        """The baselines whose test is gone, in a file and in all others below the root folder."""
        orphans: set[Stale] = set()
        for one in {path, *files_below(self.config.rootpath)}:
            with suppress(InputError):  # another file is told of where it is needed
                orphans |= self.stale_in(one, session)
        return orphans

    def _baselines(self, session: pytest.Session, *, everywhere: bool) -> list[Path]:
        """The baseline files of the gates that ran, or all beside and below the selected paths."""
        folders = set(self.folders)
        if everywhere:
            folders |= {item.path.parent for item in session.items}
            for argument in self.config.args:
                start = (self.config.invocation_params.dir / argument).resolve()
                if start.is_dir():
                    folders |= {path.parent for path in start.rglob(BASELINES)}
        return sorted(folder / BASELINES for folder in folders)

    def _of_baselines(self) -> list[dict[str, Any]]:
        """All that the tests said of baselines, however they ended."""
        told: list[dict[str, Any]] = []
        for test in self.gathered.values():
            told += test.told()
        return told

    def _write(self, session: pytest.Session) -> None:
        """Write the baselines, the reports, and the history."""
        self._write_baselines()
        self._report(sorted(self.stale - self.removed))
        self._write_history()
        if self.trouble and session.exitstatus in (
            pytest.ExitCode.OK,
            pytest.ExitCode.NO_TESTS_COLLECTED,
        ):
            session.exitstatus = pytest.ExitCode.USAGE_ERROR

    def _write_baselines(self) -> None:
        """Write the baselines of the tests that passed, and keep what is said of them."""
        baselines: list[dict[str, Any]] = []
        for nodeid, test in self.gathered.items():
            others = self._others(nodeid)
            ended = self._ended(nodeid)
            baselines += test.baselines(others, ended=ended)
        entries = [one for one in baselines if "entry" in one]
        for path, changed in baseline_files.changes(baselines, self.removed).items():
            with self._told():
                self.written += baseline_files.write(path, changed)
                of_file = [one for one in entries if one["path"] == path]
                self.written += [one["said"] for one in of_file if one["said"]]
        for one in baselines:
            if "entry" not in one and one["said"]:
                self.written.append(one["said"])

    def _write_history(self) -> None:
        if not (self.history and self.results):
            return
        from irmetrics_edu.gate import history

        with self._told():
            path = Path(self.history)
            commit = history.commit_of(self.config.rootpath, path)
            self.written += history.append(path, history.entries(self.results, commit))

    def _report(self, stale: Sequence[Stale]) -> None:
        """Write the reports that were asked for, and the summary page of a run in CI."""
        if not (self.reports or self.summary):
            return
        from irmetrics_edu.gate.plugin import received
        from irmetrics_edu.gate.plugin.origin import origin_of
        from irmetrics_edu.gate.plugin.report_files import add_to_summary, write

        root = self.config.rootpath
        title = str(option(self.config, "title") or "")
        made = [origin_of(root, title, self.label)]
        for report in self.reports:
            with self._told():
                write([report], self.results, stale, made)
        if self.reports:
            with self._told():
                kept = received.gathered(self._of_baselines(), root)
                self.written += received.write(self.reports[0], kept)
        if self.results or self.reports:
            with self._told():
                add_to_summary(self.results, stale, made)

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Keep read and write errors for the summary; they don't change how the session ends."""
        try:
            yield
        except (InputError, OSError) as error:
            self.trouble.append(str(error))

    def summarise(self, terminal: "pytest.TerminalReporter") -> None:
        """A short table of the measurements, failures first, and what happened to baselines."""
        if self.is_worker:
            return
        if self.annotated:
            from irmetrics_edu.gate.plugin.session_report import annotations

            for line in annotations(self.tests(), self.config.rootpath):
                terminal.write_line(line)
        table = self._table()
        messages = self._said()
        if not (table or messages or self.trouble):
            return
        terminal.section("rankings")
        for line in (*table, *messages):
            terminal.write_line(line)
        for line in self.trouble:
            terminal.write_line(f"error: {line}", red=True)

    def _table(self) -> list[str]:
        """The table, as long as asked for; -q keeps the lines that no test outcome shows."""
        verbosity = self.config.option.verbose
        asked = option(self.config, "table")
        if asked == "no":
            return []
        quiet = verbosity < 0 and asked != "yes"
        shown = self.results
        if quiet:
            shown = [result for result in shown if result["verdict"] in _UNTOLD]
        if not shown:
            return []
        from irmetrics_edu.gate.plugin.session_report import table

        most = None if verbosity > 0 else _ROWS
        return table(shown, most)

    def _said(self) -> list[str]:
        here = f"{self.config.rootpath}{os.sep}"
        lines = [line.replace(here, "") for line in self.written]
        prunes = self.config.getoption("irm_prune")
        for where, key in sorted(self.stale):
            what = f"{where.removeprefix(here)} has a baseline for {key}, and there is no such test"
            if (where, key) in self.removed:
                lines.append(f"removed: {what}")
            elif not prunes:
                lines.append(f"stale: {what}; --irm-prune removes it")
        return lines


def _first_line_alone(report: pytest.TestReport, summary: str) -> None:
    """Make the first line the summary and JUnit's message, and drop the error's name.

    pytest puts the name of the class, with its module, before the message.
    """
    crash = getattr(report.longrepr, "reprcrash", None)
    if crash is not None:
        crash.message = summary
    traceback = getattr(report.longrepr, "reprtraceback", None)
    for entry in getattr(traceback, "reprentries", ()):
        entry.lines = [line.replace(_PREFIX, "", 1) for line in entry.lines]
