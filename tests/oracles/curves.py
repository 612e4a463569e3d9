"""AUC, the area by steps and the break-even point from their definitions, in fractions."""

from fractions import Fraction
from itertools import pairwise, permutations


def auc(relevance, scores):
    """How probably a relevant document outscores another, pair by pair; a tie counts half."""
    won = pairs = Fraction(0)
    for r, s in zip(relevance, scores, strict=True):
        for other_r, other_s in zip(relevance, scores, strict=True):
            if r and not other_r:
                pairs += 1
                won += 1 if s > other_s else Fraction(1, 2) if s == other_s else 0
    return won / pairs


def points(relevance, scores):
    """(recall, precision) at each threshold, highest first."""
    found = []
    for threshold in sorted(set(scores), reverse=True):
        inside = [r for r, s in zip(relevance, scores, strict=True) if s >= threshold]
        found.append((Fraction(sum(inside), sum(relevance)), Fraction(sum(inside), len(inside))))
    return found


def step_area(relevance, scores):
    """Each gain in recall times the precision there."""
    area, before = Fraction(0), Fraction(0)
    for recall, precision in points(relevance, scores):
        area += (recall - before) * precision
        before = recall
    return area


def break_even_on_a_line(relevance, scores):
    """Walk along the curve, from (0, first precision), to where it meets the diagonal."""
    curve = points(relevance, scores)
    before = (Fraction(0), curve[0][1])
    for recall, precision in curve:
        if recall >= precision and recall > 0:
            ahead, behind = before[1] - before[0], recall - precision
            if behind == 0:
                return recall
            return before[0] + (recall - before[0]) * ahead / (ahead + behind)
        before = (recall, precision)
    return Fraction(0)


def mean_r_precision(relevance, scores):
    """R-precision, averaged over all orders in which the ties can stand."""
    n, values = sum(relevance), []
    for order in permutations(range(len(scores))):
        ordered = [scores[i] for i in order]
        if all(a >= b for a, b in pairwise(ordered)):
            values.append(Fraction(sum(relevance[i] for i in order[:n]), n))
    return sum(values, Fraction(0)) / len(values)
