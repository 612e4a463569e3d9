"""The third step: the code of each submission runs, and its answers are judged.

Several workers mark a class; a result is stored as soon as it is finished.
"""

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from threading import Event

from irmetrics_edu.classroom.marking import results
from irmetrics_edu.classroom.marking.grade_options import GradeOptions, Progress, no_progress
from irmetrics_edu.classroom.marking.match import MatchedHandIns
from irmetrics_edu.classroom.marking.matching.answer_key import AnswerKey
from irmetrics_edu.classroom.marking.matching.ownership import HandIn
from irmetrics_edu.classroom.marking.matching.rounds import ToDo
from irmetrics_edu.classroom.marking.results import Result
from irmetrics_edu.classroom.marking.running.child_runs import Turns
from irmetrics_edu.classroom.marking.running.mark_submission import Stopped, mark_submission


@dataclass(frozen=True)
class MarkedHandIns:
    """The results of a round by path: all `new` ones, and the `standing` ones, which count.

    A new result of what had marks before stands only with `force`.
    """

    new: Mapping[str, Result]
    standing: Mapping[str, Result]


@dataclass(frozen=True)
class _Round:
    """What the workers of a round share."""

    matched: MatchedHandIns
    folder: Path
    turns: Turns
    stop: Event

    def marked(self, hand_in: HandIn) -> Result:
        """The result of one hand-in, which is on disk as soon as it is finished.

        This runs in a worker's thread, which outlives the children: they end with the thread that
        starts them.
        """
        result = hand_in.result or self._run(hand_in)
        if self.matched.to_do[result.path] is not ToDo.MARK_AGAIN:
            results.save(self.folder, result)
        return result

    def _run(self, hand_in: HandIn) -> Result:
        if hand_in.ready is None:
            raise Stopped
        answer_key: AnswerKey = self.matched.answer_keys[hand_in.number]
        return mark_submission(
            hand_in.ready,
            answer_key,
            self.stop,
            self.turns,
        )


def mark(
    matched: MatchedHandIns, options: GradeOptions, progress: Progress = no_progress
) -> MarkedHandIns:
    """Mark all but what is kept.

    What had marks before is on disk only with `force`, and once all are finished. An interrupt ends
    the round after the children that are running.
    """
    this = _Round(matched, options.folder, Turns(options.workers), Event())
    asked = matched.asked
    waiting = matched.waiting
    new: dict[str, Result] = {}
    with progress(len(asked)) as done, ThreadPoolExecutor(options.workers) as pool:
        futures = [pool.submit(this.marked, hand_in) for hand_in in waiting]
        try:
            for _ in range(len(asked) - len(waiting)):
                done()
            for future in as_completed(futures):
                result = future.result()
                new[result.path] = result
                done()
        except BaseException:
            this.stop.set()
            pool.shutdown(cancel_futures=True)
            raise
    standing = dict(new)
    for path, result in new.items():
        if matched.to_do[path] is ToDo.MARK_AGAIN:
            if options.force:
                results.save(options.folder, result)
            else:
                del standing[path]
    return MarkedHandIns(new, standing)
