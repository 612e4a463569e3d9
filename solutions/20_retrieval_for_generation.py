# %% [markdown]
# # Exercise 20. Retrieval for generation: contexts and facts
#
# `contexts` are the passages that a language model reads, best first. `facts` are the different
# texts that the answer needs. A context holds a fact if the fact is a part of its text, letter by
# letter.
#
# **Needs.** Notebook 20, exercises 1 and 13. **Time.** 45 minutes. **Marks.** 12. **Bonus.** 2.

# %% tags=["spec"]
from irmetrics_edu.classroom.exercises.spec import ByHand, Criterion, Exercise, Question, Wrong

FACTS = ["18 euros", "river path", "after nine", "two days", "room 12", "by card"]
FILLERS = ["please", "note", "that", "our", "bicycle", "station", "is", "open", "and", "you", "may"]
HARNESS = """
def passes(*given):
    try:
        test_answers(*given)
    except AssertionError:
        return False
    return True
"""


def contexts_and_facts(rng):
    """Contexts of different lengths; one fact is in two of them, and some are in none."""
    facts = sorted(rng.sample(FACTS, rng.randint(4, 6)))
    *missing, twice = rng.sample(facts, rng.randint(2, len(facts) - 1))
    held = [[] for _ in range(6)]
    for fact in facts:
        if fact not in missing:
            for i in rng.sample(range(6), 2 if fact == twice else 1):
                held[i].append(fact)
    contexts = []
    for inside in held:
        parts = [*inside, *(rng.choice(FILLERS) for _ in range(rng.randint(1, 14)))]
        rng.shuffle(parts)
        contexts.append(" ".join(parts))
    return {"contexts": contexts, "facts": facts}


def with_window(rng):
    """The same with a window of so many words."""
    return {**contexts_and_facts(rng), "window": rng.randint(12, 44)}


def two_by_two(rng):
    """How many vital nuggets are in each cell."""
    return {
        "used": rng.randint(30, 50),
        "lost_by_model": rng.randint(5, 30),
        "from_memory": rng.randint(3, 9),
        "lost_by_retriever": rng.randint(11, 40),
    }


def answers_and_contexts(rng):
    """Per question the facts, those that the contexts hold, and those that the answer says."""
    facts, held, says = {}, {}, {}
    search, model = rng.choice([0.5, 0.9]), rng.choice([0.65, 0.8, 1.0])
    for q in range(1, 6):
        facts[f"q{q}"] = [f"fact {i}" for i in range(1, 5)]
        held[f"q{q}"] = [f for f in facts[f"q{q}"] if rng.random() < search]
        says[f"q{q}"] = [
            f for f in facts[f"q{q}"] if rng.random() < (model if f in held[f"q{q}"] else 0.1)
        ]
    if rng.random() < 0.6:
        held["q3"], says["q3"] = [], []
    return {"says": says, "held": held, "facts": facts}


READ = "[c for i, c in zip(range(len(contexts)), contexts) if {}]"
FITS = "len(' '.join(contexts[: i + 1]).split()) <= window"
SHARE = "len([f for f in facts if any([f in c for c in {}])]) / len(facts)"
IN_ALL = "used + lost_by_model + from_memory + lost_by_retriever"
SAID = f"(used + from_memory) / ({IN_ALL})"
HELD = f"(used + lost_by_model) / ({IN_ALL})"
USED = "used / (used + lost_by_model)"
OF = "len([f for f in {0}[q] if f in says[q]]) / len({0}[q])"
BOUND = ">= 0.8 - 1e-9"
OF_HELD = f"mean([{OF.format('held')} for q in held if held[q]]) {BOUND}"

spec = Exercise(
    "20",
    "Retrieval for generation: contexts and facts",
    [
        Question(
            "fact_recall",
            SHARE.format("contexts"),
            contexts_and_facts,
            title="recall of facts",
            jointly=True,
            tries=8,
            asks="What is the recall of facts: the share of the facts that at least one context "
            "holds?",
            edges=[
                {"contexts": [], "facts": ["18 euros"]},
                # a fact stands in one context, letter by letter
                {"contexts": ["pay 18", "euros now"], "facts": ["18 euros"]},
                {"contexts": ["pay 18 eu", "ros now"], "facts": ["18 euros"]},
                {"contexts": ["euros 18", "By Card"], "facts": ["18 euros", "by card"]},
            ],
            wrongs=[
                Wrong(
                    "share-of-contexts",
                    "the share of the contexts that hold a fact",
                    "len([c for c in contexts if any([f in c for f in facts])])"
                    " / max(len(contexts), 1)",
                    "That is the precision of contexts. Recall divides by the number of facts.",
                ),
                Wrong(
                    "repeats-counted",
                    "recall in which a fact counts once for each context that holds it",
                    "sum([len([c for c in contexts if f in c]) for f in facts]) / len(facts)",
                    "A fact that is found twice is found. The second time brings nothing new.",
                ),
                Wrong(
                    "contexts-for-facts",
                    "the contexts with a fact over the number of facts",
                    "len([c for c in contexts if any([f in c for f in facts])]) / len(facts)",
                    "Count facts, not contexts: one context can hold several facts.",
                ),
                Wrong(
                    "first-context-only",
                    "recall in the first context alone",
                    SHARE.format("contexts[:1]"),
                    "The model reads all contexts.",
                ),
            ],
            hints=["For each fact ask: is there a context that holds it? In Python: any(...)."],
        ),
        Question(
            "recall_in_window",
            SHARE.format(READ.format(FITS)),
            with_window,
            title="recall within a window",
            asks="Contexts fill a window of so many words from the top, and the first context "
            "that does not fit in whole ends it. What is the recall of facts of the contexts in "
            "the window?",
            marks=3,
            edges=[
                {"contexts": ["pay 18 euros now"], "facts": ["18 euros"], "window": 3},
                {"contexts": ["pay 18 euros"], "facts": ["18 euros"], "window": 3},
                {"contexts": ["a b", "18 euros", "c"], "facts": ["18 euros", "c"], "window": 4},
                {"contexts": ["a b", "18 euros", "c"], "facts": ["18 euros", "c"], "window": 5},
                {"contexts": ["a b c", "18 euros"], "facts": ["18 euros"], "window": 2},
                {"contexts": ["18 euros"], "facts": ["18 euros"], "window": 0},
                {"contexts": [], "facts": ["18 euros"], "window": 5},
                {"contexts": ["pay 18", "euros now"], "facts": ["18 euros"], "window": 9},
            ],
            tries=12,
            jointly=True,
            wrongs=[
                Wrong(
                    "window-ignored",
                    "recall in all contexts, whatever the window",
                    SHARE.format("contexts"),
                    "Contexts that don't fit are not read.",
                ),
                Wrong(
                    "one-too-many",
                    "recall in which the context that crosses the end of the window counts",
                    SHARE.format(READ.format("len(' '.join(contexts[:i]).split()) <= window")),
                    "Stop before the first context that does not fit as a whole.",
                ),
                Wrong(
                    "exact-fit-dropped",
                    "recall in which a context that fits exactly is dropped",
                    SHARE.format(READ.format("len(' '.join(contexts[: i + 1]).split()) < window")),
                    "A context that fills the window to the last word fits: stop above the window.",
                ),
                Wrong(
                    "each-by-itself",
                    "recall in the contexts that would fit alone",
                    SHARE.format(READ.format("len(c.split()) <= window")),
                    "The contexts share one window: add up their words.",
                ),
                Wrong(
                    "characters-for-words",
                    "recall within a window of characters",
                    SHARE.format(READ.format("len(' '.join(contexts[: i + 1])) <= window")),
                    "The window is in words: text.split() has the words.",
                ),
            ],
            hints=[
                "Add up the words of the contexts from the top: len(text.split()).",
                "Stop (break) at the first context with which the sum is above the window.",
            ],
        ),
        Question(
            "test_answers",
            OF_HELD,
            answers_and_contexts,
            edges=[
                {  # what is held and not said counts 0, and what is not held counts nothing
                    "says": {"q1": ["fact 1"], "q2": [], "q3": []},
                    "held": {"q1": ["fact 1"], "q2": [], "q3": ["fact 1"]},
                    "facts": {"q1": ["fact 1"], "q2": ["fact 1"], "q3": ["fact 1", "fact 2"]},
                },
                {
                    "says": {"q1": ["fact 1"], "q2": []},
                    "held": {"q1": ["fact 1"], "q2": []},
                    "facts": {"q1": ["fact 1", "fact 2"], "q2": ["fact 1"]},
                },
                {  # each question counts the same, however many facts it has
                    "says": {"q1": ["fact 1", "fact 2"], "q2": ["fact 1"], "q3": ["fact 1"]},
                    "held": {
                        "q1": ["fact 1", "fact 2", "fact 3", "fact 4"],
                        "q2": ["fact 1"],
                        "q3": ["fact 1"],
                    },
                    "facts": {
                        "q1": ["fact 1", "fact 2", "fact 3", "fact 4"],
                        "q2": ["fact 1"],
                        "q3": ["fact 1"],
                    },
                },
                {
                    "says": {"q1": ["fact 1", "fact 2", "fact 3", "fact 4"], "q2": []},
                    "held": {"q1": ["fact 1", "fact 2", "fact 3", "fact 4"], "q2": ["fact 1"]},
                    "facts": {"q1": ["fact 1", "fact 2", "fact 3", "fact 4"], "q2": ["fact 1"]},
                },
                {  # exactly 0.8
                    "says": {"q1": ["fact 1", "fact 2", "fact 3", "fact 4"]},
                    "held": {"q1": ["fact 1", "fact 2", "fact 3", "fact 4", "fact 5"]},
                    "facts": {"q1": ["fact 1", "fact 2", "fact 3", "fact 4", "fact 5"]},
                },
            ],
            title="a test that does not blame the model for the retriever",
            asks="A test requires that the mean, over the questions with at least one held fact, "
            "of the share of held facts that the answer says is at least 0.8. Does it pass?",
            marks=3,
            jointly=True,
            tries=14,
            harness=HARNESS,
            calls="passes",
            packages=("numpy", "irmetrics_edu"),
            wrongs=[
                Wrong(
                    "catches-nothing",
                    "a test that never fails",
                    "True",
                    "A test that can't fail tests nothing: call an assertion with a bound.",
                ),
                Wrong(
                    "fails-always",
                    "a test that always fails",
                    "False",
                    "A good model has to pass, also after a bad retriever.",
                ),
                Wrong(
                    "blames-the-model",
                    "a test of all facts, held or not",
                    f"mean([{OF.format('facts')} for q in facts]) {BOUND}",
                    "A model can't say what it does not read: judge by held, not by facts.",
                ),
                Wrong(
                    "facts-of-all-questions",
                    "a test of the facts of all questions together",
                    f"sum([len([f for f in held[q] if f in says[q]]) for q in held]) / "
                    f"max(1, sum([len(held[q]) for q in held])) {BOUND}",
                    "Each question counts the same: take the share of each, and then the mean.",
                ),
                Wrong(
                    "nothing-held-counts-0",
                    "a test in which a question without a held fact counts 0",
                    f"sum([{OF.format('held')} for q in held if held[q]]) / len(held) {BOUND}",
                    "Where the contexts hold nothing, there is nothing to ask of the model.",
                ),
            ],
            hints=[
                "assert_recall(run, qrels, at_least=0.8): the run is says, the judgments are held.",
                "Judgments: {question: {fact: 1, ...}}, without questions that have no held fact.",
            ],
        ),
        Question(
            "split",
            f"[{SAID}, {HELD}, {USED}, {USED}]",
            two_by_two,
            kind="value",
            title="who lost the nuggets",
            asks="Vital nuggets by cell: used (contexts hold it, answer says it), lost by the "
            "model (held, not said), from memory (not held, said), lost by the retriever "
            "(neither).",
            parts=[
                "recall of nuggets of the answers",
                "r, the share that the contexts hold",
                "u, the share of the held nuggets that the answers say",
                "recall of the answers with a perfect retriever, if u stays",
            ],
            line="value",
            marks=2,
            wrongs=[
                Wrong(
                    "memory-forgotten",
                    "a recall of the answers without the nuggets from memory",
                    f"[used / ({IN_ALL}), {HELD}, {USED}, {USED}]",
                    "The answers also say nuggets that no context holds.",
                ),
                Wrong(
                    "u-of-all",
                    "a share u of all nuggets",
                    f"[{SAID}, {HELD}, used / ({IN_ALL}), used / ({IN_ALL})]",
                    "u is a share of the nuggets that the contexts hold.",
                ),
                Wrong(
                    "perfect-is-1",
                    "a recall of 1 with a perfect retriever",
                    f"[{SAID}, {HELD}, {USED}, 1]",
                    "The model still loses some of what it reads.",
                ),
            ],
            hints=["answer recall = r u + (1 - r) m. With r = 1 only u is left."],
            tolerance=0.0006,
            bonus=True,
        ),
    ],
    [
        ByHand(
            "find_the_flaws",
            "Find the flaws",
            [
                Criterion(
                    "unequal length",
                    1,
                    "The passages of 400 words give the model four times as many words at k = 5, "
                    "so recall rises by itself. Compare within the same number of words. Half a "
                    "point for 'longer passages hold more' without the remedy.",
                ),
                Criterion(
                    "answers can't tell",
                    1,
                    "The score of the answers can't say whether retriever or model lost the facts. "
                    "Ask of each fact whether the contexts hold it and whether the answer says it, "
                    "or measure r and u separately. No point for 'the model is bad' as such.",
                ),
                Criterion(
                    "the impossible number",
                    2,
                    "Answer recall 0.80 is above the recall of the contexts, 0.74: some facts were "
                    "said without a context (memory or a good guess), at least 0.06 of all. So "
                    "'every statement is supported by a context' and these numbers can't both be "
                    "right. "
                    "One point for naming the two numbers, one for the reason.",
                ),
            ],
        ),
    ],
)

# %% tags=["setup"]
from irmetrics_edu.classroom.exercises import begin, check, hint
from irmetrics_edu.gate import assert_recall

# %% [markdown]
# ## 1. Recall of facts
#
# The share of the facts that at least one context holds.


# %% tags=["fact_recall"]
def fact_recall(contexts, facts):
    """The share of the facts that some context holds."""
    ### BEGIN SOLUTION
    return sum(any(fact in text for text in contexts) for fact in facts) / len(facts)
    ### END SOLUTION


# %% tags=["check"]
check("fact_recall", fact_recall)

# %% [markdown]
# ## 2. Recall within a window
#
# The model reads at most `window` words. Fill the window from the top. Stop before the first
# context that does not fit as a whole. Words are what `text.split()` gives.


# %% tags=["recall_in_window"]
def recall_in_window(contexts, facts, window):
    """The recall of facts of the contexts that fit into the window."""
    ### BEGIN SOLUTION
    read, words = [], 0
    for text in contexts:
        words += len(text.split())
        if words > window:
            break
        read.append(text)
    return fact_recall(read, facts)
    ### END SOLUTION


# %% tags=["check"]
check("recall_in_window", recall_in_window)

# %% [markdown]
# ## 3. A test that does not blame the model for the retriever
#
# Each argument maps every question to a list of different facts: `says` has those that the answer
# says, `held` those that the contexts hold, and `facts` all expected ones. Write a test for the
# model. The mean, over the questions with at least one held fact, of the share of held facts that
# the answer says has to be at least 0.8. Use `assert_recall`.


# %% tags=["test_answers"]
def test_answers(says, held, facts):
    """The answers say at least 0.8 of what the contexts hold."""
    ### BEGIN SOLUTION
    judgments = {q: dict.fromkeys(held[q], 1) for q in facts if held[q]}
    assert_recall(says, judgments, at_least=0.8)
    ### END SOLUTION


# %% tags=["check"]
check("test_answers", test_answers)

# %% [markdown]
# ## 4. Find the flaws
#
# Your teacher marks this answer. A team wrote this report:
#
# > We changed the length of our passages from 100 to 400 words. The recall of facts at k = 5 rose
# > from 0.58 to 0.74, so long passages are better. The recall of nuggets of the answers fell from
# > 0.83 to 0.80, so the new language model, which we changed on the same day, is worse. We checked
# > that every statement of the new answers is supported by a context.
#
# Write six to twelve sentences. The facts and the nuggets of this report are the same statements.
#
# 1. Why is the first conclusion not justified? What should the team compare?
# 2. Why is the second conclusion not justified? What should the team measure?
# 3. Two numbers and one sentence of the report can't all be right. Which ones, and why?

# %% [markdown] tags=["find_the_flaws"]
# **The three answers:**
#
# ### BEGIN SOLUTION
# **The first conclusion.** At k = 5 the model reads 500 words with short passages, and 2000 words
# with long ones. Recall rises by itself if the model gets four times as much text. The team should
# compare both lengths within the same number of words, for example 20 short passages and 5 long
# ones.
#
# **The second conclusion.** Two things changed on one day, and the score of the answers does not
# say where a fact was lost. Longer contexts can hide a fact from any model. The team should ask of
# each fact whether the contexts hold it and whether the answer says it, and compare the share u of
# the held facts for the old and the new model with the same contexts.
#
# **What can't be right.** The contexts hold 0.74 of the facts, and the answers say 0.80 of them.
# So at least 0.06 of all facts were said without a context that holds them. Then not every
# statement is supported by a context. The contexts of the old answers have the same problem: 0.58
# and 0.83. Either the support was not checked properly, or one of the two recalls is wrong.
# ### END SOLUTION

# %% [markdown]
# ## For those who want more
#
# These questions are extra. They are not in the time and not in the total above. Right answers earn
# marks beyond the total.

# %% [markdown]
# ### 5. Who lost the nuggets?
#
# These are counts of nuggets, cell by cell of the two-by-two table. Give four numbers to
# three decimals: the recall of nuggets of the answers; $r$, the share that the contexts hold; $u$,
# the share of the held nuggets that the answers say; and the recall of the answers with a perfect
# retriever, if $u$ stays.

# %%
used, lost_by_model, from_memory, lost_by_retriever = spec.given("split")

# %% tags=["split"]
### BEGIN SOLUTION
in_all = used + lost_by_model + from_memory + lost_by_retriever
held = used + lost_by_model
split = [(used + from_memory) / in_all, held / in_all, used / held, used / held]
### END SOLUTION

# %% tags=["check"]
check("split", split)
