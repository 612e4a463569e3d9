"""What the pytest plugin does once it is used; `irmetrics_edu.pytest_plugin` is its entry.

Start with `session.py`.
"""

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
