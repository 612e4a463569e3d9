"""Whether the passages that are retrieved hold what the answers need."""

import corpus
import pytest
from index import Index

from irmetrics_edu.gate import assert_latency
from irmetrics_edu.judging import build_run, judge_by_text


@pytest.fixture(scope="module")
def built():
    """What the index finds for each question."""
    return build_run(Index(corpus.documents()).search, corpus.questions())


@pytest.fixture(scope="module")
def judged(built):
    """The same with judgments, by what has to be said."""
    return judge_by_text(built, corpus.expected())


def test_what_is_needed_is_found(assert_recall, judged):
    """Nearly always among the first three passages."""
    assert_recall(judged.run, judged.qrels, k=3, at_least=0.9, queries=corpus.questions())


def test_no_worse_than_before(irm_baseline, judged):
    """Against the ranking that was last accepted."""
    irm_baseline(judged.run, judged.qrels, "nDCG@10 RR@10", margin=0.02)


def test_it_answers_in_time(built):
    """Generous, as other tests may run beside it."""
    assert_latency(built, p95=10)
