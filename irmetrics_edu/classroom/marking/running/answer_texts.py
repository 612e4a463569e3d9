"""What a student and a teacher are told of how an answer came about: every sentence of marking.

The rest of marking knows reasons, which are values; here they become words.
"""

import platform
import re
import sys
from collections.abc import Iterable, Sequence

from irmetrics_edu.classroom.exercises.computed_question import Question
from irmetrics_edu.classroom.grading.outcome import Answer, NoValue, Raised, RunOutcome
from irmetrics_edu.classroom.marking.collecting.notebook import clean
from irmetrics_edu.classroom.marking.matching.code_tokens import LONGEST
from irmetrics_edu.views.language import noted, said

PYTHON = f"Python {platform.python_version()}"
NONE = noted("There is no answer yet.")
NOBODYS = noted("Your copy is of nobody in the class, so your teacher looks at your values.")
OTHER_DATA = noted(
    "The data in your copy are not those that the exercise has now, so your teacher looks at this."
)
UNFINISHED = noted(
    "Your code still has the line `...` or `raise NotImplementedError`: delete that line."
)
TAMPERED = noted("The code interfered with the grader: no answer counts.")
AS_RUN = noted(
    "It was marked in the order in which the cells were run, which is not that of the notebook."
)
NO_PLAIN_DATA = noted("it gives no plain data")
OWN_ERROR = noted("an error of its own")
IMPORTS = {"ModuleNotFoundError", "ImportError"}
# Modules of the standard library that came after the oldest Python that can grade.
LATER_MODULES = {"annotationlib", "compression"}


def as_checked(cell: int) -> str:
    """What is said where the answer counts as `check` got it."""
    return said(
        "It was marked as `check` got it in cell {cell}: what stands below uses a name again, or "
        "changes what the answer needs.",
        cell=cell,
    )


def not_graded(error: Exception) -> str:
    """What is said where the machine failed."""
    return said(
        "It could not be graded here, which is not your fault: {error}.", error=clean(error, 300)
    )


def missing(name: str) -> str:
    """What is said where nothing has the answer's name."""
    return said(
        "There is nothing called {name} after the notebook has run. Check whether its cell was "
        "deleted, its name was changed, or its cell stops with an error.",
        name=name,
    )


def stopped_beside(outcome: RunOutcome) -> str:
    """What is said where a cell beside the answer ended the notebook."""
    return said(
        "A code cell beside the answer stops the notebook: {why}. The cells that the answer needs "
        "were marked.",
        why=clean(said(outcome.ended)).rstrip("."),
    )


def no_value(answer: Answer) -> str:
    """Why a call gave no value that can be compared."""
    why = clean(said(answer.why), 300).rstrip(".")
    if answer.lack is NoValue.TOO_BIG:
        return said("It gives far more than it should: {why}.", why=why)
    return said("There is no value: {why}.", why=why)


def raises(error: Raised, question: Question, absent: Iterable[Raised]) -> str:
    """What is said of a call that raises."""
    return said("It raises {what}", what=error_in_words(error, question, absent))


def error_in_words(error: Raised, question: Question, absent: Iterable[Raised] = ()) -> str:
    """An error as the student sees it, with a remedy if there is one.

    `absent` are the imports that failed before.
    """
    message = clean(error.message, 300).rstrip(".")
    kind = said(OWN_ERROR) if error.type == OWN_ERROR else clean(error.type, 100)
    sentences = [f"{kind}: {message}." if message else f"{kind}."]
    if error.line:
        sentences.append(_place(error))
    if may_be_of_a_later_python(error):
        sentences.append(
            said(
                "It was graded by {python}, which lacks what came with later versions.",
                python=PYTHON,
            )
        )
    elif is_for_want_of_a_package(error, absent):
        sentences.append(_only(question))
    return " ".join(sentences)


def _place(error: Raised) -> str:
    """Where an error comes from."""
    if not error.text:
        return said(
            "It comes from cell {cell} (text cells count, too), line {line}.",
            cell=error.cell,
            line=error.line,
        )
    return said(
        "It comes from cell {cell} (text cells count, too), line {line}: {text}.",
        cell=error.cell,
        line=error.line,
        text=clean(error.text, 120),
    )


def _only(question: Question) -> str:
    """What can be imported where it is graded."""
    *most, last = [said("the standard library"), *question.packages]
    packages = last
    if most:
        packages = said("{some} and {last}", some=", ".join(most), last=last)
    return said("The grader has only {packages}: write this part yourself.", packages=packages)


def may_be_of_a_later_python(error: Raised) -> bool:
    """Whether the grammar or the standard library lacks something that a later one may have."""
    if error.type == "SyntaxError":
        return True
    module = error.name.partition(".")[0]
    of_modules = error.type == "AttributeError" or error.type in IMPORTS
    return of_modules and (module in sys.stdlib_module_names or module in LATER_MODULES)


def is_for_want_of_a_package(error: Raised, absent: Iterable[Raised]) -> bool:
    """Whether an import failed, or a name is unknown because its import did."""
    return error.type in IMPORTS or _for_want_of(error, absent)


def _for_want_of(error: Raised, absent: Iterable[Raised]) -> bool:
    """Whether a name is unknown because its import failed."""
    if error.type != "NameError" or not error.name:
        return False
    called = re.compile(rf"\b{re.escape(error.name)}\b")
    return any(called.search(failed.text) for failed in absent)


def stopped(error: Raised) -> str:
    """A note to the teacher about an answer whose cell stopped with an error."""
    message = clean(error.message, 200).rstrip(".")
    what = f"{clean(error.type, 100)}: {message}" if message else clean(error.type, 100)
    return f"cell {error.cell}, line {error.line} stopped with {what} ({PYTHON})"


def defined_again(name: str, cells: Sequence[int]) -> str:
    """A note to the teacher about an answer that is defined in several cells."""
    return f"{name} is defined in cells {', '.join(map(str, cells))}: the last one counts"


def import_failed(error: Raised) -> str:
    """A note to the teacher about an import that failed."""
    what = clean(error.message, 200).rstrip(".")
    version = f" ({PYTHON})" if may_be_of_a_later_python(error) else ""
    return f"cell {error.cell}, line {error.line}: {what}{version}; the rest of the cell was run"


def refused(errors: Sequence[Raised]) -> list[str]:
    """Notes to the teacher on what the sandbox refused."""
    places = {f"cell {one.cell}, line {one.line}" for one in errors if one.type == NOT_PERMITTED}
    return [f"{where}: the sandbox refused what the code asked for" for where in sorted(places)]


NOT_PERMITTED = "PermissionError"
STARTED = "the code started other processes or threads"
ABOVE = "code above the line that was handed out"


def long_code(cells: Sequence[str]) -> list[str]:
    """A note to the teacher if only a part of the code was compared."""
    if sum(map(len, cells)) <= LONGEST:
        return []
    return [f"similar code was looked for in the first {LONGEST:,} characters alone"]
