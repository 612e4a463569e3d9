"""The numbers of public threads, replayed: `diagnose` names what gives them."""

import math
import re

import pytest

import irmetrics_edu
from dev.tools.threads_page import OURS, page, symptoms
from irmetrics_edu import diagnose
from irmetrics_edu.diagnosis.printed import Printed

THREADS = [thread for symptom in symptoms() for thread in symptom.threads]
REPLAYS = [
    pytest.param(replay, id=f"{thread.at}: {replay.value}")
    for thread in THREADS
    for replay in thread.replay
]
NAMES = {"__builtins__": {}, "diagnose": diagnose, "dcg": irmetrics_edu.dcg} | {
    name: getattr(irmetrics_edu, name) for name in ("bpref", "ndcg")
}


@pytest.mark.parametrize("replay", REPLAYS)
def test_the_number_of_the_thread_follows_from_what_is_named(replay):
    """By the search for the number, or computed directly."""
    found = eval(replay.call, NAMES)  # noqa: S307 -- our own file
    if replay.compute:
        assert Printed.of(replay.value).fits(found)
        return
    named = {c.written or OURS for c in found.candidates}
    named |= {m.mistake.label for m in found.mistakes}
    assert replay.names in named


def test_a_wrong_number_is_not_replayed():
    """The same calls with another number name nothing: the test above can fail."""
    first = next(r.values[0] for r in REPLAYS if r.values[0].compute)
    value = eval(first.call, NAMES)  # noqa: S307 -- our own file
    assert not Printed.of(f"{value + 0.02:.2f}").fits(value)
    assert not diagnose("AP", [1, 0], unretrieved=[1], value="0.77").explained
    assert math.isclose(irmetrics_edu.ndcg([1, 0, 1, 0, 0, 0]), 1.5 / (1 + 1 / math.log2(3)))


def test_at_least_thirty_threads_are_replayed_and_none_stands_twice():
    """Each with its address, which its kind makes."""
    assert sum(bool(thread.replay) for thread in THREADS) >= 30
    assert len({thread.at for thread in THREADS}) == len(THREADS)
    for thread in THREADS:
        assert re.fullmatch(r"https://github\.com/[\w.-]+/[\w.-]+/(issues|pull)/\d+", thread.url)
        assert thread.url in page()


def test_each_answer_is_a_sentence_or_two():
    """Which ends, and is no essay."""
    for thread in THREADS:
        assert thread.says.strip()[-1] in ".?`", thread.at
        assert len(thread.says.split()) <= 45, thread.at
