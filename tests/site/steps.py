"""The pages of the project as somebody follows them: files are written, commands run, code tried.

Each block of code says what is done with it, by the words after its three backticks:

    text NAME, python NAME ...   the file NAME; a test in it has to be run by a command of the page
    console                      each line with `$ ` is run, what follows it is what it prints
    pycon, or python with >>>    a session, all of a page's in one namespace
    python                       a program of its own, which has to end well and print nothing
    python with: SOMETHING       run with what `tests/site/beside.py` has under that name
    yaml, toml, ini or json      parsed
    ANY not-run: REASON          why it isn't run

`<!-- test: SOMETHING -->` does what happens beside the page, also by `beside.py`. Of an output, a
line `...` stands for any lines, and `...` within a line for any text.
`python -m tests.site.steps PAGE` writes anew what the commands print.
"""

import configparser
import contextlib
import doctest
import io
import json
import os
import re
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from markdown_it import MarkdownIt

from tests.site import beside

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((*ROOT.glob("dev/site/[!R]*.md"), *ROOT.glob("docs/*.md")))]
_HIDDEN = re.compile(r"<!-- test: (.*?) -->")
_SECONDS = re.compile(r"in \d+\.\d+s\b")
# Plugins of others print nothing here, and take seconds to import.
_OTHERS = " ".join(f"-p no:{name}" for name in ("nbval", "hypothesispytest", "pytest_cov", "anyio"))


def _ini(text: str) -> None:
    configparser.ConfigParser().read_string(text)


def _bibtex(text: str) -> None:
    if not text.startswith("@") or text.count("{") != text.count("}"):
        raise ValueError("an entry begins with @ and closes its braces")


PARSED: dict[str, Callable[[str], Any]] = {
    "yaml": yaml.safe_load, "toml": tomllib.loads, "json": json.loads, "ini": _ini,
    "bibtex": _bibtex,
}  # fmt: skip


@dataclass(frozen=True)
class Block:
    """A block of code of a page, or what happens beside it (`hidden`)."""

    page: Path
    line: int
    kind: str
    said: str
    text: str
    fenced: bool = True

    def __str__(self) -> str:
        """Where it stands."""
        return f"{self.page.name}:{self.line}"

    @property
    def _word(self) -> tuple[str, str]:
        word, colon, rest = self.said.partition(": ")
        return (word, rest.strip()) if colon and word in {"not-run", "with"} else ("", "")

    @property
    def name(self) -> str:
        """The file that it is."""
        return "" if any(self._word) else self.said

    @property
    def reason(self) -> str:
        """Why it is not run."""
        word, rest = self._word
        return rest if word == "not-run" else ""

    @property
    def given(self) -> str:
        """What it is run with."""
        word, rest = self._word
        return rest if word == "with" else ""

    @property
    def way(self) -> str:
        """What is done with it; nothing if that can't be told."""
        if self.kind == "hidden" or self.reason:
            return self.kind if self.kind == "hidden" else "not run"
        if not self.fenced or " " in self.name:
            return ""
        if self.kind == "console":
            return "commands" if self.text.startswith("$ ") else ""
        if self.kind in {"python", "pycon"} and self.text.startswith(">>> "):
            return "session"
        if self.name:
            return "file"
        if self.kind == "python":
            return "with" if self.given else "program"
        return "parsed" if self.kind in PARSED else ""

    def commands(self) -> Iterator[tuple[str, str]]:
        """Each command with what the page says that it prints."""
        for step in re.split(r"^\$ ", self.text, flags=re.MULTILINE)[1:]:
            command = re.match(r"(?:.*\\\n)*.*", step)[0]  # type: ignore[index]
            yield command, step[len(command) + 1 :]


def blocks(page: Path) -> list[Block]:
    """All blocks of a page in order, indented ones too."""
    return _blocks_of(page, page.read_text(encoding="utf-8"))


@cache
def _blocks_of(page: Path, text: str) -> list[Block]:
    found = []
    for token in MarkdownIt().parse(text):
        line = token.map[0] + 1 if token.map else 0
        if token.type == "fence":
            kind, _, said = token.info.strip().partition(" ")
            found.append(Block(page, line, kind, said.strip(), token.content))
        elif token.type == "code_block":
            found.append(Block(page, line, "", "", token.content, fenced=False))
        elif token.type == "html_block":
            names = _HIDDEN.findall(token.content)
            found += [Block(page, line, "hidden", name, "") for name in names]
    return found


def faults(page: Path) -> list[str]:
    """Blocks of no known kind, files that don't parse, and code that nothing runs."""
    found = []
    every = blocks(page)
    for number, block in enumerate(every):
        if not block.way:
            found.append(f"{block}: a block of no known kind; tests/site/steps.py lists the kinds")
        if block.way == "not run" and not block.reason.startswith(beside.REASONS):
            known = ", ".join(beside.REASONS)
            found.append(f"{block}: {block.reason!r} is no reason; it begins with one of: {known}")
        if block.way in {"file", "parsed"} and block.kind in PARSED:
            try:
                PARSED[block.kind](block.text)
            except (ValueError, yaml.YAMLError, configparser.Error) as error:
                found.append(f"{block}: {error}")
        if block.way == "file" and block.kind == "python" and not _used(block, every[number + 1 :]):
            found.append(f"{block}: nothing after it runs {block.name}")
    return found


def _used(file: Block, later: list[Block]) -> bool:
    """Whether a later command or session runs a file of Python, its folder, or all tests."""
    stem = Path(file.name).stem
    test = stem.startswith("test_") or stem == "conftest"
    folder = Path(file.name).parent.name
    found = rf"\b{stem}\b" + (r"|^\$ .*\bpytest\b" if test else "")
    if folder:  # a command may be given the folder
        found += rf"|^\$ .*[ /]{re.escape(folder)}\b"
    ways = {"commands", "session", "file"}
    return any(re.search(found, b.text, re.MULTILINE) for b in later if b.way in ways)


def _steady(text: str) -> str:
    """Text without what differs from run to run: seconds, rules of a width, trailing blanks."""
    lines = (re.sub(r"([=_-])\1{5,}", r"\1\1\1\1\1", line).rstrip() for line in text.splitlines())
    return _SECONDS.sub("in 0.05s", "\n".join(lines)).strip("\n")


def same(said: str, printed: str) -> bool:
    """Whether an output is as the page says, with `...` for any text."""
    lines = re.escape(re.sub(r"^\.\.\.$", "\0", said, flags=re.MULTILINE))
    pattern = lines.replace("\0", "(?s:.*)").replace(re.escape("..."), ".*")
    return said == printed or re.fullmatch(pattern, printed) is not None


def _tools(folder: Path) -> dict[str, str]:
    """An environment in which `irmetrics-edu`, `pytest` and `python` are those of this run."""
    bin_ = folder / ".bin"
    bin_.mkdir()
    # A reader has no nbval, which takes seconds to import.
    run = "-m pytest -p no:nbval"
    modules = {"irmetrics-edu": "-m irmetrics_edu", "pytest": run, "python": ""}
    for name, module in modules.items():
        (bin_ / name).write_text(f'#!/bin/sh\nexec {sys.executable} {module} "$@"\n')
        (bin_ / name).chmod(0o755)
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("PYTEST", "COV", "CI", "GIT"))}
    kept = {k: v for k, v in kept.items() if k != "BUILD_NUMBER"}
    return {
        **kept, "PATH": f"{bin_}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT),
        "LC_ALL": "C.UTF-8", "COLUMNS": "80", "PYTHONDONTWRITEBYTECODE": "1",
        "PYTEST_ADDOPTS": f"{_OTHERS} -p no:cacheprovider",
        "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_AUTHOR_NAME": "You", "GIT_AUTHOR_EMAIL": "you@example.org",
        "GIT_COMMITTER_NAME": "You", "GIT_COMMITTER_EMAIL": "you@example.org",
    }  # fmt: skip


def followed(page: Path, folder: Path) -> Iterator[tuple[str, str, str]]:
    """Each step of a page with what the page says that it prints, and what it prints."""
    environment = _tools(folder)
    names: dict[str, Any] = {"__name__": "__main__"}
    loaded = {*sys.modules}

    def ran(command: list[str]) -> str:
        done = subprocess.run(
            command, cwd=folder, env=environment, text=True, check=False, encoding="utf-8",
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        shown = done.stdout.removeprefix("\ufeff")  # the mark of an encoding can't be seen
        return _steady(shown.replace("\r\n", "\n").replace(f"{folder}/", ""))

    for block in blocks(page):
        match block.way:
            case "file":
                _write(folder / block.name, block.text)
            case "commands":
                for command, said in block.commands():
                    yield command, _steady(said), ran(["bash", "-c", command])
            case "program":
                yield f"{block}", "", ran([sys.executable, "-c", block.text])
            case "session":
                yield f"{block}", "", _tried(block, folder, names)
            case "with":
                with contextlib.chdir(folder):
                    beside.GIVEN[block.given](block.text)
            case "hidden":
                beside.HAPPENS[block.said](folder)
    _forget(folder, loaded)


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    if path.suffix == ".py":
        sys.modules.pop(path.stem, None)  # another test's module of that name


@contextlib.contextmanager
def _first_on_path(folder: Path) -> Iterator[None]:
    sys.path.insert(0, str(folder))
    try:
        yield
    finally:
        sys.path.remove(str(folder))


def _forget(folder: Path, loaded: set[str]) -> None:
    """Unload the modules that a page wrote: another page's may have their names."""
    for name in {*sys.modules} - loaded:
        if str(getattr(sys.modules[name], "__file__", "")).startswith(f"{folder}/"):
            del sys.modules[name]


def _tried(block: Block, folder: Path, names: dict[str, Any]) -> str:
    """What doctest has to say of a session: nothing, if it is true."""
    said = io.StringIO()
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS, verbose=False)
    with contextlib.chdir(folder), _first_on_path(folder):
        parser = doctest.DocTestParser()
        test = parser.get_doctest(block.text, names, str(block), block.page.name, 0)
        runner.run(test, out=said.write, clear_globs=False)
    names.update(test.globs)
    return said.getvalue()


def rewritten(page: Path) -> str:
    """The page with what its commands print now, where that is not what it says."""
    lines = page.read_text(encoding="utf-8").split("\n")
    with tempfile.TemporaryDirectory() as folder:
        steps = iter(list(followed(page, Path(folder))))
    changed: list[tuple[Block, str]] = []
    for block in blocks(page):
        text = ""
        for command, _ in block.commands() if block.way == "commands" else ():
            _, said, printed = next(steps)
            shown = said if same(said, printed) else printed
            text += f"$ {command}\n{shown}\n" if shown else f"$ {command}\n"
        if text:
            changed.append((block, text))
        elif block.way in {"session", "program"}:
            next(steps)
    for block, text in reversed(changed):
        end = block.line + block.text.count("\n")
        lines[block.line : end] = text.removesuffix("\n").split("\n")
    return "\n".join(lines)


if __name__ == "__main__":
    for path in map(Path, sys.argv[1:]):
        path.write_text(rewritten(path), encoding="utf-8")
