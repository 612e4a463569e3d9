"""Reading an exercise's source: a Python file in percent form, with its spec and its solutions.

# %% [markdown]             text
# %% tags=["spec"]          makes `spec`, an Exercise; in no copy
# %% tags=["setup"]         the first cell to run; the build adds the call of begin
grades = spec.given("dcg")  in any cell: the copy's own data, written out
# %% tags=["dcg"]           the answer to question dcg, between the two lines
                            ### BEGIN SOLUTION and ### END SOLUTION
# %% tags=["check"]         a call of check()
"""

import ast
import json
import re
import traceback
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, TypeGuard

from irmetrics_edu.classroom.exercises.computed_question import Inputs, Trial, entries, literal
from irmetrics_edu.classroom.exercises.spec import Exercise
from irmetrics_edu.classroom.exercises.variants import GENERAL
from irmetrics_edu.errors import InputError
from irmetrics_edu.reading.records import decoded

SOLUTIONS = Path(__file__).resolve().parents[3] / "solutions"
WIDTH = 88
BEGIN, END = "### BEGIN SOLUTION", "### END SOLUTION"
BLANK = "*Your answer here.*"
_CHECK = re.compile(r"\A(check|hint)\(\"(\w+)\"")
_HEADER = re.compile(r"# %%(?P<markdown> \[markdown\])?(?: tags=(?P<tags>\[.*\]))?\s*$")


@dataclass(frozen=True)
class Cell:
    """A cell of a source: text or code, its tags, and the line above its first."""

    text: str
    markdown: bool = False
    tags: Sequence[str] = ()
    at: int = 0


@dataclass(frozen=True)
class ExerciseSource:
    """A source that has been read: its cells, and the exercise that its spec makes."""

    path: Path
    cells: Sequence[Cell]
    exercise: Exercise = field(repr=False)

    @property
    def stem(self) -> str:
        """The name of the file, NN_topic."""
        return self.path.stem

    @property
    def topic(self) -> str:
        """The name without the number, which may change from one edition to the next."""
        return self.stem.partition("_")[2]

    @cached_property
    def tried(self) -> Mapping[str, Trial]:
        """What check() tries of each function: the same in all copies, as no marks depend on it."""
        number, asked = self.exercise.number, self.exercise.questions
        return {q.name: GENERAL.trial(number, q) for q in asked if q.kind != "value"}

    def question_of(self, cell: Cell) -> str:
        """The question that a cell answers; "" for other cells."""
        names = {q.name for q in self.exercise.every}
        return next((tag for tag in cell.tags if tag in names), "")

    def place(self, cell: Cell, line: int = 1) -> str:
        """Where a line of a cell stands: the file, the line, and the cell from the top."""
        return f"{self.path}, line {cell.at + line} (cell {self.cells.index(cell) + 1})"

    def place_of(self, name: str) -> str:
        """Where the spec names a question; of an exercise without a spec, the file."""
        for cell in self.cells:
            for number, line in enumerate(cell.text.split("\n"), 1):
                if "spec" in cell.tags and re.search(rf"""["']{name}["']""", line):
                    return self.place(cell, number)
        return str(self.path)

    def place_of_answer(self, name: str) -> str:
        """Where the answer to a question begins."""
        for cell in self.cells:
            if self.question_of(cell) == name:
                return self.place(cell)
        return str(self.path)

    def id_of(self, name: str) -> str:
        """The id of the cell that is handed out under a name, such as a question's."""
        return f"{self.exercise.number}-{name.replace('_', '-')}"


def paths_in(folder: Path = SOLUTIONS) -> list[Path]:
    """The sources of the exercises in a folder."""
    return sorted(folder.glob("[0-9][0-9]_*.py"))


def sources_in(folder: Path | None = None) -> list[Path]:
    """The sources in a folder, or in `solutions` here or in the project; InputError if none is."""
    for place in [folder] if folder else [Path("solutions"), SOLUTIONS]:
        if paths := paths_in(place):
            return paths
    raise InputError(
        f"no source of an exercise, such as 04_topic.py, in {folder or 'solutions'}; name the "
        "folder with --sources. The course's own are in the project's source, not in the package; "
        "`irmetrics-edu course DIR` writes the copies that all students get"
    )


def chosen(paths: Sequence[Path], names: Sequence[str]) -> list[Path]:
    """The files whose names begin with one of these texts, or all; InputError if a text fits none.

    >>> [p.stem for p in chosen([Path("01_sets.py"), Path("02_ranks.py")], ["2"])]
    ['02_ranks']
    """
    names = [name.zfill(2) if name.isdecimal() else name for name in names]
    for name in names:
        if not any(p.stem.startswith(name) for p in paths):
            stems = ", ".join(p.stem for p in paths) or "none"
            raise InputError(
                f"{name}: no file has a name that begins so; there are {stems}. "
                "Give the beginning of one of these names, such as 04"
            )
    return [p for p in paths if not names or p.stem.startswith(tuple(names))]


def read(path: str | Path, *, whole: bool = True) -> ExerciseSource:
    """Read a source and run its spec; InputError names the file, the line and the problem.

    With `whole` each name in a question is looked up, too.
    """
    path = Path(path)
    text = decoded(path.read_bytes(), path).replace("\r\n", "\n")
    cells = cells_of(text, str(path))
    space: dict[str, Any] = {"__name__": "spec"}
    for cell in cells:
        if "spec" in cell.tags:
            _run(
                cell,
                path,
                space,
            )
    exercise = space.get("spec")
    if not isinstance(exercise, Exercise):
        raise InputError(f'{path}: no cell tagged "spec" makes `spec`, an Exercise')
    source = ExerciseSource(
        path,
        cells,
        exercise,
    )
    _complete(source)
    for question in exercise.questions if whole else ():
        try:
            question.refuse_unknown()
        except (InputError, SyntaxError) as error:
            place = source.place_of(question.name)
            raise InputError(f"{place}, question {question.name}: {error}") from None
    return source


def _run(
    cell: Cell,
    path: Path,
    space: dict[str, Any],
) -> None:
    """Run a spec; an error names its line."""
    try:
        code = compile(
            "\n" * cell.at + cell.text,
            str(path),
            "exec",
        )
        exec(code, space)  # noqa: S102 -- the teacher's own file
    except Exception as error:
        line = (
            getattr(
                error,
                "lineno",
                None,
            )
            or 0
        )
        for frame in traceback.extract_tb(error.__traceback__):
            if frame.filename == str(path):
                line = frame.lineno or line
        what = str(error) if isinstance(error, InputError) else f"{type(error).__name__}: {error}"
        raise InputError(f"{path}, line {line}: {what}; correct the spec there") from error


def cells_of(text: str, name: str = "source") -> list[Cell]:
    """The cells of a text in percent form."""
    cells: list[Cell] = []
    lines: list[str] = []
    header: re.Match[str] | None = None
    at = 0
    for number, line in enumerate([*text.splitlines(), "# %%"], 1):
        match = _HEADER.match(line)
        if not match:
            if line.startswith("# %%"):
                raise InputError(
                    f"{name}, line {number}: {line!r} begins no cell; write "
                    '# %%, # %% [markdown] or # %% tags=["..."]'
                )
            lines.append(line)
            continue
        if header is not None:
            cells.append(
                _cell(
                    header,
                    lines,
                    at,
                    name,
                )
            )
        header = match
        lines = []
        at = number
    return cells


def _cell(
    header: re.Match[str],
    lines: Sequence[str],
    at: int,
    name: str,
) -> Cell:
    markdown = bool(header["markdown"])
    if markdown:
        for i, line in enumerate(lines):
            if line.strip() and not line.startswith("#"):
                raise InputError(f"{name}, line {at + 1 + i}: text in a cell of Markdown: {line!r}")
        lines = [line.removeprefix("#").removeprefix(" ") for line in lines]
    try:
        tags = json.loads(header["tags"] or "[]")
    except ValueError:
        raise InputError(
            f'{name}, line {at}: tags={header["tags"]}; write them as tags=["spec"]'
        ) from None
    text = "\n".join(lines)
    blank = len(text) - len(text.lstrip("\n"))
    return Cell(
        text.strip("\n"),
        markdown,
        tags,
        at + blank,
    )


def _complete(source: ExerciseSource) -> None:
    answered = [source.question_of(cell) for cell in source.cells]
    for question in source.exercise.every:
        if answered.count(question.name) != 1:
            raise InputError(
                f"{source.path}: question {question.name} is answered in "
                f"{answered.count(question.name)} cells; tag one with its name"
            )
    for cell in source.cells:
        solved = BEGIN in cell.text
        if solved != (END in cell.text) or solved != bool(source.question_of(cell)):
            raise InputError(
                f"{source.place(cell)}: a cell tagged with its question has both "
                f"{BEGIN} and {END}, and no other cell has"
            )


def identified(source: ExerciseSource) -> list[tuple[str, Cell]]:
    """The cells to hand out; the id of a cell does not depend on other cells."""
    with_ids: list[tuple[str, Cell]] = []
    counted = 0
    names: Counter[str] = Counter()
    for cell in source.cells:
        if "spec" in cell.tags:
            continue
        question = source.question_of(cell)
        call = _CHECK.match(cell.text)
        if question:
            name = question
        elif "setup" in cell.tags:
            name = "setup"
        elif call:
            name = f"{call[1]}-{call[2]}"
        else:
            counted += 1
            name = f"{'text' if cell.markdown else 'code'}-{counted:02d}"
        names[name] += 1
        again = f"-{names[name]}" if names[name] > 1 else ""
        with_ids.append((source.id_of(name + again), cell))
    return with_ids


def solved(text: str) -> str:
    """A cell with its solution, without the two lines around it."""
    return "\n".join(line for line in text.split("\n") if line.strip() not in (BEGIN, END))


def unsolved(text: str, name: str) -> str:
    """A cell without its solution, as the student gets it; a text cell has no name."""
    kept: list[str] = []
    inside = False
    for line in text.split("\n"):
        if line.strip() == BEGIN:
            inside = True
            indent = line[: len(line) - len(line.lstrip())]
            stub = "raise NotImplementedError  # your code here"
            blank = f"{name} = ...  # your answer here" if name else BLANK
            kept.append(indent + stub if indent else blank)
        elif line.strip() == END:
            inside = False
        elif not inside:
            kept.append(line)
    return "\n".join(kept)


class GivenProblem(InputError):  # noqa: N818 -- it says what the problem is with
    """A use of `spec.given` that no copy can have; `line` is that of the cell, from 1 on."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line


@dataclass(frozen=True)
class Given:
    """A statement `a, b = spec.given("question")`: what it reads, its names, its lines."""

    question: str
    names: Sequence[str]
    first: int
    last: int


def with_data(text: str, inputs: Mapping[str, Inputs]) -> str:
    """A cell with `a, b = spec.given("question")` replaced by that question's inputs."""
    return "\n".join(line for _, line in lines_with_data(text, inputs))


def lines_with_data(text: str, inputs: Mapping[str, Inputs]) -> list[tuple[int, str]]:
    """The lines of a cell with data for `spec.given`, each with the line that it came from."""
    lines = list(enumerate(text.split("\n"), 1))
    for reading in reversed(given_in(text)):
        if reading.question not in inputs:
            names = ", ".join(inputs)
            raise GivenProblem(
                reading.first,
                f"question {reading.question!r} is not in the exercise; it has {names}",
            )
        values = inputs[reading.question]
        if len(reading.names) != len(values):
            raise GivenProblem(
                reading.first,
                f"{', '.join(reading.names)} = spec.given({reading.question!r}): question "
                f"{reading.question} has the inputs {', '.join(values)}; give each of them a name",
            )
        written = []
        for name, value in zip(reading.names, values.values(), strict=True):
            written += _assignment(name, value).split("\n")
        lines[reading.first - 1 : reading.last] = [(reading.first, line) for line in written]
    return lines


def given_in(text: str) -> list[Given]:
    """The statements of a cell that read a question's inputs; GivenProblem if one can't be read."""
    if "spec.given" not in text:
        return []
    try:
        tree = ast.parse(text)
    except SyntaxError as error:
        raise GivenProblem(
            error.lineno or 1, f"{error.msg}; a cell with spec.given has Python alone"
        ) from None
    readings = []
    others = []
    for node in tree.body:
        reading = _given(node)
        if reading:
            readings.append(reading)
        else:
            others.append(node)
    _refuse_reading(others, readings)
    return readings


def _refuse_reading(others: Sequence[ast.stmt], readings: Sequence[Given]) -> None:
    """GivenProblem for a statement that reads inputs otherwise, or shares the line of one."""
    taken: set[int] = set()
    for reading in readings:
        taken.update(range(reading.first, reading.last + 1))
    for statement in others:
        calls = [node.lineno for node in ast.walk(statement) if _reads(node)]
        shared = taken & {statement.lineno, statement.end_lineno or statement.lineno}
        for line in [*calls, *shared]:
            raise GivenProblem(
                line,
                "spec.given is replaced by data only as a statement of its own, which begins its "
                'line: grades = spec.given("total")',
            )


def _reads(node: ast.AST | None) -> TypeGuard[ast.Call]:
    """Whether a node is a call of `spec.given`."""
    return isinstance(node, ast.Call) and ast.unparse(node.func) == "spec.given"


def _given(node: ast.stmt) -> Given | None:
    """What a statement reads, if it is an assignment of `spec.given` as a cell may have it."""
    if not isinstance(node, ast.Assign) or len(node.targets) != 1:
        return None
    question = _asked(node.value)
    names = _assigned(node.targets[0])
    if not question or not names:
        return None
    return Given(
        question,
        names,
        node.lineno,
        node.end_lineno or node.lineno,
    )


def _asked(call: ast.expr) -> str:
    """The question in `spec.given("question")`; "" for every other expression."""
    if not _reads(call) or call.keywords or len(call.args) != 1:
        return ""
    question = call.args[0]
    value = question.value if isinstance(question, ast.Constant) else None
    return value if isinstance(value, str) else ""


def _assigned(target: ast.expr) -> list[str]:
    """The names to which values are assigned; none if there is anything else among them."""
    parts = target.elts if isinstance(target, ast.Tuple | ast.List) else [target]
    names = [part.id for part in parts if isinstance(part, ast.Name)]
    return names if len(names) == len(parts) else []


def _assignment(name: str, value: Any) -> str:
    """An assignment of the value, its items in lines of a readable length."""
    line = f"{name} = {literal(value)}"
    if len(line) <= WIDTH or not isinstance(value, (list, dict)):
        return line
    items = [literal(v) for v in value] if isinstance(value, list) else entries(value)
    lines = ["   "]
    for item in items:
        if len(lines[-1]) + len(item) + 2 > WIDTH and lines[-1].strip():
            lines.append("   ")
        lines[-1] += f" {item},"
    opened, closed = ("[", "]") if isinstance(value, list) else ("{", "}")
    return "\n".join([f"{name} = {opened}", *lines, closed])
