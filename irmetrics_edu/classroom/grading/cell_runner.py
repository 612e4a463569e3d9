"""Running notebook cells in the child, as Jupyter does, but going on after a failed import.

The source of this file runs in the child, so it needs only the standard library.
"""

import __future__

import ast
import importlib
import linecache
import re
import sys
import types
from itertools import groupby
from pathlib import Path
from textwrap import dedent
from typing import Any

from irmetrics_edu.classroom.grading.newer_syntax import rewritten

LONGEST_MESSAGE = 2_000
MOST_ERRORS = 40
COROUTINE = 0x80  # inspect.CO_COROUTINE
_LATE_ANNOTATIONS = __future__.annotations.compiler_flag
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
TIMERS = {"time", "timeit", "capture", "prun"}


class Commands:
    """A replacement for `get_ipython` in the child, whose commands do nothing."""

    def __call__(self) -> "Commands":
        """The result of `get_ipython()`."""
        return self

    def __getattr__(self, _name: str) -> Any:
        return lambda *_args, **_options: None


# The prompts that IPython takes away before it runs a cell: its own, and Python's.
_NUMBERED = re.compile(r"((\[nav\]|\[ins\])? )?In \[\d+\]: |\s*\.{3,}: ?")
_CLASSIC = re.compile(r"^[ \t]*(>>>|\.\.\.)[ \t]?")
_CLASSIC_FIRST = re.compile(r"[ \t]*>>>")
_TRIPLE = re.compile(r"(?<!\\)(\"\"\"|\'\'\')")
_TEXT_PREFIX = re.compile(r"[rubfRUBF]*")


def as_read(source: str, flags: int) -> str:
    r"""The source as Jupyter reads it, in Python, line for line; the source itself if it can't.

    >>> as_read("In [7]: total = 3", 0), as_read(">>> x = 1\n... y = 2\nz = 3", 0)
    ('total = 3', 'x = 1\ny = 2\nz = 3')
    >>> as_read("!pip install x\nx = 1", 0)
    'pass  # !pip install x\nx = 1'
    """
    flush = dedent(source).split("\n")
    bare = _without_classic(flush)
    begin = next((i for i, line in enumerate(flush) if line.strip()), 0)
    ways = [_without_numbers(bare, begin)]
    if any(map(_CLASSIC_FIRST.match, flush)):  # what has no prompt may be what was printed
        output = []
        for line, one in zip(flush, bare, strict=True):
            printed = bool(line.strip()) and line == one
            output.append(f"#{line}" if printed else one)
        ways.append(output)
    ways.append(source.split("\n"))
    for way in ways:
        lines, reads = _without_commands(way, flags)
        if reads:
            return "\n".join(lines)
    return source


def _without_classic(lines: list[str]) -> list[str]:
    """The lines without Python's prompts, if one begins a line that is no text of its own."""
    in_text = _in_texts(lines)
    begun = [bool(_CLASSIC_FIRST.match(line)) for line in lines]
    if not any(b and not t for b, t in zip(begun, in_text, strict=True)):
        return lines
    bare: list[str] = []
    for is_text, group in groupby(zip(lines, in_text, strict=True), key=lambda pair: pair[1]):
        part = [line for line, _ in group]
        stripped = [_CLASSIC.sub("", line) for line in part]
        if not is_text and stripped != part:
            part = dedent("\n".join(stripped)).split("\n")
        bare += part
    return bare


def _in_texts(lines: list[str]) -> list[bool]:
    """Which lines belong to a text in three quotes whose prompts are its own.

    It stands alone, or the cell is no session: no line before it has a prompt. One that begins in
    the first line is read as in Jupyter, which looks for prompts in the first two.
    """
    inside = []
    quote = ""
    alone = False
    begun = False
    prompted = False
    for line in lines:
        inside.append(bool(quote) and alone)
        for mark in _TRIPLE.finditer(line):
            if not quote:
                quote = mark[1]
                before = line[: mark.start()]
                alone = bool(_TEXT_PREFIX.fullmatch(before.strip()))
                alone = alone or (begun and not prompted and not _CLASSIC.match(before))
                inside[-1] = alone
            elif quote == mark[1]:
                quote = ""
                alone = False
        begun = begun or bool(line.strip())
        prompted = prompted or bool(_CLASSIC_FIRST.match(line))
    return inside


def _without_numbers(lines: list[str], begin: int) -> list[str]:
    """The lines without IPython's prompts, if one of the two from `begin` on has one.

    This counts also where the cell is Python as it stands: `In [7]: total = 3` is an annotation.
    """
    if not any(map(_NUMBERED.match, lines[begin : begin + 2])):
        return lines
    return [_NUMBERED.sub("", line, count=1) if _NUMBERED.match(line) else line for line in lines]


def _flush_left(lines: list[str]) -> list[str]:
    """The lines without the indentation of the first that is neither blank nor a comment."""
    first = next((line for line in lines if line.strip() and line[:1] != "#"), "")
    indent = first[: len(first) - len(first.lstrip())]
    return [line.removeprefix(indent) for line in lines]


def _without_commands(lines: list[str], flags: int) -> tuple[list[str], bool]:
    """The lines with commands as comments, and whether Python can read them.

    Commands do nothing (`!pip`, `%matplotlib`, `dcg?`); of `%time x = 1` and `%%time` the Python
    runs. A line is a command only where Python can't read it, so text and brackets stay.
    """
    if _error_line(lines, flags) is None:
        return lines, True
    lines = _flush_left(_without_magic(lines))
    comments: set[int] = set()  # within open brackets a command stays an error as a comment
    while (at := _error_line(lines, flags)) is not None:
        instead = _without_command(lines[at]) if 0 <= at < len(lines) else ""
        if not instead or at in comments:
            return lines, False
        if len(instead) > len(lines[at]):
            comments.add(at)
        lines[at] = instead
    return lines, True


# The command that writes a cell to a file, and the file.
_WRITES = re.compile(
    r"\s*%%(?:writefile|file)[ \t]+(?P<more>(?:-a|--append)[ \t]+)?(?P<file>[^\n]+)\n?"
)


def _as_writing(source: str) -> str:
    r"""A cell that `%%writefile` writes to a file, as Python; others as they are.

    >>> print(_as_writing("%%writefile mine.py\nx = 1"))
    _irmetrics_edu_write('mine.py', 'w', 'x = 1\n')
    """
    match = _WRITES.match(source)
    if match is None:
        return source
    file = match["file"].strip().strip("'\"")
    mode = "a" if match["more"] else "w"
    return f"{_WRITER}({file!r}, {mode!r}, {source[match.end() :].rstrip() + chr(10)!r})"


_WRITER = "_irmetrics_edu_write"


def write_file(file: str, mode: str, text: str) -> None:
    """Write a cell to a file in the folder of the notebook, whose modules can be imported."""
    with Path(file).open(mode, encoding="utf-8") as target:
        target.write(text)
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    importlib.invalidate_caches()


def _without_magic(lines: list[str]) -> list[str]:
    """The lines without a command for the whole cell: `%%time` runs it, `%%bash` does not."""
    if not lines[0].lstrip().startswith("%%"):
        return list(lines)
    python = lines[0].split()[0][2:] in TIMERS
    return ["#" + lines[0], *(line if python else "#" + line for line in lines[1:])]


def _error_line(lines: list[str], flags: int) -> int | None:
    """The place of the line that Python can't read; None if it can read all."""
    source = "\n".join(lines)
    if _fault(source, flags) is None:
        return None
    return _fault(rewritten(source), flags)


def in_this_python(source: str, flags: int) -> str:
    """The source, rewritten if only a later Python can read it as it is."""
    if _fault(source, flags) is None:
        return source
    older = rewritten(source)
    return older if _fault(older, flags) is None else source


def _fault(source: str, flags: int) -> int | None:
    """The place of the line that this Python can't read, -1 if it names none; None if it can."""
    try:
        compile(
            source,
            "<cell>",
            "exec",
            flags,
            dont_inherit=True,
        )
    except SyntaxError as error:
        return (error.lineno or 0) - 1
    return None


def _without_command(line: str) -> str:
    """A line with a command as Python; "" if it holds none."""
    text = line.strip()
    indent = line[: len(line) - len(line.lstrip())]
    magic, _, rest = text.partition(" ")
    if rest and magic.startswith("%") and magic[1:] in TIMERS:
        return indent + rest.lstrip()
    if text.startswith(("%", "!", "?")) or text.endswith("?"):
        return f"{indent}pass  # {text}"
    name, _, command = line.partition("=")
    return f"{name}= []  # {command}" if command.lstrip().startswith(("%", "!")) else ""


# The names under which Jupyter keeps the last three values that cells ended with.
_LAST_VALUES = ("_", "__", "___")


class LastValues:
    """The values that cells end with, under the names that Jupyter gives them.

    As in Jupyter they stay as they are once the student has used one of these names.
    """

    def __init__(self, namespace: dict[str, Any]) -> None:
        self.namespace = namespace
        self.values: list[Any] = [""] * len(_LAST_VALUES)
        self._tell()

    def keep(self, value: Any) -> None:
        """Keep the value of a cell's last line; None is no value."""
        if value is None:
            return
        for name, before in zip(_LAST_VALUES, self.values, strict=True):
            if self.namespace.get(name, before) is not before:
                return
        self.values = [value, *self.values[:-1]]
        self._tell()

    def _tell(self) -> None:
        self.namespace.update(zip(_LAST_VALUES, self.values, strict=True))


class Cells:
    """Runs cells one after another in one namespace, and keeps what they raise.

    If a top-level import fails, the rest of the cell still runs, because the grader has fewer
    packages than the student's machine. A statement is skipped too if it fails because it needs a
    name of such an import.
    """

    def __init__(self, namespace: dict[str, Any]) -> None:
        self.namespace = namespace
        namespace[_WRITER] = write_file
        self.last_values = LastValues(namespace)
        self.errors: list[dict[str, Any]] = []
        self.more = 0
        self.absent: set[str] = set()
        self.flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
        self.loop: Any = None

    def report(self) -> list[dict[str, Any]]:
        """The first errors, and the number of further errors."""
        if self.more:
            last = {
                "type": "Errors",
                "message": f"and {self.more} more",
                "cell": 0,
                "line": 0,
            }
            return [
                *self.errors,
                {
                    **last,
                    "text": "",
                    "limit": "",
                    "name": "",
                },
            ]
        return self.errors

    def run(self, number: int, source: str) -> None:
        """Run one cell, statement by statement."""
        name = f"<cell {number}>"
        try:
            source = _as_writing(source)
            source = as_read(source, self.flags)
            shown = source.splitlines(keepends=True)
            linecache.cache[name] = (len(source), None, shown, name)
            source = in_this_python(source, self.flags)
            self._compiled(source, name)
            parts = [part for node in ast.parse(source, name).body for part in _parts(node)]
        except BaseException as error:  # noqa: BLE001 -- whatever it is, it is the student's
            self._keep(error, number)
            return
        silent = source.rstrip().endswith(";")
        for part in parts:
            try:
                if part is parts[-1] and isinstance(part, ast.Expr) and not silent:
                    self._run_last(part, name)
                else:
                    self._run_statement(part, name)
            except BaseException as error:  # noqa: BLE001 -- the student's
                self._keep(error, number)
                if not self._for_want_of_a_package(error):
                    return
                self.absent |= _bound(part)
            else:
                self.absent -= _bound(part)

    def _run_last(self, part: ast.Expr, name: str) -> None:
        """Run the expression that a cell ends with; its value gets the names of Jupyter."""
        code = compile(
            ast.Expression(part.value),
            name,
            "eval",
            self.flags,
            dont_inherit=True,
        )
        self.last_values.keep(self._execute(code))

    def _run_statement(self, part: ast.stmt, name: str) -> None:
        """Run a statement; a definition whose annotations are not known yet, without them."""
        module = ast.Module([part], [])
        code = self._compiled(module, name)
        try:
            self._execute(code)
        except NameError:
            if not isinstance(part, _DEFINITIONS):
                raise
            # Python 3.14 reads annotations when somebody asks for them, and not before.
            self._execute(self._compiled(module, name, _LATE_ANNOTATIONS))

    def _compiled(
        self,
        source: Any,
        name: str,
        more_flags: int = 0,
    ) -> Any:
        code = compile(
            source,
            name,
            "exec",
            self.flags | more_flags,
            dont_inherit=True,
        )
        for feature in __future__.all_feature_names:
            # As in Jupyter, what one cell imports from __future__ holds for those after it.
            flag = getattr(__future__, feature).compiler_flag
            self.flags |= code.co_flags & flag & ~more_flags
        return code

    def _execute(self, code: Any) -> Any:
        """Run the code of statements or of an expression; the value of the latter."""
        if not code.co_flags & COROUTINE:
            return eval(code, self.namespace)  # noqa: S307 -- running the student's code is what this is for
        import asyncio  # it takes long to import, and few notebooks await anything

        self.loop = self.loop or asyncio.new_event_loop()
        return self.loop.run_until_complete(eval(code, self.namespace))  # noqa: S307 -- the same

    def _for_want_of_a_package(self, error: BaseException) -> bool:
        if isinstance(error, NameError):
            return error.name in self.absent
        return isinstance(error, ImportError)

    def _keep(self, error: BaseException, number: int) -> None:
        if len(self.errors) < MOST_ERRORS:
            self.errors.append(raised(error, number))
        else:
            self.more += 1


def _bound(node: ast.stmt) -> set[str]:
    """The names that a statement would have made."""
    names: set[str] = set()
    for part in ast.walk(node):
        if isinstance(part, ast.alias):
            names.add(part.asname or part.name.partition(".")[0])
        elif isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
            names.add(part.id)
    return names


def _parts(node: ast.stmt) -> list[ast.stmt]:
    """`import a, b` as two statements, so that one failure does not affect the other."""
    if not isinstance(node, ast.Import):
        return [node]
    return [ast.copy_location(ast.Import([alias]), node) for alias in node.names]


def raised(error: BaseException, cell: int = 0) -> dict[str, Any]:
    """An error by type, message, and the last line of the student's code in its traceback."""
    kind = type(error)
    try:
        message = str(error)[:LONGEST_MESSAGE]
    except BaseException:  # noqa: BLE001 -- str() of the student's own error is the student's code
        message = ""
    line = 0
    text = ""
    if issubclass(kind, SyntaxError) and str(getattr(error, "filename", "")).startswith("<cell "):
        line = getattr(error, "lineno", 0) or 0
        text = getattr(error, "text", "") or ""
        message = str(getattr(error, "msg", message))
    trace = error.__traceback__
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        if file.startswith("<cell ") and file[6:-1].isdigit():
            cell = int(file[6:-1])
            line = trace.tb_lineno
            text = linecache.getline(file, line)
        trace = trace.tb_next
    return {
        "type": kind.__name__[:100],
        "message": message,
        "cell": cell,
        "line": line,
        "text": str(text).strip()[:200],
        "limit": limit_behind(error, message),
        "name": name_behind(error),
    }


def name_behind(error: BaseException) -> str:
    """The name that is not defined, or the module that lacks something; "" for other errors.

    Of Python's own errors alone: one of the student's may answer anything.
    """
    if type(error) is AttributeError and type(error.obj) is types.ModuleType:
        own_name = vars(error.obj).get("__name__", "")
        return own_name[:100] if type(own_name) is str else ""
    if type(error) not in {NameError, ImportError, ModuleNotFoundError}:
        return ""
    name = getattr(error, "name", "")
    return name[:100] if type(name) is str else ""


def limit_behind(error: BaseException, message: str) -> str:
    """The limit that caused an error, if one did."""
    if isinstance(error, MemoryError):
        return "memory"
    if isinstance(error, BlockingIOError) or message == "can't start new thread":
        return "processes"
    if isinstance(error, OSError) and error.errno in {27, 28}:
        return "file"
    return ""
