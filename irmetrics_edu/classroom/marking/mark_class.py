"""Marking a class in one call: what was handed in is read and marked, and all files are written.

    from irmetrics_edu.classroom.marking.mark_class import mark_class

    print(mark_class("submissions", key="course.key", out="marks"))

The command `irmetrics-edu grade` makes the same call. Several workers mark a class; a result is
stored as soon as it is finished.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Event
from typing import Any

from irmetrics_edu.classroom.exercises.source import read, sources_in
from irmetrics_edu.classroom.exercises.variants import read_key
from irmetrics_edu.classroom.grading.limits import Limits
from irmetrics_edu.classroom.grading.sandbox import tier_for
from irmetrics_edu.classroom.grading.tiers import Tier
from irmetrics_edu.classroom.marking import (
    class_report,
    course_total,
    exports,
    feedback,
    gradebook,
    hand_marks,
    lateness,
    regrading,
    results,
)
from irmetrics_edu.classroom.marking.answer_key import Paper
from irmetrics_edu.classroom.marking.archives import downloads
from irmetrics_edu.classroom.marking.child_runs import Turns
from irmetrics_edu.classroom.marking.gradebook import Row
from irmetrics_edu.classroom.marking.lateness import Rules, Times
from irmetrics_edu.classroom.marking.mark_submission import Stopped, mark
from irmetrics_edu.classroom.marking.owner_names import Person, members
from irmetrics_edu.classroom.marking.ownership import Work, sort_out
from irmetrics_edu.classroom.marking.results import PARTLY, Result, differences
from irmetrics_edu.classroom.marking.rosters import CANVAS, WORKSHEET, Roster, everybody, together
from irmetrics_edu.classroom.marking.rosters import read as read_roster
from irmetrics_edu.classroom.marking.submissions import Handed, opened
from irmetrics_edu.classroom.marking.submissions import submissions as submissions_in
from irmetrics_edu.errors import InputError

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

    A new result is on disk as soon as it is finished, those of what is stale once all are. An
    interrupt ends the run after the children that are running.
    """
    kept = results.kept(folder)
    found = sorted_by_need(works, kept, force=force)
    old = [*found.kept, *found.stale, *found.anew]
    found.results.update({path: kept[path] for path in old})
    todo = {*found.new, *found.anew, *found.stale}
    at_once = {*found.new, *found.anew}
    stop, turns = Event(), Turns(workers)

    def one(work: Work) -> Result:
        # Here, in the worker's thread, which outlives the children: they end with the thread
        # that starts them.
        result = work.result or _marked(work, papers, stop, turns)
        if work.submission.path in at_once:
            results.save(folder, result)
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
    for path in found.stale if force else ():
        results.save(folder, found.results[path])
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


MOST_SHOWN = 20

# What shows how far it is: called with the number of submissions, it is entered once, and gives
# what is called after each of them.
Progress = Callable[[int], AbstractContextManager[Callable[[], None]]]


@dataclass(frozen=True)
class MarkedClass:
    """A class that was marked: the marks of each student, and what to say of them, line by line.

    `rows` are the marks, a row for each student and exercise. `open` are the rows without marks,
    which wait for the teacher, and `open_totals` counts the totals of a course that do.
    """

    lines: tuple[str, ...]
    rows: tuple[Row, ...] = ()
    open_totals: int = 0

    @property
    def open(self) -> list[Row]:
        """The rows without marks."""
        return [row for row in self.rows if row.marks is None]

    def __str__(self) -> str:
        return "\n".join(self.lines)


def mark_class(
    submissions: str | Path, *, key: str | Path, out: str | Path, exercise: str = "",
    sources: str | Path | None = None, rosters: Sequence[str | Path] = (), copies: str = "auto",
    due: str = "", late: str | Path | None = None, times: str | Path | None = None,
    regrade: str | Path | None = None, attempt: str = "last", tier: str = "",
    limits: Sequence[str] = (), columns: Sequence[str] = (),
    workers: int = WORKERS, force: bool = False,
    progress: Progress = lambda _: nullcontext(lambda: None),
) -> MarkedClass:  # fmt: skip
    """The marks of a class, with feedback and tables as files in the folder `out`.

    `submissions` is a folder, a notebook or an archive, and `key` the file with the course key. The
    other arguments are the options of the command; `docs/grading.md` explains them. A submission
    that has marks keeps them, unless `force` says to take over what has changed.
    """
    for name, given, known in (
        ("copies", copies, ("auto", "own", "general")),
        ("attempt", attempt, ("last", "first", "best")),
    ):
        if given not in known:
            raise InputError(f"{name}={given!r}: give one of {', '.join(known)}")
    if workers < 1:
        raise InputError(f"workers={workers}: give 1 or more")
    named_columns = dict(map(_named_column, columns))
    where, folder = Path(submissions), Path(out)
    _refuse_inside(folder, where)
    kept = results.kept(folder)
    with opened(where, list(kept)) as handed:
        master = read_key(key)
        listed = together([read_roster(Path(roster)) for roster in rosters])
        papers = _papers(_path(sources), exercise, master, tier_for(tier), limits)
        works = _works(handed, papers, master, everybody(listed), copies, exercise)
        desk = _desk(
            listed, works, list(papers), due=due, rules=_path(late), handed_in=_path(times)
        )
        works = _timed(works, desk.times, desk.people)
        asked = _asked(works, handed, where)
        need = sorted_by_need(asked, kept, force=force)
        by_hand = _by_hand(folder, works, papers, desk)
        exercises = {number: paper.source.exercise for number, paper in papers.items()}
        class_ = [*desk.people, *(Person(w.student) for w in works)]
        changes = regrading.read(Path(regrade), exercises, class_) if regrade else []
        waiting = {*need.new, *need.anew, *need.stale}
        for number in sorted({w.number for w in asked if w.submission.path in waiting} - {""}):
            _ = papers[
                number
            ].hidden  # that no input tells enough is the teacher's to know, at once
        with progress(len(asked)) as done:
            found = grade(asked, papers, folder, force=force, done=done, workers=workers)
        counting = kept | found.results
        rows = gradebook.rows(works, counting, papers, by_hand, desk.people, desk.rules, attempt)
        rows, agreed = gradebook.with_hand_marks(rows, works, papers, folder, by_hand)
        regraded: list[list[str]] = []
        if changes:
            rows, regraded = regrading.applied(rows, changes, exercises)
            results.write(folder / "regraded.csv", regrading.as_csv(regraded))
        again = [f"regraded: {len(regraded)} marks changed, see {folder / 'regraded.csv'}"]
        lines = _write(folder, rows, works, desk, named_columns)
        said = [*again * bool(changes), *agreed, *lines]
        return MarkedClass((*said, *_of_round(found, rows, folder, force=force)), tuple(rows))


def mark_course(
    where: Sequence[str | Path], *, out: str | Path, rules: str | Path | None = None,
    rosters: Sequence[str | Path] = (), **options: Any,
) -> MarkedClass:  # fmt: skip
    """The totals of a course, as course.csv and course.html in the folder `out`.

    `where` are folders that an earlier grading wrote, and what is still to be graded: downloads of
    platforms, or a folder of several. Each of these is graded into a folder of its own below `out`,
    by the `options` of `mark_class`. A grading worksheet of Moodle goes with the download whose
    name ends in the same number, all other rosters with each.
    """
    folder = Path(out)
    wanted = [d for path in map(Path, where) for d in downloads(path) or [path]]
    sheets = {Path(r): read_roster(Path(r)).kind == WORKSHEET for r in rosters}
    own: dict[Path, list[Path]] = {path: [] for path in wanted}
    for sheet in (path for path, is_one in sheets.items() if is_one):
        fits = [p for p in wanted if _last_number(p) == _last_number(sheet)]
        if len(fits) != 1:
            raise InputError(
                f"{sheet}: which download is it of? Keep Moodle's names, which end in one number: "
                "Grades-C1-First-33.csv goes with C1-First-33.zip"
            )
        own[fits[0]].append(sheet)
    common = [path for path, is_one in sheets.items() if not is_one]
    said: list[str] = []
    graded: list[Mapping[str, Any]] = []
    rows: list[Row] = []
    for path in wanted:
        into = path
        if not (path / "marks.json").is_file():
            if not options.get("key"):
                raise InputError(f"{path} is not graded yet: give the course key with --key")
            into = folder / path.stem
            marked = mark_class(path, out=into, rosters=[*common, *own[path]], **options)
            said += [f"{path.name}:", *(f"  {line}" for line in marked.lines)]
            rows += marked.rows
        graded += course_total.graded_in(into)
    exercises = sorted({row["exercise"] for row in graded} - {""})
    told = course_total.read_rules(Path(rules), exercises) if rules else course_total.CourseRules()
    totals = course_total.totals(graded, told)
    results.write(folder / "course.csv", course_total.as_csv(totals))
    results.write(folder / "course.html", course_total.as_html(totals, told))
    if left := [f"{t.student}: exercise {', '.join(t.open)}" for t in totals if t.open]:
        said += ["totals that stay open, as marks are missing:", *_listed(left)]
    said.append(f"{len(totals)} students; see {folder / 'course.html'} and {folder / 'course.csv'}")
    return MarkedClass(tuple(said), tuple(rows), len(left))


def _last_number(path: Path) -> str:
    return next(reversed(re.findall(r"\d+", path.stem)), path.stem)


def _named_column(text: str) -> tuple[str, str]:
    """The exercise and the gradebook's column of NN=COLUMN; a column alone is for one exercise."""
    match = re.fullmatch(r"(?:(\d{1,2})=)?(.+)", text.strip())
    if match is None:
        raise InputError(f"--column {text!r}: write it as 04=NAME, with the column's name or id")
    return (match[1] or "").zfill(2) if match[1] else "", match[2].strip()


def _path(given: str | Path | None) -> Path | None:
    return None if given is None else Path(given)


def _papers(
    folder: Path | None, exercise: str, key: bytes, tier: Tier, limits: Sequence[str]
) -> dict[str, Paper]:
    paths = sources_in(folder)
    known = ", ".join(p.stem.partition("_")[0] for p in paths)
    if exercise:
        paths = [p for p in paths if p.stem.startswith(f"{exercise.zfill(2)}_")]
    if not paths:
        raise InputError(f"--exercise {exercise}: no such source; known are {known}")
    limited = Limits.named(limits)
    read_in = [read(path) for path in paths]
    return {source.exercise.number: Paper(source, key, tier, limited) for source in read_in}


def _works(
    handed: Handed, papers: Mapping[str, Paper], key: bytes, people: Sequence[Person],
    copies: str, exercise: str,
) -> list[Work]:  # fmt: skip
    """The submissions with their owners and exercises."""
    stems = [paper.source.stem for paper in papers.values()]
    found = submissions_in(handed.root, stems, people, refused=handed.refused)
    return sort_out(found, papers, key, people, copies, exercise.zfill(2) if exercise else "")


def _asked(works: Sequence[Work], handed: Handed, given: Path) -> list[Work]:
    """The submissions that were asked for: the whole class, one folder or one notebook."""
    root = handed.root
    lies_in = root if handed.unpacked else given
    return [w for w in works if _lies_in(root / w.submission.path, root, lies_in)]


def _lies_in(path: Path, root: Path, asked: Path) -> bool:
    wanted = asked.resolve()
    return root == asked or root.resolve() == wanted or wanted in (path.resolve(), *path.parents)


@dataclass(frozen=True)
class Desk:
    """The facts about the students: who they are, and when their work was due."""

    rosters: tuple[Roster, ...] = ()
    rules: Rules | None = None
    times: Times = field(default_factory=dict)

    @property
    def people(self) -> list[Person]:
        """The students of all rosters."""
        return everybody(self.rosters)

    def worksheets(self) -> list[Roster]:
        """The rosters that are Moodle's grading worksheets."""
        return [r for r in self.rosters if r.kind == WORKSHEET]

    def gradebook(self) -> Roster | None:
        """Canvas's gradebook, if it is among the rosters."""
        return next((r for r in self.rosters if r.kind == CANVAS), None)


def _desk(
    found: Sequence[Roster], works: Sequence[Work], exercises: Sequence[str], *,
    due: str = "", rules: Path | None = None, handed_in: Path | None = None,
) -> Desk:  # fmt: skip
    """The desk; it reads rules and times after the roster, because they name students."""
    if due and rules:
        raise InputError("--due and --late: give the deadline in the table of --late alone")
    listed = everybody(found)
    names = {p.student for p in listed}
    others = sorted(({w.student for w in works} | set(members(listed))) - names)
    class_ = [*listed, *(Person(name) for name in others)]
    made = lateness.due_at(due) if due else None
    if rules:
        made = lateness.read(rules, exercises, class_)
    zone = made.zone if made else None
    when: Times = {}
    own = Desk(tuple(found), made)
    if made and (sheets := own.worksheets()):
        number = _exercise_of_worksheet(works, sheets)
        when = lateness.times_of_worksheet(sheets[0], number, zone)
    if handed_in:
        when = {**when, **lateness.read_times(handed_in, zone, class_)}
    return replace(own, times=when)


def _exercise_of_worksheet(works: Sequence[Work], sheets: Sequence[Roster]) -> str:
    """The one exercise that a worksheet is of; InputError if there are several."""
    numbers = sorted({w.number for w in works} - {""})
    if len(numbers) > 1 or len(sheets) > 1:
        raise InputError(
            f"{sheets[0].path}: Moodle's worksheet is of one assignment, and exercises "
            f"{', '.join(numbers)} were handed in; grade them one by one"
        )
    return numbers[0] if numbers else ""


def _timed(works: Sequence[Work], times: Times, people: Sequence[Person] = ()) -> list[Work]:
    """The submissions with the platform's times, if it has any."""
    groups = members(people)
    return [_with_time(work, times, groups.get(work.student, [])) for work in works]


def _with_time(work: Work, times: Times, group: Sequence[str]) -> Work:
    """The submission with its time: of the file, or of any file; a group has its latest time."""
    for file in (work.submission.path, ""):
        given = [times.get((who, work.number, file)) for who in (work.student, *group)]
        if found := [one for one in given if one]:
            when, clock = max(found)
            return replace(work, submission=replace(work.submission, handed_in=when, clock=clock))
    return work


def _by_hand(
    out: Path, works: Sequence[Work], papers: Mapping[str, Paper], desk: Desk
) -> Mapping[tuple[str, str, str], hand_marks.Manual]:
    """The marks that the teacher set."""
    students = {w.student for w in works} | {n for p in desk.people for n in (p.student, p.unit)}
    used = sorted({w.number for w in works} - {""})
    points = {n: {q.name: q.marks for q in papers[n].source.exercise.every} for n in used}
    return hand_marks.read_manual(out / "manual.csv", points, students)


def _refuse_inside(out: Path, submissions: Path) -> None:
    """InputError if nothing can be written there, or if it would be read as a submission."""
    root, target = submissions.resolve(), out.resolve()
    above = next((p for p in (target, *target.parents) if p.exists()), target)
    if not above.is_dir():
        raise InputError(f"--out {out}: {above.name} is a file; name a folder, which may be new")
    if submissions.is_dir() and (target == root or root in target.parents):
        raise InputError(f"--out {out} is inside {submissions}; name a folder outside of it")


def _write(
    out: Path, rows: Sequence[Row], works: Sequence[Work], desk: Desk,
    columns: Mapping[str, str],
) -> list[str]:  # fmt: skip
    """Write the files for students and teacher, and say what was left out.

    A file that stays the same is not touched.
    """
    said = []
    for row in rows:
        if row.result is None:
            continue
        folder = out / "feedback" / results.file_name(row.student)
        name = row.stem if row.exercise else f"unknown-{results.file_name(row.result.path)}"
        results.write(folder / f"{name}.html", feedback.as_html(row))
        results.write(folder / f"{name}.md", feedback.markdown(row))
        results.write(folder / f"{name}.results.json", exports.gradescope(row))
    results.write(out / "marks.csv", exports.marks(rows))
    results.write(out / "marks.json", exports.as_data(rows))
    canvas, about = exports.canvas(rows, desk.gradebook(), columns)
    results.write(out / "canvas.csv", canvas)
    said += about
    results.write(out / "report.html", class_report.as_html(rows))
    results.write(out / "report.md", class_report.markdown(rows))
    if sheets := desk.worksheets():
        number = _exercise_of_worksheet(works, sheets)
        filled, about = exports.worksheet(sheets[0], rows, number)
        results.write(out / "moodle-worksheet.csv", filled)
        said += about
    zips, without = exports.archives(rows, works)
    for name, data in zips.items():
        results.write(out / name, data)
    for why, which in without.items():
        said += [why, *_listed(which)]
    if hidden := sorted({row.exercise for row in rows if row.anonymous}):
        said.append(
            f"names are hidden in exercise {', '.join(hidden)}: marks and feedback are under the "
            "anonymous ids, not in canvas.csv"
        )
    return said


def _listed(lines: Sequence[str]) -> list[str]:
    more = len(lines) - MOST_SHOWN
    return [*(f"  {line}" for line in lines[:MOST_SHOWN]), *([f"  and {more} more"] * (more > 0))]


def _of_round(found: Round, rows: Sequence[Row], out: Path, *, force: bool) -> Iterator[str]:
    anew = f", {len(found.anew)} handed in anew" if found.anew else ""
    again = f", {len(found.stale)} graded again" if found.stale else ""
    yield f"{len(found.new)} newly graded{anew}, {len(found.kept)} kept as they were{again}"
    taken = {p: what for p, what in found.changes.items() if force or p not in set(found.stale)}
    left = {p: what for p, what in found.changes.items() if p not in taken}
    for title, changes in (
        ("changed:", taken),
        ("would change (--force takes it over; nothing was changed):", left),
    ):
        if changes:
            yield title
            yield from _listed(
                [f"{path}: {'; '.join(what)}" for path, what in sorted(changes.items())]
            )
    open_ = [row for row in rows if row.marks is None]
    if open_:
        yield "without marks, look at these:"
        why = [(r, r.result.why if r.result and r.result.why else r.status) for r in open_]
        yield from _listed(
            [f"{r.student}, exercise {r.exercise or '?'}: {reason}" for r, reason in why]
        )
    yield from class_report.hows(rows)
    yield f"see {out / 'report.html'}, {out / 'marks.csv'} and {out / 'feedback'}"
