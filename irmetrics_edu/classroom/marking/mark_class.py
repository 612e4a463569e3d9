"""Marking a class in one call: what was handed in is read and marked, and all files are written.

    from irmetrics_edu.classroom.marking.mark_class import mark_class

    print(mark_class("submissions", key="course.key", out="marks"))

The command `irmetrics-edu grade` makes the same call.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path

from irmetrics_edu.classroom.exercises.source import read, sources_in
from irmetrics_edu.classroom.exercises.variants import read_key
from irmetrics_edu.classroom.grading.limits import Limits
from irmetrics_edu.classroom.grading.sandbox import tier_for
from irmetrics_edu.classroom.grading.tiers import Tier, named
from irmetrics_edu.classroom.marking import (
    class_report,
    feedback,
    gradebook,
    intake,
    lms_export,
    mark_tables,
    running,
    store,
)
from irmetrics_edu.classroom.marking.answer_key import Paper
from irmetrics_edu.classroom.marking.gradebook import Row
from irmetrics_edu.classroom.marking.intake import Desk, Handed
from irmetrics_edu.classroom.marking.owner_names import Person
from irmetrics_edu.classroom.marking.ownership import Work, sort_out
from irmetrics_edu.classroom.marking.running import WORKERS, Round
from irmetrics_edu.classroom.marking.submissions import submissions as submissions_in
from irmetrics_edu.classroom.marking.times import timed
from irmetrics_edu.errors import InputError

MOST_SHOWN = 20

# What shows how far it is: called with the number of submissions, it is entered once, and gives
# what is called after each of them.
Progress = Callable[[int], AbstractContextManager[Callable[[], None]]]


@dataclass(frozen=True)
class MarkedClass:
    """A class that was marked: the marks of each student, and what to say of them, line by line.

    `rows` are the marks, a row for each student and exercise. `open` are the rows without marks,
    which wait for the teacher.
    """

    lines: tuple[str, ...]
    rows: tuple[Row, ...] = ()

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
    attempt: str = "last", tier: str = "", limits: Sequence[str] = (), workers: int = WORKERS,
    force: bool = False, dry_run: bool = False,
    progress: Progress = lambda _: nullcontext(lambda: None),
) -> MarkedClass:  # fmt: skip
    """The marks of a class, with feedback and tables as files in the folder `out`.

    `submissions` is a folder, a notebook or an archive, and `key` the file with the course key. The
    other arguments are the options of the command; `docs/grading.md` explains them. A submission
    that has marks keeps them, unless `force` says to take over what has changed. With `dry_run`
    nothing runs and nothing is written.
    """
    for name, given, known in (
        ("copies", copies, ("auto", "own", "general")),
        ("attempt", attempt, ("last", "first", "best")),
    ):
        if given not in known:
            raise InputError(f"{name}={given!r}: give one of {', '.join(known)}")
    if workers < 1:
        raise InputError(f"workers={workers}: give 1 or more")
    where, folder = Path(submissions), Path(out)
    _refuse_inside(folder, where)
    kept = store.results(folder)
    with intake.opened(where, list(kept)) as handed:
        master = read_key(key)
        listed = intake.read_rosters([Path(roster) for roster in rosters])
        tried = named(tier or "namespaces") if dry_run else tier_for(tier)
        papers = _papers(_path(sources), exercise, master, tried, limits)
        works = _works(handed, papers, master, intake.Desk(listed).people, copies, exercise)
        desk = intake.desk(
            listed, works, list(papers), due=due, rules=_path(late), handed_in=_path(times)
        )
        works = timed(works, desk.times, desk.people)
        asked = _asked(works, handed, where)
        need = running.sorted_by_need(asked, kept, force=force)
        if dry_run:
            return MarkedClass(tuple(_of_need(need)))
        by_hand = _by_hand(folder, works, papers, desk)
        waiting = {*need.new, *need.anew, *need.stale}
        for number in sorted({w.number for w in asked if w.submission.path in waiting} - {""}):
            _ = papers[
                number
            ].hidden  # that no input tells enough is the teacher's to know, at once
        with progress(len(asked)) as done:
            found = running.grade(asked, papers, folder, force=force, done=done, workers=workers)
        results = kept | found.results
        rows = gradebook.rows(works, results, papers, by_hand, desk.people, desk.rules, attempt)
        rows = gradebook.with_hand_marks(rows, works, papers, folder, by_hand)
        lines = _write(folder, rows, works, desk, handed)
        return MarkedClass((*lines, *_of_round(found, rows, folder, force=force)), tuple(rows))


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
    found = submissions_in(
        handed.root, stems, people, refused=handed.refused, several=handed.several
    )
    return sort_out(found, papers, key, people, copies, exercise.zfill(2) if exercise else "")


def _asked(works: Sequence[Work], handed: Handed, given: Path) -> list[Work]:
    """The submissions that were asked for: the whole class, one folder or one notebook."""
    root = handed.root
    lies_in = root if handed.unpacked else given
    return [w for w in works if _lies_in(root / w.submission.path, root, lies_in)]


def _lies_in(path: Path, root: Path, asked: Path) -> bool:
    wanted = asked.resolve()
    return root == asked or root.resolve() == wanted or wanted in (path.resolve(), *path.parents)


def _by_hand(
    out: Path, works: Sequence[Work], papers: Mapping[str, Paper], desk: Desk
) -> Mapping[tuple[str, str, str], store.Manual]:
    """The marks that the teacher set."""
    students = {w.student for w in works} | {n for p in desk.people for n in (p.student, p.unit)}
    used = sorted({w.number for w in works} - {""})
    points = {n: {q.name: q.marks for q in papers[n].source.exercise.every} for n in used}
    return store.manual(out / "manual.csv", points, students)


def _refuse_inside(out: Path, submissions: Path) -> None:
    """InputError if nothing can be written there, or if it would be read as a submission."""
    root, target = submissions.resolve(), out.resolve()
    above = next((p for p in (target, *target.parents) if p.exists()), target)
    if not above.is_dir():
        raise InputError(f"--out {out}: {above.name} is a file; name a folder, which may be new")
    if submissions.is_dir() and (target == root or root in target.parents):
        raise InputError(f"--out {out} is inside {submissions}; name a folder outside of it")


def _write(
    out: Path, rows: Sequence[Row], works: Sequence[Work], desk: Desk, handed: Handed
) -> list[str]:
    """Write the files for students and teacher, and say what was left out.

    A file that stays the same is not touched.
    """
    said = []
    for row in rows:
        if row.result is None:
            continue
        folder = out / "feedback" / store.file_name(row.student)
        name = row.stem if row.exercise else f"unknown-{store.file_name(row.result.path)}"
        store.write(folder / f"{name}.html", feedback.as_html(row))
        store.write(folder / f"{name}.md", feedback.markdown(row))
    store.write(out / "marks.csv", mark_tables.marks(rows))
    store.write(out / "marks.json", mark_tables.as_data(rows))
    store.write(out / "canvas.csv", mark_tables.canvas(rows, desk.gradebook()))
    store.write(out / "moodle.csv", mark_tables.moodle(rows))
    store.write(out / "mistakes.csv", mark_tables.mistakes(rows))
    store.write(out / "report.html", class_report.as_html(rows))
    store.write(out / "report.md", class_report.markdown(rows))
    if sheets := desk.worksheets():
        number = intake.exercise_of_worksheet(works, sheets)
        store.write(out / "moodle-worksheet.csv", lms_export.worksheet(sheets[0], rows, number))
    zips, without = lms_export.archives(rows, works, several=handed.several)
    for name, data in zips.items():
        store.write(out / name, data)
    for why, which in without.items():
        said += [why, *_listed(which)]
    if hidden := sorted({row.exercise for row in rows if row.anonymous}):
        said.append(
            f"names are hidden in exercise {', '.join(hidden)}: marks and feedback are under the "
            "anonymous ids, not in canvas.csv and moodle.csv"
        )
    return said


def _of_need(need: Round) -> Iterator[str]:
    for what, paths in (
        ("grade", need.new),
        ("grade again, as another file was handed in,", need.anew),
        ("grade again, by other rules or by force,", need.stale),
        ("keep", need.kept),
    ):
        yield f"would {what} {len(paths)}"
        if what != "keep":
            yield from _listed(paths)


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
