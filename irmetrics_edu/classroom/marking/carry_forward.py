"""Errors carried forward: the earlier answers that a later one reads, and their right versions.

Suppose a later answer failed, and it reads an earlier answer that failed too. Then the later answer
is judged again, with the right earlier answer in place of the student's. For a function, the right
answer is the solution's code up to this function and no further. For a value, it is the value
itself. It is put into the same process as the student's code, so that code can read it. That is why
nothing from this second run is shown: no value, no message, no line. Only its marks and the name of
a mistake are used. A student gets the same marks for the later answer as with a right earlier
answer.
"""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence

from irmetrics_edu.classroom.exercises.computed_question import Inputs, Question
from irmetrics_edu.classroom.grading.outcome import Replaced
from irmetrics_edu.classroom.grading.plain_values import pack
from irmetrics_edu.classroom.marking.answer_key import Paper
from irmetrics_edu.classroom.marking.results import QuestionMark
from irmetrics_edu.classroom.marking.similarity import names_in

_DEFINED = re.compile(
    r"^[ \t]*+(?:(?:(?:async[ \t]++)?def|class)[ \t]++(\w++)|(\w++)[ \t]*+=(?!=))", re.MULTILINE
)
_INDENTED = re.compile(r"^[ \t].*", re.MULTILINE)
_IMPORT = re.compile(r"^(?:import|from)[ \t][^\n;(]*(?:\([^()]*\))?", re.MULTILINE)


def defined(cell: str) -> set[str]:
    """The names that a cell seems to define, found by its text, since parsing is not safe here."""
    return {name for pair in _DEFINED.findall(cell) for name in pair if name}


def defined_outside(cell: str) -> set[str]:
    """The names that a cell seems to define outside of functions; those inside are their own."""
    return defined(_INDENTED.sub("", cell))


def repeated(cells: Sequence[str], questions: Sequence[Question]) -> list[str]:
    """Notes to the teacher about answers that are defined in several cells."""
    notes: list[str] = []
    names = [defined_outside(cell) for cell in cells]
    for question in questions:
        places = [number for number, own in enumerate(names, 1) if question.name in own]
        if len(places) > 1:
            listed = ", ".join(map(str, places))
            notes.append(f"{question.name} is defined in cells {listed}: the last one counts")
    return notes


def reads(cells: Sequence[str], name: str) -> set[str]:
    r"""The names that a definition reads, directly or through other definitions.

    Comments and texts do not count. A cell counts as a whole.

    >>> cells = ["def a(): return 1", "def b(): return a()", "def c(): # a\n    return b()"]
    >>> sorted(reads(cells, "c") & {"a", "b"}), sorted(reads(cells, "a") & {"b", "c"})
    (['a', 'b'], [])
    """
    return _reached(cells, name)[0] - {name}


def needed(cells: Sequence[str], name: str) -> list[str]:
    """The cells that an answer needs, by the names that it reads; the imports of each other.

    >>> needed(["import math; wait()", "x = f()", "def g(): return math.pi", "y = x"], "g")
    ['import math', '', 'def g(): return math.pi', '']
    """
    places = _reached(cells, name)[1]
    return [c if i in places else "\n".join(_IMPORT.findall(c)) for i, c in enumerate(cells)]


def _reached(cells: Sequence[str], name: str) -> tuple[set[str], set[int]]:
    """The names that a definition reads, and the places of the cells that define them."""
    makers: dict[str, list[int]] = defaultdict(list)
    for place, cell in enumerate(cells):
        for made in defined(cell):
            makers[made].append(place)
    found: set[str] = set()
    seen: set[int] = set()
    waiting = [name]
    while waiting:
        for place in makers[waiting.pop()]:
            if place not in seen:
                seen.add(place)
                new = names_in(cells[place]) - found
                found |= new
                waiting += [word for word in new if word in makers]
    return found, seen


def replaced(
    cells: Sequence[str],
    paper: Paper,
    marked: Sequence[QuestionMark],
    question: Question,
    student: str,
    *,
    general: bool,
    data: Mapping[str, Inputs],
) -> list[Replaced]:
    """The right answers that replace the student's for a failed question; often none.

    `marked` are the marks of the paper's questions, in order, as the student's own answers got
    them. `data` are those of the student's copy, where others are drawn now.
    """
    place = [q.name for q in paper.questions].index(question.name)
    mark = marked[place]
    if mark.right or mark.tampered or not mark.judged:
        return []
    failed = [
        earlier
        for earlier, own in zip(paper.questions[:place], marked[:place], strict=True)
        if own.judged and not own.right and not own.tampered
    ]
    if not failed:
        return []
    read = reads(cells, question.name)
    found = []
    for earlier in failed:
        # A package that only the earlier question allows would help the later one.
        value = earlier.kind == "value"
        if earlier.name in read and (value or set(earlier.packages) <= set(question.packages)):
            places = _places(cells, earlier, question)
            if value:
                own = data.get(earlier.name)
                inputs = paper.trial(earlier, student, general=general, own=own).general[0]
                right = pack(earlier.right(inputs))
                found.append(Replaced(earlier.name, places, value=right))
            else:
                found.append(Replaced(earlier.name, places, paper.solutions[earlier.name]))
    return found


def _places(cells: Sequence[str], earlier: Question, question: Question) -> tuple[int, ...]:
    """The cells after which the right answer is put: those that define it, else before the later.

    Cells count from 1; 0 is before all of them.
    """
    own = [number for number, cell in enumerate(cells, 1) if earlier.name in defined(cell)]
    if own:
        return tuple(own)
    later = (number for number, cell in enumerate(cells) if question.name in defined(cell))
    return (next(later, len(cells)),)


def told(names: Sequence[str], marks: float, out_of: float) -> str:
    """The feedback on an answer that was judged again and earned more."""
    shown = " and ".join(f"`{name}`" for name in names)
    what = "right" if marks == out_of else f"{marks:g} of {out_of:g} marks"
    return f"Judged with the right {shown} in place of your own: {what}."
