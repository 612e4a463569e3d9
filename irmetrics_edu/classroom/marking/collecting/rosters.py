"""Rosters: your own list, and the files of Canvas and Moodle, read as they are.

Canvas's ID stands in the names of the files that it gives, and the number of Moodle's Identifier
("Participant 991") in those of Moodle. Several rosters are one: each fills in what the first lacks.
Moodle's Groups are sections: a student may be in several, and hands in with none of them.
"""

import difflib
import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from irmetrics_edu.classroom.marking.collecting.class_tables import cells_of
from irmetrics_edu.classroom.marking.collecting.owner_names import Person, folded, is_called, normal
from irmetrics_edu.errors import InputError
from irmetrics_edu.reading.records import SpreadsheetTable, table
from irmetrics_edu.views.language import LANGUAGES

OWN = "own"
CANVAS = "Canvas"
WORKSHEET = "Moodle's worksheet"
PARTICIPANTS = "Moodle"
GROUPS = "Canvas's groups"
# What Moodle's worksheet has in place of a group.
_SEVERAL = "Member of more than one group"
_NO_GROUP = "Not a member of any group"
# For each kind: the columns that tell it, and which column is which field.
_KINDS: Mapping[str, tuple[set[str], Mapping[str, str]]] = {
    CANVAS: (
        {"student", "id", "section"},
        {
            "student": "name",
            "id": "canvas",
            "sis user id": "id",
            "sis login id": "login",
            "section": "section",
        },
    ),
    WORKSHEET: (
        {"identifier", "grade"},
        {
            "identifier": "moodle",
            "full name": "name",
            "id number": "id",
            "email address": "email",
            "username": "login",
            "group": "group",
        },
    ),
    GROUPS: (
        {"canvas_user_id", "group_name"},
        {
            "name": "name",
            "canvas_user_id": "canvas",
            "user_id": "id",
            "login_id": "login",
            "sections": "section",
            "group_name": "group",
        },
    ),
    PARTICIPANTS: (
        {"first name", "last name"},
        {
            "id number": "id",
            "email address": "email",
            "username": "login",
            "groups": "section",
        },
    ),
}
# A student, the number of the line, and its cells by column.
Line = tuple[Person, int, Mapping[str, str]]
_SIS = {"sis user id", "sis login id", "root account", "integration id"}
# So much like a known column a head is taken for misspelt.
LIKE = 0.8
# Canvas's gradebook with split names, which is an option of the course.
_SPLIT = {"lastname", "firstname", "id", "section"}
_NUMBER = re.compile(r"\D*(\d+)")


@dataclass(frozen=True)
class Roster:
    """A roster: the students, their line numbers, and their cells by column.

    `points` are the points possible in Canvas's gradebook, by column.
    """

    path: Path
    kind: str
    head: tuple[str, ...]
    lines: tuple[Line, ...]
    points: Mapping[str, str] = field(default_factory=dict)

    @property
    def people(self) -> list[Person]:
        """The students, as the roster has them in order."""
        return [person for person, _, _ in self.lines]


def read(path: Path) -> Roster:
    """The students of a file in any of the known forms."""
    as_table = table(path)
    head = [cell.strip().lower() for cell in as_table.head]
    kind = _kind_of(head)
    if kind:
        _, fields = _KINDS[kind]
        roster = _platforms(path, kind, as_table, head, fields)
    else:
        roster = _own(path, as_table)
    if not roster.lines:
        raise InputError(f"{path}: there is no student in it; write one in each line")
    _refuse_spoilt(path, roster)
    return roster


def _refuse_spoilt(path: Path, roster: Roster) -> None:
    """InputError for a name that a spreadsheet has spoilt, with what it was if that is known."""
    for person, number, _ in roster.lines:
        for name in (person.student, person.name, person.section, person.group):
            if LOST in name:
                raise InputError(
                    f"{path}, line {number}: letters of {name!r} are lost; save the table again "
                    "from its source, as CSV UTF-8"
                )
            meant = _unspoilt(name)
            if meant:
                raise InputError(
                    f"{path}, line {number}: {name!r} was {meant!r} before a program read it in "
                    "the wrong encoding; save the table again, as CSV UTF-8"
                )


# What stands for a letter that could not be read.
LOST = "\N{REPLACEMENT CHARACTER}"


def _unspoilt(name: str) -> str:
    """The name before its bytes in UTF-8 were taken for Windows' encoding; "" if they weren't.

    >>> _unspoilt("MÃ¼ller"), _unspoilt("Müller"), _unspoilt("SÃO"), _unspoilt("MÍŠEK")
    ('Müller', '', '', '')
    """
    for coding in ("cp1252", "latin-1"):
        with suppress(UnicodeError):
            meant = name.encode(coding).decode("utf-8")
            letters = [letter for letter in meant if not letter.isascii()]
            if letters and all(map(_of_a_name, letters)):
                return meant
    return ""


def _of_a_name(letter: str) -> bool:
    """Whether a letter is one of Latin names, or of a script of Asia."""
    return letter.isalpha() and ("À" <= letter <= "ſ" or letter >= "\u0800")


def _kind_of(head: Sequence[str]) -> str:
    """Which platform's file has such a head; "" for a table of one's own."""
    there = set(head)
    split = there >= _SPLIT
    place = 2 if split else 1
    by_canvas = bool(_SIS & there) or head[place : place + 1] == ["id"]
    for kind, (telling, _) in _KINDS.items():
        if telling <= there and (kind != CANVAS or by_canvas):
            return kind
    return CANVAS if split and by_canvas else ""


def _own(path: Path, as_table: SpreadsheetTable) -> Roster:
    head = [cell.strip().lower() for cell in as_table.head]
    columns = set(Person.__dataclass_fields__)
    if "student" not in head:
        raise InputError(
            f"{path}, line 1: no column is called 'student'; write a head such as "
            "student,name,email"
        )
    # A column of the teacher's own is passed over; one that is misspelt would be lost.
    for name in head:
        near = _misspelt(name, columns)
        if near:
            names = ", ".join(sorted(columns))
            raise InputError(
                f"{path}: column {name!r} is not known (did you mean {near}?); known are {names}"
            )
    lines: list[Line] = []
    for number, cells in cells_of(path, as_table):
        values = {name: cell for name, cell in cells.items() if name in columns}
        if values.get("language"):
            values["language"] = _language(values["language"], f"{path}, line {number}")
        person = Person(**values)
        if not person.student and any(cells.values()):
            raise InputError(f"{path}, line {number}: student ''; name the student")
        if person.student:
            lines.append((person, number, cells))
    return Roster(path, OWN, tuple(head), _once(path, lines))


# What people and programs write for English, and for each language that there is.
ENGLISH = ("en", "english")


def _language(cell: str, where: str) -> str:
    """The code of a language that is given by its code, its tag or its own name; "" for English.

    >>> [_language(cell, "") for cell in ("ja", "ZH-Hans", "zh_CN", "日本語", "en-GB")]
    ['ja', 'zh', 'zh', 'ja', '']
    """
    wanted = cell.strip().casefold()
    first = re.split(r"[-_]", wanted)[0]
    if first in ENGLISH:
        return ""
    for code, language in LANGUAGES.items():
        if first == code or wanted == language.name:
            return code
    codes = ", ".join(["en", *LANGUAGES])
    raise InputError(
        f"{where}: there is no feedback in the language {cell!r}; write one of {codes}, or leave "
        "it empty for that of the copy"
    )


def _misspelt(name: str, columns: Collection[str]) -> str:
    """The known column that a head nearly names; "" if it names one, or none.

    >>> _misspelt("e-mail", ["email", "name"]), _misspelt("room", ["email", "name"])
    ('email', '')
    """
    if name in columns:
        return ""
    letters = re.sub(r"[\W_]", "", name)
    near = difflib.get_close_matches(letters, sorted(columns), n=1, cutoff=LIKE)
    return near[0] if near else ""


def _platforms(
    path: Path,
    kind: str,
    as_table: SpreadsheetTable,
    head: Sequence[str],
    fields: Mapping[str, str],
) -> Roster:
    lines: list[Line] = []
    points: Mapping[str, str] = {}
    for number, row in as_table.rows:
        cells: Mapping[str, str] = dict(zip(as_table.head, row, strict=False))
        if kind == CANVAS and _no_student(row):
            if "points possible" in row[0].lower():
                points = cells
            continue
        named = {name: normal(cell) for name, cell in zip(head, row, strict=False)}
        values = _values(named, kind, fields, f"{path}, line {number}")
        lines.append((Person("", **values), number, cells))
    return Roster(
        path,
        kind,
        tuple(as_table.head),
        _once(path, _called(lines)),
        points,
    )


def _values(
    named: Mapping[str, str],
    kind: str,
    fields: Mapping[str, str],
    where: str,
) -> dict[str, str]:
    """What a line says of a student, by the fields of a person; `named` are its cells."""
    values = {fields[name]: cell for name, cell in named.items() if name in fields}
    if kind == CANVAS and named.keys() >= _SPLIT:
        values["name"] = normal(f"{named['lastname']}, {named['firstname']}").strip(" ,")
    if kind == PARTICIPANTS:
        values["name"] = normal(f"{named.get('first name', '')} {named.get('last name', '')}")
    if kind == WORKSHEET:
        values = _participant(values, where)
    if not values.get("name"):
        raise InputError(f"{where}: a student without a name")
    return values


def _called(lines: Sequence[Line]) -> list[Line]:
    """The lines with what each student is called: the name, with a number where two have it."""
    names = Counter(folded(person.name) for person, _, _ in lines)
    called = []
    for person, number, cells in lines:
        name = person.name
        number_or_address = person.canvas or person.moodle or person.id or person.email
        if number_or_address and names[folded(name)] > 1:
            name = f"{name} ({number_or_address})"
        called.append((replace(person, student=name), number, cells))
    return called


def _once(path: Path, lines: Sequence[Line]) -> tuple[Line, ...]:
    """The lines; InputError if a student is on two of them."""
    students: set[str] = set()
    for person, number, _ in lines:
        if folded(person.student) in students:
            raise InputError(f"{path}, line {number}: student {person.student!r} a second time")
        students.add(folded(person.student))
    return tuple(lines)


def _participant(values: Mapping[str, str], where: str) -> dict[str, str]:
    """A line of Moodle's worksheet, by the number and, under blind marking, without a name."""
    match = _NUMBER.fullmatch(values["moodle"])
    if not match:
        raise InputError(f"{where}: no number in {values['moodle']!r}")
    facts = {"name": values["moodle"], **values, "moodle": match[1]}
    group = facts.get("group", "")
    if group.startswith(_SEVERAL):
        raise InputError(
            f"{where}: {facts['name']} is in several groups, and Moodle takes no submission then; "
            "leave one group to the student, and download it again"
        )
    return facts if not group.startswith(_NO_GROUP) else {**facts, "group": ""}


def _no_student(row: Sequence[str]) -> bool:
    """Whether a line of Canvas's gradebook holds points possible or unposted marks."""
    rest = [cell.strip() for cell in row if cell.strip()]
    return "points possible" in row[0].lower() or all(
        c.lower().startswith(("muted", "manual posting")) for c in rest
    )


def together(rosters: Sequence[Roster]) -> list[Roster]:
    """The rosters with the students of the first, each completed with the data of the others.

    InputError for a line of another roster that fits two students of the first.
    """
    if len(rosters) < 2:
        return _apart(rosters)
    people = {person.student: person for person in rosters[0].people}
    students_of: list[list[str]] = [list(people)]
    for other in rosters[1:]:
        students = []
        for person, number, _ in other.lines:
            where = f"{other.path}, line {number}"
            student = _meant(person, list(people.values()), where)
            people[student] = _completed(people.get(student, person), person, student, where)
            students.append(student)
        students_of.append(students)
    completed = []
    for roster, students in zip(rosters, students_of, strict=True):
        lines = []
        for student, (_, number, cells) in zip(students, roster.lines, strict=True):
            lines.append((people[student], number, cells))
        completed.append(replace(roster, lines=tuple(lines)))
    return _apart(completed)


def _meant(person: Person, people: Sequence[Person], where: str) -> str:
    """The student of the first rosters that a line means, or the line's own."""
    fits = _fitting(person, people)
    if len(fits) > 1:
        names = " or ".join(fits[:4])
        raise InputError(f"{where}: {person.student} may mean {names}; give an id or email")
    return fits[0] if fits else person.student


def _completed(
    listed: Person,
    person: Person,
    student: str,
    where: str,
) -> Person:
    """A student with what another roster tells beside; InputError for another group."""
    if person.group and listed.group and person.group != listed.group:
        raise InputError(
            f"{where}: {student} is in the group {person.group}, and "
            f"by another roster in {listed.group}; a student hands in with one group"
        )
    told = vars(person).items()
    lacking = {name: value for name, value in told if value and not getattr(listed, name)}
    return replace(listed, **lacking)


def _apart(rosters: Sequence[Roster]) -> list[Roster]:
    """The rosters; InputError if a group is called as a student is."""
    students = {folded(p.student): p for p in everybody(rosters)}
    for roster in rosters:
        for person, number, _ in roster.lines:
            other = students.get(folded(person.group))
            if other and person.group:
                raise InputError(
                    f"{roster.path}, line {number}: the group {person.group} of {person.student} "
                    f"is called as the student {other.student} is; give it another name"
                )
    return list(rosters)


def everybody(rosters: Sequence[Roster]) -> list[Person]:
    """The students of several rosters, each once."""
    return list({p.student: p for roster in rosters for p in roster.people}.values())


def _fitting(person: Person, people: Sequence[Person]) -> list[str]:
    """The matching student: by number, address or login, else by name."""
    for name in ("canvas", "moodle", "id", "email", "login"):
        value = folded(getattr(person, name))
        if value:
            students = [one.student for one in people if folded(getattr(one, name)) == value]
            if students:
                return students
    names = {person.student, person.name} - {""}
    return [one.student for one in people if any(is_called(one, name) for name in names)]
