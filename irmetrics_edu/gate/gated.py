"""What a gate found of one measure, as reports, tables and histories receive it."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from irmetrics_edu import measured
from irmetrics_edu.gate.paired import PairedScores
from irmetrics_edu.gate.verdict import FAIL, INCONCLUSIVE, PASS, Verdict, greatest_loss_first
from irmetrics_edu.measured import HINT
from irmetrics_edu.runs.segments import long_texts

_WORDS = (PASS, INCONCLUSIVE, FAIL)  # the worse the later
ADVISED = "advisory"
_LOSERS = 10  # queries that lost most, whose whole texts reports have
Facts = dict[str, Any]


@dataclass(frozen=True)
class Gated:
    """A gate's verdict on one measure, as reports receive it; `limits` are its hard limits."""

    measure: str
    verdicts: Sequence[Verdict]
    pair: PairedScores
    limits: Mapping[str, Any]
    reveal: str
    explained: Sequence[Exception] = ()
    advised: bool = False
    misfit: bool = False  # the labels no longer fit the documents
    gate: str = ""  # what tells the gate from the others of its test
    texts: Mapping[Hashable, str] = field(default_factory=dict)  # of queries, as far as known

    def facts(self) -> Facts:
        """The verdict in plain values, as JSON has them."""
        verdicts_of_measure = [v for v in self.verdicts if v.measure == self.measure]
        of_all = verdicts_of_measure[0]
        expected = self.reveal != HINT
        facts: Facts = {
            "gate": self.gate,
            "measure": of_all.measure,
            "score": measured.finite(of_all.after),
            "verdict": self._word(verdicts_of_measure),
            "bounds": self._bounds(of_all) if expected else {},
            "p": measured.finite(of_all.p),
            "queries": len(of_all.differences),
            "queries_needed": None if of_all.word == PASS else of_all.needed,
            "conventions": self.pair.run.conventions.name,
            "per_query": self._per_query(),
            "differences": _by_text(of_all.differences) if expected else {},
        }
        facts |= self._queries(expected=expected)
        shown = [query for query, _ in of_all.losers[:_LOSERS]]
        texts = long_texts([*self.pair.unanswered, *shown], self.texts)
        if texts:
            facts["texts"] = texts
        groups = greatest_loss_first(verdicts_of_measure[1:])
        if groups:
            facts["groups"] = [_group(v, expected=expected) for v in groups]
        if self.explained:  # as long as the terminal has it, which decides after this is made
            facts["explanation"] = "\n".join(map(str, self.explained))
        return facts

    def _word(self, verdicts_of_measure: Sequence[Verdict]) -> str:
        if self.advised:
            return ADVISED
        if self.misfit:
            return measured.MISFIT
        return max((v.word for v in verdicts_of_measure), key=_WORDS.index)

    def _bounds(self, v: Verdict) -> Facts:
        """What was asserted: the baseline, the margin or the rise, and the hard limits."""
        return {"baseline": v.before, "by" if v.rise else "margin": v.limit, **self.limits}

    def _per_query(self) -> dict[str, float | None]:
        scores = self.pair.after[self.measure]
        return {str(query): measured.finite(score) for query, score in scores.items()}

    def _queries(self, *, expected: bool) -> Facts:
        """The queries that are not compared, and those for which the run finds nothing now."""
        pair = self.pair
        told: Facts = {}
        if expected and (pair.new or pair.gone or pair.unjudged):
            told["not_compared"] = {
                "new": _texts(pair.new),
                "gone": _texts(pair.gone),
                "unjudged": _texts(pair.unjudged),
            }
        if pair.unanswered:
            told["unanswered"] = _texts(pair.unanswered)
        return told


def _texts(queries: Sequence[Hashable]) -> list[str]:
    return [str(query) for query in queries]


def _by_text(values: Mapping[Hashable, float]) -> dict[str, float]:
    return {str(query): value for query, value in values.items()}


def _group(v: Verdict, *, expected: bool) -> Facts:
    facts: Facts = {
        "group": str(v.group),
        "queries": len(v.differences),
        "score": measured.finite(v.after),
        "verdict": v.word,
    }
    if expected:
        corrected = v.adjusted if v.dropped else None  # else p is of another hypothesis
        facts |= {"baseline": v.before, "p": measured.finite(v.p), "p_corrected": corrected}
    return facts
