"""The quality of search, over golden queries."""

import corpus
import pytest
from engine import Engine


@pytest.fixture(scope="module")
def run():
    """What the engine finds for each golden query."""
    engine = Engine(corpus.documents())
    return {query: engine.search(text) for query, text in corpus.queries().items()}


@pytest.fixture(scope="module")
def qrels():
    """What is relevant to each."""
    return corpus.judgments()


def test_the_top_is_good(assert_ndcg, run, qrels):
    """The first five are mostly the right ones in the right order."""
    assert_ndcg(run, qrels, k=5, at_least=0.7)


def test_every_article_is_found(assert_recall, run, qrels):
    """No query misses an article or a guide."""
    assert_recall(run, qrels, k=20, rel=2, every_query_at_least=1)


def test_no_worse_than_before(irm_baseline, run, qrels):
    """Against the ranking that was last accepted."""
    irm_baseline(run, qrels, "nDCG@5 RR@10", margin=0.01)
