"""What the pytest plugin does once it is used; `irmetrics_edu.pytest_plugin` is its entry.

Start with `session.py`.
"""

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pytest

SUFFIXES = (".json", ".md", ".html")  # of reports
BASELINES = "irm_baselines.json"  # beside the tests of a folder


def option(config: "pytest.Config", name: str) -> Any:
    """The value of an option, from the command line or the ini file."""
    given = config.getoption(f"irm_{name}")
    return given or config.getini(f"irm_{name}")


def plain_id(nodeid: str, config: "pytest.Config") -> str:
    """The id of a test without the group that pytest-xdist's `--dist loadgroup` puts behind it.

    A baseline belongs to the test, in whichever group and process it runs.
    """
    grouped = config.getoption("dist", default="") == "loadgroup"  # in a worker dist is "no"
    grouped = grouped or config.getoption("loadgroup", default=False)
    test, _, group = nodeid.rpartition("@")
    if grouped and "::" in test and not {"]", ":"} & set(group):
        return test
    return nodeid


def id_of_all_repetitions(item: "pytest.Item") -> str:
    """The id of a test without the number that a plugin gives each of its repetitions.

    pytest-repeat, pytest-loop and pytest-flakefinder run a test several times by a parameter of
    their own. All repetitions have one baseline.
    """
    nodeid = plain_id(item.nodeid, item.config)
    callspec = getattr(item, "callspec", None)  # which tests with parameters have
    if callspec is None or not nodeid.endswith(f"[{callspec.id}]"):
        return nodeid
    name = nodeid.removesuffix(f"[{callspec.id}]")
    parameters = callspec.id
    for parameter, number in callspec.params.items():
        if parameter.startswith("__") and isinstance(number, int):
            parameters = without_repetition(parameters, parameter, number)
    return f"{name}[{parameters}]" if parameters else name


def without_repetition(parameters: str, plugins: str, number: int) -> str:
    """The parameters of a test in its id, without the one by which a plugin repeats it.

    `plugins` is what the plugin calls its parameter, and `number` is counted from 0.

    >>> without_repetition("de-1-2", "__pytest_repeat_step_number", 0)
    'de'
    >>> without_repetition("0-de", "__flakefinder_test_it", 0)
    'de'
    """
    if plugins.startswith("__flakefinder_"):  # it comes first, and counts from 0
        return re.sub(rf"^{number}(-|$)", "", parameters)
    return re.sub(rf"(^|-){number + 1}-\d+$", "", parameters)
