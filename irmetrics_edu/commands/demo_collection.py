"""`irmetrics-edu demo-collection DIR`: the test collection "stdlib" as files, and its runs anew."""

import argparse
import textwrap
from pathlib import Path
from typing import Any

from irmetrics_edu.errors import InputError
from irmetrics_edu.views.output import put, show

EXAMPLES = ("demo-collection demo", "demo-collection demo --rebuild --cost")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's own arguments."""
    parser.add_argument(
        "folder", metavar="DIR", type=Path, help="the folder to write to; it must be new or empty"
    )
    parser.add_argument(
        "--rebuild", action="store_true",
        help="let the engines make the runs anew from the texts, write these, and compare them "
        "with the shipped runs; exit code 1 if one differs",
    )  # fmt: skip
    parser.add_argument(
        "--cost", action="store_true",
        help="with --rebuild, show the time and space that indexing and searching took",
    )  # fmt: skip


def run(args: argparse.Namespace) -> int:
    """Write the files; make the runs anew if asked to, and say where they differ."""
    from irmetrics_edu.course import load_collection
    from irmetrics_edu.course.collection import collection_files as files

    if args.cost and not args.rebuild:
        raise InputError("--cost goes with --rebuild; give both")
    collection = load_collection("stdlib")
    folder = files.new_folder(args.folder)
    files.write_files(folder)
    put(
        f"{len(collection.documents):,} documents, {len(collection.topics)} topics and "
        f"{len(collection.runs)} runs in {folder}"
    )
    put(textwrap.fill(collection.provenance, 80))
    code = _rebuild(collection, folder, cost=args.cost) if args.rebuild else 0
    deep, fts5 = folder / files.QRELS["deep"], folder / files.RUNS["fts5"]
    put(f"\nNow: irmetrics-edu evaluate {deep} {fts5}")
    return code


def _rebuild(collection: Any, folder: Path, *, cost: bool) -> int:
    import sqlite3

    from irmetrics_edu.course.collection import collection_files as files
    from irmetrics_edu.course.collection.collection_building import differing, rebuilt
    from irmetrics_edu.writing import write

    runs, took = rebuilt(collection)
    code = 0
    for name, made in runs.items():
        write(folder / files.RUNS[name], files.run_lines(made, name))
        topics = differing(made, collection.runs[name])
        code = 1 if topics else code
        said = f"differs from the shipped run for {len(topics)} topics: {' '.join(topics)}"
        by = f" (SQLite {sqlite3.sqlite_version})" if topics and name == "fts5" else ""
        put(f"{files.RUNS[name]}{by}: {said if topics else 'the same as the shipped run'}")
    if cost:
        _show(took)
    return code


def _show(measured: dict[str, tuple[Any, Any]]) -> None:
    from irmetrics_edu.lab.efficiency import measures as m

    lines: list[tuple[str, Any]] = [
        ("elapsed time of indexing", lambda i, _: f"{m.elapsed_time(i).value:.2f} s"),
        ("processor time of indexing", lambda i, _: f"{m.processor_time(i).value:.2f} s"),
        ("indexing rate", lambda i, _: f"{m.indexing_rate(i).value:,.0f} documents/s"),
        ("final index size", lambda i, _: f"{m.final_size(i).value / 1e6:.2f} MB"),
        ("temporary index size", lambda i, _: f"{m.temporary_size(i).value / 1e6:.2f} MB"),
        ("query throughput", lambda _, q: f"{m.throughput(q).value:,.0f} queries/s"),
    ]
    lines.extend(
        (f"latency, {p} %", lambda _, q, p=p: f"{1000 * m.latency(q, p).value:.2f} ms")
        for p in m.PERCENTILES
    )
    rows = [(label, *(cell(*pair) for pair in measured.values())) for label, cell in lines]
    show("What it took", ("measure", *measured), rows)
