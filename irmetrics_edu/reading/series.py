"""One column of a table in memory: of a data frame of any make, or of Arrow alone."""

import contextlib
import math
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from numbers import Real
from typing import Any

import numpy as np

from irmetrics_edu.engine.text import utf8
from irmetrics_edu.errors import InputError, extra
from irmetrics_edu.numbers import Array

TEXT = "text"
WHOLE = "whole number"
NUMBER = "number"
BOOLEAN = "boolean"
OTHER = "other"


@contextlib.contextmanager
def told(what: str) -> Iterator[None]:
    """An error of a table library as an error of ours; each library has its own."""
    try:
        yield
    except InputError:
        raise
    except Exception as error:  # noqa: BLE001 -- any of theirs
        sentences = (line.strip() for line in str(error).splitlines() if line.strip())
        raise InputError(f"{what}: {next(sentences, type(error).__name__)}") from None


@dataclass(frozen=True)
class Series:
    """A column: its name, its type, and its values as the library that made it has them."""

    name: str
    kind: str
    written: str  # its type, as its library calls it
    values: Any

    def _told(self) -> contextlib.AbstractContextManager[None]:
        return told(f"column {self.name!r} of {self.written} can't be read")

    def integers(self) -> Array | None:
        """Whole numbers of 64 bits with their sign; None where one is missing or larger."""
        try:
            numbers = np.asarray(self.values.to_numpy())
        except Exception:  # noqa: BLE001 -- any of a library's; the values are then gone through
            return None
        if numbers.dtype == object:  # a frame's own kind of whole numbers
            numbers = np.array(numbers.tolist())
        too_large = numbers.dtype == np.uint64 and (numbers > np.uint64(2**63 - 1)).any()
        return None if numbers.dtype.kind not in "iu" or too_large else numbers

    def floats(self) -> Array:
        """Numbers, or truth values as 0 and 1; NaN where there is none."""
        import narwhals as nw

        with self._told():
            whole = self.kind == WHOLE  # a cast refuses those that no double holds
            numbers = np.asarray(
                (self.values if whole else self.values.cast(nw.Float64)).to_numpy()
            )
        if numbers.dtype.kind not in "iuf":  # a frame's own mark for what is missing
            numbers = np.array([as_float(value) for value in numbers.tolist()])
        return numbers.astype(np.float64)

    def held(self) -> Any:
        """The values where they are held: polars' own, or as Arrow has them; None if neither."""
        native = self.values.to_native()
        return native if hasattr(native, "estimated_size") else self.arrow

    @cached_property
    def arrow(self) -> Any:
        """The values as Arrow has them; None if Arrow is not installed or does not have them."""
        try:
            return self.values.to_arrow()
        except Exception:  # noqa: BLE001 -- any of a library's; the values are then gone through
            return None

    def tolist(self) -> list[Any]:
        """The values as Python's; bytes if a text is not UTF-8."""
        with self._told():
            try:
                return list(self.values.to_list())
            except UnicodeDecodeError:
                import pyarrow as pa  # type: ignore[import-untyped]

                as_bytes = self.values.to_arrow().cast(pa.large_binary()).to_pylist()
                return [str(v, "utf-8") if v is not None and utf8(v) else v for v in as_bytes]


def as_float(value: Any) -> float:
    """A real number as a float; NaN for anything else, including texts and truth values."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (Real, Decimal)):
        return math.nan
    try:
        return float(value)
    except (OverflowError, TypeError, ValueError):  # too large; a signalling NaN
        return math.inf


def is_missing(value: Any) -> bool:
    """Whether a value means "none": None, NaN, a blank text, a library's own mark."""
    if isinstance(value, str):
        return not value.strip()
    is_nan = isinstance(value, float) and math.isnan(value)
    return value is None or is_nan or type(value).__name__ in ("NAType", "NaTType")


@dataclass(frozen=True)
class TableOf:
    """A table in memory: its columns by name, made when they are asked for."""

    names: list[str]
    rows: int
    given: Any

    def __len__(self) -> int:
        return self.rows

    @property
    def named_by_text(self) -> bool:
        """Whether all names are text, as a file has them; a library's own may be numbers."""
        return all(isinstance(name, str) for name in self.given.columns)

    def first(self, n: int) -> list[list[str]]:
        """The cells of the first rows, as a file would have them."""
        return [[str(cell) for cell in row] for row in self.given.head(n).rows()]

    def __getitem__(self, name: str) -> Series:
        place = self.names.index(name)  # a name need not be text, nor the only one of its kind
        with told(f"column {name!r} can't be read"):
            values = self.given[:, place]
            return Series(name, _kind(values.dtype), str(values.dtype), values)


def _kind(dtype: Any) -> str:
    if dtype.is_integer():
        return WHOLE
    if dtype.is_numeric():
        return NUMBER
    return {"Boolean": BOOLEAN, "String": TEXT, "Categorical": TEXT, "Enum": TEXT}.get(
        str(dtype).split("(")[0], OTHER
    )


def is_text(kind: Any) -> bool:
    """Whether a type of Arrow holds text."""
    import pyarrow as pa

    return bool(
        pa.types.is_string(kind)
        or pa.types.is_large_string(kind)
        or pa.types.is_string_view(kind)
        or (pa.types.is_dictionary(kind) and is_text(kind.value_type))
    )


def table_of(frame: Any, where: str) -> TableOf:
    """The table of a data frame of any make, or of an Arrow table or batch."""
    unlike = f"{where}: {type(frame).__name__} is not a data frame that can be read"
    nw = extra("narwhals", what=f"{where}: reading a data frame")
    with told(unlike):
        if hasattr(frame, "to_struct_array") and not hasattr(frame, "to_batches"):  # of Arrow
            import pyarrow as pa

            frame = pa.Table.from_batches([frame])
        names = list(getattr(frame, "column_names", ()))
        if twice := [name for name in names if names.count(name) > 1]:
            raise InputError(
                f"{where}: {len(twice)} columns are called {twice[0]!r}; keep only the column to "
                "read, or rename the others"
            )
        native = nw.from_native(frame)
        table = native.collect() if isinstance(native, nw.LazyFrame) else native
        return TableOf([str(name) for name in table.columns], len(table), table)
