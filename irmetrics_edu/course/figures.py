"""Figures of the notebooks: of one size, with alt text, and still there without a kernel."""

import base64
import re
from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, Any

from irmetrics_edu.course.prompts import Page
from irmetrics_edu.errors import InputError
from irmetrics_edu.views import escaping
from irmetrics_edu.views.language import said
from irmetrics_edu.views.plotting import figure_bytes, pyplot

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_TAG = re.compile(r"<[^>]*>")
_LONG = re.compile(r"(\d+\.\d\d)\d+")


def figure(drawn: "Figure", alt: str) -> Page:
    """A matplotlib figure with its alt text, ready to be shown as SVG; the figure is closed."""
    if not alt.strip():
        raise InputError("a figure needs alt text: what is to be seen in it")
    data = base64.b64encode(_svg(drawn).encode()).decode("ascii")
    return Page(
        f"{said('Figure:')} {alt}",
        f'<img alt="{escaping.html(alt)}" src="data:image/svg+xml;base64,{data}">',
    )


def _svg(drawn: "Figure") -> str:
    """The drawing as SVG; of its lengths, digits beyond a hundredth of a point are cut off."""
    with pyplot().rc_context({"svg.fonttype": "none"}):  # words stay words, to be read out
        written = figure_bytes(drawn, "svg").decode()
    # Only lengths, which stand in tags: a number that the reader sees keeps its digits.
    return _TAG.sub(lambda tag: _LONG.sub(r"\1", tag[0]), written)


@dataclass(frozen=True, eq=False, repr=False)
class Slider:
    """A figure that the reader can change: `draw(value)` gives the figure for a value of `name`.

    Where no kernel runs, there is a figure for each value. The figure at the start is open and the
    others are folded. The pages of the course make a slider of them, which needs no kernel.
    """

    draw: Callable[[Any], Any]
    _: KW_ONLY
    name: str
    values: Sequence[Any]
    start: Any
    alt: Callable[[Any], str]

    def __post_init__(self) -> None:
        if self.start not in self.values:
            raise InputError(f"{self.name}={self.start!r} is not among {list(self.values)}")

    def _at(self, value: Any) -> Page:
        return figure(self.draw(value), self.alt(value))

    def __repr__(self) -> str:
        return f"{said('Slider')} {self.name} = {self.start}: {self.alt(self.start)}"

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        bundle: dict[str, Any] = {"text/plain": repr(self), "text/html": self._repr_html_()}
        widget = self._widget()
        if widget is not None:
            bundle.update(widget._repr_mimebundle_())
            bundle["text/plain"] = repr(self)
        return bundle

    def _repr_html_(self) -> str:
        """Every value with its figure; all but the one at the start are folded."""
        name = escaping.html(self.name)
        stills = (
            f"<details{' open' if value == self.start else ''}><summary>{name} = "
            f"{escaping.html(str(value))}</summary>{self._at(value).page}</details>"
            for value in self.values
        )
        return "\n".join([f'<div class="slider" data-name="{name}">', *stills, "</div>"])

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
            options=list(self.values),
            value=self.start,
            description=self.name,
        )
        picture = ipywidgets.HTML(self._at(self.start).page)

        def follow(change: Any) -> None:
            picture.value = self._at(change["new"]).page

        choose.observe(follow, names="value")
        return ipywidgets.VBox([choose, picture])


slider = Slider  # as notebooks call it
