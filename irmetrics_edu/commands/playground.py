"""`irmetrics-edu playground FILE.html`: the page "which nDCG is this?" as one file."""

import argparse
from importlib import resources

from irmetrics_edu.views.output import put
from irmetrics_edu.writing import write

EXAMPLES = ("playground which-ndcg.html",)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's own arguments."""
    parser.add_argument(
        "file", metavar="FILE.html", help="the file to write; it needs no network and no Python"
    )


def run(args: argparse.Namespace) -> int:
    """Write the page."""
    page = resources.files("irmetrics_edu.commands") / "playground.html"
    write(args.file, page.read_bytes())
    put(f"Open {args.file} in a browser.")
    return 0
