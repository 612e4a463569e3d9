"""The owner of a file or folder by its name; names that a learning platform wrote count first.

    Ann Lee_101_assignsubmission_file_       Moodle: full name, number of the participant
    leeann_1002_556_homework.ipynb           Canvas: name, id, number of the file, the student's
    leeann_LATE_1002_556_homework.ipynb      own name of the file
    Team A_17_assignsubmission_file          Moodle, of a group: its name, its own number
    Team A-Ann Lee_101_assignsubmission_file Moodle before 4.1, of a member of a group
    Default group_assignsubmission_file      Moodle, of all who are in no group
    teama_1002_556_homework.ipynb            Canvas, of a group: its name, the id of one member
    Participant_991_assignsubmission_file    Moodle, blind marking
    Team A-Participant_991_assignsubmission_file   the same before 4.1, of a member of a group
    LATE_anon_aB3dE_556_homework.ipynb       Canvas, anonymous grading

The last part of a Canvas name is the student's own file name and does not show the owner. If a name
fits two students, the grader asks and does not guess. An anonymous name has no owner.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from irmetrics_edu.classroom.marking.collecting.notebook import clean
from irmetrics_edu.views.language import worded

# Canvas takes the first two parts that are digits alone for the ids of the student and the file.
_CANVAS = re.compile(
    r"(?P<name>[^_]+(?:_(?!\d+_|LATE_)[^_]+)*)(?P<late>_LATE)?_(?P<id>\d+)_(?:\d+_.*|text|link)",
    re.DOTALL,
)
_MOODLE = re.compile(r"(?P<name>[^_]+)(?:_(?P<id>\d+))?_assignsubmission_\w+.*", re.DOTALL)
_ANONYMOUS = re.compile(
    r"(?P<late>LATE_)?(?P<name>anon_[A-Za-z0-9]{5})_(?:\d+_.*|text|link)", re.DOTALL
)
# What Moodle calls everybody under blind marking, where it speaks English.
PARTICIPANT = "Participant"
REMEDY = worded(
    "Put it into a folder that is named as the student is in the column student of the roster, "
    "or as the group is called there, and give --roster."
)


@dataclass(frozen=True)
class Person:
    """A student of the roster: the name for copies, and the data of the learning platform.

    `canvas` and `moodle` are the numbers that these platforms write into the names of files.
    `group` is the group that hands in one notebook for all its members. `language` is the code of
    that in which the student reads; "" where nobody said.
    """

    student: str
    name: str = ""
    id: str = ""
    email: str = ""
    login: str = ""
    section: str = ""
    canvas: str = ""
    moodle: str = ""
    group: str = ""
    language: str = ""

    @property
    def called(self) -> str:
        """The name that people know the student by; `student` if that has the name in it.

        >>> Person("m712", name="Ann Lee").called, Person("Lee, Ann", name="Ann Lee").called
        ('Ann Lee', 'Lee, Ann')
        """
        words = set(re.findall(r"\w+", folded(self.student)))
        if set(re.findall(r"\w+", folded(self.name))) <= words:
            return self.student
        return self.name

    @property
    def listed(self) -> str:
        """The name for the teacher, with what `student` has if that is another."""
        return self.student if self.called == self.student else f"{self.called} ({self.student})"

    @property
    def unit(self) -> str:
        """The unit that hands in: the group, or else the student."""
        return self.group or self.student

    @property
    def blind(self) -> bool:
        """Whether it is a participant of Moodle's blind marking, a number without a name."""
        return bool(self.moodle) and self.name.endswith(self.moodle)

    @property
    def test(self) -> bool:
        """Whether it is the account of Canvas's *Student View*, which the gradebook lists."""
        return bool(self.canvas) and not self.id and folded(self.name) == "student, test"

    @property
    def words(self) -> list[str]:
        """The names that a file name may use for the student, longest first."""
        words = {
            self.student,
            self.name,
            self.id,
            self.email,
            self.login,
            self.canvas,
        }
        return sorted(words - {""}, key=lambda word: (-len(word), word))


@dataclass(frozen=True)
class Named:
    """The student or group that a name means, or why it is unknown.

    `sure` says that a folder or a platform names the owner; then nothing else, such as the owner of
    the copy, can change it. `platform`, `number` and `late` are what a learning platform wrote with
    the name; `late` is None if it says nothing about lateness. `anonymous` says that the platform
    hides the name; `note` is for the teacher. `unlisted` says that the name is nobody's on the
    roster: then the copy may tell whose it is.
    """

    student: str
    sure: bool = False
    why: str = ""
    platform: str = ""
    number: str = ""
    late: bool | None = None
    anonymous: bool = False
    note: str = ""
    unlisted: bool = False


def members(people: Sequence[Person]) -> dict[str, list[str]]:
    """The students of each group that hands in one notebook.

    >>> members([Person("ann", group="A"), Person("ben", group="A"), Person("cy")])
    {'A': ['ann', 'ben']}
    """
    groups: dict[str, list[str]] = {}
    for person in people:
        if person.group:
            groups.setdefault(person.group, []).append(person.student)
    return groups


def languages_of(people: Sequence[Person]) -> dict[str, str]:
    """The language of each student and group; that of a group is the one that all members have.

    >>> languages_of([Person("ann", language="ja", group="A"), Person("ben", group="A")])
    {'ann': 'ja', 'A': '', 'ben': ''}
    """
    languages: dict[str, str] = {}
    for person in people:
        languages[person.student] = person.language
        if person.group:
            before = languages.get(person.group, person.language)
            languages[person.group] = person.language if before == person.language else ""
    return languages


def normal(name: str) -> str:
    """A name in one Unicode form and with single spaces.

    A zero-width non-joiner is a letter's own in Persian, and stays.
    """
    return " ".join(unicodedata.normalize("NFC", name).split())


def folded(name: str) -> str:
    """A name as it is compared: in one form, without difference of case."""
    return normal(unicodedata.normalize("NFC", normal(name).casefold()))


def named(
    raw: str,
    stems: Sequence[str],
    people: Sequence[Person],
    *,
    folder: bool,
) -> Named:
    """The owner that a file or folder name means, from the roster if possible."""
    name = clean(normal(raw), 200)
    by_platform = _of_platform(name, people)
    if by_platform:
        return by_platform
    listed = _one(_exactly(name, people), name)
    if listed:
        return listed
    short = _without_stem(name, stems)
    whole = _one(_exactly(short, people), short) or _within(short, people)
    if whole:
        return whole
    if not folder:
        return Named(short)
    new = _new(short, people)
    return (
        replace(
            new,
            sure=False,
            unlisted=True,
        )
        if people
        else new
    )


def _of_platform(name: str, people: Sequence[Person]) -> Named | None:
    """The owner of a name that a platform wrote; None if it is no such name."""
    anonymous = _ANONYMOUS.fullmatch(name)
    if anonymous:
        # Canvas's own reader takes such a name for an anonymous one, too, whoever is called so.
        return Named(
            anonymous["name"],
            sure=True,
            platform="Canvas",
            late=bool(anonymous["late"]),
            anonymous=True,
        )
    moodle = _MOODLE.fullmatch(name)
    if moodle:
        number = moodle["id"] or ""
        owner = _by_moodle(
            normal(moodle["name"]),
            number,
            people,
        )
        return replace(
            owner,
            platform="Moodle",
            number=number,
        )
    group = _canvas_group(name, people)
    canvas = _CANVAS.fullmatch(f"group{name[len(group) :]}" if group else name)
    if canvas:
        number = canvas["id"]
        owner = _by_canvas(
            group or normal(canvas["name"]),
            number,
            people,
        )
        return replace(
            owner,
            platform="Canvas",
            number=number,
            late=bool(canvas["late"]),
        )
    return None


def _without_stem(name: str, stems: Sequence[str]) -> str:
    """A name without that of the exercise in it."""
    for stem in sorted(
        stems,
        key=len,
        reverse=True,
    ):
        short = re.sub(
            rf"[\s_\-]*{re.escape(stem)}[\s_\-]*(\(\d+\))?",
            "",
            name,
        )
        if short != name:
            return short
    return name


# A login or number shorter than this may stand in a name by chance.
SHORTEST_ID = 3


def _within(name: str, people: Sequence[Person]) -> Named | None:
    """The one student whose login, number, address or name stands in a longer name.

    Platforms write `Lee_Ann_alee_12345`, `exercise-21-alee`, `101-999 - Ann Lee - date` or
    `Lee, Ann(alee)`. A login or a number counts before a name. None if nobody or several fit.

    >>> people = [Person("ann", "Lee, Ann", login="alee"), Person("ben", "Li, Ben", login="bli")]
    >>> _within("exercise-21-alee", people).student, _within("Ann Lee and Ben Li", people)
    ('ann', None)
    """
    words = _words(name)
    by_id = {person.unit for person in people if _id_within(person, words)}
    by_name = {person.unit for person in people if _name_within(person, words)}
    if len(by_id) == 1 and (by_id & by_name or not by_name):
        [student] = by_id
        return Named(student, sure=True)
    if not by_id and len(by_name) == 1:
        [student] = by_name
        return Named(student, sure=True)
    return None


def _id_within(person: Person, words: Sequence[str]) -> bool:
    """Whether one of a person's logins, numbers and addresses stands in a name."""
    ids = (person.login, person.id, person.email, person.canvas, person.moodle)
    return any(len(one) >= SHORTEST_ID and _stands_in(_words(one), words) for one in ids)


def _name_within(person: Person, words: Sequence[str]) -> bool:
    """Whether one of a person's names stands in a name."""
    names = {person.student, person.name, person.group} - {""}
    return any(_turned_in(_words(one), words) for one in names)


def _words(name: str) -> list[str]:
    return re.sub(
        r"[\W_]+",
        " ",
        folded(name),
    ).split()


def _turned_in(name_words: Sequence[str], words: Sequence[str]) -> bool:
    """Whether words stand in a name together, in any turn: Ann Lee is Lee, Ann.

    A single word is too little: it may be anything.
    """
    if len(name_words) < 2 and sum(map(len, name_words)) <= SHORTEST_ID:
        return False
    return any(_stands_in(turn, words) for turn in _turns(name_words))


def _turns(parts: Sequence[str]) -> Iterator[list[str]]:
    """The parts of a name, begun with each of them in turn."""
    for start in range(len(parts)):
        yield [*parts[start:], *parts[:start]]


def _stands_in(name_words: Sequence[str], words: Sequence[str]) -> bool:
    """Whether words stand in others, one after another."""
    length = len(name_words)
    if not length:
        return False
    for start in range(len(words) - length + 1):
        part = list(words[start : start + length])
        if part == list(name_words):
            return True
    return False


def ambiguous(people: Sequence[Named]) -> set[tuple[str, str]]:
    """The platform and name of students listed under one name with several numbers."""
    numbers: dict[tuple[str, str], set[str]] = defaultdict(set)
    for one in people:
        if one.platform:
            numbers_of_one = numbers[one.platform, folded(one.student)]
            numbers_of_one.add(one.number)
    several = set()
    for who, numbers_of_one in numbers.items():
        if len(numbers_of_one) > 1:
            several.add(who)
    return several


def _the_one(
    by_id: Sequence[str],
    by_name: Sequence[str],
    name: str,
    people: Sequence[Person],
) -> Named:
    """The one whom an id means, or else a name, or else somebody who is not on the roster."""
    return _one(by_id, name) or _one(by_name, name) or _new(name, people)


def _by_moodle(
    name: str,
    number: str,
    people: Sequence[Person],
) -> Named:
    """The owner of a Moodle name: a group by its name, a student by number or name."""
    groups = [person for person in people if _in_group(person, name)]
    if groups:
        return _the_one(
            _units(groups),
            [],
            name,
            people,
        )
    by_id = _by_number(number, people)
    blind = _participant(name, number, by_id)
    if blind:
        student = by_id[0].student if len(by_id) == 1 else f"{blind} {number}"
        return Named(
            student,
            sure=True,
            anonymous=True,
        )
    by_name = _called(name, people)
    if by_id and not set(by_id) & set(by_name):
        return Named(
            "",
            why=_another(
                number,
                by_id[0].student,
                name,
            ),
        )
    return _the_one(
        _units(by_id),
        _units(by_name),
        name,
        people,
    )


def _participant(name: str, number: str, by_id: Sequence[Person]) -> str:
    """What somebody is called under blind marking, without a team in front; "" if it is no such."""
    for end in [name, *_ends(name)]:
        if end == PARTICIPANT or _is_number(end, number, by_id):
            return end
    return ""


def _by_number(number: str, people: Sequence[Person]) -> list[Person]:
    """The participants with a number, which only a worksheet of one assignment has."""
    return [person for person in people if number and person.moodle == number]


def _is_number(
    name: str,
    number: str,
    people: Sequence[Person],
) -> bool:
    """Whether a name and a number together are what somebody is called under blind marking."""
    return any(_letters(person.name) == _letters(name + number) for person in people)


def _called(name: str, people: Sequence[Person]) -> list[Person]:
    """The students who are called so, or else with a team in front."""
    called = [person for person in people if is_called(person, name)]
    return called or _of_team(name, people)


def _of_team(name: str, people: Sequence[Person]) -> list[Person]:
    """The students whom a name with a team in front means, as Moodle before 4.1: Team A-Ann Lee."""
    ends = _ends(name)
    return [person for person in people if any(is_called(person, end) for end in ends)]


def _ends(name: str) -> list[str]:
    """What follows each hyphen of a name."""
    return [name[place + 1 :] for place, letter in enumerate(name) if letter == "-"]


def _canvas_group(name: str, people: Sequence[Person]) -> str:
    """The group that a Canvas name begins with; a number in its name is not an id."""
    longest = ""
    for person in people:
        slug = re.sub(
            r"\W",
            "",
            person.group.lower(),
        )
        begins = name.lower().startswith(f"{slug}_")
        if slug and begins and len(slug) > len(longest):
            longest = slug
    return longest


def _by_canvas(
    name: str,
    number: str,
    people: Sequence[Person],
) -> Named:
    """The owner of a Canvas name: the student by id, else the student or group by name."""
    by_id = [one for one in people if number in {one.canvas or one.id, one.student}]
    by_name = [one for one in people if _is_or_in(one, name)]
    note = ""
    if len(by_id) == 1 and by_id[0].unit not in _units(by_name):
        student = by_id[0].student
        if by_name:
            return Named(
                "",
                why=_another(
                    number,
                    student,
                    name,
                ),
            )
        if by_id[0].name:
            note = (
                f"the file is called {name}, its id is that of {student}; if it is a "
                "group's, say who is in the group"
            )
    owner = _the_one(
        _units(by_id),
        _units(by_name),
        name,
        people,
    )
    return replace(owner, note=note)


def _is_or_in(person: Person, name: str) -> bool:
    """Whether a name is a person's, or that of the person's group."""
    return is_called(person, name) or _in_group(person, name)


def _another(
    number: str,
    student: str,
    name: str,
) -> str:
    return worded(
        "the id {number} is that of {student}, the name {name} is another's",
        number=number,
        student=student,
        name=name,
    )


def _units(people: Sequence[Person]) -> list[str]:
    return [p.unit for p in people]


def _new(name: str, people: Sequence[Person]) -> Named:
    """An owner who is not on the roster; in a class with groups it may be an unknown group."""
    if any(p.group for p in people):
        why = worded(
            "nobody of the roster is called {name}, or is in a group of this name", name=name
        )
        return Named("", why=why)
    return Named(name, sure=True)


def is_called(person: Person, name: str) -> bool:
    """Whether a platform's name is a person's: in any order of its parts, with or without gaps."""
    wanted = _letters(name)
    if not wanted:
        return False
    for persons_name in (person.name, person.student, person.login):
        bare = folded(persons_name).strip(" ,")
        parts = re.split(r"[\s,]+", bare)
        for turn in _turns(parts):
            letters = _letters("".join(turn))
            if letters == wanted:
                return True
    return False


def _in_group(person: Person, name: str) -> bool:
    """Whether a platform's name is that of a person's group."""
    return bool(_letters(person.group)) and _letters(person.group) == _letters(name)


def _letters(name: str) -> str:
    return re.sub(
        r"[\W_]",
        "",
        folded(name),
    )


def _exactly(name: str, people: Sequence[Person]) -> list[str]:
    """The students whom the whole name means; the roster's first column counts first."""
    wanted = folded(name)
    first = []
    others = []
    for person in people:
        unit_names = {folded(person.student), folded(person.group)}
        if wanted and wanted in unit_names:
            first.append(person.unit)
        if wanted in map(folded, person.words):
            others.append(person.unit)
    return first or others


def _one(students: Sequence[str], name: str) -> Named | None:
    """The single student, or why it is unknown; None if no student fits."""
    several = sorted(set(students))
    if not several:
        return None
    if len(several) == 1:
        return Named(several[0], sure=True)
    return Named("", why=may_mean(clean(name, 100), several[:4]))


def may_mean(name: str, students: Sequence[str]) -> str:
    """Why a name that fits several students tells nothing.

    >>> may_mean("lee", ["Lee, Ann", "Lee, Bo"])
    'lee may mean Lee, Ann or Lee, Bo'
    """
    either, *others = students
    for other in others:
        either = worded("{one} or {other}", one=either, other=other)
    return worded("{name} may mean {either}", name=name, either=either)
