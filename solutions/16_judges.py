# %% [markdown]
# # Exercise 16. Judges: overlap, kappa, and who is harsh
#
# You compute the agreement of two assessors and find out who of several is harsh. Then you repair a
# guideline.
#
# **Needs.** Notebook 16. **Time.** 40 minutes. **Marks.** 10.

# %% tags=["spec"]
from irmetrics_edu.classroom.exercises.spec import ByHand, Criterion, Exercise, Question, Wrong

AGREEMENT = {"judges": "irmetrics_edu.judging:judges"}
BOTH = (
    "judges({'first': {'q': {str(i): first[i] for i in range(len(first))}}, "
    "'second': {'q': {str(i): second[i] for i in range(len(second))}}})"
)
RAW = "sum([a == b for a, b in zip(first, second)]) / len(first)"
KAPPA = f"float({BOTH}.kappa)"
POOLED = "sum([((first.count(g) + second.count(g)) / (2 * len(first))) ** 2 for g in (0, 1, 2)])"
SQUARES = "sum([(a - b) ** 2 for a, b in zip(first, second)])"
CHANCE_SQUARES = "(sum([(a - b) ** 2 for a in first for b in second]) / len(first))"
BOTH_RELEVANT = "sum([a > 0 and b > 0 for a, b in zip(first, second)])"
ANY_RELEVANT = "sum([a > 0 or b > 0 for a, b in zip(first, second)])"
OWN = "sum(grades[name]) / len(grades[name])"
OTHERS = (
    "sum([g for n, of in grades.items() if n != name for g in of]) / "
    "((len(grades) - 1) * len(grades[name]))"
)


def two_assessors(rng):
    """Grades from 0 to 2 of two assessors, who agree more often than not."""
    first = [0, 1, 2, *(rng.choice([0, 0, 0, 1, 2]) for _ in range(7))]
    second = [g if rng.random() < 0.6 else rng.choice([0, 1, 1, 2]) for g in first]
    return {"first": first, "second": second}


def several_assessors(rng):
    """The grades of three or four assessors for the same documents, and the name of one."""
    number = rng.randint(4, 6)
    names = ["Ann", "Ben", "Cat", "Dan"][: rng.randint(3, 4)]
    grades = {name: [rng.choice([0, 0, 1, 2]) for _ in range(number)] for name in names}
    name = rng.choice(names)
    grades[name][0] = 2
    return {"grades": grades, "name": name}


# Assessors who agree less often than chance would, and who differ twice in the same way.
APART = [
    {"first": [0, 1, 2, 0], "second": [1, 0, 0, 2]},
    {"first": [0, 0, 1, 2], "second": [1, 1, 0, 2]},
]

spec = Exercise(
    "16",
    "Judges: overlap, kappa, and who is harsh",
    [
        Question(
            "overlap",
            f"{BOTH_RELEVANT} / {ANY_RELEVANT}",
            two_assessors,
            edges=[
                {"first": [0, 1, 2, 0], "second": [1, 0, 0, 2]},
                {"first": [2, 2, 0], "second": [1, 2, 0]},
                {"first": [1, 2, 1, 0], "second": [0, 2, 0, 0]},
            ],
            title="overlap",
            asks="Two assessors graded the same documents. A document with a grade above 0 is "
            "relevant. What is their overlap: the share of the documents that are relevant for at "
            "least one of them which are relevant for both?",
            marks=1,
            wrongs=[
                Wrong(
                    "raw",
                    "raw agreement",
                    RAW,
                    "Documents that nobody calls relevant don't count for the overlap.",
                ),
                Wrong(
                    "of-all",
                    "the share of all documents that are relevant for both",
                    f"{BOTH_RELEVANT} / len(first)",
                    "Divide by the documents that at least one of them calls relevant.",
                ),
                Wrong(
                    "of-the-first",
                    "the share of the first assessor's relevant documents",
                    f"{BOTH_RELEVANT} / sum([a > 0 for a in first])",
                    "Those that only the second one calls relevant count, too.",
                ),
                Wrong(
                    "same-grade",
                    "an overlap that asks for the same grade",
                    "sum([a == b > 0 for a, b in zip(first, second)]) / " + ANY_RELEVANT,
                    "Both call it relevant if both grades are above 0: they need not be equal.",
                ),
            ],
            hints=["Count the documents relevant for both, and those relevant for at least one."],
        ),
        Question(
            "kappa",
            KAPPA,
            two_assessors,
            edges=APART,
            names=AGREEMENT,
            title="Cohen's kappa",
            asks="Two assessors graded the same documents. What is Cohen's kappa, not weighted?",
            wrongs=[
                Wrong(
                    "raw",
                    "raw agreement",
                    RAW,
                    "Take chance agreement away: (raw - chance) / (1 - chance).",
                ),
                Wrong(
                    "grades-equally-often",
                    "a kappa in which chance is one over the number of grades",
                    f"({RAW} - 1 / 3) / (1 - 1 / 3)",
                    "Chance depends on how often each assessor uses each grade.",
                ),
                Wrong(
                    "one-assessor",
                    "a kappa in which chance is taken from the first assessor alone",
                    f"({RAW} - sum([(first.count(g) / len(first)) ** 2 for g in (0, 1, 2)])) / "
                    "(1 - sum([(first.count(g) / len(first)) ** 2 for g in (0, 1, 2)]))",
                    "Multiply the share of the first assessor by the share of the second one.",
                ),
                Wrong(
                    "scott",
                    "Scott's pi, whose chance comes from the shares of both assessors together",
                    f"({RAW} - {POOLED}) / (1 - {POOLED})",
                    "Cohen multiplies each assessor's own shares.",
                ),
                Wrong(
                    "not-divided",
                    "raw agreement less chance, not divided",
                    f"{RAW} - sum([first.count(g) * second.count(g) for g in (0, 1, 2)]) / "
                    "len(first) ** 2",
                    "Divide by 1 - chance: the most that two assessors could agree beyond chance.",
                ),
                Wrong(
                    "weighted",
                    "weighted kappa",
                    f"float({BOTH}.weighted_kappa)",
                    "Here every disagreement weighs the same.",
                ),
            ],
            hints=[
                "Raw agreement is the share of documents with the same grade.",
                "Chance: for each grade, multiply the shares of both assessors; add the products.",
                "Kappa is (raw - chance) / (1 - chance).",
            ],
        ),
        Question(
            "weighted_kappa",
            f"float({BOTH}.weighted_kappa)",
            two_assessors,
            edges=APART,
            names=AGREEMENT,
            title="quadratic weighted kappa",
            asks="Two assessors graded the same documents. What is quadratic weighted kappa?",
            wrongs=[
                Wrong(
                    "not-weighted",
                    "Cohen's kappa without weights",
                    KAPPA,
                    "Let a disagreement weigh the square of the distance of the two grades.",
                ),
                Wrong(
                    "linear",
                    "kappa with linear weights",
                    "1 - sum([abs(a - b) for a, b in zip(first, second)]) / "
                    "(sum([abs(a - b) for a in first for b in second]) / len(first))",
                    "Square the distances: a miss by 2 weighs 4.",
                ),
                Wrong(
                    "not-from-1",
                    "the observed squares divided by the expected ones",
                    f"{SQUARES} / {CHANCE_SQUARES}",
                    "Subtract this from 1, so that perfect agreement is 1.",
                ),
                Wrong(
                    "all-pairs-not-divided",
                    "a weighted kappa whose expected squares are not divided by n",
                    f"1 - {SQUARES} / ({CHANCE_SQUARES} * len(first))",
                    "The sum over all pairs of grades has n times as many terms: divide it by n.",
                ),
            ],
            hints=[
                "Add up the squares of the differences, document by document.",
                "Add up the squares of all differences of a first and a second grade; divide by n.",
                "Divide the first sum by the second, and subtract from 1.",
            ],
        ),
        Question(
            "harshness",
            f"{OWN} - {OTHERS}",
            several_assessors,
            title="who is harsh",
            asks="Several assessors graded the same documents. What is the mean grade of the named "
            "assessor, less the mean grade that the others gave? Below 0 the assessor is harsh.",
            marks=2,
            edges=[
                {"grades": {"Ann": [2, 0], "Ben": [0, 0], "Cat": [1, 0]}, "name": "Ann"},
                {"grades": {"Ann": [1], "Ben": [0]}, "name": "Ben"},
                {"grades": {"Ann": [2, 2], "Ben": [0, 0], "Cat": [0, 1]}, "name": "Ann"},
            ],
            wrongs=[
                Wrong(
                    "from-all",
                    "the distance from the mean of all assessors, the named one included",
                    f"{OWN} - sum([g for of in grades.values() for g in of]) / "
                    "(len(grades) * len(grades[name]))",
                    "Leave out the assessor's own grades on the other side.",
                ),
                Wrong(
                    "turned-round",
                    "the others less the assessor",
                    f"{OTHERS} - {OWN}",
                    "Subtract the mean of the others, so that harsh is below 0.",
                ),
                Wrong(
                    "sums",
                    "a difference of sums",
                    "sum(grades[name]) - sum([g for n, of in grades.items() if n != name "
                    "for g in of])",
                    "Take means: the others gave more grades.",
                ),
                Wrong(
                    "own-mean",
                    "the assessor's mean grade",
                    OWN,
                    "A low mean may come from documents that are not relevant. Subtract the "
                    "others' mean.",
                ),
            ],
            hints=["The mean of one list, less the mean of all grades in the other lists."],
        ),
    ],
    [
        ByHand(
            "guideline",
            "Repair a guideline",
            [
                Criterion(
                    "causes",
                    1,
                    "Two causes: the guideline doesn't say what a page for a part of the task "
                    "gets, nor what a page in another language gets. Half a point for one.",
                ),
                Criterion(
                    "sentences",
                    1,
                    "One sentence for each cause, so clear that two people would give the same "
                    "grade. No point for 'judge with more care'.",
                ),
                Criterion(
                    "not averaged",
                    1,
                    "The mean of 0 and 2 is a grade that neither gave, and the guideline stays as "
                    "unclear as it was. Judge again by the new one, the documents above included.",
                ),
            ],
        ),
    ],
)

# %% tags=["setup"]
from irmetrics_edu.classroom.exercises import begin, check, hint

# %% [markdown]
# ## 1. Overlap
#
# `first` and `second` are the grades (0, 1 or 2) that two assessors gave to the same documents, in
# the same order. A grade above 0 is relevant, and at least one grade is. Return the overlap.


# %% tags=["overlap"]
def overlap(first, second):
    """The share of the documents relevant for someone that are relevant for both."""
    ### BEGIN SOLUTION
    both = sum(a > 0 and b > 0 for a, b in zip(first, second, strict=True))
    anyone = sum(a > 0 or b > 0 for a, b in zip(first, second, strict=True))
    return both / anyone
    ### END SOLUTION


# %% tags=["check"]
check("overlap", overlap)

# %% [markdown]
# ## 2. Cohen's kappa
#
# `first` and `second` are the grades (0, 1 or 2) that two assessors gave to the same documents, in
# the same order. Return Cohen's kappa. No two assessors give the same single grade to everything.


# %% tags=["kappa"]
def kappa(first, second):
    """The agreement of two assessors beyond chance, as a share of what there could be."""
    ### BEGIN SOLUTION
    n = len(first)
    raw = sum(a == b for a, b in zip(first, second, strict=True)) / n
    chance = sum(first.count(g) * second.count(g) for g in set(first)) / n**2
    return (raw - chance) / (1 - chance)
    ### END SOLUTION


# %% tags=["check"]
check("kappa", kappa)

# %% [markdown]
# ## 3. Weighted kappa
#
# The same grades. Now a disagreement weighs the square of the distance of the two grades.


# %% tags=["weighted_kappa"]
def weighted_kappa(first, second):
    """Kappa in which a disagreement weighs the square of the distance of the grades."""
    ### BEGIN SOLUTION
    observed = sum((a - b) ** 2 for a, b in zip(first, second, strict=True))
    expected = sum((a - b) ** 2 for a in first for b in second) / len(first)
    return 1 - observed / expected
    ### END SOLUTION


# %% tags=["check"]
check("weighted_kappa", weighted_kappa)

# %% [markdown]
# ## 4. Who is harsh?
#
# `grades` maps each assessor to a list of grades, all for the same documents. Return the mean grade
# of the assessor `name`, less the mean of all grades of the others.


# %% tags=["harshness"]
def harshness(grades, name):
    """How far an assessor's mean grade lies above the mean of the others."""
    ### BEGIN SOLUTION
    own = grades[name]
    others = [grade for other, of in grades.items() if other != name for grade in of]
    return sum(own) / len(own) - sum(others) / len(others)
    ### END SOLUTION


# %% tags=["check"]
check("harshness", harshness)

# %% [markdown]
# ## 5. Repair a guideline
#
# Your teacher marks this answer. Two assessors judged pages for the topic "opening hours and prices
# of the city's pools". The guideline said: *2: answers the question. 1: helps. 0: doesn't help.*
# They differ on these pages:
#
# | page | Ann | Ben |
# | --- | --- | --- |
# | the opening hours of all pools, no prices | 2 | 1 |
# | the prices of all pools, no opening hours | 2 | 1 |
# | hours and prices, in Finnish | 2 | 0 |
# | the prices of one pool, in Finnish | 1 | 0 |
#
# 1. Name the two causes of these disagreements.
# 2. Write a sentence for each cause that the guideline needs.
# 3. A colleague wants to take the mean of the two grades. What do you say?

# %% [markdown] tags=["guideline"]
# **Your three answers:**
#
# ### BEGIN SOLUTION
# **1.** The topic asks for two things, and the guideline doesn't say what a page gets that has one
# of them. And it doesn't say what a page gets that the user may not be able to read.
#
# **2.** "A page that answers a part of the question gets 1, however well it does so." "Judge what
# the page says, as if it were in the language of the topic."
#
# **3.** The mean of 2 and 0 is 1, which neither of them meant. The next page of this kind will get
# two grades again. Repair the guideline first, with these pages as examples, and judge anew.
# ### END SOLUTION
