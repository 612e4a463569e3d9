"""The sentence of -v about the test says what its p-value says, whatever made the gate fail."""

import itertools
import random
import re

import pytest

from irmetrics_edu.gate.policy import made
from irmetrics_edu.gate.regression_message import what_was_tested
from irmetrics_edu.gate.verdict import improvement, regression

POLICIES = {
    "strict": {"policy": "strict"},
    "sample": {"policy": "sample"},
    "advise": {"policy": "advise"},
    "strict for groups": {"policy": "strict", "max_observed_drop": "off"},
    "a limit on queries": {"policy": "sample", "max_query_drop": 0.3},
    "a limit on the mean": {"policy": "sample", "max_observed_drop": 0.02},
    "a protected query": {"policy": "sample", "protected": ["q1"]},
}


def scores(kind, n, seed):
    """Scores before and after of n queries: nothing changed, a few broke, many fell, and so on."""
    draw = random.Random(seed)
    before = {f"q{i}": draw.choice([1.0, 0.5]) for i in range(n)}
    after = dict(before)
    if kind == "a few broke":
        after |= dict.fromkeys(["q1", "q2", "q3"], 0.0)
    if kind == "all fell":
        after = {q: score - 0.2 for q, score in before.items()}
    if kind == "all rose":
        after = {q: score + 0.2 for q, score in before.items()}
    if kind == "up and down":
        after = {q: score + draw.uniform(-0.2, 0.2) for q, score in before.items()}
    return before, after


KINDS = ("nothing changed", "a few broke", "all fell", "all rose", "up and down")
CASES = list(itertools.product(KINDS, (2, 5, 20, 60)))


def agrees(sentence, verdict):
    """Whether the sentence and the p-values in it fit: the last p is the one that decides."""
    if "rejects" not in sentence and "reject" not in sentence:
        return True
    given = re.search(r"\((p .*?), (not )?below 0\.05\)", sentence)
    last = [float(number) for number in re.findall(r"\d\.\d{4}", given[1])][-1]
    said_below = given[2] is None
    is_below = last < 0.05 or "p < 0.0001" in given[1]
    decides = verdict.adjusted < 0.05
    return said_below == is_below == decides and ("can't reject" in sentence) == (not is_below)


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("several", [False, True])
def test_the_sentence_says_what_its_p_says(policy, several):
    """Of each verdict over all queries and groups, for one measure and two."""
    for kind, n in CASES:
        fewest = 3 if "protected" in policy else 2
        look_at_sentences(kind, max(n, fewest), policy, several)


def look_at_sentences(kind, n, policy, several):
    """The sentences of all verdicts of one case."""
    before, after = scores(kind, n, seed=n)
    had, has = {"RR": before}, {"RR": {q: after[q] for q in before}}
    groups = None
    if several:
        had["AP"], has["AP"] = before, has["RR"]
        groups = {"first": list(before)[: n // 2], "second": list(before)[n // 2 :]}
    for verdict in regression(had, has, made(POLICIES[policy]), groups):
        sentence = what_was_tested(verdict)
        assert agrees(sentence, verdict), (kind, n, sentence)


@pytest.mark.parametrize(("kind", "n"), CASES)
def test_so_it_is_of_an_improvement(kind, n):
    """The same sentence, of another hypothesis."""
    before, after = scores(kind, n, seed=n)
    for verdict in improvement({"RR": before}, {"RR": after}, by=0.01, confidence=0.95):
        assert agrees(what_was_tested(verdict), verdict), what_was_tested(verdict)


def test_three_of_twenty_are_no_proof_under_strict_either():
    """Of the 2^3 ways to swap three equal falls 2 are as far: p = 0.25, which is not below 0.05."""
    before = {f"q{i}": 1.0 for i in range(20)}
    after = before | dict.fromkeys(["q1", "q2", "q3"], 0.5)
    [verdict] = regression({"RR": before}, {"RR": after}, made({"policy": "strict"}))
    assert (verdict.word, verdict.tested) == ("fail", "inconclusive")
    assert what_was_tested(verdict) == (
        "The test can't reject the hypothesis of no change (p = 0.2500, not below 0.05), so it "
        "decides nothing."
    )
