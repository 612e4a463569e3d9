"""Set measures straight from their definitions: Python sets and plain loops, in fractions."""

from fractions import Fraction


def retrieved_and_relevant(ranking, judgments, rel=1, k=None):
    """The two sets."""
    retrieved = set(ranking[:k])
    relevant = {d for d, g in judgments.items() if g is not None and g >= rel}
    return retrieved, relevant


def precision(ranking, judgments, rel=1, k=None):
    """Relevant among the first k, over k (without a cut, over the number retrieved)."""
    retrieved, relevant = retrieved_and_relevant(ranking, judgments, rel, k)
    size = len(retrieved) if k is None else k
    return Fraction(len(retrieved & relevant), size) if size else Fraction(0)


def relative_precision(ranking, judgments, rel=1, k=None):
    """Relevant among the first k, over the most that a list of this size could have."""
    retrieved, relevant = retrieved_and_relevant(ranking, judgments, rel, k)
    most = min(len(retrieved) if k is None else k, len(relevant))
    return Fraction(len(retrieved & relevant), most) if most else Fraction(0)


def recall(ranking, judgments, rel=1, k=None):
    """Relevant among the first k, over all relevant."""
    retrieved, relevant = retrieved_and_relevant(ranking, judgments, rel, k)
    return Fraction(len(retrieved & relevant), len(relevant)) if relevant else Fraction(0)


def f_beta(ranking, judgments, beta, rel=1, k=None):
    """(beta^2 + 1) P R / (beta^2 P + R)."""
    P, R = precision(ranking, judgments, rel, k), recall(ranking, judgments, rel, k)
    if P == 0 and R == 0:
        return Fraction(0)
    return (beta**2 + 1) * P * R / (beta**2 * P + R)


def r_precision(ranking, judgments, rel=1):
    """Precision at the number of relevant documents."""
    _, relevant = retrieved_and_relevant(ranking, judgments, rel)
    if not relevant:
        return Fraction(0)
    return Fraction(sum(d in relevant for d in ranking[: len(relevant)]), len(relevant))


def cells(ranking, judgments, collection, rel=1, k=None):
    """TP, FP, FN and TN, one document of the collection at a time."""
    retrieved, relevant = retrieved_and_relevant(ranking, judgments, rel, k)
    documents = set(ranking) | set(judgments)
    documents |= {("other", i) for i in range(collection - len(documents))}
    TP = FP = FN = TN = 0
    for document in documents:
        if document in retrieved and document in relevant:
            TP += 1
        elif document in retrieved:
            FP += 1
        elif document in relevant:
            FN += 1
        else:
            TN += 1
    return TP, FP, FN, TN
