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
_OF_CI = ("CI", "BUILD_NUMBER", "TF_BUILD", "TEAMCITY_VERSION", "CODEBUILD_BUILD_ID")


def sign_of_ci(environment: Mapping[str, str]) -> str:
    """The environment variable by which this is a CI run; "" if it is none."""
    for name in _OF_CI:
        if environment.get(name):
            return name
    return ""


def check(given: Mapping[str, Any], environment: Mapping[str, str]) -> None:
    """Refuse options that the plugin can't follow, and say what to write instead."""
    update = given["update"]
    if update and update not in UPDATES:
        raise pytest.UsageError(f"--irm-update={update}: use one of {', '.join(UPDATES)}")
    sign = sign_of_ci(environment)
    if sign and update:
        _refuse_in_ci(f"--irm-update={update}", "written", "update", sign)
    if sign and given["prune"]:
        _refuse_in_ci("--irm-prune", "removed", "remove", sign)
    _check_files(given)
    for name, known in _WORDS.items():
        if given[name] and given[name] not in known:
            raise pytest.UsageError(f"--irm-{name}={given[name]}: use one of {', '.join(known)}")
    _check_policy(given)


def _refuse_in_ci(option: str, done: str, do: str, sign: str) -> NoReturn:
    raise pytest.UsageError(
        f"{option}: baselines are not {done} in CI ({sign} is set); {do} them on "
        "your own machine, look at the diff, and commit the file"
    )


def _check_files(given: Mapping[str, Any]) -> None:
    """Refuse names of files that don't say what they hold."""
    for path in given["report"] or ():
        if not path.endswith(SUFFIXES):
            raise pytest.UsageError(
                f"--irm-report={path}: the name ends in one of {', '.join(SUFFIXES)}"
            )
    history = given["history"]
    if history and not history.endswith(".jsonl"):
        raise pytest.UsageError(f"--irm-history={history}: the name ends in .jsonl")


def _check_policy(given: Mapping[str, Any]) -> None:
    said = _said(given)
    if not said:
        return
    from irmetrics_edu.errors import InputError

    try:
        made(said)
    except InputError as error:
        raise pytest.UsageError(f"irm options: {error}") from None


def _said(given: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of gates from options and ini file, with numbers as numbers."""
    said: dict[str, Any] = {}
    for setting in OPTIONS:
        text = given.get(setting.name)
        if not text:
            continue
        value = _number(text) if setting.is_number else text
        said[setting.name] = value
    return said


def _number(text: str) -> Any:
    try:
        return float(text)
    except ValueError:
        return text  # "off", or what is refused


def policy(given: Mapping[str, Any], markers: Sequence[pytest.Mark], test: str) -> dict[str, Any]:
    """The limits for gates of a test: from markers, the closest first, else from options."""
    found = in_settings(_said(given))
    for marker in reversed(markers):
        found |= in_settings(_marked(marker, test))
    return found


def _marked(marker: pytest.Mark, test: str) -> dict[str, Any]:
    """The values of a marker irm_baseline, given by name or in this order."""
    from irmetrics_edu.errors import InputError

    by_place = dict(zip(_BY_PLACE, marker.args, strict=False))
    by_name = set(NAMES) - by_place.keys()
    if len(marker.args) > len(_BY_PLACE) or marker.kwargs.keys() - by_name:
        words = [repr(value) for value in marker.args]
        words += [f"{name}=" for name in marker.kwargs]
        given = ", ".join(words)
        raise InputError(
            f"the marker irm_baseline({given}) of {test}: it takes {', '.join(NAMES)}, each once"
        )
    return {**by_place, **marker.kwargs}
