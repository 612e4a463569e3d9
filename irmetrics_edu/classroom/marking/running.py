"""Marking a whole class with several workers; each result is stored as soon as it is finished."""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event

from irmetrics_edu.classroom.marking import store
from irmetrics_edu.classroom.marking.answer_key import Paper
from irmetrics_edu.classroom.marking.marking import Stopped, mark
from irmetrics_edu.classroom.marking.ownership import Work
from irmetrics_edu.classroom.marking.slots import Turns
from irmetrics_edu.classroom.marking.submission_result import PARTLY, Result, differences

WORKERS = 2


@dataclass
class Round:
    """The outcome of a run: the results that count now, the new ones, and possible changes.

    `anew` are submissions of which another file was handed in; `stale` were marked by other rules
    (sources, key, limits, roster), or are all that `force` marks again. `changes` are by path: of
    what is stale they were taken over with `force` alone, else the kept result stays.
    """

    results: dict[str, Result] = field(default_factory=dict)
    new: list[str] = field(default_factory=list)
    anew: list[str] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)
    stale: list[str] = field(default_factory=list)
    changes: dict[str, list[str]] = field(default_factory=dict)


def sorted_by_need(works: Sequence[Work], kept: Mapping[str, Result], *, force: bool) -> Round:
    """The submissions by state: new, handed in again, kept, or marked by other rules."""
    found = Round()
    for work in works:
        path = work.submission.path
        old = kept.get(path)
        # What the machine failed at is tried again as if it were new.
        if old is None or old.status == PARTLY:
            found.new.append(path)
        elif old.file and old.file != work.submission.digest:
            found.anew.append(path)
        elif old.inputs != work.inputs or force:
            found.stale.append(path)
        else:
            found.kept.append(path)
    return found


def grade(
    works: Sequence[Work], papers: Mapping[str, Paper], folder: Path, *, force: bool = False,
    done: Callable[[], None] = lambda: None, workers: int = WORKERS,
) -> Round:  # fmt: skip
    """Mark new submissions; mark stale ones too, but keep those results only with `force`.

    A new result is on disk as soon as it is finished; of what is stale, all results are replaced
    at the end, or none. An interrupt ends the run after the children that are running.
    """
    kept = store.results(folder)
    store.settle(folder)
    found = sorted_by_need(works, kept, force=force)
    old = [*found.kept, *found.stale, *found.anew]
    found.results.update({path: kept[path] for path in old})
    todo = {*found.new, *found.anew, *found.stale}
    at_once = {*found.new, *found.anew}
    stop, turns = Event(), Turns()

    def one(work: Work) -> Result:
        # Here, in the worker's thread, which outlives the children: they end with the thread
        # that starts them.
        result = work.result or _marked(work, papers, stop, turns)
        if work.submission.path in at_once:
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
                    _take(found, path, future.result(), take=force or path in at_once)
                    done()
        except BaseException:
            stop.set()
            pool.shutdown(wait=True, cancel_futures=True)
            raise
    if force:
        store.replace_all(folder, [found.results[path] for path in found.stale])
    return found


def _marked(work: Work, papers: Mapping[str, Paper], stop: Event, turns: Turns) -> Result:
    if work.script is None:
        raise Stopped
    return mark(work.script, papers[work.number], stop, turns)


def _take(found: Round, path: str, result: Result, *, take: bool) -> None:
    before = found.results.get(path)
    if before is not None and (changes := differences(before, result)):
        found.changes[path] = changes
    if take:
        found.results[path] = result
