"""The plugin's options, checked before any test runs."""

from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

import pytest

from irmetrics_edu.gate.plugin import SUFFIXES
from irmetrics_edu.gate.policy import NAMES, OPTIONS, in_settings, made

UPDATES = ("new", "failing", "all")
_BY_PLACE = ("policy", "margin")  # what a marker takes without a name
_WORDS = {"table": ("yes", "no"), "reveal": ("all", "hint")}


# What pytest asks for, and what Azure Pipelines, TeamCity and AWS CodeBuild set besides.
OF_CI = ("CI", "BUILD_NUMBER", "TF_BUILD", "TEAMCITY_VERSION", "CODEBUILD_BUILD_ID")


def sign_of_ci(environment: Mapping[str, str]) -> str:
    """The environment variable by which this is a CI run; "" if it is none."""
    for name in OF_CI:
        if environment.get(name):
            return name
    return ""


def check(options: Mapping[str, Any], environment: Mapping[str, str]) -> None:
    """Refuse options that the plugin can't follow, and say what to write instead."""
    update = options["update"]
    if update and update not in UPDATES:
        raise pytest.UsageError(f"--irm-update={update}: use one of {', '.join(UPDATES)}")
    sign = sign_of_ci(environment)
    if sign and update:
        _refuse_in_ci(f"--irm-update={update}", "written", "update", sign)
    if sign and options["prune"]:
        _refuse_in_ci("--irm-prune", "removed", "remove", sign)
    _check_files(options)
    for name, words in _WORDS.items():
        if options[name] and options[name] not in words:
            raise pytest.UsageError(f"--irm-{name}={options[name]}: use one of {', '.join(words)}")
    _check_policy(options)


def _refuse_in_ci(option: str, done: str, do: str, sign: str) -> NoReturn:
    raise pytest.UsageError(
        f"{option}: baselines are not {done} in CI ({sign} is set); {do} them on "
        "your own machine, look at the diff, and commit the file"
    )


def _check_files(options: Mapping[str, Any]) -> None:
    """Refuse names of files that don't say what they hold."""
    for path in options["report"] or ():
        if not path.endswith(SUFFIXES):
            raise pytest.UsageError(
                f"--irm-report={path}: the name ends in one of {', '.join(SUFFIXES)}"
            )
    history = options["history"]
    if history and not history.endswith(".jsonl"):
        raise pytest.UsageError(f"--irm-history={history}: the name ends in .jsonl")


def _check_policy(options: Mapping[str, Any]) -> None:
    settings = _said(options)
    if not settings:
        return
    from irmetrics_edu.errors import InputError

    try:
        made(settings)
    except InputError as error:
        raise pytest.UsageError(f"irm options: {error}") from None


def _said(options: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of gates from options and ini file, with numbers as numbers."""
    settings: dict[str, Any] = {}
    for setting in OPTIONS:
        text = options.get(setting.name)
        if not text:
            continue
        value = _number(text) if setting.is_number else text
        settings[setting.name] = value
    return settings


def _number(text: str) -> Any:
    try:
        return float(text)
    except ValueError:
        return text  # "off", or what is refused


def policy(options: Mapping[str, Any], markers: Sequence[pytest.Mark], test: str) -> dict[str, Any]:
    """The limits for gates of a test: from markers, the closest first, else from options."""
    settings = in_settings(_said(options))
    for marker in reversed(markers):
        settings |= in_settings(_marked(marker, test))
    return settings


def _marked(marker: pytest.Mark, test: str) -> dict[str, Any]:
    """The values of a marker irm_baseline, given by name or in this order."""
    from irmetrics_edu.errors import InputError

    by_place = dict(zip(_BY_PLACE, marker.args, strict=False))
    by_name = set(NAMES) - by_place.keys()
    if len(marker.args) > len(_BY_PLACE) or marker.kwargs.keys() - by_name:
        words = [repr(value) for value in marker.args]
        words += [f"{name}=" for name in marker.kwargs]
        written = ", ".join(words)
        raise InputError(
            f"the marker irm_baseline({written}) of {test}: it takes {', '.join(NAMES)}, each once"
        )
    return {**by_place, **marker.kwargs}
