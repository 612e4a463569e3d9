"""Whose a file or folder is by its name: what a learning platform wrote there counts first.

    Ann Lee_101_assignsubmission_file_       Moodle: full name, number of the participant
    leeann_1002_556_homework.ipynb           Canvas: name, id, number of the file, the student's
    leeann_LATE_1002_556_homework.ipynb      own name of the file

The last part of a Canvas name is the student's own, and says nothing about whose the file is. A
name that fits two students is asked about, never guessed.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from irmetrics_edu.marking.notebook import clean

# Canvas takes the first two parts that are digits alone for the ids of the student and the file.
_CANVAS = re.compile(
    r"(?P<name>[^_]+(?:_(?!\d+_|LATE_)[^_]+)*)(?P<late>_LATE)?_(?P<id>\d+)_(?:\d+_.*|text|link)",
    re.DOTALL,
)
_MOODLE = re.compile(r"(?P<name>[^_]+)_(?P<id>\d+)_assignsubmission_\w+.*", re.DOTALL)
REMEDY = (
    "Put it into a folder that is named as the student is in the column student of the roster, "
    "and give --roster."
)


@dataclass(frozen=True)
class Person:
    """A student of the roster: the name that copies are made under, and what the LMS knows.

    `canvas` and `moodle` are the numbers that these platforms write into the names of files.
    """

    student: str
    name: str = ""
    id: str = ""
    email: str = ""
    login: str = ""
    section: str = ""
    canvas: str = ""
    moodle: str = ""

    @property
    def words(self) -> list[str]:
        """What a file name may call them, the longest first."""
        found = {self.student, self.name, self.id, self.email, self.login, self.canvas} - {""}
        return sorted(found, key=len, reverse=True)


@dataclass(frozen=True)
class Named:
    """Who a name means: a student, or why that is not known.

    `sure` if a folder or a platform says so: then nothing else, such as whose copy the notebook
    is, says otherwise. `platform`, `number` and `late` are what a learning platform wrote beside
    the name; `late` is None where it wrote nothing of it.
    """

    student: str
    sure: bool = False
    why: str = ""
    platform: str = ""
    number: str = ""
    late: bool | None = None


def normal(name: str) -> str:
    """A name in one form of Unicode and with single spaces, however the system wrote it.

    A zero-width non-joiner is a letter's own in Persian, and stays.
    """
    return " ".join(unicodedata.normalize("NFC", name).split())


def folded(name: str) -> str:
    """A name as it is compared: in one form, without difference of case."""
    return normal(unicodedata.normalize("NFC", normal(name).casefold()))


def named(raw: str, stems: Sequence[str], people: Sequence[Person], *, folder: bool) -> Named:
    """Who a file or folder name means, one of the roster if it names one."""
    name = normal(clean(raw, 200))
    for platform, pattern in (("Moodle", _MOODLE), ("Canvas", _CANVAS)):
        if match := pattern.fullmatch(name):
            found = _by_platform(normal(match["name"]), match["id"], platform, people)
            late = bool(match["late"]) if platform == "Canvas" else None
            return Named(*found, platform=platform, number=match["id"], late=late)
    if people:
        listed = _one(_exactly(name, people), name) or _one(_within(name, people), name)
        if listed:
            return Named(*listed)
    for stem in sorted(stems, key=len, reverse=True):
        short = re.sub(rf"[\s_\-]*{re.escape(stem)}[\s_\-]*(\(\d+\))?", "", name)
        if short != name:
            return Named(short, folder)
    return Named(name, folder)


def ambiguous(found: Sequence[Named]) -> set[tuple[str, str]]:
    """Platform and name of those whom a platform lists under one name and several numbers."""
    numbers: dict[tuple[str, str], set[str]] = defaultdict(set)
    for one in found:
        if one.platform:
            numbers[one.platform, folded(one.student)].add(one.number)
    return {who for who, several in numbers.items() if len(several) > 1}


def _by_platform(
    name: str, number: str, platform: str, people: Sequence[Person]
) -> tuple[str, bool, str]:
    """The student by the id, which Canvas writes; else by the name."""
    # Moodle's number is of the participant in one assignment: only its worksheet has it.
    ids = {
        p.student: {p.canvas or p.id, p.student} if platform == "Canvas" else {p.moodle}
        for p in people
    }
    by_id = [p.student for p in people if number in ids[p.student]]
    by_name = [p.student for p in people if _is_called(p, name)]
    if len(by_id) == 1 and by_name and by_id[0] not in by_name:
        return "", False, f"the id {number} is that of {by_id[0]}, the name {name} is another's"
    return _one(by_id, name) or _one(by_name, name) or (name, True, "")


def _is_called(person: Person, name: str) -> bool:
    """Whether a platform's name is a person's: in any order of its parts, with or without gaps."""
    wanted = _letters(name)
    for own in (person.name, person.student, person.login):
        parts = re.split(r"[\s,]+", folded(own).strip(" ,"))
        turns = (parts[i:] + parts[:i] for i in range(len(parts)))
        if wanted and any(_letters("".join(turn)) == wanted for turn in turns):
            return True
    return False


def _letters(name: str) -> str:
    return re.sub(r"[\W_]", "", folded(name))


def _exactly(name: str, people: Sequence[Person]) -> list[str]:
    """Those whom the whole name means, the roster's first column before all others."""
    wanted = folded(name)
    own = [p.student for p in people if folded(p.student) == wanted]
    return own or [p.student for p in people if wanted in map(folded, p.words)]


def _within(name: str, people: Sequence[Person]) -> list[str]:
    """Those whom a part of the name means; a part inside a longer one does not count."""
    text = folded(name)
    spans: Mapping[tuple[int, int], set[str]] = defaultdict(set)
    for person in people:
        for word in map(folded, person.words):
            for match in re.finditer(rf"(?<![^\W_]){re.escape(word)}(?![^\W_])", text):
                spans[match.span()].add(person.student)
    found: dict[str, None] = {}
    for (start, end), students in spans.items():
        inside = any(s <= start and end <= e and (s, e) != (start, end) for s, e in spans)
        if not inside:
            found |= dict.fromkeys(sorted(students))
    return list(found)


def _one(students: Sequence[str], name: str) -> tuple[str, bool, str] | None:
    """The one student, or why there is none; None if nobody is meant."""
    several = sorted(set(students))
    if not several:
        return None
    if len(several) == 1:
        return several[0], True, ""
    return "", False, f"{clean(name, 100)} may mean {' or '.join(several[:4])}"
