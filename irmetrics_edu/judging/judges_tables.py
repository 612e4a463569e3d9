"""Tables of how far judges agree: coefficients, harshness, pairs that differ, orders of runs."""

from collections.abc import Mapping, Sequence
from typing import Any

from irmetrics_edu.judging.agreement import Agreement
from irmetrics_edu.judging.labels import shown
from irmetrics_edu.views.result_table import ResultTable

_SHOWN = 10  # pairs that differ


def of(
    judges: Agreement,
    digits: int,
    runs: Mapping[str, Any],
    measures: str | Sequence[str],
) -> list[ResultTable]:
    """All tables of some judges; of two also how their grades meet, after the coefficients."""
    tables = [_coefficients(judges, digits)]
    if len(judges.names) == 2:
        tables.append(_pairs_by_grade(judges))
        tables.append(_agreement_by_grade(judges, digits))
    tables.append(_severities(judges, digits))
    tables += _differing(judges)
    tables += _under_each(judges, digits, runs, measures)
    return tables


def _coefficients(judges: Agreement, digits: int) -> ResultTable:
    is_of_two = len(judges.names) == 2
    names = (" and " if is_of_two else ", ").join(judges.names)
    by_whom = "both" if is_of_two else "two or more"
    return ResultTable(
        header=("agreement", "value", "low", "high"),
        lines=[(name, *one.cells) for name, one in judges.coefficients.items()],
        caption=f"{names}: {len(judges.pairs):,} pairs judged by {by_whom}",
        notes=tuple(judges.notes),
        digits=digits,
    )


def _pairs_by_grade(judges: Agreement) -> ResultTable:
    first, second = judges.names
    names = [shown(grade) for grade in judges.grades]
    return ResultTable(
        header=("grade", *names),
        lines=[[name, *counts] for name, counts in zip(names, judges.table, strict=True)],
        caption=f"pairs by grade: {first} (lines), {second} (columns)",
    )


def _agreement_by_grade(judges: Agreement, digits: int) -> ResultTable:
    lines: list[tuple[str, int, int, float]] = []
    for place, (grade, share) in enumerate(judges.by_grade.items()):
        by_first = sum(judges.table[place])
        by_second = sum(row[place] for row in judges.table)
        lines.append((shown(grade), by_first, by_second, float(share)))
    return ResultTable(
        header=("grade", *judges.names, "specific agreement"),
        lines=lines,
        caption="agreement on each grade",
        digits=digits,
    )


def _severities(judges: Agreement, digits: int) -> ResultTable:
    lines: list[tuple[Any, ...]] = []
    for name, severity in judges.severities.items():
        means = (float(severity.mean), float(severity.others))
        lines.append((name, severity.pairs, *means, *severity.above.cells, severity.word))
    columns = ("judge", "pairs", "mean grade", "of the others")
    return ResultTable(
        header=(*columns, "difference", "low", "high", "the judge is"),
        lines=lines,
        caption="harsh and lenient judges, on the same pairs",
        digits=digits,
    )


def _differing(judges: Agreement) -> list[ResultTable]:
    apart = judges.differing()
    if not apart:
        return []
    lines: list[tuple[str, ...]] = []
    for pair, grades in apart[:_SHOWN]:
        cells = ["-" if grade is None else shown(grade) for grade in grades]
        lines.append((*pair, *cells))
    header = ("query", "document", *judges.names)
    title = f"pairs that differ most, {len(lines):,} of {len(apart):,}"
    return [ResultTable(header, lines, title)]


def _under_each(
    judges: Agreement,
    digits: int,
    runs: Mapping[str, Any],
    measures: str | Sequence[str],
) -> list[ResultTable]:
    """The means of runs by each judge, and of several runs how alike their orders are."""
    tables: list[ResultTable] = []
    for name, under_each in judges.under(runs, measures).items():
        lines: list[tuple[Any, ...]] = []
        for judge, means in zip(judges.names, under_each.means, strict=True):
            lines.append((judge, *means))
        tables.append(
            ResultTable(
                header=("judge", *runs),
                lines=lines,
                caption=f"mean {name} by each judge, on the pairs that all judged",
                digits=digits,
            )
        )
        if len(runs) > 1:
            orders = judges.orders(under_each.scores)
            tables.append(
                ResultTable(
                    header=("orders", "tau", "low", "high"),
                    lines=[(who, *one.cells) for who, one in orders.items()],
                    caption=f"orders of {len(runs)} runs by {name}: Kendall's tau",
                    notes=("the interval is over queries",),
                    digits=digits,
                )
            )
    return tables
