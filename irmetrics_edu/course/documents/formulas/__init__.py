"""The formulas of the documents tested: each as printed, beside what is right.

A printed formula is written out here, because it is what is tested. The right values come from the
package's own metrics, over all small inputs.
"""

import importlib
from typing import Any

_MODULES = ("diversity_formulas", "learning_formulas", "novelty_formulas", "ranking_formulas")


def __getattr__(name: str) -> Any:
    """A function by its name, from the module that has it."""
    for module in () if name.startswith("_") else _MODULES:
        functions = vars(importlib.import_module(f"{__name__}.{module}"))
        if name in functions:
            return functions[name]
    raise AttributeError(f"no formula {name!r}")
