"""Graded lists read back into judgments, with their sources; errors name the row."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from os import PathLike
from typing import Any

from irmetrics_edu import checks
from irmetrics_edu.checks import at
from irmetrics_edu.errors import InputError
from irmetrics_edu.judging.labels import (
    OF_SOURCE,
    ROLES,
    SOURCES,
    UNKNOWN,
    Label,
    Labels,
    date,
    id_of,
    label,
    read_labels,
    shown,
)
from irmetrics_edu.reading.records import Record, records

UNFILLED = ("refuse", "count")
CONFLICTS = ("refuse", "old", "new")
_SHOWN = 20  # problems that one message lists

Path = str | PathLike[str]
Pair = tuple[str, str]


@dataclass(frozen=True)
class Merged:
    """Judgments after a merge, and the counts of the merge.

    `added` pairs are new. `agreed` rows repeat an existing grade. `unfilled` rows have no grade.
    `settled` rows differ from an existing grade, and `conflicts` said which grade stays.
    `not_returned` pairs were handed out and came back in no row. `new_grades` are grades that the
    judgments did not have before.
    """

    labels: Labels
    added: int
    agreed: int
    unfilled: int
    settled: int
    not_returned: int = 0
    new_grades: tuple[float, ...] = ()
    conflicts: str = "refuse"

    @property
    def notes(self) -> list[str]:
        """The result of the merge, in words."""
        said = [f"judgments added: {self.added:,}; in all: {len(self.labels.labels):,}"]
        if self.agreed:
            said.append(f"rows that repeat a grade that was there: {self.agreed:,}")
        if self.settled:
            stays = "the grade that was there" if self.conflicts == "old" else "the new grade"
            said.append(f"rows in conflict, {stays} stays: {self.settled:,}")
        if self.unfilled:
            said.append(f"rows without a grade, left out: {self.unfilled:,}")
        if self.not_returned:
            said.append(f"pairs that were handed out and did not come back: {self.not_returned:,}")
        if self.new_grades:
            grades = ", ".join(map(shown, self.new_grades))
            said.append(f"grades that the judgments before did not have: {grades}")
        many = [label.source or UNKNOWN for label in self.labels.labels]
        counts = ", ".join(f"{s} {many.count(s):,}" for s in dict.fromkeys(many))
        return [*said, f"sources: {counts}"]


def merge(
    graded: Path | Sequence[Path],
    judged: Any = None,
    *,
    scale: Iterable[float] | None = None,
    source: str = "",
    judge: str = "",
    when: str = "",
    unfilled: str = "refuse",
    conflicts: str = "refuse",
    handed_out: Path | None = None,
) -> Merged:
    """A merge takes graded worklists into judgments, each grade with its source.

    `graded` is one CSV file or several, as `Worklist.csv` writes them with the grades filled in;
    `judged` are the judgments so far, as `read_labels` takes them. `scale` lists the grades there
    may be. `source`, `judge` and `when` hold for rows that don't say; a label needs a source.
    `unfilled` is "refuse" or "count" for rows without a grade; `conflicts` is "refuse", "old" or
    "new": which grade stays where a pair has another one already. With `handed_out`, the worklist
    as it was written, rows of other pairs are refused (a spreadsheet may have changed their ids),
    and pairs that did not come back are counted. InputError names every row that does not fit.
    """
    checks.one_of("unfilled", unfilled, UNFILLED)
    checks.one_of("conflicts", conflicts, CONFLICTS)
    if source:
        checks.one_of("source", source, SOURCES)
    usual = {"source": source, "judge": judge, "when": date(when, "")}
    before = None if judged is None else read_labels(judged)
    # A pair that two sources judged before can't be merged into: looking at it says so.
    labels = () if before is None or not dict(before) else before.labels
    held = {(one.query, one.document): one for one in labels}
    allowed = None if scale is None else frozenset(map(float, scale))
    old = frozenset(one.grade for one in held.values())
    pairs = None if handed_out is None else _pairs(handed_out)
    found = _Merge(held, allowed, usual, unfilled, conflicts, pairs)
    for path in [graded] if isinstance(graded, (str, PathLike)) else graded:
        for row in records(path, ROLES, OF_SOURCE):
            try:
                found.take(row)
            except InputError as error:
                found.wrong.append(str(error))
    found.check()
    grades = sorted({one.grade for one in held.values()} - old) if old and scale is None else []
    by_query: dict[str, list[Label]] = {}  # queries in order of their first label
    for one in held.values():
        by_query.setdefault(one.query, []).append(one)
    return Merged(
        Labels(chain.from_iterable(by_query.values())),
        found.added,
        found.agreed,
        found.empty,
        found.settled,
        len((pairs or set()) - found.met),
        tuple(grades),
        conflicts,
    )


@dataclass
class _Merge:
    """Merge row after row: new labels go into `held`, and errors are collected."""

    held: dict[Pair, Label]
    scale: frozenset[float] | None
    usual: dict[str, str]
    unfilled: str
    conflicts: str
    pairs: set[Pair] | None
    added: int = 0
    agreed: int = 0
    empty: int = 0
    settled: int = 0
    met: set[Pair] = field(default_factory=set)
    fresh: set[Pair] = field(default_factory=set)  # which labels of `held` came from a row
    wrong: list[str] = field(default_factory=list)

    def take(self, row: Record) -> None:
        """One more row; InputError if it does not fit."""
        pair = id_of(row.id("query")), id_of(row.id("document"))
        where = row.place + at(*pair)
        if self.pairs is not None and pair not in self.pairs:
            raise InputError(f"{where}this pair was not handed out; look how its ids are written")
        if not row["grade"].strip():
            self.met.add(pair)
            self.empty += 1
            if self.unfilled == "refuse":
                raise InputError(f"{where}no grade is filled in")
            return
        given = label(row, *pair)
        said: dict[str, Any] = {n: getattr(given, n) or usual for n, usual in self.usual.items()}
        given = replace(given, **said)
        if not given.source:
            known = ", ".join(SOURCES)
            raise InputError(
                f"{where}no source ({known}); fill in the column source, or give one for all rows "
                "(--source)"
            )
        if self.scale is not None and given.grade not in self.scale:
            known = ", ".join(map(shown, sorted(self.scale)))
            raise InputError(f"{where}grade {shown(given.grade)} is not on the scale {known}")
        if self.scale is None and given.grade < 0:
            raise InputError(
                f"{where}grade {shown(given.grade)} is below 0; if it is meant, give "
                "a scale that has it"
            )
        self.met.add(pair)
        self._settle(pair, given, where)

    def _settle(self, pair: Pair, given: Label, where: str) -> None:
        there = self.held.get(pair)
        if there is None:
            self.added += 1
        elif there.grade == given.grade:
            self.agreed += 1
            return
        elif self.conflicts == "refuse" or pair in self.fresh:
            # Which of two rows of this merge is right, no rule about old and new can say.
            place = there.place.removesuffix(": ") or "the judgments so far"
            raise InputError(
                f"{where}grade {shown(given.grade)} ({given.by}), but {shown(there.grade)} "
                f"({there.by}) in {place}"
            )
        else:
            self.settled += 1
            if self.conflicts == "old":
                return
        self.held[pair] = given
        self.fresh.add(pair)

    def check(self) -> None:
        """Raise all collected errors in one message."""
        if not self.wrong:
            return
        more = len(self.wrong) - _SHOWN
        rest = [f"  and {more:,} more"] if more > 0 else []
        lines = [f"  {wrong}" for wrong in self.wrong[:_SHOWN]]
        many = (
            "a row does not fit" if len(self.wrong) == 1 else f"{len(self.wrong):,} rows don't fit"
        )
        raise InputError(
            "\n".join([f"{many}, so nothing was merged; correct these rows", *lines, *rest])
        )


def _pairs(path: Path) -> set[Pair]:
    roles = {name: ROLES[name] for name in ("query", "document")}
    rows = records(path, roles, {})
    return {(id_of(row.id("query")), id_of(row.id("document"))) for row in rows}
