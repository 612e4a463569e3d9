"""Plain loops that only tests need, sharing nothing with the package.

Those that the conformance vectors are made with are in `dev/tools/vectors/oracles`, and tests use
them from there.
"""


def graded(ranking, judgments):
    """The grades in ranked order, and those of the pool, as the oracles of rankings take them."""
    return [judgments.get(d) for d in ranking], list(judgments.values())
