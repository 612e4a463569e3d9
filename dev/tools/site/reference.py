"""The reference, generated from the code: commands, the pytest plugin, functions and classes."""

import argparse
import importlib
import inspect
import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import irmetrics_edu
from dev.tools.generate import WINGS
from dev.tools.site.markup import FILTER, fenced, table
from dev.tools.tiers import note, tier_of
from irmetrics_edu import cli, pytest_plugin
from irmetrics_edu.gate import ASSERTIONS, policy
from irmetrics_edu.gate.plugin.baseline_fixture import BaselineGate
from irmetrics_edu.gate.plugin.loading import loader
from irmetrics_edu.metrics.definition import Metric
from irmetrics_edu.views import escaping

_WIDTH = 96
_GUIDE = (
    "Every fixture, marker and option. The guide is [ranking tests with pytest](pytest-plugin.md)."
)
_MARKERS = """A marker is for a test, a class or a module (`pytestmark`).

- `@pytest.mark.irm_hint`: failures show no expected values and no judgments.
- `@pytest.mark.irm_baseline(policy, margin, *, KEYWORD=...)`: what the gates `irm_baseline`
  and `assert_no_regression` let through. `policy` and `margin` may stand without their names.
  The keywords are {}. The marker that is closest to the test goes first."""
_TWINS = """Each option has a twin in the ini file (`pytest.ini`, `pyproject.toml`, ...), but for
`--irm-prune`. A keyword of the call goes before a marker, a marker before the command line, and the
command line before the ini file. An option that can't be followed ends the session with 4 before
any test runs."""
_RULES = """**Where the file lies.** In the folder of the test: `irm_baselines.json`. Each
folder of tests has its own file. An entry has the key `FILE::TEST`, or `FILE::TEST #NAME` if the
call has `name=`. Two calls of one test without different names are an error.
[Its fields](files-plugin.md#baselines) are in the reference of files.

**When it is written.** At the end of the session, by the main process, if you ask for it:

- `--irm-update=new` writes the baselines that are not there yet.
- `--irm-update=failing` writes those whose gate fails, and those that are outdated.
- `--irm-update=all` writes every baseline anew.

In CI (`CI` or `BUILD_NUMBER` is set) these options are refused. A test that fails keeps nothing,
and a run whose retriever failed makes no baseline. Without a baseline the test fails, and the
message says how to write one. A file that can't be read is never written over. If two sessions
write, one waits for the other.

**When it is stale.** A baseline is stale if its file of tests is gone, or if that file was
collected and the test is not in it any more. Nothing is called stale in a session that may not have
seen the test: single tests were asked for, a file could not be collected, `--lf`, `--stepwise` or
`--ignore` left some out, or a plugin of shards or a `conftest.py` took some out. The summary and
the report list what is stale. Only `--irm-prune` removes it, in a session that collected and ran
every test, and never in CI.

**When it is outdated.** The test then fails and says why: the conventions are not those of the run,
no query of the baseline is judged any more, the entry can't be read, or it has no scores of the
queries that its run lacked (an earlier release wrote it). If the judgments changed,
the rankings that it keeps are scored by the new judgments, and a `BaselineWarning` says so. A
measure that it does not have is scored from these rankings, too. If it keeps too few documents for
that, it is outdated.

**What is compared.** The queries that both sides have. A judged query that a run lacks scores 0,
unless the conventions leave it out. A query that is new, or gone from the judgments, is compared
with nothing, and the message counts such queries. If more than the share `max_gone` of the
baseline's queries is gone, the gate fails. `--irm-update=failing` accepts it. What is written names
each mean that changed, the queries that the run lacks, and the queries that are gone."""
_EXAMPLE = re.compile(r"^( *)>>> ", re.MULTILINE)
_ITEM = re.compile(r"^(\d*)([-+*#>.)]) ", re.MULTILINE)


def docstring(of: Any, *, without_first: bool = False) -> str:
    """A docstring as Markdown, with examples and indented code unchanged."""
    text = inspect.getdoc(of) or ""
    if without_first:
        text = text.partition("\n")[2].strip()
    blocks = []
    for block in re.split(r"\n{2,}", text):
        if _EXAMPLE.match(block):
            blocks.append(fenced(block, "pycon"))
        elif block.startswith("    "):
            blocks.append(fenced(inspect.cleandoc(block), "text"))
        else:  # A line that goes on with "1. " or "- " begins no list.
            is_list = _ITEM.match(block)
            blocks.append(block if is_list else _ITEM.sub(r"\1\\\2 ", block))
    return "\n\n".join(blocks)


def commands() -> str:
    """Every command of `irmetrics-edu` with all that its help says."""
    lines = [(f"[`{name}`](#irmetrics-edu-{name})", what) for name, what in cli.COMMANDS.items()]
    said = "`irmetrics-edu COMMAND --help` prints the same."
    parts = ["# Commands", said, table(("command", "what it does"), lines)]
    for name in cli.COMMANDS:
        for parser in with_subcommands(subparser(cli.parser(name), name)):
            level = "##" if parser.prog.count(" ") == 1 else "###"
            parts.append(f"{level} {parser.prog}")
            if level == "##":
                parts.append(note(tier_of("commands", name)))
            parts.append(fenced(_help(parser), "text"))
    return "\n\n".join([*parts, ""])


def subparser(parser: argparse.ArgumentParser, name: str) -> argparse.ArgumentParser:
    """The parser of a command."""
    return next(p for n, p in _choices(parser) if n == name)


def _choices(parser: argparse.ArgumentParser) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    for action in parser._actions:  # noqa: SLF001 -- argparse has no other way to its subparsers
        if isinstance(action.choices, dict):
            yield from action.choices.items()


def with_subcommands(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    """A parser, and those of its steps."""
    yield parser
    for _, inner in _choices(parser):
        yield from with_subcommands(inner)


def _help(parser: argparse.ArgumentParser) -> str:
    """The help at one width, whatever the terminal's."""
    shape: Any = parser.formatter_class
    parser.formatter_class = partial(shape, width=_WIDTH)
    return parser.format_help()


def plugin() -> str:
    """Every fixture, marker and option of the pytest plugin."""
    options = (*pytest_plugin.OPTIONS, *pytest_plugin.POLICY)
    lines = [
        (f"`{_option(name)}={shape}`".replace("|", "\\|"), f"`irm_{name}`", escaping.markdown(what))
        for name, shape, what in options
    ]
    prune = "remove baselines whose test is gone; needs a run of all tests"
    lines.append(("`--irm-prune`", "", prune))
    keywords = ", ".join(f"`{name}`" for name in policy.NAMES)
    parts = [
        "# pytest plugin",
        _GUIDE,
        "## Options",
        _TWINS,
        table(("option", "ini key", "what it does"), lines),
        "## Markers",
        _MARKERS.format(keywords),
        "## Fixtures",
    ]
    called = {
        "irm_run": loader(Path(), "run"),
        "irm_qrels": loader(Path(), "qrels"),
        "irm_baseline": partial(BaselineGate.__call__, None),  # type: ignore[arg-type]  # bound to nothing, to read its signature
    }
    for name in (*called, *_other_fixtures()):
        signature = _signature(name, called[name]) if name in called else ""
        parts += [f"### {name}", signature, docstring(_plain(getattr(pytest_plugin, name)))]
    parts += [
        "#### What it takes",
        docstring(BaselineGate.__call__),
        docstring(policy.Policy),
        "#### The rules of baselines",
        _RULES,
    ]
    parts += ["### Assertions", _ASSERTIONS]
    module = importlib.import_module("irmetrics_edu.gate")
    for name in ASSERTIONS:
        parts += _function(name, getattr(module, name), "####")
    return "\n\n".join([*parts, ""])


_ASSERTIONS = (
    "Each is a function of `irmetrics_edu.gate`. "
    f"These are fixtures, too: {', '.join(f'`{name}`' for name in pytest_plugin.LISTED)}."
)


def _option(name: str) -> str:
    return f"--irm-{name.replace('_', '-')}"


def _other_fixtures() -> list[str]:
    told = {"irm_run", "irm_qrels", "irm_baseline", *(f"irm_{name}" for name in ASSERTIONS)}
    return sorted(
        name for name in vars(pytest_plugin) if name.startswith("irm_") and name not in told
    )


def _plain(fixture: Any) -> Any:
    """The function behind a fixture, in every version of pytest."""
    return getattr(fixture, "__wrapped__", None) or fixture.__pytest_wrapped__.obj


def functions() -> str:
    """Every public name of the package except metrics, with its signature and examples."""
    said = (
        "The public names of `irmetrics_edu`, and of its wings. Each metric has [a page of its "
        "own](metrics.md)."
    )
    lines: list[tuple[str, str, str]] = []
    parts: list[str] = []
    wings = (importlib.import_module(f"irmetrics_edu.{wing}") for wing in WINGS)
    for module in (irmetrics_edu, *wings):
        wing = module.__name__.removeprefix("irmetrics_edu").removeprefix(".")
        parts.append(f"## {module.__name__}")
        parts.append(note(tier_of("wings", wing)))
        for name in sorted(vars(module)["__all__"], key=str.casefold):
            value = getattr(module, name)
            if isinstance(value, Metric) or inspect.ismodule(value) or not callable(value):
                continue
            # Labels don't tell capitals apart, and a class may share its name with a function.
            label = f"{'class' if inspect.isclass(value) else 'function'}-{name}".lower()
            what = docstring(value).partition("\n")[0]
            lines.append((f"[`{name}`](#{label})", what, f"`{module.__name__}`"))
            parts += [f"({label})=", *_function(name, value, "###")]
    names = table(("name", "what it is", "import it from"), lines)
    return "\n\n".join(["# Functions and classes", said, FILTER, names, *parts, ""])


def _function(name: str, value: Any, level: str) -> list[str]:
    return [f"{level} {name}", _signature(name, value), docstring(value)]


def _signature(name: str, value: Any) -> str:
    try:
        signature = str(inspect.signature(value))
    except (TypeError, ValueError):
        signature = "(...)"
    signature = re.sub(r"(irmetrics_edu|collections)\.[\w.]*\.", "", signature)
    return fenced(f"{name}{signature}", "python")
