"""Arrays in files: numpy's npz without pickle, so that a file is data and runs nothing.

What is saved for later has a header besides: JSON as bytes, with the format and its version.
"""

import io
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from irmetrics_edu.errors import InputError
from irmetrics_edu.numbers import Array
from irmetrics_edu.reading.files import SPOILT
from irmetrics_edu.writing import write

_HEADER = "header"


def npz(arrays: Mapping[str, Any]) -> bytes:
    """The bytes of a file of arrays; the same arrays give the same bytes."""
    buffer = io.BytesIO()
    np.savez(buffer, **{name: np.asarray(values) for name, values in arrays.items()})  # type: ignore[arg-type]
    return buffer.getvalue()


def arrays_in(path: str | Path) -> dict[str, Array]:
    """The arrays in a file; a file that was spoilt raises one of `SPOILT`."""
    with np.load(io.BytesIO(Path(path).read_bytes()), allow_pickle=False) as held:
        return {name: held[name] for name in held.files}


def write_arrays(
    path: str | Path, form: str, version: int, header: Mapping[str, Any], arrays: Mapping[str, Any]
) -> None:
    """Writes arrays of numbers with a header in JSON, as `read_arrays` reads them."""
    text = json.dumps({**header, "format": form, "version": version}, allow_nan=False)
    write(path, npz({**arrays, _HEADER: np.frombuffer(text.encode(), dtype=np.uint8)}))


def read_arrays(
    path: str | Path, form: str, version: int
) -> tuple[dict[str, Any], dict[str, Array]]:
    """Reads a header and arrays of finite numbers; nothing in the file is ever run.

    InputError for a file of another format or version, for a damaged file, and for anything but
    numbers.
    """
    if not Path(path).exists():
        raise InputError(f"{path}: the file does not exist")
    try:
        arrays = arrays_in(path)
        header = json.loads(arrays.pop(_HEADER).tobytes())
        found = header["format"], header["version"]
    except SPOILT:
        raise InputError(f"{path} is not a file of {form}, or it is damaged") from None
    if found[0] != form:
        raise InputError(f"{path} is a file of {found[0]!r}; give a file of {form!r}")
    if found[1] != version:
        raise InputError(
            f"{path}: its version is {found[1]!r}, but this package reads {version}; save it "
            "again with this version of the package"
        )
    for name, values in arrays.items():
        if values.dtype.kind not in "fiub" or not np.isfinite(values).all():
            raise InputError(f"{path}: {name} holds something that is not a finite number")
    return header, arrays


def misfit(path: str | Path, error: Exception) -> InputError:
    """The error for a file whose parts can be read, but not put together."""
    return InputError(f"{path}: its parts don't fit together ({type(error).__name__}: {error})")
