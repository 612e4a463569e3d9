"""Whether users get different lists, and how much of its catalogue a system shows at all."""

import numpy as np

from irmetrics_edu.conventions import UNDEFINED_REFUSED, Undefined
from irmetrics_edu.errors import InputError
from irmetrics_edu.metrics.definition import metric
from irmetrics_edu.metrics.popularity import MEAN, ZHOU, mean_of_items, share_of_users
from irmetrics_edu.numbers import first_place
from irmetrics_edu.rows.item_popularity import EXPOSURE, Known
from irmetrics_edu.rows.recommended import LISTS, Lists
from irmetrics_edu.working import Working


@metric(
    "personalisation",
    aliases=("personalization", "inter_user_diversity"),
    formula=r"1-\frac{1}{|L_{\k}|}\sum_{i\in L_{\k}} \frac{\phi(i)-1}{\users-1},"
    r"\quad \phi(i)\text{ lists hold }i" + MEAN,
    source=f"{ZHOU} (as inter-list diversity)",
    inputs=EXPOSURE,
)
def personalisation(
    rows: Known,
    k: int | None = None,
    *,
    users: int | None = None,
    undefined: Undefined = UNDEFINED_REFUSED,
) -> Working:
    """Personalisation is how little a user's list overlaps with the lists of the other users.

    The overlap with another list is the share of this list that the other list holds. The mean is
    over all other lists. Between 0 (all have the same items) and 1 (no item is in two lists).
    `exposure` maps each item to how many lists hold it, this one included, with the same cut-off:
    see `exposure`. `users` is the number of lists, at least 2. The mean over users is the
    personalisation of a system. For lists of equal length it is 1 - the mean overlap of two lists.

    >>> from irmetrics_edu.rows.recommended import exposure
    >>> lists = {"u1": ["a", "b"], "u2": ["a", "c"], "u3": ["a", "b"]}
    >>> personalisation(lists["u1"], exposure(lists), users=3)
    0.25
    """
    top = rows.top(k)
    share_of_users(top, top.counted, users, "lists", least=2)
    for row in first_place(top.counted == 0):
        raise InputError(
            f"{top.where(row)}has exposure 0, but this list holds it; count the exposure over "
            "all lists under the same cut-off"
        )
    others = (top.counted - 1) / (int(users or 0) - 1)
    columns = {"exposure": top.counted, "share of other lists": others, "not shared": 1 - others}
    return mean_of_items(rows, k, "not shared", columns, undefined)


@metric(
    "catalogue_coverage",
    aliases=("catalog_coverage", "item_coverage"),
    formula=r"\frac{\bigl|\bigcup_{u} L_{u,\k}\bigr|}{n},\quad n\text{ items in the catalogue}",
    source="Ge, Delgado-Battenfeld & Jannach (2010), Beyond accuracy: evaluating recommender "
    "systems by coverage and serendipity, RecSys",
    inputs=LISTS,
)
def catalogue_coverage(rows: Lists, k: int | None = None) -> Working:
    """Catalogue coverage is the share of all items that a system shows to anybody.

    Between 0 and 1. `lists` are the recommended lists of all users. `catalogue` holds all items
    that exist. It is a measure of a whole system, so a single user has no value.

    >>> lists = {"u1": ["a", "b"], "u2": ["a", "c"]}
    >>> catalogue_coverage(lists, ["a", "b", "c", "d"])
    0.75
    >>> (catalogue_coverage @ 1)(lists, ["a", "b", "c", "d"])
    0.25
    """
    exposed = rows.exposure(k)
    shown = rows.count(exposed > 0)
    items = rows.total(rows.count(np.ones(len(shown), dtype=bool)))
    return Working(
        rows.total(shown) / items,
        how="({occurs}) / {items in the catalogue}",
        columns={"exposure": rows.count(exposed), "occurs": shown},
        table=rows.table(),
        quantities={"items in the catalogue": items},
    )
