"""What a comparison says of its tests: which, how, and what they could not find."""

from collections.abc import Collection

import numpy as np

from irmetrics_edu.runs.significance import PairedDifference

Tested = Collection[PairedDifference]


def in_words(test: str, tested: Tested) -> str:
    """The test's name, and how it was made."""
    if test == "randomisation":
        return f"randomisation test ({ways(tested)})"
    return {"t": "paired t-test", "wilcoxon": "Wilcoxon's signed-rank test"}.get(
        test, f"{test} test"
    )


def ways(tested: Tested) -> str:
    """How the randomisation tests came by their p-values."""
    met = dict.fromkeys(t.ways for t in tested if t.wins + t.losses)
    return "; ".join(met) or "no query differs"


def out_of_reach(test: str, tested: Tested, level: float) -> list[str]:
    """What the test could not find, whatever the runs were."""
    said = []
    if test == "randomisation":
        least = {t.ways: t.least for t in tested if t.wins + t.losses and t.least >= level}
        said += [f"{how} can't give a p below {p:.2g}" for how, p in least.items()]
    if any(np.isnan(t.p[test]) for t in tested):
        said.append("the t-test has no p where all queries differ by the same amount, or for one")
    return said
