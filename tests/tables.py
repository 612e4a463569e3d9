"""One test over all rows of a table.

A test of its own for each row takes some milliseconds of pytest, whatever it asks, and thousands of
short rows would take longer than all they ask. Here a failure names its row, and ends the test.
"""

import functools
import inspect
from collections.abc import Callable, Iterable
from typing import Any

Test = Callable[..., None]


def rows(names: str | tuple[str, ...], table: Iterable[Any]) -> Callable[[Test], Test]:
    """Call a test with each row, as `pytest.mark.parametrize` would, but within one test."""
    called = [name.strip() for name in names.split(",")] if isinstance(names, str) else [*names]
    held = [row if len(called) > 1 else (row,) for row in table]
    assert held, "a table without rows tests nothing"
    for row in held:
        assert len(row) == len(called), row

    def over_all(test: Test) -> Test:
        signature = inspect.signature(test)
        left = [one for name, one in signature.parameters.items() if name not in called]
        assert len(left) == len(signature.parameters) - len(called), "a name is no parameter"

        @functools.wraps(test)
        def whole(**fixtures: Any) -> None:
            for row in held:
                try:
                    test(**dict(zip(called, row, strict=True)), **fixtures)
                except BaseException as error:
                    error.add_note(f"The row: {row!r}")
                    raise

        whole.__signature__ = signature.replace(parameters=left)  # type: ignore[attr-defined]
        return whole

    return over_all
