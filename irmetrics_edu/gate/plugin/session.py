"""What a session measured: attached to reports, gathered, written and shown."""

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from irmetrics_edu import measured
from irmetrics_edu.errors import InputError
from irmetrics_edu.gate.plugin import BASELINES, baseline_files, option, plain_id
from irmetrics_edu.gate.plugin.selection import Selection

_PREFIX = "irmetrics_edu.gate.RankingAssertionError: "
_ROWS = 10  # of the table, unless -v
_UNTOLD = {"inconclusive", "advisory"}  # verdicts that a test's outcome does not tell
_ALIKE = 5  # measurements of one test that are shown each by itself


class Session:
    """Gathers measurements and baselines; a worker of pytest-xdist only sends them."""

    def __init__(self, config: pytest.Config, seen: Selection) -> None:
        self.config, self.seen = config, seen
        self.is_worker = hasattr(config, "workerinput")
        self.reports = [Path(p) for p in option(config, "report") or ()]
        self.history = option(config, "history")
        self.summary = bool(os.environ.get("GITHUB_STEP_SUMMARY"))
        self.gathered: dict[str, Mapping[str, Any]] = {}  # what the reports of each test held
        self.pending: list[dict[str, Any]] = []  # baselines of the test at hand
        self.attached: list[tuple[str, str]] = []  # properties of the test at hand
        self.stale: set[tuple[str, str]] = set()
        self.removed: set[tuple[str, str]] = set()
        self.written: list[str] = []
        self.trouble: list[str] = []  # what could not be read or written
        self.folders: set[Path] = set()

    @property
    def results(self) -> list[dict[str, Any]]:
        """All that was measured."""
        return [one for found in self.gathered.values() for one in found["results"]]

    # -- in the process that runs a test

    def again(self, item: pytest.Item) -> None:
        """Forget the earlier attempts at a test: the last one counts."""
        old = {id(pair) for pair in self.attached}
        item.user_properties[:] = [p for p in item.user_properties if id(p) not in old]

    def attach(
        self,
        item: pytest.Item,
        report: pytest.TestReport,
        heard: Sequence[Any],
        error: Any,
        wrong: Any = None,
    ) -> None:
        """Put what was measured into a test's report, as plain values that can be sent."""
        facts = _condensed([measurement.facts() for measurement in heard])
        if wrong is not None and not any(fact["verdict"] == "error" for fact in facts):
            facts.append(measured.no_result("-", str(wrong)))
        baselines, self.pending = self.pending, []
        if report.failed:  # what else it asserts does not hold, so nothing of it is kept
            facts = [f for f in facts if f["verdict"] not in {"new", "updated"}]
            why = "not written, since the test failed"
            facts += [
                measured.no_result("-", f"{one['key']}: {why}")
                for one in baselines
                if "entry" in one
            ]
            baselines = []
        for fact in facts:
            if fact["verdict"] in {"fail", measured.MISFIT} and not report.failed:
                fact["verdict"] = "xfail"  # the test expects it, by pytest.raises or its marker
            if not (
                self.reports or self.history or self.summary
            ):  # nobody will look at single queries
                fact.pop("per_query", None)
                fact.pop("differences", None)
                fact.pop("explanation", None)
            properties = [(fact["measure"], _rounded(fact))]
            if fact["verdict"] not in {"pass", "fail"}:  # which the test's outcome doesn't tell
                properties.append((f"{fact['measure']} verdict", fact["verdict"]))
            item.user_properties += properties
            self.attached += properties
        if facts or baselines:
            report.irmetrics = {  # type: ignore[attr-defined]
                "results": facts,
                "baselines": baselines,
                "summary": "" if error is None else error.summary,
            }
        if error is not None:
            _first_line_alone(report, error.summary)

    # -- in the process that reports

    def gather(self, report: pytest.TestReport, found: Mapping[str, Any]) -> None:
        """Add the contents of one test's report to those of its earlier reports."""
        earlier = self.gathered.get(report.nodeid, {"results": [], "baselines": []})
        test = plain_id(report.nodeid, self.config)
        facts = [{"test": test, **fact} for fact in found["results"]]
        self.gathered[report.nodeid] = {
            "results": earlier["results"] + facts,
            "baselines": earlier["baselines"] + found["baselines"],
            "summary": found["summary"],
            "location": report.location,
        }

    def finish(self, session: pytest.Session) -> None:
        """Write what is due; a worker sends what it knows about stale baselines."""
        if self.config.getoption("collectonly"):
            return
        prune = self.config.getoption("irm_prune")
        for path in self._baselines(session, everywhere=prune):
            with self._told():
                self.stale |= self.stale_in(path, session)
        if self.is_worker:
            output = self.config.workeroutput  # type: ignore[attr-defined]
            output["irmetrics"] = {"stale": sorted(self.stale), **self.seen.told(session)}
            return
        if prune:
            if self.seen.partial(session):
                self.trouble.append(
                    "--irm-prune removes nothing: tests were left out or not run, and it needs a "
                    "run of all"
                )
            else:
                self.removed = self.stale
                if not self.stale:
                    self.written.append("removed nothing: every baseline has its test")
        self._write(session)

    def stale_in(self, path: Path, session: pytest.Session) -> set[tuple[str, str]]:
        """The baselines of a file whose test is gone; none if there may be tests not seen."""
        if self.seen.blind(session):
            return set()
        known = {plain_id(i.nodeid, self.config) for i in (*session.items, *self.seen.deselected)}
        return baseline_files.stale(path, known, self.config.rootpath)

    def _baselines(self, session: pytest.Session, *, everywhere: bool) -> list[Path]:
        """The baseline files of the gates that ran, or all beside and below the selected paths."""
        folders = set(self.folders)
        if everywhere:
            folders |= {item.path.parent for item in session.items}
            for given in self.config.args:
                start = (self.config.invocation_params.dir / given).resolve()
                folders |= (
                    {path.parent for path in start.rglob(BASELINES)} if start.is_dir() else set()
                )
        return sorted(folder / BASELINES for folder in folders)

    def _write(self, session: pytest.Session) -> None:
        baselines = [one for found in self.gathered.values() for one in found["baselines"]]
        for path, changed in baseline_files.changes(baselines, self.removed).items():
            with self._told():
                self.written += baseline_files.write(path, changed)
                of_file = [one for one in baselines if one["path"] == path and "entry" in one]
                self.written += [one["said"] for one in of_file if one["said"]]
        self.written += [one["said"] for one in baselines if "entry" not in one]
        self._report(sorted(self.stale - self.removed))
        if self.history and self.results:
            from irmetrics_edu.gate import history

            with self._told():
                commit = history.commit_of(self.config.rootpath)
                history.append(Path(self.history), history.entries(self.results, commit))
        if self.trouble and session.exitstatus in (
            pytest.ExitCode.OK,
            pytest.ExitCode.NO_TESTS_COLLECTED,
        ):
            session.exitstatus = pytest.ExitCode.USAGE_ERROR

    def _report(self, stale: Sequence[tuple[str, str]]) -> None:
        """Write the reports that were asked for, and the summary page of a run in CI."""
        if not (self.reports or self.summary):
            return
        from irmetrics_edu.gate.plugin.report_files import add_to_summary, write

        for report in self.reports:
            with self._told():
                write([report], self.results, stale)
        if self.results or self.reports:
            with self._told():
                add_to_summary(self.results, stale)

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
        if os.environ.get("GITHUB_ACTIONS") == "true":
            from irmetrics_edu.gate.plugin.session_report import annotations

            for line in annotations(self.gathered):
                terminal.write_line(line)
        table = self._table()
        said = self._said()
        if not (table or said or self.trouble):
            return
        terminal.section("rankings")
        for line in (*table, *said):
            terminal.write_line(line)
        for line in self.trouble:
            terminal.write_line(f"error: {line}", red=True)

    def _table(self) -> list[str]:
        """The table, as long as asked for; -q keeps the lines that no test outcome shows."""
        verbosity = self.config.get_verbosity()
        asked = option(self.config, "table")
        if asked == "no":
            return []
        quiet = verbosity < 0 and asked != "yes"
        shown = [r for r in self.results if not quiet or r["verdict"] in _UNTOLD]
        if not shown:
            return []
        from irmetrics_edu.gate.plugin.session_report import table

        return table(shown, None if verbosity > 0 else _ROWS)

    def _said(self) -> list[str]:
        here = f"{self.config.rootpath}{os.sep}"
        lines = [line.replace(here, "") for line in self.written]
        for where, key in sorted(self.stale):
            gone = (where, key) in self.removed
            lines.append(
                f"{'removed' if gone else 'stale'}: {where.removeprefix(here)} has a baseline for "
                f"{key}, and there is no such test{'' if gone else '; --irm-prune removes it'}"
            )
        return lines


def _condensed(facts: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """One of many like measurements of a test, as with hypothesis, and their number.

    It keeps the last one that failed, which hypothesis reports; if none failed, the lowest.
    """
    alike: dict[str, list[dict[str, Any]]] = {}
    for fact in facts:
        alike.setdefault(f"{fact['measure']} {fact['bounds']}", []).append(fact)
    out = []
    for same in alike.values():
        if len(same) <= _ALIKE:
            out += same
            continue
        failed = [fact for fact in same if fact["verdict"] in {"fail", measured.MISFIT}]
        lowest = min(same, key=lambda f: float("-inf") if f["score"] is None else f["score"])
        out.append({**(failed[-1] if failed else lowest), "times": len(same)})
    return out


def _rounded(fact: Mapping[str, Any]) -> str:
    score = fact["score"]
    if score is None:
        if fact.get("unit") == "rank" or fact["verdict"] == "error":
            return "-"
        return "NaN"
    return f"{score:.6g}"


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
