"""Asking a retriever every query: one after the other, in threads, or in an event loop.

The outcome does not depend on which call ends first. Outcomes are in the order of the queries, and
the first failure in that order is raised.
"""

import asyncio
import inspect
import sys
import threading
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from irmetrics_edu.errors import InputError, RetrieverError
from irmetrics_edu.judging.answer_shapes import fetched
from irmetrics_edu.judging.passages import Retrieved

__tracebackhide__ = True  # pytest shows the line that called

Clock = Callable[[], float]
Read = Callable[[Hashable, Any], Retrieved]


@dataclass(frozen=True, slots=True)
class Asked:
    """The result of a call: an answer or an error, and its seconds.

    An InputError means that an answer was not understood; it always ends the asking.
    """

    answer: Retrieved | None
    error: Exception | None
    seconds: float

    @property
    def is_misread(self) -> bool:
        """Whether the answer was not understood."""
        return isinstance(self.error, InputError)


def _read(query: Hashable, answer: Any, seconds: float, read: Read) -> Asked:
    """The answer as a ranking, or why it is not one."""
    try:
        return Asked(read(query, answer), None, seconds)
    except (InputError, RetrieverError) as error:
        return Asked(None, error, seconds)


def _failed(error: Exception, seconds: float) -> Asked:
    """A call that raised; an InputError from the retriever itself is a failure like any other."""
    if isinstance(error, InputError):
        error = RetrieverError(str(error))
    return Asked(None, error, seconds)


def is_async(retrieve: Any) -> bool:
    """Whether a call returns something to await."""
    inner = getattr(retrieve, "func", retrieve)  # of a functools.partial
    return inspect.iscoroutinefunction(inner) or inspect.iscoroutinefunction(
        getattr(inner, "__call__", None)  # noqa: B004 -- whether it is a coroutine, not whether it is there
    )


def one_by_one(
    retrieve: Callable[[Any], Any],
    queries: Mapping[Hashable, Any],
    read: Read,
    *,
    threads: int,
    clock: Clock,
    stop: bool,
) -> dict[Hashable, Asked]:
    """Ask in this many threads; with `stop`, no new query starts after an error."""

    def ask(query: Hashable, text: Any) -> Asked:
        begin = clock()
        try:
            answer = fetched(retrieve(text))
        except Exception as error:  # noqa: BLE001 -- a retriever is anybody's, and may raise anything
            return _failed(error, clock() - begin)
        seconds = clock() - begin
        if inspect.isawaitable(answer):
            getattr(answer, "close", bool)()
            unawaited = InputError(
                "the retriever is async; say how many queries may run at a time, such as "
                "concurrency=8"
            )
            return Asked(None, unawaited, seconds)
        return _read(query, answer, seconds, read)

    if threads == 1:
        return _until_error(queries, map(ask, queries, queries.values()), stop=stop)
    with ThreadPoolExecutor(threads) as pool:
        try:
            outcomes = pool.map(ask, queries, queries.values())
            return _until_error(queries, outcomes, stop=stop)
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def in_a_loop(
    retrieve: Callable[[Any], Any],
    queries: Mapping[Hashable, Any],
    read: Read,
    *,
    concurrency: int,
    clock: Clock,
    stop: bool,
) -> dict[Hashable, Asked]:
    """Ask in one event loop, this many queries at a time.

    If a loop is already running, as in a notebook, a thread gets its own loop.
    """
    made: list[dict[Hashable, Asked]] = []
    raised: list[BaseException] = []

    def run() -> None:
        try:
            made.append(
                asyncio.run(
                    _all(retrieve, queries, read, concurrency=concurrency, clock=clock, stop=stop)
                )
            )
        except BaseException as error:  # noqa: BLE001 -- it is raised by who waits for the thread
            raised.append(error)

    try:
        asyncio.get_running_loop()
    except RuntimeError:
        run()
    else:
        thread = threading.Thread(target=run)
        thread.start()
        thread.join()
    if raised:
        raise raised[0]
    return made[0]


async def _all(
    retrieve: Callable[[Any], Any],
    queries: Mapping[Hashable, Any],
    read: Read,
    *,
    concurrency: int,
    clock: Clock,
    stop: bool,
) -> dict[Hashable, Asked]:
    room = asyncio.Semaphore(concurrency)
    failed = False
    done = 0

    async def ask(query: Hashable, text: Any) -> Asked | None:
        nonlocal failed, done
        async with room:
            if failed:
                return None
            begin = clock()
            try:
                answer = retrieve(text)
                answer = fetched(await answer if inspect.isawaitable(answer) else answer)
            except Exception as error:  # noqa: BLE001 -- a retriever is anybody's
                asked = _failed(error, clock() - begin)
            else:
                asked = _read(query, answer, clock() - begin, read)
            if asked.is_misread or (stop and asked.error is not None):
                failed = True
            done += 1
            _tell(done, len(queries))
            return asked

    try:
        found = await asyncio.gather(*(ask(query, text) for query, text in queries.items()))
    finally:
        _tell(0, 0)
    paired = zip(queries, found, strict=True)
    return {query: asked for query, asked in paired if asked is not None}


def _until_error(
    queries: Iterable[Hashable], outcomes: Iterable[Asked], *, stop: bool
) -> dict[Hashable, Asked]:
    total = len(list(queries))
    found: dict[Hashable, Asked] = {}
    try:
        for query, asked in zip(queries, _told(outcomes, total), strict=False):
            found[query] = asked
            if asked.is_misread or (stop and asked.error is not None):
                break
    finally:
        _tell(0, 0)
    return found


def _told(outcomes: Iterable[Asked], total: int) -> Iterator[Asked]:
    for done, asked in enumerate(outcomes, 1):
        _tell(done, total)
        yield asked


def _tell(done: int, total: int) -> None:
    """Progress on one line of stderr, cleared at the end; only in a terminal."""
    if sys.stderr is not None and sys.stderr.isatty():
        line = f"asked {done:,} of {total:,} queries" if total else ""
        sys.stderr.write(f"\r\x1b[K{line}")
        sys.stderr.flush()
