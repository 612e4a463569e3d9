"""What a metric's page has beside its definition: a form, the libraries, a sentence for a paper."""

import json
import math
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

from dev.tools.playground import data
from dev.tools.playground.page import PURE
from dev.tools.playground.page import script as modules
from dev.tools.site import library_pages
from dev.tools.site.markup import prose, raw, table
from irmetrics_edu import __version__, evaluate
from irmetrics_edu.errors import InputError
from irmetrics_edu.libraries import BUNDLES, Bundle
from irmetrics_edu.libraries.table import of_metric
from irmetrics_edu.metrics.definition import Metric
from irmetrics_edu.rows.aligned_ranking import RANKED
from irmetrics_edu.views import escaping

# The metrics of one ranking whose steps the runner of the vectors shows.
TRIED = (*(name for name in data.MEASURES if name != "alpha-nDCG"), "simplified-AP")
SCRIPT = "try.js"
_DOI = re.compile(r"doi:(10\.[^\s,;)]+)")
_K = 5  # what the cut-off of a library's measure is compared at


def script() -> str:
    """The script of the forms: the playground's modules, and the form."""
    return f'"use strict";\n{modules((*PURE, "dom", "draw", "shown", "form"))}'


def tried(metric: Metric) -> list[str]:
    """A form that scores what is typed, with each step."""
    if metric.name not in TRIED:
        return []
    known = {
        "name": metric.name,
        "cutoff": metric.has_cutoff,
        "said": {
            name: data.plain(value)
            for name, value in {**metric.defaults, **metric.inputs.options}.items()
        },
        "played": metric.name in data.MEASURES,
    }
    held = escaping.html(json.dumps(known))
    without = "<noscript>The form needs JavaScript; the example shows the same steps.</noscript>"
    form = f'<div class="try-it" data-metric="{held}">{without}</div>'
    return ["## Try it", raw(f'{form}<script defer src="_static/{SCRIPT}"></script>')]


def sources(metric: Metric) -> str:
    """Where the metric comes from, with a link to each work that has a DOI."""
    text = escaping.markdown(metric.source)
    with (Path(__file__).parent / "dois.toml").open("rb") as file:
        for work, doi in tomllib.load(file).items():
            said = escaping.markdown(work)
            text = text.replace(said, f"[{said}](<https://doi.org/{doi}>)")
    return _DOI.sub(r"[doi:\1](https://doi.org/\1)", text)


def in_libraries(metric: Metric) -> list[str]:
    """A line for each library, those first whose number is not ours on one of five inputs."""
    rows = sorted(_rows(metric), key=lambda row: (not row[0], row[1], row[2].lower()))
    if not rows:
        none = "No library that is [compared here](conventions.md) is known to have this metric."
        return ["## In other libraries", none]
    header = ("library (version)", "known by", "its names and conventions", "first difference")
    return ["## In other libraries", _COMPARED, table(header, [row[2:] for row in rows])]


_COMPARED = (
    "The same five queries are scored under the [conventions](conventions.md) of each library and "
    "by the defaults of this page. Libraries that give another number come first."
)


def _rows(metric: Metric) -> Iterator[tuple[bool, int, str, str, str, str]]:
    for b in BUNDLES.values():
        found = of_metric([b], metric.name)
        if not found:
            continue
        firsts: dict[str, str] = {}
        for *_, name, options in found:
            firsts.setdefault(options, name)
        _, version, known, *_ = found[0]
        has_page = b.metrics and b.package
        shown = prose(b.name)
        named = f"[{shown}]({library_pages.page_of(b)}.md)" if has_page else shown
        names = "; ".join(
            f"`{name}`" + (f": {escaping.markdown(options.replace(',', ', '))}" if options else "")
            for options, name in firsts.items()
        )
        other = next(_others(b, metric, found[0][3]), "") if known != "named" else ""
        said = escaping.markdown(version)
        yield bool(other), -b.use, f"{named} ({said})", known, names.replace("|", "\\|"), other


def _others(b: Bundle, metric: Metric, name: str) -> Iterator[str]:
    """On which input the number is not ours, and both numbers."""
    if metric.inputs is not RANKED or "{p}" in name or "{g}" in name or name == "*":
        return
    ours = metric @ _K if "{k}" in name else metric
    for example in library_pages.EXAMPLES:
        own = library_pages.value(b, name.replace("{k}", str(_K)), example)
        here = _here(ours, example)
        if here and own != here:
            yield f"{example}: {own}, here {here}"


def _here(metric: Metric, example: str) -> str:
    """The number by our defaults; "" where they refuse the input."""
    scores, grades = library_pages.EXAMPLES[example]
    try:
        found = evaluate({"q": scores}, {"q": grades}, [metric], conventions="irmetrics_edu")
    except InputError:
        return ""
    score = float(found[metric])
    return "NaN" if math.isnan(score) else f"{score:.4f}"


# What a number of one ranking hangs on besides the metric's own options.
_HANGS_ON = {"ties": "equal scores", "unjudged": "unjudged documents", "pool": "judgments"}


def in_a_paper(metric: Metric) -> list[str]:
    """One sentence that says what the number hangs on."""
    said = [f"{name}: {words}" for name, words in library_pages.options(metric).items()]
    if metric.inputs is RANKED:
        said += [
            f"{question}: {escaping.markdown(RANKED.options[name].meaning)}"
            for name, question in _HANGS_ON.items()
        ]
    held = f" ({'; '.join(said)})" if said else ""
    named = escaping.markdown(metric.name)
    return [
        "## What to write in a paper",
        f"> {named} was computed with irmetrics-edu {__version__}{held}.",
        f"Name the options that you changed, the cut-off, and the source: {sources(metric)}.",
    ]
