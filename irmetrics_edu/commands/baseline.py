"""`irmetrics-edu baseline diff OLD NEW`: what a change did to the baselines of gates."""

import argparse
from collections.abc import Hashable

from irmetrics_edu.commands.options import add_digits, add_examples, add_format, whole
from irmetrics_edu.errors import InputError
from irmetrics_edu.gate.plugin.baseline_diff import difference
from irmetrics_edu.judging.texts import read_texts
from irmetrics_edu.reading.column_names import QUERY
from irmetrics_edu.reading.records import records
from irmetrics_edu.views.output import FAILED, FINE, put, put_tables

_GROUP = ("group", "segment", "language", "class", "tenant")
EXAMPLES = (
    "baseline diff old.json tests/irm_baselines.json",
    "baseline diff - tests/irm_baselines.json --format markdown",
    "baseline diff old.json new.json --groups languages.csv --format markdown",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's own arguments."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    diff = actions.add_parser(
        "diff",
        help="show what changed between two files of baselines",
        description="Show what changed between two files of baselines: the mean of each measure on "
        "the queries that both have, groups of queries, the queries that changed most, "
        "and the documents that moved in them. Look at them before a commit:\n\n"
        "  git show HEAD:tests/irm_baselines.json |\n"
        "  irmetrics-edu baseline diff - tests/irm_baselines.json",
    )
    add_examples(diff, EXAMPLES)
    diff.add_argument("old", metavar="OLD", help="the old file, or - for standard input")
    diff.add_argument("new", metavar="NEW", help="the new file")
    diff.add_argument(
        "--groups",
        metavar="FILE",
        help="CSV with the columns query and group (or segment, language, class, tenant)",
    )
    diff.add_argument(
        "--queries",
        metavar="FILE",
        help="the texts of queries: .csv, .tsv or .jsonl with an id and a text, .json with a "
        "mapping",
    )
    diff.add_argument(
        "--most", type=whole(0), default=10, metavar="N",
        help="show at most N queries for each measure (default: %(default)s)",
    )  # fmt: skip
    diff.add_argument(
        "--exit-code",
        action="store_true",
        help="exit with code 1 if there is a change, as git diff does",
    )
    add_digits(diff)
    add_format(diff, table="", markdown="", html="", csv="", latex="")


def run(args: argparse.Namespace) -> int:
    """Print the difference."""
    found = difference(args.old, args.new)
    groups = None if args.groups is None else _groups(args.groups)
    if found.empty:
        put(found.caption)
        return FINE
    texts: dict[Hashable, str] = {}
    if args.queries is not None:
        texts.update(read_texts(args.queries, "query"))
    tables = found.tables(groups, texts=texts, most=args.most, digits=args.digits)
    put_tables(tables, args.form)
    return FAILED if args.exit_code else FINE


def _groups(path: str) -> dict[str, str]:
    """The group of each query that a file names."""
    found: dict[str, str] = {}
    for row in records(path, {"query": QUERY, "group": _GROUP}, {}):
        query, group = row.id("query"), row.id("group")
        if found.setdefault(query, group) != group:
            raise InputError(
                f"{row.place}query {query!r} is in {group!r}, but in {found[query]!r} above; give "
                "one group"
            )
    return found
