"""What changed between two files of baselines, as a reviewer wants to see it."""

import sys
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

from irmetrics_edu.errors import InputError
from irmetrics_edu.gate.baseline import Baseline
from irmetrics_edu.gate.plugin import baseline_files
from irmetrics_edu.gate.segments import groups as groups_of
from irmetrics_edu.gate.segments import named, some
from irmetrics_edu.views.formatting import steady
from irmetrics_edu.views.result_table import ResultTable

_MOVED = 5  # documents told of a query


@dataclass(frozen=True)
class Change:
    """One measure of a test's baseline, before and after, on the queries that both have."""

    key: str
    measure: str
    before: Mapping[str, float]
    after: Mapping[str, float]

    def mean(self, queries: Sequence[str] | None = None) -> tuple[float, float]:
        """The means before and after, over all or some of the queries."""
        chosen = list(self.before) if queries is None else queries
        return tuple(steady(fmean(of[q] for q in chosen)) for of in (self.before, self.after))  # type: ignore[return-value]

    def differences(self) -> dict[str, float]:
        """The change of each query, the greatest first; equal changes go by query id."""
        found = {q: round(self.after[q] - old, 6) for q, old in self.before.items()}
        return {q: found[q] for q in sorted(found, key=lambda q: (-abs(found[q]), found[q], q))}


@dataclass(frozen=True)
class Difference:
    """Two files of baselines side by side."""

    new: Sequence[str]
    removed: Sequence[str]
    same: Sequence[str]
    changes: Sequence[Change]
    kept: Mapping[str, tuple[Baseline, Baseline]]  # of the tests that changed
    notes: Sequence[str]

    @property
    def empty(self) -> bool:
        """Whether both files say the same."""
        return not (self.new or self.removed or self.kept)

    @property
    def caption(self) -> str:
        """How many baselines changed, are new, were removed or stayed the same."""
        counts = [
            f"{len(tests):,} {word}"
            for tests, word in (
                (self.kept, "changed"),
                (self.new, "new"),
                (self.removed, "removed"),
                (self.same, "the same"),
            )
            if tests
        ]
        return f"baselines: {', '.join(counts) or 'none in either file'}"

    def tables(
        self,
        groups: Any = None,
        *,
        texts: Mapping[Hashable, str] | None = None,
        most: int = 10,
        digits: int = 4,
    ) -> list[ResultTable]:
        """The tables: measures, groups of queries if given, and the queries that changed most.

        `texts` are the words of queries, shown beside their ids.
        """
        found = [self._measures(self.caption, digits)]
        if groups is not None:
            found.append(self._groups(groups, digits))
        queries = self._queries(texts or {}, most, digits)
        return found + ([queries] if queries.lines else [])

    def _measures(self, caption: str, digits: int) -> ResultTable:
        header = ("test", "measure", "before", "after", "change", "queries", "lost", "gained")
        lines: list[Sequence[Any]] = []
        for change in self.changes:
            before, after = change.mean()
            moved = change.differences().values()
            lost, gained = sum(d < 0 for d in moved), sum(d > 0 for d in moved)
            numbers = (before, after, steady(after - before), len(change.before), lost, gained)
            lines.append((change.key, change.measure, *numbers))
        return ResultTable(header, lines, caption, tuple(self.notes), digits)

    def _groups(self, groups: Any, digits: int) -> ResultTable:
        header = ("test", "measure", "group", "queries", "before", "after", "change")
        lines = []
        for change in self.changes:
            of = groups_of(groups, list[Hashable](change.before))
            rows = []
            for group, members in of.items():
                before, after = change.mean([str(q) for q in members])
                rows.append((str(group), len(members), before, after, steady(after - before)))
            rows.sort(key=lambda row: (row[-1], row[0]))
            lines += [(change.key, change.measure, *row) for row in rows]
        return ResultTable(header, lines, "groups of queries, the greatest loss first", (), digits)

    def _queries(self, texts: Mapping[Hashable, str], most: int, digits: int) -> ResultTable:
        header = ("test", "measure", "query", "before", "after", "change", "documents that moved")
        lines: list[Sequence[Any]] = []
        cut = []
        for change in self.changes:
            changed = {q: d for q, d in change.differences().items() if d}
            for q in list(changed)[:most]:
                moved = _moved(*(one.rankings[q] for one in self.kept[change.key]))
                numbers = (change.before[q], change.after[q], changed[q])
                lines.append((change.key, change.measure, named(q, texts), *numbers, moved))
            if len(changed) > most:
                cut.append(f"{change.key}, {change.measure}: {len(changed) - most:,} more changed")
        return ResultTable(header, lines, "queries that changed most", tuple(cut), digits)


def _moved(before: Sequence[Any], after: Sequence[Any]) -> str:
    """The documents whose ranks differ, best ranks first, within the depth that is kept."""
    old, new = ({d: rank for rank, d in enumerate(r, 1)} for r in (before, after))
    moved = [d for d in dict.fromkeys([*before, *after]) if old.get(d) != new.get(d)]
    moved.sort(key=lambda d: (min(old.get(d, len(old) + 1), new.get(d, len(new) + 1)), str(d)))
    told = [f"{d} {old.get(d, '-')} -> {new.get(d, '-')}" for d in moved[:_MOVED]]
    return ", ".join(told) + (" ..." if len(moved) > _MOVED else "")


def difference(old: str | Path, new: str | Path) -> Difference:
    """What changed from one file of baselines, or standard input ("-"), to another."""
    before, after = (_entries(path) for path in (old, new))
    notes: list[str] = []
    changes: list[Change] = []
    kept: dict[str, tuple[Baseline, Baseline]] = {}
    both = sorted(before.keys() & after.keys())
    for key in both:
        if before[key] == after[key]:
            continue
        pair = _baseline(old, key, before), _baseline(new, key, after)
        kept[key] = pair
        notes += [f"{key}: {note}" for note in _notes(*pair)]
        common = [q for q in pair[0].scores if q in pair[1].scores]
        for measure in pair[0].means:
            if measure in pair[1].means and common:
                scores = (one.per_query(measure) for one in pair)
                changes.append(Change(key, measure, *({q: s[q] for q in common} for s in scores)))
    added, removed = sorted(after.keys() - before.keys()), sorted(before.keys() - after.keys())
    for tests, word in ((added, "new"), (removed, "removed")):
        notes += [f"{key}: {word}" for key in tests]
    same = [key for key in both if key not in kept]
    return Difference(added, removed, same, changes, kept, notes)


def _baseline(path: str | Path, key: str, entries: Mapping[str, Any]) -> Baseline:
    try:
        return Baseline.read(entries[key])
    except InputError as error:
        raise InputError(f"{path}: {key}: {error}; give a file that the plugin wrote") from None


def _entries(path: str | Path) -> Mapping[str, Any]:
    if path == "-":
        try:
            given = sys.stdin.read() if sys.stdin else ""  # None where it is closed
        except UnicodeDecodeError as error:
            raise InputError(f"standard input: byte {error.start} is no UTF-8") from None
        return baseline_files.parsed(given, "standard input")
    if not Path(path).exists():
        raise InputError(f"{path}: there is no such file; give a file of baselines")
    return baseline_files.read(Path(path))


def _notes(old: Baseline, new: Baseline) -> list[str]:
    """Differences other than the scores."""
    notes = []
    if old.judgments != new.judgments:
        notes.append("the judgments changed, so scores differ even where rankings do not")
    for name in sorted({*old.conventions, *new.conventions}):
        was, now = (one.conventions.get(name, "not said") for one in (old, new))
        if was != now:
            notes.append(f"{name} was {was} and is {now}")
    for one, other, word in ((old, new, "gone"), (new, old, "new")):
        measures = [name for name in one.means if name not in other.means]
        if measures:
            notes.append(f"{', '.join(measures)} {'is' if len(measures) == 1 else 'are'} {word}")
        queries = [q for q in one.scores if q not in other.scores]
        if queries:
            verb = "query is" if len(queries) == 1 else "queries are"
            notes.append(f"{len(queries):,} {verb} {word} ({some(queries, {})}), and not compared")
    return notes
