"""The first step: what was handed in is found and read, with the class and the exercises.

An archive is unpacked while it is read, and nothing of it is left.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from irmetrics_edu.classroom.exercises.source import read, sources_in
from irmetrics_edu.classroom.exercises.variants import read_key
from irmetrics_edu.classroom.grading.sandbox import tier_for
from irmetrics_edu.classroom.marking import results
from irmetrics_edu.classroom.marking.collecting.owner_names import Person
from irmetrics_edu.classroom.marking.collecting.rosters import Roster, everybody, together
from irmetrics_edu.classroom.marking.collecting.rosters import read as read_roster
from irmetrics_edu.classroom.marking.collecting.submissions import Submission, opened
from irmetrics_edu.classroom.marking.collecting.submissions import submissions as submissions_in
from irmetrics_edu.classroom.marking.grade_options import GradeOptions
from irmetrics_edu.classroom.marking.matching.answer_key import AnswerKey
from irmetrics_edu.classroom.marking.results import Result
from irmetrics_edu.errors import InputError


@dataclass(frozen=True)
class Collected:
    """What was handed in, with all that tells whose it is.

    `submissions` are those of the whole class, and `asked` the paths of those that are to be
    graded now: the class, one folder or one notebook. `kept` are the results of earlier rounds, by
    path, and `answer_keys` the exercises by number. `sources` are those of the whole course: a
    table of the teacher's may name each of them, also if one exercise alone is graded.
    """

    submissions: Sequence[Submission]
    asked: frozenset[str]
    kept: Mapping[str, Result]
    answer_keys: Mapping[str, AnswerKey]
    sources: Sequence[Path]
    course_key: bytes
    rosters: Sequence[Roster]
    people: Sequence[Person]


def collect(handed_in: Path, options: GradeOptions) -> Collected:
    """Read what was handed in: a folder, a notebook or an archive of a platform."""
    _refuse_inside(options.folder, handed_in)
    kept = results.kept(options.folder)
    with opened(handed_in, list(kept)) as (root, wanted, refused):
        course_key = read_key(options.key)
        rosters = together([read_roster(Path(roster)) for roster in options.rosters])
        people = everybody(rosters)
        sources = sources_in(Path(options.sources) if options.sources else None)
        answer_keys = _answer_keys(sources, options, course_key)
        stems = [answer_key.source.stem for answer_key in answer_keys.values()]
        submissions = submissions_in(
            root,
            stems,
            people,
            refused=refused,
        )
        return Collected(
            submissions=submissions,
            asked=_asked(submissions, wanted.resolve(), root.resolve()),
            kept=kept,
            answer_keys=answer_keys,
            sources=sources,
            course_key=course_key,
            rosters=rosters,
            people=people,
        )


def _refuse_inside(out: Path, submissions: Path) -> None:
    """InputError if nothing can be written there, or if it would be read as a submission."""
    root = submissions.resolve()
    target = out.resolve()
    there = [path for path in (target, *target.parents) if path.exists()]
    above = there[0] if there else target
    if not above.is_dir():
        raise InputError(f"--out {out}: {above.name} is a file; name a folder, which may be new")
    if submissions.is_dir() and (target == root or root in target.parents):
        raise InputError(f"--out {out} is inside {submissions}; name a folder outside of it")


def _answer_keys(
    paths: Sequence[Path], options: GradeOptions, course_key: bytes
) -> dict[str, AnswerKey]:
    """The exercises by number, each as it is marked under the course key."""
    tier = tier_for(options.tier)
    numbers = ", ".join(path.stem.partition("_")[0] for path in paths)
    if options.exercise:
        paths = [path for path in paths if path.stem.startswith(f"{options.number}_")]
    if not paths:
        raise InputError(f"--exercise {options.exercise}: no such source; known are {numbers}")
    limits = options.sandbox_limits
    answer_keys: dict[str, AnswerKey] = {}
    for path in paths:
        source = read(path, whole=False)
        answer_keys[source.exercise.number] = AnswerKey(source, course_key, tier, limits)
    return answer_keys


def _asked(submissions: Sequence[Submission], wanted: Path, root: Path) -> frozenset[str]:
    """The paths of the submissions that were asked for."""
    asked = set()
    for submission in submissions:
        path = root / submission.path
        if wanted == root or wanted in {path.resolve(), *path.parents}:
            asked.add(submission.path)
    return frozenset(asked)
