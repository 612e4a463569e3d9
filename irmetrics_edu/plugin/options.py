"""The plugin's options, checked before any test runs."""

from collections.abc import Mapping
from typing import Any

import pytest

UPDATES = ("new", "failing", "all")
SUFFIXES = (".json", ".md", ".html")
BASELINES = "irm_baselines.json"


def in_ci(environment: Mapping[str, str]) -> bool:
    """Whether this is a run of continuous integration, by the same signs as pytest."""
    return bool(environment.get("CI") or environment.get("BUILD_NUMBER"))


def check(given: Mapping[str, Any], environment: Mapping[str, str]) -> None:
    """Refuse what the plugin can't do, with what would do."""
    update = given["update"]
    if update and update not in UPDATES:
        raise pytest.UsageError(f"--irm-update={update}: use one of {', '.join(UPDATES)}")
    if update and in_ci(environment):
        raise pytest.UsageError(
            f"--irm-update={update}: baselines are not written in CI (CI or BUILD_NUMBER is set); "
            "update them where you can look at them, and commit the file"
        )
    for path in given["report"] or ():
        if not path.endswith(SUFFIXES):
            raise pytest.UsageError(
                f"--irm-report={path}: the name ends in one of {', '.join(SUFFIXES)}"
            )
    for name, known in (("table", ("yes", "no")), ("reveal", ("all", "hint"))):
        if given[name] and given[name] not in known:
            raise pytest.UsageError(f"--irm-{name}={given[name]}: use one of {', '.join(known)}")
    baselines = given["baselines"]
    if baselines and ("/" in baselines or "\\" in baselines or not baselines.endswith(".json")):
        raise pytest.UsageError(
            f"--irm-baselines={baselines}: a file's name without folder, ending in .json"
        )
