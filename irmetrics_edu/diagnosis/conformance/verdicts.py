"""The verdict on a program as tables, a badge or JSON."""

import math
from collections.abc import Mapping
from typing import Any

from irmetrics_edu.diagnosis.conformance.result_checks import Checked, Failure
from irmetrics_edu.diagnosis.conformance.vectors import VERSION
from irmetrics_edu.views import escaping, formatting
from irmetrics_edu.views.result_table import ResultTable

LABEL = f"ranking metrics {VERSION}"
_DIGITS = 6
_WIDTH, _MARGIN = 6.6, 12  # of a character and around a text, in pixels


def message(checked: Checked) -> str:
    """The text of a badge: how many of the cases pass."""
    return f"{checked.passed:,} of {len(checked.cases):,} pass"


def badge(checked: Checked) -> str:
    """A badge as SVG."""
    left = LABEL
    right = message(checked)
    bright = checked.passed == len(checked.cases)  # all values are there and right
    color = "#b3261e" if checked.failed else "#2f7d32" if bright else "#4f7a1f"
    one, two = (round(len(text) * _WIDTH) + _MARGIN for text in (left, right))
    label = escaping.html(f"{checked.results.program}: {left}: {right}")
    texts = "".join(
        f'<text x="{x}" y="14" text-anchor="middle">{escaping.html(text)}</text>'
        for x, text in ((one // 2, left), (one + two // 2, right))
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{one + two}" height="20" role="img" '
        f'aria-label="{label}"><title>{label}</title>'
        f'<rect width="{one}" height="20" fill="#444"/>'
        f'<rect x="{one}" width="{two}" height="20" fill="{color}"/>'
        f'<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">{texts}</g>'
        "</svg>\n"
    )


def tables(checked: Checked) -> list[ResultTable]:
    """A line for each computed measure, and a line for each failure with its explanation."""
    computed = {m: n for m, n in checked.measures.items() if n[1] or n[2]}
    lines = [
        [m, count, right, wrong, count - right - wrong]
        for m, (count, right, wrong) in computed.items()
    ]
    absent = [m for m in checked.measures if m not in computed]
    notes = [
        f"a value passes within {checked.within:g}, or within that share of a value above 1",
        *([f"not computed: {', '.join(absent)}"] if absent else []),
    ]
    caption = f"{checked.results.program}: {message(checked)}, {checked.failed:,} fail"
    header = ("measure", "cases", "pass", "fail", "not computed")
    result_tables = [
        ResultTable(
            header,
            lines,
            caption,
            tuple(notes),
        )
    ]
    if checked.failures:
        header = ("measures", "under", "fail", "what it does instead", "for example")
        result_tables.append(ResultTable(header, _merged(checked), "What fails"))
    return result_tables


def _merged(checked: Checked) -> list[list[str]]:
    """Failures with the same explanation, in one line."""
    groups: dict[tuple[str, str], list[Failure]] = {}
    for failure in checked.failures:
        groups.setdefault((failure.example.metric, failure.instead), []).append(failure)
    lines = []
    for (_, instead), alike in groups.items():
        under = list(dict.fromkeys(f.conventions for f in alike))
        more = f" and {len(under) - 1} more" if len(under) > 1 else ""
        lines.append(
            [
                ", ".join(dict.fromkeys(f.measure for f in alike)),
                under[0] + more,
                f"{sum(f.failed for f in alike)}/{sum(f.cases for f in alike)}",
                instead,
                _example(alike[0]),
            ]
        )
    return lines


def _example(failure: Failure) -> str:
    answer = "nothing" if failure.given is None else formatting.number(failure.given, _DIGITS)
    right = formatting.number(failure.example.number, _DIGITS)
    return f"{failure.example.id}: {answer}, not {right}"


def facts(checked: Checked) -> dict[str, Any]:
    """The verdict in plain values."""
    return {
        "program": checked.results.program,
        "version": VERSION,
        "tolerance": checked.within,
        "cases": len(checked.cases),
        "passed": checked.passed,
        "failed": checked.failed,
        "measures": {
            measure: {"cases": count, "passed": right, "failed": wrong}
            for measure, (count, right, wrong) in checked.measures.items()
        },
        "failures": [_plain(f) for f in checked.failures],
    }


def _plain(failure: Failure) -> Mapping[str, Any]:
    answer, right = failure.given, failure.example.number
    return {
        "measure": failure.measure,
        "under": failure.conventions,
        "cases": failure.cases,
        "failed": failure.failed,
        "instead": failure.instead,
        "example": {"id": failure.example.id, "given": _json(answer), "expected": _json(right)},
    }


def _json(number: float | None) -> float | str | None:
    return "nan" if number is not None and math.isnan(number) else number
