"""The command line: `irmetrics-edu COMMAND ...`."""

import argparse
import importlib
import sys
from collections.abc import Sequence

from irmetrics_edu import __version__
from irmetrics_edu.errors import InputError

# Name, module under `commands`, what it does. A command's module is imported when it is called.
COMMANDS = (
    ("reproduce", "reproduce", "recompute every number and formula printed in the documents"),
    ("evaluate", "evaluate", "score a run against judgments"),
    ("compare", "compare", "compare runs with a baseline, query by query, with tests"),
    ("explain", "explain", "show how a score comes about, step by step"),
    ("diagnose", "diagnose", "name the conventions or the mistake behind a number"),
    ("conformance", "conformance", "write test vectors, and run libraries against them"),
    ("metrics", "metrics", "list the metrics with their definitions and conventions"),
    ("conventions", "conventions", "list which conventions each library follows"),
    ("study", "study", "measure what a document claims: what diversity metrics miss"),
    ("grade", "grade", "mark submissions of the exercises, with feedback for each student"),
    ("demo-collection", "demo_collection", "write a test collection with two runs as TREC files"),
)

# Exit codes that scripts can use.
FINE, FAILED, BAD_INPUT = 0, 1, 2


def parser(command: str | None = None) -> argparse.ArgumentParser:
    """The parser; only the chosen command's own arguments are loaded."""
    top = argparse.ArgumentParser(
        prog="irmetrics-edu", description="Measures of rankings that show their working."
    )
    top.add_argument("--version", action="version", version=f"irmetrics-edu {__version__}")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, module, summary in COMMANDS:
        sub = commands.add_parser(
            name, help=summary, description=f"{summary[0].upper()}{summary[1:]}."
        )
        if name == command:
            chosen = importlib.import_module(f"irmetrics_edu.commands.{module}")
            chosen.add_arguments(sub)
            sub.set_defaults(run=chosen.run)
    return top


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; its exit code is 0 if all is well, 1 if not, 2 for bad input."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    names = {name for name, _, _ in COMMANDS}
    command = next((a for a in given if a in names), None)
    args = parser(command).parse_args(given)
    try:
        return int(args.run(args))
    except (InputError, OSError) as error:
        said = getattr(error, "said", None)  # of malformed lines: by the name of the option
        what = said("--skip-bad") if said is not None and hasattr(args, "skip_bad") else error
        print(f"irmetrics-edu {args.command}: {what}", file=sys.stderr)
        return BAD_INPUT
    except BrokenPipeError:
        return FINE
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main())
