"""What one piece of a run gave: the judged documents in it with their ranks."""

from dataclasses import dataclass

import numpy as np

from irmetrics_edu.numbers import Array, concatenated, small


@dataclass(eq=False)
class RanksOfPiece:
    """What one piece of a run gave: the judged documents in it with their ranks, and its queries.

    `item` numbers the judged document in the pool. `first` is the best rank that its score allows.
    `alike` is how many documents share that score, itself included. `query` numbers the queries of
    the piece.
    """

    item: Array
    rank: Array
    first: Array
    alike: Array
    query: Array
    retrieved: Array
    tied: Array

    @staticmethod
    def joined(parts: list["RanksOfPiece"]) -> "RanksOfPiece":
        """Several pieces as one; the list is emptied, so as not to hold both."""
        if len(parts) == 1:
            return parts[0]
        columns = [[getattr(p, name) for p in parts] for name in RanksOfPiece.__dataclass_fields__]
        parts.clear()
        return RanksOfPiece(*(concatenated(c or [np.zeros(0, dtype=np.intp)]) for c in columns))

    def small(self) -> "RanksOfPiece":
        """The same in the smallest kind of whole number, to be held."""
        columns = (getattr(self, name) for name in RanksOfPiece.__dataclass_fields__)
        return RanksOfPiece(*(small(c) for c in columns))
