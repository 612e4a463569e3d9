"""What the pytest plugin does once it is used; `irmetrics_edu.pytest_plugin` is its entry.

Imports errors, writing, measured, conventions, views, reading, joining, assertions. Start with
`session.py`.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pytest

SUFFIXES = (".json", ".md", ".html")  # of reports


def option(config: "pytest.Config", name: str) -> Any:
    """The value of an option, from the command line or the ini file."""
    given = config.getoption(f"irm_{name}")
    return given or config.getini(f"irm_{name}")
