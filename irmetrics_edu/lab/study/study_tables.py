"""The study as tables: for a terminal, and as an HTML page."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from irmetrics_edu.lab.recommenders.interactions import Interactions
from irmetrics_edu.lab.study.claims import FAILS, Case, Claim, answers, claims, order
from irmetrics_edu.lab.study.diversity_study import CORRECTS, DIVERSITY, METRICS, Study
from irmetrics_edu.numbers import Array
from irmetrics_edu.views import escaping, formatting
from irmetrics_edu.views.formatting import steady
from irmetrics_edu.views.page import page

_STYLE = """
body { font-family: sans-serif; max-width: 72em; margin: 2em auto; padding: 0 1em; }
table { border-collapse: collapse; display: block; overflow-x: auto; font-size: .9em; }
td, th { border: 1px solid #999; padding: .2em .5em; text-align: left; }

.note { color: #555; }
"""


@dataclass(frozen=True)
class Sheet:
    """A table: its title, header and lines, and the notes below it."""

    title: str
    header: tuple[str, ...]
    lines: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()


def sheets(of: Study, found: Sequence[Claim] | None = None) -> Iterator[Sheet]:
    """The tables of the study, in reading order; the claims come last."""
    base = of.base
    seeds = f" and {of.seeds} seeds" if of.seeds > 1 else ""
    yield _answers(of)
    for k in of.settings.cutoffs:
        yield Sheet(
            f"Whole lists at {k}: means over {len(of.users)} users{seeds}",
            ("ranker", *METRICS),
            tuple((r, *(_mean_cell(of, r, m, k) for m in METRICS)) for r in of.lists),
            tuple(str(c) for c in of.coefficients[k]),
        )
    yield Sheet(
        "Effective items alone (those among the user's test items)",
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
        ("fewer than two effective items have no distance: ILAD and ILMD are 0 there",),
    )
    yield Sheet(
        "Users with a hit (Recall > 0) and without: share, and mean diversity in each group",
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
        (f"against {base}: the change of the group's size, as a share of {base}'s group",),
    )
    yield Sheet(
        f"Where the order turns round: the coefficients for which {base} is ahead",
        ("ranker", "ahead by", "measure", f"{base} is ahead"),
        tuple((r, f"{CORRECTS[m]}@{k}", f"{m}@{k}", where) for r, m, k, where in order(of)),
        ("DCC and FDCC are lines in alpha, DILAD a parabola in beta: no tuning is needed here",),
    )
    yield Sheet(
        "What is claimed of diversifiers, on these data",
        ("claim", "source", "what it says", "here", "against it"),
        tuple(
            (c.id, c.source, c.says, c.summary, _against(c))
            for c in (claims(of) if found is None else found)
        ),
        (
            "a case is decided if the 95 % interval of its mean is on one side of 0",
            "a case that needs a coefficient counts for neither side if no coefficient is feasible",
        ),
    )


def _answers(of: Study) -> Sheet:
    """Whether each gain in diversity is one that counts."""
    return Sheet(
        f"Is it diversity that counts? Gains over {of.base}, with 95 % intervals",
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
        (
            _SPREAD[of.seeds > 1],
            "a gain counts if the hits alone are more diverse too, and does not if they are less",
            "no hit: if the two shares are equal, users without a hit gain as much as others",
        ),
    )


# Of one seed, and of several.
_SPREAD = (
    "intervals are over users; they leave out the chance in training",
    "intervals are over users and seeds",
)


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


def headline(of: Study, found: Sequence[Claim] | None = None) -> str:
    """What holds and what does not, in a sentence."""
    by: dict[str, list[str]] = {}
    for c in claims(of) if found is None else found:
        by.setdefault(c.verdict, []).append(c.id)
    order = ("holds", "holds where decided", "holds in part", "does not hold", "open", "infeasible")
    return "; ".join(f"{v}: {', '.join(by[v])}" for v in order if v in by) + "."


def about(data: Interactions) -> str:
    """The data in a sentence; lists from elsewhere have no training items."""
    if len(data.pairs["train"]):
        return str(data)
    return (
        f"{data.name}: {len(data.users):,} users, {len(data.items):,} items, "
        f"{data.n_categories:,} categories; relevant items: {len(data.pairs['test']):,}"
    )


def html(of: Study) -> str:
    """The tables as a page."""
    title = f"Is it diversity that counts? {of.data.name}"
    found = claims(of)
    body = [
        f"<h1>{escaping.html(title)}</h1>",
        f"<p>{escaping.html(about(of.data))}</p>",
        *(f'<p class="note">{escaping.html(note)}</p>' for note in of.data.notes),
        f"<p>{escaping.html(headline(of, found))}</p>",
    ]
    for sheet in sheets(of, found):
        body += [f"<h2>{escaping.html(sheet.title)}</h2>"]
        body += [formatting.html_table(sheet.header, sheet.lines)]
        body += [f'<p class="note">{escaping.html(note)}</p>' for note in sheet.notes]
    return page(title, body, style=_STYLE).rstrip("\n")
