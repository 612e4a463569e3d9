"""Graded lists read back into judgments, with their sources; errors name the row."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from os import PathLike
from typing import Any

from irmetrics_edu import checks
from irmetrics_edu.checks import at
from irmetrics_edu.errors import Avoidable, InputError, WayOut
from irmetrics_edu.judging.labels import (
    OF_SOURCE,
    ROLES,
    SOURCES,
    UNKNOWN,
    Judged,
    Label,
    Labels,
    date,
    id_of,
    label,
    read_labels,
    shown,
)
from irmetrics_edu.reading.records import Record, records

_SHOWN = 20  # problems that one message lists

_FOR_ALL_ROWS = WayOut(
    advice=", or give the source of all rows by {}",
    keyword="source=",
    option="--source",
)

Path = str | PathLike[str]
Pair = tuple[str, str]


class _NoSource(InputError):  # noqa: N818 -- it says what the row is
    """A row that does not say who judged it."""


@dataclass(frozen=True)
class Merged:
    """Judgments after a merge, and the counts of the merge.

    `added` pairs are new. `agreed` rows repeat an existing grade. `unfilled` rows have no grade and
    are left out. `not_returned` pairs were handed out and came back in no row. `new_grades` are
    grades that the judgments did not have before.
    """

    labels: Labels
    added: int
    agreed: int
    unfilled: int
    not_returned: int = 0
    new_grades: tuple[float, ...] = ()

    @property
    def notes(self) -> list[str]:
        """The result of the merge, in words."""
        notes = [f"judgments added: {self.added:,}; in all: {len(self.labels.labels):,}"]
        if self.agreed:
            notes.append(f"rows that repeat a grade that was there: {self.agreed:,}")
        if self.unfilled:
            notes.append(f"rows without a grade, left out: {self.unfilled:,}")
        if self.not_returned:
            notes.append(f"pairs that were handed out and did not come back: {self.not_returned:,}")
        if self.new_grades:
            grades = ", ".join(map(shown, self.new_grades))
            notes.append(f"grades that the judgments before did not have: {grades}")
        sources = Counter(label.source or UNKNOWN for label in self.labels.labels)
        counts = ", ".join(f"{source} {count:,}" for source, count in sources.items())
        notes.append(f"sources: {counts}")
        return notes


def merge(
    graded: Path | Sequence[Path],
    judged: Judged | None = None,
    *,
    scale: Iterable[float] | None = None,
    source: str = "",
    judge: str = "",
    when: str = "",
    handed_out: Path | None = None,
) -> Merged:
    """A merge takes graded worklists into judgments, each grade with its source.

    `graded` is one CSV file or several, as `Worklist.csv` writes them with the grades filled in;
    `judged` are the judgments so far, as `read_labels` takes them. `scale` lists the grades there
    may be. `source`, `judge` and `when` hold for rows that don't say; a label needs a source. Rows
    without a grade are left out and counted. With `handed_out`, the worklist as it was written,
    rows of other pairs are refused (a spreadsheet may have changed their ids), and pairs that did
    not come back are counted. InputError names every row that does not fit, and every row with
    another grade than its pair has already.
    """
    if source:
        checks.one_of("source", source, SOURCES)
    rules = _Rules(
        usual={"source": source, "judge": judge, "when": date(when, "")},
        scale=None if scale is None else frozenset(map(float, scale)),
        pairs=_pairs_of(handed_out),
    )
    held = _held_before(judged)
    grades_before = {one.grade for one in held.values()}
    counts: Counter[str] = Counter()
    returned: set[Pair] = set()
    wrong: list[InputError] = []
    for row in _rows_of(graded):
        try:
            pair = id_of(row.id("query")), id_of(row.id("document"))
            new_label = _label(row, pair, rules)
            returned.add(pair)
            if new_label is None:
                counts["unfilled"] += 1
                continue
            counts["agreed" if pair in held else "added"] += 1
            _refuse_another(held.setdefault(pair, new_label), new_label, f"{row.place}{at(*pair)}")
        except InputError as error:
            wrong.append(error)
    _refuse(wrong)
    new_grades = {one.grade for one in held.values()} - grades_before
    may_be_new = scale is not None or not grades_before
    return Merged(
        labels=_by_query(held.values()),
        added=counts["added"],
        agreed=counts["agreed"],
        unfilled=counts["unfilled"],
        not_returned=len((rules.pairs or frozenset()) - returned),
        new_grades=() if may_be_new else tuple(sorted(new_grades)),
    )


@dataclass(frozen=True)
class _Rules:
    """What holds for all rows: what those have that say nothing, and what there may be."""

    usual: Mapping[str, str]
    scale: frozenset[float] | None
    pairs: frozenset[Pair] | None


def _held_before(judged: Judged | None) -> dict[Pair, Label]:
    """The labels so far by pair; InputError if a pair was judged by two sources."""
    if judged is None:
        return {}
    before = read_labels(judged)
    before.require_one_source()
    return {(one.query, one.document): one for one in before.labels}


def _rows_of(graded: Path | Sequence[Path]) -> Iterable[Record]:
    paths = [graded] if isinstance(graded, (str, PathLike)) else graded
    return chain.from_iterable(records(path, ROLES, OF_SOURCE) for path in paths)


def _pairs_of(handed_out: Path | None) -> frozenset[Pair] | None:
    """The pairs of a worklist as it was written; None if none is given."""
    if handed_out is None:
        return None
    roles = {name: ROLES[name] for name in ("query", "document")}
    rows = records(handed_out, roles, {})
    return frozenset((id_of(row.id("query")), id_of(row.id("document"))) for row in rows)


def _by_query(labels: Iterable[Label]) -> Labels:
    """The labels of each query together; queries in the order of their first label."""
    by_query: dict[str, list[Label]] = {}
    for one in labels:
        by_query.setdefault(one.query, []).append(one)
    return Labels(chain.from_iterable(by_query.values()))


def _label(
    row: Record,
    pair: Pair,
    rules: _Rules,
) -> Label | None:
    """The label of a row, or None where no grade is filled in; InputError if it does not fit."""
    where = row.place + at(*pair)
    if rules.pairs is not None and pair not in rules.pairs:
        raise InputError(f"{where}this pair was not handed out; look how its ids are written")
    if not row["grade"].strip():
        return None
    written = label(row, *pair)
    filled: dict[str, Any] = {}
    for name, usual in rules.usual.items():
        filled[name] = getattr(written, name) or usual
    completed = replace(written, **filled)
    if not completed.source:
        raise _NoSource(f"{where}no source ({', '.join(SOURCES)}); fill in the column source")
    _refuse_off_the_scale(completed.grade, rules.scale, where)
    return completed


def _refuse_off_the_scale(
    grade: float,
    scale: frozenset[float] | None,
    where: str,
) -> None:
    if scale is not None and grade not in scale:
        levels = ", ".join(map(shown, sorted(scale)))
        raise InputError(f"{where}grade {shown(grade)} is not on the scale {levels}")
    if scale is None and grade < 0:
        raise InputError(
            f"{where}grade {shown(grade)} is below 0; if it is meant, give a scale with it"
        )


def _refuse_another(
    there: Label,
    new_label: Label,
    where: str,
) -> None:
    """Refuse a grade other than the one that is there."""
    if there.grade != new_label.grade:
        place = there.place.removesuffix(": ") or "the judgments so far"
        raise InputError(
            f"{where}grade {shown(new_label.grade)} ({new_label.by}), but {shown(there.grade)} "
            f"({there.by}) in {place}"
        )


def _refuse(wrong: Sequence[InputError]) -> None:
    """Raise all collected errors in one message."""
    if not wrong:
        return
    many = "a row does not fit" if len(wrong) == 1 else f"{len(wrong):,} rows don't fit"
    head = f"{many}, so nothing was merged; correct these rows"
    lines = "".join(f"\n  {one}" for one in wrong[:_SHOWN])
    if len(wrong) > _SHOWN:
        lines += f"\n  and {len(wrong) - _SHOWN:,} more"
    if any(isinstance(one, _NoSource) for one in wrong):
        raise Avoidable(head, _FOR_ALL_ROWS, lines)
    raise InputError(f"{head}{lines}")
