"""`irmetrics-edu study diversity`: what diversity metrics say of diversifiers, measured."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from irmetrics_edu.commands.options import add_format, add_seed, share, whole
from irmetrics_edu.errors import InputError
from irmetrics_edu.views.output import put, put_json, show

if TYPE_CHECKING:
    from irmetrics_edu.study.diversity import Study

EXAMPLES = (
    "study diversity --epochs 50 --plot figures",
    "study diversity --data taobao --cutoffs 10,20",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's own arguments."""
    parser.add_argument("study", choices=("diversity",), help="the study to run")
    parser.add_argument(
        "--data",
        metavar="DIR",
        type=Path,
        help="public files of TaoBao, Beauty or MSD, as the authors of DGRec (train.txt, val.txt, "
        "test.txt, item_category.txt) or DGCN (train_coo_record.npz ..., item_cate_feature.csv) "
        "lay them out (default: a made catalogue)",
    )
    parser.add_argument(
        "--unknown-users",
        choices=("refuse", "drop"),
        default="refuse",
        help="with --data: whether a user of validation or test without items in training is an "
        "error (refuse), or is left out and counted (drop) (default: %(default)s)",
    )
    parser.add_argument(
        "--repeats",
        choices=("refuse", "first"),
        default="refuse",
        help="with --data: whether an interaction that is met again is an error (refuse), or is "
        "left out and counted (first) (default: %(default)s)",
    )
    parser.add_argument(
        "--users", type=whole(1), metavar="N", help="how many users the made catalogue has"
    )
    parser.add_argument(
        "--items", type=whole(1), metavar="N", help="how many items the made catalogue has"
    )
    add_seed(parser, "the made catalogue and of training")
    parser.add_argument(
        "--cutoffs", default="10,20,100", metavar="K,K,...",
        help="lengths of the lists that are measured (default: %(default)s)",
    )  # fmt: skip
    parser.add_argument(
        "--pool", type=whole(1), default=200, metavar="N",
        help="how many items MMR and DPP choose from (default: %(default)s)",
    )  # fmt: skip
    parser.add_argument(
        "--mmr-lambda", type=share, default=0.5, metavar="SHARE",
        help="weight of relevance in MMR; 1 is relevance alone (default: %(default)s)",
    )  # fmt: skip
    parser.add_argument(
        "--dpp-theta", type=share, default=0.6, metavar="SHARE",
        help="weight of relevance in DPP; near 1 is relevance alone (default: %(default)s)",
    )  # fmt: skip
    parser.add_argument(
        "--tau", type=share, default=0.99, metavar="SHARE",
        help="share of lists that the discount coefficients have to cover (default: %(default)s)",
    )  # fmt: skip
    parser.add_argument(
        "--epochs", type=whole(1), default=300, metavar="N",
        help="train for at most N epochs (default: %(default)s)",
    )  # fmt: skip
    add_format(parser, table="", json="", markdown="")
    parser.add_argument("--plot", metavar="DIR", type=Path, help="draw the figures into DIR")


def run(args: argparse.Namespace) -> int:
    """Run the study and print it; the exit code tells that it ran, not what it found."""
    from irmetrics_edu.recommenders.data import catalogue
    from irmetrics_edu.recommenders.files import load_interactions
    from irmetrics_edu.study import views
    from irmetrics_edu.study.diversity import study
    from irmetrics_edu.study.rankers import Settings

    settings = Settings(
        cutoffs=_cutoffs(args.cutoffs),
        pool=args.pool,
        mmr_lambda=args.mmr_lambda,
        dpp_theta=args.dpp_theta,
        tau=args.tau,
        epochs=args.epochs,
        seed=args.seed,
    )
    sizes = {n: getattr(args, n) for n in ("users", "items") if getattr(args, n) is not None}
    if args.data is not None and sizes:
        raise InputError(f"--{next(iter(sizes))} belongs to the made catalogue; leave --data out")
    if args.data is None and args.repeats != "refuse":
        raise InputError(f"--repeats {args.repeats} goes with --data DIR")
    if args.data is None and args.unknown_users != "refuse":
        raise InputError(f"--unknown-users {args.unknown_users} goes with --data DIR")
    if args.data is not None:
        data = load_interactions(args.data, repeats=args.repeats, unknown_users=args.unknown_users)
    else:
        data = catalogue(**sizes, seed=args.seed)
    found = study(data, settings)
    if args.form == "json":
        put_json(views.as_dict(found))
    elif args.form == "markdown":
        put(views.markdown(found), args.form)
    else:
        _show(found)
    if args.plot is not None:
        from irmetrics_edu.study.plots import save_all

        drawn = save_all(found, args.plot)
        if args.form == "table":
            put(f"{len(drawn)} figures in {args.plot}")
    return 0


def _show(of: "Study") -> None:
    """The tables in the terminal."""
    from irmetrics_edu.study import views
    from irmetrics_edu.study.claims import claims

    put(str(of.data))
    for note in of.data.notes:
        put(note)
    found = claims(of)
    for sheet in views.sheets(of, found):
        put("")
        show(sheet.title, sheet.header, sheet.lines)
        for note in sheet.notes:
            put(f"  {note}")
    put("")
    put(views.headline(of, found))


def _cutoffs(text: str) -> tuple[int, ...]:
    try:
        return tuple(sorted({int(part) for part in text.split(",")}))
    except ValueError:
        raise InputError(f"--cutoffs {text!r}: write them as 10,20,100") from None
