"""The class of 40 that `make demo-class` shows: each mark and total is what its story says."""

import contextlib
import csv
import io
import json
import zipfile
from fractions import Fraction

import pytest

from dev.tools import demo_class
from irmetrics_edu.errors import InputError

pytestmark = pytest.mark.xdist_group("demo class")  # the class is graded once for both

# Worked out from the story: marks of exercise 1 (of 13) and of exercise 2 (of 14).
TOLD = {
    "Abebe, Sara": ("13", "12.8"),  # all right, in a team that was a day late: 10 % of 12 off
    "Ahmed, Omar": ("12", "12.8"),  # recall wrong (1); what builds on it is judged with the right
    "Bauer, Max": ("11", "12.8"),  # F with beta in place of its square (2)
    "Çelik, Ayşe": ("10.4", "12.8"),  # 13, late by Canvas's mark: 20 % of 13 off
    "Chen, Wei": ("9", "11.5"),  # precision wrong (2), text 1 of 3; P@N wrong (2), text 2.5 of 3
    "Cruz, Ana": ("", "11.5"),  # a PDF
    "Haddad, Nour": ("", "12"),  # nothing handed in; in a team whose text has 1 of 3
    "Ivanova, Olga": ("", "14"),  # a broken upload
    "Lee, Ann": ("6", "9.5"),  # two wrong (4), text 0 of 3; P@N and AP wrong (4), text 2.5
    "Lopez, Mia": ("5", "9.5"),  # Ann's notebook: the numbers by hand (1) are not Mia's own
    "Nagy, Béla": ("11", "10.8"),  # what equals everything is no precision (2)
    "Okafor, Ife": ("8", "14"),  # F with beta never ends (2), text 0 of 3
    "Patel, Ravi": ("13", "14"),
    "Singh, Asha": ("0", ""),  # the copy as it was handed out
    "Zhang, Li": ("13", "14"),
}


def table(path):
    """The lines of a table that the grader wrote."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def shown(tmp_path_factory):
    """The folder of the class, and what was printed."""
    folder = tmp_path_factory.mktemp("class") / "demo"
    with contextlib.redirect_stdout(io.StringIO()) as said:
        assert demo_class.main([str(folder)]) == 0
    assert "(exit code 1)" in said.getvalue()  # two students have to hand in again
    return folder, said.getvalue()


@pytest.mark.suite("sandbox")
@pytest.mark.slow
def test_the_class_gets_what_its_story_says(shown):
    """Copies, zips, lateness, teams, a cheat, a stall, two markers, totals and what goes back."""
    folder, said = shown
    lines = {row["student"]: row for row in table(folder / "course" / "course.csv")}
    assert len(lines) == 40
    assert {who: (lines[who]["01"], lines[who]["02"]) for who in TOLD} == TOLD
    for row in lines.values():
        if row["student"] in {"Cruz, Ana", "Ivanova, Olga"}:
            assert (row["open"], row["total %"], row["letter"]) == ("01", "", "")
            continue
        first, second = (Fraction(row[n] or 0) for n in ("01", "02"))
        share = 100 * (first / 13 + 2 * second / 12) / 3  # with a bonus, 02 has 14 of 12
        assert abs(Fraction(row["total %"]) - share) <= Fraction(1, 200)
        bands = [letter for letter, least in (("A", 90), ("B", 75), ("C", 50)) if share >= least]
        assert row["letter"] == (bands[0] if bands else "")
    # The first time they differ on one text of five, and then on none.
    assert "01-which_share lawyers: anna and bo agree on 4 of 5 answers" in said
    assert "01-which_share lawyers: anna and bo agree on 5 of 5 answers" in said
    report = (folder / "course" / "submissions" / "report.html").read_text(encoding="utf-8")
    assert "carries the fingerprint of Lee, Ann" in report
    assert "f_beta: limit of processor time" in report
    assert "Student, Test" not in said + report + str(lines)


@pytest.mark.suite("sandbox")
@pytest.mark.slow
def test_each_student_of_the_demonstration_gets_a_copy_and_feedback(shown):
    """The zips for the platforms hold a file for each student who can have one."""
    folder, _ = shown
    marks = table(folder / "course" / "submissions" / "canvas.csv")
    scaled = {row["Student"]: row["Exercise 1 (8123)"] for row in marks}
    assert (scaled["Patel, Ravi"], scaled["Lopez, Mia"]) == ("100", "38.46")  # 5 of 13, of 100
    sheet = {r["Full name"]: r for r in table(folder / "course/C1-Two-33/moodle-worksheet.csv")}
    assert sheet["Li Zhang"]["Grade"] == "20"
    for name, count in (("02_ranking_is_not_a_set-moodle", 40), ("01_relevant_or_not-canvas", 39)):
        with zipfile.ZipFile(folder / "copies" / f"{name}.zip") as handed_out:
            assert len(handed_out.namelist()) == count
    with zipfile.ZipFile(folder / "course/submissions/feedback-canvas.zip") as canvas:
        assert len(canvas.namelist()) == 38  # not of a PDF, and of nothing
        [own] = [name for name in canvas.namelist() if name.startswith("müllersu_")]
        assert "taken off: 2.6" in "".join(json.loads(canvas.read(own))["cells"][0]["source"])
    with zipfile.ZipFile(folder / "course/C1-Two-33/feedback-moodle.zip") as moodle:
        assert len(moodle.namelist()) == 39


def test_a_folder_in_use_is_not_written_into(tmp_path):
    """The demonstration deletes nothing of anybody's."""
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(InputError, match="is not empty"):
        demo_class.main([str(tmp_path)])
