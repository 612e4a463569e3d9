"""The measures of efficiency, from numbers that are known."""

import pytest

from irmetrics_edu import explain
from irmetrics_edu.errors import InputError
from irmetrics_edu.lab.efficiency import measures
from irmetrics_edu.lab.efficiency.engines import Document
from irmetrics_edu.lab.efficiency.measures import Indexing, Querying

STEPS = Indexing((500, 250, 0), (1.0, 0.5, 0.5), (0.75, 0.5, 0.25), (1000, 4000, 2500))


def querying(*latencies):
    """Queries q1, q2, ... with these latencies."""
    return Querying(tuple(f"q{i}" for i in range(1, len(latencies) + 1)), latencies)


def test_times_and_rates():
    """750 documents in 2 seconds; processors worked for one and a half."""
    assert measures.elapsed_time(STEPS).value == 2
    assert measures.processor_time(STEPS).value == 1.5
    assert measures.indexing_rate(STEPS).value == 375
    assert measures.throughput(querying(0.1, 0.3, 0.1)).value == pytest.approx(6)


def test_sizes():
    """2,500 bytes in the end, 4,000 at most: 1,500 for a time."""
    assert measures.final_size(STEPS).value == 2500
    working = measures.temporary_size(STEPS)
    assert working.value == 1500
    assert str(explain(working)).startswith(
        "temporary index size = largest size - final index size = 4000"
    )


@pytest.mark.parametrize(
    ("percentile", "expected"), [(10, 1), (50, 5), (51, 6), (90, 9), (91, 10), (100, 10), (0.1, 1)]
)
def test_a_percentile_is_a_latency_that_was_observed(percentile, expected):
    """Of ten, 90 % are answered within the ninth in rising order."""
    of = querying(7, 1, 10, 3, 2, 6, 5, 4, 9, 8)
    working = measures.latency(of, percentile)
    assert working.value == expected
    assert working["query"][0] == "q2"
    share = sum(x <= working.value for x in of.latency) / 10
    assert share >= percentile / 100


def test_percentiles_of_one_query():
    """It is all of them."""
    assert {measures.latency(querying(3.0), p).value for p in (1, 50, 99, 100)} == {3.0}


@pytest.mark.parametrize("measure", [measures.elapsed_time, measures.processor_time])
def test_a_working_shows_the_steps(measure):
    """Each step with its documents and seconds."""
    text = str(explain(measure(STEPS)))
    assert "step  documents" in text
    assert "500" in text


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Indexing((), (), (), ()), "at least one step"),
        (lambda: Indexing((1,), (1.0, 2.0), (1.0,), (1,)), "for each step"),
        (lambda: Querying((), ()), "at least one query"),
        (lambda: Querying(("q",), ()), "a latency for each query"),
        (lambda: measures.latency(querying(1.0), 0), "percentile=0"),
        (lambda: measures.latency(querying(1.0), 101), "percentile=101"),
        (lambda: measures.throughput(querying(0.0)), "no time elapsed"),
        (lambda: measures.index(None, []), "no documents"),
    ],
)
def test_what_cannot_be_measured_is_refused(call, message):
    """An error, never a rate of infinity."""
    with pytest.raises(InputError, match=message):
        call()


class Slow:
    """An engine of two steps, whose clock is the test's."""

    name = "slow"

    def __init__(self, clock):
        self.clock, self.bytes = clock, 0

    def index(self, documents, *, after):
        """Two documents in three seconds, the others in one."""
        for n, seconds, size in ((2, 3.0, 70), (len(documents) - 2, 1.0, 50)):
            self.clock[0] += seconds
            self.bytes = size
            after(n)

    def search(self, query, k):
        """A second for each letter."""
        self.clock[0] += len(query)
        return [("d1", 2.0), ("d2", 1.0)][:k]

    def size(self):
        """What the last step left."""
        self.clock[0] += 100  # looking at the disk is not on the clock
        return self.bytes


def test_the_clock_runs_while_the_engine_works_only(monkeypatch):
    """What looking at the size takes is not counted."""
    clock = [0.0]
    monkeypatch.setattr(measures.time, "perf_counter", lambda: clock[0])
    engine = Slow(clock)
    found = measures.index(engine, [Document(f"d{i}", "x") for i in range(5)])
    assert (found.documents, found.elapsed, found.size) == ((2, 3), (3.0, 1.0), (70, 50))
    run, queries = measures.answer(engine, {"q1": "abc", "q2": "a"}, 1)
    assert run == {"q1": {"d1": 2.0}, "q2": {"d1": 2.0}}
    assert queries.latency == (3.0, 1.0)
