"""Click models: users who look at some ranks and click what attracts them.

A click needs two things: the user examines the rank, and the document attracts the user. Clicks
show only both together, so documents at the top get more clicks than they deserve.
"""

from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from irmetrics_edu import checks
from irmetrics_edu.errors import InputError
from irmetrics_edu.lab.online.random_numbers import Chance, probabilities
from irmetrics_edu.numbers import Array


class PositionBased:
    """In the position-based model each rank has a probability that a user examines it.

    A click at rank i has the probability examination_i * attractiveness of the document there. All
    ranks are independent. `examination` has a probability for each rank.

    Source: Craswell, Zoeter, Taylor & Ramsey (2008), An experimental comparison of click
    position-bias models, WSDM, who compare it with the cascade model.

    >>> user = PositionBased([1, 0.5, 0.25])
    >>> user.click_probabilities([0.2, 0.8, 0.8]).tolist()
    [0.2, 0.4, 0.2]
    >>> user.simulate([0.2, 0.8, 0.8], 1000, Chance(1)).mean(axis=0).round(1).tolist()
    [0.2, 0.4, 0.2]
    """

    def __init__(self, examination: Sequence[float]) -> None:
        self.examination = probabilities("examination", examination)

    def click_probabilities(self, attractiveness: Sequence[float]) -> Array:
        """The probability of a click at each rank."""
        attracted = probabilities("attractiveness", attractiveness)
        if len(attracted) > len(self.examination):
            raise InputError(
                f"{len(attracted)} documents and {len(self.examination)} ranks with an examination "
                "probability; give one for each rank"
            )
        clicked: Array = self.examination[: len(attracted)] * attracted
        return clicked

    def simulate(
        self,
        attractiveness: Sequence[float],
        sessions: int,
        chance: Chance,
    ) -> Array:
        """Clicks of simulated sessions: truth values, a line for each session, a column a rank.

        `chance` goes on from call to call.
        """
        return _drawn(
            self.click_probabilities(attractiveness),
            sessions,
            chance,
        )


class Cascade:
    """In the cascade model a user reads from the top, clicks what attracts first, and stops.

    A click at rank i has the probability attractiveness_i * (1 - attractiveness) of every document
    above. There is at most one click in a session.

    Source: as for `PositionBased`.

    >>> Cascade().examination([0.5, 0.5, 0.8]).tolist()
    [1.0, 0.5, 0.25]
    >>> Cascade().click_probabilities([0.5, 0.5, 0.8]).tolist()
    [0.5, 0.25, 0.2]
    """

    def examination(self, attractiveness: Sequence[float]) -> Array:
        """The probability that a user gets to each rank."""
        attracted = probabilities("attractiveness", attractiveness)
        return np.concatenate([[1.0], (1 - attracted[:-1]).cumprod()])

    def click_probabilities(self, attractiveness: Sequence[float]) -> Array:
        """The probability of a click at each rank."""
        clicked: Array = self.examination(attractiveness) * np.asarray(attractiveness)
        return clicked

    def simulate(
        self,
        attractiveness: Sequence[float],
        sessions: int,
        chance: Chance,
    ) -> Array:
        """Clicks of simulated sessions, as for `PositionBased`."""
        drawn = _drawn(
            probabilities("attractiveness", attractiveness),
            sessions,
            chance,
        )
        first: Array = drawn & (drawn.cumsum(axis=1) == 1)
        return first


def _drawn(p: Array, sessions: int, chance: Chance) -> Array:
    if not isinstance(chance, Chance):
        raise InputError(f"chance={chance!r}: give a source of random numbers, such as Chance(1)")
    drawn: Array = chance.uniform(checks.whole("sessions", sessions, 1), len(p)) < p
    return drawn


def relative_examination(clicks: npt.ArrayLike) -> Array:
    """Relative examination is the click rate at each rank, divided by the click rate at rank 1.

    It holds under the position-based model if the documents were shown in **random order**: then
    all ranks show documents of the same mean attractiveness, so only examination differs. `clicks`
    has a line for each session and a column for each rank. InputError if nobody clicked rank 1.

    Source: Joachims, Swaminathan & Schnabel (2017), Unbiased learning-to-rank with biased feedback,
    WSDM, who swap two ranks in place of a full shuffle.

    >>> relative_examination([[1, 0], [1, 1], [0, 0], [0, 0]]).tolist()
    [1.0, 0.5]
    """
    rates = _clicks(clicks).mean(axis=0)
    if not rates[0] > 0:
        raise InputError("there is no click at rank 1, so no rank has a relative examination")
    relative: Array = rates / rates[0]
    return relative


def attractiveness(
    rankings: Sequence[Sequence[Hashable]],
    clicks: npt.ArrayLike,
    examination: Sequence[float],
) -> Mapping[Hashable, float]:
    """Attractiveness is the clicks of a document over the times that users examined it, expected.

    The expected number of examinations is the sum of `examination` over the ranks at which the
    document was shown. With an examination of 1 everywhere it is the click rate. `rankings` has the
    documents of each session, `clicks` a line for each session and a column for each rank. With
    relative examination the result is relative too, and sampling error can make it exceed 1.
    Documents come in the order in which they were first shown.

    >>> log = [["a", "b"], ["b", "a"]]
    >>> attractiveness(log, [[1, 0], [1, 1]], [1, 0.5])
    {'a': 1.3333333333333333, 'b': 0.6666666666666666}
    """
    table = _clicks(clicks)
    looks = probabilities("examination", examination)
    if not (looks > 0).all():
        raise InputError("examination: a rank that nobody examines says nothing; leave it out")
    if table.shape != (len(rankings), len(looks)):
        raise InputError(
            f"clicks has the shape {table.shape}, and there are {len(rankings)} rankings and "
            f"{len(looks)} ranks; give a line for each session and a column for each rank"
        )
    examined: defaultdict[Hashable, float] = defaultdict(float)
    clicked: defaultdict[Hashable, float] = defaultdict(float)
    for number, (shown, line) in enumerate(zip(rankings, table.tolist(), strict=True), 1):
        documents = checks.ids(shown, what=f"shown in session {number}")
        if len(documents) != len(looks):
            raise InputError(
                f"session {number} shows {len(documents)} documents, and there are {len(looks)} "
                "ranks; give as many documents as ranks"
            )
        for document, look, click in zip(documents, looks.tolist(), line, strict=True):
            examined[document] += look
            clicked[document] += click
    return {document: clicked[document] / times for document, times in examined.items()}


def _clicks(clicks: npt.ArrayLike) -> Array:
    try:
        table = np.asarray(clicks, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError("clicks are 0 or 1, a line for each session, all of one length") from None
    if table.ndim != 2 or not table.size or not np.isin(table, (0, 1)).all():
        raise InputError(
            f"clicks has the shape {table.shape}; give a line of 0 and 1 for each session"
        )
    return table
