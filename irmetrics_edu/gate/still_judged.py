"""Whether the rankings of a baseline can still be scored: by their documents that are judged.

Rankings that hold no judged document score 0, whatever they are worth, and a run is no worse than
0. Such a comparison says nothing.
"""

from collections.abc import Hashable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any

from irmetrics_edu.rows.aligned_ranking import RANKED
from irmetrics_edu.runs.run_scores import RunScores

Grades = dict[int, float]  # by rank, from 1


def grades_of(evaluation: RunScores, query: Hashable, depth: int | None = None) -> Grades:
    """The grades of the judged documents of a ranking, by their ranks; empty without grades."""
    graded = [m.name for m in evaluation.measures if m.metric.inputs is RANKED]
    if not graded:
        return {}
    measure = graded[0]
    rows = evaluation.working(measure, query).rows
    grades = rows.grade.tolist()[:depth]
    judged = rows.judged.tolist()
    by_rank: Grades = {}
    for place, grade in enumerate(grades):
        if judged[place]:
            rank = place + 1
            whole = int(grade)
            by_rank[rank] = whole if grade == whole else grade
    return by_rank


def is_graded(evaluation: RunScores) -> bool:
    """Whether a measure of the evaluation is by the grades of documents."""
    return any(m.metric.inputs is RANKED for m in evaluation.measures)


def lost_its_judgments(
    ranking: Sequence[Any],
    had: Mapping[int, float] | None,
    scores: Sequence[float],
    now: AbstractSet[int],
) -> bool:
    """Whether most documents that made the score of a kept ranking are not judged any more.

    `had` are the grades by rank of that day, or None if they are not known; `now` are the ranks
    that are judged today. A document whose grade changed is still judged.

    >>> lost_its_judgments(["a", "b"], {1: 1, 2: 0}, [1.0], {2})
    True
    >>> lost_its_judgments(["a", "b"], {1: 1, 2: 0}, [1.0], {1})
    False
    """
    if had is None:
        scored = any(score > 0 for score in scores)
        return bool(ranking) and scored and not now
    counted = {rank for rank, grade in had.items() if grade > 0}
    if not counted:
        counted = set(had)
    lost = counted - now
    return 2 * len(lost) > len(counted)
