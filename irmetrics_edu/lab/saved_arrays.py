"""Arrays in files: numpy's npz without pickle, so that a file is data and runs nothing."""

import io
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from irmetrics_edu.numbers import Array


def npz(arrays: Mapping[str, Any]) -> bytes:
    """The bytes of a file of arrays; the same arrays give the same bytes."""
    buffer = io.BytesIO()
    np.savez(buffer, **{name: np.asarray(values) for name, values in arrays.items()})  # type: ignore[arg-type]
    return buffer.getvalue()


def arrays_in(path: str | Path) -> dict[str, Array]:
    """The arrays in a file; a file that was spoilt raises one of `SPOILT`."""
    with np.load(io.BytesIO(Path(path).read_bytes()), allow_pickle=False) as held:
        return {name: held[name] for name in held.files}
