"""`irmetrics-edu completion bash`: a script by which a shell completes commands and options.

The words of every command are written into the script, so that no Python is started at the key.
"""

import argparse
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from shlex import quote
from typing import Any

from irmetrics_edu.views.output import put

EXAMPLES = ("completion bash", "completion fish")
_PROGRAM = "irmetrics-edu"
_MEASURES = {"metric", "measures"}  # what takes names of measures


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's own arguments."""
    parser.add_argument("shell", choices=tuple(_SCRIPTS), help="the shell that is to complete")


def run(args: argparse.Namespace) -> int:
    """Print the script."""
    levels = list(_levels(args.parser_of(None), args.parser_of))
    put(_SCRIPTS[args.shell](levels))
    return 0


@dataclass(frozen=True)
class _Option:
    """An option, what it does, and what it takes: nothing, some words, or a file."""

    names: Sequence[str]
    about: str
    takes_value: bool
    words: Sequence[str]


@dataclass(frozen=True)
class _Level:
    """Where one stands on the line: after these commands there are words, options and files."""

    path: tuple[str, ...]
    commands: dict[str, str]  # with what each does
    words: Sequence[str]  # of the first argument that is no option
    options: Sequence[_Option]


def _levels(
    parser: argparse.ArgumentParser,
    parser_of: Callable[[str | None], argparse.ArgumentParser],
    path: tuple[str, ...] = (),
) -> Iterator[_Level]:
    """The levels of a parser: itself, and those of its commands."""
    commands = _commands(parser)
    yield _Level(
        path,
        {} if commands is None else {a.dest: a.help or "" for a in commands._choices_actions},  # noqa: SLF001 -- as below
        _first_words(parser),
        [_option(a) for a in _actions(parser) if a.option_strings],
    )
    for name in () if commands is None else commands.choices:
        # At the top, only the chosen command's own arguments are loaded.
        chosen = commands if path else _commands(parser_of(name))
        if chosen is not None:
            yield from _levels(chosen.choices[name], parser_of, (*path, name))


def _actions(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    return parser._actions  # noqa: SLF001 -- argparse has no other list of them


def _commands(parser: argparse.ArgumentParser) -> Any:
    """The action that holds the commands of a parser; None if it has none."""
    kind = argparse._SubParsersAction  # noqa: SLF001 -- argparse has no public name for it
    return next((action for action in _actions(parser) if isinstance(action, kind)), None)


def _first_words(parser: argparse.ArgumentParser) -> Sequence[str]:
    """What the first argument that is no option may be."""
    positional = [action for action in _actions(parser) if not action.option_strings]
    if not positional or _commands(parser) is not None:
        return ()
    return _words(positional[0])


def _option(action: argparse.Action) -> _Option:
    about = " ".join((action.help or "").replace("%%", "%").split())
    return _Option(
        action.option_strings,
        about,
        takes_value=action.nargs != 0,
        words=_words(action),
    )


def _words(action: argparse.Action) -> Sequence[str]:
    """What an argument may be, as far as that is a list of words."""
    if action.choices is not None:
        return [str(choice) for choice in action.choices]
    if action.dest in _MEASURES or "--measures" in action.option_strings:
        from irmetrics_edu.metrics.definition import METRICS, import_all

        import_all()
        return sorted(METRICS)
    if action.dest == "conventions":
        from irmetrics_edu.libraries import BUNDLES

        return sorted(BUNDLES)
    if action.dest == "ties":
        from irmetrics_edu.conventions import Ties

        return sorted(Ties.values)
    return ()


def _listed(words: Sequence[str]) -> str:
    return quote(" ".join(words))


def _of_bash(levels: Sequence[_Level]) -> str:
    """The script of bash: a case for each level, one for each option that takes words."""
    names: list[str] = []
    here: list[str] = []
    values: list[str] = []
    for level in levels:
        at = "/" + "/".join(level.path)
        if level.path:
            names.append(at)
        options = [name for option in level.options for name in option.names]
        words = [*level.commands] or level.words
        here.append(f"    {at}) opts={_listed(options)}; list={_listed(words)};;")
        for option in level.options:
            if option.takes_value:
                of_option = "|".join(f"{at}:{name}" for name in option.names)
                values.append(f"    {of_option}) takes=1; list={_listed(option.words)};;")
    return "\n".join(
        [
            f"# Completes {_PROGRAM}; written by `{_PROGRAM} completion`.",
            "_irmetrics_edu() {",
            '  local cur="${COMP_WORDS[COMP_CWORD]}" at=/ opts= list= takes= given= last= word i',
            "  for ((i = 1; i < COMP_CWORD; i++)); do",
            '    word="${COMP_WORDS[i]}"; [ "$word" = = ] && continue',
            '    case "${at%/}/$word" in',
            f'    {"|".join(names)}) at="${{at%/}}/$word"; given=; last=;;',
            '    *) case "$word" in',
            '       -*) last="$word";;',
            '       *) [ -z "$last" ] && given=1; last=;;',
            "       esac;;",
            "    esac",
            "  done",
            '  [ "$cur" = = ] && cur=',
            '  case "$at" in',
            *here,
            "  esac",
            '  [ -n "$given" ] && list=',
            '  case "$at:$last" in',
            *values,
            "  esac",
            '  case "$takes$cur" in -*) list="$opts";; esac',
            '  COMPREPLY=($(compgen -W "$list" -- "$cur"))',
            "}",
            f"complete -o bashdefault -o default -F _irmetrics_edu {_PROGRAM}",
        ]
    )


def _of_zsh(levels: Sequence[_Level]) -> str:
    """The script of zsh, which can take that of bash."""
    begin = "autoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit"
    return f"{begin}\n{_of_bash(levels)}"


def _of_fish(levels: Sequence[_Level]) -> str:
    """The script of fish: a line for each command and each option."""
    lines = [f"# Completes {_PROGRAM}; written by `{_PROGRAM} completion`."]
    for level in levels:
        seen = [f"__fish_seen_subcommand_from {name}" for name in level.path]
        where = seen or ["true"]
        if level.commands:
            where = [*seen, f"not __fish_seen_subcommand_from {' '.join(level.commands)}"]
        start = f"complete -c {_PROGRAM} -n {quote('; and '.join(where))}"
        for name, about in level.commands.items():
            lines.append(f"{start} -f -a {name} -d {quote(about)}")
        if level.words:
            lines.append(f"{start} -f -a {_listed(level.words)}")
        lines += [start + _fish_option(option) for option in level.options]
    return "\n".join(lines)


def _fish_option(option: _Option) -> str:
    short = [f"-s {name[1:]}" for name in option.names if not name.startswith("--")]
    long = [f"-l {name[2:]}" for name in option.names if name.startswith("--")]
    parts = ["", *short, *long]
    if option.words:
        parts.append(f"-x -a {_listed(option.words)}")
    elif option.takes_value:
        parts.append("-r")
    parts.append(f"-d {quote(option.about.partition(';')[0][:80])}")
    return " ".join(parts)


_SCRIPTS: dict[str, Callable[[Sequence[_Level]], str]] = {
    "bash": _of_bash,
    "zsh": _of_zsh,
    "fish": _of_fish,
}
