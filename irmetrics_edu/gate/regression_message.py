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
from irmetrics_edu.gate.segments import named, quoted, some
from irmetrics_edu.gate.verdict import FAIL, INCONCLUSIVE, Broken, Verdict
from irmetrics_edu.gate.verdict import greatest_loss_first as by_loss
from irmetrics_edu.gate.worked_steps import WIDTH
from irmetrics_edu.measured import ALL, HINT, MISFIT
from irmetrics_edu.runs.moves import Moves
from irmetrics_edu.views import formatting
from irmetrics_edu.views.formatting import steady

_QUERIES, _ALSO, _GROUPS = 3, 2, 3  # shown of each
_ENTERED = 3  # documents that are new, and count nothing
_ABOUT = 5  # lines about what was expected of a query
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
        tested = _TEST if self.verdict.group is None else _TEST_OF_GROUP
        return _ORDER.index(tested if self.broken is None else self.broken.limit)


_TEST, _TEST_OF_GROUP = "test", "test of a group"
_ORDER = (
    *(MISFIT, GONE, _TEST, "max_observed_drop", "protected", UNANSWERED),
    *(_TEST_OF_GROUP, "max_group_drop", "max_query_drop"),
)


def findings(verdicts: Sequence[Verdict], *, unsure_too: bool = False) -> list[ReasonToFail]:
    """All reasons to fail, the most important first."""
    found = []
    for v in by_loss(verdicts):
        found += [ReasonToFail(v)] if v.test_fails else []
        # Where the test fails, a limit on the same mean says nothing more.
        found += [ReasonToFail(v, b) for b in v.broken if b.queries or not v.test_fails]
    if not found and unsure_too:
        unsure_of = [v for v in verdicts if v.word == INCONCLUSIVE]
        found = [ReasonToFail(v) for v in by_loss(unsure_of)]
    return sorted(found, key=lambda finding: finding.place)


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

    def error(self, found: Sequence[ReasonToFail]) -> RankingAssertionError:
        """The error that names these reasons to fail, the first at length."""
        if self.reveal == HINT:
            # Which queries to look at, without scores of the baseline and without judgments.
            lost = [query for query, _ in found[0].verdict.losers]
            said = [f"Lost most: {some(lost, self.texts, _QUERIES)}"] if lost else []
            return RankingAssertionError(hint(found[0]), said)
        first = f"{self.cause}{first_line(found[0], self.texts)}"
        return RankingAssertionError(first, partial(lines, found, self))


def warning(v: Verdict, wording: Wording) -> str:
    """The text of an inconclusive gate, in two lines: what can't be told, and who lost most.

    What was tested follows where the session shows more (-v).
    """
    said = [unsure(v), *(_who_lost(v, wording.texts) if v.losers else [])]
    at_length = [*_wrapped(what_was_tested(v)), *_wrapped(_detectable(v))]
    return "\n".join([*said, *(at_length if measured.verbosity() else [])])


# -- first lines


def first_line(finding: ReasonToFail, texts: Mapping[Hashable, str]) -> str:
    """The first line of a failure, complete by itself."""
    v, broken = finding.verdict, finding.broken
    if broken is None and v.rise:
        return no_improvement(v)
    if broken is None:
        return dropped(v) if v.tested == FAIL else unsure(v)
    if not broken.queries:
        fell, allowed, _ = told_apart(-v.change, broken.allowed)
        return f"{v.name} fell by {fell} > {allowed}, {_OF[broken.limit]} ({_from_to(v)}; {_n(v)})"
    query = broken.queries[0]
    many = len(broken.queries)
    if broken.limit in _OF_QUERIES:
        return f"{_queries_of(finding)}{_more_than(broken)} ({some(broken.queries, texts)})"
    d = v.differences[query]
    said = [f"{steady(v.was[query]):.4f} -> {steady(v.was[query] + d):.4f}", quoted(query, texts)]
    if broken.limit == "protected":
        said.append(f"{many:,} protected queries fell" if many > 1 else "")
        return f"{v.measure} of protected query {query} fell by {steady(-d):.4f}{inside(*said)}"
    fell, allowed, _ = told_apart(-d, broken.allowed)
    said.append(f"{many:,} of {_n(v)} over it")
    what = f"{v.measure} of {query} fell by {fell} > {allowed}, {_OF[broken.limit]}"
    return f"{what}{inside(*said)}"


def _queries_of(finding: ReasonToFail) -> str:
    """How many queries of the baseline are not compared or not answered, and why."""
    broken = finding.broken
    v = finding.verdict
    assert broken is not None  # noqa: S101 -- only such a reason comes here
    n = len(broken.queries)
    had = len({*v.differences, *broken.queries})
    one, many = _OF_QUERIES[broken.limit]
    return f"{n:,} of the baseline's {had:,} queries {one if n == 1 else many}"


def _more_than(broken: Broken) -> str:
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
    rose = f"{'rose' if v.change >= 0 else 'fell'} by {steady(abs(v.change)):.4f}"
    by = f" by more than {v.limit:g}" if v.limit else ""
    if v.change > v.limit:
        return (
            f"{v.measure} {rose}, which may be chance: {_n(v)} can't tell, {_needed(v)} "
            f"({_from_to(v)})"
        )
    return f"{v.measure} {rose}, does not improve{by} ({_from_to(v)}; {_n(v)})"


def unsure(v: Verdict) -> str:
    """The warning that there are too few queries to tell."""
    by = f"{steady(abs(v.change)):.4f}"
    limit = f"{steady(v.limit):.4f}"
    moved = f"fell by {by}, {limit} is tolerated" if v.change < 0 else f"rose by {by}"
    asked = "" if v.change < 0 else f" whether others fall by {limit}"
    return f"{v.name} {moved}: {_n(v)} can't tell{asked}, {_needed(v)} ({_from_to(v)})"


def hint(finding: ReasonToFail) -> str:
    """The first line of a failure without what was expected."""
    v = finding.verdict
    if finding.broken is None and v.rise:
        return f"{v.measure} {steady(v.after):.4f} is no improvement ({_n(v)})"
    if finding.broken is None and v.tested != FAIL:
        return f"{v.name} {steady(v.after):.4f}: {_n(v)} can't tell whether it is too low"
    if finding.broken is None or not finding.broken.queries:
        return f"{v.name} {steady(v.after):.4f} is too low ({_n(v)})"
    if finding.broken.limit in _OF_QUERIES:
        return _queries_of(finding)
    query = finding.broken.queries[0]
    many = len(finding.broken.queries)
    return f"{v.measure} of {query} is too low ({many:,} of {_n(v)})"


# -- the lines below


def lines(found: Sequence[ReasonToFail], wording: Wording, verbosity: int) -> list[str]:
    """The rest of a failure: other reasons, losers, moved documents, the test, what to do.

    With verbosity 0 a failure has 12 lines at most, and no statistics.
    """
    first = found[0]
    v = found[0].verdict
    # That queries are gone is true of every measure, and said once.
    also = [f for f in found[1:] if f.broken is None or f.broken.limit not in _OF_QUERIES]
    most = len(also) if verbosity else _ALSO
    said = [f"also: {first_line(one, wording.texts)}" for one in also[:most]]
    if len(also) > most:
        said.append(f"also: {len(also) - most:,} more; -v shows them")
    said += [*wording.notes, *_who_lost(v, wording.texts)]
    said += _groups(wording.verdicts, v.measure, None if verbosity else _GROUPS)
    of_limit = [q for q in first.broken.queries if q in v.differences] if first.broken else []
    wanted = [*of_limit, *(query for query, _ in v.losers if query not in of_limit)]
    for query in wanted[:1]:
        moved = wording.moves_of(v.measure, query)
        if moved is not None:
            # Claims are new each time: the bad new one says more than the good old one.
            entered = bool(getattr(wording.run, "judged_anew", False))
            said += _moved(moved, wording.texts, entered=entered)
        said += lines_about(wording.run, query)[: None if verbosity else _ABOUT]
    accept = _wrapped(wording.accept)
    if not verbosity:
        return cut(said, accept)
    for other in wording.verdicts:
        if other.group is None and other is not v and (other.test_fails or not other.broken):
            changed = any(other.differences.values())
            p = f"{_p(other)} for {_hypothesis(other)}" if changed else "no score changed"
            word = other.word if other.by_mean else other.tested
            said.append(f"{other.measure}: {word} ({_from_to(other)}; {p})")
    return [*said, *_wrapped(what_was_tested(v)), *_wrapped(_detectable(v)), *accept]


def _wrapped(sentence: str) -> list[str]:
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
        return f"The mean did not rise{f' by more than {v.limit:g}' if v.limit else ''}."
    if not any(v.differences.values()):
        return "No score changed, so the test alone passes."
    level = f"{1 - v.confidence:.2g}"
    p = _p(v)
    if v.dropped and v.tests > 1:
        p += f", {steady(v.adjusted):.4f} by Holm's correction over {v.tests} tests"
    about = f"the hypothesis of {_hypothesis(v)}"
    if v.tested == INCONCLUSIVE:
        return f"The test can't reject {about} ({p}, not below {level}), so it decides nothing."
    if v.dropped:
        found = "the mean fell, so the test alone fails"
    else:
        found = (
            f"{'any fall is less' if v.against < 0 else 'the mean rose'}, so the test alone passes"
        )
    return f"The test rejects {about} ({p}, below {level}): {found}."


def _hypothesis(v: Verdict) -> str:
    if not v.against:
        return "no change"
    return f"a {'fall' if v.against < 0 else 'rise'} by {abs(v.against):g}"


def _detectable(v: Verdict) -> str:
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
    of = by_loss(v for v in verdicts if v.group is not None and v.measure == measure)
    shown = ", ".join(f"{v.group} {steady(v.change):+.3f}" for v in of[:most])
    more = " ..." if len(of[:most]) < len(of) else ""
    return [f"By group: {shown}{more}"] if of else []


def _who_lost(v: Verdict, texts: Mapping[Hashable, str]) -> list[str]:
    losers = v.losers
    unchanged = len(v.differences) - len(losers) - v.gained
    counts = f"{len(losers)} lost, {v.gained} gained, {unchanged} unchanged"
    if not losers:
        return [counts.capitalize()]
    shown = ", ".join(f"{named(q, texts)} {steady(d):.3f}" for q, d in losers[:_QUERIES])
    more = " ..." if len(losers) > _QUERIES else ""
    return [f"Lost most: {shown}{more}   {counts}"]


def _moved(found: Moves, texts: Mapping[Hashable, str], *, entered: bool = False) -> list[str]:
    """The documents that moved, the greatest loss first; with `entered` all new ones besides."""
    title = named(found.query, texts)
    out = [f"{title}, what moved ({steady(found.before):.4f} -> {steady(found.after):.4f}):"]
    header: tuple[str, ...] = ("document", "grade", "rank before", "after")
    header += ("change of the score",) if found.is_sum else ()
    shown = found.by_loss()
    if entered:
        told = {move.document for move in shown}
        new = [m for m in found.moves if m.rank_before is None and m.document not in told]
        shown = [*new[:_ENTERED], *shown]
    table = []
    for m in shown:
        line = (str(m.document), _whole(m.grade), _whole(m.rank_before), _whole(m.rank_after))
        table.append((*line, f"{steady(m.worth):+.4f}")[: len(header)])
    if table:
        out += formatting.aligned(header, table, indent="  ").split("\n")
    if found.left_over and found.is_sum:
        out.append(f"  not due to single documents: {steady(found.left_over):+.4f}")
    return out


def _whole(value: Any) -> str:
    return "-" if value is None else f"{value:g}"


def _from_to(v: Verdict) -> str:
    return f"{steady(v.before):.4f} -> {steady(v.after):.4f}"


def _p(v: Verdict) -> str:
    return f"p = {steady(v.p):.4f}" if v.p >= 0.0001 else "p < 0.0001"


def _n(v: Verdict) -> str:
    n = len(v.differences)
    return f"{n:,} {'query' if n == 1 else 'queries'}"


def _needed(v: Verdict) -> str:
    """How many queries it would take."""
    if v.needed is None:
        return "and a million can't either"
    return f"about {v.needed:,} would"
