"""Which documents moved between two rankings of a query, and how each move changed the score."""

import re
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from typing import Any, Self

from irmetrics_edu.errors import InputError
from irmetrics_edu.near_ties import TOLERANCE, in_order
from irmetrics_edu.numbers import plain
from irmetrics_edu.views.result_table import ResultTable, Tabled
from irmetrics_edu.working import Working

OF_DOCUMENT = ("document", "grade", "rank before", "rank after", "way", "change")
DocumentLine = tuple[Any, ...]  # of a document that moved


@dataclass(frozen=True)
class Move:
    """A document's rank in both rankings (None: not retrieved) and its part of both scores."""

    document: Hashable
    grade: Any
    rank_before: int | None
    rank_after: int | None
    before: Any
    after: Any

    @property
    def worth(self) -> Any:
        """How much the move adds to the score."""
        return self.after - self.before

    @property
    def way(self) -> str:
        """Whether the document entered the ranking, left it, rose, fell or stayed."""
        if self.rank_before is None or self.rank_after is None:
            return "entered" if self.rank_before is None else "left"
        if self.rank_before == self.rank_after:
            return "stayed"
        return "rose" if self.rank_after < self.rank_before else "fell"


@dataclass(frozen=True, repr=False)
class Moves(Tabled):
    """The documents of a query whose part of a score changed: together, the change of the score.

    `left_over` is the part of the change that the documents do not explain: 0 for a sum over
    documents.
    """

    measure: str
    query: Hashable
    before: Any
    after: Any
    moves: Sequence[Move]
    left_over: Any
    note: str

    @property
    def change(self) -> Any:
        """The change of the score."""
        return self.after - self.before

    @property
    def is_sum(self) -> bool:
        """Whether documents have parts of the change; else it belongs to the whole ranking."""
        return any(m.worth for m in self.moves)

    def by_loss(self) -> list[Move]:
        """The documents that changed the score, the greatest loss first.

        Where the score is no sum over documents: those with a gain that moved, best grades first.
        """
        if self.is_sum:
            moved = sorted((m for m in self.moves if m.worth), key=lambda m: str(m.document))
            return in_order(
                moved,
                lambda m: m.worth,
                rising=True,
            )
        moved = [m for m in self.moves if m.grade and m.rank_before != m.rank_after]
        return sorted(moved, key=lambda m: (-m.grade, str(m.document)))

    def table(self, *, digits: int = 4) -> ResultTable:
        """The documents whose part of the score changed, the greatest change first."""
        shown = sorted((m for m in self.moves if m.worth), key=lambda m: str(m.document))
        shown = in_order(shown, lambda m: abs(m.worth))
        lines: list[list[Any]] = [
            [
                str(m.document),
                m.grade,
                m.rank_before,
                m.rank_after,
                m.before,
                m.after,
                m.worth,
            ]
            for m in shown
        ]
        if self.left_over:
            lines.append(["left over", None, None, None, None, None, self.left_over])
        lines.append(
            [
                "sum",
                None,
                None,
                None,
                self.before,
                self.after,
                self.change,
            ]
        )
        header = ("document", "grade", "rank before", "rank after", "before", "after", "change")
        caption = f"query {self.query}: {self.measure}"
        return ResultTable(
            header,
            lines,
            caption,
            (self.note,) if self.note else (),
            digits,
        )


def parts_of(moves: Moves) -> list[DocumentLine]:
    """Document, grade, ranks, way and change of the documents that moved.

    Where no part of the change is of a document, the highest one stands alone, without a change.
    """
    shown = moves.by_loss()
    if not moves.is_sum:
        highest = sorted(shown, key=_highest_rank)[:1]
        return [_part(move, None) for move in highest]
    parts = [_part(move, round(move.worth, 6)) for move in shown]
    if moves.left_over:
        worth = round(moves.left_over, 6)
        parts.append(("left over", None, None, None, None, worth))
    return parts


def _part(move: Move, worth: float | None) -> DocumentLine:
    """The cells of one document that moved."""
    return (
        str(move.document),
        move.grade,
        move.rank_before,
        move.rank_after,
        move.way,
        worth,
    )


def _highest_rank(move: Move) -> int:
    """The better rank of a document that moved; it has one before, after, or both."""
    ranks = [rank for rank in (move.rank_before, move.rank_after) if rank]
    return min(ranks)


def contributions(working: Working) -> list[Any] | None:
    """Each row's part of the score, in the order of the rows; None if the score has no such parts.

    It is read from the working: a column over a quantity, or the columns of a part over another
    part.
    """
    how = working.how
    if columns := re.fullmatch(r"\(?\{([^{}]+)\}\)?", how):
        return _column(working, columns[1])
    columns = re.fullmatch(r"\(?\{([^{}]+)\}\)? / \{([^{}]+)\}", how)
    if not columns:
        return None
    above = columns[1]
    below = columns[2]
    if above in working.parts and below in working.parts:
        parts = contributions(working.parts[above])
        divisor = working.parts[below].value
    elif below in working.quantities:
        parts = _column(working, above)
        divisor = plain(working.quantities[below][0])
    else:
        return None
    if parts is None or not divisor:
        return parts if parts is None else [part * 0 for part in parts]
    return [part / divisor for part in parts]


def _column(working: Working, name: str) -> list[Any] | None:
    if name in working.columns:
        return [plain(v) for v in working.columns[name].tolist()]
    if name in working.quantities:  # such as the number of hits: the column that it is the sum of
        wanted = plain(working.quantities[name][0])
        for column in working.columns.values():
            values = [plain(v) for v in column.tolist()]
            if len(values) == len(working.table.query) and sum(values) == wanted:
                return values
    return None


def moves(before: Working, after: Working, query: Hashable) -> Moves:
    """The moves between two workings of one query, each with every rank a row."""
    if before.rows is None or before.rows.document is None or after.rows.document is None:
        raise InputError(f"{before.title}: the documents are not known, so no move has a name")
    earlier = _OneRanking.of(before)
    later = _OneRanking.of(after)
    zero = before.value * 0
    grades = {**earlier.grades, **later.grades}
    every = []
    for document in {**earlier.ranks, **later.ranks}:
        grade = grades.get(document)
        every.append(_move(document, grade, earlier, later, zero))
    moved = [move for move in every if move.rank_before != move.rank_after or move.worth]
    return Moves(
        measure=before.title,
        query=query,
        before=before.value,
        after=after.value,
        moves=moved,
        left_over=_left_over(after.value - before.value, moved),
        note=_note(before.title, moved, is_sum=earlier.is_sum and later.is_sum),
    )


@dataclass(frozen=True)
class _OneRanking:
    """What one working says of each document: its rank, its grade, and its part of the score."""

    ranks: Mapping[Hashable, int]
    grades: Mapping[Hashable, Any]
    parts: Mapping[Hashable, Any]
    is_sum: bool  # whether the score is a sum over documents

    @classmethod
    def of(cls, working: Working) -> Self:
        """The documents of a working of one query."""
        parts = _by_document(working)
        return cls(
            ranks=_ranks(working),
            grades=_grades(working),
            parts=parts or {},
            is_sum=parts is not None,
        )


def _move(
    document: Hashable, grade: Any, before: _OneRanking, after: _OneRanking, zero: Any
) -> Move:
    """A document in both rankings; where it has no part of a score, that part is zero."""
    return Move(
        document=document,
        grade=grade,
        rank_before=before.ranks.get(document),
        rank_after=after.ranks.get(document),
        before=before.parts.get(document, zero),
        after=after.parts.get(document, zero),
    )


def _left_over(change: Any, moved: Sequence[Move]) -> Any:
    """The part of a change that no document explains; 0 if it is rounding."""
    worths = [move.worth for move in moved]
    explained = fsum(worths) if isinstance(change, float) else sum(worths)
    left_over = change - explained
    if isinstance(left_over, float) and abs(left_over) < TOLERANCE:
        return 0.0
    return left_over


def _note(title: str, moved: Sequence[Move], *, is_sum: bool) -> str:
    """What has to be said of the parts of a change."""
    if not is_sum:
        return f"{title} is not a sum over documents, so its change belongs to the whole ranking"
    if any(move.worth and move.rank_before == move.rank_after for move in moved):
        return (
            "a document that kept its rank may count differently, because other documents are "
            "above it now"
        )
    return ""


def _by_document(working: Working) -> dict[Hashable, Any] | None:
    parts = contributions(working)
    if parts is None:
        return None
    summed = working
    while "document" not in summed.table.labels and summed.parts:
        summed = next(iter(summed.parts.values()))
    documents = summed.table.labels.get("document")
    if documents is None or len(documents) != len(parts):
        return None
    return dict(zip(documents, parts, strict=True))


def _ranks(working: Working) -> dict[Hashable, int]:
    ranks = [int(r) for r in working.rows.rank.tolist()]
    return dict(zip(working.rows.document, ranks, strict=True))


def _grades(working: Working) -> dict[Hashable, Any]:
    rows = working.rows
    judgments = zip(
        rows.document,
        rows.grade.tolist(),
        rows.judged.tolist(),
        strict=True,
    )
    return {
        document: (int(grade) if grade == int(grade) else grade) if judged else None
        for document, grade, judged in judgments
    }
