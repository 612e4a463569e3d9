"""`irmetrics-edu study diversity`: what diversity metrics say of diversifiers, measured."""

import argparse
import json
from pathlib import Path

from irmetrics_edu.errors import InputError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's own arguments."""
    parser.add_argument("study", choices=("diversity",), help="which study")
    parser.add_argument(
        "--data",
        metavar="DIR",
        type=Path,
        help="public files of TaoBao, Beauty or MSD, as the authors of DGRec (train.txt, val.txt, "
        "test.txt, item_category.txt) or DGCN (train_coo_record.npz ..., item_cate_feature.csv) "
        "lay them out (default: a made catalogue)",
    )
    parser.add_argument(
        "--repeats",
        choices=("refuse", "first"),
        default="refuse",
        help="with --data, an interaction met again is an error, or left out and counted",
    )
    parser.add_argument("--users", type=int, help="of the made catalogue")
    parser.add_argument("--items", type=int, help="of the made catalogue")
    parser.add_argument("--seed", type=int, default=0, help="of data and training (default: 0)")
    parser.add_argument(
        "--cutoffs", default="10,20,100", metavar="K,K,...", help="default: %(default)s"
    )
    parser.add_argument("--pool", type=int, default=200, help="what MMR and DPP choose from")
    parser.add_argument("--mmr-lambda", type=float, default=0.5, help="1: relevance alone")
    parser.add_argument("--dpp-theta", type=float, default=0.6, help="near 1: relevance alone")
    parser.add_argument(
        "--tau",
        type=float,
        default=0.99,
        help="share of lists that the discount coefficients have to cover (default: 0.99)",
    )
    parser.add_argument("--epochs", type=int, default=300, help="at most so many")
    parser.add_argument(
        "--format", choices=("table", "json", "markdown"), default="table", dest="form"
    )
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
    if args.data is not None:
        data = load_interactions(args.data, repeats=args.repeats)
    else:
        data = catalogue(**sizes, seed=args.seed)
    found = study(data, settings)
    if args.form == "json":
        print(json.dumps(views.as_dict(found), ensure_ascii=False, indent=2))
    elif args.form == "markdown":
        print(views.markdown(found))
    else:
        views.show(found)
    if args.plot is not None:
        from irmetrics_edu.study.plots import save_all

        drawn = save_all(found, args.plot)
        if args.form == "table":
            print(f"{len(drawn)} figures in {args.plot}")
    return 0


def _cutoffs(text: str) -> tuple[int, ...]:
    try:
        return tuple(sorted({int(part) for part in text.split(",")}))
    except ValueError:
        raise InputError(f"--cutoffs {text!r}: write them as 10,20,100") from None
