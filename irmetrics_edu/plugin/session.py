"""What a session measured: attached to reports, gathered, written and shown."""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from irmetrics_edu.errors import InputError
from irmetrics_edu.plugin import baseline_files, option

_PREFIX = "irmetrics_edu.assertions.RankingAssertionError: "
_ROWS = 10  # of the table, unless -v
_ALIKE = 5  # measurements of one test that are shown each by itself


class Session:
    """Gathers measurements and baselines; in a worker of pytest-xdist it only sends them."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.is_worker = hasattr(config, "workerinput")
        self.reports = [Path(p) for p in option(config, "report") or ()]
        self.results: list[dict[str, Any]] = []
        self.pending: list[dict[str, Any]] = []  # baselines of the test at hand
        self.baselines: list[dict[str, Any]] = []
        self.stale: set[tuple[str, str]] = set()
        self.written: list[str] = []
        self.trouble: list[str] = []  # what could not be read or written
        self.folders: set[Path] = set()

    # -- in the process that runs a test

    def attach(
        self, item: pytest.Item, report: pytest.TestReport, heard: Sequence[Any], error: Any
    ) -> None:
        """Put what was measured into a test's report, as plain values that can be sent."""
        facts = _condensed([measurement.facts() for measurement in heard])
        for fact in facts:
            if fact["verdict"] == "fail" and not report.failed:
                fact["verdict"] = "xfail"  # the test expects it, by pytest.raises or its marker
            if not self.reports:  # nobody will look at single queries
                fact.pop("per_query", None)
                fact.pop("differences", None)
                fact.pop("explanation", None)
            item.user_properties.append((fact["measure"], _rounded(fact)))
        baselines, self.pending = self.pending, []
        if facts or baselines:
            report.irmetrics = {"results": facts, "baselines": baselines}  # type: ignore[attr-defined]
        if error is not None:
            _first_line_alone(report, error.summary)

    # -- in the process that reports

    def gather(self, nodeid: str, found: Mapping[str, Any]) -> None:
        """Take what one test's report holds."""
        self.results += [{"test": nodeid, **fact} for fact in found["results"]]
        self.baselines += found["baselines"]

    def finish(self, session: pytest.Session, deselected: Iterable[str]) -> None:
        """Write what is to be written; a worker sends what it knows of stale baselines."""
        name = option(self.config, "baselines")
        known = {item.nodeid for item in session.items} | set(deselected)
        if self.folders and not any("::" in arg for arg in self.config.args):
            with self._told():
                self.stale |= baseline_files.stale(self.folders, name, known, self.config.rootpath)
        if self.is_worker:
            output = self.config.workeroutput  # type: ignore[attr-defined]
            output["irmetrics_stale"] = sorted(self.stale)
            return
        removed = self.stale if option(self.config, "update") == "all" else set()
        for path, changed in baseline_files.changes(self.baselines, removed).items():
            with self._told():
                self.written += baseline_files.write(path, changed)
                of_file = [one for one in self.baselines if one["path"] == str(path)]
                self.written += [one["said"] for one in of_file if one["said"]]
        for report in self.reports:
            from irmetrics_edu.plugin.report_files import write

            with self._told():
                write(report, self.results, sorted(self.stale))
        if self.trouble and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.USAGE_ERROR

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Keep for the summary what can't be read or written; the session ends as it would."""
        try:
            yield
        except (InputError, OSError) as error:
            self.trouble.append(str(error))

    def summarise(self, terminal: "pytest.TerminalReporter") -> None:
        """A short table of what was measured, failures first, and what became of baselines."""
        if self.is_worker:
            return
        verbosity = self.config.get_verbosity()
        shown = self.results if option(self.config, "table") != "no" and verbosity >= 0 else []
        if not (shown or self.stale or self.written or self.trouble):
            return
        terminal.section("rankings")
        if shown:
            from irmetrics_edu.plugin.reports import table

            for line in table(shown, None if verbosity > 0 else _ROWS):
                terminal.write_line(line)
        here = f"{self.config.rootpath}{os.sep}"
        for line in self.written:
            terminal.write_line(line.replace(here, ""))
        for line in self.trouble:
            terminal.write_line(f"error: {line}", red=True)
        for where, key in sorted(self.stale):
            path = where.removeprefix(here)
            gone = "removed" if option(self.config, "update") == "all" else "stale"
            terminal.write_line(
                f"{gone}: {path} has a baseline for {key}, and there is no such test"
            )


def _condensed(facts: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """One of many measurements that a test made alike, as with hypothesis, and how many they were.

    Kept is the last that failed, which is the example that hypothesis reports, or the lowest.
    """
    alike: dict[str, list[dict[str, Any]]] = {}
    for fact in facts:
        alike.setdefault(f"{fact['measure']} {fact['bounds']}", []).append(fact)
    out = []
    for same in alike.values():
        if len(same) <= _ALIKE:
            out += same
            continue
        failed = [fact for fact in same if fact["verdict"] == "fail"]
        lowest = min(same, key=lambda f: float("-inf") if f["score"] is None else f["score"])
        out.append({**(failed[-1] if failed else lowest), "times": len(same)})
    return out


def _rounded(fact: Mapping[str, Any]) -> str:
    score = fact["score"]
    if score is None:
        return "-" if fact.get("unit") == "rank" else "NaN"
    return f"{score:.6g}"


def _first_line_alone(report: pytest.TestReport, summary: str) -> None:
    """Let the summary line and JUnit's message be the first line, and drop the error's name.

    pytest puts the name of the class, with its module, before the message.
    """
    crash = getattr(report.longrepr, "reprcrash", None)
    if crash is not None:
        crash.message = summary
    traceback = getattr(report.longrepr, "reprtraceback", None)
    for entry in getattr(traceback, "reprentries", ()):
        entry.lines = [line.replace(_PREFIX, "", 1) for line in entry.lines]
