# %% [markdown]
# # Exercise 21. Answers of language models: nuggets, claims, citations, and the judge
#
# A key has vital nuggets (2) and okay nuggets (1). A claim is a short statement of an answer. A
# judge compares two answers, A and B, and sees each pair in both orders.
#
# **Needs.** Notebook 21, exercise 16. **Time.** 45 minutes. **Marks.** 12.

# %% tags=["spec"]
from irmetrics_edu.classroom.exercises.spec import ByHand, Criterion, Exercise, Question, Wrong


def said_and_key(rng):
    """What an answer says of a key of vital (2) and okay (1) nuggets, and its length."""
    key = {f"n{i}": 2 if i <= 4 else 1 for i in range(1, 8)}
    said = sorted(rng.sample(["n1", "n2", "n3", "n4"], rng.randint(1, 3)))
    said += sorted(rng.sample(["n5", "n6", "n7"], rng.randint(1, 2)))
    return {"said": said, "key": key, "length": rng.randint(11, 30) * 50}


def four_kinds(rng):
    """How many claims of an answer the pages say, and how many its contexts say."""
    return {
        "both": rng.randint(8, 20),
        "pages_only": rng.randint(2, 7),
        "contexts_only": rng.randint(8, 12) - 7,
        "neither": rng.randint(1, 6),
    }


def two_orders(rng):
    """The winner of each pair, with A shown first, and with B shown first."""
    first, swapped = [], []
    for _ in range(rng.randint(9, 14)):
        better = rng.choice("AAB")
        kind = rng.choice(["same", "same", "first place", "second place"])
        first.append({"same": better, "first place": "A", "second place": "B"}[kind])
        swapped.append({"same": better, "first place": "B", "second place": "A"}[kind])
    return {"a_first": [*first, "A", "A", "B"], "b_first": [*swapped, "B", "A", "B"]}


N = "(both + pages_only + contexts_only + neither)"
PAIRS = "zip(a_first, b_first)"
CHANGED = f"len([x for x, y in {PAIRS} if x != y]) / len(a_first)"
FIRST = f"len([x for x, y in {PAIRS} if x == 'A' and y == 'B']) / len(a_first)"
SECOND = f"len([x for x, y in {PAIRS} if x == 'B' and y == 'A']) / len(a_first)"

spec = Exercise(
    "21",
    "Answers of language models: nuggets, claims, citations, and the judge",
    [
        Question(
            "answer_f",
            "nugget_f(said, key, length=length)",
            said_and_key,
            edges=[
                {"said": [], "key": {"n1": 2, "n2": 1}, "length": 100},
                {"said": ["n2"], "key": {"n1": 2, "n2": 1}, "length": 80},
                {"said": ["n1"], "key": {"n1": 2, "n2": 1}, "length": 80},
                {"said": ["n1", "n2"], "key": {"n1": 2, "n2": 1}, "length": 200},
                {"said": ["n1"], "key": {"n1": 2}, "length": 50},
            ],
            title="the F-measure of TREC",
            asks="A key has vital nuggets (2) and okay nuggets (1). An answer of so many "
            "characters says some of them. What is its nugget F-measure with beta = 3, a "
            "recall of vital nuggets alone, and an allowance of 100 characters for each "
            "nugget that it says, vital or okay?",
            marks=3,
            wrongs=[
                Wrong(
                    "okay-counts-for-recall",
                    "F with a recall that counts okay nuggets too",
                    "nugget_f(said, key, length=length, gain='binary')",
                    "Recall counts vital nuggets alone, above and below the line.",
                ),
                Wrong(
                    "allowance-of-vital",
                    "F with an allowance for vital nuggets alone",
                    "nugget_f(said, key, length=length, "
                    "allowance=100 * len([n for n in said if key[n] == 2]) / len(said))",
                    "Okay nuggets that the answer says bring allowance too.",
                ),
                Wrong(
                    "allowance-of-the-key",
                    "F with an allowance for all nuggets of the key",
                    "nugget_f(said, key, length=length, allowance=100 * len(key) / len(said))",
                    "Only nuggets that the answer says bring allowance.",
                ),
                Wrong(
                    "length-ignored",
                    "F of an answer whose precision is 1",
                    "nugget_f(said, key, length=0)",
                    "Precision falls once the answer is longer than its allowance.",
                ),
                Wrong(
                    "precision-of-nuggets",
                    "F with the share of vital nuggets among those said as precision",
                    "f_measure(said, {n: 1 for n in key if key[n] == 2}, beta=3)",
                    "Precision here is about length: min(1, allowance / length).",
                ),
                Wrong(
                    "beta-of-1",
                    "F with beta = 1",
                    "nugget_f(said, key, length=length, beta=1)",
                    "With beta = 3 recall has nine times the weight of precision.",
                ),
                Wrong(
                    "beta-not-squared",
                    "F with beta in place of beta squared",
                    "nugget_f(said, key, length=length, beta=3 ** 0.5)",
                    "The formula has beta squared: 9.",
                ),
            ],
            hints=[
                "Recall: vital nuggets said over vital nuggets in the key.",
                "Precision: 1 if length <= 100 * nuggets said, else the allowance over the length.",
                "F = (9 + 1) * P * R / (9 * P + R).",
            ],
        ),
        Question(
            "supported",
            f"[(both + pages_only) / {N}, (both + contexts_only) / {N}]",
            four_kinds,
            kind="value",
            title="claim precision and faithfulness",
            asks="An answer makes claims. Some are said by the pages of a site and by the contexts "
            "that the model was given, some by the pages only, some by the contexts only, and some "
            "by neither.",
            parts=["claim precision against the pages", "faithfulness to the contexts"],
            line="value",
            marks=3,
            wrongs=[
                Wrong(
                    "the-other-source",
                    "the two numbers with their sources exchanged",
                    f"[(both + contexts_only) / {N}, (both + pages_only) / {N}]",
                    "Faithfulness has the contexts as its source.",
                ),
                Wrong(
                    "both-sources-at-once",
                    "claims that both sources say, twice",
                    f"[both / {N}, both / {N}]",
                    "Each number has one source. The other source plays no part.",
                ),
                Wrong(
                    "unsupported-left-out",
                    "proportions of the claims that some source says",
                    f"[(both + pages_only) / ({N} - neither), "
                    f"(both + contexts_only) / ({N} - neither)]",
                    "A claim that no source says counts against the answer, in the divisor.",
                ),
            ],
            hints=["Claims that the source says, over all claims of the answer."],
            tolerance=0.0006,
        ),
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
# ## 1. The F-measure of TREC
#
# `key` maps nuggets to 2 (vital) or 1 (okay). `said` are the nuggets that the answer says, and
# `length` is the number of its characters. The allowance is 100 characters for each nugget that
# the answer says, and $\beta = 3$.


# %% tags=["answer_f"]
def answer_f(said, key, length):
    """The nugget F-measure of an answer."""
    ### BEGIN SOLUTION
    vital = [nugget for nugget, grade in key.items() if grade == 2]
    r = sum(nugget in said for nugget in vital) / len(vital)
    p = min(1, 100 * len(said) / length)
    return 10 * p * r / (9 * p + r) if r else 0.0
    ### END SOLUTION


# %% tags=["check"]
check("answer_f", answer_f)

# %% [markdown]
# ## 2. Claim precision and faithfulness
#
# These are counts of the claims of one answer: said by the pages and by the contexts (`both`), by
# the pages only, by the contexts only, and by neither. Give two numbers to three decimals: claim
# precision against the pages, and faithfulness to the contexts.

# %%
both, pages_only, contexts_only, neither = spec.given("supported")

# %% tags=["supported"]
### BEGIN SOLUTION
claims = both + pages_only + contexts_only + neither
supported = [(both + pages_only) / claims, (both + contexts_only) / claims]
### END SOLUTION

# %% tags=["check"]
check("supported", supported)

# %% [markdown]
# ## 3. Does the judge prefer a place?
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
