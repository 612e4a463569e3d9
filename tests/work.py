"""How much work a call is, counted: the same on a quick machine and on a busy one."""

import sys
from collections.abc import Callable
from typing import Any

import irmetrics_edu

HOME = irmetrics_edu.__path__[0]


def calls_in(function: Callable[[], Any]) -> int:
    """How many functions of the package a call enters."""
    count = 0

    def entered(frame: Any, event: str, _: Any) -> None:
        nonlocal count
        if event == "call" and frame.f_code.co_filename.startswith(HOME):
            count += 1

    before = sys.getprofile()
    sys.setprofile(entered)
    try:
        function()
    finally:
        sys.setprofile(before)
    return count
