"""The settings of `irmetrics-edu study diversity`: defaults, presets, a file, single values."""

import argparse
import json
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from irmetrics_edu.commands.options import share, whole
from irmetrics_edu.errors import InputError
from irmetrics_edu.reading.records import decoded
from irmetrics_edu.views.output import put

if TYPE_CHECKING:
    from irmetrics_edu.lab.study.study_settings import Settings

_OWN = ("pool", "mmr_lambda", "dpp_theta", "epochs", "seeds")
_MODELS = {"LightGCN": "lightgcn", "DGRec": "dgrec"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options for how lists are made; options that are not given keep their defaults."""
    group = parser.add_argument_group(
        "how the lists are made",
        "Later ones replace earlier ones, in this order: --preset, --settings, single options, "
        "--set.",
    )
    group.add_argument(
        "--preset", action="append", default=[], metavar="NAME",
        help="published settings of a recommender, such as dgrec-authors; may be repeated "
        "(--list-settings shows all)",
    )  # fmt: skip
    group.add_argument(
        "--settings", metavar="FILE", type=Path,
        help="a TOML file: names as in --set, hyperparameters under [lightgcn] and [dgrec]",
    )  # fmt: skip
    group.add_argument(
        "--set", action="append", default=[], metavar="NAME=VALUE",
        help="a hyperparameter, such as lightgcn.penalty=0.01 or dgrec.neighbours=20, or a "
        "setting, such as pool=300; may be repeated (--list-settings shows all)",
    )  # fmt: skip
    group.add_argument(
        "--list-settings", action=_List, nargs=0,
        help="show all settings, hyperparameters and presets with their values, and exit",
    )  # fmt: skip
    group.add_argument(
        "--seeds", type=whole(1), metavar="N",
        help="train with N seeds, starting at --seed; intervals then cover users and seeds "
        "(default: 1)",
    )  # fmt: skip
    group.add_argument(
        "--epochs", type=whole(1), metavar="N",
        help="train for at most N epochs, unless a preset or hyperparameter says otherwise "
        "(default: 300)",
    )  # fmt: skip
    group.add_argument(
        "--pool", type=whole(1), metavar="N",
        help="number of items that MMR and DPP choose from (default: 200)",
    )  # fmt: skip
    group.add_argument(
        "--mmr-lambda", type=share, metavar="SHARE",
        help="weight of relevance in MMR; 1 means relevance alone (default: 0.5)",
    )  # fmt: skip
    group.add_argument(
        "--dpp-theta", type=share, metavar="SHARE",
        help="weight of relevance in DPP; near 1 means relevance alone (default: 0.6)",
    )  # fmt: skip


def settings(args: argparse.Namespace, judging: Mapping[str, Any]) -> "Settings":
    """The settings that the arguments give."""
    from irmetrics_edu.lab.study.study_settings import Settings

    found: dict[str, Any] = {"lightgcn": {}, "dgrec": {}}
    for name in args.preset:
        model, options = _preset(name)
        found[model] |= options
    if args.settings is not None:
        _take(found, _file(args.settings), f"{args.settings}: ")
    own = {name: getattr(args, name) for name in _OWN if getattr(args, name) is not None}
    found |= {**own, **judging}
    for given in args.set:
        _take(found, _single(given), f"--set {given}: ")
    return Settings(**found)


def _preset(name: str) -> tuple[str, Mapping[str, Any]]:
    from irmetrics_edu.lab.recommenders.presets import PRESETS

    if name not in PRESETS:
        raise InputError(f"--preset {name}: there is {', '.join(sorted(PRESETS))}")
    return _MODELS[PRESETS[name].model.name], PRESETS[name].options


def _file(path: Path) -> Mapping[str, Any]:
    try:
        raw = path.read_bytes()
    except FileNotFoundError:
        raise InputError(f"there is no file {path}") from None
    except OSError as error:
        raise InputError(f"{path} can't be read as TOML: {error}") from None
    text = decoded(raw, path)
    try:
        return tomllib.loads(text)
    except ValueError as error:
        raise InputError(f"{path} can't be read as TOML: {error}") from None


def _single(given: str) -> Mapping[str, Any]:
    """The setting in NAME=VALUE; the value is a TOML value, `none` or a word."""
    name, _, text = given.partition("=")
    table, _, of = name.strip().rpartition(".")
    if not of or not text:
        raise InputError(f"--set {given}: write NAME=VALUE, such as lightgcn.penalty=0.01")
    value: Any = None
    if text.lower() != "none":
        try:
            value = tomllib.loads(f"value = {text}")["value"]
        except tomllib.TOMLDecodeError:
            value = text
    return {table: {of: value}} if table else {of: value}


def _take(found: dict[str, Any], given: Mapping[str, Any], place: str) -> None:
    """Replace old settings by the given ones; unknown names are refused."""
    from irmetrics_edu.lab.study.study_settings import DGREC, LIGHTGCN

    known = {"lightgcn": LIGHTGCN, "dgrec": DGREC}
    for name, value in given.items():
        if name in known and isinstance(value, Mapping):
            unknown = sorted(set(value) - set(known[name]))
            if unknown:
                raise InputError(
                    f"{place}{name} has no hyperparameter {unknown[0]!r}; it has "
                    f"{', '.join(known[name])}"
                )
            found[name] |= value
        elif name in _settable():
            found[name] = tuple(value) if name == "cutoffs" else value
        else:
            raise InputError(
                f"{place}there is no setting {name!r}; there are {', '.join(_settable())}, "
                "lightgcn.NAME and dgrec.NAME"
            )


def _settable() -> dict[str, Any]:
    """The settings that belong to no recommender, each with its default."""
    from dataclasses import fields

    from irmetrics_edu.lab.study.study_settings import Settings

    return {f.name: f.default for f in fields(Settings) if f.name not in _MODELS.values()}


class _List(argparse.Action):
    """Shows all settings, and ends the command as --help does."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        """Print the settings."""
        put("\n".join(_lines()))
        parser.exit()


def _text(value: Any) -> str:
    return json.dumps(value)


def _lines() -> Iterator[str]:
    from irmetrics_edu.lab.recommenders.presets import PRESETS
    from irmetrics_edu.lab.study.study_settings import DGREC, LIGHTGCN

    for prefix, known in (("", _settable()), ("lightgcn.", LIGHTGCN), ("dgrec.", DGREC)):
        for name, value in known.items():
            yield f"--set {prefix}{name}={'none' if value is None else _text(value)}"
    for name, of in sorted(PRESETS.items()):
        values = ", ".join(f"{option} = {value}" for option, value in of.options.items())
        yield f"--preset {name}: {of.model.name} as its authors run it ({of.source})"
        yield f"  {_MODELS[of.model.name]}: {values}"
