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

from irmetrics_edu.classroom.exercises.source import with_data
from irmetrics_edu.classroom.exercises.variants import GENERAL, Variant
from irmetrics_edu.classroom.marking.collecting.notebook import Notebook
from irmetrics_edu.classroom.marking.collecting.owner_names import Person, members
from irmetrics_edu.classroom.marking.collecting.submissions import Submission
from irmetrics_edu.classroom.marking.matching.added_cells import answered
from irmetrics_edu.classroom.marking.matching.answer_key import AnswerKey
from irmetrics_edu.classroom.marking.matching.copy_data import data_of
from irmetrics_edu.classroom.marking.matching.ready import ReadySubmission
from irmetrics_edu.classroom.marking.results import UNREADABLE, Result

OWN = "own"
GENERAL_COPY = "general"
NOBODYS = "nobody's"
UNCLEAR = ""
UNKNOWN = "it is not known which exercise this is"


@dataclass(frozen=True)
class HandIn:
    """A submission with its task: a ready to mark under an exercise, or a finished result.

    `notes` are for the teacher. They depend on other submissions, but no mark depends on them.
    `owner` belongs to the fingerprint, and `whose` to the copy that it is marked as.
    """

    submission: Submission
    number: str
    student: str
    ready: ReadySubmission | None = None
    result: Result | None = None
    notes: tuple[str, ...] = ()
    owner: str = ""
    whose: str = ""

    @property
    def inputs(self) -> str:
        """The digest of everything that the marks depend on."""
        if self.ready:
            return self.ready.inputs
        if self.result:
            return self.result.inputs
        return ""


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
        text = "".join("".join(book.cells).split())
        general = self._data_of(number, "")
        for other in () if owner else others:
            own = self._data_of(number, other)
            if any(a != b and a in text for a, b in zip(own, general, strict=True)):
                return other
        return student

    def kinds(
        self, hand_ins: Sequence[tuple[Notebook | None, str, str, str]]
    ) -> tuple[list[str], list[str]]:
        """Own or general for each of (notebook, exercise, student, owner of the fingerprint).

        And what most notebooks of the same exercise are.
        """
        if self.own:
            return [OWN] * len(hand_ins), [OWN] * len(hand_ins)
        shown = [self._shown(*hand_in) for hand_in in hand_ins]
        most: dict[str, str] = {}
        for number in {number for _, number, _, _ in hand_ins}:
            own = [s for s, (_, n, _, _) in zip(shown, hand_ins, strict=True) if n == number]
            most[number] = OWN if own.count(OWN) > own.count(GENERAL_COPY) else GENERAL_COPY
        common = [most[number] for _, number, _, _ in hand_ins]
        return [s or c for s, c in zip(shown, common, strict=True)], common

    def _shown(self, book: Notebook | None, number: str, student: str, owner: str = "") -> str:
        """The kind of copy that a notebook shows by itself."""
        if book is None or not number:
            return UNCLEAR
        if book.fingerprint and book.fingerprint == Variant(student, self.key).fingerprint:
            return OWN
        text = "".join("".join(book.cells).split())
        own = self._data_of(number, student)
        general = self._data_of(number, "")
        differing = [(a, b) for a, b in zip(own, general, strict=True) if a != b]
        if any(a in text for a, _ in differing):
            return OWN
        if any(b in text for _, b in differing):
            return GENERAL_COPY
        # Another's own copy, with another's data: it was no general copy that was handed in.
        if owner:
            return OWN
        if book.fingerprint and differing:
            return NOBODYS
        return UNCLEAR

    def _data_of(self, number: str, student: str) -> list[str]:
        """The data of a copy, as its cells hold it, without spaces."""
        at = number, student
        if at not in self._data:
            source = self.answer_keys[number].source
            variant = Variant(student, self.key) if student else GENERAL
            cells = [c.text for c in source.cells if not c.markdown and "spec.given(" in c.text]
            inputs = {
                q.name: variant.trial(number, q).general[0]
                for q in source.exercise.questions
                if any(f'"{q.name}"' in text for text in cells)
            }
            self._data[at] = ["".join(with_data(text, inputs).split()) for text in cells]
        return self._data[at]


def notes_on(book: Notebook, owner: str, student: str, kind: str) -> tuple[str, ...]:
    """Notes to the teacher about a notebook's fingerprint."""
    if owner and owner != student:
        by = "as a general copy" if kind == GENERAL_COPY else f"by the inputs of {student}"
        return (f"the notebook carries the fingerprint of {owner}; it was marked {by}",)
    if book.fingerprint and not owner:
        nobody = "the fingerprint is nobody's under this key; are all students on the roster?"
        return (nobody + (" It was marked as a general copy" if kind == GENERAL_COPY else ""),)
    return ()


def aside(kind: str, common: str) -> tuple[str, ...]:
    """Notes to the teacher about a general copy in a class with own copies."""
    if kind == GENERAL_COPY and common == OWN:
        said = "it was marked as a general copy, whose numbers everybody has; most others have"
        return (f"{said} copies of their own (--own-copies marks all by their own)",)
    return ()


def exercise_of(submission: Submission, answer_keys: Mapping[str, AnswerKey]) -> str:
    """The number of the exercise: by the notebook, by its name, by its cells; "" for none."""
    book = submission.notebook
    sources = {n: answer_key.source for n, answer_key in answer_keys.items()}
    if book and book.exercise in sources:
        return book.exercise
    name = submission.path.rpartition("/")[2]
    for text in (name, submission.assignment):
        for number, source in sources.items():
            if source.stem in text or text.startswith(f"{number}_"):
                return number
    ids = set(book.ids) if book else set()
    for number, source in sources.items():
        if ids & {source.id_of(q.name) for q in source.exercise.questions}:
            return number
    return ""


def sort_out(
    handed_in: Sequence[Submission],
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
    named = {s.who.student for s in handed_in} - {""}
    listed = {name for p in people for name in (p.student, p.group)} - {""}
    owners = {Variant(name, key).fingerprint: name for name in sorted(named | listed)}
    numbers = [forced or exercise_of(submission, answer_keys) for submission in handed_in]
    if len(known := {*numbers} - {""}) == 1:
        # What can't be read is of the one exercise that all others are of.
        one = min(known)
        numbers = [n if n or s.notebook else one for n, s in zip(numbers, handed_in, strict=True)]
    whose_copy = [owners.get(s.notebook.fingerprint, "") if s.notebook else "" for s in handed_in]
    # Of two files of other names, one may be another's, handed in with the other's copy. Two that
    # are called after the exercise alone are attempts.
    names = zip(whose_copy, numbers, handed_in, strict=True)
    claims = Counter(
        one[:2] for one in {(o, n, s.who.student) for o, n, s in names if not s.who.sure}
    )
    hand_ins = []
    handed_in = [
        _settled(submission, owner, listed)
        for submission, owner in zip(handed_in, whose_copy, strict=True)
    ]
    for submission, number, owner in zip(handed_in, numbers, whose_copy, strict=True):
        taken = named | ({owner} if claims[owner, number] > 1 else set())
        student, notes = _student(submission, owner, taken, people)
        own = submission.notebook.exercise if submission.notebook else ""
        if forced and own not in {"", forced}:
            notes = (*notes, f"the notebook is of exercise {own}, and was marked as {forced}")
        hand_ins.append(HandIn(submission, number, student, notes=notes, owner=owner))
    carried = Copies(answer_keys, key, own_copies)
    hand_ins = [replace(w, whose=_whose(w, carried, people)) for w in hand_ins]
    books = [(w.submission.notebook, w.number, w.whose, w.owner) for w in hand_ins]
    everybody = sorted(named | listed)
    hand_ins = [
        _ready(hand_in, kind, common, answer_keys, everybody)
        for hand_in, kind, common in zip(hand_ins, *carried.kinds(books), strict=True)
    ]
    return _of_one_copy(hand_ins)


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
        if (
            hand_in.submission.who.anonymous
            and hand_in.ready
            and hand_in.ready.whose != hand_in.student
        ):
            same.setdefault((hand_in.number, hand_in.ready.whose), set()).add(hand_in.student)
    found = []
    for hand_in in hand_ins:
        copy = hand_in.ready.whose if hand_in.ready else ""
        others = sorted(same.get((hand_in.number, copy), set()) - {hand_in.student})
        notes = hand_in.notes
        if others:
            notes = (*notes, f"it was made of the same copy as that of {', '.join(others)}")
        found.append(replace(hand_in, notes=notes))
    return found


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
    return carried.whose(book, hand_in.number, student, hand_in.owner, others)


def _by_copy_alone(hand_in: HandIn, people: Sequence[Person]) -> bool:
    """Whether only the copy tells whose it is: by other numbers than its own it had no marks."""
    if not people or not hand_in.owner or hand_in.submission.who.anonymous:
        return False
    return hand_in.student not in {name for p in people for name in (p.student, p.group)}


def _ready(
    hand_in: HandIn,
    kind: str,
    common: str,
    answer_keys: Mapping[str, AnswerKey],
    names: Sequence[str],
) -> HandIn:
    """The submission with what there is to mark, or with its result if nothing can be.

    `names` are all who may have a copy.
    """
    submission = hand_in.submission
    number = hand_in.number
    owner = hand_in.owner
    student = hand_in.student
    book = submission.notebook
    if book is None or not number:
        return replace(
            hand_in, result=_not_marked(submission, number, student, answer_keys), notes=()
        )
    notes = (*hand_in.notes, *submission.notes, *notes_on(book, owner, hand_in.whose, kind))
    book, looked = answered(answer_keys[number].source, book)
    words = [answer_keys[number].digest, submission.digest, student, kind, *notes, *looked.values()]
    words += [hand_in.whose] if hand_in.whose != student else []
    ready = ReadySubmission(
        path=submission.path,
        student=student,
        inputs=hashlib.sha256("\0".join(words).encode()).hexdigest(),
        cells=book.cells,
        general=kind == GENERAL_COPY,
        nobodys=kind == NOBODYS,
        notes=notes,
        file=submission.digest,
        whose=hand_in.whose,
        runs=book.runs,
        elsewhere=looked,
        data=data_of(book.cells, answer_keys[number], hand_in.whose, owner, names),
    )
    return replace(hand_in, ready=ready, notes=aside(kind, common))


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
        known = ", ".join(answer_key.source.stem for answer_key in answer_keys.values())
        remedy = f"Name the file after its exercise ({known}), or grade it with --exercise."
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


def _student(
    submission: Submission,
    owner: str,
    named: set[str],
    people: Sequence[Person],
) -> tuple[str, tuple[str, ...]]:
    """The student, and a note if the file's name says something else."""
    name = submission.who.student
    units = {p.student: p.unit for p in people} | {p.group: p.group for p in people if p.group}
    listed, owner = set(units.values()), units.get(owner, owner)
    if submission.who.anonymous or (listed and name in listed):
        return name, ()
    meant = owner in listed if listed else bool(owner) and owner != name
    if meant and not submission.who.sure and owner not in named:
        says = "names nobody on the roster" if listed else f"says {name or 'nothing'}"
        return owner, (f"the file's name {says}; the copy is {owner}'s",)
    nobody = ("nobody on the roster is named by the file",) if listed else ()
    return name or ("" if listed else owner) or submission.path, nobody
