"""Marking a class in one call: what was handed in is read and marked, and all files are written.

    from irmetrics_edu.classroom.marking.mark_class import mark_class

    print(mark_class("submissions", key="course.key", out="marks"))

The command `irmetrics-edu grade` makes the same call. Several workers mark a class; a result is
stored as soon as it is finished.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Event
from typing import Any

from irmetrics_edu import checks
from irmetrics_edu.classroom.exercises.source import read, sources_in
from irmetrics_edu.classroom.exercises.variants import read_key
from irmetrics_edu.classroom.grading.limits import SandboxLimits
from irmetrics_edu.classroom.grading.sandbox import tier_for
from irmetrics_edu.classroom.grading.tiers import Tier
from irmetrics_edu.classroom.marking import results
from irmetrics_edu.classroom.marking.collecting.archives import downloads
from irmetrics_edu.classroom.marking.collecting.owner_names import Person, members
from irmetrics_edu.classroom.marking.collecting.rosters import (
    CANVAS,
    WORKSHEET,
    Roster,
    everybody,
    together,
)
from irmetrics_edu.classroom.marking.collecting.rosters import read as read_roster
from irmetrics_edu.classroom.marking.collecting.submissions import opened
from irmetrics_edu.classroom.marking.collecting.submissions import submissions as submissions_in
from irmetrics_edu.classroom.marking.matching import lateness
from irmetrics_edu.classroom.marking.matching.answer_key import AnswerKey
from irmetrics_edu.classroom.marking.matching.lateness import LatenessRules, Times
from irmetrics_edu.classroom.marking.matching.ownership import HandIn, sort_out
from irmetrics_edu.classroom.marking.results import PARTLY, Result, WhyOpen
from irmetrics_edu.classroom.marking.returning import class_report, course_total, exports, feedback
from irmetrics_edu.classroom.marking.reviewing import gradebook, hand_marks, regrading
from irmetrics_edu.classroom.marking.reviewing.gradebook import Row
from irmetrics_edu.classroom.marking.running.child_runs import Turns
from irmetrics_edu.classroom.marking.running.mark_submission import Stopped, mark
from irmetrics_edu.errors import InputError

WORKERS = 2
# What is to be done with a submission: it is new, another file was handed in, other rules marked it
# (sources, key, limits, roster) or all is to be marked again, or its result is kept.
NEW, ANEW, STALE, KEPT = "new", "anew", "stale", "kept"


def states(
    hand_ins: Sequence[HandIn], kept: Mapping[str, Result], *, force: bool
) -> dict[str, str]:
    """What is to be done with each submission, by its path."""
    found = {}
    for hand_in in hand_ins:
        path = hand_in.submission.path
        old = kept.get(path)
        # What the machine failed at is tried again as if it were new.
        if old is None or old.status == PARTLY:
            found[path] = NEW
        elif old.file and old.file != hand_in.submission.digest:
            found[path] = ANEW
        else:
            found[path] = STALE if force or old.inputs != hand_in.inputs else KEPT
    return found


def grade(
    hand_ins: Sequence[HandIn],
    state: Mapping[str, str],
    answer_keys: Mapping[str, AnswerKey],
    folder: Path,
    *,
    force: bool,
    done: Callable[[], None],
    workers: int,
) -> dict[str, Result]:
    """Mark all but what is kept; the new results, by path.

    A result is on disk as soon as it is finished, but one of what is stale only with `force`, and
    once all are finished. An interrupt ends the run after the children that are running.
    """
    stop, turns = Event(), Turns(workers)

    def one(hand_in: HandIn) -> Result:
        # Here, in the worker's thread, which outlives the children: they end with the thread
        # that starts them.
        result = hand_in.result or _marked(hand_in, answer_keys, stop, turns)
        if state[result.path] != STALE:
            results.save(folder, result)
        return result

    made: dict[str, Result] = {}
    with ThreadPoolExecutor(workers) as pool:
        waiting = [
            pool.submit(one, hand_in)
            for hand_in in hand_ins
            if state[hand_in.submission.path] != KEPT
        ]
        try:
            for _ in range(len(hand_ins) - len(waiting)):
                done()
            for future in as_completed(waiting):
                made[future.result().path] = future.result()
                done()
        except BaseException:
            stop.set()
            pool.shutdown(wait=True, cancel_futures=True)
            raise
    for path, result in made.items():
        if force and state[path] == STALE:
            results.save(folder, result)
    return made


def _marked(
    hand_in: HandIn, answer_keys: Mapping[str, AnswerKey], stop: Event, turns: Turns
) -> Result:
    if hand_in.ready is None:
        raise Stopped
    return mark(hand_in.ready, answer_keys[hand_in.number], stop, turns)


MOST_SHOWN = 20
WOULD = "would change (--force takes it over; nothing was changed)"

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
    submissions: str | Path,
    *,
    key: str | Path,
    out: str | Path,
    exercise: str = "",
    sources: str | Path | None = None,
    rosters: Sequence[str | Path] = (),
    own_copies: bool = False,
    late: str | Path | None = None,
    times: str | Path | None = None,
    regrade: str | Path | None = None,
    attempt: str = "last",
    tier: str = "",
    limits: Sequence[str] = (),
    columns: Sequence[str] = (),
    workers: int = WORKERS,
    force: bool = False,
    progress: Progress = lambda _: nullcontext(lambda: None),
) -> MarkedClass:
    """The marks of a class, with feedback and tables as files in the folder `out`.

    `submissions` is a folder, a notebook or an archive, and `key` the file with the course key. The
    other arguments are the options of the command; `docs/grading.md` explains them. A submission
    that has marks keeps them, unless `force` says to take over what has changed.
    """
    checks.one_of("attempt", attempt, gradebook.ATTEMPTS)
    checks.whole("workers", workers, 1)
    named_columns = dict(map(_named_column, columns))
    where, folder = Path(submissions), Path(out)
    _refuse_inside(folder, where)
    kept = results.kept(folder)
    with opened(where, list(kept)) as (root, wanted, refused):
        master = read_key(key)
        listed = together([read_roster(Path(roster)) for roster in rosters])
        people = everybody(listed)
        answer_keys = _papers(sources, exercise, master, tier_for(tier), limits)
        stems = [answer_key.source.stem for answer_key in answer_keys.values()]
        found = submissions_in(root, stems, people, refused=refused)
        number = exercise.zfill(2) if exercise else ""
        hand_ins = sort_out(found, answer_keys, master, people, number, own_copies=own_copies)
        groups = members(people)
        # Whom the teacher's tables may name: the roster, its groups, and who else handed in.
        units = {hand_in.student for hand_in in hand_ins} | groups.keys()
        class_ = [*people, *map(Person, sorted(units - {p.student for p in people}))]
        rules = lateness.read(Path(late), list(answer_keys), class_) if late else LatenessRules()
        sheet = _worksheet(listed, hand_ins)
        handed_in = lateness.times_of_worksheet(*sheet, rules.zone) if late and sheet else {}
        if times:
            handed_in = {**handed_in, **lateness.read_times(Path(times), rules.zone, class_)}
        hand_ins = [_with_stamp(hand_in, rules) for hand_in in hand_ins]
        hand_ins = [
            _with_time(hand_in, handed_in, groups.get(hand_in.student, [])) for hand_in in hand_ins
        ]
        asked = _asked(hand_ins, wanted.resolve(), root.resolve())
        state = states(asked, kept, force=force)
        exercises = {
            number: answer_key.source.exercise for number, answer_key in answer_keys.items()
        }
        used = sorted({hand_in.number for hand_in in hand_ins} - {""})
        points = {n: {q.name: q.marks for q in exercises[n].every} for n in used}
        by_hand = hand_marks.read_manual(folder / "manual.csv", points, class_)
        changes = regrading.read(Path(regrade), exercises) if regrade else []
        waiting = {hand_in.number for hand_in in asked if state[hand_in.submission.path] != KEPT}
        for number in sorted(waiting - {""}):
            _ = answer_keys[
                number
            ].hidden  # if no input tells enough, the teacher has to know at once
        with progress(len(asked)) as done:
            made = grade(asked, state, answer_keys, folder, force=force, done=done, workers=workers)
        taken = {path: result for path, result in made.items() if force or state[path] != STALE}
        rows, forced = (
            gradebook.rows(
                hand_ins,
                results=kept | some,
                answer_keys=answer_keys,
                by_hand=by_hand,
                people=people,
                rules=rules,
                attempt=attempt,
            )
            for some in (taken, made)
        )
        would = _changes(WOULD, exports.as_data(rows), forced, new=True)
        rows, said = gradebook.with_hand_marks(rows, hand_ins, answer_keys, folder, by_hand)
        file = folder / "regraded.csv"
        if changes:
            rows, regraded = regrading.applied(rows, changes, exercises)
            results.write(file, results.as_csv([regrading.CHANGED, *regraded]))
            said.append(f"marks changed by --regrade: {len(regraded)}, see {file}")
        elif file.exists():
            file.unlink()
            said.append(f"{file} is removed: without --regrade its changes don't count")
        said += _write(
            folder,
            rows=rows,
            hand_ins=hand_ins,
            rosters=listed,
            sheet=sheet,
            columns=named_columns,
        )
        return MarkedClass((*said, _of_round(state), *would, *_of_rows(rows, folder)), tuple(rows))


def mark_course(
    where: Sequence[str | Path],
    *,
    out: str | Path,
    rules: str | Path | None = None,
    rosters: Sequence[str | Path] = (),
    **options: Any,
) -> MarkedClass:
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
    results.write(folder / "course.html", course_total.as_html(totals))
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


def _papers(
    folder: str | Path | None,
    exercise: str,
    key: bytes,
    tier: Tier,
    limits: Sequence[str],
) -> dict[str, AnswerKey]:
    paths = sources_in(Path(folder) if folder else None)
    known = ", ".join(p.stem.partition("_")[0] for p in paths)
    if exercise:
        paths = [p for p in paths if p.stem.startswith(f"{exercise.zfill(2)}_")]
    if not paths:
        raise InputError(f"--exercise {exercise}: no such source; known are {known}")
    limited = SandboxLimits.named(limits)
    read_in = [read(path, whole=False) for path in paths]
    return {source.exercise.number: AnswerKey(source, key, tier, limited) for source in read_in}


def _asked(hand_ins: Sequence[HandIn], wanted: Path, root: Path) -> list[HandIn]:
    """The submissions that were asked for: the whole class, one folder or one notebook."""
    found = []
    for hand_in in hand_ins:
        path = root / hand_in.submission.path
        if wanted == root or wanted in {path.resolve(), *path.parents}:
            found.append(hand_in)
    return found


def _worksheet(rosters: Sequence[Roster], hand_ins: Sequence[HandIn]) -> tuple[Roster, str] | None:
    """Moodle's worksheet and its exercise, if one was given; InputError if there are several."""
    sheets = [r for r in rosters if r.kind == WORKSHEET]
    if not sheets:
        return None
    numbers = sorted({w.number for w in hand_ins} - {""})
    if len(numbers) > 1 or len(sheets) > 1:
        raise InputError(
            f"{sheets[0].path}: Moodle's worksheet is of one assignment, and exercises "
            f"{', '.join(numbers)} were handed in; grade them one by one"
        )
    return sheets[0], numbers[0] if numbers else ""


def _with_stamp(hand_in: HandIn, rules: LatenessRules) -> HandIn:
    """The submission with the time of nbgrader's stamp, which the rules' zone decides."""
    submission = hand_in.submission
    if not (submission.stamp and submission.believed):
        return hand_in
    when, note = lateness.of_stamp(submission.stamp, rules.zone)
    if when is not None:
        submission = replace(submission, handed_in=when, clock=lateness.STAMP)
    said = note and (when is None or rules.due)
    return replace(
        hand_in, submission=submission, notes=(*hand_in.notes, *([note] if said else ()))
    )


def _with_time(hand_in: HandIn, times: Times, group: Sequence[str]) -> HandIn:
    """The submission with its time: of the file, or of any file; a group has its latest time."""
    for file in (hand_in.submission.path, ""):
        given = [times.get((who, hand_in.number, file)) for who in (hand_in.student, *group)]
        if found := [one for one in given if one]:
            when, clock = max(found)
            return replace(
                hand_in, submission=replace(hand_in.submission, handed_in=when, clock=clock)
            )
    return hand_in


def _refuse_inside(out: Path, submissions: Path) -> None:
    """InputError if nothing can be written there, or if it would be read as a submission."""
    root, target = submissions.resolve(), out.resolve()
    above = next((p for p in (target, *target.parents) if p.exists()), target)
    if not above.is_dir():
        raise InputError(f"--out {out}: {above.name} is a file; name a folder, which may be new")
    if submissions.is_dir() and (target == root or root in target.parents):
        raise InputError(f"--out {out} is inside {submissions}; name a folder outside of it")


def _write(
    out: Path,
    rows: Sequence[Row],
    hand_ins: Sequence[HandIn],
    rosters: Sequence[Roster],
    sheet: tuple[Roster, str] | None,
    columns: Mapping[str, str],
) -> list[str]:
    """Write the files for students and teacher, and say what was left out.

    A file that stays the same is not touched.
    """
    said: list[str] = []
    with suppress(InputError):  # a damaged table is written anew
        before = course_total.graded_in(out) if (out / "marks.json").exists() else []
        said += _changes("changed since the last marks.csv", before, rows)
    for row in rows:
        if row.result is None:
            continue
        folder = out / "feedback" / results.file_name(row.student)
        name = row.stem if row.exercise else f"unknown-{results.file_name(row.result.path)}"
        results.write(folder / f"{name}.html", feedback.as_html(row))
        results.write(folder / f"{name}.md", feedback.markdown(row))
        results.write(folder / f"{name}.results.json", exports.gradescope(row))
    results.write(out / "marks.csv", exports.marks(rows))
    text = json.dumps(exports.as_data(rows), ensure_ascii=False, indent=1)
    results.write(out / "marks.json", f"{text}\n")
    book = next((r for r in rosters if r.kind == CANVAS), None)
    said += _write_canvas(out, *exports.canvas_files(rows, book, columns))
    results.write(out / "report.html", class_report.as_html(rows))
    if sheet:
        filled, about = exports.worksheet(*sheet, rows)
        results.write(out / "moodle-worksheet.csv", filled)
        said += about
    zips, without = exports.archives(rows, hand_ins)
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


def _write_canvas(out: Path, files: Mapping[str, str], said: Sequence[str]) -> Sequence[str]:
    """Write the files for Canvas and remove those of an earlier run; what to say of them."""
    for path in sorted(out.glob("canvas*.csv")):
        if re.fullmatch(r"canvas(-\d\d)?\.csv", path.name) and path.name not in files:
            path.unlink()
    for name, text in files.items():
        results.write(out / name, text)
    return said


def _listed(lines: Sequence[str]) -> list[str]:
    more = len(lines) - MOST_SHOWN
    return [*(f"  {line}" for line in lines[:MOST_SHOWN]), *([f"  and {more} more"] * (more > 0))]


def _of_round(state: Mapping[str, str]) -> str:
    """What was marked."""
    count = Counter(state.values())
    anew = f", {count[ANEW]} handed in anew" if count[ANEW] else ""
    again = f", {count[STALE]} graded again" if count[STALE] else ""
    return f"{count[NEW]} newly graded{anew}, {count[KEPT]} kept as they were{again}"


def _changes(
    title: str,
    before: Sequence[Mapping[str, Any]],
    after: Sequence[Row],
    *,
    new: bool = False,
) -> list[str]:
    """Whose marks are others than before, and which; with `new` also those that are new."""
    later = {(row["student"], row["exercise"]): row for row in exports.as_data(after)}
    found = []
    for row in before:
        was, now = _known(row), _known(later.get((row["student"], row["exercise"]), {}))
        names = [n for n in ({**was, **now} if new else was) if was.get(n) != now.get(n)]
        what = ", ".join(f"{n} {was.get(n, 'none')} -> {now.get(n, 'none')}" for n in names)
        found += [f"{row['student']}, exercise {row['exercise']}: {what}"] if what else []
    return [f"{title}: {len(found)}", *_listed(found)] if found else []


def _known(row: Mapping[str, Any]) -> dict[str, str]:
    """The marks of an entry of marks.json that are known: of each question, and the total."""
    every = {**row.get("questions", {}), **{name: row.get(name) for name in ("penalty", "marks")}}
    return {name: f"{marks:g}" for name, marks in every.items() if marks is not None}


def _of_rows(rows: Sequence[Row], out: Path) -> Iterator[str]:
    """What waits for the teacher, and where to look."""
    reasons = [{line.question.why_open for line in row.lines} for row in rows]
    foreign = sum(WhyOpen.NOBODYS in own for own in reasons)
    if foreign:
        yield (
            f"copies of nobody in the class, whose values are not marked: {foreign}; give the "
            "roster that they were built with as the first --roster, and the key of then"
        )
    other = sum(WhyOpen.OTHER_DATA in own for own in reasons)
    if other:
        yield (
            "copies with other data than the source draws now, whose values are not marked: "
            f"{other}; grade with the source and the key that the copies were built with"
        )
    open_ = [row for row in rows if row.marks is None]
    if open_:
        yield "without marks, look at these:"
        why = [(r, r.result.why if r.result and r.result.why else r.status) for r in open_]
        yield from _listed(
            [f"{r.student}, exercise {r.exercise or '?'}: {reason}" for r, reason in why]
        )
    yield from (how for how in class_report.hows(rows) if how.endswith(class_report.INSECURE))
    yield f"see {out / 'report.html'}, {out / 'marks.csv'} and {out / 'feedback'}"
