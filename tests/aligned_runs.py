"""A run joined with its judgments by itself, without measures: what tests of readers look at."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import partial
from typing import Any

import numpy as np

from irmetrics_edu import checks
from irmetrics_edu.conventions import (
    AS_GIVEN,
    AS_WRITTEN,
    FLOAT64,
    NO_DUPLICATES,
    NO_GAIN,
    REFUSED,
    STRICT,
    Duplicates,
    Negative,
    Reading,
    Scores,
    Ties,
    Unjudged,
)
from irmetrics_edu.engine import Aligned, aligned
from irmetrics_edu.engine.id_list import chosen
from irmetrics_edu.engine.run import Run
from irmetrics_edu.reading.files import Problems
from irmetrics_edu.rows.aligned_ranking import Alignment, align
from irmetrics_edu.rows.ordering import arranged
from irmetrics_edu.rows.ranked_rows import Rows
from irmetrics_edu.runs.joining.inputs import held_out, run_of
from irmetrics_edu.runs.joining.judgments import read_pool
from irmetrics_edu.runs.joining.queries import refuse_unlike


@dataclass(eq=False)
class AlignedRun(Aligned):
    """What the join gives, and every row of a query beside it."""

    run: Run = field(kw_only=True)
    ties: Ties = field(kw_only=True)
    scores: Scores = field(kw_only=True)

    def full(self, query: Any) -> Rows:
        """Every row of one query, with unjudged documents and ids, as an explanation shows it."""
        q = self.pool.number[query]
        ranking = [] if self.missing[q] else self._ranking(query)
        judged = self.pool.of(q)
        by = Alignment(unjudged=self.removed, negative=AS_WRITTEN)
        return align(ranking, judged, by=by, query=query)

    def _ranking(self, query: Any) -> list[Any]:
        found = self.run[query]
        if not isinstance(found, Mapping):
            return checks.ids(found, query)
        score = np.fromiter(found.values(), np.float64, len(found))
        return arranged(list(found), self.scores(score), self.ties)[0]


def align_run(
    run: Any,
    qrels: Any,
    *,
    ties: Any = AS_GIVEN,
    unjudged: Any = NO_GAIN,
    negative: Any = REFUSED,
    scores: Any = FLOAT64,
    duplicates: Any = NO_DUPLICATES,
    reading: Any = STRICT,
    format: str | None = None,  # noqa: A002 -- what a file's format is called
    skip_bad: bool = False,
    padding: int | None = None,
) -> AlignedRun:
    """A run of any kind, joined with judgments of any kind, as `evaluate` joins them."""
    repeats, reading = Duplicates.named(duplicates), Reading.named(reading)
    order, precise = Ties.named(ties), Scores.named(scores)
    read = run_of(run, repeats, format=format, skip_bad=skip_bad, padding=padding, reading=reading)
    if isinstance(run, np.ndarray):
        qrels = held_out(qrels, len(run))
    pool = read_pool(qrels, negative=Negative.named(negative), reading=reading, skip_bad=skip_bad)
    found = aligned(
        read,
        pool,
        ties=order,
        unjudged=Unjudged.named(unjudged),
        scores=precise,
        duplicates=repeats,
        report=partial(Problems, unit="row", skip=skip_bad),
    )
    refuse_unlike(pool.queries, chosen(pool.queries, found.missing), found.not_judged)
    held = (getattr(found, each.name) for each in fields(found))
    return AlignedRun(*held, run=read, ties=order, scores=precise)
