"""`irmetrics-edu playground FILE.html`: the page "which nDCG is this?" as one file."""

import argparse
import re
from importlib import resources

from irmetrics_edu.views.output import put
from irmetrics_edu.writing import write

EXAMPLES = ("playground which-ndcg.html",)
# Where the runner of the vectors goes: the package holds it already, and once is enough.
PLACE = "/*metrics.mjs*/"
_IMPORT = re.compile(r'^import (\{[^}]*\}) from "[./\w-]*?(\w+)\.mjs";$', re.MULTILINE)
_EXPORT = re.compile(r"^export ((?:async )?(?:function\*?|const|let|class) (\w+))", re.MULTILINE)
_COMMENT = re.compile(r"^\s*(?:/\*\*.*?\*/|//[^\n]*)\n", re.MULTILINE | re.DOTALL)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's own arguments."""
    parser.add_argument(
        "file", metavar="FILE.html", help="the file to write; it needs no network and no Python"
    )


def run(args: argparse.Namespace) -> int:
    """Write the page."""
    page = resources.files("irmetrics_edu.commands") / "playground.html"
    write(args.file, page.read_text("utf-8").replace(PLACE, metrics()))
    put(f"Open {args.file} in a browser.")
    return 0


def metrics() -> str:
    """The runner of the vectors, as the page has it."""
    home = resources.files("irmetrics_edu.diagnosis.conformance") / "runners"
    return as_function("metrics", (home / "metrics.mjs").read_text("utf-8"))


def as_function(name: str, text: str) -> str:
    """A module as a function that returns what it exports, without comments and indentation."""
    exported = ", ".join(n for _, n in _EXPORT.findall(text))
    text = _IMPORT.sub(lambda m: f"const {m[1]} = modules.{m[2]};", _EXPORT.sub(r"\1", text))
    text = re.sub(r"^\s+", "", _COMMENT.sub("", text), flags=re.MULTILINE)
    return f"modules.{name} = (() => {{\n{text}\nreturn {{ {exported} }};\n}})();"
