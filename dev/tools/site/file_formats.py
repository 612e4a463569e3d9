"""The reference of files: each format that is read or written, with an example made on the spot.

`formats/*.toml` has a page each. A format names who reads and writes it, its fields or its JSON
Schema, its limits, and an example: files that are given, and commands that are run on them here.
"""

import contextlib
import io
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import irmetrics_edu
from dev.tools.site.markup import fenced, table
from irmetrics_edu import cli
from irmetrics_edu.errors import InputError
from irmetrics_edu.views.output import BAD_INPUT
from irmetrics_edu.writing import write

PACKAGE = Path(irmetrics_edu.__file__).parent
_FORMATS = Path(__file__).with_name("formats")
_MOST = 36  # lines of an example that are shown
_LONGEST = 120  # characters of a line
_TYPES = {
    "string": "text", "integer": "whole number", "number": "number", "boolean": "true or false",
    "null": "null",
}  # fmt: skip
_FIELDS = ("field", "type", "meaning")
_INTRO = f"""# Files and JSON

Every file that the package reads or writes, and every JSON that a command prints.
`irmetrics-edu COMMAND --help` says which files a command takes.

**Each JSON format has a JSON Schema** (draft 2020-12). The schemas are part of the package, and the
links to them are of version {irmetrics_edu.__version__}. A field that a schema does not name does
not occur.

**Text is UTF-8**, with or without a byte-order mark. Files that are packed with gzip, zstd,
bzip2 or xz are unpacked as they are read, whatever they are called. `-` is standard input. Three
limits hold for runs and judgments that commands read: a line has at most 1 MiB (`--max-line`), a
packed file unpacks to at most 200 times its size beyond 64 MiB (`--max-ratio`), and a cut-off is at
most 4,000,000 (`--max-cutoff`).

**A file is written whole or not at all.** A run that is interrupted leaves the file as it was.
"""


@dataclass(frozen=True)
class Format:
    """A format: what a section of the reference says of it.

    `read` and `written` are the modules, `readers` and `writers` the commands, functions and
    options; `form` is the encoding. `show` are files of the example, `run` its commands (or Python)
    in order; `also` are more commands whose outputs follow the schema, too.
    """

    name: str
    form: str
    limits: str
    readers: str = ""
    writers: str = ""
    about: str = ""
    read: Sequence[str] = ()
    written: Sequence[str] = ()
    fields: Sequence[Sequence[str]] = ()
    schema: str = ""
    command: str = ""
    show: Sequence[str] = ()
    run: Sequence[str] = ()
    also: Sequence[str] = ()

    @cached_property
    def of_schema(self) -> dict[str, Any]:
        """Its JSON Schema."""
        return dict(json.loads((PACKAGE / self.schema).read_text(encoding="utf-8")))

    @property
    def anchor(self) -> str:
        """Where it stands on its page."""
        return re.sub(r"[^\w\- ]", "", self.name.lower()).replace(" ", "-")


@dataclass(frozen=True)
class Page:
    """A page of formats: `given` are the files that its examples start from."""

    name: str
    title: str
    about: str
    given: Mapping[str, str] = field(default_factory=dict)
    format: Sequence[Format] = ()


def read() -> list[Page]:
    """The pages of formats, as `formats/` has them."""
    found = []
    for path in sorted(_FORMATS.glob("*.toml")):
        told = tomllib.loads(path.read_text(encoding="utf-8"))
        formats = [Format(**one) for one in told.pop("format")]
        found.append(Page(f"files-{path.stem.partition('_')[2]}", format=formats, **told))
    return found


def pages() -> Iterator[tuple[str, str]]:
    """The page that lists all formats, then those that define them: name and text."""
    every = read()
    names = "\n".join(page.name for page in every)
    parts = [_INTRO]
    for page in every:
        lines = [
            (f"[{f.name}]({page.name}.md#{f.anchor})", f.readers or "–", f.writers or "–")
            for f in page.format
        ]
        parts += [f"## {page.title}", page.about, table(("format", "read by", "written by"), lines)]
    yield "files", "\n\n".join([*parts, f"```{{toctree}}\n:hidden:\n\n{names}\n```", ""])
    for page in every:
        with bench(page) as at:
            sections = [section(one, at, ran(one, at)) for one in page.format]
        yield page.name, "\n\n".join([f"# {page.title}", page.about, *sections, ""])


def schemas() -> dict[str, str]:
    """The raw schemas by the names under which the site has them."""
    return {
        _raw(one): (PACKAGE / one.schema).read_text(encoding="utf-8")
        for page in read()
        for one in page.format
        if one.schema
    }


def _raw(one: Format) -> str:
    return f"schemas/{one.schema.replace('/', '.')}"


# -- examples


@contextlib.contextmanager
def bench(page: Page) -> Iterator[Path]:
    """A folder with the files that a page's examples start from."""
    with tempfile.TemporaryDirectory() as temporary:
        for name, text in page.given.items():
            write(Path(temporary) / name, text)
        yield Path(temporary)


def printed(command: str, folder: Path) -> str:
    """What a command prints in a folder: of `irmetrics-edu`, of pytest, or lines of Python."""
    words = [] if "\n" in command else shlex.split(command)
    if words[:1] == ["pytest"]:
        return _pytest(words[1:], folder)
    held = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    aside = contextlib.redirect_stderr(io.StringIO())  # notes
    with contextlib.chdir(folder), contextlib.redirect_stdout(held), aside:
        if not words:
            exec(command, {})  # noqa: S102 -- an example of our own
        elif words[0] != "irmetrics-edu" or cli.main(words[1:]) == BAD_INPUT:
            raise InputError(f"the example {command!r} is refused")
        held.flush()
        return held.buffer.getvalue().decode()


def _pytest(words: Sequence[str], folder: Path) -> str:
    """A session of its own, in which no other plugin is loaded and nothing says that it is CI."""
    kept = {n: v for n, v in os.environ.items() if not n.startswith(("PYTEST_", "CI", "BUILD_"))}
    command = [sys.executable, "-m", "pytest", "-p", "irmetrics_edu.pytest_plugin", *words]
    run = subprocess.run(  # noqa: S603 -- pytest, on an example of our own
        [*command, "-q", "-p", "no:cacheprovider", "--rootdir=."],
        cwd=folder, env={**kept, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    if run.returncode not in (0, 1):
        raise InputError(f"the example 'pytest {shlex.join(words)}' ends with: {run.stdout[-500:]}")
    return run.stdout


def ran(one: Format, folder: Path) -> list[tuple[str, str]]:
    """The commands of a format's example, with what they print."""
    return [(command, printed(command, folder)) for command in one.run]


def section(one: Format, folder: Path, ran: Sequence[tuple[str, str]]) -> str:
    """What the reference says of a format, whose example was run in a folder."""
    facts = [("read by", one.readers), ("written by", one.writers), ("form", one.form),
             ("limits", one.limits)]  # fmt: skip
    parts = [f"## {one.name}"]
    parts += [one.about] if one.about else []
    parts += ["\n".join(f"- **{what}:** {text}" for what, text in facts if text)]
    if one.schema:
        link = f"{{download}}`{Path(one.schema).name} <{_raw(one)}>`"
        parts += [f"Schema: {link}, in the package `irmetrics_edu/{one.schema}`."]
        parts += [*of_schema(one.of_schema)]
    elif one.fields:
        lines = [(f"`{name}`", *map(_cell, rest)) for name, *rest in one.fields]
        parts += [table(_FIELDS, lines)]
    parts += ["**Example**"] if one.show or ran else []
    for name in one.show:
        text = (folder / name).read_text(encoding="utf-8")
        parts += [f"`{name}`:", fenced(_short(text), "text")]
    for command, out in ran:
        if out and not command.startswith("pytest"):
            shown = command if "\n" in command else f"$ {command}"
            parts += [fenced(shown, "python" if "\n" in command else "text")]
            parts += [fenced(_short(out), "text")]
    return "\n\n".join(parts)


def _short(text: str) -> str:
    """The first lines of a text, and how many follow."""
    lines = [line if len(line) <= _LONGEST else f"{line[:_LONGEST]}…" for line in text.splitlines()]
    more = len(lines) - _MOST
    return "\n".join(lines if more <= 1 else [*lines[:_MOST], f"… and {more} more lines"])


# -- schemas as tables


def of_schema(schema: Mapping[str, Any]) -> Iterator[str]:
    """A schema as tables of its fields: first of the whole, then of each definition in it."""
    rows = list(_rows(schema, ""))
    if rows:
        yield table(_FIELDS, rows)
    else:
        yield f"The whole is {_type(schema)}."
    for name, inner in schema.get("$defs", {}).items():
        rows = list(_rows(inner, ""))
        yield f"**{name}**" if rows else f"**{name}**: {_type(inner)}. {_meaning(inner)}"
        if rows:
            yield table(_FIELDS, rows)


def _rows(schema: Mapping[str, Any], path: str) -> Iterator[tuple[str, str, str]]:
    """A line for each field, and below it those of its own fields."""
    if isinstance(schema.get("items"), Mapping):
        yield from _rows(schema["items"], f"{path}[]")
    if isinstance(schema.get("additionalProperties"), Mapping):
        yield from _rows(schema["additionalProperties"], f"{path}.*")
    required = schema.get("required", ())
    for name, inner in schema.get("properties", {}).items():
        own = f"{path}.{name}".lstrip(".")
        missing = "" if name in required else " (may be missing)"
        yield f"`{own}`", _type(inner), f"{_meaning(inner)}{missing}"
        yield from _rows(inner, own)


def _meaning(schema: Mapping[str, Any]) -> str:
    return _cell(schema.get("description", ""))


def _cell(text: str) -> str:
    """Our own Markdown as a cell of a table."""
    return text.replace("|", "\\|")


def _type(schema: Mapping[str, Any]) -> str:
    """The type of a value, in words."""
    if "$ref" in schema:
        return f"**{schema['$ref'].rpartition('/')[2]}**"
    if "anyOf" in schema:
        return " or ".join(map(_type, schema["anyOf"]))
    if "const" in schema:
        return f"`{json.dumps(schema['const'])}`"
    if "enum" in schema:
        return " or ".join(f"`{json.dumps(value)}`" for value in schema["enum"])
    kinds = schema.get("type", ())
    kinds = [kinds] if isinstance(kinds, str) else kinds
    return " or ".join(_kind(kind, schema) for kind in kinds) or "any"


def _kind(kind: str, schema: Mapping[str, Any]) -> str:
    if kind == "array":
        inside = schema.get("items", {})
        return f"list of {_type(inside)}" if isinstance(inside, Mapping) else "list"
    if kind == "object":
        by_name = schema.get("additionalProperties")
        return f"by name: {_type(by_name)}" if isinstance(by_name, Mapping) else "object"
    return _TYPES[kind]
