"""The measures of efficiency, each a Working over times from the clock and sizes on the disk.

Source: Croft, Metzler & Strohman (2009), Search engines: information retrieval in practice, section
8.5.
"""

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from irmetrics_edu import checks
from irmetrics_edu.errors import InputError
from irmetrics_edu.lab.efficiency.engines import Document, Engine
from irmetrics_edu.working import Table, Working


@dataclass(frozen=True)
class Indexing:
    """The costs of indexing, step by step: documents, seconds by clock and by processor, bytes."""

    documents: tuple[int, ...]
    elapsed: tuple[float, ...]
    processor: tuple[float, ...]
    size: tuple[int, ...]  # after each step; the last is the final one

    def __post_init__(self) -> None:
        sizes = {len(c) for c in (self.documents, self.elapsed, self.processor, self.size)}
        if sizes == {0} or len(sizes) > 1:
            raise InputError("give documents, times and size for each step, and at least one step")


@dataclass(frozen=True)
class Querying:
    """The costs of answering, query by query, in seconds."""

    queries: tuple[str, ...]
    latency: tuple[float, ...]

    def __post_init__(self) -> None:
        if not self.queries or len(self.queries) != len(self.latency):
            raise InputError("give a latency for each query, and at least one query")


def index(engine: Engine, documents: Sequence[Document]) -> Indexing:
    """Index the documents, and read the clock and the disk after each step."""
    if not documents:
        raise InputError("there are no documents to index")
    steps: list[tuple[Any, ...]] = []
    mark = [time.perf_counter(), time.process_time()]

    def after(n: int) -> None:
        elapsed = time.perf_counter() - mark[0]
        processor = time.process_time() - mark[1]
        steps.append((n, elapsed, processor, engine.size()))
        mark[:] = [time.perf_counter(), time.process_time()]  # size() is not on the clock

    engine.index(documents, after=after)
    return Indexing(*(tuple(step[i] for step in steps) for i in range(4)))


def answer(
    engine: Engine,
    queries: Mapping[str, str],
    k: int = 100,
) -> tuple[dict[str, dict[str, float]], Querying]:
    """Answer the queries one after another: the run, and how long each query took."""
    run: dict[str, dict[str, float]] = {}
    latency: list[float] = []
    for name, text in queries.items():
        start = time.perf_counter()
        ranked = engine.search(text, k)
        latency.append(time.perf_counter() - start)
        run[name] = dict(ranked)
    return run, Querying(tuple(run), tuple(latency))


def elapsed_time(indexing: Indexing) -> Working:
    """Elapsed time is how long indexing took by the clock on the wall, in seconds."""
    return _summed(indexing, indexing.elapsed, "elapsed time", "seconds elapsed")


def processor_time(indexing: Indexing) -> Working:
    """Processor time is how long processors worked on indexing, in seconds.

    It leaves out waiting for the disk. It counts every processor, so it may exceed the elapsed
    time.
    """
    return _summed(
        indexing,
        indexing.processor,
        "processor time",
        "seconds of processors",
    )


def _summed(
    indexing: Indexing,
    seconds: tuple[float, ...],
    name: str,
    column: str,
) -> Working:
    values = np.array(seconds)
    return Working(
        np.array([values.sum()]),
        how=f"{{{column}}}",
        columns={column: values},
        table=Table.of_one({"step": range(1, len(values) + 1), "documents": indexing.documents}),
        name=name,
    )


def indexing_rate(indexing: Indexing) -> Working:
    """The indexing rate is the number of documents indexed per second of elapsed time."""
    return _per_second(
        elapsed_time(indexing),
        sum(indexing.documents),
        "documents",
        "indexing rate",
    )


def throughput(querying: Querying) -> Working:
    """Throughput is the number of queries answered per second, one after another."""
    seconds = np.array(querying.latency)
    elapsed = Working(
        np.array([seconds.sum()]),
        how="{latency}",
        columns={"latency": seconds},
        table=Table.of_one({"query": querying.queries}),
        name="elapsed time",
    )
    return _per_second(elapsed, len(seconds), "queries", "throughput")


def _per_second(
    elapsed: Working,
    number: int,
    what: str,
    name: str,
) -> Working:
    seconds = float(elapsed.score[0])
    if not seconds > 0:
        raise InputError(f"{name} has no value, because no time elapsed; measure more {what}")
    return Working(
        np.array([number / seconds]),
        how=f"{{{what}}} / {{elapsed time}}",
        quantities={what: np.array([number])},
        parts={"elapsed time": elapsed},
        name=name,
    )


def latency(querying: Querying, percentile: float = 50) -> Working:
    """The latency at percentile p is the least time within which p % of the queries were answered.

    In seconds. It is the nearest-rank percentile: sort the latencies in rising order and take the
    one at rank ceil(p/100 n). So it is a latency that was observed, not one interpolated between
    two. Percentile 100 is the slowest query.
    """
    checks.between(
        "percentile",
        percentile,
        0,
        100,
        open_low=True,
    )
    seconds = np.array(querying.latency)
    order = np.argsort(seconds, kind="stable")
    n = len(seconds)
    rank = max(1, math.ceil(percentile * n / 100))
    return Working(
        seconds[order][rank - 1 : rank],
        columns={"latency": seconds[order], "share answered": np.arange(1, n + 1) / n},
        table=Table.of_one(
            {"rank": range(1, n + 1), "query": [querying.queries[i] for i in order.tolist()]}
        ),
        quantities={"queries": np.array([n]), "rank": np.array([rank])},
        notes=(f"rank {rank} of {n} in rising order: ceil({percentile:g}/100 * {n})",),
        name=f"latency at {percentile:g} %",
    )


def final_size(indexing: Indexing) -> Working:
    """The final index size is the storage that the finished index takes, in bytes."""
    return Working(np.array([indexing.size[-1]], dtype=np.float64), name="final index size")


def temporary_size(indexing: Indexing) -> Working:
    """The temporary size is the storage that indexing takes beyond the final index, in bytes.

    It is the largest size seen after a step, journals included, less the final size.
    """
    sizes = np.array(indexing.size, dtype=np.float64)
    largest = sizes.max(keepdims=True)
    final = sizes[-1:]
    return Working(
        largest - final,
        how="{largest size} - {final index size}",
        columns={"size after the step": sizes},
        table=Table.of_one({"step": range(1, len(sizes) + 1), "documents": indexing.documents}),
        quantities={"largest size": largest},
        parts={"final index size": final_size(indexing)},
        name="temporary index size",
    )
