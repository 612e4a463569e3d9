"""Readers who do not learn, and surprises of no use."""

from irmetrics_edu.conventions import BINARY, Gain
from irmetrics_edu.diagnosis.mistakes.mistake import mistake
from irmetrics_edu.metrics.popularity import serendipity
from irmetrics_edu.metrics.stopping_models import insq, inst
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
