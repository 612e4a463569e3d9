"""Whether groups of items get the attention that is due to them."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from irmetrics_edu import checks
from irmetrics_edu.conventions import UNDEFINED_REFUSED, Undefined
from irmetrics_edu.errors import InputError, NotRational
from irmetrics_edu.metrics.definition import metric
from irmetrics_edu.numbers import Array, is_exact, picked
from irmetrics_edu.rows.item_categories import CATEGORIES, Categorised, categories_of
from irmetrics_edu.working import Table, Working


@metric(
    "AWRF",
    aliases=("attention_weighted_rank_fairness",),
    formula=(
        r"1-\tfrac{1}{2}\sum_c\left(e_c\log_2\frac{e_c}{m_c}+t_c\log_2\frac{t_c}{m_c}\right),\quad "
        r"m_c=\frac{e_c+t_c}{2},\ e_c\propto\sum_{i\in L_{\k}} [c\in\mathcal{C}_i]"
        r"\frac{(1-\p)\p^{i-1}}{|\mathcal{C}_i|},\ t=\target\quad(e=0\colon \undefined{})"
    ),
    source="Sapiezynski, Zeng, Robertson, Mislove & Wilson (2019), Quantifying the impact of user "
    "attention on fair group representation in ranked lists, WWW companion; divergence as in "
    "TREC Fair Ranking 2022, in bits; compared in Raj & Ekstrand (2022), SIGIR",
    inputs=CATEGORIES,
)
def awrf(
    rows: Categorised,
    k: int | None = None,
    *,
    p: float = 0.5,
    target: Mapping[Any, float] | None = None,
    undefined: Undefined = UNDEFINED_REFUSED,
) -> Working:
    """Attention-weighted rank fairness is how near groups' shares of attention are to their due.

    `categories` maps items to their groups. An item of several groups counts for each in equal
    parts. A user goes on from each rank to the next with probability `p`, so rank i gets (1-p)
    p^(i-1) of the attention. `target` maps each group to the share that is due to it. Without it, a
    group is due its share of all items that `categories` names. Between 0 and 1, and 1 if all
    shares are as they should be. Items without a group are left out. If no item has a group, it is
    an error, unless `undefined` says what the value is.

    Sapiezynski et al. give the probability of stopping, 1 - p. The program of TREC Fair Ranking
    uses attention 1/log2(rank) and the divergence in nats. It gives 1 - (1 - AWRF) ln 2.

    >>> groups = {"a": {"x"}, "b": {"y"}, "c": {"x"}, "d": {"y"}}
    >>> round(awrf(["a", "b", "c"], groups), 4)
    0.9649
    >>> awrf(["a", "c"], groups, target={"x": 1})
    1.0
    """
    checks.between("p", p, 0, 1, open_low=True, open_high=True)
    if is_exact(rows.rank):
        raise NotRational("the logarithm of a share is irrational; drop exact=True")
    top = rows.top(k)
    attention = p ** (top.rank - 1)  # times 1 - p, which goes out of the shares
    groups = np.maximum(np.bincount(top.member_item, minlength=len(top.item)), 1)
    part = (attention / groups)[top.member_item]
    got = np.bincount(top.member_category, part, len(top.category))
    there = got > 0
    query = top.category_query[there]
    sums = rows.total(got[there], query)
    rows.refuse(sums == 0, undefined, "no item of the list has a group, so none gets attention")
    share = got[there] / sums[query]
    due = _due(top, target)[there]
    middle = (share + due) / 2
    divergence = (_times_log(share, middle) + _times_log(due, middle)) / 2
    absent = np.maximum(1 - rows.total(due, query), 0.0)
    score = 1 - rows.total(divergence, query) - absent / 2
    score[sums == 0] = undefined.value
    return Working(
        np.clip(score, 0.0, 1.0),
        how="1 - ({divergence of the group}) - {share due to absent groups} / 2",
        columns={
            "share of attention": share,
            "share due": due,
            "divergence of the group": divergence,
        },
        table=Table(query, {"group": picked(top.category, there)}),
        quantities={"share due to absent groups": absent},
    )


def _times_log(share: Array, middle: Array) -> Array:
    """Shares times the logarithm of their ratio to the middle; 0 where the share is 0."""
    out = np.zeros(len(share))
    some = share > 0
    out[some] = share[some] * np.log2(share[some] / middle[some])
    return out


def _due(rows: Categorised, target: Mapping[Any, float] | None) -> Array:
    """The share that is due to the group of each category line."""
    if target is not None:
        share_of = _checked(target)
        for group in rows.category:
            if group not in share_of:
                raise InputError(
                    f"target has no group {group!r}; give it a share, or 0 if nothing is due to it"
                )
        return np.array([share_of[group] for group in rows.category])
    shares: dict[int, dict[Any, float]] = {}
    for catalogue in rows.catalogue:
        if isinstance(catalogue, Mapping) and id(catalogue) not in shares:
            shares[id(catalogue)] = _population(catalogue)
    here = [shares[id(rows.catalogue[q])] for q in rows.category_query.tolist()]
    return np.array([share[g] for share, g in zip(here, rows.category, strict=True)])


def _checked(target: Any) -> dict[Any, float]:
    if not isinstance(target, Mapping) or not target:
        raise InputError(
            f"target={target!r} is not a mapping; map each group to the share that is due to it"
        )
    share_of = {
        g: checks.number(share, "share", f"target, group {g!r}: ") for g, share in target.items()
    }
    if min(share_of.values()) < 0 or abs(sum(share_of.values()) - 1) > 1e-9:
        raise InputError(
            f"target={target!r} is not a distribution; give shares of 0 or more that add up to 1"
        )
    return share_of


def _population(catalogue: Mapping[Any, Any]) -> dict[Any, float]:
    """The share of each group among all items that have one."""
    count: dict[Any, float] = {}
    for item, named in catalogue.items():
        groups = categories_of(item, named)
        for group in groups:
            count[group] = count.get(group, 0.0) + 1 / len(groups)
    everything = sum(count.values())
    return {group: n / everything for group, n in count.items()}
