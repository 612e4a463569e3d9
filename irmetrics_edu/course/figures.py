"""Figures of the notebooks: of one size, with alt text, and still there without a kernel."""

import base64
import io
from collections.abc import Callable, Sequence
from typing import Any

from irmetrics_edu.errors import InputError
from irmetrics_edu.views import escaping

DPI = 100


class Figure:
    """A drawn figure with its description: a picture in HTML, the description as text."""

    def __init__(self, drawn: Any, alt: str) -> None:
        if not alt.strip():
            raise InputError("a figure needs alt text: what is to be seen in it")
        self.alt = alt
        self.png = _png(drawn)

    def __repr__(self) -> str:
        return f"Figure: {self.alt}"

    def _repr_html_(self) -> str:
        data = base64.b64encode(self.png).decode("ascii")
        return f'<img alt="{escaping.html(self.alt)}" src="data:image/png;base64,{data}">'


def figure(drawn: Any, alt: str) -> Figure:
    """A matplotlib figure with its alt text, ready to be shown; the figure is closed."""
    return Figure(drawn, alt)


def _png(drawn: Any) -> bytes:
    import matplotlib.pyplot as plt

    buffer = io.BytesIO()
    drawn.savefig(buffer, format="png", dpi=DPI, metadata={"Software": None})
    plt.close(drawn)
    return buffer.getvalue()


class Slider:
    """A figure that follows a parameter; where no kernel runs, the figure at its start."""

    def __init__(
        self,
        draw: Callable[[Any], Any],
        name: str,
        values: Sequence[Any],
        start: Any,
        alt: Callable[[Any], str],
    ) -> None:
        if start not in values:
            raise InputError(f"{name}={start!r} is not among {list(values)}")
        self.draw, self.name, self.values, self.start, self.alt = draw, name, values, start, alt
        self.still = Figure(draw(start), alt(start))

    def __repr__(self) -> str:
        return f"Slider {self.name} = {self.start}: {self.still.alt}"

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        still = self.still._repr_html_()
        bundle: dict[str, Any] = {
            "text/plain": repr(self),
            "text/html": f"{still}<p>{escaping.html(self.name)} = {self.start}</p>",
        }
        widget = self._widget()
        if widget is not None:
            bundle.update(widget._repr_mimebundle_())
            bundle["text/plain"] = repr(self)
        return bundle

    def _widget(self) -> Any:
        """The live slider, where ipywidgets is installed and a kernel runs."""
        try:
            import ipywidgets
            from IPython import get_ipython
        except ModuleNotFoundError:
            return None
        if getattr(get_ipython(), "kernel", None) is None:
            return None
        choose = ipywidgets.SelectionSlider(
            options=list(self.values), value=self.start, description=self.name
        )
        picture = ipywidgets.HTML(self.still._repr_html_())

        def follow(change: Any) -> None:
            value = change["new"]
            shown = Figure(self.draw(value), self.alt(value))
            picture.value = shown._repr_html_()

        choose.observe(follow, names="value")
        return ipywidgets.VBox([choose, picture])


def slider(
    draw: Callable[[Any], Any],
    *,
    name: str,
    values: Sequence[Any],
    start: Any,
    alt: Callable[[Any], str],
) -> Slider:
    """A figure that the reader can change: `draw(value)` gives the figure for a value of `name`."""
    return Slider(draw, name, values, start, alt)
