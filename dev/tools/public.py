"""The public interface, a line for each thing: `make public` accepts what has changed.

Each thing has one of three tiers (`dev/tools/tiers.toml`). `tests/public/interface.txt` holds the
stable lines of the last acceptance, and `provisional.txt` beside it those that a minor version may
change: names with their signatures, commands with their options, what the pytest plugin has, exit
codes, and the fields of files. Of what only teaches no line is kept. `docs/stability.md` says what
a change means for the version.
"""

import argparse
import importlib
import inspect
import json
import pkgutil
import re
import sys
from collections.abc import Iterator
from enum import EnumMeta
from pathlib import Path
from typing import Any

import irmetrics_edu
from dev.tools.site.reference import subparser, with_subcommands
from dev.tools.tiers import TIERS, Tier, tier_of
from irmetrics_edu import cli, gate, pytest_plugin
from irmetrics_edu.conventions import Convention
from irmetrics_edu.metrics.definition import METRICS, Metric, import_all
from irmetrics_edu.views.output import ended, put
from irmetrics_edu.writing import write

PACKAGE = Path(irmetrics_edu.__file__).parent
ACCEPTED = PACKAGE.parent / "tests" / "public"
SNAPSHOTS = {
    Tier.STABLE: ACCEPTED / "interface.txt",
    Tier.PROVISIONAL: ACCEPTED / "provisional.txt",
}


def interface(tier: Tier = Tier.STABLE) -> list[str]:
    """Every public thing of a tier as a line, in order."""
    lines = _lines_of(tier)
    if tier is Tier.STABLE:
        lines = [line for line in lines if not is_new(line)]
    if tier is Tier.PROVISIONAL:
        lines += [line for line in _lines_of(Tier.STABLE) if is_new(line)]
    return sorted(set(lines))


def _lines_of(tier: Tier) -> list[str]:
    """What the wings, commands and files of a tier have, new or not."""
    lines = [*names(tier), *commands(tier), *fields_of_files(tier)]
    if tier is Tier.STABLE:
        lines += [*measures(), *of_plugin(), *exit_codes()]
    return lines


def is_new(line: str) -> bool:
    """Whether a thing of a stable command or file is new, and so provisional for now."""
    return line.startswith(tuple(TIERS["lines"][Tier.PROVISIONAL]))


def wings() -> list[str]:
    """The modules and wings that show names; the package itself is the empty name."""
    modules = [module.name for module in pkgutil.iter_modules(irmetrics_edu.__path__)]
    shown = [""]
    for name in modules:
        if name in ("__main__", "cli"):
            continue
        module = importlib.import_module(f"irmetrics_edu.{name}")
        if getattr(module, "__all__", ()):
            shown.append(name)
    return shown


def names(tier: Tier) -> Iterator[str]:
    """The names of the package and of its wings, with signatures; of classes, their members too.

    What a class above them defines stands under that class, also where no wing shows it. Those that
    the registry makes, a measure's call and its assertion, have a line in `measures`.
    """
    import_all()
    made = {_function_of(metric) for metric in METRICS.values()} | set(_assertions_of_measures())
    for wing in wings():
        if tier_of("wings", wing) is not tier:
            continue
        module = importlib.import_module(f"irmetrics_edu.{wing}".removesuffix("."))
        for name in module.__all__:
            if name not in made:
                yield from _named(f"{module.__name__}.{name}", getattr(module, name))


def _function_of(metric: Metric) -> str:
    """The name under which a measure is called."""
    return str(vars(metric)["__name__"])


def _assertions_of_measures() -> list[str]:
    """The assertions that are made from the registry; each has the keywords of `assert_metric`."""
    written = {name for names in gate.HOMES.values() for name in names.split()}
    names = vars(gate).get("__all__") or dir(gate)
    return [name for name in names if name not in written]


def measures() -> Iterator[str]:
    """Each measure with its call, and with its assertion's name if it has one."""
    import_all()
    assertions = _assertions_of_measures()
    called = set()
    for name, metric in METRICS.items():
        function = _function_of(metric)
        line = f"measure {name}: {function}{signature(metric)}"
        assertion = f"assert_{function}"
        if assertion in assertions:
            line += f", {assertion}"
            called.add(assertion)
        yield line
    for assertion in assertions:
        if assertion not in called:
            yield f"measure of many queries: {assertion}"


def _named(name: str, value: Any) -> Iterator[str]:
    if not callable(value) or isinstance(value, Convention):
        yield f"name {name}: {type(value).__name__}"
        return
    if not inspect.isclass(value) or issubclass(value, BaseException):
        yield f"name {name}{signature(value)}"
        return
    above = [base for base in value.__mro__[1:] if base.__module__.startswith("irmetrics_edu.")]
    of = " of " + ", ".join(base.__name__ for base in above) if above else ""
    yield f"name {name}{signature(value)}{of}"
    inherited: set[str] = set()
    for base in above:
        members = list(_members(base))
        inherited.update(members)
        if not _is_shown(base):  # a user meets what it defines in the classes below it alone
            for line in members:
                yield f"name {base.__module__}.{base.__name__}.{line}"
    for line in _members(value):
        if line not in inherited:  # that of a class above it has a line of its own
            yield f"name {name}.{line}"


def _is_shown(value: type) -> bool:
    """Whether a class is among the names of its wing."""
    package, _, rest = value.__module__.partition(".")
    wing = importlib.import_module(f"{package}.{rest.partition('.')[0]}".removesuffix("."))
    return value.__name__ in getattr(wing, "__all__", ())


def _members(value: type) -> Iterator[str]:
    """What a class defines itself, each with its signature."""
    for member in sorted(vars(value)):
        if member.startswith("_"):
            continue
        static = inspect.getattr_static(value, member)
        function = getattr(static, "__func__", static)
        shown = signature(function) if inspect.isfunction(function) else ""
        yield f"{member}{shown}"


def signature(value: Any) -> str:
    """The parameters with their defaults, without types: those may become more exact.

    >>> signature(irmetrics_edu.ndcg)[:40]
    '(ranking, judgments=None, *, k=None, gai'
    """
    if isinstance(value, EnumMeta):
        return ""  # how an enumeration is called is Python's, and differs between its versions
    try:
        parameters = inspect.signature(value).parameters.values()
    except (TypeError, ValueError):
        return "(...)"
    plain = [
        p.replace(
            annotation=p.empty, default=p.empty if p.default is p.empty else _Default(p.default)
        )
        for p in parameters
    ]
    return re.sub(r" = ", "=", str(inspect.Signature(plain)))


class _Default:
    """A default as it is written in a call."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def __repr__(self) -> str:
        if isinstance(self.value, (Convention, Metric)):
            return str(self.value)
        shown = repr(self.value)
        return "..." if " at 0x" in shown or len(shown) > 40 else shown


def commands(tier: Tier) -> Iterator[str]:
    """Every command with its options and what they choose from."""
    for name in cli.COMMANDS:
        if tier_of("commands", name) is not tier:
            continue
        for parser in with_subcommands(subparser(cli.parser(name), name)):
            called = parser.prog.removeprefix("irmetrics-edu ")
            for action in parser._actions:  # noqa: SLF001 -- argparse has no other list of them
                if isinstance(action.choices, dict) or action.dest == "help":
                    continue
                written = " ".join(action.option_strings) or f"<{action.dest}>"
                chosen = f" {{{','.join(map(str, action.choices))}}}" if action.choices else ""
                yield f"command {called} {written}{chosen}"


def of_plugin() -> Iterator[str]:
    """The fixtures, options and ini keys of the pytest plugin."""
    for name, shape, _ in (*pytest_plugin.OPTIONS, *pytest_plugin.POLICY):
        yield f"pytest --irm-{name.replace('_', '-')}={shape}"
        yield f"pytest ini irm_{name}"
    for name in {n for n in vars(pytest_plugin) if n.startswith("irm_")}:
        yield f"pytest fixture {name}"


def exit_codes() -> Iterator[str]:
    """What a command's exit code says."""
    for name in ("FINE", "FAILED", "BAD_INPUT"):
        yield f"exit code {getattr(cli, name)}: {name.lower()}"


def fields_of_files(tier: Tier) -> Iterator[str]:
    """The fields of each file that has a schema, with their types."""
    for path in sorted(PACKAGE.rglob("*.schema.json")):
        of = path.name.removesuffix(".schema.json")
        if tier_of("files", of) is not tier:
            continue
        for place, kind in _fields(json.loads(path.read_text(encoding="utf-8")), ""):
            yield f"file {of} {place}: {kind}"


_INNER = ("items", "additionalProperties", "anyOf", "oneOf", "allOf", "prefixItems")


def _fields(schema: Any, place: str) -> Iterator[tuple[str, str]]:
    """The fields of a schema and of all within it, with a ? behind those that may be missing."""
    if isinstance(schema, list):
        for inner in schema:
            yield from _fields(inner, place)
    if not isinstance(schema, dict):
        return
    own = schema.get("properties", {})
    for name, inner in own.items():
        needed = "" if name in schema.get("required", ()) else "?"
        yield f"{place}/{name}{needed}", _kind(inner)
    for name, inner in (own | schema.get("$defs", {})).items():
        yield from _fields(inner, f"{place}/{name}")
    for name in _INNER:
        yield from _fields(schema.get(name), place)


def _kind(schema: Any) -> str:
    if not isinstance(schema, dict):
        return "any"
    if "const" in schema or "enum" in schema:
        return json.dumps(schema.get("const", schema.get("enum")))
    kind = schema.get("type", schema.get("$ref", "any"))
    return " or ".join(map(str, kind)) if isinstance(kind, list) else str(kind)


def compared(old: list[str], new: list[str], tier: Tier = Tier.STABLE) -> list[str]:
    """What has changed since the last acceptance; nothing if it is the same."""
    gone = [f"- {line}" for line in old if line not in set(new)]
    added = [f"+ {line}" for line in new if line not in set(old)]
    if not gone and not added:
        return []
    advice = "This is new: say it in docs/changelog.md."
    if gone and tier is Tier.STABLE:
        advice = (
            "Users rely on what is gone or changed: keep it for a minor version, with a warning."
        )
    elif gone:
        advice = "A minor version may change this, with a line in docs/changelog.md."
    rules = "docs/stability.md has the rules; `make public` accepts it."
    return [*gone, *added, f"{advice} {rules}"]


def accepted(tier: Tier) -> list[str]:
    """The lines of a tier that were accepted last."""
    snapshot = SNAPSHOTS[tier]
    if not snapshot.exists():
        return []
    return snapshot.read_text(encoding="utf-8").splitlines()


def main(arguments: list[str] | None = None) -> int:
    """Accept the interface as it is, and print what has changed."""
    argparse.ArgumentParser(prog="python -m dev.tools.public", description=__doc__).parse_args(
        arguments
    )
    printed = []
    for tier, snapshot in SNAPSHOTS.items():
        new = interface(tier)
        changes = compared(accepted(tier), new, tier)
        if changes:
            write(snapshot, "\n".join([*new, ""]))
            printed += [f"{tier}:", *changes[:-1]]
    put("\n".join(printed) or "nothing has changed")
    return 0


if __name__ == "__main__":
    sys.exit(ended("dev.tools.public", main))
