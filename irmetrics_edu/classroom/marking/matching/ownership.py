"""The owner of a submission, its exercise, and the copy whose inputs decide its marks.

The folder or file name says who the student is; if it names nobody, the fingerprint of the copy.
Marks are computed with the inputs of the student's own copy, so it does not help to hand in another
student's, and the teacher gets a note. A group may use the copy of any member.

A class may have own and general copies. A notebook shows which it is by the student's fingerprint
(which anybody can paste), or else by its data. If it has neither, it counts as most others do.
"""

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum

from irmetrics_edu.classroom.exercises.source import with_data
from irmetrics_edu.classroom.exercises.variants import GENERAL, Variant
from irmetrics_edu.classroom.marking.collecting.notebook import Notebook
from irmetrics_edu.classroom.marking.collecting.owner_names import (
    Person,
    languages_of,
    members,
)
from irmetrics_edu.classroom.marking.collecting.submissions import Submission
from irmetrics_edu.classroom.marking.matching.added_cells import answered
from irmetrics_edu.classroom.marking.matching.answer_key import AnswerKey
from irmetrics_edu.classroom.marking.matching.copy_data import data_of, language_in
from irmetrics_edu.classroom.marking.matching.ready import ReadySubmission
from irmetrics_edu.classroom.marking.matching.strays import main_and_strays, not_this_exercise
from irmetrics_edu.classroom.marking.results import ELSEWHERE, UNREADABLE, Result
from irmetrics_edu.views.language import worded

UNKNOWN = worded("it is not known which exercise this is")


@dataclass(frozen=True)
class HandIn:
    """A submission with its task: a ready to mark under an exercise, or a finished result.

    `notes` are for the teacher. They depend on other submissions, but no mark depends on them.
    `owner` belongs to the fingerprint, and `whose` to the copy that it is marked as. A `stray` is
    of an exercise that nearly nobody else handed in.
    """

    submission: Submission
    number: str
    student: str
    ready: ReadySubmission | None = None
    result: Result | None = None
    notes: tuple[str, ...] = ()
    owner: str = ""
    whose: str = ""
    stray: bool = False

    @property
    def inputs(self) -> str:
        """The digest of everything that the marks depend on."""
        if self.ready:
            return self.ready.inputs
        if self.result:
            return self.result.inputs
        return ""


class CopyKind(Enum):
    """What kind of copy a notebook is, as far as it shows it."""

    OWN = "own"
    GENERAL = "general"
    NOBODYS = "nobody's"
    UNCLEAR = ""


@dataclass(frozen=True)
class CopyKinds:
    """The kind of copy that a notebook is marked as, and what most of its exercise are."""

    kind: CopyKind
    common: CopyKind


@dataclass
class Copies:
    """The kind of copy of each notebook, as it shows it; `own`: all are the students' own."""

    answer_keys: Mapping[str, AnswerKey]
    key: bytes
    own: bool = False
    _data: dict[tuple[str, str], list[str]] = field(default_factory=dict)

    def whose(
        self,
        book: Notebook,
        number: str,
        student: str,
        owner: str,
        others: Sequence[str],
    ) -> str:
        """The owner of a notebook's copy among several possible owners.

        It may be a group or one of its members, and anybody under anonymous marking.
        """
        if owner in others:
            return owner
        if owner:
            return student
        text = _squeezed(book)
        for other in others:
            if any(own_data in text for own_data, _ in self._differing(number, other)):
                return other
        return student

    def kinds(self, hand_ins: Sequence[HandIn]) -> list[CopyKinds]:
        """Own or general for each hand-in, and what most notebooks of the same exercise are."""
        if self.own:
            return [CopyKinds(CopyKind.OWN, CopyKind.OWN)] * len(hand_ins)
        shown = []
        counted: dict[str, Counter[CopyKind]] = {}
        for hand_in in hand_ins:
            book = hand_in.submission.notebook
            kind = self.shown(book, hand_in.number, hand_in.whose, hand_in.owner)
            shown.append(kind)
            counted.setdefault(hand_in.number, Counter())[kind] += 1
        kinds = []
        for hand_in, kind in zip(hand_ins, shown, strict=True):
            count = counted[hand_in.number]
            most_own = count[CopyKind.OWN] > count[CopyKind.GENERAL]
            common = CopyKind.OWN if most_own else CopyKind.GENERAL
            kinds.append(CopyKinds(common if kind is CopyKind.UNCLEAR else kind, common))
        return kinds

    def shown(
        self,
        book: Notebook | None,
        number: str,
        student: str,
        owner: str = "",
    ) -> CopyKind:
        """The kind of copy that a notebook shows by itself."""
        if book is None or not number:
            return CopyKind.UNCLEAR
        if book.fingerprint and book.fingerprint == Variant(student, self.key).fingerprint:
            return CopyKind.OWN
        text = _squeezed(book)
        differing = self._differing(number, student)
        if any(own_data in text for own_data, _ in differing):
            return CopyKind.OWN
        if any(general in text for _, general in differing):
            return CopyKind.GENERAL
        # Another's own copy, with another's data: it was no general copy that was handed in.
        if owner:
            return CopyKind.OWN
        if book.fingerprint and differing:
            return CopyKind.NOBODYS
        return CopyKind.UNCLEAR

    def _differing(self, number: str, student: str) -> list[tuple[str, str]]:
        """The data of a student's own copy and of the general one, where they are not the same."""
        own_data = self._data_of(number, student)
        general = self._data_of(number, "")
        return [pair for pair in zip(own_data, general, strict=True) if pair[0] != pair[1]]

    def _data_of(self, number: str, student: str) -> list[str]:
        """The data of a copy, as its cells hold it, without spaces."""
        at = number, student
        if at not in self._data:
            source = self.answer_keys[number].source
            variant = Variant(student, self.key) if student else GENERAL
            code = [cell.text for cell in source.cells if not cell.markdown]
            cells = [text for text in code if "spec.given(" in text]
            inputs = {}
            for question in source.exercise.questions:
                if any(f'"{question.name}"' in text for text in cells):
                    inputs[question.name] = variant.trial(number, question).general[0]
            written = [with_data(text, inputs) for text in cells]
            self._data[at] = ["".join(text.split()) for text in written]
        return self._data[at]


def _squeezed(book: Notebook) -> str:
    """The code of a notebook without spaces."""
    return "".join("".join(book.cells).split())


def notes_on(
    book: Notebook,
    owner: str,
    student: str,
    kind: CopyKind,
) -> tuple[str, ...]:
    """Notes to the teacher about a notebook's fingerprint."""
    if owner and owner != student:
        by = "as a general copy" if kind is CopyKind.GENERAL else f"by the inputs of {student}"
        return (f"the notebook carries the fingerprint of {owner}; it was marked {by}",)
    if book.fingerprint and not owner:
        nobody = "the fingerprint is nobody's under this key; are all students on the roster?"
        return (nobody + (" It was marked as a general copy" if kind is CopyKind.GENERAL else ""),)
    return ()


def aside(kind: CopyKind, common: CopyKind) -> tuple[str, ...]:
    """Notes to the teacher about a general copy in a class with own copies."""
    if kind is CopyKind.GENERAL and common is CopyKind.OWN:
        note = "it was marked as a general copy, whose numbers everybody has; most others have"
        return (f"{note} copies of their own (--own-copies marks all by their own)",)
    return ()


def exercise_of(submission: Submission, answer_keys: Mapping[str, AnswerKey]) -> str:
    """The number of the exercise: by the notebook, by its name, by its cells; "" for none."""
    book = submission.notebook
    if book and book.exercise in answer_keys:
        return book.exercise
    name = submission.path.rpartition("/")[2]
    for text in (name, submission.assignment):
        for number, answer_key in answer_keys.items():
            if answer_key.source.stem in text or text.startswith(f"{number}_"):
                return number
    if book:
        for number, answer_key in answer_keys.items():
            source = answer_key.source
            ids = {source.id_of(question.name) for question in source.exercise.questions}
            if ids & set(book.ids):
                return number
    return ""


def sort_out(
    submissions: Sequence[Submission],
    answer_keys: Mapping[str, AnswerKey],
    key: bytes,
    people: Sequence[Person] = (),
    forced: str = "",
    *,
    own_copies: bool = False,
) -> list[HandIn]:
    """The task for each submission; each notebook is taken for the copy that it shows.

    With `own_copies` each is marked by the inputs of the student's own copy.
    """
    sorting = _Sorting(submissions, people, key)
    numbers = _numbers(submissions, answer_keys, forced)
    hand_ins = sorting.hand_ins(numbers, forced)
    hand_ins = with_strays(hand_ins, answer_keys, forced)
    copies = Copies(answer_keys, key, own_copies)
    hand_ins = [replace(one, whose=_whose(one, copies, people)) for one in hand_ins]
    languages = languages_of(people)
    ready = []
    for hand_in, kinds in zip(hand_ins, copies.kinds(hand_ins), strict=True):
        ready.append(_ready(hand_in, kinds, answer_keys, sorting.everybody, languages))
    return _of_one_copy(ready)


def with_strays(
    hand_ins: Sequence[HandIn], answer_keys: Mapping[str, AnswerKey], forced: str
) -> list[HandIn]:
    """The hand-ins; one of another exercise than the others is marked as a stray.

    A platform's download is of one assignment: there, and where an exercise was named for all, a
    notebook of another one has no marks, and the student is told which it is.
    """
    main, strays = main_and_strays((one.student, one.number) for one in hand_ins)
    told = []
    for hand_in in hand_ins:
        submission = hand_in.submission
        asked = forced or (main if submission.who.platform else "")
        of_other = not_this_exercise(submission.notebook, asked, answer_keys)
        if of_other and (forced or hand_in.number in strays):
            result = _of_another(hand_in, asked, of_other, answer_keys)
            told.append(replace(hand_in, number=asked, result=result, notes=()))
        else:
            told.append(replace(hand_in, stray=hand_in.number in strays))
    return told


def _of_another(
    hand_in: HandIn, asked: str, number: str, answer_keys: Mapping[str, AnswerKey]
) -> Result:
    """The result of a notebook of another exercise than the one that was asked for."""
    title = answer_keys[asked].source.exercise.title
    why = worded(
        "this is notebook {number}, and exercise {asked} was to be handed in",
        number=number,
        asked=asked,
    )
    stem = answer_keys[asked].source.stem
    remedy = worded("Hand in {file} ({title}).", file=f"{stem}.ipynb", title=worded(title))
    submission = replace(hand_in.submission, why=why, remedy=remedy)
    result = _not_marked(submission, asked, hand_in.student, answer_keys)
    return replace(result, status=ELSEWHERE)


def _numbers(
    submissions: Sequence[Submission], answer_keys: Mapping[str, AnswerKey], forced: str
) -> list[str]:
    """The exercise of each submission; "" where it is not known."""
    numbers = [forced or exercise_of(one, answer_keys) for one in submissions]
    whose = [one.who.student or one.path for one in submissions]
    main, strays = main_and_strays(zip(whose, numbers, strict=True))
    alone = set(numbers) <= {"", main}
    nearly_alone = set(numbers) <= {"", main, *strays}
    settled = []
    for number, submission in zip(numbers, submissions, strict=True):
        # What can't be read is of the one exercise that all others are of. In a platform's download
        # it is so, too, if nearly all are.
        is_main = alone or (nearly_alone and bool(submission.who.platform))
        is_open = not number and not submission.notebook
        settled.append(main if is_open and is_main else number)
    return settled


class _Sorting:
    """Whose each submission is: by its name, by the roster, and by the copy's fingerprint."""

    def __init__(
        self,
        submissions: Sequence[Submission],
        people: Sequence[Person],
        key: bytes,
    ) -> None:
        self.submissions = submissions
        self.people = people
        self.named = {one.who.student for one in submissions} - {""}
        self.listed: set[str] = set()
        for person in people:
            self.listed |= {person.student, person.group} - {""}
        self.everybody = sorted(self.named | self.listed)
        self.owners = {Variant(name, key).fingerprint: name for name in self.everybody}

    def hand_ins(self, numbers: Sequence[str], forced: str) -> list[HandIn]:
        """Each submission with its student and the owner of its copy."""
        owners = [self._owner(submission) for submission in self.submissions]
        claims = self._claims(owners, numbers)
        hand_ins = []
        for submission, number, owner in zip(
            self.submissions,
            numbers,
            owners,
            strict=True,
        ):
            settled = _settled(submission, owner, self.listed)
            taken = set(self.named)
            if claims[owner, number] > 1:
                taken.add(owner)
            student, notes = _student(settled, owner, taken, self.people)
            number_in_notebook = settled.notebook.exercise if settled.notebook else ""
            if forced and number_in_notebook not in {"", forced}:
                notes = (
                    *notes,
                    f"the notebook is of exercise {number_in_notebook}, and was marked as {forced}",
                )
            hand_ins.append(
                HandIn(
                    settled,
                    number,
                    student,
                    notes=notes,
                    owner=owner,
                )
            )
        return hand_ins

    def _owner(self, submission: Submission) -> str:
        """Whose copy a notebook is by its fingerprint; "" if it is nobody's."""
        book = submission.notebook
        return self.owners.get(book.fingerprint, "") if book else ""

    def _claims(self, owners: Sequence[str], numbers: Sequence[str]) -> Counter[tuple[str, str]]:
        """How many names hand in the copy of one owner for one exercise.

        Of two files of other names, one may be another's, handed in with the other's copy. Two
        that are called after the exercise alone are attempts.
        """
        claiming = set()
        for owner, number, submission in zip(
            owners,
            numbers,
            self.submissions,
            strict=True,
        ):
            if not submission.who.sure:
                claiming.add((owner, number, submission.who.student))
        return Counter((owner, number) for owner, number, _ in claiming)


def _settled(submission: Submission, owner: str, listed: set[str]) -> Submission:
    """A submission in a folder that is nobody's: the copy says whose it is, or it is not read."""
    if submission.notebook is None or not submission.why:
        return submission
    if owner in listed:
        return replace(submission, why="", remedy="")
    return replace(submission, notebook=None)


def _of_one_copy(hand_ins: Sequence[HandIn]) -> list[HandIn]:
    """The submissions; anonymous ones name the others with the same copy."""
    same: dict[tuple[str, str], set[str]] = {}
    for hand_in in hand_ins:
        ready = hand_in.ready
        if hand_in.submission.who.anonymous and ready and ready.whose != hand_in.student:
            students = same.setdefault((hand_in.number, ready.whose), set())
            students.add(hand_in.student)
    noted = []
    for hand_in in hand_ins:
        copy = hand_in.ready.whose if hand_in.ready else ""
        others = sorted(same.get((hand_in.number, copy), set()) - {hand_in.student})
        notes = hand_in.notes
        if others:
            notes = (*notes, f"it was made of the same copy as that of {', '.join(others)}")
        noted.append(replace(hand_in, notes=notes))
    return noted


def _whose(hand_in: HandIn, carried: Copies, people: Sequence[Person]) -> str:
    """The possible owners of a copy: the student, a member of the group, or anybody."""
    book = hand_in.submission.notebook
    student = hand_in.student
    if _by_copy_alone(hand_in, people):
        return hand_in.owner
    if hand_in.submission.who.anonymous:
        others = [p.student for p in people if not p.blind]
    else:
        others = members(people).get(student, [])
    if book is None or not hand_in.number or not others:
        return student
    return carried.whose(
        book,
        hand_in.number,
        student,
        hand_in.owner,
        others,
    )


def _by_copy_alone(hand_in: HandIn, people: Sequence[Person]) -> bool:
    """Whether only the copy tells whose it is: by other numbers than its own it had no marks."""
    if not people or not hand_in.owner or hand_in.submission.who.anonymous:
        return False
    return hand_in.student not in {name for p in people for name in (p.student, p.group)}


def _ready(
    hand_in: HandIn,
    kinds: CopyKinds,
    answer_keys: Mapping[str, AnswerKey],
    names: Sequence[str],
    languages: Mapping[str, str],
) -> HandIn:
    """The submission with what there is to mark, or with its result if nothing can be.

    `names` are all who may have a copy. `languages` are those of the roster.
    """
    submission = hand_in.submission
    number = hand_in.number
    student = hand_in.student
    book = submission.notebook
    kind = kinds.kind
    if book is None or not number or hand_in.result:
        result = hand_in.result or _not_marked(submission, number, student, answer_keys)
        language = _language(submission) or languages.get(student, "")
        return replace(hand_in, result=replace(result, language=language), notes=())
    about_copy = notes_on(book, hand_in.owner, hand_in.whose, kind)
    notes = (*hand_in.notes, *submission.notes, *about_copy)
    answer_key = answer_keys[number]
    book, looked = answered(answer_key.source, book)
    words = [
        answer_key.digest,
        submission.digest,
        student,
        kind.value,
        *notes,
        *looked.values(),
    ]
    if hand_in.whose != student:
        words.append(hand_in.whose)
    language = languages.get(student, "")
    if language and language_in(book.cells) is None:
        words.append(language)
    ready = ReadySubmission(
        path=submission.path,
        student=student,
        inputs=hashlib.sha256("\0".join(words).encode()).hexdigest(),
        cells=book.cells,
        general=kind is CopyKind.GENERAL,
        nobodys=kind is CopyKind.NOBODYS,
        notes=notes,
        file=submission.digest,
        whose=hand_in.whose,
        runs=book.runs,
        listed_language=language,
        elsewhere=looked,
        data=data_of(
            book.cells,
            answer_key,
            hand_in.whose,
            hand_in.owner,
            names,
        ),
    )
    return replace(hand_in, ready=ready, notes=aside(kind, kinds.common))


def _language(submission: Submission) -> str:
    """The language that the copy tells, be it readable or not; "" if it tells none."""
    if submission.notebook is None:
        return submission.language
    return language_in(submission.notebook.cells) or ""


def _not_marked(
    submission: Submission,
    number: str,
    student: str,
    answer_keys: Mapping[str, AnswerKey],
) -> Result:
    """The result of an unreadable submission: no marks, and what to do."""
    why, remedy = submission.why, submission.remedy
    if not why:
        why = UNKNOWN
        stems = ", ".join(answer_key.source.stem for answer_key in answer_keys.values())
        remedy = worded(
            "Name the file after its exercise ({files}), or grade it with --exercise.", files=stems
        )
    words = "\0".join([submission.digest, why, remedy, student])
    return Result(
        path=submission.path,
        student=student,
        exercise=number,
        title=answer_keys[number].source.exercise.title if number else "",
        status=UNREADABLE,
        inputs=hashlib.sha256(words.encode()).hexdigest(),
        why=why,
        remedy=remedy,
        file=submission.digest,
    )


def _units(people: Sequence[Person]) -> dict[str, str]:
    """Who hands in for each student and each group: the group, or else the student."""
    units = {person.student: person.unit for person in people}
    for person in people:
        if person.group:
            units[person.group] = person.group
    return units


def _student(
    submission: Submission,
    owner: str,
    named: set[str],
    people: Sequence[Person],
) -> tuple[str, tuple[str, ...]]:
    """The student, and a note if the file's name says something else."""
    name = submission.who.student
    units = _units(people)
    listed = set(units.values())
    owner = units.get(owner, owner)
    if submission.who.anonymous or name in listed:
        return name, ()
    sure = submission.who.sure
    if not sure and owner not in named and _is_meant(owner, name, listed):
        says = "names nobody on the roster" if listed else f"says {name or 'nothing'}"
        return owner, (f"the file's name {says}; the copy is {owner}'s",)
    if listed:
        return name or submission.path, ("nobody on the roster is named by the file",)
    return name or owner or submission.path, ()


def _is_meant(owner: str, name: str, listed: set[str]) -> bool:
    """Whether the owner of a copy can be the student, whatever the file's name says."""
    return owner in listed if listed else owner not in {"", name}
