# %% [markdown]
# # Exercise 23. Answers of language models: nuggets, claims, and citations
#
# A key has vital nuggets (2) and okay nuggets (1). A claim is a short statement of an answer. A
# citation leads to a page that may support a statement.
#
# **Needs.** Notebook 23. **Time.** 45 minutes. **Marks.** 12.

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


def cited_statements(rng):
    """What the citations of each statement do alone, and the statements supported together."""
    kinds = [
        (["full"], True),
        (["full", "no"], True),
        (["full", "part"], True),
        (["full", "full"], True),
        (["part", "part"], True),
        (["part"], False),
        (["part", "no"], False),
        ([], False),
    ]
    found = rng.sample(kinds, rng.randint(4, 6))
    alone = {f"s{i}": list(of) for i, (of, _) in enumerate(found, 1)}
    together = [f"s{i}" for i, (_, full) in enumerate(found, 1) if full]
    return {"alone": alone, "together": together}


N = "(both + pages_only + contexts_only + neither)"
RECALL = "len(together) / len(alone)"
CITATIONS = "sum([len(of) for of in alone.values()])"
PRECISION = (
    "sum([s in together and (how == 'full' or (how == 'part' and 'full' not in of)) "
    f"for s, of in alone.items() for how in of]) / {CITATIONS}"
)

spec = Exercise(
    "23",
    "Answers of language models: nuggets, claims, and citations",
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
            "cited",
            f"[{RECALL}, {PRECISION}]",
            cited_statements,
            title="citation recall and citation precision",
            asks="For each statement of an answer you see what each of its citations does by "
            "itself: support it in full, in part, or not. You also see which statements their "
            "citations support fully together. What are the citation recall and the citation "
            "precision of the answer?",
            parts=["citation recall", "citation precision"],
            line="proportion",
            marks=3,
            jointly=True,
            edges=[
                {"alone": {"s1": ["part", "part"]}, "together": []},
                {"alone": {"s1": ["full", "part"]}, "together": ["s1"]},
                {"alone": {"s1": ["full", "full"], "s2": ["no"]}, "together": ["s1"]},
                {"alone": {"s1": ["part", "part", "no"], "s2": []}, "together": ["s1"]},
                {"alone": {"s1": ["no"], "s2": ["full"], "s3": []}, "together": ["s2"]},
            ],
            wrongs=[
                Wrong(
                    "part-always-counts",
                    "a precision that counts a part of a statement that stays unsupported",
                    f"[{RECALL}, sum([how != 'no' and (how == 'full' or 'full' not in of) "
                    f"for of in alone.values() for how in of]) / {CITATIONS}]",
                    "A citation that supports a part counts only if all together support it fully.",
                ),
                Wrong(
                    "part-never-counts",
                    "a precision that counts citations alone",
                    f"[{RECALL}, sum([how == 'full' for of in alone.values() for how in of]) / "
                    f"{CITATIONS}]",
                    "If no citation supports the statement alone, those that do so in part count.",
                ),
                Wrong(
                    "part-beside-full",
                    "a precision that counts a part beside a citation that supports all",
                    f"[{RECALL}, sum([s in together and how != 'no' for s, of in alone.items() "
                    f"for how in of]) / {CITATIONS}]",
                    "Where one citation supports the statement fully, it needs no other.",
                ),
                Wrong(
                    "one-full-is-enough",
                    "a precision that counts one citation of those that support a statement fully",
                    f"[{RECALL}, (len([s for s in alone if 'full' in alone[s]]) + "
                    "sum([s in together and how == 'part' and 'full' not in of "
                    f"for s, of in alone.items() for how in of])) / {CITATIONS}]",
                    "Each citation that supports the statement fully by itself counts.",
                ),
                Wrong(
                    "of-cited-statements",
                    "a recall of the statements that cite something",
                    f"[len(together) / max(1, len([s for s in alone if alone[s]])), {PRECISION}]",
                    "A statement without a citation counts against the answer.",
                ),
                Wrong(
                    "exchanged",
                    "the two numbers exchanged",
                    f"[{PRECISION}, {RECALL}]",
                    "Recall is of statements, and precision is of citations.",
                ),
            ],
            hints=[
                "Recall: the statements that are supported fully, over all statements.",
                "A citation in part counts where none is in full and all together support it.",
            ],
        ),
    ],
    [
        ByHand(
            "which_number",
            "Which number shows it?",
            [
                Criterion(
                    "nuggets",
                    1,
                    "The missing deadline: recall of (vital) nuggets. No point for faithfulness or "
                    "citations.",
                ),
                Criterion(
                    "source",
                    1,
                    "The old price: claim precision against today's pages, not faithfulness: the "
                    "answer may be faithful to an old context. Half a point without that reason.",
                ),
                Criterion(
                    "citations",
                    1,
                    "The link that says nothing of it: citation precision (or support of the first "
                    "citation). Half a point for citation recall.",
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
# ## 3. Citations
#
# `alone` maps each statement of an answer to a list: what each of its citations does by itself
# ("full", "part" or "no"). `together` lists the statements that their citations support fully
# together. Return citation recall and citation precision. Every answer has a citation.


# %% tags=["cited"]
def cited(alone, together):
    """Citation recall and citation precision."""
    ### BEGIN SOLUTION
    needed = []
    for statement, citations in alone.items():
        for how in citations:
            part = how == "part" and "full" not in citations
            needed.append(statement in together and (how == "full" or part))
    return [len(together) / len(alone), sum(needed) / len(needed)]
    ### END SOLUTION


# %% tags=["check"]
check("cited", cited)

# %% [markdown]
# ## 4. Which number shows it?
#
# Your teacher marks this answer. Users of a town's assistant complain:
#
# - **Ida:** "It told me how to apply for a passport, but not that I had to do so by Friday."
# - **Jo:** "It gave the price of last year. The page has had the new one for months."
# - **Kim:** "I followed the link behind the sentence. The page says nothing about it."
#
# For each complaint name the number of this chapter that would show it, and say why.

# %% [markdown] tags=["which_number"]
# **Three numbers, with the reasons:**
#
# ### BEGIN SOLUTION
# **Ida: recall of vital nuggets.** The deadline is a nugget that a good answer must say, and this
# answer lacks it. Its other statements may all be right and well cited.
#
# **Jo: claim precision against the pages of today.** The price is a claim that they don't support.
# Faithfulness need not show it: perhaps the model was given a context with the old price.
#
# **Kim: citation precision.** The citation does not support its statement, so it counts 0.
# ### END SOLUTION
