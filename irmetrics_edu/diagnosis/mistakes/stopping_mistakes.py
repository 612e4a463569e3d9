"""Readers who do not learn, ideals of what was found, and surprises of no use."""

from irmetrics_edu.conventions import BINARY, BY_POWERS, Gain, Satisfaction
from irmetrics_edu.diagnosis.mistakes.mistake import mistake
from irmetrics_edu.metrics.popularity import serendipity
from irmetrics_edu.metrics.stopping_models import insq, inst
from irmetrics_edu.metrics.user_models import err, normalised_err
from irmetrics_edu.rows.aligned_ranking import Rows
from irmetrics_edu.rows.item_popularity import Known
from irmetrics_edu.working import Working

not_adaptive = mistake(
    "inst-counts-nothing-found",
    "INST in which hits do not change the number of documents still wanted (INSQ)",
    why="T_i is the number of documents still wanted: T minus the gains down to rank "
    "i. A reader who finds something stops sooner. With T_i = T at every rank it "
    "is INSQ.",
    read="Moffat et al. (2015), INST: an adaptive metric",
)


@not_adaptive.of_kernel(inst)
def _not_adaptive(
    rows: Rows, *, wanted: float = 1, gain: Gain = BINARY, rel: float = 1, depth: int = 1000
) -> Working:
    """INSQ under the name of INST."""
    return insq.measured(rows, wanted=wanted, gain=gain, rel=rel, depth=depth)


ideal_of_found = mistake(
    "nerr-ideal-of-the-retrieved",
    "ERR divided by the ERR of the best order of the retrieved documents",
    why="The ideal ranking is made of all judged documents, retrieved or not. "
    "Otherwise a ranking that finds one document of many has an nERR of 1.",
    read="the lesson on nDCG, normalising DCG, which holds for ERR too",
)


@ideal_of_found.of_kernel(normalised_err)
def _ideal_of_found(
    rows: Rows,
    k: int | None = None,
    *,
    max_grade: float | str = 4,
    satisfaction: Satisfaction = BY_POWERS,
) -> Working:
    """The ideal is of what was retrieved."""
    options = {"max_grade": max_grade, "satisfaction": satisfaction}
    actual = err.measured(rows, k, **options)
    best = err.measured(rows.ideal_of_retrieved, k, **options)
    return Working(
        rows.ratio(actual.score, best.score),
        how="{ERR} / {IERR}",
        parts={"ERR": actual, "IERR": best},
        rows=rows,
    )


useless = mistake(
    "serendipity-without-use",
    "all items that were not expected counted, relevant or not",
    why="An item counts for serendipity only if it was not expected and is relevant.",
    read="Ge et al. (2010), Beyond accuracy",
)


@useless.of_kernel(serendipity)
def _useless(rows: Known, k: int | None = None) -> Working:
    """The share of the list that was not expected."""
    top = rows.top(k)
    unexpected = 1 - top.counted
    size = rows.count(rows.depth(k))
    return Working(
        rows.ratio(top.total(unexpected), size),
        how="({unexpected}) / {number of items}",
        columns={"unexpected": unexpected},
        table=top.table(),
        quantities={"number of items": size},
        rows=rows,
    )
