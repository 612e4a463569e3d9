"""What training takes from autograd, in one place; imported when something is trained."""

from typing import Any

from irmetrics_edu.errors import extra

value_and_grad = extra("autograd", what="training").value_and_grad
anp = extra("autograd.numpy", what="training")
getval = extra("autograd.tracer", what="training").getval
_extend = extra("autograd.extend", what="training")

__all__ = ["anp", "getval", "spread", "value_and_grad"]


def _spread(graph: Any, vectors: Any) -> Any:
    """The product of a sparse matrix, which is constant, and a table of vectors."""
    return graph @ vectors


# autograd knows no sparse matrices: the derivative of A X in the direction of G is A^T G.
spread: Any = _extend.primitive(_spread)
_extend.defvjp(spread, None, lambda _, graph, __: lambda g: graph.T @ g)
