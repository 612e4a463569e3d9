"""Reports written to files: JSON, Markdown, or a page of HTML with its plots, all in one file."""

import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from irmetrics_edu import writing
from irmetrics_edu.gate.plugin import session_report as reports
from irmetrics_edu.gate.plugin.origin import ReportOrigin
from irmetrics_edu.measured import MISFIT
from irmetrics_edu.views import escaping, formatting
from irmetrics_edu.views.page import SORTING, STYLE, page

_STYLE = f"""{STYLE}
:root {{ --bar: #5b7fb5; }} h2 {{ margin: 2rem 0 0; }}
body {{ max-width: 62rem; }} table {{ font-variant-numeric: tabular-nums; }}
pre {{ font-size: .85em; white-space: pre; overflow-x: auto; overflow-wrap: normal; }}
code {{ font-size: .9em; }}
td code {{ display: block; min-width: 16rem; overflow-wrap: anywhere; }}
p code {{ overflow-wrap: anywhere; }}
.pass {{ color: var(--good); }} a {{ color: inherit; }}
.fail, .error, .unjudged, .inconclusive, .advisory {{ color: var(--bad); }}
.fail, .error, .unjudged {{ font-weight: bold; }}
:is(th, td):is(:nth-child(3), :nth-child(5)) {{ text-align: right; }}
@media (max-width: 40em) {{
  pre {{ font-size: .72em; }} thead {{ display: none; }}
  tbody tr {{ display: flex; flex-wrap: wrap; padding-block: .3rem;
    border-bottom: 1px solid var(--thin); }}
  tbody td {{ border: 0; }} td:nth-child(5)::after {{ content: " queries"; }}
  td:last-child {{ flex: 1 0 100%; box-sizing: border-box; }}
}}
svg {{ width: 100%; display: block; }} svg text {{ font-size: 11px; fill: currentColor; }}
"""
_WIDTH = 760
_HEIGHT = 180
_LEFT = 44
_BOTTOM = 22
_TOP = 10
SUMMARY = "GITHUB_STEP_SUMMARY"  # names the file whose text GitHub shows on the page of a run
_SUMMARY_BYTES = 1_000_000  # GitHub refuses a summary of more than 1 MiB
_MOST = 400  # bars; of more queries every so-manieth is drawn


Stale = Sequence[tuple[str, str]]
Made = Sequence[ReportOrigin]


def text(suffix: str, results: reports.Results, stale: Stale, made: Made = ()) -> str:
    """A report in the format of a suffix."""
    if suffix == ".json":
        return reports.as_json(results, stale, made)
    if suffix == ".md":
        return reports.markdown(results, stale, made)
    return html_page(reports.in_order(results), stale, made)


def write(paths: Sequence[Path], results: reports.Results, stale: Stale, made: Made = ()) -> None:
    """Write a report to several files, all of them or none, each in the format of its suffix."""
    texts: dict[Path, str] = {}
    for path in paths:
        texts[path] = text(path.suffix, results, stale, made)
    writing.write_all(texts)


def add_to_summary(results: reports.Results, stale: Stale, made: Made = ()) -> None:
    """Add the report, as Markdown, to the summary page of a run of GitHub Actions, if this is one.

    The page comes whatever reports are written besides.
    """
    page = os.environ.get(SUMMARY)
    if page:
        writing.append(page, _fitting(reports.markdown(results, stale, made)))


def _fitting(markdown: str) -> str:
    """The text as far as it fits into a summary; a line at the end says what was cut."""
    if len(markdown.encode()) <= _SUMMARY_BYTES:
        return markdown
    kept: list[str] = []
    room = _SUMMARY_BYTES
    lines = markdown.splitlines(keepends=True)
    for line in lines:
        room -= len(line.encode())
        if room < 0:
            break
        kept.append(line)
    cut = f"{len(lines) - len(kept):,} more lines do not fit into this page"
    return f"{''.join(kept)}\n**Cut here**: {cut}; --irm-report=rankings.html writes all of it.\n"


def html_page(results: reports.Results, stale: Stale, made: Made = ()) -> str:
    """The page."""
    title = reports.title_of(made)
    about = "".join(f"<p>{escaping.html(line)}</p>" for line in reports.about(made))
    head = "".join(f"<th>{name}</th>" for name in reports.HEADER)
    rows: list[str] = []
    sections: list[str] = []
    for number, result in enumerate(results):
        rows.append(_row(result, number))
        sections.append(_section(result, number))
    lines = "\n".join(rows)
    plots = "\n".join(sections)
    body = [
        f"<h1>{escaping.html(title)}</h1>{about}<p>{reports.count(results)}</p>{_gone(stale)}",
        f'<div class="wide" tabindex="0"><table><thead><tr>{head}</tr></thead>',
        f"<tbody>\n{lines}\n</tbody></table></div>\n{plots}",
    ]
    return page(
        title,
        body,
        style=_STYLE,
        script=SORTING.read_text("utf-8"),
    )


def _gone(stale: Stale) -> str:
    """A line for each stale baseline."""
    lines: list[str] = []
    for path, key in stale:
        of_test = f"<code>{escaping.html(key)}</code>"
        in_file = f"<code>{escaping.html(path)}</code>"
        lines.append(f"<p>Stale baseline: {of_test} in {in_file}</p>")
    return "".join(lines)


def _row(result: Mapping[str, Any], i: int) -> str:
    verdict, name, *others, test = map(escaping.html, reports.cells(result))
    linked = f'<a href="#r{i}">{name}</a>' if _explained(result) else name
    middle = "".join(f"<td>{cell}</td>" for cell in others)
    return (
        f'<tr><td class="{verdict}">{verdict}</td><td>{linked}</td>{middle}'
        f"<td><code>{test}</code></td></tr>"
    )


def _drawn(result: Mapping[str, Any]) -> bool:
    if result["verdict"] == MISFIT:  # its scores say nothing of the queries
        return False
    values = result.get("differences") or result.get("per_query") or ()
    return len(values) > 1


def _explained(result: Mapping[str, Any]) -> bool:
    return _drawn(result) or "groups" in result or "explanation" in result


def _section(result: Mapping[str, Any], i: int) -> str:
    """The section below the table: the explanation, the groups and the plot."""
    if not _explained(result):
        return ""
    verdict = result["verdict"]
    measure = escaping.html(result["measure"])
    parts = [f'<h2 id="r{i}"><span class="{verdict}">{verdict}</span> {measure}</h2>']
    if "explanation" in result:
        explanation = escaping.html(result["explanation"])
        parts.append(f'<pre tabindex="0">{explanation}</pre>')
        if "texts" in result:
            parts.append(formatting.html_table(["query", "text"], list(result["texts"].items())))
    if "groups" in result:
        parts.append(formatting.html_table(*reports.of_groups(result)))
    if _drawn(result):
        parts.append(_plot(result))
    return "".join(parts)


def _plot(result: Mapping[str, Any]) -> str:
    gate = result.get("differences")
    every = gate or result["per_query"]
    values = {query: value for query, value in every.items() if value is not None}
    without = len(every) - len(values)
    if gate:
        about = "what each query gained or lost against the baseline, greatest loss first"
    else:
        about = "the score of each query, lowest first"
    if without:
        about += f"; {without:,} of {len(every):,} queries have no score and no bar"
    test = escaping.html(result["test"])
    paragraph = f"<p><code>{test}</code>: {about}</p>"
    if not values:
        return paragraph
    return paragraph + bars(values, result["measure"])


def bars(values: Mapping[str, float], name: str) -> str:
    """Bars in rising order."""
    items = sorted(values.items(), key=lambda item: (item[1], item[0]))
    every = max(1, math.ceil(len(items) / _MOST))
    items = items[::every]
    scores = [score for _, score in items]
    scale = _scale(scores)
    step = (_WIDTH - _LEFT) / len(items)
    drawn: list[str] = []
    for number, (query, score) in enumerate(items):
        left = _LEFT + number * step
        drawn.append(_bar(query, score, scale, left, step))
    marks = [scale.low, scale.high]
    if scale.low < 0 < scale.high:
        marks.append(0.0)
    drawn += [_mark(value, scale) for value in marks]
    drawn.append(_end(items[0][0], _LEFT, "start"))
    drawn.append(_end(items[-1][0], _WIDTH, "end"))
    inner = "".join(drawn)
    return (
        f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" '
        f'aria-label="{escaping.html(name)} by query">{inner}</svg>'
    )


@dataclass(frozen=True)
class _Scale:
    """The lowest and the highest value of a plot."""

    low: float
    high: float

    def y(self, value: float) -> float:
        """How far below the top of the plot a value is drawn."""
        inner = _HEIGHT - _TOP - _BOTTOM
        return _TOP + (self.high - value) / (self.high - self.low) * inner


def _scale(scores: Sequence[float]) -> _Scale:
    """From the lowest score to the highest, and 0 among them."""
    low = min(0.0, *scores)
    high = max(0.0, *scores)
    if not high and low == 0:
        high = 1.0
    return _Scale(low, high)


def _bar(
    query: str,
    score: float,
    scale: _Scale,
    left: float,
    step: float,
) -> str:
    """The bar of one query."""
    gap = step * 0.2 if step > 3 else 0
    top = scale.y(score)
    ground = scale.y(0)
    height = max(abs(top - ground), 0.5)
    color = "bad" if score < 0 else "bar"
    return (
        f'<rect x="{left + gap / 2:.1f}" y="{min(top, ground):.1f}" '
        f'width="{step - gap:.1f}" height="{height:.1f}" '
        f'fill="var(--{color})">'
        f"<title>{escaping.html(query)}: {score:.4f}</title></rect>"
    )


def _mark(value: float, scale: _Scale) -> str:
    """A line across the plot at a value, with its number."""
    y = scale.y(value)
    return (
        f'<line x1="{_LEFT}" x2="{_WIDTH}" y1="{y:.1f}" y2="{y:.1f}" '
        f'stroke="var(--line)"/><text x="{_LEFT - 6}" y="{y + 4:.1f}" '
        f'text-anchor="end">{value:.2f}</text>'
    )


def _end(query: str, x: int, anchor: str) -> str:
    """The name of the first or the last query, below its bar."""
    return f'<text x="{x}" y="{_HEIGHT - 6}" text-anchor="{anchor}">{escaping.html(query)}</text>'
