"""Marking a whole class: some workers, results kept as they are finished, and what would change."""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event

from irmetrics_edu.marking import store
from irmetrics_edu.marking.marking import Stopped, mark
from irmetrics_edu.marking.paper import Paper
from irmetrics_edu.marking.result import PARTLY, Result, differences
from irmetrics_edu.marking.turns import Turns
from irmetrics_edu.marking.whose import Work

WORKERS = 2


@dataclass
class Round:
    """What a run did: the results that count now, what is new, and what would be other.

    `changes` are by path: with `force` they were taken over, else the kept result stays.
    """

    results: dict[str, Result] = field(default_factory=dict)
    new: list[str] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)
    stale: list[str] = field(default_factory=list)
    changes: dict[str, list[str]] = field(default_factory=dict)


def sorted_by_need(works: Sequence[Work], kept: Mapping[str, Result], *, force: bool) -> Round:
    """Which submissions are new, kept as they are, or were marked from something else."""
    found = Round()
    for work in works:
        path = work.submission.path
        old = kept.get(path)
        # What the machine failed at is tried again as if it were new.
        if old is None or old.status == PARTLY:
            found.new.append(path)
        elif old.inputs != work.inputs or force:
            found.stale.append(path)
        else:
            found.kept.append(path)
    return found


def grade(
    works: Sequence[Work], papers: Mapping[str, Paper], folder: Path, *, force: bool = False,
    done: Callable[[], None] = lambda: None, workers: int = WORKERS,
) -> Round:  # fmt: skip
    """Mark what is new; mark what has changed, and keep that only with `force`.

    Each result is on disk as soon as it is finished. An interrupt ends the run after the children
    that are running; what was finished is kept.
    """
    kept = store.results(folder)
    found = sorted_by_need(works, kept, force=force)
    found.results.update({path: kept[path] for path in [*found.kept, *found.stale]})
    todo = {*found.new, *found.stale}
    new = set(found.new)
    stop, turns = Event(), Turns()

    def one(work: Work) -> Result:
        # Here, in the worker's thread, which outlives the children: they end with the thread
        # that starts them.
        result = work.result or _marked(work, papers, stop, turns)
        if work.submission.path in new or force:
            store.save(folder, result)
        return result

    with ThreadPoolExecutor(workers) as pool:
        waiting: dict[Future[Result], Work] = {
            pool.submit(one, work): work for work in works if work.submission.path in todo
        }
        try:
            for _ in range(len(works) - len(waiting)):
                done()
            while waiting:
                finished, _ = wait(waiting, timeout=0.5, return_when=FIRST_COMPLETED)
                for future in finished:
                    path = waiting.pop(future).submission.path
                    _take(found, path, future.result(), new=path in new, force=force)
                    done()
        except BaseException:
            stop.set()
            pool.shutdown(wait=True, cancel_futures=True)
            raise
    return found


def _marked(work: Work, papers: Mapping[str, Paper], stop: Event, turns: Turns) -> Result:
    if work.script is None:
        raise Stopped
    return mark(work.script, papers[work.number], stop, turns)


def _take(found: Round, path: str, result: Result, *, new: bool, force: bool) -> None:
    if not new and (changes := differences(found.results[path], result)):
        found.changes[path] = changes
    if new or force:
        found.results[path] = result
