"""Graded lists read back into judgments, with their sources; errors name the row."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
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

_SHOWN = 20  # problems that one message lists

Path = str | PathLike[str]
Pair = tuple[str, str]


@dataclass(frozen=True)
class Merged:
    """Judgments after a merge, and the counts of the merge.

    `added` pairs are new. `agreed` rows repeat an existing grade. `unfilled` rows have no grade and
    are left out.
    """

    labels: Labels
    added: int
    agreed: int
    unfilled: int

    @property
    def notes(self) -> list[str]:
        """The result of the merge, in words."""
        said = [f"judgments added: {self.added:,}; in all: {len(self.labels.labels):,}"]
        if self.agreed:
            said.append(f"rows that repeat a grade that was there: {self.agreed:,}")
        if self.unfilled:
            said.append(f"rows without a grade, left out: {self.unfilled:,}")
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
) -> Merged:
    """A merge takes graded worklists into judgments, each grade with its source.

    `graded` is one CSV file or several, as `Worklist.csv` writes them with the grades filled in;
    `judged` are the judgments so far, as `read_labels` takes them. `scale` lists the grades there
    may be. `source`, `judge` and `when` hold for rows that don't say; a label needs a source. Rows
    without a grade are left out and counted. InputError names every row that does not fit, and
    every row with another grade than its pair has already.
    """
    if source:
        checks.one_of("source", source, SOURCES)
    usual = {"source": source, "judge": judge, "when": date(when, "")}
    before = None if judged is None else read_labels(judged)
    # A pair that two sources judged before can't be merged into: looking at it says so.
    labels = () if before is None or not dict(before) else before.labels
    held = {(one.query, one.document): one for one in labels}
    allowed = None if scale is None else frozenset(map(float, scale))
    counts: Counter[str] = Counter()
    wrong: list[str] = []
    for path in [graded] if isinstance(graded, (str, PathLike)) else graded:
        for row in records(path, ROLES, OF_SOURCE):
            try:
                pair = id_of(row.id("query")), id_of(row.id("document"))
                given = _label(row, pair, usual, allowed)
                if given is None:
                    counts["unfilled"] += 1
                    continue
                counts["agreed" if pair in held else "added"] += 1
                _refuse_another(held.setdefault(pair, given), given, f"{row.place}{at(*pair)}")
            except InputError as error:
                wrong.append(str(error))
    _refuse(wrong)
    by_query: dict[str, list[Label]] = {}  # queries in order of their first label
    for one in held.values():
        by_query.setdefault(one.query, []).append(one)
    return Merged(
        Labels(chain.from_iterable(by_query.values())),
        **{name: counts[name] for name in ("added", "agreed", "unfilled")},
    )


def _label(
    row: Record,
    pair: Pair,
    usual: Mapping[str, str],
    scale: frozenset[float] | None,
) -> Label | None:
    """The label of a row, or None where no grade is filled in; InputError if it does not fit."""
    where = row.place + at(*pair)
    if not row["grade"].strip():
        return None
    given = label(row, *pair)
    said: dict[str, Any] = {name: getattr(given, name) or usual[name] for name in usual}
    given = replace(given, **said)
    if not given.source:
        raise InputError(
            f"{where}no source ({', '.join(SOURCES)}); fill in the column source, or give one for "
            "all rows (--source)"
        )
    if scale is not None and given.grade not in scale:
        known = ", ".join(map(shown, sorted(scale)))
        raise InputError(f"{where}grade {shown(given.grade)} is not on the scale {known}")
    if scale is None and given.grade < 0:
        raise InputError(
            f"{where}grade {shown(given.grade)} is below 0; if it is meant, give a scale with it"
        )
    return given


def _refuse_another(there: Label, given: Label, where: str) -> None:
    """Refuse a grade other than the one that is there."""
    if there.grade != given.grade:
        place = there.place.removesuffix(": ") or "the judgments so far"
        raise InputError(
            f"{where}grade {shown(given.grade)} ({given.by}), but {shown(there.grade)} "
            f"({there.by}) in {place}"
        )


def _refuse(wrong: Sequence[str]) -> None:
    """Raise all collected errors in one message."""
    if not wrong:
        return
    more = len(wrong) - _SHOWN
    rest = [f"  and {more:,} more"] if more > 0 else []
    many = "a row does not fit" if len(wrong) == 1 else f"{len(wrong):,} rows don't fit"
    lines = [f"  {one}" for one in wrong[:_SHOWN]]
    raise InputError(
        "\n".join([f"{many}, so nothing was merged; correct these rows", *lines, *rest])
    )
