"""The class of forty from the copies to the exports: `python -m tests.marking.forty [FOLDER]`.

Exercise 1 is handed in by forty layouts, a download each, and exercise 4 on Canvas and Moodle.
The tables 01.csv and 04.csv hold what each student does and the marks deserved for it. They were
written before any grading. The command prints each student beside both, and fails if one differs.
"""

import argparse
import csv
import html
import json
import re
import shutil
import sys
import tempfile
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path
from typing import Any

from dev.tools.exercises import in_language, solution, sources
from irmetrics_edu.classroom.exercises.build import as_text, notebook
from irmetrics_edu.classroom.exercises.source import ExerciseSource, read
from irmetrics_edu.classroom.exercises.variants import GENERAL, Variant
from irmetrics_edu.cli import main as command
from irmetrics_edu.views.output import put
from tests.marking.forty import students as people
from tests.marking.forty.habits import (
    DISPUTED,
    FULL,
    HABITS,
    HALF,
    Book,
    HandedIn,
    dumped,
    with_text,
)
from tests.marking.forty.students import Student

HERE = Path(__file__).parent
KEY = b"a key for the class of forty, long enough"
POINTS = {FULL: (1, 1, 1), HALF: (1, 0.5, 0), DISPUTED: (1, 1, 1)}
LATE = """\
rule,exercise,student,value
zone,,,Europe/Vienna
due,,,2026-11-20 23:59
penalty,,,10 % per day
late mark,,,20 %
extension,04,"Okafor, Ife",2 d
"""
MANUAL = """\
student,exercise,question,marks,comment
"Tanaka, Ken",01,,5,on paper
"Varga, Éva",01,f_beta,2,shown on the board
"Yılmaz, Can",04,jk_dcg,0,not the discount of the lecture
"""
# What a teacher mends after the copies are out: a tolerance, and one mistake more or less.
MENDED = {
    "01": [("tolerance=0.001,", "tolerance=0.01,")],
    "04": [("tolerance=0.0006", "tolerance=0.0007")],
}
TIMES = {
    "Novák, Jan": "Sunday, 22 November 2026, 8:59 AM",
    "O'Brien, Sean": "Saturday, 21 November 2026, 12:29 AM",
    "Ode, Jo": "Friday, 20 November 2026, 11:59 PM",
    "Okafor, Ife": "Sunday, 22 November 2026, 9:05 AM",
}
IN_TIME = "Friday, 20 November 2026, 9:05 PM"
# What stands for a video of so many MiB, more than the whole of an archive may have.
VIDEO = b"video"
LENGTH = 2304
# Habits that are none of the notebook itself.
WITHOUT_NOTEBOOK = {"nothing", "in the team", "a video alone", "a PDF"}
EMPTY = {"empty", "a second attempt that is empty"}
OWNERS = {"the copy of Haddad": "Haddad, Nour", "the general copy": ""}
LANGUAGES = {"a Japanese copy": "ja", "a Chinese copy": "zh"}
RIGHT = {
    "a second attempt",
    "a video beside it",
    "late by 33 hours",
    "late by half an hour",
    "in the last minute",
    "late with an extension",
}
LIMITS = ("--limit", "cpu=2", "--limit", "wall=6")
EMPTY_CELL = ("", "-")


@dataclass(frozen=True)
class Expected:
    """What a student does for an exercise, and what is deserved, question by question."""

    student: Student
    number: str
    layout: str
    packed: str
    habit: str
    status: str
    questions: Mapping[str, str]
    marks: str
    said: str


@dataclass(frozen=True)
class Difference:
    """What differs for a student from what was expected."""

    one: Expected
    given: str
    what: tuple[str, ...]


@dataclass
class ClassOfForty:
    """A folder with the class, its exercises, and the commands that grade it."""

    folder: Path
    said: list[str] = field(default_factory=list)
    erased: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        (self.folder / "key").write_bytes(KEY)
        self.sources: dict[str, ExerciseSource] = {}
        self.mended = self.folder / "mended"
        self.mended.mkdir()
        for path in sources(list(MENDED)):
            source = read(path)
            number = source.exercise.number
            self.sources[number] = source
            text = path.read_text(encoding="utf-8")
            for before, after in MENDED[number]:
                if before not in text:
                    raise AssertionError(f"{path} has no {before}")
                text = text.replace(before, after)
            (self.mended / path.name).write_text(text, encoding="utf-8")
        times = {}
        for one in people.listed():
            if one.at >= 20:
                times[one.name] = TIMES.get(one.name, IN_TIME)
        tables = {
            "roster.csv": people.roster(),
            "gradebook.csv": people.gradebook(),
            "Grades-C1-Graded-33.csv": people.worksheet(times),
            "late.csv": LATE,
        }
        for name, text in tables.items():
            (self.folder / name).write_text(text, encoding="utf-8")

    @property
    def out(self) -> Path:
        """Where the marks are written."""
        return self.folder / "marks"

    def copy(self, owner: str, number: str, *, solved: bool = True, language: str = "") -> Book:
        """The copy of a student, solved or as it was handed out; "" for the copy for all."""
        source = self.sources[number]
        variant = Variant(owner, KEY) if owner else GENERAL
        book = (solution if solved else notebook)(source, variant)
        if language:
            book = in_language(source, book, language)
        made: Book = json.loads(as_text(book))
        for cell in made["cells"]:
            cell["source"] = "".join(cell["source"])
        return with_text(made, FULL) if solved else made

    def handed_in(self, one: Expected) -> list[tuple[str, HandedIn]]:
        """The files of a student for an exercise: their places, and what is in them."""
        stem = self.sources[one.number].stem
        first, *beside = one.student.places(one.layout, one.number, stem)
        files: list[tuple[str, HandedIn]] = [(place, b"nothing of theirs") for place in beside]
        if one.layout == "nbgrader with submitted":
            files.append((str(Path(first).parent / "timestamp.txt"), "2026-11-21 10:00:00"))
        if one.habit.startswith("a video"):
            files.append((first.replace(f"_{stem}.ipynb", "9_video.mp4"), VIDEO))
        if one.habit == "a PDF":
            files.append((first.replace(".ipynb", ".pdf"), b"%PDF-1.7"))
        if one.habit.startswith("a second attempt"):
            [before] = one.student.places("Canvas", one.number, stem)
            empty_first = one.habit == "a second attempt"
            files.append((before, self.whole(one, solved=not empty_first)))
        if one.habit not in WITHOUT_NOTEBOOK:
            files.append((first, self.notebook_of(one)))
        return files

    def whole(self, one: Expected, *, solved: bool = True) -> Book:
        """The copy of the student, solved or as it was handed out."""
        return self.copy(one.student.name, one.number, solved=solved)

    def notebook_of(self, one: Expected) -> HandedIn:
        """What the student's notebook holds after the habit."""
        name = one.student.name
        if one.habit in HABITS:
            return HABITS[one.habit](self.whole(one))
        if one.habit == "another notebook":
            return self.copy(name, "04" if one.number == "01" else "01")
        if one.habit in EMPTY:
            return self.whole(one, solved=False)
        if one.habit in OWNERS:
            return self.copy(OWNERS[one.habit], one.number)
        if one.habit in LANGUAGES:
            return self.copy(name, one.number, language=LANGUAGES[one.habit])
        if one.habit not in RIGHT:
            raise AssertionError(f"nobody knows the habit {one.habit!r}")
        return self.whole(one)

    def grade(self, download: Path, *options: str) -> None:
        """A round: one download, graded into the folder of the class."""
        words = [
            "grade", download, "--key", self.folder / "key", "--out", self.out,
            "--sources", self.mended, "--roster", self.folder / "roster.csv",
            "--roster", self.folder / "gradebook.csv", "--late", self.folder / "late.csv",
            *LIMITS, *options,
        ]  # fmt: skip
        printed = StringIO()
        with redirect_stdout(printed):
            code = command([str(word) for word in words])
        self.said.append(printed.getvalue())
        if code not in {0, 1}:
            raise AssertionError(f"{download}: grade ended with {code}\n{printed.getvalue()}")
        self.erased += erased_grades(self.out, download.name)

    def download(self, expected: Sequence[Expected], name: str) -> Path:
        """What a platform gives: a folder, or a zip, of these students' files."""
        files: list[tuple[str, HandedIn]] = []
        for one in expected:
            files += self.handed_in(one)
        if expected[0].packed == "folder":
            folder = self.folder / "downloads" / name
            for place, content in files:
                path = folder / place
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(as_bytes(content))
            return folder
        path = self.folder / "downloads" / f"{name}.zip"
        path.parent.mkdir(exist_ok=True)
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
            for place, content in files:
                if content == VIDEO:
                    with archive.open(place, "w", force_zip64=True) as video:
                        for _ in range(LENGTH):
                            video.write(bytes(1 << 20))
                else:
                    archive.writestr(place, as_bytes(content))
        return path


def as_bytes(content: HandedIn) -> bytes:
    """The bytes of a file."""
    if isinstance(content, bytes):
        return content
    return (content if isinstance(content, str) else dumped(content)).encode()


def expected_of(number: str) -> list[Expected]:
    """What is expected of the class for an exercise, as the table says."""
    by_name = {one.name: one for one in people.students()}
    found = []
    with (HERE / f"{number}.csv").open(encoding="utf-8", newline="") as file:
        for line in csv.DictReader(file):
            of_row = {"student", "layout", "packed", "habit", "status", "marks", "said"}
            questions = {name: cell for name, cell in line.items() if name not in of_row}
            found.append(
                Expected(
                    student=by_name[line["student"]],
                    number=number,
                    layout=line["layout"],
                    packed=line["packed"],
                    habit=line["habit"],
                    status=line["status"],
                    questions=questions,
                    marks=line["marks"],
                    said=line["said"],
                )
            )
    return found


def of_platform(layout: str) -> str:
    """The download that a layout belongs to: Canvas gives one zip for all of its kinds."""
    return "Canvas" if layout in {"Canvas", "Canvas, late", "Canvas, second attempt"} else layout


def rounds(expected: Sequence[Expected]) -> Iterator[tuple[str, list[Expected]]]:
    """The downloads of an exercise, each with its students."""
    layouts = dict.fromkeys(of_platform(one.layout) for one in expected)
    for layout in layouts:
        yield layout, [one for one in expected if of_platform(one.layout) == layout]


def run(folder: Path) -> ClassOfForty:
    """Hand in, grade each download, mark the free text, and grade again."""
    made = ClassOfForty(folder)
    for at, (layout, expected) in enumerate(rounds(expected_of("01"))):
        name = "submissions" if layout == "Canvas" else f"C1-Sets-{at}"
        options = [] if layout == "Canvas" else ["--exercise", "01"]
        made.grade(made.download(expected, name), *options)
    last = Path()
    for layout, expected in rounds(expected_of("04")):
        moodle = ["--roster", str(folder / "Grades-C1-Graded-33.csv")]
        if layout == "Canvas":
            made.grade(made.download(expected, "submissions-4"))
            continue
        in_team = [one for one in expected if one.student.name in people.TEAM]
        alone = [one for one in expected if one not in in_team]
        last = made.download(alone, "C1-Graded-33")
        [place] = in_team[0].student.places("Moodle", "04", made.sources["04"].stem)
        with zipfile.ZipFile(last, "a") as archive:
            shared = place.replace(in_team[0].student.full, people.TEAM_NAME)
            archive.writestr(shared, as_bytes(made.copy(people.TEAM[0], "04")))
        made.grade(last, *moodle)
        mark_by_hand(made.out / "by-hand", "anna")
        mark_by_hand(made.out / "by-hand", "bo", disputed=(1, 0, 1))
        (made.out / "manual.csv").write_text(MANUAL, encoding="utf-8")
        made.grade(last, *moodle)
    return made


def mark_by_hand(folder: Path, marker: str, disputed: tuple[float, ...] = POINTS[DISPUTED]) -> None:
    """Save what a marker gives to each text, as the page saves it."""
    page = (folder / "marking.html").read_text(encoding="utf-8")
    held = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    if held is None:
        raise AssertionError("the page has no data")
    data = json.loads(held[1])
    marks: dict[str, dict[str, Any]] = {}
    for question in data["questions"]:
        for answer in question["answers"]:
            # A cell that a student adds below the text belongs to the answer.
            [text] = [text for text in POINTS if text in answer["text"]]
            points = disputed if text == DISPUTED else POINTS[text]
            of_question = marks.setdefault(question["id"], {})
            of_question[answer["id"]] = {"points": points, "comment": ""}
    saved = {
        "format": "irmetrics-edu marks by hand",
        "version": 1,
        "key": data["key"],
        "marker": marker,
        "revision": 1,
        "marks": marks,
    }
    (folder / f"marks-{marker}.json").write_text(json.dumps(saved), encoding="utf-8")


def table(path: Path) -> list[dict[str, str]]:
    """The lines of a table that the grader wrote."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def erased_grades(out: Path, download: str) -> list[str]:
    """Which cells for Canvas or Moodle are empty, though the platform has a grade there."""
    found = []
    for name in ("canvas.csv", "moodle-worksheet.csv"):
        if not (out / name).exists():
            continue
        for line in table(out / name):
            who = line.get("Student") or line.get("Full name") or ""
            if "Points Possible" in who:
                continue
            for column, cell in line.items():
                is_grade = column.startswith("Exercise") or column in {"Grade", "Feedback comments"}
                if is_grade and cell.strip() in EMPTY_CELL:
                    found.append(f"{download}, {name}: {who}, {column} is empty")
    return found


def what_is_said(made: ClassOfForty) -> dict[tuple[str, str], str]:
    """All that the feedback and the report say of a student's exercise, as plain text."""
    said: dict[tuple[str, str], str] = {}
    for row in json.loads((made.out / "rows.json").read_text(encoding="utf-8")):
        name = row["person"]["student"]
        folders = [f for f in (made.out / "feedback").iterdir() if f.name.startswith(safe(name))]
        text = ""
        for folder in folders:
            for page in folder.glob("*.html"):
                if page.name.startswith(row["stem"]):
                    text += plain(page.read_text(encoding="utf-8"))
        said[name, row["exercise"]] = text
    report = (made.out / "report.html").read_text(encoding="utf-8")
    for line in re.findall(r"<tr>.*?</tr>", report, re.DOTALL):
        shown = plain(line)
        for name, number in said:
            if name in shown and (number in shown):
                said[name, number] += f"\n{shown}"
    return said


def safe(name: str) -> str:
    """How a folder of feedback begins."""
    return re.sub(r"[^\w.\-@ ]", "_", name)


def plain(page: str) -> str:
    """The words of a page."""
    return " ".join(html.unescape(re.sub(r"<[^>]*>", "", page)).split())


def compared(made: ClassOfForty) -> tuple[list[str], list[Difference]]:
    """A line for each student and exercise, and what differs from the tables."""
    given: dict[tuple[str, str], dict[str, str]] = {}
    for row in table(made.out / "marks.csv"):
        given[row["student"], row["exercise"]] = row
    said = what_is_said(made)
    lines, differences, met = [], [], set()
    for number in MENDED:
        for one in expected_of(number):
            names = [one.student.name, one.student.login]
            at = next(((name, number) for name in names if (name, number) in given), None)
            row = given.get(at, {}) if at else {}
            met.add(at)
            what = []
            if row.get("status") != one.status:
                what.append(f"status {row.get('status')!r}, not {one.status!r}")
            for question, marks in one.questions.items():
                if row.get(f"{number} {question}", "") != marks:
                    what.append(f"{question} {row.get(f'{number} {question}')!r}, not {marks!r}")
            if row.get("marks") != one.marks:
                what.append(f"marks {row.get('marks')!r}, not {one.marks!r}")
            if one.said not in (said.get(at, "") if at else ""):
                what.append(f"it is not said: {one.said}")
            shown = one.marks or one.status
            of_row = row.get("marks") or row.get("status", "no row")
            mark = "  " if not what else "! "
            lines.append(
                f"{mark}{one.student.name:16} {number}  {one.layout[:29]:30} {one.habit[:30]:31} "
                f"{shown:>18} {of_row:>18}  {one.said[:60]}"
            )
            if what:
                differences.append(Difference(one, of_row, tuple(what)))
    beyond = sorted(f"{name}, exercise {number}" for name, number in given.keys() - met)
    lines += [f"! a row that nobody expects: {one}" for one in beyond]
    lines += [f"! {one}" for one in made.erased]
    return lines, differences


def main(arguments: Sequence[str] | None = None) -> int:
    """Grade the class, print the comparison; 0 if nothing differs."""
    parser = argparse.ArgumentParser(prog="python -m tests.marking.forty", description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, help="where to keep it (default: nowhere)")
    kept = parser.parse_args(arguments).folder
    folder = kept.resolve() if kept else Path(tempfile.mkdtemp())
    folder.mkdir(parents=True, exist_ok=True)
    try:
        made = run(folder)
        lines, differences = compared(made)
    finally:
        if kept is None:
            shutil.rmtree(folder)
    put(f"  {'student':16} of  {'layout':30} {'habit':31} {'expected':>18} {'given':>18}  said")
    put("\n".join(lines))
    for difference in differences:
        put(f"{difference.one.student.name}, exercise {difference.one.number}: ")
        put("\n".join(f"  {what}" for what in difference.what))
    wrong = [line for line in lines if line.startswith("!")]
    put(f"{len(lines)} lines, {len(wrong)} of them not as expected")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
