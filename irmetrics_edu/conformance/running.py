"""A library against the vectors: agrees, follows another convention, or follows none."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from irmetrics_edu.conformance.adapters import ADAPTERS, Adapter
from irmetrics_edu.conformance.vectors import Case, cases
from irmetrics_edu.diagnosis.candidates import explain_value
from irmetrics_edu.diagnosis.printed import Target
from irmetrics_edu.diagnosis.search import Search
from irmetrics_edu.diagnosis.small import small_inputs
from irmetrics_edu.diagnosis.switches import Setting, written
from irmetrics_edu.errors import InputError
from irmetrics_edu.libraries import OURS
from irmetrics_edu.measures import measure

AGREES, FOLLOWS, NONE = "agrees", "follows", "none"
_WITHIN = 6e-6  # gdeval prints five digits, others reckon in 32 bits


@dataclass(frozen=True)
class Verdict:
    """What a library does with one metric at one cut-off."""

    library: str
    measure: str
    verdict: str
    convention: str  # the arguments under which we agree; of the nearest where none does
    cases: int
    agreeing: int  # of the cases, under that convention
    example: str = ""  # a minimal input that the convention does not explain

    def as_dict(self) -> dict[str, Any]:
        """In plain values."""
        return dict(vars(self))


def run_library(name: str) -> list[Verdict]:
    """Run an installed library against the vectors, metric by metric.

    Raises InputError for a library that is not known or not installed.
    """
    if name not in ADAPTERS:
        raise InputError(f"{name!r} is not a known library; known are {', '.join(ADAPTERS)}")
    adapter = ADAPTERS[name]
    if not adapter.installed:
        raise InputError(f"{name} is not installed here; pip install {adapter.package}")
    grouped: dict[tuple[str, int | None], dict[str, Case]] = {}
    for case in cases():  # the first of each input has the conventions of the definition
        grouped.setdefault((case.metric, case.k), {}).setdefault(case.input, case)
    verdicts = []
    for (metric, k), found in grouped.items():
        verdict = judged(adapter, metric, k, found)
        if verdict is not None:
            verdicts.append(verdict)
    return verdicts


def judged(
    adapter: Adapter, metric: str, k: int | None, found: Mapping[str, Case]
) -> Verdict | None:
    """The verdict on one metric; None where the library does not have it."""
    numbered = {str(i): case for i, case in enumerate(found.values(), 1)}  # as gdeval wants them
    run = {query: _scored(c.ranking) for query, c in numbered.items()}
    qrels = {query: dict(c.judgments) for query, c in numbered.items()}
    scores = adapter.measure(metric, k, run, qrels)
    if not scores:
        return None
    name = metric if k is None else f"{metric}@{k}"
    agreeing = sum(abs(v - numbered[q].number) <= _WITHIN for q, v in scores.items())
    if agreeing == len(scores):
        return Verdict(adapter.name, name, AGREES, "", len(scores), agreeing)
    search = Search(measure(name), run, qrels, OURS, {})
    explained = explain_value(search, Target.of(dict(scores), _WITHIN))
    if explained.candidates:
        said = explained.candidates[0].written
        return Verdict(adapter.name, name, FOLLOWS, said, len(scores), len(scores))
    setting, most = _best(search, scores)
    return Verdict(
        adapter.name,
        name,
        NONE,
        written(setting.changes(search.switches.base)) or "our default",
        len(scores),
        most,
        _minimal(adapter, metric, k, search, setting),
    )


def _scored(ranking: Sequence[str]) -> dict[str, float]:
    """Documents with falling scores, no two alike."""
    return {d: float(len(ranking) - i) for i, d in enumerate(ranking)}


def _best(search: Search, scores: Mapping[str, float]) -> tuple[Setting, int]:
    """The setting that explains most of the values."""
    best, most = search.switches.base, -1
    for setting in search.switches.settings():
        found = search.score(setting)
        if found is None:
            continue
        n = sum(
            abs(v - float(found.scores[found.place[q]])) <= _WITHIN
            for q, v in scores.items()
            if q in found.place
        )
        if n > most:
            best, most = setting, n
    return best, most


def _minimal(adapter: Adapter, metric: str, k: int | None, search: Search, setting: Setting) -> str:
    """The smallest input on which the library gives something else, with both values."""
    small = small_inputs(search.chosen.metric)
    run = {str(q + 1): _scored(list(ranking)) for q, ranking in small.run.items()}
    qrels = {str(q + 1): dict(j) for q, j in (small.qrels or {}).items()}
    theirs = adapter.measure(metric, k, run, qrels) or {}
    ours = Search(search.chosen, run, qrels, OURS, {}).score(setting)
    if ours is None:
        return ""
    for query, ranking in run.items():  # the smallest come first
        if query not in theirs or query not in ours.place:
            continue
        here = float(ours.scores[ours.place[query]])
        if abs(theirs[query] - here) > _WITHIN:
            return (
                f"ranking {list(ranking)}, judgments {qrels[query]}: "
                f"{theirs[query]:.4f}, not {here:.4f}"
            )
    return ""
