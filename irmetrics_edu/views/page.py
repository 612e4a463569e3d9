"""A page of HTML in one file: it loads nothing, and no script runs but one that it holds."""

import hashlib
from base64 import b64encode
from collections.abc import Iterable
from pathlib import Path

from irmetrics_edu.views import escaping
from irmetrics_edu.views.language import tag

STYLE = """
:root { color-scheme: light dark; --line: #8886; --good: #1a7f37; --bad: #b35900; }
@media (prefers-color-scheme: dark) { :root { --good: #57c26f; --bad: #f0a35e; } }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.4rem; line-height: 1.25; } h2 { font-size: 1.05rem; margin: 0; }
section { border-top: 1px solid var(--line); padding: .8rem 0; overflow-wrap: anywhere; }
section p { margin: .3rem 0; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; }
.marks { float: right; font-variant-numeric: tabular-nums; }
.good { color: var(--good); } .bad { color: var(--bad); }
svg { max-width: 100%; height: auto; }
.total { font-size: 1.15rem; } footer { border-top: 1px solid var(--line); font-size: .85rem; }
footer { overflow-wrap: anywhere; }
body:has(.wide) { max-width: 72rem; } .wide[tabindex], details { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th { white-space: nowrap; } table { overflow-wrap: break-word; }
th, td { text-align: left; padding: .25rem .6rem .25rem 0; border-bottom: 1px solid var(--line); }
td { vertical-align: top; }
.sort { padding: 0; border: 0; background: none; color: inherit; font: inherit; cursor: pointer; }
.sort::after { content: " \\2195"; } .sort:hover { text-decoration: underline; }
[aria-sort="ascending"] .sort::after { content: " \\2191"; }
[aria-sort="descending"] .sort::after { content: " \\2193"; }
"""
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
