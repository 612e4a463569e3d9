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
    flag = config.getoption(f"irm_{name}")
    return flag or config.getini(f"irm_{name}")


def plain_id(nodeid: str, config: "pytest.Config") -> str:
    """The id of a test without the group that pytest-xdist's `--dist loadgroup` puts behind it.

    A baseline belongs to the test, in whichever group and process it runs.
    """
    distribution = config.getoption("dist", default="")
    in_worker = config.getoption("loadgroup", default=False)  # whose distribution is "no"
    if distribution != "loadgroup" and not in_worker:
        return nodeid
    test, _, group = nodeid.rpartition("@")
    is_group = "]" not in group and ":" not in group
    if is_group and "::" in test:
        return test
    return nodeid


def id_of_all_repetitions(item: "pytest.Item") -> str:
    """The id of a test without the number that a plugin gives each of its repetitions.

    pytest-repeat, pytest-loop and pytest-flakefinder run a test several times by a parameter of
    their own. All repetitions have one baseline.
    """
    nodeid = plain_id(item.nodeid, item.config)
    callspec = getattr(item, "callspec", None)  # which tests with parameters have
    if callspec is None:
        return nodeid
    parameters = callspec.id
    in_brackets = f"[{parameters}]"
    name = nodeid.removesuffix(in_brackets)
    if name == nodeid:
        return nodeid
    for parameter, number in callspec.params.items():
        is_of_a_plugin = parameter.startswith("__")
        if is_of_a_plugin and isinstance(number, int):
            parameters = without_repetition(parameters, parameter, number)
    if not parameters:
        return name
    return f"{name}[{parameters}]"


def without_repetition(parameters: str, plugins: str, number: int) -> str:
    """The parameters of a test in its id, without the one by which a plugin repeats it.

    `plugins` is what the plugin calls its parameter, and `number` is counted from 0.

    >>> without_repetition("de-1-2", "__pytest_repeat_step_number", 0)
    'de'
    >>> without_repetition("0-de", "__flakefinder_test_it", 0)
    'de'
    """
    if plugins.startswith("__flakefinder_"):  # it comes first, and counts from 0
        first = rf"^{number}(-|$)"
        return re.sub(first, "", parameters)
    last = rf"(^|-){number + 1}-\d+$"
    return re.sub(last, "", parameters)
