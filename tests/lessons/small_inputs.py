"""Sentences of chapters 1 to 20 without an exception, tried on every small input."""

from collections.abc import Iterator, Sequence
from itertools import pairwise, permutations, product
from math import ceil, isclose
from statistics import mean

import numpy as np

from irmetrics_edu import (
    alpha_ndcg,
    average_precision,
    bpref,
    category_coverage,
    dcc,
    dilad,
    evaluate,
    ilad,
    interpolated_precision,
    ndcg,
    pr_curve,
    precision,
    rbp,
    recall,
    reciprocal_rank,
    roc_curve,
)
from irmetrics_edu.judging import build_run, judge_by_text
from irmetrics_edu.lab import dpp
from irmetrics_edu.runs import holm
from tests.lessons.claims import Claim, Rule
from tests.lessons.measures import one, pooled, rankings, small_worlds

NEAR = 1e-12


def graded_rankings() -> Iterator[list[int]]:
    """Up to five documents with the grades 0, 1 and 3."""
    for length in range(1, 6):
        for ranking in product((0, 1, 3), repeat=length):
            yield list(ranking)


def rbp_is_at_most_1(ranking: list[int]) -> bool:
    """For impatient and for patient readers."""
    return all(rbp(ranking, p=p) <= 1 + NEAR for p in (0.2, 0.5, 0.9))


def two_of_one_grade() -> Iterator[list[int]]:
    """Two documents of a grade, and up to ten that are not relevant."""
    for grade in (1, 2, 3):
        for others in range(11):
            yield [grade, grade] + [0] * others


def rankings_and_cuts() -> Iterator[tuple[list[int], int]]:
    """A ranking of up to seven documents, and a rank of it."""
    for ranking in rankings():
        for n in range(1, len(ranking) + 1):
            yield ranking, n


def stays_below_both_bounds(given: tuple[list[int], int]) -> bool:
    """P@N and recall@N, with R the relevant documents of the ranking."""
    ranking, n = given
    number = sum(ranking)
    most = min(n, number)
    below_first = precision(ranking, k=n) <= most / n + NEAR
    return below_first and recall(ranking, k=n) <= most / number + NEAR


def interpolated_never_rises(ranking: list[int]) -> bool:
    """Over the eleven levels of recall."""
    levels = [interpolated_precision(ranking, recall=tenth / 10) for tenth in range(11)]
    return all(later <= earlier + NEAR for earlier, later in pairwise(levels))


def grades_and_tied_scores() -> Iterator[tuple[list[int], list[float]]]:
    """Up to five documents with three scores, so that some of them tie."""
    for length in range(2, 6):
        for grades in product((0, 1), repeat=length):
            if 0 < sum(grades) < length:
                for scores in product((0.1, 0.5, 0.9), repeat=length):
                    yield list(grades), list(scores)


def shares_never_fall(given: tuple[list[int], list[float]]) -> bool:
    """Recall and fall-out from one threshold to the next lower one."""
    curve = roc_curve(*given)
    return all((np.diff(curve[name]) >= -NEAR).all() for name in ("true positive rate", "fall-out"))


def precision_falls_between(given: tuple[list[int], list[float]]) -> bool:
    """With copies of what is not relevant each precision falls, except 1 and 0."""
    grades, scores = given
    copies = [1 if grade else 3 for grade in grades]
    before = np.array(pr_curve(grades, scores)["precision"])
    after = np.array(
        pr_curve(np.repeat(grades, copies).tolist(), np.repeat(scores, copies).tolist())[
            "precision"
        ]
    )
    kept = (before == 1) | (before == 0)
    return bool((after[kept] == before[kept]).all() and (after[~kept] < before[~kept]).all())


def places() -> Iterator[tuple[int, ...]]:
    """The rank of the first relevant document of up to three queries."""
    for length in (1, 2, 3):
        yield from product((1, 2, 3, 5), repeat=length)


def mrr_is_harmonic(ranks: tuple[int, ...]) -> bool:
    """1/MRR is the number of queries over the sum of 1/rank."""
    mrr = mean(reciprocal_rank([0] * (rank - 1) + [1]) for rank in ranks)
    return isclose(1 / mrr, len(ranks) / sum(1 / rank for rank in ranks))


def partly_judged() -> Iterator[list[int | None]]:
    """Rankings of up to six documents: relevant, not relevant, not judged."""
    for length in range(1, 7):
        for grades in product((0, 1, None), repeat=length):
            if 1 in grades:
                yield list(grades)


def condensed_is_no_lower(grades: list[int | None]) -> bool:
    """AP without the unjudged documents beside AP with these as 0."""
    condensed = [grade for grade in grades if grade is not None]
    return average_precision(condensed) >= average_precision([g or 0 for g in grades]) - NEAR


def outsiders_on_both_sides(_: None) -> bool:
    """Beside a contributor an outsider looks worse than it is in some worlds, not in all."""
    signs = set()
    for relevant, runs, depth, _ in small_worlds():
        known = pooled(relevant, runs[:1], depth)
        truth = dict.fromkeys(relevant, 1)
        if any(known.values()):
            contributed, other = runs
            by_pool = average_precision(other, known) - average_precision(contributed, known)
            true = average_precision(other, truth) - average_precision(contributed, truth)
            signs.add(int(np.sign(round(by_pool - true, 9))))
    return {-1, 1} <= signs


def bpref_ends_at_0(numbers: tuple[int, int]) -> bool:
    """With all others first."""
    relevant, others = numbers
    return isclose(bpref([0] * others + [1] * relevant), 0, abs_tol=NEAR)


def topics_of_one() -> Iterator[tuple[float, tuple[int, ...]]]:
    """An alpha, and the numbers of documents of up to three topics."""
    for alpha in (0.25, 0.5, 0.75):
        for topics in (1, 2, 3):
            for numbers in product((1, 2, 3), repeat=topics):
                yield alpha, numbers


def is_right_only_if_one_repeats(given: tuple[float, tuple[int, ...]]) -> bool:
    """The ideal gains where each document has one topic, beside the printed formula."""
    alpha, numbers = given
    gains = [(1 - alpha) ** j for number in numbers for j in range(number)]
    printed = [(1 - alpha) ** max(0, k - len(numbers)) for k in range(1, sum(numbers) + 1)]
    repeated = sum(number > 1 for number in numbers)
    return np.allclose(sorted(gains, reverse=True), printed) == (repeated <= 1)


def nuggets_of_three() -> Iterator[tuple[dict[str, set[str]], float]]:
    """Which of three nuggets each of three documents holds, and an alpha."""
    held: list[set[str]] = [set(), {"x"}, {"x", "y"}, {"y", "z"}, {"x", "y", "z"}]
    for sets in product(held, repeat=3):
        if any(sets):
            for alpha in (0.5, 1.0):
                yield dict(zip("abc", sets, strict=True)), alpha


def exact_ideal_is_never_beaten(given: tuple[dict[str, set[str]], float]) -> bool:
    """By any order, at any depth."""
    nuggets, alpha = given
    for order in permutations("abc"):
        for k in (1, 2, 3):
            score = alpha_ndcg(list(order), nuggets, alpha=alpha, k=k, ideal="exact")
            if score > 1 + NEAR:
                return False
    return True


def vectors_of_two() -> Iterator[list[list[float]]]:
    """Three or four vectors of two coordinates."""
    known = [[1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [1.0, 2.0]]
    for size in (3, 4):
        for chosen in product(known, repeat=size):
            yield list(chosen)


def volume_ends(vectors: list[list[float]]) -> bool:
    """DPP ranks no more documents than the vectors have coordinates."""
    features = {f"d{i}": vector for i, vector in enumerate(vectors)}
    quality = {name: 1 - i / 10 for i, name in enumerate(features)}
    return len(list(dpp(quality, features))) <= 2


def passages_and_spans() -> Iterator[tuple[list[str], str, str]]:
    """Two passages of up to three words, an expected text, and a shorter part of it."""
    texts = [" ".join(words) for n in (1, 2, 3) for words in product("ab", repeat=n)]
    for passages in product(texts, repeat=2):
        for longer, shorter in (("a b", "a"), ("a b", "b"), ("a b a", "b a"), ("b b", "b")):
            yield list(passages), longer, shorter


def shorter_is_found_too(given: tuple[list[str], str, str]) -> bool:
    """Recall of the shorter text is no lower, within one passage and within two."""
    passages, longer, shorter = given
    answer = [{"id": i, "text": text} for i, text in enumerate(passages)]
    for k in (1, 2):
        recalls = []
        for expected in (longer, shorter):
            run, qrels, _ = judge_by_text(build_run(lambda _: answer, {"q": "x"}), {"q": expected})
            recalls.append(evaluate(run, qrels, f"recall@{k}").mean[f"recall@{k}"])
        if recalls[1] < recalls[0]:
            return False
    return True


CATEGORIES: list[set[str]] = [{"x"}, {"y"}, {"x", "y"}, {"z"}]


def bought_lists() -> Iterator[tuple[dict[str, set[str]], set[str]]]:
    """The categories of a list of three items, and which of them were bought."""
    for chosen in product(CATEGORIES, repeat=3):
        for bought in ({"a"}, {"a", "b"}, {"a", "b", "c"}):
            yield dict(zip("abc", chosen, strict=True)), bought


def is_cc_unless_shared(given: tuple[dict[str, set[str]], set[str]]) -> bool:
    """DCC with alpha = 1, beside CC; and DILAD with beta = 1 beside ILAD."""
    of, bought = given
    hits = set().union(*(of[item] for item in bought))
    misses = set().union(*(of[item] for item in set(of) - bought))
    items = list(of)
    alike = isclose(dcc(items, bought, of, alpha=1), category_coverage(items, of))
    vectors = {item: [float("x" in c), float("y" in c), 1.0] for item, c in of.items()}
    same = isclose(dilad(items, bought, vectors, beta=1), ilad(items, vectors), abs_tol=1e-9)
    return same and alike == (not hits & misses)


def tenths() -> Iterator[tuple[float, float]]:
    """The shares of documents that two assessors call relevant."""
    return product([i / 10 for i in range(11)], repeat=2)


def half_needs_one_half(shares: tuple[float, float]) -> bool:
    """Chance agreement is 1/2 if one of the two shares is, and in no other case."""
    first, second = shares
    chance = first * second + (1 - first) * (1 - second)
    return isclose(chance, 0.5) == (0.5 in shares)


def two_lists_of_five() -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """The first three of five documents by two engines."""
    return product(permutations(range(5), 3), repeat=2)


def shared_documents_cancel(given: tuple[Sequence[int], Sequence[int]]) -> bool:
    """The difference of P@3 is the same whatever the grades of the documents of both are."""
    first, second = given
    both = set(first) & set(second)
    for grades in product((0, 1), repeat=5):
        without = [0 if d in both else grade for d, grade in enumerate(grades)]
        difference = sum(grades[d] for d in first) - sum(grades[d] for d in second)
        if difference != sum(without[d] for d in first) - sum(without[d] for d in second):
            return False
    return True


def few_p_values() -> Iterator[list[float]]:
    """Up to four p-values."""
    for length in range(1, 5):
        for values in product((0.001, 0.02, 0.3, 1.0), repeat=length):
            yield list(values)


def corrected_in_order(values: list[float]) -> bool:
    """Holm's values rise with the p-values, and are at most 1."""
    corrected = holm(values)
    in_order = [corrected[i] for i in np.argsort(values, kind="stable")]
    return max(corrected) <= 1 and in_order == sorted(in_order)


CLAIMS: list[Claim] = [
    Rule(
        "02",
        r"P@N is at most $\min(N,R)/N$, and recall@N is at most $\min(N,R)/R$.",
        "all rankings of up to seven documents, at each rank",
        rankings_and_cuts,
        stays_below_both_bounds,
    ),
    Rule(
        "02",
        "Interpolated precision never rises",
        "all rankings of up to seven documents",
        rankings,
        interpolated_never_rises,
    ),
    Rule(
        "03",
        "If you lower the threshold, recall and fall-out never fall.",
        "up to five documents with ties",
        grades_and_tied_scores,
        shares_never_fall,
    ),
    Rule(
        "03",
        "the ROC curve stays. The P-R curve falls, except where precision is 1 or 0.",
        "up to five documents with ties, each that is not relevant three times",
        grades_and_tied_scores,
        precision_falls_between,
    ),
    Rule(
        "04",
        "so that no ranking exceeds 1.",
        "all rankings of up to five documents, for three readers",
        graded_rankings,
        rbp_is_at_most_1,
    ),
    Rule(
        "04",
        "If a query has only two relevant documents, of one grade, and both stand at the top, "
        "nDCG@10 is 1, whatever follows:",
        "two documents of a grade from 1 to 3, and up to ten others",
        two_of_one_grade,
        lambda ranking: isclose(ndcg(ranking, k=10), 1),
    ),
    Rule(
        "10",
        "A DPP over vectors of 100 coordinates can rank at most 100 documents.",
        "three or four vectors of two coordinates: at most two",
        vectors_of_two,
        volume_ends,
    ),
    Rule(
        "15",
        "with only twenty, the nearest rank of the 99th percentile is simply the last one.",
        "1 to 99 waits",
        lambda: range(1, 100),
        lambda waits: ceil(99 * waits / 100) == waits,
    ),
    Rule(
        "20",
        "A shorter text is found wherever the longer one is, so recall can't fall.",
        "two passages of up to three words",
        passages_and_spans,
        shorter_is_found_too,
    ),
    Rule(
        "05",
        "1/MRR is always the harmonic mean.",
        "up to three queries with ranks up to 5",
        places,
        mrr_is_harmonic,
    ),
    Rule(
        "08",
        "AP of a condensed list is never lower than AP with unjudged as 0",
        "all rankings of up to six documents, each judged or not",
        partly_judged,
        condensed_is_no_lower,
    ),
    Rule(
        "08",
        "With unjudged documents as 0, other systems may come out too low beside those that "
        "contributed.",
        "all small worlds of four documents, together: too low in some, too high in others",
        one,
        outsiders_on_both_sides,
    ),
    Rule(
        "08",
        r"trec_eval uses $\min(N, R)$, so that the worst ranking has 0 also if $N$ is less than "
        "$R$.",
        "up to five documents of each kind",
        lambda: product(range(1, 6), repeat=2),
        bpref_ends_at_0,
    ),
    Rule(
        "09",
        r"With an $\alpha$ between 0 and 1 the formula is right only if at most one topic has "
        "more than one document.",
        "up to three topics with up to three documents, and three alphas",
        topics_of_one,
        is_right_only_if_one_repeats,
    ),
    Rule(
        "09",
        "The score is then at most 1.",
        "all orders of three documents with up to three nuggets, at each depth",
        nuggets_of_three,
        exact_ideal_is_never_beaten,
    ),
    Rule(
        "11",
        "ILAD always, and CC if no category appears among both the hits and the misses",
        "lists of three items of four kinds",
        bought_lists,
        is_cc_unless_shared,
    ),
    Rule(
        "16",
        "Chance is one half only if one of the two uses both grades equally often.",
        "all pairs of tenths",
        tenths,
        half_needs_one_half,
    ),
    Rule(
        "17",
        "need no judgment of a document that both show",
        "the first three of five documents by two engines, with all grades",
        two_lists_of_five,
        shared_documents_cancel,
    ),
    Rule(
        "07",
        "No corrected value may be above 1 or below the one before.",
        "up to four p-values",
        few_p_values,
        corrected_in_order,
    ),
]
