"""The study as numbers that JSON can hold."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import pairwise
from typing import Any

import numpy as np

from irmetrics_edu.lab.study.claims import HOLDS, ClaimPlace, answers, case_of, claims
from irmetrics_edu.lab.study.diversity_study import Study
from irmetrics_edu.lab.study.scoring import CORRECTS, DIVERSITY, METRICS
from irmetrics_edu.near_ties import TOLERANCE
from irmetrics_edu.numbers import Array
from irmetrics_edu.views.formatting import steady


def as_dict(of: Study) -> dict[str, Any]:
    """The study in a form that JSON can hold: settings, coefficients, means, groups, claims."""
    cutoffs = of.settings.cutoffs
    return {
        "data": {
            "name": of.data.name,
            "users": len(of.data.users),
            "evaluated users": len(of.users),
            "items": len(of.data.items),
            "categories": of.data.n_categories,
            "interactions": {s: len(p) for s, p in of.data.pairs.items() if len(p)},
            "notes": list(of.data.notes),
        },
        "settings": _settings(of),
        "base": of.base,
        "compared": list(of.compared),
        "coefficients": [
            {
                "k": k,
                "coefficient": c.tuning.symbol,
                "value": c.value,
                "given": c.given is not None,
                "precision": float(c.tuning.p),
                "N_tau": c.tuning.n_tau,
                "feasible": c.tuning.feasible,
                "N": c.n,
                "share of lists covered": float(c.tuning.groups[c.n].cumulative),
            }
            for k in cutoffs
            for c in of.coefficients[k]
        ],
        "answers": [
            {
                **asdict(a),
                "gain": _case(a.gain),
                "of_hits": _case(a.of_hits),
                "answer": a.answer,
            }
            for a in answers(of)
        ],
        "order": [
            {"ranker": r, "metric": m, "k": k, "base ahead": where} for r, m, k, where in order(of)
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
                "source": c.source,
                "says": c.says,
                "verdict": c.verdict,
                "summary": c.summary,
                "cases": [_case(case) for case in c.cases],
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
            if effective or of.has(m, k)
        }
        for r in of.lists
    }


def _settings(of: Study) -> dict[str, Any]:
    return {n: v for n, v in asdict(of.settings).items() if v is not None}


def _case(of: ClaimPlace) -> dict[str, Any]:
    """A case; one that is infeasible has no numbers."""
    numbers = {n: v if of.feasible else None for n, v in asdict(of).items() if n != "feasible"}
    return {**numbers, "where": of.where, "outcome": of.outcome}


def behind_where(of: Study, ranker: str, metric: str, k: int) -> str:
    """The discount coefficients from 0 to 1 at which a ranker's mean is below the base's, in words.

    The mean gain is a polynomial in the coefficient, so the answer needs no tuned coefficient.
    """
    symbol = "beta" if metric == "DILAD" else "alpha"
    polynomials = of.curves[ranker, metric, k] - of.curves[of.base, metric, k]
    curve = [float(c) for c in polynomials.mean(axis=0)]
    roots = np.roots(np.array(curve[::-1]))
    inside = [float(r.real) for r in roots if abs(r.imag) < TOLERANCE and 0 < r.real < 1]
    ends = [0.0, *sorted(inside), 1.0]
    below = [
        (low, high)
        for low, high in pairwise(ends)
        if np.polyval(curve[::-1], (low + high) / 2) < -TOLERANCE
    ]
    if not below:
        return "for none"
    if len(below) == len(ends) - 1:
        return "for all"
    said = []
    for low, high in below:
        start, stop = f"{steady(low):.3g}", f"{steady(high):.3g}"
        said.append(
            f"below {stop}" if low == 0 else f"above {start}" if high == 1 else f"{start} to {stop}"
        )
    return f"{symbol} {' or '.join(said)}"


def order(of: Study) -> Iterator[tuple[str, str, int, str]]:
    """Ranker, measure, cut-off and where it is behind, for all that CC or ILAD ranks ahead."""
    for k in of.settings.cutoffs:
        for ranker in of.compared:
            for aware, old in CORRECTS.items():
                if case_of(of, "", of.gain(ranker, old, k)).outcome == HOLDS:
                    yield ranker, aware, k, behind_where(of, ranker, aware, k)
