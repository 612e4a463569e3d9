"""What a gate says and on which side of a border it stands, over small cases and by plain loops."""

import json
import math
import warnings
from fractions import Fraction
from itertools import permutations, product
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from irmetrics_edu import evaluate, measured
from irmetrics_edu.gate import (
    failure,
    history,
    message,
    regression_message,
    worked_steps,
    worth_keeping,
)
from irmetrics_edu.gate.baseline import Baseline, fingerprint
from irmetrics_edu.gate.bounds import Bound, worst_group_first
from irmetrics_edu.gate.checked_value import Outcome
from irmetrics_edu.gate.input_checks import _empty, refuse_swapped_files
from irmetrics_edu.gate.paired import evaluated, refuse_unknown_queries
from irmetrics_edu.gate.plugin import baseline_diff, baseline_fixture, received
from irmetrics_edu.gate.plugin.baseline_diff import BaselineChange, Difference, Effects
from irmetrics_edu.gate.policy import GONE, UNANSWERED, Policy
from irmetrics_edu.gate.position import assert_ranks_above
from irmetrics_edu.gate.regression_message import ReasonToFail, Wording
from irmetrics_edu.gate.score import _groups_measured
from irmetrics_edu.gate.trials import _called, assert_pass_rate
from irmetrics_edu.gate.verdict import Broken, Verdict, improvement, queries_needed
from irmetrics_edu.gate.worth_keeping import Doubt
from irmetrics_edu.libraries import BUNDLES
from irmetrics_edu.measured import HINT, MISFIT
from irmetrics_edu.metrics.notation import measure
from irmetrics_edu.near_ties import TOLERANCE
from irmetrics_edu.rows.aligned_ranking import RANKED
from irmetrics_edu.runs.joining.queries import Look
from irmetrics_edu.runs.significance import minimum_detectable
from tests.tables import rows

QUERIES = ["q0", "q1", "q2", "q3", "q4"]


def baseline(scores, empty=(), lacked=(), **parts):
    """What is kept of a run: scores of RR by query, with the queries that find nothing."""
    usual = {
        "conventions": {"name": "ours"},
        "judgments": "j",
        "means": {"RR": sum(scores.values()) / max(len(scores), 1)},
        "scores": {query: [score] for query, score in scores.items()},
        "rankings": {query: [] if query in empty else ["a"] for query in scores},
        "depth": 10,
        "whole": True,
        "lacked": list(lacked),
    }
    return Baseline(**{**usual, **parts})


def some(queries):
    """Three queries at most, with dots for others."""
    return ", ".join(queries[:3]) + " ..." * (len(queries) > 3)


# -- what is worth keeping


@rows("number", range(1, 6))
@rows("first", [True, False])
def test_a_first_baseline_answers_at_least_half_of_its_queries(number, first, monkeypatch):
    """Half of them is enough; the next ones are held against it instead."""
    monkeypatch.setattr(worth_keeping, "none_judged", lambda *_: False)
    scores = SimpleNamespace(measures=[measure("RR")], counts=None)
    for without in range(number + 1):
        names = QUERIES[:number]
        kept = baseline(dict.fromkeys(names, 0.5), empty=names[:without])
        found = worth_keeping.doubts(scores, None, kept, first=first)
        too_many = first and Fraction(without, number) > Fraction(1, 2)
        says = f"{without} of {number} queries find nothing ({some(names[:without])})"
        assert found == ({Doubt.UNANSWERED: says} if too_many else {})


@rows("means", [*product([-1.0, -0.5, 0.0, 0.5], repeat=2)])
@rows("unjudged", [True, False])
def test_a_measure_with_the_least_value_there_is_could_never_fall(means, unjudged, monkeypatch):
    """Tau begins at -1, RR at 0; one is enough, and so is a run of which nothing is judged."""
    monkeypatch.setattr(worth_keeping, "none_judged", lambda *_: unjudged)
    least = {"tau": -1.0, "RR": 0.0}
    scores = SimpleNamespace(measures=[measure(name) for name in least], counts=None)
    held = dict(zip(least, means, strict=True))
    found = worth_keeping.doubts(scores, None, baseline({"q": 1.0}, means=held), first=True)
    at_least = [f"{name} {mean:g}" for name, mean in held.items() if mean <= least[name]]
    assert (Doubt.UNJUDGED in found) is unjudged
    assert (Doubt.LEAST in found) is bool(at_least)
    if at_least:
        assert found[Doubt.LEAST].startswith(f"{', '.join(at_least)}: the least there is")


@rows("now", [*product(["found", "empty", "lacked", "gone"], repeat=2)])
@rows("before", [*product(["found", "empty"], repeat=2)])
@rows("judged", [("q0", "q1"), ("q1",), ()])
def test_an_answer_is_lost_if_it_was_there_and_its_query_still_is(now, before, judged):
    """A query that is neither judged nor lacked is gone, and no lost answer."""

    def of(kinds):
        held = {q: kind for q, kind in zip(QUERIES, kinds, strict=False) if kind != "gone"}
        empty = [query for query, kind in held.items() if kind != "found"]
        lacked = [query for query, kind in held.items() if kind == "lacked"]
        return baseline(dict.fromkeys(held, 0.5), empty, lacked)

    expected = []
    for query, was, kind in zip(QUERIES, before, now, strict=False):
        is_there = query in judged or kind == "lacked"
        if was == "found" and kind != "found" and is_there:
            expected.append(query)
    assert worth_keeping.newly_unanswered(of(before), of(now), judged) == expected


@rows("lost", range(5))
@rows("most", [0.0, 0.25, 0.5, 1.0, "off"])
def test_answers_may_be_lost_up_to_a_share_of_the_queries(lost, most):
    """The share itself is allowed; one query is one."""
    names = QUERIES[:4]
    was = baseline(dict.fromkeys(names, 0.5))
    said = worth_keeping.too_few_answers(was, names[:lost], Policy(max_gone=most))
    is_told = most != "off" and lost / 4 > most
    assert bool(said) is is_told
    if is_told:
        noun = "query" if lost == 1 else "queries"
        assert f"would leave {lost} {noun} unanswered of the 4" in said
        assert f"more than {100 * most:g}" in said
        assert said.endswith(f"({some(names[:lost])})")
    for words, say in (
        ("nothing now", worth_keeping.answers_lost),
        ("nothing", worth_keeping.without_answers),
    ):
        finds = "1 query finds" if lost == 1 else f"{lost} queries find"
        expected = f"{finds} {words} ({some(names[:lost])})" if lost else ""
        assert say(names[:lost]) == expected


@rows("before", [None, *product([None, 0.25, 0.5], repeat=2)])
@rows("now", [*product([None, 0.25, 0.5], repeat=2)])
def test_what_is_said_of_a_baseline_that_is_written(before, now):
    """The means that changed, and which queries are gone, with the means of those that are left."""

    def of(values):
        held = dict(zip(QUERIES, values, strict=False))
        return baseline({query: value for query, value in held.items() if value is not None})

    kept = of(now)
    old = None if before is None else of(before)
    if not kept.scores or (old is not None and not old.scores):
        return
    gate = SimpleNamespace(after=SimpleNamespace(counts=SimpleNamespace(notes=list)))
    said = baseline_fixture._said("t", gate, kept, old.entry() if old else None)
    if old is None:
        assert said == ""  # it is told by the test itself
        return
    gone = [query for query in old.scores if query not in kept.scores]
    left = [query for query in old.scores if query in kept.scores]
    expected = []
    was, mean = old.means["RR"], kept.means["RR"]
    change = [f"RR {was:.4f} -> {mean:.4f}"] if was != mean else []
    if change or gone:
        expected = [", ".join(["updated: t", *change])]
    if gone:
        verb = "is" if len(gone) == 1 else "are"
        of_all = f"{len(gone)} of the baseline's {len(old.scores)} queries"
        expected.append(f"{of_all} {verb} gone ({some(gone)})")
        if left:
            sides = [sum(side.scores[q][0] for q in left) / len(left) for side in (old, kept)]
            expected.append(f"on the {len(left)} that are left RR {sides[0]:.4f} -> {sides[1]:.4f}")
    assert said == "; ".join(expected)


@rows("words", [*product(["pass", "fail", "inconclusive"], repeat=2)])
def test_why_a_gate_is_not_updated_is_said_of_all_that_do_not_pass(words):
    """One verdict of a failing kind only advises, or the gate would have been updated."""
    pending = []
    gate = SimpleNamespace(path="b.json", session=SimpleNamespace(pending=pending))
    judged = SimpleNamespace(verdicts=[SimpleNamespace(word=word) for word in words])
    call = SimpleNamespace(key="t")
    baseline_fixture.BaselineGate._tell_not_updated(gate, call, judged)
    if set(words) == {"pass"}:
        assert pending == []
        return
    [told] = pending
    why = "only advises" if "fail" in words else "is inconclusive"
    assert (told["path"], told["key"]) == ("b.json", "t")
    assert told["said"].startswith(f"not updated: t; its gate {why}, and --irm-update=failing")


# -- bounds


def outcome_of(scores, left_out=(), groups=None):
    """What a measure came to: the score of each query."""
    scores = np.array(scores, dtype=float)
    out = np.isin(np.arange(len(scores)), left_out)
    groups = groups or {}
    of_groups = {group: scores[members].mean() for group, members in groups.items()}
    return SimpleNamespace(
        score=scores.mean(),
        scores=scores,
        left_out=out,
        lowest_first=np.argsort(scores, kind="stable"),
        group_scores=of_groups,
        groups={group: np.array(members) for group, members in groups.items()},
    )


def edges(value):
    """Numbers about a border, down to the next floats beside it and beside what rounding allows."""
    for middle in (value - TOLERANCE, value, value + TOLERANCE):
        yield from (np.nextafter(middle, -9), middle, np.nextafter(middle, 9))
    yield from (value - 0.01, value + 0.01, math.nan)


@rows("value", [0.0, 0.25, 0.7, 1.0])
def test_a_border_is_the_same_for_a_mean_a_query_and_a_group(value):
    """What is at least 0.7 as a mean is at least 0.7 as a query's score; at most is its mirror."""
    for score in edges(value):
        outcome = outcome_of([score], groups={"g": [0]})
        holds = Bound("at_least", value).holds(outcome)
        assert Bound("every_query_at_least", value).holds(outcome) is bool(holds)
        for group in (None, "g"):
            assert Bound("every_group_at_least", value, group=group).holds(outcome) is bool(holds)
        assert Bound("every_group_at_least", 9.0, group="other").holds(outcome)
        mirrored = Bound("at_most", -value).holds(outcome_of([-score]))
        assert bool(mirrored) is bool(holds)
        if not math.isnan(score):
            # Within 1e-12 nobody can tell on which side it is meant to be.
            apart = score - value
            assert abs(apart) < 2e-12 or bool(holds) is bool(apart > 0)
            for tolerance in (0.0, 0.005, 0.02):
                within = Bound("equals", value, tolerance).holds(outcome)
                beyond = abs(apart) - tolerance
                assert abs(beyond) < 2e-12 or bool(within) is bool(beyond < 0)


@rows("scores", [*product([0.1, 0.3, 0.5, math.nan], repeat=3)])
def test_queries_and_groups_below_a_bound_are_found_lowest_first(scores):
    """What was left out is below no bound; a group of which all was left out is none."""
    for left_out in ([], [0], [0, 1]):
        outcome = outcome_of(scores, left_out, {"a": [0, 1], "b": [2]})
        below = [i for i in range(3) if i not in left_out and not scores[i] >= 0.3]
        by_score = sorted(below, key=lambda i: (math.isnan(scores[i]), scores[i]))
        found = Bound("every_query_at_least", 0.3).below(outcome)
        assert found.tolist() == by_score
        groups = []
        for group, members in (("a", [0, 1]), ("b", [2])):
            mean = sum(scores[i] for i in members) / len(members)
            if not mean >= 0.3 and not set(members) <= set(left_out):
                groups.append(group)
        assert Bound("every_group_at_least", 0.3).groups_below(outcome) == groups
        for name in ("a", "b"):
            own = Bound("every_group_at_least", 0.3, group=name)
            assert own.groups_below(outcome) == [group for group in groups if group == name]
        assert Bound("at_least", 0.9).groups_below(outcome) == []


@rows("order", [*permutations("abcd")])
def test_the_group_that_lacks_most_is_first_of_the_floors(order):
    """A group without a score lacks all; equal ones stay as they came, bounds for all before."""
    held = SimpleNamespace(group_scores={"a": 0.5, "b": 0.2, "c": math.nan, "d": 0.3})
    floors = {"a": 0.6, "b": 0.4, "c": 0.1, "d": 0.5}
    whole = Bound("at_least", 0.9)
    given = [Bound("every_group_at_least", floors[name], group=name) for name in order]
    found = worst_group_first([*given[:2], whole, *given[2:]], held)
    lacks = {"a": 0.1, "b": 0.2, "c": math.inf, "d": 0.2}
    expected = sorted(order, key=lambda name: -lacks[name])
    assert [bound.group for bound in found] == [None, *expected]


# -- what is fingerprinted, and trials


@rows(
    ("corpus", "same"),
    [
        ("May", "May"),
        (["b", "a"], {"a", "b"}),
        (("a", "b"), iter(["b", "a"])),
        ({"a": "x", "b": "y"}, {"b": "y", "a": "x"}),
    ],
)
def test_a_corpus_is_known_by_what_it_holds(corpus, same):
    """In any order; a text is a version, and stays as it is."""
    assert fingerprint(corpus) == fingerprint(same)
    assert (fingerprint(corpus) == corpus) is (corpus == "May")
    for other in ("June", ["a"], {"a": "x", "b": "z"}):
        assert fingerprint(other) != fingerprint(corpus)


@rows("odd", ["", " ", [], {}, (), 3, None, True, 0])
def test_a_corpus_of_nothing_is_refused(odd):
    """It could not be told from another."""
    with pytest.raises(ValueError, match=r"corpus=.*: give a version as text, ids, or id -> text"):
        fingerprint(odd)


def test_a_trial_fails_by_its_assertion_or_by_false():
    """With the first line of what it says, or the name of the error if it says nothing."""

    class OwnError(AssertionError):
        pass

    answers = iter(
        [
            True, None, 0, "", False, np.bool_(False), np.bool_(True),
            AssertionError("first\nsecond"), AssertionError(), OwnError("\nsecond"), OwnError(),
        ]
    )  # fmt: skip

    def trial():
        answer = next(answers)
        if isinstance(answer, Exception):
            raise answer
        return answer

    false = "it returned False"
    assert _called(trial, 11) == [
        *(None, None, None, None, false, false, None),
        *("first", "AssertionError", "OwnError", "OwnError"),
    ]


# -- verdicts


@rows("spread", [0.0, 0.05, 0.3, 2.0])
@rows("number", [2, 3, 7, 40])
def test_the_queries_that_are_needed_are_the_least_that_are_enough(spread, number):
    """More than there are, and so many that the test can get below its level at all."""
    for margin, level in product([0.02, 0.1, 0.6], [0.05, 0.01]):
        found = queries_needed(spread, margin, number, level)
        # With n queries the randomisation test has 2 ** n signs, of which two are as extreme.
        least = next(n for n in range(1, 99) if Fraction(2, 2**n) <= Fraction(str(level)))
        least = max(least, number + 1)
        assert found >= least

        def enough(queries, spread=spread, level=level, margin=margin):
            return minimum_detectable(spread, queries, level=level) <= margin

        assert enough(found)
        assert found <= least + 1 or not enough(found - 1)


def test_up_to_a_million_queries_are_looked_at():
    """A million may be enough, and one more is not looked at."""
    for number, is_found in ((1_000_000, True), (1_000_001, False)):
        margin = minimum_detectable(1.0, number, level=0.05)
        for above in (margin, float(np.nextafter(margin, 9))):
            found = queries_needed(1.0, above, 9, 0.05)
            assert found == (number if is_found else None)
    assert queries_needed(math.nan, 0.1, 9, 0.05) == 10


def verdict(**parts):
    """A verdict on RR of three queries, of which the first lost."""
    usual = {
        "measure": "RR",
        "word": "fail",
        "before": 0.5,
        "after": 0.4,
        "change": -0.1,
        "limit": 0.01,
        "confidence": 0.95,
        "p": 0.04,
        "distance": 0.1,
        "spread": 0.1,
        "was": {"q0": 0.5, "q1": 0.5, "q2": 0.5},
        "differences": {"q0": -0.4, "q1": 0.1, "q2": 0.0},
        "tested": "fail",
    }
    return Verdict(**{**usual, **parts})


REASONS = {
    "test": (ReasonToFail(verdict()), "RR 0.4000 is too low (3 queries)"),
    "rise": (ReasonToFail(verdict(rise=True)), "RR 0.4000 is no improvement (3 queries)"),
    "unsure": (
        ReasonToFail(verdict(tested="inconclusive", group="de")),
        "RR of group de 0.4000: 3 queries can't tell whether it is too low",
    ),
    "mean": (
        ReasonToFail(verdict(), Broken("max_observed_drop", 0.05)),
        "RR 0.4000 is too low (3 queries)",
    ),
    "query": (
        ReasonToFail(verdict(), Broken("max_query_drop", 0.05, ("q0", "q1"))),
        "RR of q0 is too low (2 of 3 queries)",
    ),
    "gone": (
        ReasonToFail(verdict(), Broken(GONE, 0.0, ("x",))),
        "1 of the baseline's 4 queries is gone",
    ),
    "unanswered": (
        ReasonToFail(verdict(), Broken(UNANSWERED, 0.0, ("q0", "q2"))),
        "2 of the baseline's 3 queries find nothing now",
    ),
    "misfit": (
        ReasonToFail(verdict(), Broken(MISFIT, 0.0, ("q0",))),
        "1 of the baseline's 3 queries has hardly a judged document in its rankings",
    ),
}


@rows("name", REASONS)
def test_a_hint_says_what_is_wrong_and_nothing_of_what_was_expected(name):
    """Neither the score of the baseline nor a limit; the queries that lost are named."""
    reason, said = REASONS[name]
    assert regression_message.hint(reason) == said
    error = Wording([], lambda *_: None, reveal=HINT).error([reason])
    assert str(error) == f"{said}\n\nLost most: q0"
    nobody = ReasonToFail(verdict(differences={"q0": 0.0}, was={"q0": 0.5}))
    assert str(Wording([], lambda *_: None, reveal=HINT).error([nobody])).count("\n") == 0


@rows(("protected", "queries"), [*product([True, False], [("q0",), ("q0", "q1")])])
def test_a_query_that_fell_too_far_is_told_with_how_many_others(protected, queries):
    """The first that broke the limit, its scores and its text."""
    v = verdict(differences={"q0": -0.4, "q1": -0.2, "q2": 0.0})
    broken = Broken("protected" if protected else "max_query_drop", 0.15, queries)
    said = regression_message.first_line(ReasonToFail(v, broken), {"q0": "a text"})
    many = len(queries)
    if protected:
        more = "; 2 protected queries fell" if many > 1 else ""
        expected = f"RR of protected query q0 fell by 0.4000 (0.5000 -> 0.1000; 'a text'{more})"
    else:
        expected = (
            "RR of q0 fell by 0.4000 > 0.1500, the hard limit for a query "
            f"(0.5000 -> 0.1000; 'a text'; {many} of 3 queries over it)"
        )
    assert said.replace('"', "'") == expected


@rows("verbosity", [0, 1])
@rows("differences", [(-0.25, 0.0), (0.0, 0.0), (0.5, 0.0)])
def test_an_inconclusive_gate_says_more_where_more_is_asked_for(
    verbosity, differences, monkeypatch
):
    """Two lines, or one if nobody lost; with -v, what was tested and what could be found."""
    monkeypatch.setattr(regression_message.measured, "verbosity", lambda: verbosity)
    moved = dict(zip(QUERIES, differences, strict=False))
    v = verdict(word="inconclusive", tested="inconclusive", differences=moved,
                was=dict.fromkeys(moved, 0.5), change=sum(differences) / 2)  # fmt: skip
    lines = regression_message.warning(v, Wording([v], lambda *_: None)).split("\n")
    assert lines[0] == regression_message.unsure(v)
    lost = [line for line in lines if line.startswith("Lost most: q0 -0.250")]
    assert len(lost) == (differences[0] < 0)
    rest = " ".join(line.strip() for line in lines[1 + len(lost) :])
    if not verbosity:
        assert rest == ""
        return
    tested = regression_message.what_was_tested(v)
    assert rest == f"{tested} {regression_message._detectable(v)}".strip()


# -- what each document did


@rows("kinds", [*product(["unscored", "unnamed", "sum", "others"], repeat=2)])
def test_documents_of_each_query_are_named_whatever_became_of_those_before(kinds, monkeypatch):
    """A test whose rankings can't be scored is left out; what can't be named is noted."""
    changes = []
    scored = {}
    for place, kind in enumerate(kinds):
        changes.append(
            BaselineChange(f"t{place}", "RR", {"a": 1.0, "b": 1.0}, {"a": 0.5, "b": 0.0})
        )
        if kind != "unscored":
            scored[f"t{place}"] = (kind, None)

    def moves_between(kind, _after):
        def moves(_measure, query):
            if kind == "unnamed" and query == "b":
                return None
            is_sum = kind == "sum"
            return SimpleNamespace(
                query=query, is_sum=is_sum, note=f"note {kind}", by_loss=lambda: [1, 2, 3]
            )

        return moves

    monkeypatch.setattr(baseline_diff, "moves_between", moves_between)
    monkeypatch.setattr(baseline_diff, "parts_of", lambda moved: [(moved.query, 1), ("rest", 2)])
    effects = SimpleNamespace(scored=scored)
    table = Effects.table(effects, changes, {}, 9, 4)
    expected, notes, others = [], {}, 0
    for place, kind in enumerate(kinds):
        for query in "ba" if kind != "unscored" else "":  # b lost most
            if kind == "unnamed" and query == "b":
                notes["RR of b: no document can be named"] = None
                continue
            head = (f"t{place}", "RR", query)
            expected += [(*head, query, 1), (*head, "rest", 2)]
            others += 2 if kind != "sum" else 0
            notes[f"note {kind}"] = None
    if others:
        notes[f"{others} more moved, at lower ranks; --query ID shows them"] = None
    assert list(table.lines) == expected
    assert table.notes == tuple(notes)


# -- what is no run


@rows("suffix", [".json", ".run"])
@rows("look", [*Look])
def test_judgments_in_place_of_a_run_are_refused_where_a_file_may_hold_either(suffix, look):
    """What can be right is warned of; a file of runs alone is what it says."""
    evaluation = SimpleNamespace(look=look)
    for given in (f"a{suffix}", Path(f"b/a{suffix}"), {"q": ["d"]}):
        is_asked = suffix == ".json" and not isinstance(given, dict)
        with warnings.catch_warnings(record=True) as heard:
            warnings.simplefilter("always")
            if is_asked and look is Look.SWAPPED:
                with pytest.raises(ValueError, match=r"^run and qrels look swapped: the run holds"):
                    refuse_swapped_files(evaluation, given)
            else:
                refuse_swapped_files(evaluation, given)
        assert len(heard) == (is_asked and look is Look.UNSURE)


def test_a_gate_asks_of_files_of_json_whether_they_stand_in_each_others_place(tmp_path):
    """As it does of mappings."""
    grades, scores = {"q": {"a": 1, "b": 0}}, {"q": {"a": 12.37, "b": 3.21}}
    paths = []
    for name, held in (("grades", grades), ("scores", scores)):
        paths.append(tmp_path / f"{name}.json")
        paths[-1].write_text(json.dumps(held))
    for run, qrels in ((paths[0], paths[1]), (grades, scores)):
        with pytest.raises(ValueError, match=r"^baseline and qrels look swapped"):
            evaluated(run, "baseline", qrels, "P@1", {})
    found = evaluated(paths[1], "baseline", paths[0], "P@1", {})
    assert found.per_query["P@1"] == {"q": 1}
    for none in (None, ["a"], {"a": 1.0}):
        with pytest.raises(ValueError, match=r"^the baseline .*give "):
            evaluated(none, "baseline", grades, "P@1", {})


@rows("chain", [*product(["score", "other", "test"], repeat=2)])
def test_a_traceback_is_cut_only_where_it_ends_in_what_it_hides(chain):
    """An assertion hides frames of gates, and a refusal those of all of the package."""
    modules = {"score": "irmetrics_edu.gate.score", "other": "irmetrics_edu.runs.x", "test": "t"}
    for hide, hidden in (
        (failure.hide_own_frames, {"score"}),
        (failure.hide_refusal, {"score", "other"}),
    ):
        for begins in (True, False):
            steps = None
            for kind in reversed(("test", *chain) if begins else chain):
                frame = SimpleNamespace(f_globals={"__name__": modules[kind]})
                steps = SimpleNamespace(tb_frame=frame, tb_next=steps)
            hide(steps)
            left = 0
            while steps is not None:
                left += 1
                steps = steps.tb_next
            whole = len(chain) + begins
            kinds = ("test", *chain) if begins else chain
            last = max((i for i, kind in enumerate(kinds) if kind == "test"), default=None)
            is_cut = chain[-1] in hidden and last is not None
            assert left == (last + 1 if is_cut else whole)
    failure.hide_refusal(None)
    failure.hide_own_frames(None)


@rows("renamed", ["", "if this test was t.py::old, which is gone: move it"])
def test_a_gate_without_a_baseline_fails_and_tells_of_each_measure(renamed, monkeypatch, heard):
    """With the way to write one, and what it may have been called before."""
    monkeypatch.setattr(baseline_fixture, "hint", lambda *_: renamed)
    heard.clear()
    pending = []
    gate = SimpleNamespace(
        path=Path("a/b.json"),
        item=SimpleNamespace(session=None),
        session=SimpleNamespace(pending=pending, stale_everywhere=lambda *_: set()),
        _tell_received=lambda *given: pending.append(given),
    )
    measures = [measure("RR"), measure("P@1")]
    scores = SimpleNamespace(measures=measures, queries=["q", 7])
    call = SimpleNamespace(key="t.py::new", name="de")
    asked = SimpleNamespace(after=scores)
    with pytest.raises(pytest.fail.Exception) as caught:
        baseline_fixture.BaselineGate._none(gate, call, asked)
    said = "there is no baseline for t.py::new in b.json; write it with --irm-update=new"
    assert str(caught.value) == (f"{said}; {renamed}" if renamed else said)
    assert caught.value.pytrace is False
    told = [(one["measure"], one["verdict"], one["score"], one["gate"]) for one in heard]
    assert told == [(one.name, "error", None, "de") for one in measures]
    assert {one["explanation"] for one in heard} == {str(caught.value)}
    assert {one["queries"] for one in heard} == {0}
    newcomer, received = pending
    assert newcomer["newcomer"] == {"measures": ["RR", "P@1"], "queries": ["q", "7"]}
    assert received == (call, asked, None)


@rows("differences", [*product([-0.5, -0.25, 0.0, 0.5], repeat=3)])
def test_who_lost_who_gained_and_who_stayed_are_counted_apart(differences):
    """The greatest loss first, and equal ones by their ids; three are named."""
    moved = dict(zip(("q10", "q2", "q1"), differences, strict=True))
    v = verdict(differences=moved, was=dict.fromkeys(moved, 0.5))
    lost = sorted((d, query) for query, d in moved.items() if d < 0)
    assert [(d, query) for query, d in v.losers] == lost
    assert v.gained == sum(d == 0.5 for d in differences)
    said = regression_message._who_lost(v, {})
    stayed = differences.count(0.0)
    counts = f"{len(lost)} lost, {v.gained} gained, {stayed} unchanged"
    named = ", ".join(f"{query} {d:.3f}" for d, query in lost)
    assert said == (f"Lost most: {named}   {counts}" if lost else counts)


@rows("by_mean", [True, False])
@rows("differences", [(0.0, 0.0), (-0.25, 0.0)])
def test_another_measure_is_told_in_a_line(by_mean, differences):
    """By its test, unless the mean at hand is what counts."""
    moved = dict(zip(("p", "q"), differences, strict=True))
    v = verdict(word="pass", tested="inconclusive", by_mean=by_mean, differences=moved,
                was=dict.fromkeys(moved, 0.5))  # fmt: skip
    test = "p = 0.0400 for no change" if any(differences) else "no score changed"
    word = "pass" if by_mean else "inconclusive"
    assert regression_message._other_measure(v) == f"RR: {word} (0.5000 -> 0.4000; {test})"


@rows("protected", [*permutations(["q1", "q2", "gone", "other"], 2)])
def test_what_is_protected_is_compared(protected):
    """Each of them; one that only one side has can't be told from one that fell."""
    pair = SimpleNamespace(
        before={"RR": {"q1": 1.0, "q2": 1.0}}, after={"RR": {"q1": 1.0, "q2": 1.0}},
        queries=["q1", "q2"], run=SimpleNamespace(measures=[measure("RR")]),
    )  # fmt: skip
    if set(protected) <= {"q1", "q2"}:
        refuse_unknown_queries(protected, pair)
        return
    with pytest.raises(ValueError, match=r"gone|other"):
        refuse_unknown_queries(protected, pair)


def test_a_warning_of_trials_is_at_their_call():
    """Too few to tell: the line of the test that asked."""
    answers = iter([True, False] * 10)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        found = assert_pass_rate(lambda: next(answers), 20, at_least=0.5, inconclusive="warn")
    assert found.word == "inconclusive"
    [one] = told
    assert one.filename == __file__
    assert str(one.message).split("\n") == [found.summary(), found.lines[0]]


@rows("pair", [*permutations("abcx", 2)])
@rows("query", [None, "q"])
@rows("reveal", ["all", "hint"])
def test_of_two_documents_the_one_above_is_told_with_both_ranks(pair, query, reveal, heard):
    """Of a ranking a, then b and c with one score; x is not retrieved. A hint says no place."""
    heard.clear()
    higher, lower = pair
    ranking = {"a": 2.0, "b": 1.0, "c": 1.0}
    given = {"options": {"query": query}, "run": {query: ranking}} if query else {"run": ranking}
    score = {**ranking, "x": 0.0}
    holds = score[higher] > score[lower]
    rank = {"a": 1, "b": 2, "c": 3}

    def ask():
        return assert_ranks_above(
            given["run"], higher, lower, reveal=reveal, **given.get("options", {})
        )

    if holds:
        ask()
    else:
        with pytest.raises(AssertionError) as caught:
            ask()
        where = "query q: " if query else ""
        places = ", ".join(
            f"{name} rank {rank[name]}" if name in rank else f"{name} not retrieved"
            for name in pair
        )
        same = "; same score 1" if score[higher] == score[lower] else ""
        said = f"{where}{higher} does not rank above {lower} ({places}{same})"
        if reveal == "hint":
            said = "two documents are not in the expected order"
        first, *rest = str(caught.value).split("\n")
        assert first == said
        assert bool(rest) is (reveal == "all")
    [told] = heard
    assert told["verdict"] == ("pass" if holds else "fail")
    if reveal == "hint":
        assert (told["measure"], told["score"], told["bounds"]) == (
            "order of two documents",
            None,
            {},
        )
        return
    assert told["measure"] == f"rank of {higher}" + (" for q" if query else "")
    assert told["score"] == rank.get(higher)
    assert told["bounds"] == {"above": lower, "which_has_rank": rank.get(lower)}


@rows("value", ["run", "scores"])
def test_a_measure_that_is_no_mean_of_its_queries_is_not_compared(value):
    """A paired test would test another number."""
    run, qrels = {"q": ["a"], "r": ["b"]}, {"q": {"a": 1}, "r": {"a": 1}}
    how = {"averaging": "micro"}
    given = evaluate(run, qrels, "P@1", **how) if value == "scores" else run
    with pytest.raises(ValueError, match="a paired test of the values would test another number"):
        evaluated(given, "run", qrels, "P@1", how if value == "run" else {})
    assert evaluated(run, "run", qrels, "P@1", {}).per_query["P@1"] == {"q": 1, "r": 0}


@rows("scores", [*product([0.1, 0.3, math.nan], repeat=3)])
@rows("floor", [None, "a", "c"])
def test_groups_are_measured_with_their_verdicts(scores, floor):
    """Below the bound of any of them; the first group below is told with how many there are."""
    outcome = outcome_of(scores, groups={"a": [0], "b": [1], "c": [2]})
    asked = [Bound("every_group_at_least", 0.2, group=floor)]
    measured_groups = _groups_measured(outcome, asked)
    failed = [
        name for name, of in zip("abc", scores, strict=True)
        if not of >= 0.2 and floor in (None, name)
    ]  # fmt: skip
    assert [(one["group"], one["verdict"], one["queries"]) for one in measured_groups] == [
        (name, "fail" if name in failed else "pass", 1) for name in "abc"
    ]
    known = [None if math.isnan(of) else of for of in scores]
    assert [one["score"] for one in measured_groups] == known
    if not failed:
        return
    for short in (0, 2):
        outcome.groups_short = short
        found = message._group_below(outcome, asked[0])
        assert found.of == f" of group {asked[0].groups_below(outcome)[0]}"
        assert found.among == f"1 query; {max(short, len(failed))} of 3 groups"


@rows("order", [*permutations(["gate", "new", "bound", "open"])])
def test_a_history_has_what_gates_measured_and_baselines_that_were_written(order):
    """By test and measure; a bound of an assertion is no gate, and what has no score is none."""
    usual = {"measure": "RR", "score": 0.5, "queries": 6}
    usual["per_query"] = {f"q{i}": i / 5 for i in range(6)}
    results = {
        "gate": {"verdict": "pass", "bounds": {"margin": 0.01}},
        "new": {"verdict": "new", "bounds": {}, "per_query": {"p": 0.5}},
        "bound": {"verdict": "pass", "bounds": {"at_least": 0.4}},
        "open": {"verdict": "fail", "bounds": {"margin": 0.01}, "score": None},
    }
    given = [{**usual, **results[name], "test": name} for name in order]
    gate, new = history.entries(given, "c")
    assert (gate.test, gate.margin, new.test, new.margin) == ("gate", 0.01, "new", None)
    # Student's t for five degrees of freedom and 95 % is 2.5706, as tables have it.
    error = math.sqrt(2 * (0.25 + 0.09 + 0.01) / 5 / 6)
    assert gate.low == pytest.approx(0.5 - 2.5706 * error, abs=1e-4)
    assert gate.high == pytest.approx(0.5 + 2.5706 * error, abs=1e-4)
    assert (new.low, new.high, new.score, new.queries, new.commit) == (None, None, 0.5, 6, "c")
    double = [{**given[order.index("gate")], "measure": name} for name in ("RR", "AP", "P")]
    assert [one.measure for one in history.entries(double, "c")] == ["AP", "P", "RR"]


@rows("after", [*product([0.0, 0.5, 1.0], repeat=3)])
def test_groups_of_two_files_are_lines_the_greatest_loss_first(after):
    """Of each measure by itself, and equal changes by name."""
    queries = ["x", "y", "z"]
    before = dict.fromkeys(queries, 0.5)
    changes = [
        BaselineChange("t", name, before, dict(zip(queries, values, strict=True)))
        for name, values in (("P", after), ("RR", after[::-1]))
    ]
    difference = Difference([], [], [], changes, {}, [])
    groups = {"x": "g2", "y": "g1", "z": "g3"}
    table = difference._groups(groups, 4)
    expected = []
    for name, values in (("P", after), ("RR", after[::-1])):
        moved = [
            (value - 0.5, groups[query], value) for query, value in zip("xyz", values, strict=True)
        ]
        expected += [("t", name, group, 1, 0.5, value, d) for d, group, value in sorted(moved)]
    assert list(table.lines) == expected


@rows("rises", [(0.1,) * 9, (-0.1,) * 9, (0.3, -0.2, 0.1), (0.05,) * 9, (0.0,) * 3])
@rows("by", [0.0, 0.05, 0.2])
def test_a_run_improves_if_the_test_finds_that_it_rose_by_more(rises, by):
    """Each measure has its verdict; where the mean did not rise by so much, it failed."""
    was = {f"q{i}": 0.5 for i in range(len(rises))}
    now = {query: 0.5 + rise for query, rise in zip(was, rises, strict=True)}
    found = improvement({"A": was, "B": was}, {"A": now, "B": was}, by=by, confidence=0.95)
    assert [v.measure for v in found] == ["A", "B"]
    mean = sum(rises) / len(rises)
    # Nine equal differences have two signs of 512 that are as extreme.
    word = "fail" if mean - by < 1e-9 else "pass" if len(rises) == 9 else "inconclusive"
    assert [v.word for v in found] == [word, "fail"]
    for v in found:
        assert (v.rise, v.tested, v.adjusted) == (True, v.word, v.p)
        assert (v.limit, v.against) == (by, by)


@rows("scores", [*product([0.25, 0.5, math.nan], repeat=3)])
@rows("left_out", [[], [0], [0, 1], [0, 1, 2]])
def test_the_mean_of_a_group_is_that_of_what_is_not_left_out(scores, left_out):
    """One score that is none makes it none; so does a group of which nothing is left."""
    outcome = outcome_of(scores, left_out)
    kept = [scores[i] for i in range(3) if i not in left_out]
    outcome.name = "RR"
    outcome.evaluation = SimpleNamespace(
        aggregation=lambda _name, numbers: SimpleNamespace(score=[outcome.scores[numbers].mean()])
    )
    found = Outcome._mean(outcome, [0, 1, 2])
    if not kept or any(map(math.isnan, kept)):
        assert math.isnan(found)
    else:
        assert found == sum(kept) / len(kept)


@rows("is_ranked", [True, False])
@rows("follows", [True, False])
@rows("is_run", [True, False])
@rows("chosen", ["", "gain=exp"])
@rows("by", [None, "trec_eval"])
def test_conventions_are_told_as_those_of_a_bundle_where_all_of_them_are(
    is_ranked, follows, is_run, chosen, by
):
    """Else as what is left of it in a run: ties, and queries that are missing."""
    working = SimpleNamespace(metric=SimpleNamespace(inputs=RANKED if is_ranked else None))
    outcome = SimpleNamespace(
        working=lambda _query: working, bundle=by and BUNDLES[by], is_run=is_run
    )
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(worked_steps, "_chosen_conventions", lambda *_, **__: chosen)
        patched.setattr(worked_steps, "_follows", lambda *_: follows)
        found = worked_steps.conventions(outcome, "q")
    said = chosen
    if by and is_ranked and follows:
        said = "as trec_eval" + (": gain=exp" if chosen else "")
    elif by and is_run:
        said = "ties and missing queries as trec_eval" + ("; gain=exp" if chosen else "")
    assert found == ([f"Convention: {said}"] if said else [])


def test_a_bundle_is_followed_if_every_convention_is_as_it_has_it():
    """One that it has otherwise is enough; one that it does not name says nothing."""
    run, qrels = {"q": ["a", "b"]}, {"q": {"a": 2, "b": 1}}
    by = BUNDLES["trec_eval"]
    for name in ("nDCG", "nDCG@2"):
        theirs = evaluate(run, qrels, name, "trec_eval").working(name, "q")
        assert worked_steps._follows(theirs, by)
        asked = f"{name}(gain=exp)" if "@" not in name else "nDCG(gain=exp)@2"
        other = evaluate(run, qrels, asked, "trec_eval")
        [measured_name] = other.per_query
        assert not worked_steps._follows(other.working(measured_name, "q"), by)


@rows("run", [{"p": [], "q": []}, {"p": {}, "q": []}, {None: []}, {"p": [], "q": ["a"]}, [], None])
@rows("errors", [{}, {"p": "timeout"}, {"p": "timeout", "q": "x"}])
def test_a_run_without_documents_is_refused_with_what_failed(run, errors):
    """Or is asked about; one document is enough, and what is no mapping is another matter."""

    class Asked(dict):
        pass

    given = run
    if isinstance(run, dict):
        given = Asked(run)
        given.errors = errors
    if not isinstance(run, dict) or run.get("q") == ["a"]:
        _empty(given, "baseline")
        return
    what = "the ranking is empty" if None in run else "the baseline holds no document"
    why = "is it the right one?"
    if errors:
        queries = "1 query" if len(errors) == 1 else "2 queries"
        more = " ..." if len(errors) > 1 else ""
        why = f"{queries} of the run failed when the retriever was asked (p: timeout{more})"
    with pytest.raises(ValueError, match="nothing to assert about") as caught:
        _empty(given, "baseline")
    assert str(caught.value) == f"{what}, so there is nothing to assert about; {why}"


def test_a_failure_that_only_advises_warns_at_the_call(heard):
    """In the line of the test that asked."""
    measured._LISTENERS[-1].policy = lambda: {"advisory": True}
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        assert assert_pass_rate(lambda: False, 20, at_least=0.5).word == "fail"
    [one] = told
    assert one.filename == __file__
    assert [fact["verdict"] for fact in heard] == ["fail"]


def test_what_was_received_is_written_in_one_order_and_in_letters(tmp_path):
    """The same bytes in whatever order tests ran."""
    report = tmp_path / "report.json"
    files = {"b.json": {"t::ü": {"z": 1, "a": 2}}, "a.json": {"u": {}, "t": {}}}
    turned = {name: dict(reversed(held.items())) for name, held in reversed(files.items())}
    written = []
    for held in (files, turned):
        [said] = received.write(report, held)
        written.append((tmp_path / received.RECEIVED).read_bytes())
        assert said.startswith("3 runs were not accepted; if the change is meant: ")
    assert written[0] == written[1]
    text = written[0].decode()
    assert "t::ü" in text
    assert json.loads(text) == {"format": received.FORMAT, "files": files}
    [said] = received.write(report, {"a.json": {"t": {}}})
    assert said.startswith("1 run was not accepted")
    assert received.write(report, {}) == []
    assert not (tmp_path / received.RECEIVED).exists()
