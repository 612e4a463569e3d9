"""A run from a live system: `build_run(retrieve, queries)` asks it and keeps the answers.

Queries are asked one after the other, in threads, or in an event loop. The outcome does not depend
on which call ends first. Outcomes are in the order of the queries, and the first failure in that
order is raised.
"""

import asyncio
import contextlib
import inspect
import sys
import threading
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from os import PathLike
from time import perf_counter
from typing import Any

from irmetrics_edu import checks
from irmetrics_edu.checks import at
from irmetrics_edu.errors import InputError, RetrieverError
from irmetrics_edu.judging.answer_shapes import fetched
from irmetrics_edu.judging.one_answer import Retrieved, retrieved
from irmetrics_edu.reading.texts import read_texts
from irmetrics_edu.views.escaping import visible

__tracebackhide__ = True  # pytest shows the line that called

_NAMED = 3
_TIED = (
    "have equal scores, which conventions may order otherwise (trec_eval: by id); "
    'order="given" keeps yours'
)


class BuiltRun(Mapping[Hashable, Any]):
    """A run, query -> document -> score, made from a retriever's answers.

    Every measure and assertion takes it like a dictionary. If an answer has no scores, the query
    has a list of ids in order. `answers` has the passages of each query with texts and metadata,
    `texts` what was asked, `latencies` the seconds that each call took (a failed one too), `errors`
    what was raised, and `empty` the queries with no passage. `notes` says all this in words.
    """

    def __init__(
        self,
        answers: Mapping[Hashable, Retrieved],
        texts: Mapping[Hashable, Any],
        latencies: Mapping[Hashable, float],
        errors: Mapping[Hashable, str] | None = None,
        said: tuple[str, ...] = (),
    ) -> None:
        self.answers = dict(answers)
        self.texts = dict(texts)
        self.latencies = dict(latencies)
        self.errors = dict(errors or {})
        self._said = said
        self._rankings = {query: answer.ranking for query, answer in self.answers.items()}

    @property
    def empty(self) -> tuple[Hashable, ...]:
        """The queries for which the retriever found nothing; those that failed are in `errors`."""
        return tuple(q for q, answer in self.answers.items() if not answer and q not in self.errors)

    def notes(self) -> list[str]:
        """Notes to show with a score of this run."""
        notes = [*self._said]
        tied = [query for query, answer in self.answers.items() if _is_tied(answer)]
        for what, queries in (
            ("failed, with an empty ranking", list(self.errors)),
            ("got an empty answer", list(self.empty)),
            (_TIED, tied),
        ):
            if queries:
                notes.append(f"{len(queries):,} of {len(self):,} queries {what}: {_some(queries)}")
        noted = [query for query, answer in self.answers.items() if answer.notes]
        if noted:
            note = self.answers[noted[0]].notes[0]
            notes.append(f"{len(noted):,} of {len(self):,} queries: {note} (query {noted[0]!r})")
        return notes

    def with_answers(self, answers: Mapping[Hashable, Retrieved], *said: str) -> "BuiltRun":
        """The same run with other passages and notes about them."""
        return BuiltRun(answers, self.texts, self.latencies, self.errors, (*self._said, *said))

    def __getitem__(self, query: Hashable) -> Any:
        return self._rankings[query]

    def __iter__(self) -> Iterator[Hashable]:
        return iter(self._rankings)

    def __len__(self) -> int:
        return len(self._rankings)

    def __repr__(self) -> str:
        passages = sum(map(len, self.answers.values()))
        return f"BuiltRun({len(self):,} queries, {passages:,} passages)"

    def __str__(self) -> str:
        return "\n".join(visible(line) for line in [repr(self), *self.notes()])


def _is_tied(answer: Retrieved) -> bool:
    """Whether the ranking has equal scores, which a convention for ties may put in order."""
    ranking = answer.ranking
    return isinstance(ranking, dict) and len(set(ranking.values())) < len(ranking)


def _some(queries: list[Hashable]) -> str:
    shown = ", ".join(map(repr, queries[:_NAMED]))
    return shown + (" ..." if len(queries) > _NAMED else "")


RAISE, KEEP = "raise", "keep"
Read = Callable[[Hashable, Any], Retrieved]
Queries = Mapping[Hashable, Any] | Mapping[str, Any] | str | PathLike[str]


def build_run(
    retrieve: Callable[[Any], Any],
    queries: Queries,
    *,
    threads: int = 1,
    errors: str = RAISE,
    **shape: Any,
) -> BuiltRun:
    """A run holds a retriever's ranking for each query; every query is asked once.

    `retrieve` takes the text of a query and gives any answer that `retrieved` knows; `shape` takes
    that function's keywords (`id`, `score`, `text`, `distance`, `order`). `queries` maps ids to
    texts, or is a CSV, TSV, JSON or JSONL file. `threads` calls run at the same time; those of an
    async function run in one event loop. The run is the same for every number of threads. No query
    is asked twice.

    With errors="raise" the first failing query, in the given order, is an error. With errors="keep"
    its ranking is empty, and the run's `errors` and notes name it. A latency is the time from the
    call to the answer, so it includes the load of calls at the same time.

    Raises RetrieverError if the retriever fails. Raises InputError for an answer that is not
    understood, also with errors="keep". Both name the query.

    >>> run = build_run(lambda text: [(text.split()[0], 0.9)], {"q1": "cats purr"})
    >>> dict(run)
    {'q1': {'cats': 0.9}}
    """
    asked_for = read_queries(queries)
    if not callable(retrieve):
        raise InputError(f"retrieve={retrieve!r:.80}: give a function of a query's text")
    checks.one_of("errors", errors, (RAISE, KEEP))
    checks.whole("threads", threads, 1)
    _refuse_unknown(shape)
    stop = errors == RAISE

    def read(query: Hashable, answer: Any) -> Retrieved:
        return retrieved(
            answer,
            query=query,
            **shape,
        )

    if not _is_async(retrieve):
        return _asked(
            retrieve,
            asked_for,
            read,
            threads=threads,
            stop=stop,
        )
    with _awaited(retrieve) as blocking:
        return _asked(
            blocking,
            asked_for,
            read,
            threads=threads,
            stop=stop,
        )


_SHAPE = ("id", "score", "text", "distance", "order")


def _refuse_unknown(shape: Mapping[str, Any]) -> None:
    """Refuse what is no keyword of `retrieved`, and a wrong value, before anything is asked."""
    for name in shape:
        if name not in _SHAPE:
            keywords = ", ".join(("threads", "errors", *_SHAPE))
            raise InputError(f"{name}= is not known; there are {keywords}")
    retrieved([], **shape)


def _is_async(retrieve: Any) -> bool:
    """Whether a call returns something to await."""
    inner = getattr(retrieve, "func", retrieve)  # of a functools.partial
    return inspect.iscoroutinefunction(inner) or inspect.iscoroutinefunction(
        getattr(inner, "__call__", None)  # noqa: B004 -- whether it is a coroutine, not whether it is there
    )


@contextlib.contextmanager
def _awaited(retrieve: Callable[[Any], Any]) -> Iterator[Callable[[Any], Any]]:
    """An async retriever as a function that blocks; all its calls run in one event loop.

    The loop has a thread of its own, so it does not matter whether one runs already, as in a
    notebook.
    """
    started: Future[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = Future()

    async def serve() -> None:
        done = asyncio.Event()
        started.set_result((asyncio.get_running_loop(), done))
        await done.wait()

    async def ask(text: Any) -> Any:
        return fetched(await retrieve(text))

    thread = threading.Thread(target=lambda: asyncio.run(serve()))
    thread.start()
    loop, done = started.result()
    try:
        yield lambda text: asyncio.run_coroutine_threadsafe(ask(text), loop).result()
    finally:
        with contextlib.suppress(RuntimeError):  # the loop is closed: a call ended the process
            loop.call_soon_threadsafe(done.set)
        thread.join()


# What came of a call and its seconds. An InputError means that an answer was not understood.
_Outcome = tuple[Retrieved | Exception, float]


def _asked(
    retrieve: Callable[[Any], Any],
    queries: Mapping[Hashable, Any],
    read: Read,
    *,
    threads: int,
    stop: bool,
) -> BuiltRun:
    """Ask in this many threads; with `stop`, no new query starts after an error."""

    def ask(query: Hashable, text: Any) -> _Outcome:
        begin = perf_counter()
        try:
            answer = fetched(retrieve(text))
        except Exception as error:  # noqa: BLE001 -- a retriever is anybody's, and may raise anything
            # Its own InputError is a failure like any other.
            failed = RetrieverError(str(error)) if isinstance(error, InputError) else error
            return failed, perf_counter() - begin
        seconds = perf_counter() - begin
        try:
            if inspect.isawaitable(answer):
                getattr(answer, "close", bool)()
                raise InputError("the answer has to be awaited; give an async function")
            return read(query, answer), seconds
        except (InputError, RetrieverError) as error:
            return error, seconds

    if threads == 1:
        return _built(queries, map(ask, queries, queries.values()), stop=stop)
    with ThreadPoolExecutor(threads) as pool:
        try:
            return _built(queries, pool.map(ask, queries, queries.values()), stop=stop)
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def _built(
    queries: Mapping[Hashable, Any], outcomes: Iterable[_Outcome], *, stop: bool
) -> BuiltRun:
    answers: dict[Hashable, Retrieved] = {}
    latencies: dict[Hashable, float] = {}
    failed: dict[Hashable, str] = {}
    try:
        for query, (answer, seconds) in zip(queries, outcomes, strict=True):
            latencies[query] = seconds
            _tell(len(latencies), len(queries))
            if isinstance(answer, InputError):
                raise answer
            if isinstance(answer, Exception):
                name = "" if isinstance(answer, RetrieverError) else f"{type(answer).__name__}: "
                failed[query] = f"{name}{answer}"
                if stop:
                    failure = f"{at(query)}the retriever failed: {failed[query]}"
                    raise RetrieverError(failure) from answer
            answers[query] = Retrieved(()) if isinstance(answer, Exception) else answer
    finally:
        _tell(0, 0)
    return BuiltRun(answers, queries, latencies, failed)


def _tell(done: int, total: int) -> None:
    """Progress on one line of stderr, cleared at the end; only in a terminal."""
    if sys.stderr is not None and sys.stderr.isatty():
        line = f"asked {done:,} of {total:,} queries" if total else ""
        sys.stderr.write(f"\r\x1b[K{line}")
        sys.stderr.flush()


def read_queries(queries: Queries) -> dict[Hashable, Any]:
    """The queries by id, in the order given: of a mapping, or of a file that `read_texts` reads.

    Raises InputError for an id or text that is missing or empty, and where there is no query.

    >>> read_queries({"q1": "cheap flights"})
    {'q1': 'cheap flights'}
    """
    if not isinstance(queries, (Mapping, str, PathLike)):
        raise InputError(
            f"queries={queries!r:.80}: give a mapping from id to text, or a CSV, TSV, JSON or "
            "JSONL file"
        )
    texts: dict[Hashable, Any] = {}
    texts.update(queries if isinstance(queries, Mapping) else read_texts(queries, "query"))
    if not texts:
        raise InputError("queries: there is none; give at least one")
    checks.one_kind(texts, "query")
    for query, text in texts.items():
        if text is None or (isinstance(text, str) and not text.strip()):
            raise InputError(f"query {query!r}: its text is empty; give text, or leave it out")
    return texts
