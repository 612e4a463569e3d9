"""Jupyter's own syntax in students' cells (`!ls`, `%time`, `dcg?`), read as IPython reads it.

IPython's transformation of input runs in a child of its own, under limits, like all reading of
students' text. No cell runs there. If IPython is not installed, or its transformation does not work
here, the child that runs the cells skips the command lines.
"""

import importlib.util
import re
from collections.abc import Sequence

from irmetrics_edu.classroom.grading.limits import Limits
from irmetrics_edu.classroom.grading.outcome import Call, Case, Outcome
from irmetrics_edu.classroom.grading.sandbox import SandboxError, run_question
from irmetrics_edu.classroom.grading.tiers import Tier
from irmetrics_edu.classroom.marking.slots import Patience

# What may be Jupyter's, found in linear time: a command, a question, a prompt, an indented cell.
_PERHAPS = re.compile(
    r"^[ \t]*[%!?]|\?[ \t]*$|=[ \t]*[%!]|^[ \t]*(?:>>>|In \[)|\A[ \t\n]*[ \t]\S", re.MULTILINE
)

# It imports the one module of the transformation, without all that `import IPython` brings.
_READER = """
import ast, importlib.util, sys, types, warnings

PYTHON_MAGICS = {"%%time", "%%timeit", "%%capture", "%%prun"}

def read(cells):
    warnings.simplefilter("ignore")
    spec = importlib.util.find_spec("IPython")
    package = types.ModuleType("IPython")
    package.__path__ = list(spec.submodule_search_locations)
    sys.modules["IPython"] = package
    from IPython.core.inputtransformer2 import TransformerManager
    return [python(cell, TransformerManager()) for cell in cells]

def compiles(cell):
    try:
        compile(cell, "<cell>", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return False
    return True

def python(cell, manager):
    if compiles(cell):
        return cell
    words = cell.lstrip().split("\\n", 1)
    if words[0].split()[0] in PYTHON_MAGICS if words[0].startswith("%%") else False:
        return "# " + words[0] + "\\n" + python("".join(words[1:]), manager)
    try:
        read = manager.transform_cell(cell)
    except Exception:
        return cell
    return read if compiles(read) else cell
"""


def as_python(cells: Sequence[str], tier: Tier, patience: Patience) -> tuple[str, ...]:
    """The cells as Python, where they hold Jupyter's own syntax and IPython can read it."""
    asked = [i for i, cell in enumerate(cells) if _PERHAPS.search(cell)]
    if not asked or importlib.util.find_spec("IPython") is None:
        return tuple(cells)
    case = Case([cells[i] for i in asked])

    def once(limits: Limits) -> Outcome:
        return run_question(
            [_READER], Call("read"), [case], limits, tier=tier, packages=["IPython"]
        )

    try:
        outcome = patience.patiently(once)
    except SandboxError:
        return tuple(cells)
    found = outcome.answers[0].value
    made = list(cells)
    if isinstance(found, list) and len(found) == len(asked):
        for i, cell in zip(asked, found, strict=True):
            made[i] = cell if isinstance(cell, str) else made[i]
    return tuple(made)
