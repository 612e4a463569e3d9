"""The study as numbers that JSON can hold."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from irmetrics_edu.lab.study.claims import Case, answers, claims, order
from irmetrics_edu.lab.study.diversity_study import Study
from irmetrics_edu.lab.study.scoring import DIVERSITY, METRICS
from irmetrics_edu.numbers import Array


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
        "training": [dict(seed) for seed in of.histories],
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
                "measured": c.measured,
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


def _case(of: Case) -> dict[str, Any]:
    """A case; one that is infeasible has no numbers."""
    numbers = {n: v if of.feasible else None for n, v in asdict(of).items() if n != "feasible"}
    return {**numbers, "where": of.where, "outcome": of.outcome}
