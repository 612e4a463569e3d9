"""The text of a gate's verdict: the change, the queries and groups, the documents that moved."""

import textwrap
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from irmetrics_edu import measured
from irmetrics_edu.gate.failure import RankingAssertionError, cut
from irmetrics_edu.gate.input_checks import lines_about
from irmetrics_edu.gate.message import inside, told_apart
from irmetrics_edu.gate.paired import MovesOf
from irmetrics_edu.gate.policy import GONE, UNANSWERED
from irmetrics_edu.gate.verdict import FAIL, INCONCLUSIVE, Broken, Verdict
from irmetrics_edu.gate.verdict import greatest_loss_first as by_loss
from irmetrics_edu.gate.worked_steps import WIDTH
from irmetrics_edu.measured import ALL, HINT, MISFIT
from irmetrics_edu.runs.moves import Move, Moves
from irmetrics_edu.runs.segments import named, quoted, some
from irmetrics_edu.views import formatting
from irmetrics_edu.views.formatting import steady

_QUERIES = 3  # shown
_ALSO = 2  # other reasons shown
_GROUPS = 3  # shown
_ENTERED = 3  # documents that are new, and count nothing
_OF = {
    "max_observed_drop": "the hard limit for the mean",
    "max_group_drop": "the hard limit for a group",
    "max_query_drop": "the hard limit for a query",
}


# What is said of queries of the baseline that the run does not have or answer: of one, of several.
_OF_QUERIES = {
    GONE: ("is gone", "are gone"),
    UNANSWERED: ("finds nothing now", "find nothing now"),
    MISFIT: (
        "has hardly a judged document in its rankings",
        "have hardly a judged document in its rankings",
    ),
}


@dataclass(frozen=True)
class ReasonToFail:
    """One reason to fail: the result of the test, or a hard limit that does not hold."""

    verdict: Verdict
    broken: Broken | None = None

    @property
    def limit(self) -> str:
        """The hard limit that is broken; "" if none is."""
        return "" if self.broken is None else self.broken.limit

    @property
    def place(self) -> int:
        """The sort key: the mean over all queries first, then groups, then single queries."""
        if self.broken is not None:
            return _ORDER.index(self.broken.limit)
        if self.verdict.group is None:
            return _ORDER.index(_TEST)
        return _ORDER.index(_TEST_OF_GROUP)


_TEST = "test"
_TEST_OF_GROUP = "test_of_group"
_ORDER = (
    MISFIT,
    GONE,
    _TEST,
    "max_observed_drop",
    "protected",
    UNANSWERED,
    _TEST_OF_GROUP,
    "max_group_drop",
    "max_query_drop",
)


def findings(verdicts: Sequence[Verdict], *, unsure_too: bool = False) -> list[ReasonToFail]:
    """All reasons to fail, the most important first."""
    reasons: list[ReasonToFail] = []
    for v in by_loss(verdicts):
        reasons += _reasons(v)
    if not reasons and unsure_too:
        unsure_of = [v for v in verdicts if v.word == INCONCLUSIVE]
        reasons = [ReasonToFail(v) for v in by_loss(unsure_of)]
    return sorted(reasons, key=lambda finding: finding.place)


def _reasons(v: Verdict) -> list[ReasonToFail]:
    """The reasons to fail that one verdict has."""
    if not v.test_fails:
        return [ReasonToFail(v, broken) for broken in v.broken]
    # Where the test fails, a limit on the same mean says nothing more.
    of_queries = [broken for broken in v.broken if broken.queries]
    reasons = [ReasonToFail(v, broken) for broken in of_queries]
    return [ReasonToFail(v), *reasons]


@dataclass(frozen=True)
class Wording:
    """The inputs of a message besides the verdicts."""

    verdicts: Sequence[Verdict]
    moves_of: MovesOf
    notes: Sequence[str] = ()
    texts: Mapping[Hashable, str] = field(default_factory=dict)
    accept: str = ""  # how to accept the change, if it is meant
    cause: str = ""  # what to ask before anything else
    run: Any = None  # as it was given
    reveal: str = ALL

    def error(self, reasons: Sequence[ReasonToFail]) -> RankingAssertionError:
        """The error that names these reasons to fail, the first at length."""
        worst = reasons[0]
        if self.reveal == HINT:
            # Which queries to look at, without scores of the baseline and without judgments.
            lost = [query for query, _ in worst.verdict.losers]
            advice = []
            if lost:
                queries = some(lost, self.texts, _QUERIES)
                advice.append(f"Lost most: {queries}")
            return RankingAssertionError(hint(worst), advice)
        first = first_line(worst, self.texts)
        at_length = partial(lines, reasons, self)
        return RankingAssertionError(f"{self.cause}{first}", at_length)


def warning(v: Verdict, wording: Wording) -> str:
    """The text of an inconclusive gate, in two lines: what can't be told, and who lost most.

    What was tested follows where the session shows more (-v).
    """
    sentences = [unsure(v)]
    if v.losers:
        sentences.append(_who_lost(v, wording.texts))
    if measured.verbosity():
        sentences += _wrapped(what_was_tested(v))
        sentences += _wrapped(_detectable(v))
    return "\n".join(sentences)


# -- first lines


def first_line(finding: ReasonToFail, texts: Mapping[Hashable, str]) -> str:
    """The first line of a failure, complete by itself."""
    v = finding.verdict
    broken = finding.broken
    if broken is None:
        return _of_the_test(v)
    if not broken.queries:
        return _over_a_limit(v, broken)
    if broken.limit in _OF_QUERIES:
        queries = _queries_of(finding)
        more = _more_than(broken)
        return f"{queries}{more} ({some(broken.queries, texts)})"
    return _of_a_query(v, broken, texts)


def _of_the_test(v: Verdict) -> str:
    """The first line if the test alone is the reason."""
    if v.rise:
        return no_improvement(v)
    if v.tested == FAIL:
        return dropped(v)
    return unsure(v)


def _over_a_limit(v: Verdict, broken: Broken) -> str:
    """The first line if a mean fell by more than a hard limit."""
    fell, allowed, _ = told_apart(-v.change, broken.allowed)
    limit = _OF[broken.limit]
    return f"{v.name} fell by {fell} > {allowed}, {limit} ({_from_to(v)}; {_n(v)})"


def _of_a_query(v: Verdict, broken: Broken, texts: Mapping[Hashable, str]) -> str:
    """The first line if single queries fell by more than they may."""
    query = broken.queries[0]
    many = len(broken.queries)
    change = v.differences[query]
    was = v.was[query]
    details = [
        _change(was, was + change),
        quoted(query, texts),
    ]
    if broken.limit == "protected":
        if many > 1:
            details.append(f"{many:,} protected queries fell")
        fell = f"{steady(-change):.4f}"
        return f"{v.measure} of protected query {query} fell by {fell}{inside(*details)}"
    fell, allowed, _ = told_apart(-change, broken.allowed)
    details.append(f"{many:,} of {_n(v)} over it")
    limit = _OF[broken.limit]
    return f"{v.measure} of {query} fell by {fell} > {allowed}, {limit}{inside(*details)}"


def _queries_of(finding: ReasonToFail) -> str:
    """How many queries of the baseline are not compared or not answered, and why."""
    broken = finding.broken
    v = finding.verdict
    assert broken is not None  # noqa: S101 -- only such a reason comes here
    n = len(broken.queries)
    had = len({*v.differences, *broken.queries})
    one, many = _OF_QUERIES[broken.limit]
    fate = one if n == 1 else many
    return f"{n:,} of the baseline's {had:,} queries {fate}"


def _more_than(broken: Broken) -> str:
    """What was allowed instead."""
    if broken.limit == MISFIT:
        return ", so there is nothing to compare with: have the ids changed?"
    if broken.limit == UNANSWERED:
        return f", more than {UNANSWERED}={broken.allowed:g}"
    return f", more than {formatting.percent(broken.allowed)}"


def dropped(v: Verdict) -> str:
    """The first line if the test finds a drop."""
    fell, most, _ = told_apart(-v.change, v.limit)
    return f"{v.name} fell by {fell} > {most} ({_from_to(v)}; {_n(v)})"


def no_improvement(v: Verdict) -> str:
    """The first line if the test shows no improvement."""
    direction = "rose" if v.change >= 0 else "fell"
    size = steady(abs(v.change))
    moved = f"{v.measure} {direction} by {size:.4f}"
    scores = _from_to(v)
    if v.change > v.limit:
        return f"{moved}, which may be chance: {_n(v)} can't tell, {_needed(v)} ({scores})"
    by = ""
    if v.limit:
        by = f" by more than {v.limit:g}"
    return f"{moved}, does not improve{by} ({scores}; {_n(v)})"


def unsure(v: Verdict) -> str:
    """The warning that there are too few queries to tell."""
    size = steady(abs(v.change))
    limit = f"{steady(v.limit):.4f}"
    if v.change < 0:
        moved = f"fell by {size:.4f}, {limit} is tolerated"
        asked = ""
    else:
        moved = f"rose by {size:.4f}"
        asked = f" whether others fall by {limit}"
    return f"{v.name} {moved}: {_n(v)} can't tell{asked}, {_needed(v)} ({_from_to(v)})"


def hint(finding: ReasonToFail) -> str:
    """The first line of a failure without what was expected."""
    v = finding.verdict
    broken = finding.broken
    after = f"{steady(v.after):.4f}"
    if broken is None and v.rise:
        return f"{v.measure} {after} is no improvement ({_n(v)})"
    if broken is None and v.tested != FAIL:
        return f"{v.name} {after}: {_n(v)} can't tell whether it is too low"
    if broken is None or not broken.queries:
        return f"{v.name} {after} is too low ({_n(v)})"
    if broken.limit in _OF_QUERIES:
        return _queries_of(finding)
    query = broken.queries[0]
    many = len(broken.queries)
    return f"{v.measure} of {query} is too low ({many:,} of {_n(v)})"


# -- the lines below


def lines(reasons: Sequence[ReasonToFail], wording: Wording, verbosity: int) -> list[str]:
    """The rest of a failure: other reasons, losers, moved documents, the test, what to do.

    With verbosity 0 a failure has 12 lines at most, and no statistics.
    """
    v = reasons[0].verdict
    above = _other_reasons(reasons[1:], wording, verbosity)
    above += wording.notes
    above.append(_who_lost(v, wording.texts))
    groups = None if verbosity else _GROUPS
    above += _groups(wording.verdicts, v.measure, groups)
    query = _to_look_at(reasons[0])
    if query is not None:
        above += _about(query, v.measure, wording)
    accept = _wrapped(wording.accept)
    if not verbosity:
        return cut(above, accept)
    for other in wording.verdicts:
        unnamed = other.test_fails or not other.broken
        if other.group is None and other is not v and unnamed:
            above.append(_other_measure(other))
    return [
        *above,
        *_wrapped(what_was_tested(v)),
        *_wrapped(_detectable(v)),
        *accept,
    ]


def _other_reasons(
    reasons: Sequence[ReasonToFail],
    wording: Wording,
    verbosity: int,
) -> list[str]:
    """A line for each reason but the first, and how many are not shown."""
    # That queries are gone is true of every measure, and said once.
    also = [reason for reason in reasons if reason.limit not in _OF_QUERIES]
    most = len(also) if verbosity else _ALSO
    lines_of_reasons = []
    for reason in also[:most]:
        line = first_line(reason, wording.texts)
        lines_of_reasons.append(f"also: {line}")
    hidden = len(also) - most
    if hidden > 0:
        lines_of_reasons.append(f"also: {hidden:,} more; -v shows them")
    return lines_of_reasons


def _to_look_at(first: ReasonToFail) -> Hashable | None:
    """The query whose documents are shown: the first that breaks a limit, or that lost most."""
    v = first.verdict
    if first.broken is not None:
        for query in first.broken.queries:
            if query in v.differences:
                return query
    if v.losers:
        query, _ = v.losers[0]
        return query
    return None


def _about(query: Hashable, measure: str, wording: Wording) -> list[str]:
    """The documents of a query that moved, and what was expected of it."""
    details = []
    moved = wording.moves_of(measure, query)
    if moved is not None:
        # Claims are new each time: the bad new one says more than the good old one.
        entered = bool(getattr(wording.run, "judged_anew", False))
        details += _moved(moved, wording.texts, entered=entered)
    return [*details, *lines_about(wording.run, query)]


def _other_measure(v: Verdict) -> str:
    """The verdict of another measure in a line."""
    test = "no score changed"
    if any(v.differences.values()):
        test = f"{_p(v)} for {_hypothesis(v)}"
    word = v.word if v.by_mean else v.tested
    return f"{v.measure}: {word} ({_from_to(v)}; {test})"


def _wrapped(sentence: str) -> list[str]:
    """A sentence as lines."""
    return textwrap.wrap(
        sentence,
        WIDTH,
        subsequent_indent="  ",
        break_long_words=False,
        break_on_hyphens=False,
    )


def what_was_tested(v: Verdict) -> str:
    """Which hypothesis was tested, and what follows from its p-value."""
    if v.tested == FAIL and v.rise:
        by = ""
        if v.limit:
            by = f" by more than {v.limit:g}"
        return f"The mean did not rise{by}."
    if not any(v.differences.values()):
        return "No score changed, so the test alone passes."
    level = f"{1 - v.confidence:.2g}"
    p = _p(v)
    if v.dropped and v.tests > 1:
        adjusted = steady(v.adjusted)
        p += f", {adjusted:.4f} by Holm's correction over {v.tests} tests"
    about = f"the hypothesis of {_hypothesis(v)}"
    if v.tested == INCONCLUSIVE:
        return f"The test can't reject {about} ({p}, not below {level}), so it decides nothing."
    if v.dropped:
        conclusion = "the mean fell, so the test alone fails"
    elif v.against < 0:
        conclusion = "any fall is less, so the test alone passes"
    else:
        conclusion = "the mean rose, so the test alone passes"
    return f"The test rejects {about} ({p}, below {level}): {conclusion}."


def _hypothesis(v: Verdict) -> str:
    """The change that was tested, in words."""
    if not v.against:
        return "no change"
    direction = "fall" if v.against < 0 else "rise"
    size = abs(v.against)
    return f"a {direction} by {size:g}"


def _detectable(v: Verdict) -> str:
    """The change that so many queries show."""
    sure = f"(confidence {formatting.percent(v.confidence)})"
    if v.detectable >= v.width:
        return f"So few queries show no change at all {sure}"
    if v.detectable > 0:
        least = f"a change of {steady(v.detectable):.4f} or more"
        spread = f"whose changes spread by {steady(v.spread):.4f}"
        return f"{_n(v)}, {spread}, are enough to find {least}, four times in five {sure}"
    return ""


def _groups(verdicts: Sequence[Verdict], measure: str, most: int | None) -> list[str]:
    """The groups of a measure in a line, the one that lost most first; reports have a table."""
    of_groups = [v for v in verdicts if v.group is not None and v.measure == measure]
    if not of_groups:
        return []
    shown = []
    for v in by_loss(of_groups)[:most]:
        change = steady(v.change)
        shown.append(f"{v.group} {change:+.3f}")
    more = " ..." if len(shown) < len(of_groups) else ""
    listed = ", ".join(shown)
    return [f"By group: {listed}{more}"]


def _who_lost(v: Verdict, texts: Mapping[Hashable, str]) -> str:
    """The queries that lost most, and how many lost, gained or stayed."""
    losers = v.losers
    unchanged = len(v.differences) - len(losers) - v.gained
    counts = f"{len(losers)} lost, {v.gained} gained, {unchanged} unchanged"
    if not losers:
        return counts.capitalize()
    shown = []
    for query, change in losers[:_QUERIES]:
        by = steady(change)
        shown.append(f"{named(query, texts)} {by:.3f}")
    more = " ..." if len(losers) > _QUERIES else ""
    listed = ", ".join(shown)
    return f"Lost most: {listed}{more}   {counts}"


def _moved(moves: Moves, texts: Mapping[Hashable, str], *, entered: bool = False) -> list[str]:
    """The documents that moved, the greatest loss first; with `entered` all new ones besides."""
    title = named(moves.query, texts)
    scores = _change(moves.before, moves.after)
    out = [f"{title}, what moved ({scores}):"]
    shown = moves.by_loss()
    if entered:
        shown = [*_new_ones(moves, shown), *shown]
    header = ["document", "grade", "rank before", "after"]
    if moves.is_sum:
        header.append("change of the score")
    table = []
    for move in shown:
        line = [
            str(move.document),
            _whole(move.grade),
            _whole(move.rank_before),
            _whole(move.rank_after),
        ]
        if moves.is_sum:
            worth = steady(move.worth)
            line.append(f"{worth:+.4f}")
        table.append(line)
    if table:
        text = formatting.aligned(header, table, indent="  ")
        out += text.split("\n")
    if moves.left_over and moves.is_sum:
        rest = steady(moves.left_over)
        out.append(f"  not due to single documents: {rest:+.4f}")
    return out


def _new_ones(moves: Moves, shown: Sequence[Move]) -> list[Move]:
    """Some documents that were not retrieved before, and are not shown already."""
    told = {move.document for move in shown}
    new = [move for move in moves.moves if move.rank_before is None]
    untold = [move for move in new if move.document not in told]
    return untold[:_ENTERED]


def _whole(value: float | None) -> str:
    """A grade or a rank; a dash if there is none."""
    return "-" if value is None else f"{value:g}"


def _change(before: float, after: float) -> str:
    """Two scores with an arrow."""
    return f"{steady(before):.4f} -> {steady(after):.4f}"


def _from_to(v: Verdict) -> str:
    """The means before and after."""
    return _change(v.before, v.after)


def _p(v: Verdict) -> str:
    """The p-value."""
    return f"p = {steady(v.p):.4f}" if v.p >= 0.0001 else "p < 0.0001"


def _n(v: Verdict) -> str:
    """The number of queries compared."""
    n = len(v.differences)
    noun = "query" if n == 1 else "queries"
    return f"{n:,} {noun}"


def _needed(v: Verdict) -> str:
    """How many queries it would take."""
    if v.needed is None:
        # The mean of these queries lies on the limit. The mean of others may not.
        return "and if others change as these do, it takes more than a million"
    return f"about {v.needed:,} would"
