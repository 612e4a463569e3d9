"""How the site is set: read by Sphinx, which `tools.site.build` starts."""

from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.writers.html5 import HTML5Translator

from irmetrics_edu import __version__
from irmetrics_edu.errors import InputError
from irmetrics_edu.views.mathml import mathml

project = "irmetrics-edu"
version = release = __version__
html_title = f"irmetrics-edu {version}"
author = "the irmetrics-edu authors"
language = "en"
extensions = ["myst_parser"]
myst_enable_extensions = ["dollarmath", "attrs_block"]
myst_heading_anchors = 3
nitpicky = True

html_theme = "furo"
templates_path = ["templates"]
html_static_path = [str(Path(__file__).parent / "static")]
html_css_files = ["site.css"]
html_js_files = [("site.js", {"defer": "defer"})]
html_math_renderer = "mathml"
html_copy_source = html_show_sourcelink = False
html_use_index = False
html_show_copyright = False
# A summary is fetched, and a browser fetches nothing for a page that is opened from a disk.
html_show_search_summary = False
html_theme_options = {
    "light_css_variables": {
        "color-brand-primary": "#005a8c",
        "color-brand-content": "#005a8c",
        "color-brand-visited": "#6b3f87",
    },
    "dark_css_variables": {
        "color-brand-primary": "#7cc4ee",
        "color-brand-content": "#7cc4ee",
        "color-brand-visited": "#c9a3e0",
    },
}


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


def setup(app: Sphinx) -> None:
    """Set equations in MathML: the page holds them, and fetches nothing to show them."""
    app.add_html_math_renderer("mathml", (_inline, None), (_block, None))
