"""A run from a live system: `build_run(retrieve, queries)` asks it and keeps the answers."""

import time
from collections.abc import Callable, Hashable, Mapping
from typing import Any

from irmetrics_edu.checks import at
from irmetrics_edu.errors import InputError, RetrieverError
from irmetrics_edu.judging.asking import Asked, Clock, in_a_loop, is_async, one_by_one
from irmetrics_edu.judging.built import BuiltRun
from irmetrics_edu.judging.one_answer import retrieved
from irmetrics_edu.judging.passages import Retrieved
from irmetrics_edu.judging.retriever_queries import read_queries

__tracebackhide__ = True  # pytest shows the line that called

RAISE, KEEP = "raise", "keep"


def build_run(
    retrieve: Callable[[Any], Any],
    queries: Any,
    *,
    threads: int = 1,
    concurrency: int | None = None,
    errors: str = RAISE,
    clock: Clock = time.perf_counter,
    **shape: Any,
) -> BuiltRun:
    """A run holds a retriever's ranking for each query; every query is asked once.

    `retrieve` takes the text of a query and gives any answer that `retrieved` knows; `shape` takes
    that function's keywords (`id`, `score`, `text`, `distance`, `order`, `columns`). `queries` maps
    ids to texts, or is a CSV, TSV, JSON or JSONL file. `threads` calls run at the same time. For an
    async function `concurrency` says how many may run at a time (default 1), all in one event loop.
    The run is the same for every number of threads. No query is asked twice.

    With errors="raise" the first failing query, in the given order, is an error. With errors="keep"
    its ranking is empty, and the run's `errors` and notes name it. `clock` returns seconds. A
    latency is the time from the call to the answer, so it includes the load of calls at the same
    time.

    Raises RetrieverError if the retriever fails. Raises InputError for an answer that is not
    understood, also with errors="keep". Both name the query.

    >>> run = build_run(lambda text: [(text.split()[0], 0.9)], {"q1": "cats purr"})
    >>> dict(run)
    {'q1': {'cats': 0.9}}
    """
    asked_for = read_queries(queries)
    if not callable(retrieve):
        raise InputError(f"retrieve={retrieve!r:.80}: give a function of a query's text")
    if errors not in (RAISE, KEEP):
        raise InputError(f"errors={errors!r} is not known; use one of {RAISE}, {KEEP}")
    _count(threads, "threads")
    _refuse_unknown(shape)
    stop = errors == RAISE

    def read(query: Hashable, answer: Any) -> Retrieved:
        return retrieved(answer, query=query, **shape)

    if concurrency is not None or is_async(retrieve):
        if threads != 1:
            raise InputError(
                f"threads={threads}: an async retriever runs in one thread; give concurrency="
            )
        side_by_side = _count(1 if concurrency is None else concurrency, "concurrency")
        asked = in_a_loop(
            retrieve, asked_for, read, concurrency=side_by_side, clock=clock, stop=stop
        )
    else:
        asked = one_by_one(retrieve, asked_for, read, threads=threads, clock=clock, stop=stop)
    return _built(asked, asked_for, stop=stop)


def build_runs(
    retrieve: Callable[[Any], Any], queries: Any, *, repeat: int = 5, **options: Any
) -> tuple[BuiltRun, ...]:
    """Repeated runs: a retriever's rankings when the same queries are asked several times.

    For rankers with noise (approximate indexes, language models): `stability` and `assert_stable`
    say how much the scores of these runs differ. `repeat` is how many runs, at least 2; the other
    keywords are those of `build_run`.

    >>> len(build_runs(lambda text: [text], {"q1": "cats"}, repeat=3))
    3
    """
    if _count(repeat, "repeat") < 2:
        raise InputError(f"repeat={repeat}: one run can't vary; give 2 or more, or use build_run")
    asked_for = read_queries(queries)
    return tuple(build_run(retrieve, asked_for, **options) for _ in range(repeat))


_SHAPE = ("id", "score", "text", "distance", "order", "columns")


def _refuse_unknown(shape: Mapping[str, Any]) -> None:
    for name in shape:
        if name not in _SHAPE:
            known = ("threads", "concurrency", "errors", "clock", *_SHAPE)
            raise InputError(f"{name}= is not known; there are {', '.join(known)}")
    retrieved([], **shape)  # a wrong value is told before anything is asked


def _count(value: Any, name: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise InputError(f"{name}={value!r}: give a whole number from 1 up")
    return value


def _built(
    asked: Mapping[Hashable, Asked], texts: Mapping[Hashable, Any], *, stop: bool
) -> BuiltRun:
    answers: dict[Hashable, Retrieved] = {}
    failed: dict[Hashable, str] = {}
    for query, one in asked.items():
        if one.error is not None and one.is_misread:
            raise one.error
        if one.error is not None and stop:
            said = f"{at(query)}the retriever failed: {_said(one.error)}"
            raise RetrieverError(said) from one.error
        if one.error is not None:
            failed[query] = _said(one.error)
        answers[query] = Retrieved(()) if one.answer is None else one.answer
    return BuiltRun(answers, texts, {query: one.seconds for query, one in asked.items()}, failed)


def _said(error: Exception) -> str:
    name = "" if isinstance(error, RetrieverError) else f"{type(error).__name__}: "
    return f"{name}{error}"
