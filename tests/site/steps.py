"""The pages of `docs/` as somebody follows them: files are written, commands run, examples tried.

A block of code whose fence names a file is written there. In a `console` block each line with `$ `
is run in the page's folder, and what follows it is what it prints. `python -m tests.site.steps
PAGE` writes anew what the commands print.
"""

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
_BLOCK = re.compile(r"```(\w+)(?: (\S+))?\n(.*?)```", re.DOTALL)
_SECONDS = re.compile(r"in \d+\.\d+s\b")


def _steady(text: str) -> str:
    """Text without what differs from run to run: seconds, rules of a width, trailing blanks."""
    lines = (re.sub(r"([=_-])\1{5,}", r"\1\1\1\1\1", line).rstrip() for line in text.splitlines())
    return _SECONDS.sub("in 0.05s", "\n".join(lines)).strip("\n")


def _tools(folder: Path) -> dict[str, str]:
    """An environment in which `irmetrics-edu`, `pytest` and `python` are those of this run."""
    bin_ = folder / ".bin"
    bin_.mkdir()
    modules = {"irmetrics-edu": "-m irmetrics_edu", "pytest": "-m pytest", "python": ""}
    for name, module in modules.items():
        (bin_ / name).write_text(f'#!/bin/sh\nexec {sys.executable} {module} "$@"\n')
        (bin_ / name).chmod(0o755)
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("PYTEST", "COV", "CI"))}
    return {
        **kept, "PATH": f"{bin_}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT),
        "LC_ALL": "C.UTF-8", "COLUMNS": "80", "PYTHONDONTWRITEBYTECODE": "1",
    }  # fmt: skip


def followed(page: Path, folder: Path) -> Iterator[tuple[str, str, str]]:
    """Each command of a page with what the page says that it prints, and what it prints."""
    environment = _tools(folder)
    for kind, name, text in _BLOCK.findall(page.read_text(encoding="utf-8")):
        if name:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text, encoding="utf-8")
        elif kind == "console":
            for step in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
                command, _, said = step.partition("\n")
                done = subprocess.run(
                    ["bash", "-c", command], cwd=folder, env=environment, text=True, check=False,
                    stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8",
                )  # fmt: skip
                yield command, _steady(said), _steady(done.stdout.replace(f"{folder}/", ""))


def examples(page: Path) -> str:
    """The Python sessions of a page, one after the other."""
    found = _BLOCK.findall(page.read_text(encoding="utf-8"))
    return "\n\n".join(text for kind, _, text in found if kind == "pycon")


def rewritten(page: Path) -> str:
    """The page with what its commands print now."""
    with tempfile.TemporaryDirectory() as folder:
        printed = iter([said for _, _, said in followed(page, Path(folder))])

    def block(match: re.Match[str]) -> str:
        kind, name, text = match.groups()
        if kind != "console" or name or "$ " not in text:
            return match[0]
        steps = re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]
        said = [f"$ {step.partition(chr(10))[0]}\n{out}\n" if (out := next(printed)) else
                f"$ {step.partition(chr(10))[0]}\n" for step in steps]  # fmt: skip
        return f"```console\n{''.join(said)}```"

    return _BLOCK.sub(block, page.read_text(encoding="utf-8"))


if __name__ == "__main__":
    for path in map(Path, sys.argv[1:]):
        path.write_text(rewritten(path), encoding="utf-8")
