"""What goes wrong, told apart: bad input is never a low score."""


class InputError(ValueError):
    """Input that has no score: the message names the place, what was given and what would do."""


class NotRational(InputError):  # noqa: N818 -- the message reads "NotRational: ..."
    """A value asked for exactly that is no ratio of whole numbers (a logarithm, a square root)."""
