"""The text of a failure: the score, the queries to look at, and the steps of the lowest score.

Everything is read off the evaluation and its workings; nothing is computed here.
"""

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from irmetrics_edu.gate.bounds import Bound
from irmetrics_edu.gate.checked_value import Outcome
from irmetrics_edu.gate.failure import LINES, cut
from irmetrics_edu.gate.input_checks import lines_about, none_judged, question_of_ids
from irmetrics_edu.gate.worked_steps import WIDTH, conventions, missed, steps_of
from irmetrics_edu.runs.evaluation import Evaluation
from irmetrics_edu.runs.segments import named, quoted, some
from irmetrics_edu.views import formatting
from irmetrics_edu.views.explanation import Explanation
from irmetrics_edu.views.formatting import steady

_QUERIES = 3  # shown
_ABOUT = 5  # lines that are kept free for what was expected of a query
_GROUPS = 5  # shown

# Of a bound by its name; the others are lower bounds.
_SHOULD = {
    "at_most": "be at most",
    "equals": "equal",
}
_SIGNS = {
    "at_most": ">",
    "equals": "!=",
}
_DISTANCES = {
    "at_most": "over",
    "equals": "off",
}
_HINTS = {
    "at_most": "too high",
    "equals": "not the expected value",
}


# -- the first line


def first_line(outcome: Outcome, bound: Bound) -> str:
    """The first line: the score, the bound, the distance, and the number of queries.

    Complete by itself: pytest's summary and JUnit's message show no more.
    """
    place = _where(outcome, bound)
    among = place.among
    if place.of:
        among += " below"
    name = f"{outcome.name}{place.of}"
    if math.isnan(place.score):
        should = _SHOULD.get(bound.name, "be at least")
        return f"{name} is NaN, and should {should} {bound.value:.4f}{inside(among)}"
    here, there, off = told_apart(place.score, bound.value)
    sign = _SIGNS.get(bound.name, "<")
    how = _DISTANCES.get(bound.name, "short")
    tolerance = ""
    if bound.name == "equals":
        tolerance = f"tolerance {bound.tolerance:g}"
    cause = ""
    if outcome.is_run and none_judged(outcome.counts, outcome.run):
        cause = f"{question_of_ids()} "
    details = inside(
        f"{how} by {off}",
        tolerance,
        among,
    )
    convention = named_by_a_convention(outcome, bound)
    return f"{cause}{name} {here} {sign} {there}{details}{convention}"


@dataclass(frozen=True)
class _ScoreInBounds:
    """What a bound is about: a score, its query or group, and how many there are."""

    score: float
    of: str
    among: str


def _where(outcome: Outcome, bound: Bound) -> _ScoreInBounds:
    """The score that a bound is about, its query or group, and how many there are."""
    if bound.name == "every_query_at_least":
        return _query_below(outcome, bound)
    if bound.name == "every_group_at_least":
        return _group_below(outcome, bound)
    among = ""
    if outcome.is_run:
        among = _queries(len(outcome.queries))
    return _ScoreInBounds(outcome.score, "", among)


def _query_below(outcome: Outcome, bound: Bound) -> _ScoreInBounds:
    """The first query below the bound, and how many are."""
    wrong = bound.below(outcome)
    first = int(wrong[0])
    score = float(outcome.scores[first])
    if not outcome.is_run:
        return _ScoreInBounds(score, "", "")
    query = outcome.queries[first]
    among = f"{len(wrong):,} of {_queries(len(outcome.queries))}"
    text = quoted(query, outcome.texts)
    if text:
        among = f"{text}; {among}"
    return _ScoreInBounds(score, f" of {query}", among)


def _group_below(outcome: Outcome, bound: Bound) -> _ScoreInBounds:
    """The first group below the bound, and how many are."""
    below = bound.groups_below(outcome)
    group = below[0]
    members = _queries(len(outcome.groups[group]))
    short = max(outcome.groups_short, len(below))
    return _ScoreInBounds(
        score=outcome.group_scores[group],
        of=f" of group {group}",
        among=f"{members}; {short:,} of {len(outcome.groups):,} groups",
    )


def told_apart(score: float, bound: float) -> tuple[str, str, str]:
    """Both numbers and their distance, with enough digits (at least 4) to tell them apart.

    >>> told_apart(0.44999, 0.45)
    ('0.44999', '0.45000', '0.00001')
    """
    digits = 4
    here = f"{score:.{digits}f}"
    there = f"{bound:.{digits}f}"
    while digits < 12 and here == there:
        digits += 1
        here = f"{score:.{digits}f}"
        there = f"{bound:.{digits}f}"
    distance = abs(score - bound)
    return here, there, f"{distance:.{digits}f}"


def inside(*parts: str) -> str:
    """The parts that are not empty, in brackets after a blank; "" if all are empty."""
    inner = "; ".join(part for part in parts if part)
    return f" ({inner})" if inner else ""


def _queries(n: int) -> str:
    """A number of queries, in words."""
    noun = "query" if n == 1 else "queries"
    return f"{n:,} {noun}"


# -- the lines below


def lines(outcome: Outcome, broken: Sequence[Bound], verbosity: int) -> list[str]:
    """The explanation; at most LINES of it unless `verbosity` is 1 or more."""
    first = broken[0]
    head = [f"also: {first_line(outcome, bound)}" for bound in broken[1:]]
    head += which(outcome, first)
    query = _worst(outcome, first)
    about = lines_about(outcome.run, query)
    tail = conventions(
        outcome,
        query,
        whole=verbosity > 0,
    )
    title = _title(outcome, query)
    working = outcome.working(query)
    if verbosity:
        above = [
            *head,
            title,
            str(Explanation(working)),
            *missed(working),
            *about,
            "",
            *tail,
        ]
        return "\n".join(above).split("\n")
    room = LINES - len(head) - len(about[:_ABOUT]) - len(tail) - 1
    above = [
        *head,
        title,
        *steps_of(working, room),
        *about,
    ]
    return cut(above, tail)


def named_by_a_convention(outcome: Outcome, bound: Bound) -> str:
    """The convention or mistake that gives the expected value, and what to write, or ""."""
    if bound.name != "equals" or not isinstance(outcome.evaluation, Evaluation):
        return ""
    from irmetrics_edu.diagnosis.brief import one_line

    diagnosis = one_line(outcome.evaluation, bound.value, bound.tolerance)
    return f": {diagnosis}" if diagnosis else ""


def _title(outcome: Outcome, query: Hashable) -> str:
    """The line above the steps."""
    if outcome.is_run:
        return f"{named(query, outcome.texts)}, step by step:"
    return "Step by step:"


def _shown(outcome: Outcome, bound: Bound) -> list[Hashable]:
    """The queries to look at, the one that breaks the bound most first."""
    order = outcome.lowest_first.tolist()
    if bound.name == "at_most":
        order.reverse()
    kept = [i for i in order if not outcome.left_out[i]]
    if not kept:
        kept = order
    if bound.name == "every_group_at_least":
        group = bound.groups_below(outcome)[0]
        members = set(outcome.groups[group])
        kept = [i for i in kept if i in members]
    return [outcome.queries[i] for i in kept]


def _scores(outcome: Outcome) -> dict[Hashable, float]:
    """The score of each query."""
    scores = outcome.scores.tolist()
    return dict(zip(outcome.queries, scores, strict=True))


def _worst(outcome: Outcome, bound: Bound) -> Hashable:
    """The query to explain: the lowest that is in the run, since a missing query has no steps.

    If those of the run score all there is, a missing one explains a low mean.
    """
    missing = set(outcome.counts.missing)
    candidates = _shown(outcome, bound)
    scores = _scores(outcome)
    highest = outcome.measure.metric.range[1]
    best = math.inf if bound.name == "at_most" else highest
    for query in candidates:
        if query not in missing and not scores[query] >= best:
            return query
    return candidates[0]


def which(outcome: Outcome, bound: Bound) -> list[str]:
    """The queries to look at, and how many documents or queries were missing or unjudged."""
    facts = []
    if outcome.is_run:
        facts.append(_lowest(outcome, bound))
    if outcome.group_scores:
        facts.append(_lowest_groups(outcome))
    absent = gaps(outcome)
    if absent and len(facts) == 1 and len(f"{facts[0]}   {absent}") <= WIDTH:
        facts = [f"{facts[0]}   {absent}"]
    elif absent:
        facts.append(absent)
    return [*facts, *outcome.counts.of_order()]


def _lowest(outcome: Outcome, bound: Bound) -> str:
    """The lowest queries with their scores; the highest where a score may be too high."""
    scores = _scores(outcome)
    shown = []
    for query in _shown(outcome, bound)[:_QUERIES]:
        score = steady(scores[query])
        shown.append(f"{named(query, outcome.texts)} {score:.3f}")
    more = " ..." if len(outcome.queries) > _QUERIES else ""
    title = "Highest" if bound.name == "at_most" else "Lowest"
    return f"{title}: {', '.join(shown)}{more}"


def _lowest_groups(outcome: Outcome) -> str:
    """The groups with their scores and sizes, the lowest first."""
    shown = []
    for group, score in outcome.group_scores.items():
        size = _queries(len(outcome.groups[group]))
        shown.append(f"{group} {steady(score):.3f} ({size})")
    more = " ..." if len(shown) > _GROUPS else ""
    listed = ", ".join(shown[:_GROUPS])
    return f"Groups, lowest first: {listed}{more}"


def gaps(outcome: Outcome) -> str:
    """How many judged queries are missing, and how much of the top is unjudged."""
    counts = outcome.counts
    facts = []
    missing = len(counts.missing)
    if missing:
        fate = "counted 0" if counts.missing_score_zero else "left out"
        noun = "judged query" if missing == 1 else "judged queries"
        facts.append(f"{missing:,} {noun} missing from the run ({fate})")
    empty = len(counts.empty)
    if empty:
        finds = "finds" if empty == 1 else "find"
        named_ones = some(counts.empty, outcome.texts)
        facts.append(f"{_queries(empty)} {finds} nothing ({named_ones})")
    if counts.not_judged:
        not_judged = _queries(len(counts.not_judged))
        facts.append(f"{not_judged} of the run not judged (left out)")
    facts.append(_unjudged(outcome))
    facts.append(outcome.said)
    return "; ".join(part for part in facts if part)


def _unjudged(outcome: Outcome) -> str:
    """The share of the top that is unjudged; "" if all of it is judged."""
    counts = outcome.counts
    k = outcome.measure.k
    within = counts.documents_within.get(k, 0)
    if not within or not counts.unjudged_documents[k]:
        return ""
    share = steady(counts.unjudged_documents[k] / within)
    where = "documents retrieved" if k is None else f"top {k}"
    return f"{share:.0%} of the {where} unjudged".replace("%", " %")


# -- for graded exercises


def hint(outcome: Outcome, bound: Bound) -> str:
    """The first line without what was expected."""
    verdict = _HINTS.get(bound.name, "too low")
    place = _where(outcome, bound)
    score = formatting.number(place.score)
    among = inside(place.among)
    return f"{outcome.name}{place.of} {score} is {verdict}{among}"
