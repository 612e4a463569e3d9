"""How the site is set: read by Sphinx, which `dev.tools.site.build` starts."""

import re
import textwrap
import tomllib
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.writers.html5 import HTML5Translator

from dev.tools.site import published
from dev.tools.tiers import NOTES
from irmetrics_edu import __version__
from irmetrics_edu.errors import InputError
from irmetrics_edu.views.language import LANGUAGES
from irmetrics_edu.views.mathml import mathml
from irmetrics_edu.views.page import DARK, LIGHT, SORTING

project = "irmetrics-edu"
version = release = __version__
html_title = f"irmetrics-edu {version}"
author = "the irmetrics-edu authors"
language = "en"
extensions = ["myst_parser"]
myst_enable_extensions = ["dollarmath", "attrs_block", "colon_fence"]
myst_heading_anchors = 3
nitpicky = True
smartquotes_action = "De"  # dashes and dots, but quotes stay straight: options stand in sentences

html_theme = "furo"
templates_path = ["templates"]
html_static_path = [str(Path(__file__).parent / "static"), str(SORTING)]
html_css_files = ["site.css"]
html_js_files = [(name, {"defer": "defer"}) for name in ("site.js", "progress.js", SORTING.name)]
html_baseurl = published.address()
html_favicon = html_logo = "static/mark.svg"
html_additional_pages = {"404": "404.html"}
html_math_renderer = "mathml"
html_copy_source = html_show_sourcelink = False
html_use_index = False
html_show_copyright = False
# A summary is fetched, and a browser fetches nothing for a page that is opened from a disk.
html_show_search_summary = False
html_theme_options = {
    "light_css_variables": {
        "color-brand-primary": LIGHT["accent"],
        "color-brand-content": LIGHT["accent"],
        "color-brand-visited": "#6b3f87",
    },
    "dark_css_variables": {
        "color-brand-primary": DARK["accent"],
        "color-brand-content": DARK["accent"],
        "color-brand-visited": "#c9a3e0",
    },
}


_HOME = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))[
    "tool"
]["hatch"]["metadata"]["hooks"]["custom"]["home"]
_GROUP = re.compile(r'(?:<span class="caption-text">(.*?)</span></p>\s*)?(<ul.*?</ul>)', re.DOTALL)
_ENOUGH, _MOST = 80, 200  # letters of a description
_OF_ALL = "Ranking metrics that show how each number comes about: to test, to explain and to teach."
_LOG = logging.getLogger(__name__)


def _translated(node: nodes.Node, *, display: bool) -> str:
    try:
        return mathml(node.astext(), display=display)
    except InputError as error:
        _LOG.warning("%s", error, location=node)
        return ""


def _inline(writer: HTML5Translator, node: nodes.math) -> None:
    writer.body.append(_translated(node, display=False))
    raise nodes.SkipNode


def _block(writer: HTML5Translator, node: nodes.math_block) -> None:
    equation = _translated(node, display=True)
    writer.body.append(f'<div class="equation" tabindex="0">{equation}</div>\n')
    raise nodes.SkipNode


def _described(
    app: Sphinx, page: str, _template: str, context: dict[str, Any], doctree: nodes.document | None
) -> None:
    """Give a page its groups of links, and say in its head what it is about."""
    own = f"{page}.png" if page.startswith("metric-") else "index.png"
    context["picture"] = f"{html_baseurl}{published.PICTURES}/{own}"
    context["root"] = urlsplit(html_baseurl).path
    context["home"] = _HOME
    context["languages"] = _languages(app, page)
    own_code = page.partition("/")[0] if "/" in page else ""
    if own_code in LANGUAGES:
        context["language"] = LANGUAGES[own_code].tag
    listed = context["toctree"](collapse=True, titles_only=True, maxdepth=1, includehidden=True)
    listed = listed.replace('<a class="current', '<a aria-current="page" class="current')
    groups = _GROUP.findall(listed)
    context["groups"] = [(title, links, "current" in links) for title, links in groups]
    context["description"] = _first_words(doctree) if doctree else _OF_ALL


def _languages(app: Sphinx, page: str) -> list[tuple[str, str]]:
    """The languages of a page that is there in several, each with the way to it from this page."""
    name = page.rpartition("/")[2]
    there = [code for code in LANGUAGES if f"{code}/{name}" in app.env.found_docs]
    if not there:
        return []
    up = html_baseurl or "../" * page.count("/")
    listed = [("en", f"{up}{name}.html")]
    listed += [(LANGUAGES[code].tag, f"{up}{code}/{name}.html") for code in there]
    return listed


def _first_words(doctree: nodes.document) -> str:
    """The first sentences of a page, without what can't be read as a line of text."""
    said = ""
    for one in doctree.findall(nodes.paragraph):
        reads = isinstance(one.parent, nodes.section | nodes.list_item)
        if len(said) > _ENOUGH or not reads or any(one.findall(nodes.math)):
            continue
        texts = one.findall(lambda node: node.parent and not isinstance(node.parent, nodes.raw))
        text = "".join(node for node in texts if isinstance(node, nodes.Text))
        if text.startswith(tuple(NOTES.values())):  # of the tier, which many pages share
            continue
        said += text + " "
    return textwrap.shorten(said, _MOST, placeholder=" ...")


def setup(app: Sphinx) -> None:
    """Set equations in MathML, which a page holds itself, and describe each page in its head."""
    app.connect("html-page-context", _described)
    app.add_html_math_renderer("mathml", (_inline, None), (_block, None))
