"""A comparison's words on its tests: which, how, and what they can't find."""

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
    """What the test can't find, whatever the runs are."""
    said = []
    if test == "randomisation":
        least = {t.ways: t.least for t in tested if t.wins + t.losses and t.least >= level}
        said += [f"{how} can't give a p below {p:.2g}" for how, p in least.items()]
    if any(np.isnan(t.p[test]) for t in tested):
        said.append(
            "the t-test has no p if all queries differ by the same amount, or if "
            "there is only one query"
        )
    return said
