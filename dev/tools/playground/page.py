"""The page as one file: the template with its style, its data and its modules of JavaScript.

The page fetches nothing: its policy lets the browser run only this script and send no request.
"""

import hashlib
import json
import re
from base64 import b64encode
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from dev.tools.places import ROOT
from dev.tools.playground.data import data, source
from irmetrics_edu import __version__
from irmetrics_edu.views import escaping
from irmetrics_edu.views.page import COLOURS
from irmetrics_edu.views.page import page as html_page
from irmetrics_edu.writing import write

_IMPORT = re.compile(r'^import (\{[^}]*\}) from "[./\w-]*?(\w+)\.mjs";$', re.MULTILINE)
_EXPORT = re.compile(r"^export ((?:async )?(?:function\*?|const|let|class) (\w+))", re.MULTILINE)
_COMMENT = re.compile(r"^\s*(?:/\*\*.*?\*/|//[^\n]*)\n", re.MULTILINE | re.DOTALL)
RUNNER = ROOT / "irmetrics_edu" / "diagnosis" / "conformance" / "runners" / "metrics.mjs"
MARK = ROOT / "dev" / "site" / "static" / "mark.svg"
NAME, TITLE = "play.html", "Explain your number"
ABOUT = "Type a score and see which conventions, libraries or mistakes give it."
_HEAD = f"""
<meta name="color-scheme" content="light dark">
<meta name="description" content="{ABOUT}">
<link rel="icon" href="data:,">"""
# In an order in which each imports from those before it alone; the pure ones need no page.
PURE = (
    "metrics",
    "mistakes",
    "printed",
    "settings",
    "say",
    "explain",
    "state",
    "foreign",
    "characters",
    "looks",
    "literals",
    "cells",
    "columns",
    "documents",
    "programs",
    "paste",
    "names",
    "question",
    "runs",
)
MODULES = (*PURE, "dom", "draw", "drag", "cards", "shown", "runview", "view")


def write_page(folder: Path | str, *, home: str = "", preview: str = "") -> Path:
    """Write the page into a folder; `home` is a page beside it that it links back to.

    `preview` is what a chat reads of a link to it, for its head.
    """
    target = Path(folder) / NAME
    write(target, page(home=home, preview=preview))
    return target


def page(*, home: str = "", preview: str = "") -> str:
    """The page in HTML, the same on every machine."""
    style, code = COLOURS + source("page.css"), f'"use strict";\n{script(MODULES)}'
    back = f'<a href="{escaping.html(home)}">All pages</a>' if home else ""
    policy = (
        f"default-src 'none'; img-src data:; style-src '{_digest(style)}'; "
        f"script-src '{_digest(code)}'; base-uri 'none'; form-action 'none'"
    )
    mark = re.sub(
        r"<svg [^ ]+", '<svg aria-hidden="true"', MARK.read_text(encoding="utf-8")
    ).rstrip()
    parts = {"mark": mark, "home": back, "version": __version__, "data": _known(), "script": code}
    body = re.sub(r"<!--(\w+)-->", lambda m: parts[m[1]], source("page.html").rstrip("\n"))
    return html_page(TITLE, [body], style=style, head=_HEAD + preview, policy=policy)


def script(names: Sequence[str]) -> str:
    """Modules as one script: each in a function of its own that returns what it exports."""
    return "const modules = {};\n" + "\n".join(map(_wrapped, names))


def _wrapped(name: str) -> str:
    """A module as a function that returns what it exports, without comments and indentation."""
    text = RUNNER.read_text(encoding="utf-8") if name == "metrics" else source(f"{name}.mjs")
    exported = ", ".join(n for _, n in _EXPORT.findall(text))
    text = _IMPORT.sub(lambda m: f"const {m[1]} = modules.{m[2]};", _EXPORT.sub(r"\1", text))
    text = re.sub(r"^\s+", "", _COMMENT.sub("", text), flags=re.MULTILINE)
    return f"modules.{name} = (() => {{\n{text}\nreturn {{ {exported} }};\n}})();"


@cache
def _known() -> str:
    """The data as JSON that is safe inside HTML."""
    return json.dumps(data(), ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def _digest(text: str) -> str:
    """The hash by which a policy allows a text of the page."""
    return f"sha256-{b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
