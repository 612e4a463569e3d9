"""Average precision and its relatives in plain loops, in fractions."""

from fractions import Fraction


def precisions(relevance):
    """Precision at every rank of a list of zeros and ones."""
    return [Fraction(sum(relevance[:i]), i) for i in range(1, len(relevance) + 1)]


def average_precision(relevance, n_relevant, k=None, divisor="relevant"):
    """Precision at the ranks of relevant documents, over what the divisor names."""
    top = relevance[:k]
    gathered = sum((p for p, r in zip(precisions(top), top, strict=True) if r), Fraction(0))
    over = {
        "relevant": n_relevant,
        "reachable": n_relevant if k is None else min(k, n_relevant),
        "hits": sum(top),
    }[divisor]
    return gathered / over if over else Fraction(0)


def at_recall(relevance, n_relevant, level, interpolation="standard"):
    """Precision at a level of recall: the best from there on, or the one where it is reached."""
    if not n_relevant:
        return Fraction(0)
    reaching = [
        p
        for i, p in enumerate(precisions(relevance), 1)
        if Fraction(sum(relevance[:i]), n_relevant) >= level
    ]
    if not reaching:
        return Fraction(0)
    return max(reaching) if interpolation == "standard" else reaching[0]


def interpolated(relevance, n_relevant, points=11, interpolation="standard"):
    """The mean over equally spaced levels."""
    levels = [Fraction(j, points - 1) for j in range(points)]
    values = [at_recall(relevance, n_relevant, level, interpolation) for level in levels]
    return sum(values, Fraction(0)) / points


def of_trec_eval(relevance, n_relevant, level):
    """The standard rule, with the documents needed counted as trec_eval counts them."""
    needed = int(level * n_relevant + 0.9)
    reaching = [p for i, p in enumerate(precisions(relevance), 1) if sum(relevance[:i]) >= needed]
    return max(reaching, default=Fraction(0)) if n_relevant else Fraction(0)
