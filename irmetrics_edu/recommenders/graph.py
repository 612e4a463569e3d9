"""The graph of users and items, and how embeddings spread over it.

R = D_users^(-1/2) A D_items^(-1/2)
users of layer l+1 = R items of layer l;  items of layer l+1 = R^T users of layer l
"""

from typing import Any

import numpy as np

from irmetrics_edu.errors import InputError, extra
from irmetrics_edu.numbers import Array
from irmetrics_edu.recommenders.interactions import Interactions


def normalised(data: Interactions) -> Any:
    """The training interactions as a sparse matrix, each over the roots of both degrees.

    A line for each user, a column for each item; 1/sqrt(|N_u| |N_i|) where u has i. An item that
    nobody has is a column of zeros.
    """
    csr_matrix = extra("scipy.sparse", what="training", name="train").csr_matrix
    user, item = data.pairs["train"].T
    shape = (len(data.users), len(data.items))
    of_user = np.bincount(user, minlength=shape[0])
    of_item = np.bincount(item, minlength=shape[1])
    weight = 1 / np.sqrt(of_user[user] * of_item[item])
    graph = csr_matrix((weight, (user, item)), shape=shape)
    graph.sort_indices()
    return graph


def layers(graph: Any, users: Any, items: Any, number: int, select: Any = None) -> Any:
    """The embeddings of users and items in layers 0, 1, ..., `number`, as two lists.

    `select`, if given, takes the graph and the items' embeddings of a layer, and gives the graph
    of those neighbours that users listen to; items always listen to all their users.
    """
    from irmetrics_edu.recommenders.autodiff import getval, spread

    of_users, of_items = [users], [items]
    for _ in range(number):
        heard = graph if select is None else select(graph, getval(of_items[-1]))
        next_users = spread(heard, of_items[-1])
        next_items = spread(graph.T, of_users[-1])
        of_users.append(next_users)
        of_items.append(next_items)
    return of_users, of_items


def negatives(data: Interactions, rng: np.random.Generator) -> Array:
    """For each training interaction an item drawn evenly from those that the user does not have."""
    user, item = data.pairs["train"].T
    n = len(data.items)
    crowded = np.flatnonzero(np.bincount(user, minlength=len(data.users)) >= n)
    if len(crowded):
        raise InputError(
            f"user {data.users[crowded[0]]!r} has all {n} items, so there is none to contrast with"
        )
    taken = np.unique(user * n + item)
    drawn = rng.integers(0, n, len(user))
    while True:
        code = user * n + drawn
        place = np.minimum(np.searchsorted(taken, code), len(taken) - 1)
        again = np.flatnonzero(taken[place] == code)
        if not len(again):
            return drawn
        drawn[again] = rng.integers(0, n, len(again))
