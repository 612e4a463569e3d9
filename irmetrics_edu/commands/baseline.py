"""`irmetrics-edu baseline`: show, compare, rename, accept and merge the baselines of gates."""

import argparse
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from irmetrics_edu import writing
from irmetrics_edu.commands.evaluate import QRELS
from irmetrics_edu.commands.options import Action, add_actions, add_digits, add_format, whole
from irmetrics_edu.errors import InputError
from irmetrics_edu.gate.plugin import BASELINES, baseline_files
from irmetrics_edu.views import escaping
from irmetrics_edu.views.output import FAILED, FINE, put, put_tables
from irmetrics_edu.views.page import SORTING, page

if TYPE_CHECKING:
    from irmetrics_edu.gate.plugin.baseline_diff import BaselineChange, Effects
    from irmetrics_edu.views import Explanation
    from irmetrics_edu.views.result_table import ResultTable

EXAMPLES = (
    "baseline diff old.json tests/irm_baselines.json",
    "baseline diff - tests/irm_baselines.json --format markdown",
    "baseline diff old.json new.json --qrels qrels.txt --worst 5",
    "baseline diff old.json new.json --qrels qrels.txt --query q12",
    "baseline diff old.json new.json --groups languages.csv --format markdown",
    "baseline show tests/irm_baselines.json",
    "baseline rename test_shop.py::test_search test_shop.py::test_shop_search",
    "baseline accept irm_baselines.received.json",
)
_MOST = 65_000  # characters: GitHub refuses a comment of more than 65,536


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The actions of the command."""
    actions = (
        Action(
            "diff",
            "show what changed between two files of baselines",
            _add_diff,
            _diff,
            "Show what changed between two files of baselines: the mean of each measure on "
            "the queries that both have, groups of queries, the queries that lost most, and with "
            "--qrels the documents that moved in them and what each did to the score. Look at them "
            "before a commit:\n\n"
            "  git show HEAD:tests/irm_baselines.json |\n"
            "  irmetrics-edu baseline diff - tests/irm_baselines.json --qrels qrels.txt",
        ),
        Action("show", "list the baselines of a file with their means", _add_show, _show),
        Action(
            "rename",
            "keep the baselines of a test that has a new name",
            _add_rename,
            _rename,
            "Give the baselines of a test, a class or a test file a new name. The scores "
            "stay as they are, so the gate stays in force.",
        ),
        Action(
            "accept",
            "make what gates received in CI their baselines",
            _add_accept,
            _accept,
            "Take over what failing gates received in another place, as in CI. A session with "
            "--irm-report writes it beside the report. Run this at the top of the tests, where "
            "pytest has its root folder.",
        ),
        Action(
            "merge",
            "merge two branches' files of baselines, as git's merge driver",
            _add_merge,
            _merge,
            "Merge two branches' files of baselines into OURS. Two lines set git up:\n\n"
            "  git config merge.irm.driver 'irmetrics-edu baseline merge %O %A %B'\n"
            "  echo 'irm_baselines.json merge=irm' >> .gitattributes\n\n"
            "A baseline that both branches changed keeps our side, and the exit code is 1: run its "
            "test on the merged code.",
        ),
    )
    add_actions(parser, EXAMPLES, *actions)


def _add_diff(diff: argparse.ArgumentParser) -> None:
    diff.add_argument("old", metavar="OLD", help="the old file, or - for standard input")
    diff.add_argument("new", metavar="NEW", help="the new file")
    diff.add_argument(
        "--groups",
        metavar="FILE",
        help="CSV or TSV with a column of queries and one of groups, or JSON; of several columns, "
        "topics.csv:device names one",
    )
    diff.add_argument(
        "--queries",
        metavar="FILE",
        help="the texts of queries: .csv, .tsv or .jsonl with an id and a text, .json with a "
        "mapping",
    )
    diff.add_argument(
        "--qrels",
        metavar="FILE",
        help=f"the judgments, to show the documents that moved by their effect: {QRELS}",
    )
    diff.add_argument(
        "--query",
        metavar="ID",
        help="show how this query's scores came about, before and after (with --qrels)",
    )
    diff.add_argument(
        "--worst",
        type=whole(0),
        default=10,
        metavar="N",
        help="show the N queries that lost most of each measure (default: %(default)s)",
    )
    add_digits(diff)
    add_format(diff, table="", markdown="", html="")


def _add_show(show: argparse.ArgumentParser) -> None:
    show.add_argument(
        "file",
        metavar="FILE",
        nargs="?",
        default=BASELINES,
        help=f"default: {BASELINES}",
    )
    add_digits(show)
    add_format(show, table="", markdown="", html="")


def _add_rename(rename: argparse.ArgumentParser) -> None:
    rename.add_argument("old", metavar="OLD", help="the old name, as test_shop.py::test_search")
    rename.add_argument("new", metavar="NEW", help="the new name")
    rename.add_argument("--file", metavar="FILE", default=BASELINES, help=f"default: {BASELINES}")
    rename.add_argument("--to", metavar="FILE", help="the file to move it to, if it is another one")


def _add_accept(accept: argparse.ArgumentParser) -> None:
    accept.add_argument("file", metavar="FILE", type=Path, help="irm_baselines.received.json")


def _add_merge(merge: argparse.ArgumentParser) -> None:
    merge.add_argument("base", metavar="BASE", help="the file of the common ancestor (git: %%O)")
    merge.add_argument("ours", metavar="OURS", help="our file, which is written anew (git: %%A)")
    merge.add_argument("theirs", metavar="THEIRS", help="the other branch's file (git: %%B)")


def _show(args: argparse.Namespace) -> int:
    from irmetrics_edu.gate.plugin.baseline_diff import baseline_of, there
    from irmetrics_edu.views.result_table import ResultTable

    path = there(args.file)
    lines = []
    entries = baseline_files.read(path)
    for key in sorted(entries):
        kept = baseline_of(path, key, entries)
        for measure, mean in kept.means.items():
            lines.append((key, measure, mean, len(kept.scores), kept.depth))
    header = ("test", "measure", "mean", "queries", "depth")
    put_tables([ResultTable(header, lines, str(path), (), args.digits)], args.form)
    return FINE


def _rename(args: argparse.Namespace) -> int:
    from irmetrics_edu.gate.plugin.baseline_diff import there

    to = None if args.to is None else Path(args.to)
    keys = baseline_files.renamed(there(args.file), args.old, args.new, to)
    for key in keys:
        put(f"{args.to or args.file}: {key}")
    return FINE


def _accept(args: argparse.Namespace) -> int:
    from irmetrics_edu.gate.plugin.baseline_diff import there
    from irmetrics_edu.gate.plugin.received import accept

    for line in accept(there(args.file), Path.cwd()):
        put(line)
    return FINE


def _merge(args: argparse.Namespace) -> int:
    from irmetrics_edu.gate.plugin.baseline_diff import there

    paths = [there(path) for path in (args.base, args.ours, args.theirs)]
    with writing.locked(args.ours):  # a session may write to the same file
        # git gives an empty file for the ancestor if both branches added the file.
        base, ours, theirs = (
            {} if path.stat().st_size == 0 else baseline_files.read(path) for path in paths
        )
        merged, both = baseline_files.merged(base, ours, theirs)
        writing.write(args.ours, baseline_files.text(merged))
    for key in both:
        put(
            f"{key}: both branches changed this baseline, and ours is kept; run this test, and "
            "accept the merged run with --irm-update=failing if it is what is meant"
        )
    return FAILED if both else FINE


def _diff(args: argparse.Namespace) -> int:
    from irmetrics_edu.gate.plugin.baseline_diff import Effects, difference
    from irmetrics_edu.reading.texts import read_texts
    from irmetrics_edu.runs.segments import read_groups

    if args.query is not None and args.qrels is None:
        raise InputError(f"--query {args.query}: a working needs judgments; give --qrels FILE too")
    changed = difference(args.old, args.new)
    groups = None if args.groups is None else read_groups(args.groups)
    if changed.empty:
        put(changed.caption)
        return FINE
    texts: dict[Hashable, str] = {}
    if args.queries is not None:
        texts.update(read_texts(args.queries, "query"))
    effects = None if args.qrels is None else Effects(changed, args.qrels)
    means, *of_tests = changed.tables(
        groups,
        texts=texts,
        effects=effects,
        worst=args.worst,
        every=args.form == "html",  # a page sorts, so it has all queries
        digits=args.digits,
    )
    workings = _workings(args, effects, changed.changes)
    tables = [means, *map(_of_one_test, of_tests)]
    if args.form == "html":
        put(_page(tables, workings), "html")
    else:
        put(_text(tables, workings, args.form), args.form)
    return FINE


def _workings(
    args: argparse.Namespace,
    effects: "Effects | None",
    changes: "Sequence[BaselineChange]",
) -> "Mapping[str, Explanation]":
    """The workings of the query that was asked for, or of those on a page; none without qrels."""
    workings: Mapping[str, Explanation] = {}
    if effects is not None and (args.query is not None or args.form == "html"):
        workings = effects.workings(changes, args.query, args.worst, args.digits)
    if args.query is not None and not workings:
        raise InputError(
            f"--query {args.query}: no test that changed compares this query, or {args.qrels} does "
            "not judge it; leave out --query to list the queries that changed"
        )
    return workings


def _text(
    tables: "Sequence[ResultTable]",
    workings: "Mapping[str, Explanation]",
    form: str,
) -> str:
    """The tables, and the workings below them, in a form of text."""
    from irmetrics_edu.views.explanation import explained

    parts = [table.written(form) for table in tables]
    if workings:
        parts.append(explained(workings, "text" if form == "table" else form))
    text = "\n\n".join(parts)
    return _fitting(text) if form == "markdown" else text


def _of_one_test(table: "ResultTable") -> "ResultTable":
    """The table without the column of tests if there is one alone, which the caption then names."""
    tests = {line[0] for line in table.lines}
    if len(tests) != 1:
        return table
    lines = [line[1:] for line in table.lines]
    return replace(
        table,
        header=table.header[1:],
        lines=lines,
        caption=f"{tests.pop()}: {table.caption}",
    )


def _page(tables: "Sequence[ResultTable]", workings: "Mapping[str, Explanation]") -> str:
    """A page to review: tables that sort, and the workings of queries on a click."""
    from irmetrics_edu.views.explanation import with_formulas

    body = [
        f'<h1>Baselines: what changed</h1>\n<div class="wide" tabindex="0">{tables[0].html()}</div>'
    ]
    body += [f'<section class="wide" tabindex="0">{table.html()}</section>' for table in tables[1:]]
    shown = [
        f"<details><summary>{escaping.html(head)}</summary>{one.html()}</details>"
        for head, one in workings.items()
    ]
    if shown:
        body += ["<section><h2>Workings</h2>", with_formulas("\n".join(shown)), "</section>"]
    return page("Baselines: what changed", body, script=SORTING.read_text("utf-8")).rstrip("\n")


def _fitting(text: str) -> str:
    """Markdown that fits into one comment; a line at the end says what was cut."""
    if len(text) <= _MOST:
        return text
    kept = text[: _MOST - 300].rpartition("\n")[0]
    cut = text.count("\n") - kept.count("\n")
    return (
        f"{kept}\n\n**Cut here**: {cut:,} more lines do not fit into a comment. The same command "
        "with `--format html` writes all of it as a page, and `--worst 3` shows fewer queries."
    )
