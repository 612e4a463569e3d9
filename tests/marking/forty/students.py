"""The students of the class, and the tables in which platforms list them."""

import re
import unicodedata
from dataclasses import dataclass

from dev.tools.demo_class import NAMES
from tests.marking import layouts

NOT_LISTED = "Zhang, Li"
TEAM = ("Müller, Su", "Nagy, Béla", "Nguyễn, An")
TEAM_NAME = "Team A"
# Layouts that the table of all has not: a mark of Canvas, and what a platform does with attempts.
OWN_LAYOUTS = {
    "Canvas, late": "leeann_LATE_1001_501_77_two.ipynb",
    "Canvas, second attempt": "leeann_1001_502_77_two-1.ipynb",
    "Moodle": "Ann Lee_991_assignsubmission_file/77_two.ipynb",
}


@dataclass(frozen=True)
class Student:
    """A student: the place in the class, and the name as Canvas lists it."""

    at: int
    name: str

    @property
    def full(self) -> str:
        """The name as Moodle writes it."""
        return " ".join(reversed(self.name.split(", ")))

    @property
    def login(self) -> str:
        """The first letter of the first name and the last name, in ASCII."""
        last, first = self.name.split(", ")
        plain = unicodedata.normalize("NFKD", f"{first[0]}{last}".lower())
        return re.sub(r"[^a-z]", "", plain.replace("ı", "i"))

    @property
    def mail(self) -> str:
        """An address."""
        return f"{self.login}@uni.example"

    @property
    def canvas(self) -> str:
        """The number that Canvas gives."""
        return str(1001 + self.at)

    @property
    def moodle(self) -> str:
        """The number that Moodle gives."""
        return str(9001 + self.at)

    @property
    def id(self) -> str:
        """The matriculation number."""
        return str(11800101 + self.at)

    def places(self, layout: str, number: str, stem: str) -> list[str]:
        """Where the notebook of an exercise lies in a layout, and what lies beside it."""
        if layout in OWN_LAYOUTS:
            shown = [OWN_LAYOUTS[layout]]
        else:
            first, _, *beside = layouts.LAYOUTS[layout]
            shown = [first, *(place for place in beside if "jode" not in place)]
        last, given = self.name.split(", ")
        words = {
            "Lee, Ann": self.name,
            "Ann Lee": self.full,
            "Lee_Ann": f"{last}_{given}",
            "ann.lee@uni.example": self.mail,
            "leeann": re.sub(r"\W", "", self.name.lower()),
            "alee": self.login,
            "1001": self.canvas,
            "501": str(5001 + self.at),
            "502": str(6001 + self.at),
            "991": self.moodle,
            "11800101": self.id,
            "12345": str(12345 + self.at),
            "77_two": stem,
            "77": number,
        }
        longest_first = sorted(words, key=len, reverse=True)
        known = re.compile("|".join(map(re.escape, longest_first)))
        return [known.sub(lambda match: words[match[0]], place) for place in shown]


def students() -> list[Student]:
    """The class, in the order of its names."""
    names = [", ".join(name.split()) for name in NAMES.split(",")]
    return [Student(at, name) for at, name in enumerate(names)]


def listed() -> list[Student]:
    """Those on the rosters: all but one."""
    return [student for student in students() if student.name != NOT_LISTED]


def roster() -> str:
    """The teacher's own table."""
    lines = ["student,name,id,email,login,section,canvas,moodle"]
    for one in listed():
        section = "Monday" if one.at % 2 else "Friday"
        cells = [one.id, one.mail, one.login, section, one.canvas, one.moodle]
        lines.append(",".join([f'"{one.name}"', f'"{one.name}"', *cells]))
    return "\n".join(lines) + "\n"


def gradebook() -> str:
    """Canvas's gradebook, in which everybody has grades already."""
    lines = [
        "Student,ID,SIS User ID,SIS Login ID,Section,Exercise 1 (8101),Exercise 4 (8104)",
        "    Points Possible,,,,,13,11",
    ]
    lines += [f'"{one.name}",{one.canvas},{one.id},{one.login},Monday,7,8' for one in listed()]
    return "\n".join([*lines, '"Student, Test",1999,,test,Monday,,']) + "\n"


def worksheet(times: dict[str, str]) -> str:
    """Moodle's grading worksheet of exercise 4, with the times of those who handed in."""
    head = "Identifier,Full name,ID number,Group,Grade,Maximum Grade,"
    head += "Last modified (submission),Last modified (grade),Feedback comments"
    lines = [head]
    for one in listed():
        team = TEAM_NAME if one.name in TEAM else ""
        time = times.get(one.name, "-")
        shown = f'"{time}"'
        lines.append(
            f"Participant {one.moodle},{one.full},{one.id},{team},8.00,11.00,{shown},-,as before"
        )
    return "\n".join(lines) + "\n"
