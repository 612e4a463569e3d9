"""`irmetrics-edu study`: whether a gain in diversity counts, for trained or your own lists."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from irmetrics_edu.commands import study_options
from irmetrics_edu.commands.options import add_examples, add_format, add_seed, share, whole
from irmetrics_edu.errors import InputError
from irmetrics_edu.views.output import FINE, put, put_json, show

if TYPE_CHECKING:
    from irmetrics_edu.lab.study.diversity_study import Study

EXAMPLES = (
    "study diversity --epochs 50 --plot figures",
    "study diversity --data beauty --preset dgrec-authors --seeds 5 --keep work",
    "study lists a=a.run b=b.run --relevant qrels --categories items.tsv --embeddings items.vec",
)
_DEFAULT_CUTOFFS = {"diversity": "10,20,100", "lists": "10,20"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's own arguments."""
    actions = parser.add_subparsers(dest="study", required=True, metavar="STUDY")
    diversity = actions.add_parser(
        "diversity",
        help="train six recommenders and compare them by diversity measures",
        description="Train LightGCN and DGRec, re-rank LightGCN's lists with MMR and DPP, add "
        "popularity and chance, and measure every user's list. The tables say for which "
        "recommenders a gain in diversity counts, and which claims about diversifiers hold on your "
        "data: those of a talk on 'On evaluation metrics for diversity-enhanced recommendations' "
        "(CIKM 2024), of the paper's abstract, and our own questions.",
    )
    add_examples(diversity, EXAMPLES[:2])
    _add_data(diversity)
    _add_judging(diversity, "diversity")
    study_options.add_arguments(diversity)
    diversity.add_argument(
        "--keep", metavar="DIR", type=Path,
        help="keep each finished step in DIR; after an interruption the same command goes "
        "on from there; a command with other settings is refused",
    )  # fmt: skip
    _add_output(diversity)
    lists = actions.add_parser(
        "lists",
        help="measure the lists of your own recommenders",
        description="Compare the lists of your own recommenders with those of the first: are they "
        "more diverse, are the items that hit more diverse too, and which users gain? An item hits "
        "if it is among the user's relevant items.",
    )
    add_examples(lists, EXAMPLES[2:])
    lists.add_argument(
        "runs", metavar="NAME=FILE", nargs="+",
        help="the lists of a recommender, users as queries: TREC, JSON, CSV or Parquet",
    )  # fmt: skip
    lists.add_argument(
        "--relevant", metavar="FILE", required=True,
        help="the relevant items of each user, as judgments: qrels, JSON, CSV or Parquet",
    )  # fmt: skip
    lists.add_argument(
        "--categories", metavar="FILE", required=True,
        help="one item and one of its categories on each line, separated by a tab or "
        "blanks; or JSON",
    )  # fmt: skip
    lists.add_argument(
        "--embeddings", metavar="FILE", required=True,
        help="one item and its vector on each line; or JSON; or .npz with the arrays "
        "'items' and 'vectors'",
    )  # fmt: skip
    lists.add_argument(
        "--base", metavar="NAME", help="the recommender to compare with (default: the first)"
    )
    lists.add_argument(
        "--diversifier", metavar="NAME", action="append",
        help="a recommender that is claimed to diversify (with three runs or more; again for more)",
    )  # fmt: skip
    _add_judging(lists, "lists")
    _add_output(lists)


def _add_data(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--data",
        metavar="DIR",
        type=Path,
        help="public files of TaoBao, Beauty or MSD, as the authors of DGRec (train.txt, val.txt, "
        "test.txt, item_category.txt) or DGCN (train_coo_record.npz ..., item_cate_feature.csv) "
        "lay them out (default: a generated catalogue)",
    )
    parser.add_argument(
        "--unknown-users",
        choices=("refuse", "drop"),
        default="refuse",
        help="with --data: what to do with a user who has no items in training: stop with "
        "an error (refuse), or leave the user out and count (drop) (default: "
        "%(default)s)",
    )
    parser.add_argument(
        "--repeats",
        choices=("refuse", "first"),
        default="refuse",
        help="with --data: what to do with a repeated interaction: stop with an error "
        "(refuse), or keep the first and count the rest (first) (default: %(default)s)",
    )
    parser.add_argument(
        "--users", type=whole(1), metavar="N", help="number of users in the generated catalogue"
    )
    parser.add_argument(
        "--items", type=whole(1), metavar="N", help="number of items in the generated catalogue"
    )
    add_seed(parser, "the generated catalogue and of training")


def _add_judging(parser: argparse.ArgumentParser, study: str) -> None:
    parser.add_argument(
        "--cutoffs", metavar="K,K,...",
        help=f"lengths of the measured lists (default: {_DEFAULT_CUTOFFS[study]})",
    )  # fmt: skip
    parser.add_argument(
        "--tau", type=share, metavar="SHARE",
        help="share of lists that the discount coefficients must cover (default: 0.99)",
    )  # fmt: skip
    for name, of in (("alpha", "DCC and FDCC"), ("beta", "DILAD")):
        parser.add_argument(
            f"--{name}", type=share, metavar="NUMBER",
            help=f"the discount coefficient of {of} (default: tuned to the observed precision; "
            "infeasible if no value meets the conditions)",
        )  # fmt: skip


def _add_output(parser: argparse.ArgumentParser) -> None:
    add_format(parser, table="", json="", markdown="", html="")
    parser.add_argument("--plot", metavar="DIR", type=Path, help="draw the figures into DIR")
    parser.add_argument(
        "--plot-format", choices=("svg", "png"), default="svg",
        help="with --plot: the format of the figures (default: %(default)s)",
    )  # fmt: skip


def run(args: argparse.Namespace) -> int:
    """Run the study and print it; the exit code says that it ran, not what it found."""
    found = _of_lists(args) if args.study == "lists" else _trained(args)
    if args.form == "json":
        from irmetrics_edu.lab.study.as_json import as_dict

        put_json(as_dict(found))
    elif args.form == "html":
        from irmetrics_edu.lab.study.study_tables import html

        put(html(found), args.form)
    elif args.form == "markdown":
        from irmetrics_edu.lab.study.study_tables import markdown

        put(markdown(found), args.form)
    else:
        _show(found)
    if args.plot is not None:
        from irmetrics_edu.lab.study.study_plots import save_all

        drawn = save_all(found, args.plot, args.plot_format)
        if args.form == "table":
            put(f"{len(drawn)} figures in {args.plot}")
    return FINE


def _trained(args: argparse.Namespace) -> "Study":
    """The study of recommenders that are trained here."""
    from irmetrics_edu.lab.recommenders.load import load_interactions
    from irmetrics_edu.lab.recommenders.made_catalogue import catalogue
    from irmetrics_edu.lab.study.diversity_study import study_diversity

    sizes = {n: getattr(args, n) for n in ("users", "items") if getattr(args, n) is not None}
    if args.data is not None and sizes:
        raise InputError(
            f"--{next(iter(sizes))} belongs to the generated catalogue; leave --data out"
        )
    if args.data is None and args.repeats != "refuse":
        raise InputError(f"--repeats {args.repeats} goes with --data DIR")
    if args.data is None and args.unknown_users != "refuse":
        raise InputError(f"--unknown-users {args.unknown_users} goes with --data DIR")
    settings = study_options.settings(args, {**_judging(args), "seed": args.seed})
    if args.data is not None:
        data = load_interactions(args.data, repeats=args.repeats, unknown_users=args.unknown_users)
    else:
        data = catalogue(**sizes, seed=args.seed)
    return study_diversity(data, settings, progress="lines", keep=args.keep)


def _of_lists(args: argparse.Namespace) -> "Study":
    """The study of lists from files."""
    from irmetrics_edu.lab.study.item_vectors import read_embeddings
    from irmetrics_edu.lab.study.own_lists import study_lists
    from irmetrics_edu.reading.topics import read_categories

    runs = {}
    for given in args.runs:
        name, _, path = given.partition("=")
        if not name or not path:
            raise InputError(f"{given!r}: name each run, such as old=old.run")
        if name in runs:
            raise InputError(f"{given!r}: two runs are named {name!r}; give each its own name")
        runs[name] = path
    categories, _ = read_categories(args.categories)
    return study_lists(
        runs,
        args.relevant,
        categories,
        read_embeddings(args.embeddings),
        base=args.base,
        diversifiers=args.diversifier,
        name=", ".join(runs),
        **_judging(args),
    )


def _judging(args: argparse.Namespace) -> dict[str, Any]:
    """The arguments that say how lists are measured."""
    found = {n: getattr(args, n) for n in ("tau", "alpha", "beta") if getattr(args, n) is not None}
    if args.cutoffs is None:
        return found
    try:
        cutoffs = tuple(sorted({int(part) for part in args.cutoffs.split(",")}))
    except ValueError:
        raise InputError(f"--cutoffs {args.cutoffs!r}: write them as 10,20,100") from None
    return {**found, "cutoffs": cutoffs}


def _show(of: "Study") -> None:
    """The tables in the terminal."""
    from irmetrics_edu.lab.study import study_tables
    from irmetrics_edu.lab.study.claims import claims

    put(study_tables.about(of.data))
    for note in of.data.notes:
        put(note)
    found = claims(of)
    for sheet in study_tables.sheets(of, found):
        put("")
        show(sheet.title, sheet.header, sheet.lines)
        for note in sheet.notes:
            put(f"  {note}")
    put("")
    put(study_tables.headline(of, found))
