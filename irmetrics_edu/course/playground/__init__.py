"""The playground: one static page that answers "which nDCG is this?" in a browser, without Python.

registries of metrics, conventions, libraries, mistakes -> JSON (`data.py`)
JSON + page.html + page.css + modules of JavaScript -> one file (`page.py`)

The page computes with `diagnosis/conformance/runners/metrics.mjs`, which passes the test vectors,
and has no formula of its own but those of mistakes (`mistakes.mjs`).

Start with `page.py`.
"""

from irmetrics_edu.course.playground.page import page, write_page

__all__ = ["page", "write_page"]
