"""Whether a run is worth keeping as a baseline: one that can't be missed is no guard."""

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any

from irmetrics_edu.gate.baseline import Baseline
from irmetrics_edu.gate.input_checks import none_judged
from irmetrics_edu.gate.policy import OFF, Policy
from irmetrics_edu.runs.notes import NONE_JUDGED
from irmetrics_edu.runs.run_scores import RunScores
from irmetrics_edu.runs.segments import some
from irmetrics_edu.views.formatting import percent


class Doubt(Enum):
    """Why a gate with this baseline could hardly fail."""

    UNJUDGED = "no judged document was retrieved"
    LEAST = "a measure has the least value there is"
    UNANSWERED = "most queries find nothing"


def doubts(evaluation: RunScores, run: Any, kept: Baseline, *, first: bool) -> dict[Doubt, str]:
    """Why a run is hardly worth keeping, each reason with its sentence; none if it is.

    `run` is the run as it was given, which may know what was expected of a query. Whether most
    queries are answered is asked of a `first` baseline; the next ones are held against it.
    """
    objections: dict[Doubt, str] = {}
    if none_judged(evaluation.counts, run):
        objections[Doubt.UNJUDGED] = NONE_JUDGED
    least = {m.name: m.metric.range[0] for m in evaluation.measures}
    at_least = []
    for name, mean in kept.means.items():
        if mean <= least[name]:
            at_least.append(f"{name} {mean:g}")
    if at_least:
        values = ", ".join(at_least)
        objections[Doubt.LEAST] = (
            f"{values}: the least there is, so the gate could never fail by it"
        )
    without = [query for query in kept.scores if not kept.answers(query)]
    queries = len(kept.scores)
    if first and 2 * len(without) > queries:
        shown = some(without, {})
        objections[Doubt.UNANSWERED] = (
            f"{len(without):,} of {queries:,} queries find nothing ({shown})"
        )
    return objections


def newly_unanswered(
    was: Baseline, now: Baseline, judged: Sequence[str] | Mapping[str, Any]
) -> list[str]:
    """The queries that one baseline answers and the next one does not, though they are judged."""
    still = set(judged) | set(now.lacked)
    lost = []
    for query in was.scores:
        unanswered = was.answers(query) and not now.answers(query)
        if query in still and unanswered:
            lost.append(query)
    return lost


def answers_lost(lost: Sequence[str]) -> str:
    """Which queries of a baseline find nothing any more, in words; "" if there is none."""
    return _finding(lost, "nothing now")


def without_answers(queries: Sequence[str]) -> str:
    """Which queries find nothing, in words; "" if there is none."""
    return _finding(queries, "nothing")


def _finding(queries: Sequence[str], what: str) -> str:
    if not queries:
        return ""
    shown = some(queries, {})
    if len(queries) == 1:
        return f"1 query finds {what} ({shown})"
    return f"{len(queries):,} queries find {what} ({shown})"


def too_few_answers(was: Baseline, lost: Sequence[str], policy: Policy) -> str:
    """Why a baseline that leaves these queries unanswered is not written; "" if it may be."""
    if policy.max_gone == OFF:
        return ""
    most = float(policy.max_gone)
    had = len(was.scores)
    share = len(lost) / had
    if share <= most:
        return ""
    queries = "query" if len(lost) == 1 else "queries"
    shown = some(lost, {})
    return (
        f"it would leave {len(lost):,} {queries} unanswered of the {had:,} that the "
        f"baseline has, more than {percent(most)} ({shown})"
    )
