"""The text of a failure: the score, the queries to look at, and the steps of the lowest score.

Everything is read off the evaluation and its workings; nothing is computed here.
"""

import math
from collections.abc import Hashable, Sequence

from irmetrics_edu.gate.bounds import Bound
from irmetrics_edu.gate.checked_value import Outcome
from irmetrics_edu.gate.failure import LINES
from irmetrics_edu.gate.input_checks import changed_ids, lines_about
from irmetrics_edu.gate.segments import named, quoted, some
from irmetrics_edu.gate.worked_steps import WIDTH, conventions, missed, steps_of
from irmetrics_edu.runs.evaluation import Evaluation
from irmetrics_edu.views import formatting
from irmetrics_edu.views.explanation import Explanation
from irmetrics_edu.views.formatting import steady

_QUERIES = 3  # shown
_ABOUT = 5  # lines about what was expected of a query
_GROUPS = 5  # shown


# -- the first line


def first_line(outcome: Outcome, bound: Bound) -> str:
    """The first line: the score, the bound, the distance, and the number of queries.

    Complete by itself: pytest's summary and JUnit's message show no more.
    """
    score, of, among = _where(outcome, bound)
    among += " below" if of else ""
    if math.isnan(score):
        should = {"at_most": "be at most", "equals": "equal"}.get(bound.name, "be at least")
        return f"{outcome.name}{of} is NaN, and should {should} {bound.value:.4f}{inside(among)}"
    here, there, off = told_apart(score, bound.value)
    sign, how = {"at_most": (">", "over"), "equals": ("!=", "off")}.get(bound.name, ("<", "short"))
    tolerance = f"tolerance {bound.tolerance:g}" if bound.name == "equals" else ""
    cause = changed_ids(outcome.counts, outcome.run) if outcome.is_run else ""
    return (
        f"{cause}{outcome.name}{of} {here} {sign} {there}"
        f"{inside(f'{how} by {off}', tolerance, among)}{named_by_a_convention(outcome, bound)}"
    )


def _where(outcome: Outcome, bound: Bound) -> tuple[float, str, str]:
    """The score that a bound is about, its query or group, and how many there are."""
    n = len(outcome.queries)
    if bound.name == "every_query_at_least":
        wrong = bound.below(outcome)
        score = float(outcome.scores[int(wrong[0])])
        if not outcome.is_run:
            return score, "", ""
        query = outcome.queries[int(wrong[0])]
        among = f"{len(wrong):,} of {_queries(n)}"
        return score, f" of {query}", "; ".join(filter(None, (quoted(query, outcome.texts), among)))
    if bound.name == "every_group_at_least":
        below = bound.groups_below(outcome)
        n = len(outcome.groups[below[0]])
        short = max(outcome.groups_short, len(below))
        among = f"{_queries(n)}; {short:,} of {len(outcome.groups):,} groups"
        return outcome.group_scores[below[0]], f" of group {below[0]}", among
    return outcome.score, "", _queries(n) if outcome.is_run else ""


def told_apart(score: float, bound: float) -> tuple[str, str, str]:
    """Both numbers and their distance, with enough digits (at least 4) to tell them apart.

    >>> told_apart(0.44999, 0.45)
    ('0.44999', '0.45000', '0.00001')
    """
    digits = 4
    while digits < 12 and f"{score:.{digits}f}" == f"{bound:.{digits}f}":
        digits += 1
    return tuple(f"{v:.{digits}f}" for v in (score, bound, abs(score - bound)))  # type: ignore[return-value]  # three texts of three numbers


def inside(*parts: str) -> str:
    """The parts that are not empty, in brackets after a blank; "" if all are empty."""
    said = "; ".join(part for part in parts if part)
    return f" ({said})" if said else ""


def _queries(n: int) -> str:
    return f"{n:,} {'query' if n == 1 else 'queries'}"


# -- the lines below


def lines(outcome: Outcome, broken: Sequence[Bound], verbosity: int) -> list[str]:
    """The explanation; at most LINES of it unless `verbosity` is 1 or more."""
    head = [f"also: {first_line(outcome, bound)}" for bound in broken[1:]]
    said = which(outcome, broken[0])
    query = _worst(outcome, broken[0])
    tail = conventions(outcome, query, whole=verbosity > 0)
    if verbosity:
        working = outcome.working(query)
        steps = [_title(outcome, query), str(Explanation(working)), *missed(working)]
        about = [*lines_about(outcome.run, query), ""]
        return "\n".join([*head, *said, *steps, *about, *tail]).split("\n")
    tail = [*lines_about(outcome.run, query)[:_ABOUT], *tail]
    room = LINES - len(head) - len(said) - len(tail) - 1
    return [*head, *said, _title(outcome, query), *steps_of(outcome.working(query), room), *tail]


def named_by_a_convention(outcome: Outcome, bound: Bound) -> str:
    """The convention or mistake that gives the expected value, and what to write, or ""."""
    if bound.name != "equals" or not isinstance(outcome.evaluation, Evaluation):
        return ""
    from irmetrics_edu.diagnosis.brief import one_line

    said = one_line(outcome.evaluation, bound.value, bound.tolerance)
    return f": {said}" if said else ""


def _title(outcome: Outcome, query: Hashable) -> str:
    if outcome.is_run:
        return f"{named(query, outcome.texts)}, step by step:"
    return "Step by step:"


def _shown(outcome: Outcome, bound: Bound, most: int) -> list[Hashable]:
    order = outcome.lowest_first[::-1] if bound.name == "at_most" else outcome.lowest_first
    kept = [i for i in order.tolist() if not outcome.left_out[i]] or order.tolist()
    if bound.name == "every_group_at_least":
        members = set(outcome.groups[bound.groups_below(outcome)[0]])
        kept = [i for i in kept if i in members]
    return [outcome.queries[i] for i in kept[:most]]


def _worst(outcome: Outcome, bound: Bound) -> Hashable:
    """The query to explain: the lowest that is in the run, since a missing query has no steps.

    If those of the run score all there is, a missing one explains a low mean.
    """
    missing = set(outcome.counts.missing)
    candidates = _shown(outcome, bound, len(outcome.queries))
    scores = dict(zip(outcome.queries, outcome.scores.tolist(), strict=True))
    best = math.inf if bound.name == "at_most" else outcome.measure.metric.range[1]
    for query in candidates:
        if query not in missing and not scores[query] >= best:
            return query
    return candidates[0]


def which(outcome: Outcome, bound: Bound) -> list[str]:
    """The queries to look at, and how many documents or queries were missing or unjudged."""
    said = []
    if outcome.is_run:
        scores = dict(zip(outcome.queries, outcome.scores.tolist(), strict=True))
        shown = [
            f"{named(q, outcome.texts)} {steady(scores[q]):.3f}"
            for q in _shown(outcome, bound, _QUERIES)
        ]
        more = " ..." if len(outcome.queries) > _QUERIES else ""
        which = "Highest" if bound.name == "at_most" else "Lowest"
        said.append(f"{which}: {', '.join(shown)}{more}")
    groups = [
        f"{group} {steady(score):.3f} ({_queries(len(outcome.groups[group]))})"
        for group, score in outcome.group_scores.items()
    ]
    if groups:
        more = " ..." if len(groups) > _GROUPS else ""
        said.append(f"Groups, lowest first: {', '.join(groups[:_GROUPS])}{more}")
    absent = gaps(outcome)
    if absent and len(said) == 1 and len(said[0]) + len(absent) + 3 <= WIDTH:
        return [f"{said[0]}   {absent}"]
    return [*said, *([absent] if absent else [])]


def gaps(outcome: Outcome) -> str:
    """How many judged queries are missing, and how much of the top is unjudged."""
    counts = outcome.counts
    k = outcome.measure.k
    said = []
    missing = len(counts.missing)
    if missing:
        fate = "counted 0" if counts.missing_score_zero else "left out"
        noun = "judged query" if missing == 1 else "judged queries"
        said.append(f"{missing:,} {noun} missing from the run ({fate})")
    if counts.empty:
        finds = "finds" if len(counts.empty) == 1 else "find"
        named_ones = some(counts.empty, outcome.texts)
        said.append(f"{_queries(len(counts.empty))} {finds} nothing ({named_ones})")
    if counts.not_judged:
        said.append(f"{_queries(len(counts.not_judged))} of the run not judged (left out)")
    within = counts.documents_within.get(k, 0)
    if within and counts.unjudged_documents[k]:
        share = counts.unjudged_documents[k] / within
        where = "documents retrieved" if k is None else f"top {k}"
        said.append(f"{steady(share):.0%} of the {where} unjudged".replace("%", " %"))
    if outcome.said:
        said.append(outcome.said)
    return "; ".join(said)


# -- for graded exercises


def hint(outcome: Outcome, bound: Bound) -> str:
    """The first line without what was expected."""
    verdict = {"at_most": "too high", "equals": "not the expected value"}.get(bound.name, "too low")
    score, of, among = _where(outcome, bound)
    return f"{outcome.name}{of} {formatting.number(score)} is {verdict}{inside(among)}"
