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


def mark_class(
    submissions: str | Path, options: GradeOptions, progress: Progress = no_progress
) -> MarkedClass:
    """The marks of a class, with feedback and tables as files in the folder `options.out`.

    `submissions` is a folder, a notebook or an archive. `progress` shows how far it is.
    """
    collected = collect(Path(submissions), options)
    matched = match(collected, options)
    marked = mark(matched, options, progress)
    reviewed = review(matched, marked, options)
    return give_back(matched, reviewed, options)
