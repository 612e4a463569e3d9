"""What changed between two files of baselines, as a reviewer wants to see it."""

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

from irmetrics_edu.errors import InputError
from irmetrics_edu.gate.baseline import Baseline
from irmetrics_edu.gate.paired import moves_between
from irmetrics_edu.gate.plugin import baseline_files
from irmetrics_edu.gate.worth_keeping import answers_lost, newly_unanswered
from irmetrics_edu.libraries import Bundle
from irmetrics_edu.metrics.notation import known_measure
from irmetrics_edu.reading.files import STANDARD_INPUT, File, as_file, opened
from irmetrics_edu.reading.records import decoded
from irmetrics_edu.runs.evaluation import Evaluation, evaluate
from irmetrics_edu.runs.moves import OF_DOCUMENT, parts_of
from irmetrics_edu.runs.segments import groups as groups_of
from irmetrics_edu.runs.segments import named, some
from irmetrics_edu.views.explanation import Explanation
from irmetrics_edu.views.formatting import steady
from irmetrics_edu.views.result_table import ResultTable

_Line = Sequence[Any]  # of a table
_APART = 2e-6  # more than rounding for a file can part two scores
_OF_DOCUMENTS = ("test", "measure", "query", *OF_DOCUMENT)
_NO_QRELS = "give --qrels FILE to see the documents that moved, by their effect on the score"


@dataclass(frozen=True)
class BaselineChange:
    """One measure of a test's baseline, before and after, on the queries that both have."""

    key: str
    measure: str
    before: Mapping[str, float]
    after: Mapping[str, float]

    def mean(self, queries: Sequence[str] | None = None) -> tuple[float, float]:
        """The means before and after, over all or some of the queries."""
        chosen = list(self.before) if queries is None else queries
        before = fmean(self.before[query] for query in chosen)
        after = fmean(self.after[query] for query in chosen)
        return steady(before), steady(after)

    def differences(self) -> dict[str, float]:
        """The change of each query, the greatest loss first; equal changes go by query id."""
        changes: list[tuple[float, str]] = []
        for query, old in self.before.items():
            change = round(self.after[query] - old, 6)
            changes.append((change, query))
        changes.sort()
        return {query: change for change, query in changes}

    def worst(self, most: int | None) -> list[str]:
        """The queries that changed, the greatest loss first."""
        changed = [query for query, change in self.differences().items() if change]
        return changed[:most]


@dataclass(frozen=True)
class Difference:
    """Two files of baselines side by side."""

    new: Sequence[str]
    removed: Sequence[str]
    same: Sequence[str]
    changes: Sequence[BaselineChange]
    kept: Mapping[str, tuple[Baseline, Baseline]]  # of the tests that changed
    notes: Sequence[str]

    @property
    def empty(self) -> bool:
        """Whether both files say the same."""
        return not (self.new or self.removed or self.kept)

    @property
    def caption(self) -> str:
        """How many baselines changed, are new, were removed or stayed the same."""
        counts = {
            "changed": len(self.kept),
            "new": len(self.new),
            "removed": len(self.removed),
            "the same": len(self.same),
        }
        counted = [f"{count:,} {word}" for word, count in counts.items() if count]
        if not counted:
            return "baselines: none in either file"
        return f"baselines: {', '.join(counted)}"

    def tables(
        self,
        groups: Any = None,
        *,
        texts: Mapping[Hashable, str] | None = None,
        effects: "Effects | None" = None,
        worst: int = 10,
        every: bool = False,
        digits: int = 4,
    ) -> list[ResultTable]:
        """The tables: measures, groups of queries if given, queries, and documents by `effects`.

        `texts` are the words of queries, shown beside their ids. `worst` is how many queries of
        each measure are shown; with `every` their table has all that changed.
        """
        notes = list(self.notes)
        if effects is not None:
            notes += effects.notes
        all_tables = [self._measures(self.caption, notes, digits)]
        if groups is not None:
            all_tables.append(self._groups(groups, digits))
        queries = self._queries(
            texts or {},
            most=None if every else worst,
            digits=digits,
            notes=[] if effects else [_NO_QRELS],
        )
        if not queries.lines:
            return all_tables
        all_tables.append(queries)
        if effects is not None:
            documents = effects.table(
                self.changes,
                texts or {},
                worst,
                digits,
            )
            all_tables.append(documents)
        return all_tables

    def _measures(self, caption: str, notes: Sequence[str], digits: int) -> ResultTable:
        """A line for each measure whose scores changed."""
        lines: list[_Line] = []
        for change in self.changes:
            moved = change.differences().values()
            lost = sum(difference < 0 for difference in moved)
            gained = sum(difference > 0 for difference in moved)
            if not lost and not gained:
                continue
            before, after = change.mean()
            line = (
                change.key,
                change.measure,
                before,
                after,
                steady(after - before),
                len(change.before),
                lost,
                gained,
            )
            lines.append(line)
        all_notes = list(notes)
        same = len(self.changes) - len(lines)
        if same:
            all_notes.append(f"measures that did not change: {same:,}")
        return ResultTable(
            header=("test", "measure", "before", "after", "change", "queries", "lost", "gained"),
            lines=lines,
            caption=caption,
            notes=tuple(all_notes),
            digits=digits,
        )

    def _groups(self, groups: Any, digits: int) -> ResultTable:
        """A line for each group of queries, the greatest loss of a measure first."""
        lines: list[_Line] = []
        for change in self.changes:
            rows = _rows_of_groups(change, groups)
            rows.sort(key=lambda row: (row[-1], row[0]))
            lines += [(change.key, change.measure, *row) for row in rows]
        return ResultTable(
            header=("test", "measure", "group", "queries", "before", "after", "change"),
            lines=lines,
            caption="groups of queries, the greatest loss first",
            notes=(),
            digits=digits,
        )

    def _queries(
        self,
        texts: Mapping[Hashable, str],
        *,
        most: int | None,
        digits: int,
        notes: Sequence[str],
    ) -> ResultTable:
        """A line for each query that changed, at most `most` of a measure."""
        lines: list[_Line] = []
        cut: list[str] = []
        for change in self.changes:
            differences = change.differences()
            shown = change.worst(most)
            for query in shown:
                line = (
                    change.key,
                    change.measure,
                    named(query, texts),
                    change.before[query],
                    change.after[query],
                    differences[query],
                )
                lines.append(line)
            every = len(change.worst(None))
            rest = every - len(shown)
            if rest:
                measure = f"{change.key}, {change.measure}"
                cut.append(f"{measure}: {rest:,} more changed; --worst {every} shows them")
        return ResultTable(
            header=("test", "measure", "query", "before", "after", "change"),
            lines=lines,
            caption="queries that changed, the greatest loss first",
            notes=(*cut, *notes),
            digits=digits,
        )


def _rows_of_groups(
    change: BaselineChange, groups: Any
) -> list[tuple[str, int, float, float, float]]:
    """Name, number of queries, means before and after, and change of each group."""
    rows: list[tuple[str, int, float, float, float]] = []
    grouped = groups_of(groups, list[Hashable](change.before))
    for group, members in grouped.items():
        queries = [str(query) for query in members]
        before, after = change.mean(queries)
        row = (
            str(group),
            len(queries),
            before,
            after,
            steady(after - before),
        )
        rows.append(row)
    return rows


class Effects:
    """What each document that moved did to the scores, by the judgments of a file.

    Both rankings of a query are scored again by the file, under the conventions of the new
    baseline. `notes` say where that gives other scores than the baselines keep.
    """

    def __init__(self, compared: Difference, qrels: str | Path) -> None:
        self.scored: dict[str, tuple[Evaluation, Evaluation]] = {}
        self.notes: list[str] = []
        judged = as_file(qrels)
        by_test: dict[str, list[BaselineChange]] = {}
        for change in compared.changes:
            by_test.setdefault(change.key, []).append(change)
        for key, changes in by_test.items():
            try:
                self.scored[key] = _scored(compared.kept[key], changes, judged)
            except InputError as error:
                self.notes.append(f"{key}: the documents that moved can't be shown: {error}")
                continue
            others = self._scored_otherwise(changes)
            if others:
                self.notes.append(
                    f"{key}: {len(others):,} scores are others by {qrels} ({some(others, {})}): "
                    "the baseline was made by other judgments, or of deeper rankings; the "
                    "documents below are by this file"
                )

    def _scored_otherwise(self, changes: Sequence[BaselineChange]) -> list[str]:
        """The query of each score that is another one by the file than the baselines keep."""
        others: list[str] = []
        for change in changes:
            before, after = self.scored[change.key]
            for evaluation, kept in ((before, change.before), (after, change.after)):
                scores = evaluation.per_query[change.measure]
                for query, score in kept.items():
                    apart = abs(scores.get(query, math.inf) - score)
                    if not apart <= _APART:
                        others.append(query)
        return others

    def table(
        self,
        changes: Sequence[BaselineChange],
        texts: Mapping[Hashable, str],
        worst: int,
        digits: int,
    ) -> ResultTable:
        """The documents that changed the scores of the worst queries, the greatest loss first."""
        lines: list[_Line] = []
        notes: dict[str, None] = {}
        others = 0
        for change in changes:
            if change.key not in self.scored:
                continue
            moves = moves_between(*self.scored[change.key])
            for query in change.worst(worst):
                moved = moves(change.measure, query)
                if moved is None:
                    notes[f"{change.measure} of {query}: no document can be named"] = None
                    continue
                head = (change.key, change.measure, named(query, texts))
                lines += [(*head, *part) for part in parts_of(moved)]
                if not moved.is_sum:
                    others += max(0, len(moved.by_loss()) - 1)
                if moved.note:
                    notes[moved.note] = None
        if others:
            notes[f"{others:,} more moved, at lower ranks; --query ID shows them"] = None
        return ResultTable(
            header=_OF_DOCUMENTS,
            lines=lines,
            caption="documents that moved, by their effect on the score, the greatest loss first",
            notes=tuple(notes),
            digits=digits,
        )

    def workings(
        self,
        changes: Sequence[BaselineChange],
        query: str | None,
        worst: int,
        digits: int,
    ) -> dict[str, Explanation]:
        """How scores came about, before and after: of a query, or of those that lost most."""
        explanations: dict[str, Explanation] = {}
        for change in changes:
            if change.key not in self.scored:
                continue
            before, after = self.scored[change.key]
            queries = change.worst(worst) if query is None else [query]
            for one in queries:
                for word, evaluation in (("before", before), ("after", after)):
                    if one not in change.before or one not in evaluation.queries:
                        continue
                    title = f"{change.key}, {change.measure}, query {one}, {word}"
                    working = evaluation.working(change.measure, one)
                    explanations[title] = Explanation(working, digits=digits)
        return explanations


def _scored(
    pair: tuple[Baseline, Baseline],
    changes: Sequence[BaselineChange],
    judged: File | str | Path,
) -> tuple[Evaluation, Evaluation]:
    """Both rankings of the queries that both baselines have, scored by the same judgments."""
    old, new = pair
    chosen: dict[str, Any] = dict(new.conventions)
    name = chosen.pop("name")
    for odd in chosen.keys() - Bundle.choices():  # such as the name of a file to be opened
        raise InputError(f"the baseline has the convention {odd!r}, which is not known")
    measures = [known_measure(change.measure) for change in changes]
    queries = list(changes[0].before)

    def one(kept: Baseline) -> Evaluation:
        """The rankings of one baseline, scored."""
        run: dict[str, list[str]] = {}
        for query in queries:
            run[query] = [str(document) for document in kept.rankings[query]]
        return evaluate(
            run,
            judged,
            measures,
            name,
            **chosen,
        )

    return one(old), one(new)


def difference(old: str | Path, new: str | Path) -> Difference:
    """What changed from one file of baselines, or standard input ("-"), to another."""
    before = _entries(old)
    after = _entries(new)
    notes: list[str] = []
    changes: list[BaselineChange] = []
    kept: dict[str, tuple[Baseline, Baseline]] = {}
    both = sorted(before.keys() & after.keys())
    for key in both:
        if before[key] == after[key]:
            continue
        was = baseline_of(old, key, before)
        now = baseline_of(new, key, after)
        kept[key] = (was, now)
        notes += [f"{key}: {note}" for note in _notes(was, now)]
        changes += _changes(key, was, now)
    added = sorted(after.keys() - before.keys())
    removed = sorted(before.keys() - after.keys())
    notes += [f"{key}: new" for key in added]
    notes += [f"{key}: removed" for key in removed]
    return Difference(
        new=added,
        removed=removed,
        same=[key for key in both if key not in kept],
        changes=changes,
        kept=kept,
        notes=notes,
    )


def _changes(key: str, was: Baseline, now: Baseline) -> list[BaselineChange]:
    """The change of each measure that both baselines of a test have, on the queries of both."""
    common = [query for query in was.scores if query in now.scores]
    if not common:
        return []
    changes: list[BaselineChange] = []
    for measure in was.means:
        if measure not in now.means:
            continue
        before = was.per_query(measure)
        after = now.per_query(measure)
        change = BaselineChange(
            key,
            measure,
            before={query: before[query] for query in common},
            after={query: after[query] for query in common},
        )
        changes.append(change)
    return changes


def baseline_of(path: str | Path, key: str, entries: Mapping[str, Any]) -> Baseline:
    """The baseline of a test; an error names the file and the test."""
    try:
        return Baseline.read(entries[key])
    except InputError as error:
        raise InputError(f"{path}: {key}: {error}; give a file that the plugin wrote") from None


def _entries(path: str | Path) -> Mapping[str, Any]:
    if path == STANDARD_INPUT:
        file = File(path)
        with opened(file) as stream:
            return baseline_files.parsed(decoded(stream.read(), file), str(file))
    return baseline_files.read(there(path))


def there(path: str | Path) -> Path:
    """The path of a file of baselines; without one, `baseline_files.read` would find none."""
    if not Path(path).exists():
        raise InputError(f"{path}: there is no such file; give a file of baselines")
    return Path(path)


def _notes(old: Baseline, new: Baseline) -> list[str]:
    """What else differs between two baselines of a test."""
    notes: list[str] = []
    if old.judgments != new.judgments:
        notes.append("the judgments changed, so scores differ even where rankings do not")
    if old.corpus and new.corpus and old.corpus != new.corpus:
        notes.append("the corpus changed")
    for name in sorted({*old.conventions, *new.conventions}):
        was = old.conventions.get(name, "not said")
        now = new.conventions.get(name, "not said")
        if was != now:
            notes.append(f"{name} was {was} and is {now}")
    notes += _only_in(old, new, "gone")
    notes += _only_in(new, old, "new")
    unanswered = answers_lost(newly_unanswered(old, new, list(new.scores)))
    if unanswered:
        notes.append(unanswered)
    return notes


def _only_in(one: Baseline, other: Baseline, word: str) -> list[str]:
    """The measures and queries that only one of two baselines has."""
    notes: list[str] = []
    measures = [name for name in one.means if name not in other.means]
    if measures:
        verb = "is" if len(measures) == 1 else "are"
        notes.append(f"{', '.join(measures)} {verb} {word}")
    queries = [q for q in one.scores if q not in other.scores]
    if queries:
        verb = "query is" if len(queries) == 1 else "queries are"
        notes.append(f"{len(queries):,} {verb} {word} ({some(queries, {})}), and not compared")
    return notes
