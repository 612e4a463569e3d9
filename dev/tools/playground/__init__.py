"""The playground: one static page that answers "which nDCG is this?" in a browser, without Python.

registries of metrics, conventions, libraries, mistakes -> JSON (`data.py`)
JSON + page.html + page.css + modules of JavaScript -> one file (`page.py`)

The page computes with `conformance/runners/metrics.mjs` of the package, which passes the vectors,
and has no formula of its own but those of mistakes (`mistakes.mjs`).

`make generated` writes the page into the package, from where `irmetrics-edu playground` copies it.
Start with `page.py`.
"""

from dev.tools.playground.page import page, write_page

__all__ = ["page", "write_page"]
