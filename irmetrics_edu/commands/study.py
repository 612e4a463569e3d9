"""`irmetrics-edu study`: whether a gain in diversity counts, for recommenders trained here."""

import argparse
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from irmetrics_edu.commands.options import Action, add_actions, add_seed, whole
from irmetrics_edu.errors import InputError
from irmetrics_edu.reading.files import File
from irmetrics_edu.reading.records import text_of
from irmetrics_edu.reading.toml_files import toml_of
from irmetrics_edu.views.output import FINE, put, show

if TYPE_CHECKING:
    from irmetrics_edu.lab.study.rankers import Settings

EXAMPLES = (
    "study diversity --epochs 50",
    "study diversity --data beauty --unknown-users drop --settings study.toml --seeds 5",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The actions of the command."""
    summary = "train six recommenders and compare them by diversity measures"
    about = (
        "Train LightGCN and DGRec, re-rank LightGCN's lists with MMR and DPP, add popularity and "
        "chance, and measure every user's list. The tables say for which recommenders a gain in "
        "diversity counts, and which claims about diversifiers hold on your data: those of a talk "
        "on 'On evaluation metrics for diversity-enhanced recommendations' (CIKM 2024), of the "
        "paper's abstract, and our own questions."
    )
    add_actions(parser, EXAMPLES, Action("diversity", summary, _add_diversity, _diversity, about))


def _add_diversity(diversity: argparse.ArgumentParser) -> None:
    diversity.add_argument(
        "--data",
        metavar="DIR",
        type=Path,
        help="a split in the layout of DGRec's authors: train.txt, val.txt, test.txt and "
        "item_category.txt (default: a generated catalogue)",
    )
    diversity.add_argument(
        "--unknown-users",
        choices=("refuse", "drop"),
        default="refuse",
        help="with --data: what to do with a user who has no items in training: stop with an "
        "error (refuse), or leave the user out and count (drop) (default: %(default)s)",
    )
    add_seed(diversity, "the generated catalogue and of training")
    diversity.add_argument(
        "--settings",
        metavar="FILE",
        type=Path,
        help="a TOML file with settings of the study, such as `cutoffs` (default: [10, 20, "
        "100]), `pool`, `mmr_lambda` and `tau`, and hyperparameters under [lightgcn] and [dgrec]",
    )
    diversity.add_argument(
        "--seeds",
        type=whole(1),
        metavar="N",
        help="train with N seeds, starting at --seed; intervals then cover users and seeds "
        "(default: 1)",
    )
    diversity.add_argument(
        "--epochs",
        type=whole(1),
        metavar="N",
        help="train for at most N epochs, unless a hyperparameter says otherwise (default: 300)",
    )


def _diversity(args: argparse.Namespace) -> int:
    """Run the study and print it; the exit code says that it ran, not what it found."""
    from irmetrics_edu.lab.recommenders.load import load_interactions
    from irmetrics_edu.lab.recommenders.made_catalogue import catalogue
    from irmetrics_edu.lab.study import study_tables
    from irmetrics_edu.lab.study.diversity_study import study_diversity

    if args.data is None and args.unknown_users != "refuse":
        raise InputError(f"--unknown-users {args.unknown_users} goes with --data DIR")
    settings = _settings(args)
    if args.data is not None:
        data = load_interactions(args.data, unknown_users=args.unknown_users)
    else:
        data = catalogue(seed=args.seed)
    result = study_diversity(data, settings, progress=True)
    put(study_tables.about(result.data))
    for limit in study_tables.limits(result):
        put(f"  {limit}")
    for sheet in study_tables.sheets(result):
        put("")
        show(sheet.caption, sheet.header, sheet.lines)
        for note in sheet.notes:
            put(f"  {note}")
    return FINE


def _settings(args: argparse.Namespace) -> "Settings":
    """The settings of the file, replaced by those of the options."""
    from irmetrics_edu.lab.study.rankers import Settings

    values: dict[str, Any] = {}
    if args.settings is not None:
        values = toml_of(text_of(File(args.settings)), args.settings)
    values |= {n: getattr(args, n) for n in ("seeds", "epochs") if getattr(args, n) is not None}
    names = [each.name for each in fields(Settings)]
    if unknown := [name for name in values if name not in names]:
        raise InputError(
            f"{args.settings}: there is no setting {unknown[0]!r}; use one of {', '.join(names)}"
        )
    return Settings(**{"seed": args.seed, **values})
