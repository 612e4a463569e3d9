"""What training uses of autograd, in one place; imported when something is trained.

autograd knows no sparse matrices, and adds up the gradient of `table[numbers]` number by number. So
the two large steps of training are written here with their derivatives, which are sparse products.
"""

from typing import Any

import numpy as np

from irmetrics_edu.errors import extra
from irmetrics_edu.numbers import Array

value_and_grad = extra("autograd", what="training").value_and_grad
anp = extra("autograd.numpy", what="training")
getval = extra("autograd.tracer", what="training").getval
_extend = extra("autograd.extend", what="training")

__all__ = ["anp", "getval", "products", "spread", "value_and_grad"]

_CELLS = 131_072  # numbers gathered at a time, as many as a processor keeps near


def _spread(graph: Any, vectors: Any) -> Any:
    """The product of a sparse matrix, which is constant, and a table of vectors."""
    return graph @ vectors


# The derivative of A X in the direction of G is A^T G.
spread: Any = _extend.primitive(_spread)
_extend.defvjp(
    spread,
    None,
    lambda _, graph, __: lambda g: graph.T @ g,
)


def _products(
    users: Array,
    items: Array,
    user: Array,
    item: Array,
) -> Array:
    """The inner product of users[u] with items[i], for each u and each i in its line of `item`.

    `user` are numbers in rising order; `item` is a table with a line for each of them.
    """
    products_of_pairs = np.empty(item.shape, dtype=users.dtype)
    dimensions = users.shape[1]
    step = max(1, _CELLS // max(1, dimensions))
    for start in range(0, len(user), step):
        block = slice(start, start + step)
        of_users = users[user[block]]
        for column in range(item.shape[1]):
            of_items = items[item[block, column]]
            inner = np.einsum("nd,nd->n", of_users, of_items)
            products_of_pairs[block, column] = inner
    return products_of_pairs


def _slopes(_: Any, __: Any, arguments: Any, ___: Any) -> Any:
    """The derivatives of the products: with S_ui the slopes of u and i, S items and S^T users."""
    users, items, user, item = arguments
    csr_matrix = extra("scipy.sparse", what="training", name="lab").csr_matrix
    every_user = np.arange(len(users) + 1)
    starts = np.searchsorted(user, every_user) * item.shape[1]

    def slopes(g: Array) -> tuple[Any, Any]:
        shape = (len(users), len(items))
        sloping = csr_matrix((g.ravel(), item.ravel(), starts), shape=shape)
        return sloping @ items, sloping.T @ users

    return slopes


products: Any = _extend.primitive(_products)
_extend.defvjp_argnums(products, _slopes)
