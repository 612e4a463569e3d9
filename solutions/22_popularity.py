# %% [markdown]
# # Exercise 22. What everybody is shown: lift, the long tail, and Gini
#
# `lists` maps each user to the items that the user was shown. Write the formulas yourself: loops
# and sums are enough.
#
# **Needs.** Notebook 22. **Time.** 45 minutes. **Marks.** 12.

# %% tags=["spec"]
from irmetrics_edu.classroom.exercises.spec import ByHand, Criterion, Exercise, Question, Wrong


def popular_lists(rng):
    """What some users were shown, what they had chosen, and how popular it all is."""
    popularity = {f"i{n}": p for n, p in enumerate(rng.sample(range(5, 90), 7), 1)}
    items = sorted(popularity, key=lambda i: -popularity[i])
    lists, chosen = {}, {}
    for u in range(1, rng.randint(3, 4) + 1):
        lists[f"u{u}"] = rng.sample(items[:4], 3)  # nobody is shown what they have chosen
        others = [i for i in items if i not in lists[f"u{u}"]]
        chosen[f"u{u}"] = sorted(rng.sample(others, rng.randint(1, 3)))
    return {"lists": lists, "chosen": chosen, "popularity": popularity}


def lists_and_popularity(rng):
    """What some users were shown, and how popular all items are."""
    given = popular_lists(rng)
    everything = list(given["popularity"])
    lists = {user: rng.sample(everything, rng.randint(2, 4)) for user in given["lists"]}
    return {"lists": lists, "popularity": given["popularity"]}


def lists_and_catalogue(rng):
    """What some users were shown, and all items that there are."""
    items = [f"i{n}" for n in range(1, rng.randint(6, 8) + 1)]
    often = items[: rng.randint(3, 5)]
    lists = {f"u{u}": rng.sample(often, rng.randint(1, 3)) for u in range(1, rng.randint(4, 6))}
    lists["u1"] = [*lists["u1"], items[-1]]
    rng.shuffle(items)
    return {"lists": lists, "items": items}


LIFT = "popularity_lift(lists[u], set(chosen[u]), popularity)"
MEAN_SHOWN = "mean([popularity[i] for u in lists for i in lists[u]])"
MEAN_CHOSEN = "mean([popularity[i] for u in lists for i in chosen[u]])"
ABOVE = "sum([popularity[j] for j in popularity if popularity[j] > popularity[i]])"
ALL = "sum([popularity[j] for j in popularity])"
PLACES = "sum([len(lists[u]) for u in lists])"
IN_TAIL = f"[5 * {ABOVE} >= 4 * {ALL} for u in lists for i in lists[u]]"
TAIL_SHOWN = f"len({{i for u in lists for i in lists[u] if 5 * {ABOVE} >= 4 * {ALL}}})"
TAIL_SIZE = f"sum([5 * {ABOVE} >= 4 * {ALL} for i in popularity])"
SHOWN = "{i: sum([i in lists[u] for u in lists]) for i in items}"
SEEN = "{i: sum([i in lists[u] for u in lists]) for u in lists for i in lists[u]}"
COVERAGE = "len({i for u in lists for i in lists[u]}) / len(items)"

spec = Exercise(
    "22",
    "What everybody is shown: lift, the long tail, and Gini",
    [
        Question(
            "lift",
            f"mean([{LIFT} for u in lists])",
            popular_lists,
            edges=[
                {  # less popular than what was chosen
                    "lists": {"u1": ["i1"], "u2": ["i2", "i1"]},
                    "chosen": {"u1": ["i3"], "u2": ["i3"]},
                    "popularity": {"i1": 5, "i2": 15, "i3": 40},
                },
            ],
            title="popularity lift",
            asks="lists maps each user to what was recommended, chosen to what the user had "
            "chosen, and popularity maps each item to how many users know it. The "
            "popularity lift of a user is the mean popularity of the list over that of what "
            "was chosen, less 1. What is the mean of the users' popularity lift?",
            wrongs=[
                Wrong(
                    "ratio-without-1",
                    "the ratio, without taking 1 from it",
                    f"mean([{LIFT} for u in lists]) + 1",
                    "A list that is as popular as what was chosen has the lift 0.",
                ),
                Wrong(
                    "difference",
                    "a difference in popularity",
                    "mean([mean([popularity[i] for i in lists[u]]) - mean([popularity[i] for i in "
                    "chosen[u]]) for u in lists])",
                    "Divide the difference by the popularity of what the user chose.",
                ),
                Wrong(
                    "divided-by-the-list",
                    "a lift that divides by the popularity of the list",
                    "mean([1 - mean([popularity[i] for i in chosen[u]]) / "
                    "mean([popularity[i] for i in lists[u]]) for u in lists])",
                    "What the user chose is what you compare with: divide by it.",
                ),
                Wrong(
                    "pooled",
                    "the lift of all lists taken together",
                    f"{MEAN_SHOWN} / {MEAN_CHOSEN} - 1",
                    "First the lift of each user, then the mean. So each user counts the same.",
                ),
                Wrong(
                    "lift-of-the-group",
                    "the lift of the group: one mean over the users divided by the other",
                    "mean([mean([popularity[i] for i in lists[u]]) for u in lists]) / "
                    "mean([mean([popularity[i] for i in chosen[u]]) for u in lists]) - 1",
                    "The notebook has this number, too. Here: each user's lift, then the mean.",
                ),
            ],
            hints=["For each user: mean popularity of the list / that of what was chosen - 1."],
        ),
        Question(
            "tail_share",
            f"sum({IN_TAIL}) / {PLACES}",
            lists_and_popularity,
            edges=[
                {  # the head has exactly 80 %
                    "lists": {"u1": ["a", "b"], "u2": ["b"]},
                    "popularity": {"a": 8, "b": 2},
                },
                {  # one item is all
                    "lists": {"u1": ["a"]},
                    "popularity": {"a": 2},
                },
                {  # the head has all items
                    "lists": {"u1": ["b"]},
                    "popularity": {"a": 2, "b": 1},
                },
                {  # all that is shown is of the tail
                    "lists": {"u1": ["c"], "u2": ["b"]},
                    "popularity": {"c": 1, "a": 97, "b": 2},
                },
            ],
            title="the long tail",
            asks="The head has the fewest items that together have at least 80 % of the "
            "popularity. The other items are the long tail. lists maps each user to what was "
            "recommended. Which share of all places in the lists goes to items of the long tail?",
            wrongs=[
                Wrong(
                    "share-of-the-head",
                    "the share of the head",
                    f"1 - sum({IN_TAIL}) / {PLACES}",
                    "The long tail is what is not in the head.",
                ),
                Wrong(
                    "each-item-once",
                    "the share of the tail's items that anybody is shown",
                    f"{TAIL_SHOWN} / {TAIL_SIZE} if {TAIL_SIZE} else 0",
                    "Count places: an item in two lists counts twice.",
                ),
                Wrong(
                    "tail-by-number-of-items",
                    "a head of a fifth of the items",
                    "sum([5 * len([j for j in popularity if popularity[j] > popularity[i]]) >= "
                    f"len(popularity) for u in lists for i in lists[u]]) / {PLACES}",
                    "The head has 80 % of the popularity, however many items this takes.",
                ),
                Wrong(
                    "head-one-item-short",
                    "a head that ends before it has 80 %",
                    f"sum([5 * ({ABOVE} + popularity[i]) > 4 * {ALL} for u in lists for i in "
                    f"lists[u]]) / {PLACES}",
                    "The item with which the head reaches 80 % is in the head.",
                ),
            ],
            hints=[
                "Sort the items from the most popular one. Add up until you have 80 % of the sum.",
                "Then count the places of all lists whose item is not among them.",
            ],
        ),
        Question(
            "spread",
            f"[{COVERAGE}, gini({SHOWN})]",
            lists_and_catalogue,
            edges=[
                {"lists": {"u1": ["a"], "u2": ["a"]}, "items": ["b", "a", "c"]},
                {"lists": {"u1": ["a"], "u2": ["b"]}, "items": ["a", "b"]},
                {"lists": {"u1": ["a", "b"], "u2": ["b"]}, "items": ["b", "a"]},
            ],
            title="coverage and Gini",
            asks="lists maps each user to what was recommended, and items are all items of the "
            "catalogue. What are the catalogue coverage, and the Gini coefficient of the number of "
            "lists in which each item is? Items that are in no list count, too.",
            parts=["catalogue coverage", "the Gini coefficient"],
            line="measure",
            marks=3,
            jointly=True,
            wrongs=[
                Wrong(
                    "items-shown-only",
                    "a Gini coefficient of the items that are in a list",
                    f"[{COVERAGE}, gini({SEEN})]",
                    "An item that nobody is shown has the exposure 0, and counts.",
                ),
                Wrong(
                    "divided-by-n-less-1",
                    "a Gini coefficient that divides by n - 1",
                    f"[{COVERAGE}, gini({SHOWN}) * len(items) / (len(items) - 1)]",
                    "The formula of the notebook divides by n times the sum.",
                ),
                Wrong(
                    "places-for-coverage",
                    "a coverage that counts places, not items",
                    f"[sum([len(lists[u]) for u in lists]) / len(items), gini({SHOWN})]",
                    "Count each item once.",
                ),
                Wrong(
                    "sorted-the-other-way",
                    "a Gini coefficient of exposures that rise where they should fall",
                    f"[{COVERAGE}, -gini({SHOWN})]",
                    "Sort the exposures from the lowest to the highest.",
                ),
            ],
            hints=[
                "Count for each item of the catalogue in how many lists it is.",
                "Sort the counts. The first one is multiplied by 1 - n, the next one by 3 - n.",
                "Divide by n times the sum of the counts.",
            ],
        ),
    ],
    [
        ByHand(
            "the_report",
            "A report on popularity",
            [
                Criterion(
                    "coverage",
                    1,
                    "Coverage counts an item that one user sees once. The Gini coefficient rose, "
                    "so the items are shown less evenly than before. Half a point if only one of "
                    "the two is said.",
                ),
                Criterion(
                    "lift",
                    1,
                    "The lift of the group fell, but the users who choose rare albums get a higher "
                    "lift than before (0.9 after 0.4). A mean over all users hides them. Half a "
                    "point for 'a lift near 0 says nothing', with a reason.",
                ),
                Criterion(
                    "precision",
                    1,
                    "The most popular albums have the same precision (0.11) as the new version, so "
                    "its precision does not show that it learned the users' taste.",
                ),
                Criterion(
                    "proposal",
                    2,
                    "One point for a measurement or a change that fits: Gini with all items, lifts "
                    "by group of users, PSP, or random sessions, with what it would show. One "
                    "point for what it costs or can't show.",
                ),
            ],
        ),
    ],
)

# %% tags=["setup"]
from irmetrics_edu.classroom.exercises import begin, check, hint

# %% [markdown]
# ## 1. Popularity lift
#
# `lists` maps users to the items that they were shown, `chosen` maps the same users to the items
# that they had chosen, none of them twice, and `popularity` maps items to numbers of users. Compute
# the mean of the users' popularity lift.


# %% tags=["lift"]
def lift(lists, chosen, popularity):
    """The mean over users of how much more popular the list is than what the user chose."""
    ### BEGIN SOLUTION
    total = 0.0
    for user, shown in lists.items():
        of_list = sum(popularity[i] for i in shown) / len(shown)
        of_chosen = sum(popularity[i] for i in chosen[user]) / len(chosen[user])
        total += of_list / of_chosen - 1
    return total / len(lists)
    ### END SOLUTION


# %% tags=["check"]
check("lift", lift)

# %% [markdown]
# ## 2. The long tail
#
# `popularity` maps all items to numbers of users, no two alike and none 0. The head has the fewest
# items that together have at least 80 % of the sum of these numbers. The other items are the long
# tail. No list has an item twice. Which share of all places in the lists goes to items of the long
# tail?


# %% tags=["tail_share"]
def tail_share(lists, popularity):
    """The share of the places in the lists that have items of the long tail."""
    ### BEGIN SOLUTION
    head = set()
    reached = 0
    for item in sorted(popularity, key=lambda item: -popularity[item]):
        if 5 * reached < 4 * sum(popularity.values()):
            head.add(item)
        reached += popularity[item]
    places = [item for shown in lists.values() for item in shown]
    return sum(item not in head for item in places) / len(places)
    ### END SOLUTION


# %% tags=["check"]
check("tail_share", tail_share)

# %% [markdown]
# ## 3. Coverage and Gini
#
# `items` are all items of the catalogue. No list has an item twice. Compute the catalogue coverage,
# and the Gini coefficient of the number of lists in which each item is. Items that are in no list
# count, too. Return both in a list.


# %% tags=["spread"]
def spread(lists, items):
    """Catalogue coverage, and the Gini coefficient of the exposure."""
    ### BEGIN SOLUTION
    counts = sorted(sum(item in shown for shown in lists.values()) for item in items)
    n = len(counts)
    weighted = sum((2 * i - n - 1) * x for i, x in enumerate(counts, 1))
    return [sum(x > 0 for x in counts) / n, weighted / (n * sum(counts))]
    ### END SOLUTION


# %% tags=["check"]
check("spread", spread)

# %% [markdown]
# ## 4. A report on popularity
#
# Your teacher marks this answer. A shop for music writes about the new version of its recommender:
#
# | | old | new | most popular albums |
# |---|---:|---:|---:|
# | precision at 10 | 0.10 | 0.11 | 0.11 |
# | catalogue coverage | 0.40 | 0.90 | 0.01 |
# | Gini coefficient of the exposure | 0.70 | 0.85 | 0.99 |
# | popularity lift of the group | 0.20 | 0.05 | 0.60 |
# | popularity lift of the tenth of users who choose the rarest albums | 0.40 | 0.90 | 3.00 |
#
# *"The new version is better. It shows nearly the whole catalogue, and it has almost no popularity
# bias."* Write six to ten sentences.
#
# 1. Is the catalogue shown more evenly than before?
# 2. Has the new version almost no popularity bias?
# 3. What does its precision show?
# 4. What would you measure or change next? What would it cost, or not show?

# %% [markdown] tags=["the_report"]
# **Evenness, bias, precision, and the next step:**
#
# ### BEGIN SOLUTION
# **Evenness.** No. More albums are shown to somebody, because coverage rose. But coverage counts an
# album that one user sees once. The Gini coefficient rose from 0.70 to 0.85, so the exposure is
# spread less evenly than before.
#
# **Bias.** Not for all. The lift of the group is near 0. But the users who choose the rarest albums
# get lists that are nearly twice as popular as their choices: their lift rose from 0.40 to 0.90.
# The mean over all users hides them.
#
# **Precision.** The most popular albums, the same for everybody, have 0.11 as well. So 0.11 does
# not show that the new version learned what each user likes.
#
# **Next.** I would draw the order at random in a small share of the sessions. The clicks of these
# sessions show whether users like the rare albums if they see them. It costs some clicks, because
# some users see worse lists. It does not show what users would like after they know an album
# better.
# ### END SOLUTION
