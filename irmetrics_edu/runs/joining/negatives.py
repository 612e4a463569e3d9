"""Negative grades that are settled only when the retrieved documents are known."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from irmetrics_edu.checks import at
from irmetrics_edu.conventions import AS_WRITTEN, PADDING, REFUSED, RETRIEVED_ALONE, Negative
from irmetrics_edu.errors import InputError
from irmetrics_edu.runs.joining.aligned import Aligned
from irmetrics_edu.runs.joining.judged import Judged


def settled_later(options: Mapping[str, Any]) -> bool:
    """Whether negative grades wait for the retrieved documents: they are refused then, or padding.

    A library that gets only the retrieved documents can refuse only what it sees.
    """
    negative = options.get("negative")
    seen_alone = negative is REFUSED and options.get("pool") is RETRIEVED_ALONE
    return seen_alone or negative is PADDING


def padding(judged: Judged | None, negative: Negative | None) -> int:
    """How many judged documents are removed as padding, query by query."""
    if judged is None or negative is not PADDING or judged.by_subtopic:
        return 0
    return int((judged.pool(AS_WRITTEN).grade < 0).sum())


def refuse_retrieved(found: Aligned) -> None:
    """Raise an error for the first retrieved document whose grade is negative."""
    below = np.flatnonzero(found.pool.grade[found.item] < 0)
    if not len(below):
        return
    item, rank = int(found.item[below[0]]), int(found.place[below[0]])
    place = at(found.queries[int(found.pool.query[item])], found.pool.documents[item], rank)
    raise InputError(
        f"{place}grade {found.pool.grade[item]:g} is negative; choose what it means: "
        "negative='zero' (not relevant), 'keep' (a loss) or 'unjudged'"
    )
