"""Parts of scikit-learn, imported on use."""

import importlib
from typing import Any

from irmetrics_edu.errors import InputError


def scikit_learn(module: str) -> Any:
    """A module of scikit-learn; where it is not installed, an error says how to install it."""
    try:
        return importlib.import_module(f"sklearn.{module}")
    except ModuleNotFoundError as error:
        if error.name is not None and error.name.partition(".")[0] != "sklearn":
            raise  # scikit-learn is there, but something that it needs is not
        raise InputError("this needs scikit-learn: pip install 'irmetrics-edu[learn]'") from None
