"""What curves and thresholds leave open."""

from irmetrics_edu.conventions.base import Convention, kind


@kind
class Interpolation(Convention):
    """Which precision belongs to a level of recall that no rank may meet exactly."""


STANDARD = Interpolation(
    "standard",
    r"\max_{i\colon \mathrm{Rec}_i\ge #1} P_i",
    "the best precision at this recall or a higher one",
)
NOT_INTERPOLATED = Interpolation(
    "none",
    r"P_{\min\{i\colon \mathrm{Rec}_i\ge #1\}}",
    "the precision at the first rank where this recall is reached, as lecture slides compute it",
)
STANDARD_IN_FLOATS = Interpolation(
    "trec_eval",
    r"\max_{i\colon \mathrm{Rec}_i\ge #1} P_i",
    "as standard, but counts the relevant documents that recall r needs as trec_eval does: r "
    "R + 0.9 in floats, rounded down, so that 0.7 of 3 needs 2",
    lambda level, R: int(float(level) * R + 0.9),
)
ROUNDED = Interpolation(
    "trec_eval_10",
    r"\max_{i\colon \mathrm{Rec}_i\ge #1} P_i",
    "as standard, but counts the relevant documents that recall r needs as trec_eval 10 does: "
    "r R to the nearest whole number, halves up, so that 0.1 of 3 needs none",
    lambda level, R: int(float(level) * R) + (float(level) * R % 1 >= 0.5),
)
Interpolation.register(STANDARD, NOT_INTERPOLATED, STANDARD_IN_FLOATS, ROUNDED)


@kind
class Crossing(Convention):
    """Where precision and recall are equal, if that is between two thresholds."""


ON_A_LINE = Crossing(
    "linear", r"\text{on a line}", "on the straight line between the two points of the PR curve"
)
IN_COUNTS = Crossing(
    "counts",
    r"\text{in counts}",
    "where R documents are retrieved, the tied ones in part: the mean R-precision over the "
    "orders of the ties",
)
Crossing.register(ON_A_LINE, IN_COUNTS)
