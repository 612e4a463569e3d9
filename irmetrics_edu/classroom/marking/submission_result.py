"""The result of marking a submission, as stored on disk and shown in every report."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

GRADED, PARTLY, UNREADABLE = "graded", "partly graded", "unreadable"


@dataclass(frozen=True)
class QuestionMark:
    """The marks for one question, and the feedback on it.

    `judged` is False if the machine failed, not the student; then there are no marks. `label` and
    `says` name the mistake. `text` and `told` are the feedback for the student, and `read` says
    where to read on. `answer` is the packed answer to a "value" question. `carried` are the earlier
    questions whose right answers replaced the student's in the run that earned these marks. A
    `bonus` is above the total.
    """

    name: str
    title: str
    out_of: float
    marks: float = 0.0
    judged: bool = True
    label: str = ""
    says: str = ""
    text: str = ""
    told: tuple[str, ...] = ()
    read: str = ""
    answer: Any = None
    limit: str = ""
    tampered: bool = False
    carried: tuple[str, ...] = ()
    bonus: bool = False

    @property
    def right(self) -> bool:
        """Whether all its marks were given."""
        return self.judged and self.marks == self.out_of


@dataclass(frozen=True)
class Result:
    """The result of one submission: its state, its marks, and notes for student and teacher.

    `status` is graded, partly graded (the rest is for the teacher), or unreadable: then `why`
    and `remedy` say what to do, and there are no marks, not even 0. `inputs` is a digest of all
    that the marks depend on, `file` one of what was handed in. `code` is what similarity is judged
    by.
    """

    path: str
    student: str
    exercise: str
    title: str
    status: str
    inputs: str
    tier: str = ""
    holds: str = ""
    secure: bool = False
    why: str = ""
    remedy: str = ""
    questions: tuple[QuestionMark, ...] = ()
    told: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    copy_of: str = ""
    code: tuple[int, ...] = ()
    file: str = ""

    @property
    def marks(self) -> float:
        """The marks of all questions, as computed."""
        return round(sum(q.marks for q in self.questions if q.judged), 4)

    @property
    def out_of(self) -> float:
        """The total: the marks of all questions except bonus questions."""
        return round(sum(q.out_of for q in self.questions if not q.bonus), 4)

    def as_data(self) -> dict[str, Any]:
        """The result as plain data."""
        return asdict(self)

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> "Result":
        """The result from the data of `as_data`; TypeError or KeyError for other data."""
        made = {**data, "questions": tuple(_question(q) for q in data["questions"])}
        for name in ("told", "notes", "code"):
            made[name] = tuple(made[name])
        return cls(**made)


def _question(data: Mapping[str, Any]) -> QuestionMark:
    found = {name: tuple(data.get(name, ())) for name in ("told", "carried")}
    return QuestionMark(**{**data, **found})


def differences(old: Result, new: Result) -> list[str]:
    """The changes of a second grading, in words; empty if the marks and the texts stay the same."""
    found = []
    if old.status != new.status:
        found.append(f"{old.status} -> {new.status}")
    before = {q.name: q for q in old.questions}
    for q in new.questions:
        was = before.get(q.name)
        if was is None or (was.marks, was.judged) != (q.marks, q.judged):
            found.append(f"{q.name} {_shown(was)} -> {_shown(q)}")
        elif was != q:
            found.append(f"{q.name}: other words, the same marks")
    same = {f.name for f in fields(Result)} - {"questions", "inputs", "status", "file"}
    if not found and any(getattr(old, n) != getattr(new, n) for n in same):
        found.append("other notes, the same marks")
    return found


def _shown(question: QuestionMark | None) -> str:
    return "none" if question is None or not question.judged else f"{question.marks:g}"
