"""The reference, generated from the code: commands, the pytest plugin, functions and classes."""

import argparse
import importlib
import inspect
import re
from collections.abc import Iterator
from functools import partial
from typing import Any

import irmetrics_edu
from irmetrics_edu import cli, pytest_plugin
from irmetrics_edu.metrics.definition import Metric
from irmetrics_edu.plugin.names import ASSERTIONS
from irmetrics_edu.site.markup import fenced, table
from irmetrics_edu.views import escaping

_WIDTH = 96
_GUIDE = (
    "Every fixture, marker and option. The guide is [ranking tests with pytest](pytest-plugin.md)."
)
_MARKERS = """- `@pytest.mark.irm_hint`: failures show no expected values.
- `@pytest.mark.irm_baseline(max_drop=..., confidence=..., ...)`: what gates let through, by the
  names of their keywords."""
_EXAMPLE = re.compile(r"^( *)>>> ", re.MULTILINE)


def docstring(of: Any, *, without_first: bool = False) -> str:
    """A docstring as Markdown: its examples and what is set in as code stay as they are."""
    text = inspect.getdoc(of) or ""
    if without_first:
        text = text.partition("\n")[2].strip()
    blocks = []
    for block in re.split(r"\n{2,}", text):
        if _EXAMPLE.match(block):
            blocks.append(fenced(block, "pycon"))
        elif block.startswith("    "):
            blocks.append(fenced(inspect.cleandoc(block), "text"))
        else:
            blocks.append(block)
    return "\n\n".join(blocks)


def commands() -> str:
    """Every command of `irmetrics-edu` with all that its help says."""
    lines = [(f"[`{name}`](#irmetrics-edu-{name})", what) for name, _, what in cli.COMMANDS]
    said = "`irmetrics-edu COMMAND --help` prints the same."
    parts = ["# Commands", said, table(("command", "what it does"), lines)]
    for name, _, _ in cli.COMMANDS:
        for parser in _with_subcommands(_subparser(cli.parser(name), name)):
            level = "##" if parser.prog.count(" ") == 1 else "###"
            parts += [f"{level} {parser.prog}", fenced(_help(parser), "text")]
    return "\n\n".join([*parts, ""])


def _subparser(parser: argparse.ArgumentParser, name: str) -> argparse.ArgumentParser:
    return next(p for n, p in _choices(parser) if n == name)


def _choices(parser: argparse.ArgumentParser) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    for action in parser._actions:  # noqa: SLF001 -- argparse has no other way to its subparsers
        if isinstance(action.choices, dict):
            yield from action.choices.items()


def _with_subcommands(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    yield parser
    for _, inner in _choices(parser):
        yield from _with_subcommands(inner)


def _help(parser: argparse.ArgumentParser) -> str:
    """The help at one width, whatever the terminal's."""
    shape: Any = parser.formatter_class
    parser.formatter_class = partial(shape, width=_WIDTH)
    return parser.format_help()


def plugin() -> str:
    """Every fixture, marker and option of the pytest plugin."""
    options = (*pytest_plugin.OPTIONS, *pytest_plugin.POLICY)
    lines = [
        (f"`--irm-{name.replace('_', '-')}={shape}`".replace("|", "\\|"), escaping.markdown(what))
        for name, shape, what in options
    ]
    prune = "remove baselines whose test is gone; needs a run of all tests"
    lines.append(("`--irm-prune` (no twin)", prune))
    parts = [
        "# pytest plugin",
        _GUIDE,
        "## Options",
        "Each option has a twin in the ini file: `--irm-max-drop` is `irm_max_drop` there.",
        table(("option", "what it does"), lines),
        "## Markers",
        _MARKERS,
        "## Fixtures",
    ]
    for name in ("irm_run", "irm_qrels", "irm_baseline", *_other_fixtures()):
        parts += [f"### {name}", docstring(_plain(getattr(pytest_plugin, name)))]
    parts += ["### Assertions", "Each is a fixture, and a function of `irmetrics_edu.assertions`."]
    module = importlib.import_module("irmetrics_edu.assertions")
    for name in ASSERTIONS:
        parts += _function(name, getattr(module, name), "####")
    return "\n\n".join([*parts, ""])


def _other_fixtures() -> list[str]:
    told = {"irm_run", "irm_qrels", "irm_baseline", *(f"irm_{name}" for name in ASSERTIONS)}
    return sorted(
        name for name in vars(pytest_plugin) if name.startswith("irm_") and name not in told
    )


def _plain(fixture: Any) -> Any:
    """The function behind a fixture, whichever pytest wraps it."""
    return getattr(fixture, "__wrapped__", None) or fixture.__pytest_wrapped__.obj


def functions() -> str:
    """Every public name of the package that is no metric, with its signature and examples."""
    said = "The public names of `irmetrics_edu`. Each metric has [a page of its own](metrics.md)."
    parts = ["# Functions and classes", said]
    for name in sorted(irmetrics_edu.__all__, key=str.casefold):
        value = getattr(irmetrics_edu, name)
        if isinstance(value, Metric) or inspect.ismodule(value) or not callable(value):
            continue
        parts += _function(name, value, "##")
    return "\n\n".join([*parts, ""])


def _function(name: str, value: Any, level: str) -> list[str]:
    try:
        signature = str(inspect.signature(value))
    except (TypeError, ValueError):
        signature = "(...)"
    signature = re.sub(r"irmetrics_edu\.[\w.]*\.", "", signature)
    return [f"{level} {name}", fenced(f"{name}{signature}", "python"), docstring(value)]
