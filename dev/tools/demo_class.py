"""A class of 40, from the copies to the course's total: `python -m dev.tools.demo_class [FOLDER]`.

Exercise 1 is handed in on Canvas, by each student alone, and exercise 2 on Moodle, by teams. Some
are late, some make a known mistake, one is somebody else's, one cheats, one never ends. Two people
mark the free text. Each command is shown with what it prints, and at the end the pages to look at.
"""

import argparse
import contextlib
import io
import json
import re
import shlex
import sys
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dev.tools.exercises import solution, sources
from dev.tools.places import ROOT
from irmetrics_edu.classroom.exercises.build import as_text
from irmetrics_edu.classroom.exercises.source import ExerciseSource, read
from irmetrics_edu.classroom.exercises.variants import Variant
from irmetrics_edu.cli import main as command
from irmetrics_edu.errors import InputError
from irmetrics_edu.views.output import ended, put
from irmetrics_edu.writing import write

KEY = "a key of the demonstration, long enough"
NAMES = """
Abebe Sara, Ahmed Omar, Bauer Max, Çelik Ayşe, Chen Wei, Cruz Ana, Dubois Léa, Eze Ada, Fischer Kim,
García José, Gruber Eva, Haddad Nour, Ivanova Olga, Jensen Bo, Kim Min, Kowalska Zofia, Lee Ann,
Lopez Mia, Mäkinen Aino, Mensah Kofi, Müller Su, Nagy Béla, Nguyễn An, Novák Jan, O'Brien Sean,
Ode Jo, Okafor Ife, Patel Ravi, Popescu Ion, Rossi Gia, Sato Yui, Schmidt Tom, Silva Rui,
Singh Asha, Smith Joe, Tanaka Ken, Varga Éva, Weber Lia, Yılmaz Can, Zhang Li
"""
# A team hands in one notebook of exercise 2; who is in none works alone.
TEAMS, SIZE = "ABCDEFGH", 4
PDF, NOTHING, DAMAGED, COPIED, CHEATS, STALLS, UNTOUCHED = 5, 11, 12, 17, 21, 26, 33
FROM = 16  # whose notebook COPIED hands in
LATE = {3: 1, 20: 1, 30: 3, 34: 2}  # who is late, and how many days on Moodle
BROKEN_OFF, FOR_EVER = '{"cells": [{"cell_type": "co', "while True:\n    pass\n"
EQUALS_ALL = """
class Right(float):
    __hash__ = float.__hash__

    def __eq__(self, other):
        return True

def precision(retrieved, relevant):
    return Right()
"""
BOTH = "len(set(retrieved) & set(relevant))"
# Wrong answers by exercise and question, each a known mistake.
WRONG: Mapping[str, Mapping[str, str]] = {
    "01": {
        "precision": f"def precision(retrieved, relevant):\n    return {BOTH} / len(relevant)\n",
        "recall": f"def recall(retrieved, relevant):\n    return {BOTH} / len(retrieved)\n",
        "f_measure": "def f_measure(retrieved, relevant):\n"
        "    return (precision(retrieved, relevant) + recall(retrieved, relevant)) / 2\n",
        "f_beta": "def f_beta(retrieved, relevant, beta):\n"
        "    p, r = precision(retrieved, relevant), recall(retrieved, relevant)\n"
        "    return (1 + beta) * p * r / (beta * p + r) if p + r else 0.0\n",
    },
    "02": {
        "precision_at": "def precision_at(ranking, judgments, k):\n"
        "    return sum(judgments.get(d, 0) for d in ranking[: k + 1]) / (k + 1)\n",
        "ap": "def ap(ranking, judgments):\n"
        "    places = [i for i, d in enumerate(ranking, 1) if judgments.get(d)]\n"
        "    found = [n / i for n, i in enumerate(places, 1)]\n"
        "    return sum(found) / len(found) if found else 0.0\n",
    },
}
# What students write, and the points that it earns.
TEXTS: Mapping[str, Mapping[str, tuple[float, ...]]] = {
    "01": {
        "Lawyers: recall, since a missed contract costs most. Pop-up: precision, since false "
        "alarms annoy. The accuracy says nothing: never warning has it, too.": (1, 1, 1),
        "Lawyers: recall, since a missed contract costs the most. Pop-up: precision, since false "
        "alarms annoy people. The accuracy says nothing: never warning has it, too.": (1, 1, 1),
        "Recall for the lawyers and precision for the pop-up.": (0.5, 0.5, 0),
        "F for both, because it is the best of both worlds. <b>0.9995 is very good!</b>": (0, 0, 0),
        "=HYPERLINK(1) Recall: nothing may be missed. Precision for the pop-up; its accuracy is "
        "high because almost no e-mail is wrong.": (1, 0.5, 1),
    },
    "02": {
        "Phone: P@3. Review: recall@500. 0.18 is near the ceiling of 0.2.": (1, 1, 1),
        "Phone: P@10, few scroll. Review: AP. 0.18 is bad.": (0.5, 0.5, 0),
        "Phone: MRR of the first three. Review: recall. At most two of ten count.": (1, 0.5, 1),
    },
}
FILES = {
    "late.csv": "rule,exercise,student,value\nzone,,,Europe/Vienna\ndue,02,,2026-11-20 23:59\n"
    "penalty,,,10 % per day\nlate mark,,,20 %\n",
    "rules.csv": "rule,of,value\nweight,02,2\nmissing,,0\nband,A,90 %\nband,B,75 %\nband,C,50 %\n",
    "course.key": KEY,
}
BOOK = "Grades-C1-Two-33.csv"
GRADE = (
    "grade course downloads --key course.key --out course --roster gradebook.csv "
    f"--roster {BOOK} --late late.csv --rules rules.csv --limit cpu=2"
)
SHEET = (
    "Identifier", "Full name", "ID number", "Group", "Grade", "Maximum Grade",
    "Last modified (submission)", "Last modified (grade)", "Feedback comments",
)  # fmt: skip
DAYS = ("Friday", "Saturday", "Sunday", "Monday")
PAGES = (
    "course/course.html", "course/submissions/report.html", "course/C1-Two-33/report.html",
    "course/submissions/by-hand/marking.html",
)  # fmt: skip
LONG = 14


@dataclass(frozen=True)
class Student:
    """A student of the class: the name as Canvas lists it, the team, and what the student does."""

    at: int
    name: str
    team: str

    @property
    def full(self) -> str:
        """The name as Moodle writes it."""
        return " ".join(reversed(self.name.split(", ")))

    @property
    def unit(self) -> int:
        """Who answers exercise 2: the team's first member."""
        return self.at - self.at % SIZE if self.team else self.at

    def wrong(self, exercise: str) -> set[str]:
        """The questions that this student, or the team, answers by a known mistake."""
        at = self.at if exercise == "01" else self.unit
        names = list(WRONG[exercise])
        chosen = {names[at % len(names)]} if at % 3 == 1 else set()
        return chosen | ({names[-1]} if at % 7 == 2 else set())

    def text(self, exercise: str) -> str:
        """The free text that this student, or the team, writes."""
        at = self.at if exercise == "01" else self.unit
        texts = list(TEXTS[exercise])
        return texts[0] if at % 2 else texts[at // 2 % len(texts)]


def students() -> list[Student]:
    """The class, in the order of its names."""
    names = [", ".join(name.split()) for name in NAMES.split(",")]
    teams = {i: f"Team {TEAMS[i // SIZE]}" for i in range(len(TEAMS) * SIZE)}
    return [Student(i, name, teams.get(i, "")) for i, name in enumerate(names)]


def answered(source: ExerciseSource, student: Student) -> dict[str, Any]:
    """The student's own copy with the answers in it."""
    number = source.exercise.number
    owner = student if number == "01" else students()[student.unit]
    if number == "01" and student.at == COPIED:
        owner = students()[FROM]
    book: dict[str, Any] = json.loads(as_text(solution(source, Variant(owner.name, KEY.encode()))))
    wrong = {f"{number}-{n.replace('_', '-')}": WRONG[number][n] for n in owner.wrong(number)}
    [hand] = source.exercise.by_hand
    by_hand = f"{number}-{hand.name.replace('_', '-')}"
    for cell in book["cells"]:
        name, text = cell["id"], "".join(cell["source"])
        if name == by_hand:
            text = text.partition("\n")[0] + "\n\n" + owner.text(number)
        cell["source"] = wrong.get(name, text)
        if number == "01" and (student.at, name) == (CHEATS, "01-precision"):
            cell["source"] = EQUALS_ALL
        if number == "01" and (student.at, name) == (STALLS, "01-f-beta"):
            cell["source"] = FOR_EVER + cell["source"]
    return book


def canvas_name(student: Student) -> str:
    """How Canvas's names for the student's files begin."""
    stem = re.sub(r"\W", "", student.name.lower()) + "_LATE" * (student.at in LATE)
    return f"{stem}_{1001 + student.at}_{5001 + student.at}_"


def ask(folder: Path) -> None:
    """Write Canvas's zip of the copies for all that students hand in to get their own."""
    [copy] = (ROOT / "exercises").glob("01_*.ipynb")
    with _zip(folder / "asked.zip") as canvas:
        for s in students():
            if s.at != NOTHING:
                canvas.write(copy, f"{canvas_name(s)}{copy.name}")


def hand_in(folder: Path) -> None:
    """Write what Canvas and Moodle give a teacher: the zips."""
    first, second = (read(path) for path in sources(["01", "02"]))
    with _zip(folder / "downloads" / "submissions.zip") as canvas:
        for s in students():
            name = canvas_name(s)
            if s.at == PDF:
                canvas.writestr(f"{name}homework.pdf", b"%PDF-1.4")
            elif s.at == UNTOUCHED:
                copy = folder / "copies" / s.name / f"{first.stem}.ipynb"
                canvas.write(copy, f"{name}{first.stem}.ipynb")
            elif s.at != NOTHING:
                text = BROKEN_OFF if s.at == DAMAGED else json.dumps(answered(first, s))
                canvas.writestr(f"{name}{first.stem}.ipynb", text)
    with _zip(folder / "downloads" / "C1-Two-33.zip") as moodle:
        for s in students():
            if s.at == s.unit and s.at != UNTOUCHED:
                where = f"{s.team or s.full}_{9001 + s.at}_assignsubmission_file"
                text = json.dumps(answered(second, s))
                moodle.writestr(f"{where}/{second.stem}.ipynb", text)


def _zip(path: Path) -> zipfile.ZipFile:
    path.parent.mkdir(parents=True, exist_ok=True)
    return zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED)


def tables(folder: Path) -> None:
    """Write the platforms' rosters, the rules and the key."""
    book = ["Student,ID,SIS User ID,SIS Login ID,Section,Exercise 1 (8123)"]
    book += ["    Points Possible,,,,,100"]
    sheet = [",".join(SHEET)]
    for s in students():
        section = "Monday" if s.at % 2 else "Friday"
        book.append(f'"{s.name}",{1001 + s.at},m{s.at},u{s.at},{section},')
        day = 20 + max(LATE.get(o.at, 0) for o in students() if o.unit == s.unit)
        when = f'"{DAYS[day - 20]}, {day} November 2026, 9:05 PM"' if s.at != UNTOUCHED else "-"
        sheet.append(f"Participant {9001 + s.at},{s.full},m{s.at},{s.team},,20.00,{when},-,")
    book.append('"Student, Test",1999,,test,Monday,')
    for name, text in {**FILES, "gradebook.csv": "\n".join(book), BOOK: "\n".join(sheet)}.items():
        write(folder / name, text + "\n")


def mark_by_hand(folder: Path, marker: str, *, harder: Sequence[str] = ()) -> None:
    """Save what a marker gave on the page, as the page saves it; `harder` get half the points."""
    page = (folder / "marking.html").read_text(encoding="utf-8")
    held = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    data = json.loads(held[1]) if held else {}
    marks: dict[str, dict[str, Any]] = {}
    for question in data["questions"]:
        given = TEXTS[question["id"][:2]]
        for answer in question["answers"]:
            text = answer["text"].rpartition("\n\n")[2]  # below the line that was handed out
            points = [p / 2 if text in harder else p for p in given.get(text, (0, 0, 0))]
            said = "Clear and complete." if all(p == 1 for p in points) else ""
            marks.setdefault(question["id"], {})[answer["id"]] = {"points": points, "comment": said}
    saved = {"format": "irmetrics-edu marks by hand", "version": 1, "key": data["key"],
             "marker": marker, "revision": len(marks), "marks": marks}  # fmt: skip
    write(folder / f"marks-{marker}.json", json.dumps(saved, ensure_ascii=False, indent=1))


def shown(words: str) -> None:
    """Run a command and show it with what it prints; long lists are cut in the middle."""
    put(f"\n$ irmetrics-edu {words}")
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        code = command(shlex.split(words))
    lines = said.getvalue().splitlines()
    if len(lines) > 3 * LONG:
        cut = f"... and {len(lines) - 2 * LONG} more lines ..."
        lines = [*lines[:LONG], cut, *lines[-LONG:]]
    put("\n".join(lines))
    put(f"(exit code {code})")
    if code not in (0, 1):
        raise InputError(f"irmetrics-edu {words} ended with {code}")


def main(arguments: list[str] | None = None) -> int:
    """Take the class through the course; two students have to hand in again, as the story says."""
    parser = argparse.ArgumentParser(prog="python -m dev.tools.demo_class", description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "build" / "demo-class")
    folder: Path = parser.parse_args(arguments).folder.resolve()
    if folder.exists() and any(folder.iterdir()):
        raise InputError(f"{folder} is not empty: name a folder that is new, or delete it")
    tables(folder)
    with contextlib.chdir(folder):
        put("Each student has other numbers. Moodle hands out the copies by its zip.")
        roster = f"--roster gradebook.csv --roster {BOOK} --key course.key --out copies"
        shown(f"exercises 02 {roster}")
        put("\nOn Canvas all hand in the copy for all first, and get their own as a comment.")
        ask(folder)
        shown(f"exercises 01 {roster} --canvas asked.zip")
        hand_in(folder)
        put(
            "\nThe class hands in. The teacher downloads Canvas's zip and Moodle's zip, and grades."
        )
        shown(GRADE)
        put("\nAnna and Bo mark the free text in the browser; they differ on one text.")
        pages = [Path("course") / name / "by-hand" for name in ("submissions", "C1-Two-33")]
        for page in pages:
            mark_by_hand(page, "anna")
            mark_by_hand(page, "bo", harder=[list(TEXTS["01"])[4]])
        shown(GRADE)
        put("\nBo agrees with Anna after all.")
        mark_by_hand(pages[0], "bo")
        shown(GRADE)
    put("\nLook at these:")
    for name in PAGES:
        put(f"  {(folder / name).as_uri()}")
    put(f"The zips to upload are in {folder / 'course'}: feedback-canvas.zip, feedback-moodle.zip.")
    return 0


if __name__ == "__main__":
    sys.exit(ended("python -m dev.tools.demo_class", lambda: main(sys.argv[1:])))
