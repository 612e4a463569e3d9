"""The command line: `irmetrics-edu COMMAND ...`."""

import argparse
import importlib
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NoReturn

from irmetrics_edu import __version__
from irmetrics_edu.commands.options import add_examples, limits_of, sentence
from irmetrics_edu.errors import Avoidable, InputError
from irmetrics_edu.views.output import BAD_INPUT, FAILED, FINE, ended, put

# What each command does. Its module under `commands` is imported when it is called.
COMMANDS = {
    "reproduce": "recompute every number and formula printed in the documents",
    "evaluate": "score a run against judgments",
    "compare": "compare runs with a baseline, query by query, with tests",
    "explain": "show how a score comes about, step by step",
    "diagnose": "name the conventions or the mistake behind a number",
    "reconcile": "say what differs between two numbers of one measure",
    "playground": "write a web page that finds out which nDCG a number is",
    "conformance": "write test vectors, and run libraries against them",
    "metrics": "list the metrics with their definitions and conventions",
    "conventions": "list which conventions each library follows",
    "judgments": "list what to judge, merge grades, show agreement, find trouble",
    "study": "tell whether a gain in diversity counts, for trained recommenders or your lists",
    "baseline": "show, compare, rename and merge the baselines of gates",
    "gate": "say how often a gate decides, and how many queries it needs",
    "history": "show the measures of gates over commits, and what drifts",
    "report": "put the reports of several test sessions together",
    "grade": "mark submissions of the exercises, with feedback for each student",
    "course": "write the chapters and the exercises of the course",
    "exercises": "build exercises: a copy for all, or one for each student",
    "questions": "write a bank of quiz questions for Moodle or Canvas, or an exam with its key",
    "demo-collection": "write a test collection with judgments and three runs",
    "completion": "print a script by which your shell completes commands and options",
}

# Options that people write for ours, where these are spelt otherwise.
_MEANT = {
    "--queries": "--only",
    "--topics": "--only",
    "--subset": "--only",
    "--fold": "--only",
    "--dev": "--only",
    "--segments": "--groups",
    "--by": "--groups",
    "--frequencies": "--weights",
    "--labels": "--names",
    "--metric": "--measure",
    "--metrics": "--measure",
    "--texts": "--queries",
    "--qrels": "--judged",
    "--library": "--conventions",
    "--like": "--conventions",
    "--alpha": "--level",
    "--significance": "--level",
    "--sort": "--worst",
    "--decimals": "--digits",
    "--precision": "--digits",
    "--tie-breaking": "--ties",
}
# And those for which there is another way, if the command has the option of it, or none is needed.
_OTHER_WAYS = {
    **dict.fromkeys(("-k", "--k", "--cutoff", "--top", "--topk", "--depth"), "-m nDCG@10"),
    **{f"--{form}": f"--format {form}" for form in ("json", "csv", "html", "latex", "markdown")},
    "--tex": "--format latex",
    "--md": "--format markdown",
    **dict.fromkeys(("-o", "--output", "--out", "--save"), "> FILE"),
    **dict.fromkeys(("--run", "--runs", "-r"), "RUN"),
    **dict.fromkeys(("--qrels", "--judgments", "-q"), "QRELS"),
}
_COMMANDS_MEANT = {
    "score": "evaluate",
    "measure": "evaluate",
    "diff": "compare",
    "test": "compare",
    "why": "diagnose",
    "list": "metrics",
    "libraries": "conventions",
    "qrels": "judgments",
    "lint": "judgments lint",
    "unjudged": "judgments unjudged",
    "plan": "gate plan",
    "demo": "demo-collection",
}

__all__ = ["BAD_INPUT", "COMMANDS", "FAILED", "FINE", "main", "parser"]


class Parser(argparse.ArgumentParser):
    """A parser that reports errors as all other code does."""

    def error(self, message: str) -> NoReturn:
        """End with the exit code of bad input: arguments are input too."""
        raise InputError(f"{message} (for all options: {self.prog} --help)")

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Refuse what is left over here, where the message names this command's own help."""
        parsed, extra = super().parse_known_args(args, namespace)
        if extra:
            meant = self._other_way(extra) or self._options_like(extra)
            meant = meant or self._measures_like(parsed, extra) or self._runs_like(extra)
            self.error(f"unrecognized arguments: {' '.join(extra)}{meant}")
        return parsed, extra

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Refuse what is no choice of an option, by the choice that was probably meant."""
        if action.choices is None or value in action.choices:
            return
        choices = [str(choice) for choice in action.choices]
        near = _alike(str(value), choices)
        meant = f"did you mean {near[0]}? " if near else ""
        listed = ", ".join(repr(choice) for choice in action.choices)
        raise argparse.ArgumentError(
            action, f"invalid choice: {value!r} ({meant}choose from {listed})"
        )

    def _options_like(self, words: Sequence[str]) -> str:
        """The options that were probably meant by words that look like options."""
        meant: list[str] = []
        for word in words:
            option = word.partition("=")[0]
            if option.startswith("--"):
                same = _MEANT.get(option, "")
                is_here = same in self._option_string_actions
                meant += [same] if is_here else _alike(option, self._option_string_actions)
        return f"; did you mean {', '.join(meant)}?" if meant else ""

    def _other_way(self, words: Sequence[str]) -> str:
        """How to say what an option would, where there is no such option."""
        for word in words:
            way = _OTHER_WAYS.get(word.partition("=")[0], "")
            option = way.partition(" ")[0]
            if option.startswith("-") and option in self._option_string_actions:
                return f"; write {way}"
            if option == ">":
                return f"; it is printed, so send it to a file: {way}"
            if option and option in self._places():
                return f"; it is given without an option: {self.usage_of_places()}"
        return ""

    def usage_of_places(self) -> str:
        """The command with what it takes by its place: irmetrics-edu evaluate QRELS RUN."""
        named = []
        for name, action in self._places().items():
            named.append(f"{name} ..." if action.nargs else name)
        return " ".join([self.prog, *named])

    def _places(self) -> dict[str, argparse.Action]:
        """What the command takes by its place, by the name in its help."""
        return {str(a.metavar or a.dest): a for a in self._actions if not a.option_strings}

    def _runs_like(self, words: Sequence[str]) -> str:
        """The command that takes several runs, behind one that takes a single one."""
        run = self._places().get("RUN")
        if run is None or run.nargs or any(word.startswith("-") for word in words):
            return ""
        return "; for several runs: irmetrics-edu compare QRELS RUN RUN"

    def _measures_like(self, parsed: argparse.Namespace, words: Sequence[str]) -> str:
        """How to give measures that stand behind the one that -m takes, if it takes several."""
        measures: list[str] | None = getattr(parsed, "measures", None)
        if not measures:
            return ""
        from irmetrics_edu.metrics.notation import parse

        for word in words:
            try:
                parse(word)
            except InputError:
                return ""
        return f"; several measures stand in quotes: -m '{' '.join([*measures, *words])}'"

    def print_help(self, _file: Any = None) -> None:
        """Print help as all other output: argparse would not notice a closed pipe."""
        put(self.format_help().rstrip())


class _Version(argparse.Action):
    """Prints the version as all other output: argparse would not notice a full disk."""

    def __call__(self, *_given: Any) -> NoReturn:
        """Print it and end."""
        put(f"irmetrics-edu {__version__}")
        raise SystemExit(FINE)


def _alike(word: str, words: Iterable[str]) -> list[str]:
    """The known word that is nearest to a misspelt one, if any is near."""
    import difflib

    return difflib.get_close_matches(word, list(words), n=1, cutoff=0.75)


def _refuse_unknown_command(words: Sequence[str]) -> None:
    """Refuse a first word that is no command but is nearly one, by the name of that."""
    first = words[0] if words else ""
    if first in COMMANDS or first.startswith("-"):
        return
    begun = [command for command in COMMANDS if len(first) > 1 and command.startswith(first)]
    meant = _COMMANDS_MEANT.get(first, "") or " or ".join(begun or _alike(first, COMMANDS))
    if meant:
        raise InputError(
            f"{first!r} is no command; did you mean {meant}? "
            "(for all commands: irmetrics-edu --help)"
        )


def parser(command: str | None = None) -> argparse.ArgumentParser:
    """The parser; only the chosen command's own arguments are loaded."""
    top = Parser(prog="irmetrics-edu", description="Measures of rankings that show their working.")
    top.add_argument("--version", action=_Version, nargs=0, help="print the version")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, summary in COMMANDS.items():
        sub = commands.add_parser(name, help=summary, description=sentence(summary))
        if name == command:
            module = name.replace("-", "_")
            chosen = importlib.import_module(f"irmetrics_edu.commands.{module}")
            chosen.add_arguments(sub)
            if hasattr(chosen, "run"):  # else each of its actions has its own
                sub.set_defaults(run=chosen.run)
            add_examples(sub, chosen.EXAMPLES)
    return top


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; its exit code is 0 if all is well, 1 if not, 2 for bad input.

    The code is 130 after Ctrl-C, 141 if the reader of its output is gone, 143 after SIGTERM.
    """
    words = list(sys.argv[1:] if arguments is None else arguments)
    command = next((a for a in words if a in COMMANDS), None)

    def run() -> int:
        for argument in words:
            _refuse_lone_surrogates(argument)
        _refuse_unknown_command(words)
        args = parser(command).parse_args(words)
        args.words = words
        args.parser_of = parser
        getattr(args, "check", lambda _: None)(args)
        try:
            with limits_of(args):
                return int(args.run(args))
        except Avoidable as error:
            options = {f"--{name.replace('_', '-')}" for name in vars(args)}
            raise InputError(error.in_command(options)) from error

    return ended(" ".join(["irmetrics-edu", *([command] if command else [])]), run)


def _refuse_lone_surrogates(argument: str) -> None:
    """Refuse bytes that are no text in the system's encoding, unless they name a file."""
    try:
        argument.encode()
    except UnicodeEncodeError:
        if Path(argument).exists():
            return
        encoding = sys.getfilesystemencoding()
        remedy = "write it in UTF-8, or give a file that exists"
        if encoding != "utf-8":
            remedy = "set PYTHONUTF8=1, or LC_ALL to a locale of UTF-8 such as C.UTF-8"
        raise InputError(
            f"the argument {argument!a} is no text in {encoding.upper()}, the encoding of this "
            f"locale; {remedy}"
        ) from None


if __name__ == "__main__":
    sys.exit(main())
