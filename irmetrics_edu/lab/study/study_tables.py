"""The study as tables for a terminal."""

from collections.abc import Iterator

from irmetrics_edu.lab.recommenders.interactions import Interactions
from irmetrics_edu.lab.study.claims import FAILS, Claim, ClaimPlace, answers, claims
from irmetrics_edu.lab.study.diversity_study import Study
from irmetrics_edu.lab.study.scoring import METRICS
from irmetrics_edu.views.formatting import steady
from irmetrics_edu.views.result_table import ResultTable


def sheets(study: Study) -> Iterator[ResultTable]:
    """The tables of the study: the answers, the means by cut-off, and the claims."""
    seeds = f" and {study.seeds} seeds" if study.seeds > 1 else ""
    yield ResultTable(
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
            for a in answers(study)
        ),
        f"Is it diversity that counts? Gains over {study.base}, with 95 % intervals",
        (
            "a gain counts if the hits alone are more diverse too, and does not if they are less",
            "fewer than two hits have no distance: their ILAD and ILMD are 0",
            "no hit: if the two shares are equal, users without a hit gain as much as others",
        ),
    )
    for k in study.settings.cutoffs:
        yield ResultTable(
            ("ranker", *METRICS),
            tuple((r, *(_mean(study, r, m, k) for m in METRICS)) for r in study.lists),
            f"Whole lists at {k}: means over {len(study.users)} users{seeds}",
            tuple(str(c) for c in study.coefficients[k]),
        )
    yield ResultTable(
        ("claim", "source", "what it says", "here", "against it"),
        tuple((c.id, c.source, c.says, c.summary, _against(c)) for c in claims(study)),
        "What is claimed of diversifiers, on these data",
        (
            "a case is decided if the 95 % interval of its mean is on one side of 0",
            "a case that needs a coefficient counts for neither side if no coefficient is feasible",
        ),
    )


def limits(study: Study) -> Iterator[str]:
    """What the study can't say, and what was left out of it."""
    yield from study.data.notes
    yield (
        "Intervals are over users and seeds."
        if study.seeds > 1
        else "Intervals are over users. They leave out the chance in training."
    )
    yield (
        f"A base that is tuned better than this {study.base} may lose more when it is diversified."
    )
    yield "Distances are those of the embeddings used. Others may give other answers."
    infeasible = []
    for k, both in study.coefficients.items():
        tunings = [coefficient.tuning for coefficient in both]
        infeasible += [f"{tuning.symbol}@{k}" for tuning in tunings if not tuning.feasible]
    if infeasible:
        names = ", ".join(infeasible)
        yield f"No coefficient meets the conditions for {names}: what needs one is left undecided."


def interval(place: ClaimPlace) -> str:
    """A mean with its interval."""
    low, mean, high = (f"{steady(v):+.4f}" for v in (place.low, place.mean, place.high))
    return f"{mean} [{low}, {high}]"


def _mean(study: Study, ranker: str, metric: str, k: int) -> str:
    if not study.has(metric, k):
        return "-"  # the notes say which coefficient is infeasible
    value = study.mean(ranker, metric, k)
    small = 0 < abs(steady(value)) < 0.001
    return f"{steady(value):.2e}" if small else f"{steady(value):.4f}"


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
