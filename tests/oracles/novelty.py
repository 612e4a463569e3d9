"""Novelty and intents in plain loops, from the definitions; shares nothing with the package.

`nuggets` maps each judged document to {nugget: grade}; all graders below count a nugget as held
from grade 1 on, unless they take grades. Where they take probabilities, a grade below 1 is one.
"""

import itertools
import math
from fractions import Fraction


def held(nuggets, document, above=None):
    """The nuggets that a document holds; above 0, those that it may hold."""
    grades = nuggets.get(document, {}).items()
    return {n for n, grade in grades if (grade >= 1 if above is None else grade > above)}


def log2_discount(rank):
    """1 over log2 of the rank plus 1."""
    return 1 / math.log2(rank + 1)


def probability(nuggets, document, nugget):
    """How likely a document holds a nugget, by the judgments alone."""
    return min(nuggets.get(document, {}).get(nugget, 0), 1)


def of_nugget(number, nugget):
    """The number of a nugget, where there may be one for all."""
    return number[nugget] if isinstance(number, dict) else number


def gains(ranking, nuggets, alpha, gamma=1):
    """Clarke et al. (2008), equation 7, before the judgments were taken as 0 or 1."""
    result = []
    for rank, document in enumerate(ranking):
        gain = 0
        for nugget in held(nuggets, document, 0):
            worth = of_nugget(gamma, nugget) * probability(nuggets, document, nugget)
            for above in ranking[:rank]:
                worth *= 1 - alpha * probability(nuggets, above, nugget)
            gain += worth
        result.append(gain)
    return result


def alpha_dcg(ranking, nuggets, alpha, k, discount=log2_discount, gamma=1):
    """The gains down to rank k, discounted and added up."""
    total = 0
    for rank, gain in enumerate(gains(ranking, nuggets, alpha, gamma)[:k], 1):
        total += gain * discount(rank)
    return total


def greedy_ideal(nuggets, alpha, *, last=False, gamma=1):
    """At each rank the document of highest gain; of several the first (or last) id."""
    left = sorted(nuggets, reverse=last)
    chosen = []
    while left:
        best, best_gain = None, -1
        for document in left:
            gain = gains([*chosen, document], nuggets, alpha, gamma)[-1]
            if gain > best_gain:
                best, best_gain = document, gain
        chosen.append(best)
        left.remove(best)
    return chosen


def best_alpha_dcg(nuggets, alpha, k, discount=log2_discount, gamma=1):
    """The highest alpha-DCG of any order of the judged documents."""
    orders = itertools.permutations(nuggets, min(k, len(nuggets)))
    return max(alpha_dcg(order, nuggets, alpha, k, discount, gamma) for order in orders)


def all_nuggets(nuggets):
    """The nuggets that some judged document holds, or may hold."""
    return sorted(set().union(*(held(nuggets, d, 0) for d in nuggets)))


def perfect(nuggets, alpha, k, discount):
    """The alpha-DCG of a ranking whose every document holds every nugget."""
    n = len(all_nuggets(nuggets))
    return sum(n * (1 - alpha) ** (rank - 1) * discount(rank) for rank in range(1, k + 1))


def relevance_probability(ranking, nuggets, alpha, gamma):
    """Clarke et al. (2008): the chance that the last document holds a nugget still wanted."""
    *before, last = ranking
    miss = 1
    for nugget in held(nuggets, last, 0):
        right, wanted = of_nugget(alpha, nugget), of_nugget(gamma, nugget)
        for document in before:
            wanted *= 1 - right * probability(nuggets, document, nugget)
        miss *= 1 - wanted * right * probability(nuggets, last, nugget)
    return 1 - miss


def err(grades, max_grade, k):
    """Chapelle et al. (2009): expected 1/rank of the document that satisfies."""
    total, reach = Fraction(0), Fraction(1)
    for rank, grade in enumerate(grades[:k], 1):
        stop = Fraction(2**grade - 1, 2**max_grade)
        total += reach * stop / rank
        reach *= 1 - stop
    return total


def grades_for(ranking, nuggets, intent):
    """The grades of a ranking for one intent."""
    return [nuggets.get(document, {}).get(intent, 0) for document in ranking]


def err_ia(ranking, nuggets, intents, max_grade, k):
    """The mean ERR by the intents' probabilities."""
    return sum(p * err(grades_for(ranking, nuggets, t), max_grade, k) for t, p in intents.items())


def ndcg(grades, pool, k):
    """The nDCG with linear gain; 0 where nothing is relevant."""
    ideal = sorted(pool, reverse=True)
    best = sum(g * log2_discount(i) for i, g in enumerate(ideal[:k], 1))
    return sum(g * log2_discount(i) for i, g in enumerate(grades[:k], 1)) / best if best else 0


def ndcg_ia(ranking, nuggets, intents, k):
    """The mean nDCG by the intents' probabilities."""
    total = 0
    for t, p in intents.items():
        total += p * ndcg(grades_for(ranking, nuggets, t), grades_for(nuggets, nuggets, t), k)
    return total


def nrbp(ranking, nuggets, alpha, beta):
    """Clarke et al. (2009), with even intents."""
    total = 0
    for i, gain in enumerate(gains(ranking, nuggets, alpha)):
        total += gain * beta**i
    n = len(all_nuggets(nuggets))
    return total * (1 - (1 - alpha) * beta) / n if n else 0


def subtopic_recall(ranking, nuggets, k):
    """Zhai et al. (2003): the share of subtopics covered."""
    n = len(all_nuggets(nuggets))
    covered = set().union(*(held(nuggets, d) for d in ranking[:k]))
    return Fraction(len(covered), n) if n else 0


def d_sharp_ndcg(ranking, nuggets, intents, gamma, k):
    """Sakai & Song (2011)."""

    def worth(document):
        return sum(p * nuggets.get(document, {}).get(t, 0) for t, p in intents.items())

    covered = {t for d in ranking[:k] for t in held(nuggets, d)}
    known = [t for t, p in intents.items() if p > 0]
    quality = ndcg([worth(d) for d in ranking], [worth(d) for d in nuggets], k)
    return gamma * len(covered & set(known)) / len(known) + (1 - gamma) * quality


def minimum_vertex_covers(edges):
    """All vertex covers of least size, by going through all sets of vertices."""
    vertices = sorted({v for edge in edges for v in edge}, key=str)
    for size in range(1, len(vertices) + 1):
        covers = [
            set(c)
            for c in itertools.combinations(vertices, size)
            if all(a in c or b in c for a, b in edges)
        ]
        if covers:
            return covers
    return []
