"""The study as tables for a terminal, and as an HTML page with a figure of the whole."""

from collections.abc import Iterator, Sequence

from irmetrics_edu.lab.recommenders.interactions import Interactions
from irmetrics_edu.lab.study.claims import (
    COUNTS,
    EMPTY,
    FAILS,
    Answer,
    Case,
    Claim,
    answers,
    claims,
    order,
)
from irmetrics_edu.lab.study.diversity_study import Study
from irmetrics_edu.lab.study.scoring import CORRECTS, DIVERSITY, METRICS
from irmetrics_edu.numbers import Array
from irmetrics_edu.views import escaping, formatting
from irmetrics_edu.views.formatting import steady
from irmetrics_edu.views.page import STYLE, page
from irmetrics_edu.views.result_table import ResultTable


def sheets(of: Study) -> Iterator[ResultTable]:
    """The tables of the study, in reading order; the claims come last."""
    base = of.base
    seeds = f" and {of.seeds} seeds" if of.seeds > 1 else ""
    yield _answers(of)
    for k in of.settings.cutoffs:
        yield ResultTable(
            ("ranker", *METRICS),
            tuple((r, *(_mean_cell(of, r, m, k) for m in METRICS)) for r in of.lists),
            f"Whole lists at {k}: means over {len(of.users)} users{seeds}",
            tuple(str(c) for c in of.coefficients[k]),
        )
    yield ResultTable(
        ("ranker", *(f"{m}@{k}" for k in of.settings.cutoffs for m in DIVERSITY)),
        tuple(
            (
                r,
                *(
                    _number(of.mean(r, m, k, effective=True))
                    for k in of.settings.cutoffs
                    for m in DIVERSITY
                ),
            )
            for r in of.lists
        ),
        "Effective items alone (those among the user's test items)",
        ("fewer than two effective items have no distance: ILAD and ILMD are 0 there",),
    )
    yield ResultTable(
        (
            *("k", "ranker", "share with a hit", f"against {base}"),
            *(f"{m}, {g}" for m in DIVERSITY for g in _GROUPS),
        ),
        tuple(
            (
                *(str(k), r, f"{steady(positive.mean()):.1%}", _change(of, positive, k)),
                *_by_group(of, r, k, positive),
            )
            for k in of.settings.cutoffs
            for r in of.lists
            for positive in (of.positive(r, k),)
        ),
        "Users with a hit (Recall > 0) and without: share, and mean diversity in each group",
        (f"against {base}: the change of the group's size, as a share of {base}'s group",),
    )
    yield ResultTable(
        ("ranker", "ahead by", "measure", f"{base} is ahead"),
        tuple((r, f"{CORRECTS[m]}@{k}", f"{m}@{k}", where) for r, m, k, where in order(of)),
        f"Where the order turns round: the coefficients for which {base} is ahead",
        ("DCC and FDCC are lines in alpha, DILAD a parabola in beta: no tuning is needed here",),
    )
    yield ResultTable(
        ("claim", "source", "what it says", "here", "against it"),
        tuple((c.id, c.source, c.says, c.summary, _against(c)) for c in claims(of)),
        "What is claimed of diversifiers, on these data",
        (
            "a case is decided if the 95 % interval of its mean is on one side of 0",
            "a case that needs a coefficient counts for neither side if no coefficient is feasible",
        ),
    )


def _answers(of: Study) -> ResultTable:
    return ResultTable(
        (
            "k",
            "ranker",
            "measure",
            "gain",
            "gain of the hits alone",
            "of the gain, no hit",
            "of users, no hit",
            "answer",
        ),
        tuple(
            (
                str(a.k),
                a.ranker,
                a.metric,
                interval(a.gain),
                interval(a.of_hits),
                "-" if a.share_without is None else f"{steady(a.share_without):.0%}",
                f"{steady(a.users_without):.0%}",
                a.answer,
            )
            for a in answers(of)
        ),
        f"Is it diversity that counts? Gains over {of.base}, with 95 % intervals",
        (
            "a gain counts if the hits alone are more diverse too, and does not if they are less",
            "no hit: if the two shares are equal, users without a hit gain as much as others",
        ),
    )


def limits(of: Study) -> Iterator[str]:
    """What the study can't say, and what was left out of it."""
    yield from of.data.notes
    yield (
        "Intervals are over users and seeds."
        if of.seeds > 1
        else "Intervals are over users. They leave out the chance in training."
    )
    yield f"A base that is tuned better than this {of.base} may lose more when it is diversified."
    yield "Distances are those of the embeddings used. Others may give other answers."
    pairs = [(c.tuning, k) for k, both in of.coefficients.items() for c in both]
    if lost := ", ".join(f"{c.symbol}@{k}" for c, k in pairs if not c.feasible):
        yield f"No coefficient meets the conditions for {lost}: what needs one is left undecided."


def interval(of: Case) -> str:
    """A mean with its interval."""
    low, mean, high = (f"{steady(v):+.4f}" for v in (of.low, of.mean, of.high))
    return f"{mean} [{low}, {high}]"


_GROUPS = ("hit", "no hit")


def _mean_cell(of: Study, ranker: str, metric: str, k: int) -> str:
    return _number(of.mean(ranker, metric, k)) if of.has(metric, k) else "infeasible"


def _number(value: float) -> str:
    small = 0 < abs(steady(value)) < 0.001
    return f"{steady(value):.2e}" if small else f"{steady(value):.4f}"


def _change(of: Study, positive: Array, k: int) -> str:
    base = of.positive(of.base, k).sum()
    return f"{steady(positive.sum() / base - 1):+.0%}" if base else "-"


def _by_group(of: Study, ranker: str, k: int, positive: Array) -> Iterator[str]:
    for metric in DIVERSITY:
        values = of.scores[ranker, metric, k]
        for group in (positive, ~positive):
            yield f"{steady(values[group].mean()):.4f}" if group.any() else "-"


def _against(claim: Claim) -> str:
    return ", ".join(c.where for c in claim.cases if c.outcome == FAILS) or "-"


def about(data: Interactions) -> str:
    """The data in a sentence; lists from elsewhere have no training items."""
    if len(data.pairs["train"]):
        return str(data)
    return (
        f"{data.name}: {len(data.users):,} users, {len(data.items):,} items, "
        f"{data.n_categories:,} categories; relevant items: {len(data.pairs['test']):,}"
    )


def html(of: Study) -> str:
    """The study as a page: its limits, a figure of the whole, what is claimed, and the tables."""
    title = f"Is it diversity that counts? {of.data.name}"
    *tables, claimed = sheets(of)
    body = [
        f'<div class="wide"><h1>{escaping.html(title)}</h1>',
        f"<p>{escaping.html(about(of.data))}</p>",
        "<h2>Limits</h2><ul>",
        *(f"<li>{escaping.html(limit)}</li>" for limit in limits(of)),
        "</ul><h2>The whole in one look</h2>",
        _figure(of),
    ]
    for sheet in (claimed, *tables):
        body += [f"<h2>{escaping.html(sheet.caption)}</h2>"]
        body += [formatting.html_table(sheet.header, sheet.lines)]
        body += [f"<p>{escaping.html(note)}</p>" for note in sheet.notes]
    return page(title, [*body, "</div>"], style=STYLE + _STYLE).rstrip("\n")


_STYLE = "h2 { margin-top: 2rem; } table { display: block; overflow-x: auto; font-size: .85rem; }"
_LEFT, _PANEL, _ROW = 130, 230, 17  # of the figure, in pixels
_COLOURS = {COUNTS: "var(--good)", EMPTY: "var(--bad)"}


def _figure(of: Study) -> str:
    """Each gain of whole lists beside that of the hits alone, as shares of the base's means."""
    found = list(answers(of))
    drawn = [*_panel(of, found, _LEFT), *_panel(of, found, _LEFT + _PANEL + 60, effective=True)]
    right = _LEFT + 2 * _PANEL + 80
    for row, a in enumerate(found, 2):
        colour = _COLOURS.get(a.answer, "currentColor")
        drawn += [
            f'<text y="{row * _ROW}">{escaping.html(f"{a.ranker} {a.metric}@{a.k}")}</text>',
            f'<text x="{right}" y="{row * _ROW}" fill="{colour}">{a.answer}</text>',
        ]
    return (
        f'<svg viewBox="0 0 {right + 110} {(len(found) + 3) * _ROW}" width="800" role="img" '
        f'font-size="13" fill="currentColor" aria-label="Gains over {escaping.html(of.base)}, '
        f'whose numbers are in a table below">{"".join(drawn)}</svg><p>Gains over '
        f"{escaping.html(of.base)}, as shares of its mean, with 95 % intervals. A gain counts if "
        "the hits alone gain too.</p>"
    )


def _panel(
    of: Study, found: Sequence[Answer], left: int, *, effective: bool = False
) -> Iterator[str]:
    """A dot with its interval for each answer, and the axis; none where the base's mean is 0."""
    shares: dict[int, list[float]] = {}
    for row, a in enumerate(found, 2):
        c, mean = (
            a.of_hits if effective else a.gain,
            of.mean(of.base, a.metric, a.k, effective=effective),
        )
        if mean:
            shares[row] = [steady(v / mean) for v in (c.low, c.mean, c.high)]
    low, high = (f(0.0, *(v for each in shares.values() for v in each)) for f in (min, max))

    def place(share: float) -> str:
        return f"{steady(left + _PANEL * (share - low) / ((high - low) or 1)):.1f}"

    bottom = (len(found) + 2) * _ROW
    name = "gain of the hits alone" if effective else "gain of whole lists"
    yield f'<text x="{left}" y="12">{name}</text>'
    yield f'<path d="M{place(0)} 18V{bottom - 12}" stroke="var(--line)" stroke-width="2"/>'
    for share in sorted({low, 0.0, high}):
        yield (
            f'<text x="{place(share)}" y="{bottom + 4}" text-anchor="middle">'
            f"{f'{share:+.0%}' if share else '0'}</text>"
        )
    for row, (start, middle, end) in shares.items():
        answer = found[row - 2].answer
        colour = _COLOURS.get(answer, "currentColor")
        yield (
            f'<g stroke="{colour}" fill="{colour if answer in _COLOURS else "none"}">'
            f'<path d="M{place(start)} {row * _ROW - 4}H{place(end)}"/>'
            f'<circle cx="{place(middle)}" cy="{row * _ROW - 4}" r="4"/></g>'
        )
