"""What training takes from autograd, in one place; imported when something is trained."""

from typing import Any

from irmetrics_edu.errors import InputError

try:
    import autograd.numpy as anp
    from autograd import value_and_grad
    from autograd.extend import defvjp, primitive
    from autograd.tracer import getval
except ImportError:
    raise InputError("training needs autograd: pip install 'irmetrics-edu[train]'") from None

__all__ = ["anp", "getval", "spread", "value_and_grad"]


def _spread(graph: Any, vectors: Any) -> Any:
    """The product of a sparse matrix, which is constant, and a table of vectors."""
    return graph @ vectors


# autograd knows no sparse matrices: the derivative of A X in the direction of G is A^T G.
spread: Any = primitive(_spread)
defvjp(spread, None, lambda _, graph, __: lambda g: graph.T @ g)
