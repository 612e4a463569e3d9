"""Marking a class in one call: the five steps of a teacher's work, one after another.

    from irmetrics_edu.classroom.marking.mark_class import mark_class
    from irmetrics_edu.classroom.marking.grade_options import GradeOptions

    print(mark_class("submissions", GradeOptions(key="course.key", out="marks")))

The command `irmetrics-edu grade` makes the same call.
"""

from pathlib import Path

from irmetrics_edu.classroom.marking.collect import collect
from irmetrics_edu.classroom.marking.give_back import MarkedClass, give_back
from irmetrics_edu.classroom.marking.grade_options import GradeOptions, Progress, no_progress
from irmetrics_edu.classroom.marking.mark import mark
from irmetrics_edu.classroom.marking.match import match
from irmetrics_edu.classroom.marking.review import review
from irmetrics_edu.writing import locked


def mark_class(
    submissions: str | Path, options: GradeOptions, progress: Progress = no_progress
) -> MarkedClass:
    """The marks of a class, with feedback and tables as files in the folder `options.out`.

    `submissions` is a folder, a notebook or an archive. `progress` shows how far it is. The marks
    of earlier rounds are read, and written again at the end: OutputError if another process is at
    work in that folder, as its marks would be lost.
    """
    collected = collect(Path(submissions), options)
    with locked(options.folder / "marks.json", wait=False):
        matched = match(collected, options)
        marked = mark(matched, options, progress)
        reviewed = review(matched, marked, options)
        return give_back(matched, reviewed, options)
