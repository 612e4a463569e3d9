# %% [markdown]
# # Exercise 24. Judges of answers: position, length, and a sample of people
#
# A judge compares two answers, A and B, and sees each pair in both orders. You look for its biases,
# and correct its labels.
#
# **Needs.** Notebook 24, exercise 16. **Time.** 40 minutes. **Marks.** 10.

# %% tags=["spec"]
from irmetrics_edu.classroom.exercises.spec import ByHand, Criterion, Exercise, Question, Wrong


def two_orders(rng):
    """The winner of each pair, with A shown first, and with B shown first."""
    first, swapped = [], []
    for _ in range(rng.randint(9, 14)):
        better = rng.choice("AAB")
        kind = rng.choice(["same", "same", "first place", "second place"])
        first.append({"same": better, "first place": "A", "second place": "B"}[kind])
        swapped.append({"same": better, "first place": "B", "second place": "A"}[kind])
    return {"a_first": [*first, "A", "A", "B"], "b_first": [*swapped, "B", "A", "B"]}


def people_and_judge(rng):
    """Which answer of each pair people prefer, and which one the judge."""
    people = ["short", "long", *(rng.choice(["short", "long"]) for _ in range(rng.randint(6, 9)))]
    rng.shuffle(people)
    turned = {"short": "long", "long": "short"}
    judge = [p if rng.random() < (0.5 if p == "short" else 0.8) else turned[p] for p in people]
    return {"people": people, "judge": judge}


def labels_of_both(rng):
    """The labels of a model for all answers, and those of people for the first of them."""
    model = [int(rng.random() < 0.6) for _ in range(rng.randint(10, 14))]
    people = [label if rng.random() < 0.7 else 0 for label in model[: rng.randint(4, 6)]]
    return {"model": model, "people": people}


PAIRS = "zip(a_first, b_first)"
CHANGED = f"len([x for x, y in {PAIRS} if x != y]) / len(a_first)"
FIRST = f"len([x for x, y in {PAIRS} if x == 'A' and y == 'B']) / len(a_first)"
SECOND = f"len([x for x, y in {PAIRS} if x == 'B' and y == 'A']) / len(a_first)"
AGREED = "sum([p == j for p, j in zip(people, judge)]) / len(people)"
TO_LONG = "sum([p == 'short' and j == 'long' for p, j in zip(people, judge)])"
TO_SHORT = "sum([p == 'long' and j == 'short' for p, j in zip(people, judge)])"
OF_SHORT = f"{TO_LONG} / people.count('short')"
OF_LONG = f"{TO_SHORT} / people.count('long')"
MODEL_MEAN = "sum(model) / len(model)"
CORRECTION = "sum([p - m for p, m in zip(people, model)]) / len(people)"

spec = Exercise(
    "24",
    "Judges of answers: position, length, and a sample of people",
    [
        Question(
            "position_bias",
            f"[{CHANGED}, {FIRST} - {SECOND}]",
            two_orders,
            title="position bias",
            asks="A judge compared answers A and B in pairs, first with A shown first, and then "
            "with B shown first. These are the winners. In which proportion of the pairs did the "
            "verdict change? And by how much does the proportion that the first place won twice "
            "exceed the proportion that the second place won twice?",
            parts=["the verdicts that changed", "the excess of the first place"],
            line="proportion",
            marks=2,
            jointly=True,
            edges=[
                {"a_first": ["A", "A"], "b_first": ["B", "A"]},
                {"a_first": ["B"], "b_first": ["A"]},
                {"a_first": ["A", "B"], "b_first": ["B", "A"]},
            ],
            wrongs=[
                Wrong(
                    "first-place-only",
                    "the pairs that the first place won twice, as those that changed",
                    f"[{FIRST}, {FIRST} - {SECOND}]",
                    "Verdicts also changed where the second place won twice.",
                ),
                Wrong(
                    "the-consistent-ones",
                    "the pairs in which the verdict stayed",
                    f"[1 - {CHANGED}, {FIRST} - {SECOND}]",
                    "Where the same answer wins twice, the verdict did not change.",
                ),
                Wrong(
                    "changed-is-bias",
                    "all changed verdicts as the excess",
                    f"[{CHANGED}, {CHANGED}]",
                    "An unsure judge changes verdicts, too. Subtract what the second place won.",
                ),
                Wrong(
                    "not-subtracted",
                    "what the first place won twice, without subtracting",
                    f"[{CHANGED}, {FIRST}]",
                    "An unsure judge changes verdicts, too. Subtract what the second place won.",
                ),
                Wrong(
                    "without-sign",
                    "an excess without its sign",
                    f"[{CHANGED}, abs({FIRST} - {SECOND})]",
                    "If the second place wins more often, the excess is below 0.",
                ),
                Wrong(
                    "of-the-changed",
                    "an excess as a proportion of the changed verdicts",
                    f"[{CHANGED}, ({FIRST} - {SECOND}) / ({CHANGED})]",
                    "Divide by all pairs.",
                ),
            ],
            hints=[
                "Go through both lists together, and count the pairs whose winners differ.",
                "The first place won twice if A won when A was first, and B won when B was first.",
            ],
        ),
        Question(
            "length_bias",
            f"[{AGREED}, {OF_SHORT} - {OF_LONG}]",
            people_and_judge,
            title="verbosity bias",
            asks="For each pair of a short and a long answer you see which one people prefer, and "
            "which one the judge prefers. What is their raw agreement? And how much more often "
            "does the judge err where people prefer the short answer than where they prefer the "
            "long one? Give the difference of the two error rates.",
            parts=["raw agreement", "the difference of the error rates"],
            line="value",
            marks=2,
            jointly=True,
            edges=[
                {"people": ["long", "long", "short"], "judge": ["short", "long", "short"]},
                {"people": ["short", "long"], "judge": ["long", "short"]},
                {"people": ["short", "long", "short"], "judge": ["short", "long", "long"]},
                {
                    "people": ["short", "short", "short", "short", "long"],
                    "judge": ["long", "short", "short", "short", "short"],
                },
            ],
            wrongs=[
                Wrong(
                    "chosen-not-errors",
                    "how many more of all answers it takes that are long",
                    f"[{AGREED}, (judge.count('long') - judge.count('short')) / len(people)]",
                    "Longer answers can be better. Look at the pairs where people disagree.",
                ),
                Wrong(
                    "numbers-of-errors",
                    "the excess of errors, not of error rates",
                    f"[{AGREED}, {TO_LONG} - {TO_SHORT}]",
                    "A judge that is only unsure errs more often on the side with more pairs. "
                    "Divide each number of errors by the pairs of its side.",
                ),
                Wrong(
                    "of-all-pairs",
                    "errors as proportions of all pairs",
                    f"[{AGREED}, ({TO_LONG} - {TO_SHORT}) / len(people)]",
                    "Divide the errors of each side by the pairs in which people prefer this side.",
                ),
                Wrong(
                    "of-the-errors",
                    "errors as proportions of all errors",
                    f"[{AGREED}, ({TO_LONG} - {TO_SHORT}) / max(1, {TO_LONG} + {TO_SHORT})]",
                    "Divide the errors of each side by the pairs in which people prefer this side.",
                ),
                Wrong(
                    "one-side",
                    "the error rate where people prefer the short answer",
                    f"[{AGREED}, {OF_SHORT}]",
                    "Subtract the error rate of the other side: a judge without a bias errs, too.",
                ),
                Wrong(
                    "without-the-sign",
                    "a difference without its sign",
                    f"[{AGREED}, abs({OF_SHORT} - {OF_LONG})]",
                    "If the judge errs more often where people prefer the long answer, the "
                    "difference is below 0.",
                ),
                Wrong(
                    "turned-round",
                    "the difference with the sides exchanged",
                    f"[{AGREED}, {OF_LONG} - {OF_SHORT}]",
                    "It is above 0 if the judge errs more often where people prefer the short "
                    "answer.",
                ),
                Wrong(
                    "the-disagreement",
                    "the share of the pairs on which they differ",
                    f"[1 - {AGREED}, {OF_SHORT} - {OF_LONG}]",
                    "Agreement is the share of pairs with the same choice.",
                ),
            ],
            hints=[
                "Take the pairs where people choose short. In which share does the judge differ?",
            ],
        ),
        Question(
            "corrected_mean",
            f"{MODEL_MEAN} + {CORRECTION}",
            labels_of_both,
            title="labels of people correct those of a model",
            asks="A model labelled all answers. People labelled the first of them, a random "
            "sample. What is the mean label, estimated from both as prediction-powered inference "
            "does?",
            marks=2,
            jointly=True,
            edges=[
                {"model": [1, 0], "people": [0, 0]},
                {"model": [1, 1, 1, 0], "people": [0, 1]},
                {"model": [0, 1, 0, 0], "people": [1]},
                {"model": [1, 0, 0], "people": [0]},
            ],
            wrongs=[
                Wrong(
                    "model-alone",
                    "the mean of the model's labels",
                    MODEL_MEAN,
                    "Add the mean error of the model, which the sample of people shows.",
                ),
                Wrong(
                    "people-alone",
                    "the mean of people's labels",
                    "sum(people) / len(people)",
                    "Take the model's mean over all answers, too.",
                ),
                Wrong(
                    "subtracted",
                    "the correction with its sign turned",
                    f"{MODEL_MEAN} - {CORRECTION}",
                    "Add people less model.",
                ),
                Wrong(
                    "replaced",
                    "the mean of people's labels where there are some, and the model's elsewhere",
                    "(sum(people) + sum(model[len(people):])) / len(model)",
                    "That leaves the model's errors on all other answers as they are.",
                ),
            ],
            hints=["The model's mean over all, plus the mean of people less model in the sample."],
        ),
    ],
    [
        ByHand(
            "find_the_flaws",
            "Find the flaws",
            [
                Criterion(
                    "the judge's own kind",
                    2,
                    "The judge and the reranker are one model, so the judge favours this system: "
                    "agreement over old systems can't show it. One point for the circle, one for "
                    "labels of people for this system and its rivals.",
                ),
                Criterion(
                    "faithful and empty",
                    1,
                    "Faithfulness can rise because answers say less. Ask for vital recall, too.",
                ),
                Criterion(
                    "old questions",
                    1,
                    "The model may know questions of 2019. Ask them without contexts, and compare "
                    "with new ones.",
                ),
            ],
        ),
    ],
)

# %% tags=["setup"]
from irmetrics_edu.classroom.exercises import begin, check, hint

# %% [markdown]
# ## 1. Does the judge prefer a place?
#
# `a_first` holds the winner of each pair, "A" or "B", when A was shown first. `b_first` holds the
# winners of the same pairs when B was shown first. Return a list of two numbers. The first is the
# proportion of the pairs whose verdict changed. The second is the excess of the first place: the
# proportion of the pairs that the first place won twice, less the proportion that the second place
# won twice.


# %% tags=["position_bias"]
def position_bias(a_first, b_first):
    """The proportion of pairs whose verdict changed, and the excess of the first place."""
    ### BEGIN SOLUTION
    pairs = list(zip(a_first, b_first, strict=True))
    first = pairs.count(("A", "B")) / len(pairs)
    second = pairs.count(("B", "A")) / len(pairs)
    return [first + second, first - second]
    ### END SOLUTION


# %% tags=["check"]
check("position_bias", position_bias)

# %% [markdown]
# ## 2. Does the judge prefer long answers?
#
# `people` and `judge` hold the choice in each pair, "short" or "long". People choose each at least
# once. Take two error rates: how often the judge errs where people choose "short", and where they
# choose "long". Return a list: raw agreement, and the first error rate less the second one.


# %% tags=["length_bias"]
def length_bias(people, judge):
    """Raw agreement, and how much more often the judge errs where people choose the short one."""
    ### BEGIN SOLUTION
    pairs = list(zip(people, judge, strict=True))
    agreed = sum(p == j for p, j in pairs) / len(pairs)
    of_short = pairs.count(("short", "long")) / people.count("short")
    of_long = pairs.count(("long", "short")) / people.count("long")
    return [agreed, of_short - of_long]
    ### END SOLUTION


# %% tags=["check"]
check("length_bias", length_bias)

# %% [markdown]
# ## 3. A few labels of people
#
# `model` holds the labels (0 or 1) of a model for all answers. `people` holds those of people for
# the first answers only, which are a random sample. Return the corrected mean.


# %% tags=["corrected_mean"]
def corrected_mean(model, people):
    """The mean label, by the model's labels and the errors that people found."""
    ### BEGIN SOLUTION
    differences = [p - m for p, m in zip(people, model, strict=False)]
    return sum(model) / len(model) + sum(differences) / len(differences)
    ### END SOLUTION


# %% tags=["check"]
check("corrected_mean", corrected_mean)

# %% [markdown]
# ## 4. Find the flaws
#
# Your teacher marks this answer. A team wrote this report:
#
# > Our new reranker is a language model. The same model judged the answers, and over last year's
# > systems its labels agree with people (kappa 0.7). By its labels the new system is first. Its
# > faithfulness rose from 0.82 to 0.97. We tested on public questions of 2019.
#
# Write six to ten sentences. Name three flaws, and for each what the team should do.

# %% [markdown] tags=["find_the_flaws"]
# **The three flaws:**
#
# ### BEGIN SOLUTION
# **The judge is part of the system.** The reranker and the judge are one model. So the judge puts
# first what the reranker put first. That it agrees with people on last year's systems says nothing
# of a system that uses it. People should label the documents on which the new system and its rivals
# differ.
#
# **Faithfulness alone.** An answer that says little is faithful. The team should report the recall
# of vital nuggets beside it.
#
# **Old public questions.** The model may have read questions and answers of 2019 in training. The
# team should ask the questions without contexts, and test on new questions.
# ### END SOLUTION
