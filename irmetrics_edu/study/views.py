"""The study as tables: for a terminal, as Markdown, as JSON."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from irmetrics_edu.near_ties import TOLERANCE
from irmetrics_edu.numbers import Array
from irmetrics_edu.study.claims import FAILS, Claim, claims
from irmetrics_edu.study.diversity import DIVERSITY, METRICS, Study
from irmetrics_edu.study.rankers import BASE, DIVERSIFIERS
from irmetrics_edu.views import escaping, formatting
from irmetrics_edu.views.formatting import steady


@dataclass(frozen=True)
class Sheet:
    """A table: its title, header and lines, and what is to be said below it."""

    title: str
    header: tuple[str, ...]
    lines: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()


def sheets(of: Study, found: Sequence[Claim] | None = None) -> Iterator[Sheet]:
    """The tables of the study, in reading order; the claims come last."""
    for k in of.settings.cutoffs:
        yield Sheet(
            f"Whole lists at {k}: means over {len(of.users)} users",
            ("ranker", *METRICS),
            tuple((r, *(_number(of.mean(r, m, k)) for m in METRICS)) for r in of.lists),
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
            *("k", "ranker", "share with a hit", f"against {BASE}"),
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
        (f"against {BASE}: the change of the group's size, as a share of {BASE}'s group",),
    )
    yield Sheet(
        f"Gain over {BASE}, and how much of it comes from users with Recall = 0",
        ("k", "ranker", *(f"{m}{what}" for m in DIVERSITY for what in (" gain", ", no hit"))),
        tuple((str(k), r, *_gains(of, r, k)) for k in of.settings.cutoffs for r in DIVERSIFIERS),
        ("a share above 100 % means that the users with a hit lost", "- where nothing is gained"),
    )
    yield Sheet(
        "The document's claims, on these data",
        ("claim", "the document says", "here", "against it"),
        tuple(
            (c.id, c.says, c.summary, _against(c)) for c in (claims(of) if found is None else found)
        ),
        ("a case is decided where the 95 % interval of the mean over users lies to one side of 0",),
    )


_GROUPS = ("hit", "no hit")


def _number(value: float) -> str:
    small = 0 < abs(steady(value)) < 0.001
    return f"{steady(value):.2e}" if small else f"{steady(value):.4f}"


def _change(of: Study, positive: Array, k: int) -> str:
    base = of.positive(BASE, k).sum()
    return f"{steady(positive.sum() / base - 1):+.0%}" if base else "-"


def _by_group(of: Study, ranker: str, k: int, positive: Array) -> Iterator[str]:
    for metric in DIVERSITY:
        values = of.scores[ranker, metric, k]
        for group in (positive, ~positive):
            yield f"{steady(values[group].mean()):.4f}" if group.any() else "-"


def _gains(of: Study, ranker: str, k: int) -> Iterator[str]:
    for metric in DIVERSITY:
        gain = of.gain(ranker, metric, k)
        yield f"{steady(gain.mean()):+.4f}"
        without = gain[~of.positive(ranker, k)]
        gained = gain.mean() > TOLERANCE
        yield f"{steady(without.sum() / gain.sum()):.0%}" if gained else "-"


def _against(claim: Claim) -> str:
    return ", ".join(c.where for c in claim.cases if c.outcome == FAILS) or "-"


def headline(of: Study, found: Sequence[Claim] | None = None) -> str:
    """What holds and what does not, in a sentence."""
    by: dict[str, list[str]] = {}
    for c in claims(of) if found is None else found:
        by.setdefault(c.verdict, []).append(c.id)
    order = ("holds", "holds where decided", "holds in part", "does not hold", "open")
    return "; ".join(f"{v}: {', '.join(by[v])}" for v in order if v in by) + "."


def as_dict(of: Study) -> dict[str, Any]:
    """The study as JSON can hold it: settings, coefficients, means, groups, claims."""
    cutoffs = of.settings.cutoffs
    return {
        "data": {
            "name": of.data.name,
            "users": len(of.data.users),
            "evaluated users": len(of.users),
            "items": len(of.data.items),
            "categories": of.data.n_categories,
            "interactions": {s: len(p) for s, p in of.data.pairs.items()},
            "notes": list(of.data.notes),
        },
        "settings": asdict(of.settings),
        "training": {
            name: {"best epoch": h.best, "epochs": len(h.loss), "stopped early": h.stopped_early}
            for name, h in of.histories.items()
        },
        "coefficients": [
            {
                "k": k,
                "coefficient": c.symbol,
                "value": c.value,
                "precision": float(c.tuning.p),
                "N_tau": c.tuning.n_tau,
                "feasible": c.feasible,
                "N": c.n,
                "share of lists covered": c.covered,
            }
            for k in cutoffs
            for c in of.coefficients[k]
        ],
        "whole": _table(of, METRICS, effective=False),
        "effective": _table(of, DIVERSITY, effective=True),
        "users with a hit": {
            r: {str(k): float(of.positive(r, k).mean()) for k in cutoffs} for r in of.lists
        },
        "groups": {
            r: {
                f"{m}@{k}": {"hit": _mean(v[hit]), "no hit": _mean(v[~hit])}
                for k in cutoffs
                for m in DIVERSITY
                for v, hit in ((of.scores[r, m, k], of.positive(r, k)),)
            }
            for r in of.lists
        },
        "claims": [
            {
                "id": c.id,
                "document": c.says,
                "measured": c.measured,
                "verdict": c.verdict,
                "cases": [{**asdict(case), "outcome": case.outcome} for case in c.cases],
            }
            for c in claims(of)
        ],
    }


def _mean(values: Array) -> float | None:
    return float(values.mean()) if len(values) else None


def _table(of: Study, metrics: Sequence[str], *, effective: bool) -> dict[str, dict[str, float]]:
    return {
        r: {
            f"{m}@{k}": of.mean(r, m, k, effective=effective)
            for k in of.settings.cutoffs
            for m in metrics
        }
        for r in of.lists
    }


def markdown(of: Study) -> str:
    """The tables as Markdown."""
    found = claims(of)
    blocks = ["# The study of diversity metrics", escaping.markdown(str(of.data))]
    blocks += [f"*{escaping.markdown(note)}*" for note in of.data.notes]
    for sheet in sheets(of, found):
        blocks += [f"## {escaping.markdown(sheet.title)}"]
        blocks += [formatting.markdown_table(sheet.header, sheet.lines)]
        if sheet.notes:
            said = (escaping.markdown(note, begins_line=True) for note in sheet.notes)
            blocks.append("\n".join(f"- {note}" for note in said))
    return "\n\n".join([*blocks, escaping.markdown(headline(of, found))])
