"""A page of HTML in one file: it loads nothing, and no script runs but one that it holds."""

import hashlib
from base64 import b64encode
from collections.abc import Iterable
from pathlib import Path

from irmetrics_edu.views import escaping
from irmetrics_edu.views.language import tag

# The colours of all pages: of those that commands write, of the playground, of links on the site.
LIGHT = {
    "text": "#1b2127",
    "soft": "#56616c",
    "page": "#fff",
    "shade": "#f6f7f9",
    "card": "#fff",
    "line": "#8a949e",
    "thin": "#d5dae0",
    "accent": "#005a8c",
    "on": "#fff",
    "ideal": "#9a6a00",
    "good": "#0f6b3a",
    "bad": "#a4262c",
    "tint": "#e3f0f8",
}
DARK = {
    "text": "#e6eaee",
    "soft": "#a9b4be",
    "page": "#14181c",
    "shade": "#1d2329",
    "card": "#1d2329",
    "line": "#73808c",
    "thin": "#343d46",
    "accent": "#7cc4ee",
    "on": "#0b1a24",
    "ideal": "#e0b252",
    "good": "#7fd6a4",
    "bad": "#ff9a9a",
    "tint": "#1b3342",
}
FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif'


def _named(colours: dict[str, str]) -> str:
    return " ".join(f"--{name}: {colour};" for name, colour in colours.items())


COLOURS = f"""
:root {{ color-scheme: light dark; --font: {FONT};
  {_named(LIGHT)} }}
@media (prefers-color-scheme: dark) {{ :root {{
  {_named(DARK)} }} }}
"""
STYLE = (
    COLOURS
    + """\
body { font: 1rem/1.5 var(--font); color: var(--text); background: var(--page);
  max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }
a { color: var(--accent); }
h1 { font-size: 2rem; line-height: 1.2; } h2 { font-size: 1.125rem; margin: 0; }
@media (max-width: 30em) { body { margin-block: 1rem; } h1 { font-size: 1.6rem; } }
button, select, input, textarea { font: inherit; color: inherit; background: var(--card);
  border: 1px solid var(--line); border-radius: .3rem; padding: .2rem .6rem; }
button { color: var(--accent); cursor: pointer; } button:hover { background: var(--tint); }
button:disabled { color: var(--soft); cursor: default; }
select, input, textarea { max-width: 100%; box-sizing: border-box; }
section { border-top: 1px solid var(--thin); padding: .8rem 0; overflow-wrap: anywhere; }
section p { margin: .3rem 0; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; }
.marks { float: right; font-variant-numeric: tabular-nums; }
.good { color: var(--good); } .bad { color: var(--bad); }
svg { max-width: 100%; height: auto; }
.total { font-size: 1.15rem; }
footer { border-top: 1px solid var(--thin); font-size: .85rem; color: var(--soft);
  overflow-wrap: anywhere; }
body:has(.wide) { max-width: 72rem; } .wide[tabindex], details { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th { white-space: nowrap; } table { overflow-wrap: break-word; }
th, td { text-align: left; padding: .25rem .6rem; border-bottom: 1px solid var(--thin); }
@media (max-width: 30em) { table { font-size: .85rem; } th, td { padding-inline: .3rem; } }
thead th { background: var(--shade); }
td { vertical-align: top; }
.sort { padding: 0; border: 0; background: none; color: inherit; font: inherit; cursor: pointer; }
.sort:hover { background: none; }
.sort::after { content: " \\2195"; } .sort:hover { text-decoration: underline; }
[aria-sort="ascending"] .sort::after { content: " \\2191"; }
[aria-sort="descending"] .sort::after { content: " \\2193"; }
"""
)
POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"
SORTING = Path(__file__).with_name("sorting.js")  # tables of many rows sort by a column


def page(
    title: str,
    body: Iterable[str],
    *,
    style: str = STYLE,
    kind: str = "",
    head: str = "",
    policy: str = POLICY,
    script: str = "",
) -> str:
    """A whole page: what its body holds, with its style inside, and all of it in its main part.

    `kind` is the class of the body, and `head` is what else stands in the head. The policy names
    the `script` by its hash, so no other one runs.
    """
    body = list(body)
    if not any("<main" in part for part in body):
        body = ["<main>", *body, "</main>"]
    if script:
        digest = b64encode(hashlib.sha256(script.encode()).digest()).decode()
        policy, body = (
            f"{policy}; script-src 'sha256-{digest}'",
            [*body, f"<script>{script}</script>"],
        )
    return "\n".join(
        [
            f'<!DOCTYPE html>\n<html lang="{tag()}">\n<head>\n<meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{escaping.html(title)}</title>{head}\n<style>{style}</style>\n</head>",
            f'<body class="{kind}">' if kind else "<body>",
            *body,
            "</body>\n</html>\n",
        ]
    )
