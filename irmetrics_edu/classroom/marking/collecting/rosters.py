"""Rosters: your own list, and the files of Canvas and Moodle, read as they are.

Canvas's ID stands in the names of the files that it gives, and the number of Moodle's Identifier
("Participant 991") in those of Moodle. Several rosters are one: each fills in what the first lacks.
Moodle's Groups are sections: a student may be in several, and hands in with none of them.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from irmetrics_edu.classroom.marking.collecting.class_tables import cells_of
from irmetrics_edu.classroom.marking.collecting.owner_names import Person, folded, is_called, normal
from irmetrics_edu.errors import InputError
from irmetrics_edu.reading.records import SpreadsheetTable, table

OWN = "own"
CANVAS = "Canvas"
WORKSHEET = "Moodle's worksheet"
PARTICIPANTS = "Moodle"
GROUPS = "Canvas's groups"
# What Moodle's worksheet has in place of a group.
_SEVERAL, _NO_GROUP = "Member of more than one group", "Not a member of any group"
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
    given = table(path)
    head = [cell.strip().lower() for cell in given.head]
    for kind, (telling, fields) in _KINDS.items():
        if telling <= set(head) and (kind != CANVAS or _SIS & set(head) or head[1] == "id"):
            found = _platforms(path, kind, given, head, fields)
            break
    else:
        found = _own(path, given)
    if not found.lines:
        raise InputError(f"{path}: there is no student in it; write one in each line")
    return found


def _own(path: Path, given: SpreadsheetTable) -> Roster:
    head = [cell.strip().lower() for cell in given.head]
    known = set(Person.__dataclass_fields__)
    if "student" not in head:
        raise InputError(
            f"{path}, line 1: no column is called 'student'; write a head such as "
            "student,name,email"
        )
    if extra := [name for name in head if name not in known]:
        names = ", ".join(sorted(known))
        raise InputError(f"{path}: column {extra[0]!r} is not known; known are {names}")
    lines: list[Line] = []
    for number, cells in cells_of(path, given):
        person = Person(**cells)
        if not person.student and any(cells.values()):
            raise InputError(f"{path}, line {number}: student ''; name the student")
        lines += [(person, number, cells)] if person.student else []
    return Roster(path, OWN, tuple(head), _once(path, lines))


def _platforms(
    path: Path,
    kind: str,
    given: SpreadsheetTable,
    head: Sequence[str],
    fields: Mapping[str, str],
) -> Roster:
    made: list[Line] = []
    points: Mapping[str, str] = {}
    for number, row in given.rows:
        cells: Mapping[str, str] = dict(zip(given.head, row, strict=False))
        if kind == CANVAS and _no_student(row):
            points = cells if "points possible" in row[0].lower() else points
            continue
        values = {
            fields[name]: normal(cell)
            for name, cell in zip(head, row, strict=False)
            if name in fields
        }
        if kind == PARTICIPANTS:
            by = {name: normal(cell) for name, cell in zip(head, row, strict=False)}
            values["name"] = normal(f"{by.get('first name', '')} {by.get('last name', '')}")
        if kind == WORKSHEET:
            values = _participant(values, f"{path}, line {number}")
        if not values.get("name"):
            raise InputError(f"{path}, line {number}: a student without a name")
        made.append((Person("", **values), number, cells))
    names = Counter(folded(person.name) for person, _, _ in made)
    lines = []
    for person, number, cells in made:
        own = person.canvas or person.moodle or person.id or person.email
        twice = own and names[folded(person.name)] > 1
        called = f"{person.name} ({own})" if twice else person.name
        lines.append((replace(person, student=called), number, cells))
    return Roster(path, kind, tuple(given.head), _once(path, lines), points)


def _once(path: Path, lines: Sequence[Line]) -> tuple[Line, ...]:
    """The lines; InputError if a student is on two of them."""
    found: set[str] = set()
    for person, number, _ in lines:
        if folded(person.student) in found:
            raise InputError(f"{path}, line {number}: student {person.student!r} a second time")
        found.add(folded(person.student))
    return tuple(lines)


def _participant(values: Mapping[str, str], where: str) -> dict[str, str]:
    """A line of Moodle's worksheet, by the number and, under blind marking, without a name."""
    match = _NUMBER.fullmatch(values["moodle"])
    if not match:
        raise InputError(f"{where}: no number in {values['moodle']!r}")
    found = {"name": values["moodle"], **values, "moodle": match[1]}
    group = found.get("group", "")
    if group.startswith(_SEVERAL):
        raise InputError(
            f"{where}: {found['name']} is in several groups, and Moodle takes no submission then; "
            "leave one group to the student, and download it again"
        )
    return found if not group.startswith(_NO_GROUP) else {**found, "group": ""}


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
    owners: list[list[str]] = [list(people)]
    for other in rosters[1:]:
        owners.append([])
        for person, number, _ in other.lines:
            fits = _fitting(person, list(people.values()))
            if len(fits) > 1:
                names = " or ".join(fits[:4])
                where = f"{other.path}, line {number}"
                raise InputError(f"{where}: {person.student} may mean {names}; give an id or email")
            student = fits[0] if fits else person.student
            own = people.get(student, person)
            if person.group and own.group and person.group != own.group:
                raise InputError(
                    f"{other.path}, line {number}: {student} is in the group {person.group}, and "
                    f"by another roster in {own.group}; a student hands in with one group"
                )
            lacking = {n: v for n, v in vars(person).items() if v and not getattr(own, n)}
            people[student] = replace(own, **lacking)
            owners[-1].append(student)
    return _apart(
        [
            replace(
                roster,
                lines=tuple(
                    (people[s], n, cells)
                    for s, (_, n, cells) in zip(students, roster.lines, strict=True)
                ),
            )
            for roster, students in zip(rosters, owners, strict=True)
        ]
    )


def _apart(rosters: Sequence[Roster]) -> list[Roster]:
    """The rosters; InputError if a group is called as a student is."""
    students = {folded(p.student): p for p in everybody(rosters)}
    for roster in rosters:
        for person, number, _ in roster.lines:
            if (other := students.get(folded(person.group))) and person.group:
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
        own = folded(getattr(person, name))
        if own and (found := [p.student for p in people if folded(getattr(p, name)) == own]):
            return found
    names = {person.student, person.name} - {""}
    return [p.student for p in people if any(is_called(p, name) for name in names)]
