"""What results share: one table gives all views of it, and one set of facts gives the JSON."""

import json
import math
from typing import Any

from irmetrics_edu.views.result_table import ResultTable


class Report:
    """A result that is said in plain values."""

    def facts(self) -> dict[str, Any]:
        """The result in plain values, as JSON has them."""
        raise NotImplementedError

    def json(self, *, indent: int | None = 2) -> str:
        """JSON; a number that is not defined is null."""
        # An id may be anything that a mapping has for a key, and is then shown as text.
        shown = finite(self.facts())
        return json.dumps(shown, ensure_ascii=False, indent=indent, allow_nan=False, default=str)


class Tabled:
    """A result that is shown as a table. The options of each view are those of `table`."""

    def table(self, *args: Any, **options: Any) -> ResultTable:
        """The table."""
        raise NotImplementedError

    def text(self, **options: Any) -> str:
        """Plain text."""
        return self.table(**options).text()

    def markdown(self, **options: Any) -> str:
        """Markdown."""
        return self.table(**options).markdown()

    def latex(self, **options: Any) -> str:
        """LaTeX."""
        return self.table(**options).latex()

    def html(self, **options: Any) -> str:
        """HTML, as a notebook shows it."""
        return self.table(**options).html()

    def __repr__(self) -> str:
        return self.text()

    def _repr_html_(self) -> str:
        return self.html()


def finite(value: Any) -> Any:
    """The same with None for numbers that JSON does not have: NaN and infinity."""
    if isinstance(value, dict):
        return {str(key): finite(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [finite(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
