"""`irmetrics-edu demo-collection DIR`: a generated test collection, two runs and their cost."""

import argparse
import importlib.util
from pathlib import Path
from typing import Any

from irmetrics_edu.checks import MOST_RANKS
from irmetrics_edu.commands.options import add_seed, share, whole
from irmetrics_edu.views.output import put, show

EXAMPLES = ("demo-collection demo", "demo-collection demo --queries 50 --noise 0.3")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's own arguments."""
    parser.add_argument(
        "folder", metavar="DIR", type=Path, help="the folder to write to; it must be new or empty"
    )
    parser.add_argument(
        "--queries", type=whole(1), default=200, metavar="N",
        help="the number of queries (default: %(default)s)",
    )  # fmt: skip
    parser.add_argument(
        "--depth", type=whole(1, MOST_RANKS), default=100, metavar="K",
        help="the number of documents for each query in a run (default: %(default)s)",
    )  # fmt: skip
    parser.add_argument(
        "--noise", type=share, default=0.1, metavar="SHARE",
        help="the share of wrong words in a query (default: %(default)s)",
    )  # fmt: skip
    add_seed(parser, "the queries")


def run(args: argparse.Namespace) -> int:
    """Write the files and print what indexing and searching took."""
    from irmetrics_edu import checks
    from irmetrics_edu.efficiency import files, measures
    from irmetrics_edu.efficiency.collection import docstrings, known_items
    from irmetrics_edu.efficiency.engines import Fts5, TfIdf

    checks.cutoff(args.depth)
    collection = known_items(docstrings(), args.queries, noise=args.noise, seed=args.seed)
    folder = files.new_folder(args.folder)
    files.write_collection(collection, folder)
    measured: dict[str, tuple[measures.Indexing, measures.Querying]] = {}

    def measure(engine: Any, tag: str) -> None:
        indexing = measures.index(engine, collection.documents)
        found, querying = measures.answer(engine, collection.queries, args.depth)
        files.write_run(found, folder / f"{tag}.run", tag)
        measured[engine.name] = indexing, querying

    with Fts5(folder / "fts5.sqlite") as engine:
        measure(engine, "fts5")
    with_tf_idf = importlib.util.find_spec("sklearn") is not None
    if with_tf_idf:
        measure(TfIdf(), "tf-idf")
    put(
        f"{collection.name}: {len(collection.documents):,} documents, "
        f"{len(collection.queries):,} queries in {folder}"
    )
    _show(measured)
    if not with_tf_idf:
        put("no tf-idf.run: it needs scikit-learn: pip install 'irmetrics-edu[learn]'")
    put(f"\nNow: irmetrics-edu evaluate {folder / files.QRELS} {folder / 'fts5.run'}")
    return 0


def _show(measured: dict[str, tuple[Any, Any]]) -> None:
    from irmetrics_edu.efficiency import measures as m

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
