"""What judgments say: ideals, cuts, documents that nobody judged, grades below zero, pools."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from irmetrics_edu.checks import LARGEST_GRADE, refuse_cutoff
from irmetrics_edu.conventions.convention import Convention, kind
from irmetrics_edu.errors import InputError
from irmetrics_edu.numbers import Array, all_true, in_kind, like


@kind
class Ideal(Convention):
    """Which documents the ideal ranking is made of."""


def _k_ones(rows: Any, k: int | None) -> Any:
    refuse_cutoff(k, "an ideal of k documents")
    size = rows.depth(None) if k is None else k
    return rows.all_of_grade_1(np.where(rows.relevant() > 0, size, 0))


def _as_long(rows: Any, _: int | None) -> Any:
    ideal = rows.ideal()
    return ideal.where(ideal.rank <= rows.retrieved[ideal.query])


JUDGED = Ideal.known("judged", lambda rows, _: rows.ideal())
RETRIEVED = Ideal.known("retrieved", lambda rows, _: rows.ideal_of_retrieved)
K_ONES = Ideal.known("k_ones", _k_ones)
R_ONES = Ideal.known("r_ones", lambda rows, _: rows.all_of_grade_1(rows.relevant()))
AS_LONG = Ideal.known("as_long", _as_long)


@kind
@dataclass(frozen=True, slots=True)
class Cut(Convention):
    """Which rankings are cut at k: the measured ranking, and perhaps the ideal one."""

    both: bool = True  # whether the ideal ranking is cut too

    def of_ideal(self, k: int | None) -> int | None:
        """The rank at which the ideal ranking is cut."""
        return k if self.both else None


CUT_BOTH = Cut.known("both")
CUT_RANKING = Cut.known("ranking", both=False)


@kind
@dataclass(frozen=True, slots=True)
class Unjudged(Convention):
    """What happens to a retrieved document that nobody judged."""

    closed: ClassVar[bool] = True
    removed: bool = False  # whether the ranking is read without it
    grade: float | None = None  # what it counts as in the ranking; None: it gains nothing

    def kept(self, judged: Array) -> Array | None:
        """Which retrieved documents stay in the ranking, of those judged or not; None for all."""
        if not self.removed or all_true(judged):
            return None
        return judged

    def filled(self, grade: Array, judged: Array) -> Array:
        """The grades of retrieved documents, where those that nobody judged may have one."""
        if self.grade is None or all_true(judged):
            return grade
        return np.where(judged, grade, in_kind(grade, self.grade))


NO_GAIN = Unjudged.known("no_gain")
REMOVED = Unjudged.known("removed", removed=True)


def unjudged_grade(written: str | float) -> Unjudged:
    """A grade for each retrieved document that nobody judged, as if it had been judged so.

    >>> unjudged_grade(2).meaning
    'it keeps its rank and counts there as grade 2; R and the ideal ranking stay as they are'
    """
    try:
        grade = float(written)
    except ValueError:
        grade = np.nan
    if not (np.isfinite(grade) and 0 <= grade <= LARGEST_GRADE):
        raise InputError(
            f"unjudged=grade({written}): {written} is not a grade; give a number from 0 on, as in "
            "grade(1)"
        )
    return Unjudged(
        f"grade({grade:g})",
        rf"\text{{grade }} {grade:g}",
        f"it keeps its rank and counts there as grade {grade:g}; R and the ideal ranking stay as "
        "they are",
        grade=grade,
    )


Unjudged.makers.update(grade=unjudged_grade)
Unjudged.forms = ("grade(1)",)


@kind
@dataclass(frozen=True, slots=True)
class Pooled(Convention):
    """Which judgments count for R and for the ideal ranking."""

    seen_alone: bool = False  # whether grades of documents that were not retrieved are not read

    def counted(self, rows: Any) -> Any:
        """The rows with the judgments that count."""
        return rows if self.function is None else self.function(rows)


ALL_JUDGED = Pooled.known("judged")
RETRIEVED_ALONE = Pooled.known(
    "retrieved", lambda rows: rows.with_pool_of_retrieved(), seen_alone=True
)


@kind
@dataclass(frozen=True, slots=True)
class Negative(Convention):
    """What a grade below zero means."""

    closed: ClassVar[bool] = True
    refused: bool = False  # whether it is an error
    worth_nothing: bool = False  # whether it counts as a grade of 0
    not_judged: bool = False  # whether its document counts as one that nobody judged
    padding: bool = False  # whether its document is no document: neither ranked nor judged

    def settled(self, grade: Array, judged: Array) -> tuple[Array, Array]:
        """Grades as they count, and which documents count as judged; nothing is refused here."""
        below = (grade < 0).astype(bool)
        if not below.any():
            return grade, judged
        if self.worth_nothing:
            grade = np.where(below, like(grade, [0])[0], grade)
        if self.not_judged:
            judged = judged & ~below
        return grade, judged

    def refused_where_seen(self, pool: Pooled | None) -> bool:
        """Whether only the grades of retrieved documents are refused.

        Who is given the retrieved alone never sees what was not, and so can't refuse it.
        """
        return self.refused and pool is not None and pool.seen_alone

    def of_pool(self, pool: Pooled) -> "Negative":
        """What negative grades mean among all judged documents, retrieved or not."""
        if pool.seen_alone and self.refused_where_seen(pool):
            return AS_ZERO
        return self

    def is_settled_later(self, pool: Pooled | None) -> bool:
        """Whether negative grades wait for the retrieved documents, as read judgments keep them."""
        return self.padding or self.refused_where_seen(pool)


REFUSED = Negative.known("refuse", refused=True)
AS_ZERO = Negative.known("zero", worth_nothing=True)
AS_WRITTEN = Negative.known("keep")
AS_UNJUDGED = Negative.known("unjudged", worth_nothing=True, not_judged=True)
PADDING = Negative.known("padding", padding=True)


def is_negative(grade: Any) -> bool:
    """Whether what is given as a grade is a number below 0."""
    return isinstance(grade, (int, float, np.number)) and bool(grade < 0)


def negative_grade(place: str, grade: Any, *, may_be_a_loss: bool = True) -> InputError:
    """The error of a grade below 0 of which no convention says what it means."""
    shown = f"{grade:g}" if isinstance(grade, float) else str(grade)
    meanings = "negative='zero' (not relevant) or 'unjudged'"
    if may_be_a_loss:
        meanings = "negative='zero' (not relevant), 'keep' (a loss) or 'unjudged'"
    return InputError(f"{place}grade {shown} is negative; choose what it means: {meanings}")
