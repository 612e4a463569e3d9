"""What a kind of input is: the arguments of a metric, and how they become rows."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class KindOfInput:
    """A kind of input: the arguments of a metric, and how they become rows.

    `align` makes rows of one query. `in_bulk` makes them of a whole run that was joined with its
    judgments, with the options of the alignment. It gives None if the queries have to be taken one
    by one. A kind without `in_bulk` always takes them one by one. Where `grouped` makes one value
    of the options, `align` takes that as `by`.
    """

    name: str
    arguments: tuple[str, ...]
    align: Callable[..., Any]
    options: Mapping[str, Any] = field(default_factory=dict)
    in_bulk: Callable[[Any, Mapping[str, Any]], Any] | None = None
    grouped: Callable[..., Any] | None = field(default=None, repr=False)

    def keywords(self, options: Mapping[str, Any]) -> Mapping[str, Any]:
        """The options as `align` takes them."""
        if self.grouped is None or not options:
            return options
        return {"by": self.grouped(**options)}
