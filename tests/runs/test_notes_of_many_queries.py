"""Notes on a run of many queries take time in proportion to their number."""

import time

from irmetrics_edu import evaluate


def seconds_of(n):
    """The time of the processor for a run of n queries with all notes and its table."""
    run = {f"q{i}": {"a": 2.0, "b": 1.0} for i in range(n)}
    qrels = {query: {"a": 1} for query in run}
    began = time.process_time()
    assert f"{n:,} queries" in str(evaluate(run, qrels, "RR"))
    return time.process_time() - began


def test_ten_times_the_queries_take_no_hundred_times_the_time():
    """Squared, forty thousand queries would take minutes; the bound is far from either."""
    few = max(seconds_of(4_000), 0.02)
    assert seconds_of(40_000) < 40 * few
