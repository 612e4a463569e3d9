"""What a site needs beside its pages: its address, pictures of links, words to search, the sitemap.

`SITE_ADDRESS`, a variable of the environment, says where that is. Without it the site works from
a disk and from any folder of a server, and the sitemap is that of a server of your own.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from dev.tools.places import page_of_metric
from dev.tools.site import lookup, searching
from irmetrics_edu.metrics.definition import METRICS, import_all
from irmetrics_edu.metrics.notation import explain
from irmetrics_edu.views.escaping import html
from irmetrics_edu.writing import write

LOCAL = "http://localhost:8000/"
PICTURES = "_pictures"
_NOT_LISTED = ("404.html", "search.html")
_LINES, _WIDTH = 17, 84


def address() -> str:
    """Where the site is published, with a slash at its end; empty if that is not said."""
    given = os.environ.get("SITE_ADDRESS", "").strip()
    return f"{given.rstrip('/')}/" if given else ""


def preview(title: str, about: str, page: str) -> str:
    """What a chat or a network shows of a link to a page that Sphinx does not set."""
    told = {
        "og:title": title,
        "og:description": about,
        "og:type": "website",
        "og:site_name": "irmetrics-edu",
        "og:image": f"{address() or '../' * page.count('/')}{PICTURES}/index.png",
        "og:image:width": "1200",
        "og:image:height": "630",
        "twitter:card": "summary_large_image",
    }
    if address():
        told["og:url"] = f"{address()}{page}"
    lines = [f'<meta property="{name}" content="{html(text)}">' for name, text in told.items()]
    return "\n" + "\n".join(lines)


def publish(out: Path, failure: str) -> None:
    """Write beside the built pages what servers, search engines and previews of links read."""
    for name, title, text in _pictured(failure):
        _draw(out / PICTURES / f"{name}.png", title, text)
    pages = sorted(path.relative_to(out).as_posix() for path in out.rglob("*.html"))
    listed = "\n".join(
        f"<url><loc>{address() or LOCAL}{page}</loc></url>"
        for page in pages
        if page not in _NOT_LISTED and not searching.leads_on((out / page).read_text("utf-8"))
    )
    head = '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/'
    write(out / "sitemap.xml", f'{head}sitemap/0.9">\n{listed}\n</urlset>\n')
    write(out / "_static" / "search-texts.js", searching.script(out))
    write(out / ".nojekyll", "")  # else GitHub Pages leaves out folders that begin with _


def _pictured(failure: str) -> Iterator[tuple[str, str, str]]:
    """The pictures, by name: a metric's worked example, and a failed test for all other pages."""
    yield "index", "See which nDCG you have, and why", failure
    import_all()
    for metric in METRICS.values():
        if (example := lookup.worked(metric)) is not None:
            code, working = example
            yield page_of_metric(metric), metric.name, f">>> {code}\n{explain(working)}"


def _draw(path: Path, title: str, text: str) -> None:
    """A picture as previews of links show it: 1200 x 630, a title and the first lines of a text."""
    from matplotlib.figure import Figure

    lines = [line[:_WIDTH] for line in text.rstrip().split("\n")[:_LINES]]
    figure = Figure(figsize=(12, 6.3), dpi=100, facecolor="#1b1f24")
    plain: dict[str, Any] = {"va": "top", "color": "#ffffff", "parse_math": False}
    figure.text(0.04, 0.94, title, size=32, weight="bold", **plain)
    figure.text(0.04, 0.82, "\n".join(lines), size=15, family="DejaVu Sans Mono", **plain)
    figure.text(0.96, 0.04, "irmetrics-edu", size=18, ha="right", color="#7cc4ee")
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path)
