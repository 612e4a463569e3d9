"""Figures of the notebooks: of one size, with alt text, and still there without a kernel."""

import base64
import io
import re
from collections.abc import Callable, Sequence
from typing import Any

from irmetrics_edu.errors import InputError
from irmetrics_edu.views import escaping
from irmetrics_edu.views.language import said

_LONG = re.compile(r"(\d+\.\d\d)\d+")


class Figure:
    """A drawn figure with its description: an SVG picture in HTML, the description as text."""

    def __init__(self, drawn: Any, alt: str) -> None:
        if not alt.strip():
            raise InputError("a figure needs alt text: what is to be seen in it")
        self.alt = alt
        self.svg = _svg(drawn)

    def __repr__(self) -> str:
        return f"{said('Figure:')} {self.alt}"

    def _repr_html_(self) -> str:
        data = base64.b64encode(self.svg.encode()).decode("ascii")
        return f'<img alt="{escaping.html(self.alt)}" src="data:image/svg+xml;base64,{data}">'


def figure(drawn: Any, alt: str) -> Figure:
    """A matplotlib figure with its alt text, ready to be shown; the figure is closed."""
    return Figure(drawn, alt)


def _svg(drawn: Any) -> str:
    """The drawing as SVG; digits beyond a hundredth of a point, which nobody sees, are cut off."""
    import matplotlib.pyplot as plt

    buffer = io.StringIO()
    # Words stay words, which can be searched and read out; ids don't change from run to run.
    with plt.rc_context({"svg.fonttype": "none", "svg.hashsalt": "irmetrics"}):
        drawn.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None})
    plt.close(drawn)
    return _LONG.sub(r"\1", buffer.getvalue())


class Slider:
    """A figure that follows a parameter; where no kernel runs, a figure for each value.

    The figure at the start is open and the others are folded. The pages of the course make a
    slider of them, which needs no kernel.
    """

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
        return f"{said('Slider')} {self.name} = {self.start}: {self.still.alt}"

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        bundle: dict[str, Any] = {"text/plain": repr(self), "text/html": self._stills()}
        widget = self._widget()
        if widget is not None:
            bundle.update(widget._repr_mimebundle_())
            bundle["text/plain"] = repr(self)
        return bundle

    def _repr_html_(self) -> str:
        return self._stills()

    def _stills(self) -> str:
        """Every value with its figure; all but the one at the start are folded."""
        name = escaping.html(self.name)
        page = [f'<div class="slider" data-name="{name}">']
        for value in self.values:
            at_start = value == self.start
            shown = self.still if at_start else Figure(self.draw(value), self.alt(value))
            page.append(
                f"<details{' open' if at_start else ''}><summary>{name} = "
                f"{escaping.html(str(value))}</summary>{shown._repr_html_()}</details>"
            )
        return "\n".join([*page, "</div>"])

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
