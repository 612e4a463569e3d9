"""`irmetrics-edu demo-collection DIR`: the test collection "stdlib" as files."""

import argparse
import textwrap
from pathlib import Path

from irmetrics_edu.views.output import put

EXAMPLES = ("demo-collection demo",)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's own arguments."""
    parser.add_argument(
        "folder",
        metavar="DIR",
        type=Path,
        help="the folder to write to; it must be new or empty",
    )


def run(args: argparse.Namespace) -> int:
    """Write the files."""
    from irmetrics_edu.course import load_collection
    from irmetrics_edu.course.collection import collection_files as files

    collection = load_collection("stdlib")
    folder = args.folder
    files.write_new(folder, files.shipped())
    put(
        f"{len(collection.documents):,} documents, {len(collection.topics)} topics and "
        f"{len(collection.runs)} runs in {folder}"
    )
    put(textwrap.fill(collection.provenance, 80))
    deep = folder / files.QRELS["deep"]
    fts5 = folder / files.RUNS["fts5"]
    put(f"\nNow: irmetrics-edu evaluate {deep} {fts5}")
    return 0
