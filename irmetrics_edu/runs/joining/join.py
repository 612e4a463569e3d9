"""A run meets its judgments: the two are read as the measures need them, and joined.

Three things are kept apart: how the run came (`Run`), how the judgments came (`Judged`), and the
kind of input that a measure reads. `Joined` (`joined_run.py`) makes rows of the three. Measures of
several queries together (of a system's lists, of users) have no value for a single query: their
rows are made of the queries that count.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from irmetrics_edu.conventions import NOT_JUDGED_ZERO
from irmetrics_edu.engine.pool import JudgedPool
from irmetrics_edu.engine.run import Run
from irmetrics_edu.errors import InputError
from irmetrics_edu.libraries import Bundle
from irmetrics_edu.metrics.definition import Metric
from irmetrics_edu.metrics.notation import Measure
from irmetrics_edu.reading import frames
from irmetrics_edu.reading.column_names import NO_COLUMNS, asked_for
from irmetrics_edu.reading.files import as_file
from irmetrics_edu.reading.tables import is_readable, source
from irmetrics_edu.rows.nuggets import INTENTS, NUGGETS
from irmetrics_edu.rows.recommended import LISTS
from irmetrics_edu.runs.joining.held import HeldInput
from irmetrics_edu.runs.joining.inputs import held_out, read_beside, run_of, without_own
from irmetrics_edu.runs.joining.joined_run import Joined
from irmetrics_edu.runs.joining.judgments import (
    Judged,
    SharedJudgments,
    read_pool,
    read_subtopic_qrels,
)
from irmetrics_edu.runs.joining.queries import AskedFor, with_documents

_OF_GRADES = ("judgments", "relevant", "relevance")
_NO_RUN = object()  # where no second run is given


def read_subtopics_too(chosen: Sequence[Measure]) -> bool:
    """Whether these measures need judgments by subtopic; an error if some need plain ones.

    >>> from irmetrics_edu.metrics.notation import measures
    >>> read_subtopics_too(measures("alpha_nDCG@20")), read_subtopics_too(measures("AP"))
    (True, False)
    """
    by_subtopic = [m.name for m in chosen if m.metric.inputs in (NUGGETS, INTENTS)]
    by_grade = [m.name for m in chosen if set(m.metric.inputs.arguments) & set(_OF_GRADES)]
    if by_subtopic and by_grade:
        raise InputError(
            f"{by_subtopic[0]} needs judgments by subtopic (query, subtopic, document, "
            f"grade), but {by_grade[0]} needs judgments without subtopics; make two calls: "
            f"{' '.join(by_subtopic)} with the first kind and {' '.join(by_grade)} with the second"
        )
    return bool(by_subtopic)


def judgments_read_once(
    qrels: Any,
    chosen: Sequence[Measure],
    by: Bundle,
    *,
    skip_bad: bool = False,
    columns: Mapping[str, str] = NO_COLUMNS,
) -> Any:
    """Judgments for several runs: from a file or frame they are read now, dicts with the first run.

    If measures take negative grades in different ways, each run reads a file as it needs it.
    """
    if isinstance(qrels, dict) and not read_subtopics_too(chosen):
        return SharedJudgments(qrels)
    if qrels is None or isinstance(qrels, Mapping):
        return qrels
    if len({by.aligned(m.metric)["negative"] for m in chosen}) > 1:
        return as_file(qrels)
    by = by.of_run(m.metric for m in chosen)
    if read_subtopics_too(chosen):
        return read_subtopic_qrels(
            qrels,
            by.negative,
            skip_bad=skip_bad,
            columns=columns,
        )
    if is_readable(qrels) or frames.is_table(qrels):
        how: dict[str, Any] = {"negative": by.negative_read, "reading": by.reading}
        return read_pool(qrels, **how, skip_bad=skip_bad, columns=columns)
    return qrels


def joined(
    run: Any,
    qrels: Any,
    chosen: Sequence[Measure],
    by: Bundle,
    beside: Mapping[str, Any],
    reading: Mapping[str, Any],
    columns: Mapping[str, str] | None = None,
    only: AskedFor | None = None,
) -> Joined:
    """A run joined with its judgments as these measures read them, and with other input.

    If `only` some queries are asked for, these alone are evaluated. A run may come in an input that
    is held to be joined again and again.
    """
    held = run if isinstance(run, HeldInput) else HeldInput(run, again=False)
    run = held.given
    skip_bad = bool(reading.get("skip_bad"))
    metrics = [measure.metric for measure in chosen]
    of_run = by.of_run(metrics)
    roles = asked_for(columns) if columns else {}
    read = held.run(of_run, lambda: _read_run(run, of_run, reading, roles))
    how: dict[str, Any] = {"skip_bad": skip_bad, "columns": roles}
    judged: Judged | None = None
    if read_subtopics_too(chosen):
        judged = read_subtopic_qrels(qrels, of_run.negative, **how).of_asked(only)
    elif qrels is not None:
        if isinstance(run, np.ndarray):
            qrels = held_out(qrels, len(run))
        qrels = held.columns_of_judgments(qrels, of_run, roles)
        judged = held.judged(of_run, partial(_judged, qrels, read, of_run, **how, only=only))
    elif only is not None:
        read = _of_asked(read, only)
    first_run_alone = dict(beside)
    other = first_run_alone.pop("other", _NO_RUN)
    others, left_out = read_beside(run, first_run_alone, skip_bad=skip_bad)
    if other is not _NO_RUN:
        others["other"] = _second_run(other, reading, by, metrics)
    told: dict[str, Any] = {"chosen": metrics, "lines_left_out": left_out, "skip_bad": skip_bad}
    together = Joined(read, judged, by, others, **told)
    if judged is not None and of_run.unjudged_queries is NOT_JUDGED_ZERO:
        together = _with_unjudged(together, judged, by, told)
    _refuse_unused(roles, together)
    return together


def _read_run(
    run: Any,
    by: Bundle,
    reading: Mapping[str, Any],
    roles: Mapping[str, str],
) -> Run:
    """The run as these conventions read it."""
    read = run_of(run, by.duplicates, **reading, reading=by.reading, columns=roles)
    return without_own(read, by.identical_ids)


def _second_run(
    other: Any,
    reading: Mapping[str, Any],
    by: Bundle,
    metrics: Sequence[Metric],
) -> Joined:
    """A second run, read as the first is; what it met is told with what the first met."""
    of_run = by.of_run(metrics)
    second = run_of(
        other,
        of_run.duplicates,
        **reading,
        reading=of_run.reading,
    )
    return Joined(second, None, by, chosen=metrics)


def _judged(
    qrels: Any,
    run: Run,
    by: Bundle,
    *,
    skip_bad: bool,
    columns: Mapping[str, str],
    only: AskedFor | None,
) -> Judged:
    """Judgments by grade; where both are in memory, queries without judged documents count."""
    read_once = qrels
    if not isinstance(qrels, JudgedPool):
        how: dict[str, Any] = {"skip_bad": skip_bad, "reading": by.reading, "columns": columns}
        read_once = source(qrels, run=False, **how)
    judged = Judged(
        read_once,
        by.negative_read,
        skip_bad=skip_bad,
        whole=by.whole_grades,
        asked_for=only,
    )
    if run.at_hand and judged.held is not None:
        cut = judged.cut
        not_asked_for = judged.not_asked_for
        judged = Judged(with_documents(run, judged.held, by))
        judged.cut = cut
        judged.asked_for = only
        judged.not_asked_for = not_asked_for
    return judged


def _of_asked(run: Run, only: AskedFor) -> Run:
    """A run of the queries that were asked for, where no judgments say which ones count."""
    kept = only.among(run)
    only.refuse_none(run, kept, "queries of the run")
    chosen = Run({query: run[query] for query in kept})
    chosen.told.update(run.told)
    chosen.not_asked_for = only.not_among(run)
    chosen.unknown = [query for query in only if query not in chosen]
    return chosen


def _refuse_unused(roles: Mapping[str, str], together: Joined) -> None:
    """Refuse a column that is given a role, and that neither the run nor the judgments have."""
    used: set[str] = set()
    for columns in together.columns.values():
        used.update(columns.values())
    for name, role in roles.items():
        if name not in used:
            raise InputError(
                f"columns: neither the run nor the judgments have a column {name!r} to be read as "
                f"{role}; name a column of a table"
            )


def _with_unjudged(
    as_judged: Joined,
    judged: Judged,
    by: Bundle,
    told: Mapping[str, Any],
) -> Joined:
    """The same run joined anew, with the queries that nobody judged among the judged ones."""
    queries = list(as_judged.matched.not_judged)
    if not queries:
        return as_judged
    every = Joined(as_judged.run, judged.with_unjudged(queries), by, as_judged.beside, **told)
    unknown = as_judged.matched.unknown
    every.matched = replace(every.matched, not_judged=queries, unknown=unknown)
    return every


def is_together(metric: Metric) -> bool:
    """Whether a measure is of several queries together, so that no query has a score by itself."""
    return metric.inputs is LISTS


def rows_together(joined: Joined, metric: Metric) -> Any:
    """The rows of such a measure: one system."""
    lists = {query: joined.order(query) for query in joined.queries}
    if "catalogue" not in joined.beside:
        raise InputError(
            f"{metric!r} needs catalogue, all items that can be recommended; give catalogue=... to "
            "evaluate"
        )
    return metric.inputs.align(lists, joined.beside["catalogue"])
