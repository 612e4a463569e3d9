# %% [markdown]
# # Exercise 4. DCG and nDCG, in each convention
#
# You write DCG and nDCG, then the variants on which libraries differ. Work from top to bottom;
# after each question, `check` says whether it is right, and where to look if it is not.
#
# **Needs.** Notebook 4. **Time.** 40 minutes. **Marks.** 11. **Bonus.** 5.

# %% tags=["spec"]
from irmetrics_edu.classroom.exercises.spec import ByHand, Criterion, Exercise, Question, Wrong


def some_grades(rng, length=(5, 8)):
    """Grades from 0 to 3 of a ranking, and a cut-off within it."""
    grades = [rng.choice([0, 0, 1, 2, 3]) for _ in range(rng.randint(*length))]
    return {"grades": grades, "k": rng.randint(3, len(grades) - 1)}


def only_grades(rng):
    """Grades without a cut-off."""
    return {"grades": some_grades(rng)["grades"]}


def judged_ranking(rng):
    """A ranking, the grades of what was judged (some of it not retrieved), and a cut-off."""
    documents = [f"d{i}" for i in range(1, 10)]
    rng.shuffle(documents)
    judgments = {d: rng.choice([0, 1, 2, 3]) for d in sorted(documents[:7])}
    ranking = rng.sample(documents, 6)
    return {"ranking": ranking, "judgments": judgments, "k": rng.choice([3, 4])}


def grades_to_swap(rng):
    """Grades, and two ranks of different grades, the upper one first."""
    grades = [rng.choice([0, 1, 2, 3]) for _ in range(6)] + [rng.choice([4, 5])]
    rng.shuffle(grades)
    i, j = sorted(rng.sample(range(1, 8), 2))
    if grades[i - 1] == grades[j - 1]:
        grades[j - 1] += 1
    return {"grades": grades, "i": i, "j": j}


def grades_and_base(rng):
    """Grades, and the base of the logarithm."""
    return {**only_grades(rng), "b": rng.choice([3, 4])}


OF_GRADES = "Here the gain is the grade itself."


def other_gains(call):
    """The mistakes of a question whose gain is the grade: a power of it instead."""
    return [
        Wrong(
            label,
            f"the gain {gain} in place of the grade",
            call.replace("grades", f"[{power} for g in grades]").replace(
                "judgments", f"{{d: {power} for d, g in judgments.items()}}"
            ),
            OF_GRADES,
        )
        for label, gain, power in (
            ("gain-of-powers", "2^grade - 1", "2**g - 1"),
            ("gain-of-whole-powers", "2^grade", "2**g"),
        )
    ]


POWERS = "{d: 2**g for d, g in judgments.items()}"
OF_ALL = (
    f"dcg([2 ** judgments.get(d, 0) for d in ranking], k=k)"
    f" / dcg(sorted({POWERS}.values(), reverse=True), k=k)"
)
MINUS_1 = "The gain is 2^grade - 1: first the power, then the -1. So a document of grade 0 gains 0."
SWAPPED = "[grades[{i: j, j: i}.get(r, r) - 1] for r in range(1, len(grades) + 1)]"

spec = Exercise(
    "04",
    "DCG and nDCG, in each convention",
    [
        Question(
            "contributions",
            'dcg.working(grades)["discounted gain"]',
            only_grades,
            kind="value",
            title="the discounted gains by hand",
            asks="What is the discounted gain of each rank, if the gain is the grade and the "
            "discount is 1/log2(i+1)?",
            marks=1,
            partly=True,
            column="discounted gain",
            mistakes=[
                "log-of-rank",
                "ranks-from-0",
                "log-of-rank-plus-2",
                "natural-logarithm",
                "logarithm-to-base-10",
                "discount-by-the-root",
                "ranking-reversed",
            ],
            wrongs=other_gains('dcg.working(grades)["discounted gain"]'),
            hints=[
                "One number for each rank: the grade there, times the discount of the rank.",
                "The discount of rank 1 is 1/log2(2), of rank 2 it is 1/log2(3).",
            ],
            tolerance=0.0006,
        ),
        Question(
            "dcg",
            "dcg(grades, k=k)",
            some_grades,
            title="DCG",
            asks="What is DCG@k of the grades, with the grade as gain and the discount "
            "1/log2(i+1)?",
            edges=[
                {"grades": [3, 1], "k": 5},
                {"grades": [0, 0, 0], "k": 2},
                {"grades": [2, 0, 1], "k": None},
            ],
            prefix="grades",
            column="discounted gain",
            mistakes=[
                "log-of-rank-unguarded",
                "log-of-rank",
                "ranks-from-0",
                "log-of-rank-plus-2",
                "natural-logarithm",
                "logarithm-to-base-10",
                "discount-by-the-root",
                "ranking-reversed",
                "first-document-dropped",
                "cut-off-one-too-low",
                "cut-off-one-too-high",
            ],
            wrongs=[
                *other_gains("dcg(grades, k=k)"),
                Wrong(
                    "no-discount",
                    "CG, a sum without a discount",
                    "cg(grades, k=k)",
                    "Each gain is multiplied by the discount of its rank.",
                ),
                Wrong(
                    "cut-ignored",
                    "DCG over the whole list",
                    "dcg(grades)",
                    "Only the first k documents count; k=None means all.",
                ),
            ],
            hints=[
                "Loop over the grades with their ranks: enumerate(grades, start=1).",
                "Cut first: grades[:k] is the whole list if k is None.",
                "The discount is 1 / math.log2(rank + 1).",
            ],
        ),
        Question(
            "ndcg",
            "ndcg(ranking, judgments, k=k)",
            judged_ranking,
            title="nDCG",
            asks="What is nDCG@k of the ranking, with the grade as gain and the discount "
            "1/log2(i+1)? The ideal ranking has all judged documents, the best grades "
            "first, and is cut at k, too.",
            marks=3,
            edges=[
                {"ranking": ["d1", "d2"], "judgments": {"d1": 0}, "k": 2},
                {"ranking": ["d9"], "judgments": {"d1": 2, "d2": 1}, "k": 1},
                {"ranking": ["d2", "d1"], "judgments": {"d1": 2, "d2": 1, "d3": 3}, "k": 10},
            ],
            prefix="ranking",
            column="DCG or in the ideal",
            mistakes=[
                "ideal-of-the-retrieved",
                "ideal-cut-too-early",
                "ideal-never-cut",
                "ideal-of-ones",
                "sorted-ascending",
                "sorted-before-the-cut",
                "log-of-rank",
                "ranks-from-0",
                "log-of-rank-plus-2",
                "discount-by-the-root",
                "ideal-in-the-order-of-the-judgments",
                "exponential-gain-over-a-linear-ideal",
                "dcg-not-divided",
                "ranking-reversed",
                "first-document-dropped",
                "cut-off-one-too-high",
            ],
            wrongs=[
                *other_gains("ndcg(ranking, judgments, k=k)"),
                Wrong(
                    "gain-of-powers-of-the-unjudged",
                    "the gain 2^grade in place of the grade, also for documents that nobody judged",
                    OF_ALL,
                    OF_GRADES,
                ),
            ],
            hints=[
                "First the grades of the ranking: a document that nobody judged gains nothing.",
                "The ideal ranking is made of all judged documents, retrieved or not.",
                "Both the ranking and the ideal are cut at k. An ideal of 0 gives nDCG 0.",
            ],
        ),
        Question(
            "exp_ndcg",
            "score(ranking, judgments, k=k)",
            judged_ranking,
            names={"score": "nDCG(gain=exp)"},
            title="nDCG with the gain 2^grade - 1",
            asks="What is nDCG@k of the ranking, with the gain 2^grade - 1 and the discount "
            "1/log2(i+1)? The ideal ranking has all judged documents, the best grades "
            "first, and is cut at k, too.",
            marks=2,
            prefix="ranking",
            column="gain",
            mistakes=[
                "ideal-of-the-retrieved",
                "ideal-never-cut",
                "log-of-rank",
                "ranks-from-0",
                "log-of-rank-plus-2",
                "discount-by-the-root",
                "ideal-cut-too-early",
                "ideal-of-ones",
                "sorted-ascending",
                "sorted-before-the-cut",
                "ideal-in-the-order-of-the-judgments",
                "dcg-not-divided",
                "ranking-reversed",
                "first-document-dropped",
                "cut-off-one-too-low",
                "cut-off-one-too-high",
            ],
            wrongs=[
                Wrong(
                    "power-without-minus-1",
                    "a gain of 2^grade without the -1, or of 2^(grade - 1), which is half of it",
                    f"ndcg(ranking, {POWERS}, k=k)",
                    MINUS_1,
                ),
                Wrong(
                    "power-of-the-unjudged",
                    "a gain of 2^grade without the -1, or of 2^(grade - 1), also for documents "
                    "that nobody judged",
                    OF_ALL,
                    MINUS_1,
                ),
                Wrong(
                    "gain-linear",
                    "nDCG with the grade itself as gain",
                    "ndcg(ranking, judgments, k=k)",
                    "The gain is 2^grade - 1: grade 3 is worth 7, not 3.",
                ),
                Wrong(
                    "gain-in-the-ranking-only",
                    "a ranking with the gain 2^grade - 1 over an ideal with the grade as gain",
                    'dcg(ranking, judgments, k=k, gain="exp") / ndcg.working(ranking, judgments,'
                    ' k=k)["IDCG"].value',
                    "The ideal is a ranking too: it has the same gain.",
                ),
            ],
            hints=[
                "Only the gain changes: 2**grade - 1 in place of the grade.",
                "It changes in the ranking and in the ideal.",
            ],
        ),
        Question(
            "jk_dcg",
            "dcg(grades, discount='jk(' + str(b) + ')')",
            grades_and_base,
            title="Järvelin and Kekäläinen's discount",
            asks="What is DCG of the grades with the discount of Järvelin and Kekäläinen to the "
            "base b? The gain is the grade.",
            marks=2,
            prefix="grades",
            column="discount",
            mistakes=[
                "ranking-reversed",
                "first-document-dropped",
            ],
            wrongs=[
                *other_gains("dcg(grades, discount='jk(' + str(b) + ')')"),
                Wrong(
                    "log-of-rank-plus-1",
                    "the discount 1/log2(i+1), whatever b is",
                    "dcg(grades)",
                    "Here rank i from b on is divided by the logarithm of i to "
                    "base b, and the ranks before b by nothing.",
                ),
                Wrong(
                    "base-2",
                    "the base 2, whatever b is",
                    "dcg(grades, discount='jk')",
                    "b is the base of the logarithm: a patient reader has a large one.",
                ),
            ],
            hints=[
                "Ranks below b are not discounted at all.",
                "math.log(rank, b) is the logarithm to base b; at rank b it is 1.",
            ],
            bonus=True,
        ),
        Question(
            "four",
            "[ndcg(ranking, judgments, k=k), ndcg(ranking, judgments, k=k, gain='exp'), "
            "ndcg(ranking, judgments, k=k, discount='jk'), "
            "ndcg(ranking, judgments, k=k, gain='exp', discount='jk')]",
            judged_ranking,
            kind="value",
            title="which nDCG is this?",
            asks="Four libraries report four numbers for this ranking, all called nDCG@k. All "
            "have the same ideal ranking: all judged documents, the best grades first, cut "
            "at k.",
            parts=[
                "nDCG@k with linear gain and the discount 1/log2(i+1)",
                "nDCG@k with the gain 2^grade - 1 and the discount 1/log2(i+1)",
                "nDCG@k with linear gain and Järvelin and Kekäläinen's discount (base 2)",
                "nDCG@k with the gain 2^grade - 1 and Järvelin and Kekäläinen's discount (base 2)",
            ],
            marks=2,
            line="convention",
            mistakes=[
                "log-of-rank",
                "ranks-from-0",
                "log-of-rank-plus-2",
                "discount-by-the-root",
                "ideal-cut-too-early",
                "ideal-never-cut",
                "ideal-of-ones",
                "sorted-ascending",
                "sorted-before-the-cut",
                "ideal-in-the-order-of-the-judgments",
                "dcg-not-divided",
                "ranking-reversed",
                "first-document-dropped",
                "cut-off-one-too-low",
                "cut-off-one-too-high",
            ],
            wrongs=[
                Wrong(
                    "ideal-of-the-retrieved",
                    "an ideal made of the retrieved documents only",
                    "[ndcg(ranking, judgments, k=k, ideal='retrieved', **c) for c in ({}, "
                    "{'gain': 'exp'}, {'discount': 'jk'}, {'gain': 'exp', 'discount': 'jk'})]",
                    "The ideal is made of all judged documents: what was missed counts against "
                    "the ranking.",
                ),
            ],
            hints=[
                "Write one function with the gain and the discount as arguments.",
                "With b = 2, ranks 1 and 2 both count in full.",
            ],
            tolerance=0.0006,
            bonus=True,
        ),
        Question(
            "swap",
            f"dcg({SWAPPED}) - dcg(grades)",
            grades_to_swap,
            title="what one swap is worth",
            asks="The documents at the ranks i and j change places. By how much does DCG change? "
            "The gain is the grade, the discount 1/log2(i+1), and a loss is negative.",
            marks=1,
            bonus=True,
            jointly=True,
            tries=8,
            edges=[
                {"grades": [2, 2], "i": 1, "j": 2},
                {"grades": [0, 0, 3], "i": 1, "j": 3},
            ],
            mistakes=[
                "log-of-rank",
                "log-of-rank-unguarded",
                "log-of-rank-plus-2",
                "ranks-from-0",
                "natural-logarithm",
                "logarithm-to-base-10",
                "discount-by-the-root",
                "ranking-reversed",
            ],
            wrongs=[
                *other_gains(f"dcg({SWAPPED}) - dcg(grades)")[:1],
                Wrong(
                    "before-minus-after",
                    "the DCG before the swap minus the DCG after it",
                    f"dcg(grades) - dcg({SWAPPED})",
                    "A change is what is there afterwards minus what was there before.",
                ),
                Wrong(
                    "size-only",
                    "the size of the change, without its sign",
                    f"abs(dcg({SWAPPED}) - dcg(grades))",
                    "A swap that puts the worse document first lowers DCG: the change is negative.",
                ),
                Wrong(
                    "after-only",
                    "the DCG after the swap",
                    f"dcg({SWAPPED})",
                    "The question is by how much DCG changes, not what it becomes.",
                ),
            ],
            hints=[
                "All other ranks keep their grades and their discounts.",
                "The ranks i and j exchange their grades; each keeps its discount.",
            ],
        ),
    ],
    [
        ByHand(
            "which_graded",
            "Which graded measure",
            [
                Criterion(
                    "recipes",
                    1,
                    "nDCG (or DCG, RBP) at 10, because the reader compares several and each good "
                    "one adds. Half a point without the reason. No point for ERR or RR.",
                ),
                Criterion(
                    "help line",
                    1,
                    "ERR, or RR, because the reader stops at the first full answer. Half a point "
                    "without the reason.",
                ),
                Criterion(
                    "conventions",
                    1,
                    "At least two of gain, discount, cut-off of the ideal, unjudged documents, "
                    "and an example of what one of them changes. Half a point for a list alone.",
                ),
            ],
        ),
    ],
)

# %% tags=["setup"]
import math

from irmetrics_edu.classroom.exercises import begin, check, hint

# %% [markdown]
# ## 1. By hand
#
# A ranking has these grades. Write down the **discounted gain** of each rank, to three decimals,
# with the discount $1/\log_2(i+1)$. A pocket calculator is enough, and so is `math.log2`.

# %%
grades = spec.given("contributions")

# %% tags=["contributions"]
### BEGIN SOLUTION
contributions = [round(g / math.log2(i + 1), 3) for i, g in enumerate(grades, start=1)]
### END SOLUTION

# %% tags=["check"]
check("contributions", contributions)

# %% [markdown]
# ## 2. DCG
#
# $$\mathrm{DCG}@k = \sum_{i=1}^{k} \frac{g_i}{\log_2(i+1)}$$
#
# `k=None` means the whole list; a list shorter than $k$ is no error.


# %% tags=["dcg"]
def dcg(grades, k=None):
    """The DCG of a list of grades, best rank first, cut at k."""
    ### BEGIN SOLUTION
    return sum(g / math.log2(i + 1) for i, g in enumerate(grades[:k], start=1))
    ### END SOLUTION


# %% tags=["check"]
check("dcg", dcg)

# %% [markdown]
# Stuck? `hint("dcg")` goes one step further each time it is called.
#
# ## 3. nDCG
#
# Now with documents: `ranking` is a list of ids, `judgments` maps each judged id to its grade. A
# document that nobody judged gains nothing. The ideal ranking is the best one that could be made
# of the judged documents; where it is worth nothing, nDCG is 0.
#
# $$\mathrm{nDCG}@k = \frac{\mathrm{DCG}@k}{\mathrm{IDCG}@k}$$


# %% tags=["ndcg"]
def ndcg(ranking, judgments, k=None):
    """The nDCG of a ranking of documents, cut at k."""
    ### BEGIN SOLUTION
    best = dcg(sorted(judgments.values(), reverse=True), k)
    return dcg([judgments.get(d, 0) for d in ranking], k) / best if best else 0.0
    ### END SOLUTION


# %% tags=["check"]
check("ndcg", ndcg)

# %% [markdown]
# ## 4. Another gain
#
# Burges et al. (2005) take $2^{g}-1$ as the gain of grade $g$, so that one excellent document is
# worth more than two good ones.


# %% tags=["exp_ndcg"]
def exp_ndcg(ranking, judgments, k=None):
    """The nDCG whose gain is 2^grade - 1, cut at k."""
    ### BEGIN SOLUTION
    return ndcg(ranking, {d: 2**g - 1 for d, g in judgments.items()}, k)
    ### END SOLUTION


# %% tags=["check"]
check("exp_ndcg", exp_ndcg)

# %% [markdown]
# ## 5. Which graded measure, and what must be said?
#
# Your teacher marks this answer.
#
# - **Recipes.** Grades go from 0 to 3. Readers look at many of the ten recipes of a page and
#   compare.
# - **Help line.** Grades go from 0 to 3, too. A nurse reads from the top, and stops when she has
#   the dose.
#
# 1. Choose a graded measure for each task. Give the reason from what the user does.
# 2. Two papers report nDCG@10 of the same run: 0.71 and 0.64. Name two choices that can explain
#    this, and say for one of them in which direction it moves which kind of ranking.

# %% [markdown] tags=["which_graded"]
# **Two measures with their reasons, and two choices behind nDCG:**
#
# ### BEGIN SOLUTION
#
# **Recipes: nDCG@10.** Each good recipe on the page helps, and a better one helps more. The
# discount says that people look less at lower ranks.
#
# **Help line: ERR.** The nurse stops at a full answer. What stands below it hardly counts. ERR
# lets a high grade end the search.
#
# **Two choices:** the gain (the grade, or 2 to the grade less 1) and the discount (log2 of the
# rank plus 1, or another). With the gain $2^g-1$ a document of grade 3 counts 7 times one of grade
# 1, not 3 times. So a ranking with a grade 3 far down loses more.
#
# ### END SOLUTION

# %% [markdown]
# ## For those who want more
#
# These questions are extra. They are not in the time and not in the total above. Right answers earn
# marks beyond the total.

# %% [markdown]
# ### 6. Another discount
#
# Järvelin and Kekäläinen (2002) divide the gain at rank $i$ by $\log_b i$ from rank $b$ on, and
# leave the ranks before $b$ as they are: the larger $b$, the more patient the reader.


# %% tags=["jk_dcg"]
def jk_dcg(grades, b):
    """The DCG with Järvelin and Kekäläinen's discount to base b."""
    ### BEGIN SOLUTION
    return sum(g / max(1, math.log(i, b)) for i, g in enumerate(grades, start=1))
    ### END SOLUTION


# %% tags=["check"]
check("jk_dcg", jk_dcg)

# %% [markdown]
# ### 7. Which nDCG is this?
#
# Four libraries report four numbers for the ranking below, all called nDCG@k. Give them, to three
# decimals, in this order: linear gain and $1/\log_2(i+1)$; gain $2^g-1$ and $1/\log_2(i+1)$;
# linear gain and Järvelin and Kekäläinen's discount with $b=2$; gain $2^g-1$ and that discount.

# %%
ranking, judgments, k = spec.given("four")


# %% tags=["four"]
### BEGIN SOLUTION
def jk_ndcg(judgments):
    """The nDCG with Järvelin and Kekäläinen's discount to base 2."""
    found = [judgments.get(d, 0) for d in ranking]
    ideal = sorted(judgments.values(), reverse=True)
    return jk_dcg(found[:k], 2) / jk_dcg(ideal[:k], 2)


powers = {d: 2**g - 1 for d, g in judgments.items()}
four = [ndcg(ranking, judgments, k), exp_ndcg(ranking, judgments, k)]
four += [jk_ndcg(judgments), jk_ndcg(powers)]
### END SOLUTION

# %% tags=["check"]
check("four", four)

# %% [markdown]
# ### 8. What one swap is worth
#
# Two documents of a ranking change places: the one at rank $i$ and the one at rank $j$. By how much
# does DCG change? A swap for the worse is a negative number. LambdaMART (chapter 19) asks this
# for every pair of documents, so it must not compute DCG anew each time: two ranks are enough.


# %% tags=["swap"]
def swap(grades, i, j):
    """The change of DCG when the documents at ranks i and j change places."""
    ### BEGIN SOLUTION
    return (grades[j - 1] - grades[i - 1]) * (1 / math.log2(i + 1) - 1 / math.log2(j + 1))
    ### END SOLUTION


# %% tags=["check"]
check("swap", swap)
