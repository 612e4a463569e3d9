"""Whether a run is worth keeping as a baseline: one that can't be missed is no guard."""

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any

from irmetrics_edu.gate.baseline import Baseline
from irmetrics_edu.gate.input_checks import changed_ids
from irmetrics_edu.gate.policy import OFF, Policy
from irmetrics_edu.gate.segments import some
from irmetrics_edu.runs.notes import NONE_JUDGED
from irmetrics_edu.runs.run_scores import RunScores
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
    found: dict[Doubt, str] = {}
    if changed_ids(evaluation.counts, run):
        found[Doubt.UNJUDGED] = NONE_JUDGED
    least = {m.name: m.metric.range[0] for m in evaluation.measures}
    at_it = [name for name, mean in kept.means.items() if mean <= least[name]]
    if at_it:
        values = ", ".join(f"{name} {kept.means[name]:g}" for name in at_it)
        found[Doubt.LEAST] = f"{values}: the least there is, so the gate could never fail by it"
    without = [query for query in kept.scores if not kept.answers(query)]
    if first and 2 * len(without) > len(kept.scores):
        found[Doubt.UNANSWERED] = (
            f"{len(without):,} of {len(kept.scores):,} queries find nothing ({some(without, {})})"
        )
    return found


def newly_unanswered(
    was: Baseline, now: Baseline, judged: Sequence[str] | Mapping[str, Any]
) -> list[str]:
    """The queries that one baseline answers and the next one does not, though they are judged."""
    still = set(judged) | set(now.lacked)
    return [
        query
        for query in was.scores
        if query in still and was.answers(query) and not now.answers(query)
    ]


def answers_lost(lost: Sequence[str]) -> str:
    """Which queries of a baseline find nothing any more, in words; "" if there is none."""
    if not lost:
        return ""
    finds = "1 query finds" if len(lost) == 1 else f"{len(lost):,} queries find"
    return f"{finds} nothing now ({some(lost, {})})"


def too_few_answers(was: Baseline, lost: Sequence[str], policy: Policy) -> str:
    """Why a baseline that leaves these queries unanswered is not written; "" if it may be."""
    if policy.max_gone == OFF or len(lost) / len(was.scores) <= float(policy.max_gone):
        return ""
    queries = "query" if len(lost) == 1 else "queries"
    return (
        f"it would leave {len(lost):,} {queries} unanswered of the {len(was.scores):,} that the "
        f"baseline has, more than {percent(float(policy.max_gone))} ({some(lost, {})})"
    )
