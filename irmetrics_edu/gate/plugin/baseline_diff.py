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
from irmetrics_edu.gate.segments import groups as groups_of
from irmetrics_edu.gate.segments import named, some
from irmetrics_edu.gate.worth_keeping import answers_lost, newly_unanswered
from irmetrics_edu.libraries import Bundle
from irmetrics_edu.metrics.notation import known_measure
from irmetrics_edu.reading.files import STANDARD_INPUT, File, as_file, opened
from irmetrics_edu.reading.records import decoded
from irmetrics_edu.runs.evaluation import Evaluation, evaluate
from irmetrics_edu.views.explanation import Explanation
from irmetrics_edu.views.formatting import steady
from irmetrics_edu.views.result_table import ResultTable

_APART = 2e-6  # more than rounding for a file can part two scores
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
        return tuple(steady(fmean(of[q] for q in chosen)) for of in (self.before, self.after))  # type: ignore[return-value]  # one of each of the two

    def differences(self) -> dict[str, float]:
        """The change of each query, the greatest loss first; equal changes go by query id."""
        found = {q: round(self.after[q] - old, 6) for q, old in self.before.items()}
        return {q: found[q] for q in sorted(found, key=lambda q: (found[q], q))}

    def worst(self, most: int | None) -> list[str]:
        """The queries that changed, the greatest loss first."""
        return [q for q, d in self.differences().items() if d][:most]


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
        counts = {"changed": len(self.kept), "new": len(self.new)}
        counts |= {"removed": len(self.removed), "the same": len(self.same)}
        said = ", ".join(f"{n:,} {word}" for word, n in counts.items() if n)
        return f"baselines: {said or 'none in either file'}"

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
        notes = (*self.notes, *(() if effects is None else effects.notes))
        found = [self._measures(self.caption, notes, digits)]
        if groups is not None:
            found.append(self._groups(groups, digits))
        most = None if every else worst
        without = () if effects else (_NO_QRELS,)
        queries = self._queries(texts or {}, most, digits, without)
        if queries.lines:
            found.append(queries)
        if queries.lines and effects is not None:
            found.append(effects.table(self.changes, texts or {}, worst, digits))
        return found

    def _measures(self, caption: str, notes: tuple[str, ...], digits: int) -> ResultTable:
        header = ("test", "measure", "before", "after", "change", "queries", "lost", "gained")
        lines: list[Sequence[Any]] = []
        for change in self.changes:
            before, after = change.mean()
            moved = change.differences().values()
            lost = sum(d < 0 for d in moved)
            gained = sum(d > 0 for d in moved)
            numbers = (before, after, steady(after - before), len(change.before), lost, gained)
            if lost or gained:
                lines.append((change.key, change.measure, *numbers))
        if same := len(self.changes) - len(lines):
            notes += (f"measures that did not change: {same:,}",)
        return ResultTable(header, lines, caption, notes, digits)

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

    def _queries(
        self,
        texts: Mapping[Hashable, str],
        most: int | None,
        digits: int,
        notes: tuple[str, ...],
    ) -> ResultTable:
        header = ("test", "measure", "query", "before", "after", "change")
        lines: list[Sequence[Any]] = []
        cut = []
        for change in self.changes:
            differences = change.differences()
            shown = change.worst(most)
            every = change.worst(None)
            for q in shown:
                numbers = (change.before[q], change.after[q], differences[q])
                lines.append((change.key, change.measure, named(q, texts), *numbers))
            if rest := len(every) - len(shown):
                cut.append(
                    f"{change.key}, {change.measure}: {rest:,} more changed; --worst {len(every)} "
                    "shows them"
                )
        caption = "queries that changed, the greatest loss first"
        return ResultTable(header, lines, caption, (*cut, *notes), digits)


class Effects:
    """What each document that moved did to the scores, by the judgments of a file.

    Both rankings of a query are scored again by the file, under the conventions of the new
    baseline. `notes` say where that gives other scores than the baselines keep.
    """

    def __init__(self, found: Difference, qrels: str | Path) -> None:
        self.scored: dict[str, tuple[Evaluation, Evaluation]] = {}
        self.notes: list[str] = []
        judged = as_file(qrels)
        for key in dict.fromkeys(change.key for change in found.changes):
            changes = [change for change in found.changes if change.key == key]
            try:
                self.scored[key] = _scored(found.kept[key], changes, judged)
            except InputError as error:
                self.notes.append(f"{key}: the documents that moved can't be shown: {error}")
                continue
            others = [
                q
                for change in changes
                for evaluation, kept in zip(
                    self.scored[key], (change.before, change.after), strict=True
                )
                for q, score in kept.items()
                if not abs(evaluation.per_query[change.measure].get(q, math.inf) - score) <= _APART
            ]
            if others:
                self.notes.append(
                    f"{key}: {len(others):,} scores are others by {qrels} ({some(others, {})}): "
                    "the baseline was made by other judgments, or of deeper rankings; the "
                    "documents below are by this file"
                )

    def table(
        self,
        changes: Sequence[BaselineChange],
        texts: Mapping[Hashable, str],
        worst: int,
        digits: int,
    ) -> ResultTable:
        """The documents that changed the scores of the worst queries, the greatest loss first."""
        header = (
            *("test", "measure", "query", "document", "grade"),
            *("rank before", "rank after", "way", "change"),
        )
        lines: list[Sequence[Any]] = []
        notes: dict[str, None] = {}
        others = 0
        for change in changes:
            for q in change.worst(worst) if change.key in self.scored else ():
                found = moves_between(*self.scored[change.key])(change.measure, q)
                if found is None:
                    notes[f"{change.measure} of {q}: no document can be named"] = None
                    continue
                head = (change.key, change.measure, named(q, texts))
                shown = found.by_loss()
                if not found.is_sum:  # no part of the change is of a document: the highest stands
                    shown.sort(key=lambda m: min(filter(None, (m.rank_before, m.rank_after))))
                    others += len(shown[1:])
                for m in shown if found.is_sum else shown[:1]:
                    ranks = (m.rank_before, m.rank_after, m.way)
                    worth = round(m.worth, 6) if found.is_sum else None
                    lines.append((*head, str(m.document), m.grade, *ranks, worth))
                if found.left_over and found.is_sum:
                    lines.append((*head, "left over", *[None] * 4, round(found.left_over, 6)))
                if found.note:
                    notes[found.note] = None
        if others:
            notes[f"{others:,} more moved, at lower ranks; --query ID shows them"] = None
        caption = "documents that moved, by their effect on the score, the greatest loss first"
        return ResultTable(header, lines, caption, tuple(notes), digits)

    def workings(
        self,
        changes: Sequence[BaselineChange],
        query: str | None,
        worst: int,
        digits: int,
    ) -> dict[str, Explanation]:
        """How scores came about, before and after: of a query, or of those that lost most."""
        return {
            f"{change.key}, {change.measure}, query {q}, {word}": Explanation(
                evaluation.working(change.measure, q), digits=digits
            )
            for change in changes
            if change.key in self.scored
            for q in (change.worst(worst) if query is None else [query])
            for word, evaluation in zip(("before", "after"), self.scored[change.key], strict=True)
            if q in change.before and q in evaluation.queries
        }


def _scored(
    pair: tuple[Baseline, Baseline], changes: Sequence[BaselineChange], judged: Any
) -> tuple[Evaluation, Evaluation]:
    """Both rankings of the queries that both baselines have, scored by the same judgments."""
    chosen: dict[str, Any] = dict(pair[1].conventions)
    name = chosen.pop("name")
    for odd in chosen.keys() - Bundle.choices():  # such as the name of a file to be opened
        raise InputError(f"the baseline has the convention {odd!r}, which is not known")
    measures = [known_measure(change.measure) for change in changes]

    def one(kept: Baseline) -> Evaluation:
        run = {q: [str(d) for d in kept.rankings[q]] for q in changes[0].before}
        return evaluate(run, judged, measures, name, **chosen)

    return one(pair[0]), one(pair[1])


def difference(old: str | Path, new: str | Path) -> Difference:
    """What changed from one file of baselines, or standard input ("-"), to another."""
    before, after = (_entries(path) for path in (old, new))
    notes: list[str] = []
    changes: list[BaselineChange] = []
    kept: dict[str, tuple[Baseline, Baseline]] = {}
    both = sorted(before.keys() & after.keys())
    for key in both:
        if before[key] == after[key]:
            continue
        pair = baseline_of(old, key, before), baseline_of(new, key, after)
        kept[key] = pair
        notes += [f"{key}: {note}" for note in _notes(*pair)]
        common = [q for q in pair[0].scores if q in pair[1].scores]
        for measure in pair[0].means:
            if measure in pair[1].means and common:
                scores = (one.per_query(measure) for one in pair)
                changes.append(
                    BaselineChange(key, measure, *({q: s[q] for q in common} for s in scores))
                )
    added = sorted(after.keys() - before.keys())
    removed = sorted(before.keys() - after.keys())
    for tests, word in ((added, "new"), (removed, "removed")):
        notes += [f"{key}: {word}" for key in tests]
    same = [key for key in both if key not in kept]
    return Difference(
        new=added,
        removed=removed,
        same=same,
        changes=changes,
        kept=kept,
        notes=notes,
    )


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
    notes = []
    if old.judgments != new.judgments:
        notes.append("the judgments changed, so scores differ even where rankings do not")
    if old.corpus and new.corpus and old.corpus != new.corpus:
        notes.append("the corpus changed")
    for name in sorted({*old.conventions, *new.conventions}):
        was, now = (one.conventions.get(name, "not said") for one in (old, new))
        if was != now:
            notes.append(f"{name} was {was} and is {now}")
    notes += _only_in(old, new, "gone")
    notes += _only_in(new, old, "new")
    unanswered = answers_lost(newly_unanswered(old, new, list(new.scores)))
    return [*notes, unanswered] if unanswered else notes


def _only_in(one: Baseline, other: Baseline, word: str) -> list[str]:
    """The measures and queries that only one of two baselines has."""
    notes = []
    measures = [name for name in one.means if name not in other.means]
    if measures:
        notes.append(f"{', '.join(measures)} {'is' if len(measures) == 1 else 'are'} {word}")
    queries = [q for q in one.scores if q not in other.scores]
    if queries:
        verb = "query is" if len(queries) == 1 else "queries are"
        notes.append(f"{len(queries):,} {verb} {word} ({some(queries, {})}), and not compared")
    return notes
