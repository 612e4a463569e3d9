# %% [markdown]
# # 26. Experiments online: A/B tests, and what a log can tell
#
# **Goals.** After this notebook you can
#
# - choose the unit of an A/B test and its number of users, and check that the groups are sound;
# - shrink the noise by what you know of the users, and look early without false alarms;
# - estimate from an old log how a new ranker would do, and say when nobody can.
#
# **Time.** 60 minutes. **Needs.** Notebook 18 (clicks), notebook 7 (t-test, non-inferiority).

# %%
from math import erfc, sqrt
from statistics import NormalDist

import matplotlib.pyplot as plt
import numpy as np
from scipy.special import stdtr

from irmetrics_edu import explain
from irmetrics_edu.course import predict, quiz, reading, reveal, slider, table, terms
from irmetrics_edu.lab import Chance, difference, ips, snips, users_needed
from irmetrics_edu.views import plotting

# %% [markdown]
# Interleaving says which ranking users prefer (notebook 18). Before you release a ranker you want
# to know more: do users find what they need, do they come back, and what does it cost? All users
# here are simulated, so you know the truth. These are the words of this chapter:

# %%
terms("A/B test", "propensity", "support")

# %% [markdown]
# ## A/B tests: the unit of randomisation
#
# An A/B test draws the group of each **unit of randomisation** by a coin (Kohavi et al. 2020).
# Usually the unit is a user: then a user always sees the same ranker. The difference of the means
# has a standard error, and their quotient $t$ says whether chance explains it:
#
# $$t = \frac{\bar{x}_B - \bar{x}_A}{\sqrt{s_A^2/n_A + s_B^2/n_B}}$$
#
# In words: take the difference of both means $\bar{x}$. Divide it by the root of the sum of both
# variances $s^2$, each over its number $n$ of units. The variance of few units is uncertain, so $t$
# is compared with Student's t distribution, whose tails are heavier than the normal ones. How heavy
# depends on the **degrees of freedom**: the number of independent differences from which a variance
# is estimated. A group of $n$ units has $n-1$. For two groups Welch's number lies between that of
# the smaller group and that of both together. The tails are nearly normal from 30 or so on. His
# formula uses the two parts under the root, $v_A = s_A^2/n_A$ and $v_B = s_B^2/n_B$:
#
# $$f = \frac{(v_A + v_B)^2}{v_A^2/(n_A-1) + v_B^2/(n_B-1)}$$

# %%
group_a, group_b = np.array([0, 2, 1, 0, 3, 1]), np.array([2, 3, 1, 2, 4, 2])
of_a, of_b = group_a.var(ddof=1) / 6, group_b.var(ddof=1) / 6
t = (group_b.mean() - group_a.mean()) / np.sqrt(of_a + of_b)
freedom = (of_a + of_b) ** 2 / (of_a**2 / 5 + of_b**2 / 5)
by_hand = 2 * stdtr(freedom, -abs(t))
assert np.isclose(by_hand, difference(group_a, group_b)["p-value"])
explain(difference(group_a, group_b))

# %% [markdown]
# (Six users a group are for paper only: see how few degrees of freedom they leave.)
#
# Each user has several sessions. Why not count sessions? Then there are ten times as many numbers.
# Try it in an **A/A test**: both groups get the same ranker, so every alarm is a false alarm. There
# are 200 users in each group with ten sessions each. Half of the users click in 10 % of their
# sessions, and the other half in 50 %.

# %%
predict(
    "A test at the level 0.05 gives a false alarm in 5 of 100 A/A tests. Here each session counts "
    "as a unit. In how many of 100 A/A tests do you expect a false alarm?"
)

# %%
chance = Chance(0)
RATES = np.where(chance.uniform(1000, 2, 200) < 0.5, 0.1, 0.5)
per_session = chance.uniform(1000, 2, 200, 10) < RATES[..., None]


def false_alarms(values):
    """The share of A/A tests whose p-value is below 0.05; values by test, group and unit."""
    mean, square = values.mean(axis=2), values.var(axis=2, ddof=1) / values.shape[2]
    z = (mean[:, 1] - mean[:, 0]) / np.sqrt(square.sum(axis=1))
    return float((abs(z) > 1.96).mean())


units = {
    "session": false_alarms(per_session.reshape(1000, 2, -1)),
    "user": false_alarms(per_session.mean(axis=3)),
}
reveal(
    table(
        {"unit": units, "false alarms": units.values()},
        digits=3,
        caption="The ten sessions of a user are alike. They say less than ten sessions of ten "
        "users, and the test does not know. Count the units that you randomised. The users' share "
        "lies around 0.05 by chance: in 30 draws of such tests it goes from 0.03 to 0.07.",
    )
)

# %% [markdown]
# The fault is the mismatch. If the coin is thrown for each *session*, and sessions are counted,
# then the test has its level again, although sessions of a user are alike:

# %%
chance = Chance(1)
heavy = np.where(chance.uniform(1000, 400) < 0.5, 0.1, 0.5)[..., None]
clicked = chance.uniform(1000, 400, 10) < heavy
thrown = {
    "each user": chance.uniform(1000, 400, 1) < np.full(10, 0.5),
    "each session": chance.uniform(1000, 400, 10) < 0.5,
}


def alarms_by_session(in_b):
    """The share of A/A tests with a false alarm, where sessions are counted."""
    z = []
    for clicks, group in zip(clicked, in_b, strict=True):
        a, b = clicks[~group], clicks[group]
        z.append((b.mean() - a.mean()) / np.sqrt(a.var(ddof=1) / len(a) + b.var(ddof=1) / len(b)))
    return float((np.abs(z) > 1.96).mean())


table(
    {
        "a coin for": list(thrown),
        "false alarms, sessions counted": [alarms_by_session(g) for g in thrown.values()],
    },
    digits=3,
    caption="1,000 A/A tests each, of 400 users with ten sessions.",
)

# %% [markdown]
# But a user who gets another ranker in each session sees both. So a coin for each session can't
# tell which ranker makes users come back.

# %% [markdown]
# ## Sample ratio mismatch: are the groups as large as expected?
#
# You sent each user to a group by a coin. So both groups should have about the same size. If they
# have not, something is wrong: users of one group were lost, or robots were counted in one. This
# is a **sample ratio mismatch** (Fabijan et al. 2019). The chi-squared test finds it:
#
# $$\chi^2 = \sum_g \frac{(n_g - \mathrm{expected}_g)^2}{\mathrm{expected}_g}$$
#
# In words: for each group $g$ take the difference between the users that it has and the users that
# you expect. Square it, divide by the expected number, and add up.

# %%
predict(
    "10,000 users were drawn by a fair coin. 5,200 are in group A, and 4,800 in group B. What is "
    "the value of the test?",
    200**2 / 5000 + 200**2 / 5000,
    mistaken={
        8: "Either that is one group: add both. Or you divided by 10,000: a group expects 5,000.",
        4: "That is one group, divided by 10,000. Add both groups; each expects 5,000.",
    },
)

# %%
chi = 200**2 / 5000 + 200**2 / 5000
reveal(
    f"It is {chi:.0f}, with p = {erfc(sqrt(chi / 2)):.5f} for one degree of freedom. A fair coin "
    "hardly does that. Find the fault before you read any other number of this test: the users who "
    "are missing may differ from the others."
)

# %% [markdown]
# A second check is for harm. A **guardrail** is a measure that must not get worse, such as the time
# to answer or the number of complaints. Test each guardrail for non-inferiority, with a margin that
# you chose before (notebook 7).
#
# ## CUPED: less noise by data from before the test
#
# Some users click much, and did so last month. This part of the noise can be removed. Let $x$ be a
# user's clicks before the test, and $y$ the clicks during it. **CUPED** (Deng et al. 2013) tests
#
# $$y' = y - \theta\,(x - \bar{x}) \qquad \theta = \frac{\mathrm{cov}(x, y)}{\mathrm{var}(x)}$$
#
# In words: the **covariance** $\mathrm{cov}(x, y)$ is the mean product of the distances of $x$ and
# $y$ from their means. It is above 0 if users with a large $x$ tend to have a large $y$. Divided by
# both standard deviations it is the **correlation** $\rho$, which lies between -1 and 1. So
# subtract what the time before lets you expect. The difference of the groups stays the same on
# average, because the groups were drawn without regard to $x$. The variance falls to $1 - \rho^2$
# of what it was.

# %%
predict(
    "The correlation of the clicks before and during the test is 0.7. Which share of the variance "
    "is left?",
    1 - 0.7**2,
    mistaken={
        0.49: "That is the share that goes: 0.7 squared.",
        0.3: "Square the correlation first.",
    },
)

# %%
chance = Chance(2)
habit = 10 * chance.uniform(2000)
x, y = habit + 6.5 * chance.uniform(2000), habit + 6.5 * chance.uniform(2000)
y[1000:] += 0.3  # the treatment helps
theta = np.cov(x, y)[0, 1] / x.var(ddof=1)
adjusted = y - theta * (x - x.mean())
assert np.isclose(adjusted.var() / y.var(), 1 - np.corrcoef(x, y)[0, 1] ** 2)
both = {
    "clicks": difference(y[:1000], y[1000:]),
    "CUPED": difference(adjusted[:1000], adjusted[1000:]),
}
reveal(
    table(
        {
            "test of": both,
            "difference": [found.value for found in both.values()],
            "standard error": [found["standard error"] for found in both.values()],
            "p": [found["p-value"] for found in both.values()],
        },
        digits=3,
        caption="0.51 for a correlation of 0.7. These 2,000 made users have such a correlation, "
        "and the true difference is 0.3. The standard error falls as if there were twice as many "
        "users.",
    )
)

# %% [markdown]
# ## How many users do you need, and when may you look?
#
# Decide how many users you need before you start. Say that 30 % of the users click. You want to
# find a lift of two percentage points with power 0.8, at the level 0.05. For each group you need
#
# $$n = \frac{(z_{0.975} + z_{0.8})^2 \left[p_A(1-p_A) + p_B(1-p_B)\right]}{(p_B - p_A)^2}$$
#
# In words: the $z$ are **quantiles** of the normal distribution, 1.96 and 0.84. (The 0.975 quantile
# is the number below which 97.5 % of the distribution lie.) Square their sum,
# multiply it by the sum of the variances of both rates $p$, and divide by the squared lift.

# %%
before, after = 0.30, 0.32
z = NormalDist().inv_cdf(0.975) + NormalDist().inv_cdf(0.8)
by_hand = z**2 * (before * (1 - before) + after * (1 - after)) / (after - before) ** 2
assert np.isclose(np.ceil(by_hand), users_needed(0.30, 0.02))
users_needed(0.30, 0.02)

# %%
predict(
    "You want to find a lift of one point in place of two. About how many times as many users do "
    "you need?",
    2**2,
    mistaken={
        2: "The lift is squared in the formula, so half of it costs more than twice as many."
    },
)

# %%
reveal(f"Four times as many, about: {users_needed(0.30, 0.01):,} users in each group.")

# %% [markdown]
# **Peeking.** A manager looks at the p-value every day, and stops the test as soon as it is below
# 0.05. This seems harmless, because each look is a proper test. Here are A/A tests again: 500 of
# them, with 2,000 users a group. A manager looks at them 1, 2, 5, 10 or 20 times, evenly spread.

# %%
LOOKS = [1, 2, 5, 10, 20]
normal = np.random.default_rng(0).normal(size=(50_000, 20))


def highest(looks):
    """The largest |z| of so many looks, for 50,000 tests without any difference."""
    return np.abs(normal[:, :looks].cumsum(axis=1) / np.sqrt(np.arange(1, looks + 1))).max(axis=1)


THEORY = {looks: float((highest(looks) > 1.96).mean()) for looks in LOOKS}
predict(
    "Of 100 A/A tests at the level 0.05, about how many seem significant at least once in 10 "
    "looks?",
    100 * THEORY[10],
    between=(16, 23),
    mistaken={
        5: "That is for one look.",
        50: "The looks use the same users again and again, so the ten chances are not added.",
        40: "That is 1 - 0.95^10, for looks at ten different sets of users.",
    },
)

# %%
chance = Chance(3)
per_user = chance.uniform(500, 2, 2000) < 0.3
so_far = per_user.cumsum(axis=2)
POCOCK = {1: 1.960, 2: 2.178, 5: 2.413, 10: 2.555, 20: 2.672}


def z_after(users):
    """The value of z of each A/A test, after so many users a group."""
    mean = so_far[:, :, users - 1] / users
    return (mean[:, 1] - mean[:, 0]) / np.sqrt((mean * (1 - mean)).sum(axis=1) / users)


def looked_at(looks):
    """The users at each look, and |z| of each A/A test there."""
    users = 2000 * np.arange(1, looks + 1) // looks
    return users, abs(z_after(users))


found = {looks: looked_at(looks)[1].max(axis=1) for looks in LOOKS}
alarms = {looks: float((most > 1.96).mean()) for looks, most in found.items()}
bounded = {looks: float((most > POCOCK[looks]).mean()) for looks, most in found.items()}
reveal(
    table(
        {
            "looks": LOOKS,
            "1.96 at each look": alarms.values(),
            "by theory": THEORY.values(),
            "Pocock's bound": POCOCK.values(),
            "false alarms with it": bounded.values(),
        },
        digits=3,
        caption="The share of the 500 A/A tests with a false alarm, and what theory gives.",
    )
)
assert all(abs(np.quantile(highest(n), 0.95) - bound) < 0.03 for n, bound in POCOCK.items())

# %% [markdown]
# The theory is short. Without a difference each new batch of users adds a normal random number $X$
# to a sum. After $k$ batches of equal size $z$ is $(X_1 + \dots + X_k)/\sqrt{k}$. The column *by
# theory* is the share of 50,000 such walks that pass 1.96 at a look. **Pocock's bound** $c$ is the
# number that only 5 % of the walks pass:
#
# $$P\Bigl(\max_{k \le K} \frac{|X_1 + \dots + X_k|}{\sqrt{k}} > c\Bigr) = 0.05$$
#
# In words: take the largest $|z|$ of all $K$ looks. $c$ is its 0.95 quantile.

# %% [markdown]
# Here are 40 of these tests. Each line is one test and shows $z$, the difference over its standard
# error. The p-value is below 0.05 if $z$ is above 1.96 or below -1.96. Short strokes at the bottom
# mark the looks. Move the slider: the data never change, only the manager looks more often. Which
# lines are false alarms, and where do they end?


# %%
def peeking(looks):
    """The paths of z of 40 A/A tests; those that pass 1.96 at a look are alarms."""
    drawn, axes = plt.subplots(figsize=(6.4, 3.8), layout="constrained")
    users = np.arange(100, 2001, 50)
    paths = z_after(users)[:40]
    at, seen = looked_at(looks)
    alarm = (seen[:40] > 1.96).any(axis=1)
    axes.plot(users, paths[~alarm].T, color="0.75", linewidth=0.7)
    axes.plot(users, paths[alarm].T, color=plotting.PALETTE[1], linewidth=1.5)
    axes.plot([], [], color=plotting.PALETTE[1], linewidth=1.5, label="false alarm")
    for bound, style, label in ((1.96, "--", "±1.96"), (POCOCK[looks], ":", "Pocock's bound")):
        for side in (bound, -bound):
            axes.axhline(side, color="black", linestyle=style, label=label if side > 0 else None)
    axes.plot(at, np.full(len(at), -3.7), "k|", markersize=10, label="look")
    axes.set(xlabel="users in each group", ylabel="z", ylim=(-4, 4), xlim=(0, 2020))
    axes.set_title(f"looks: {looks}, false alarms in {alarm.sum()} of 40 A/A tests")
    drawn.legend(loc="outside lower center", ncols=4, frameon=False)
    return drawn


def peeking_in_words(looks):
    """How many paths are alarms."""
    alarm = (looked_at(looks)[1][:40] > 1.96).any(axis=1).sum()
    return (
        f"Looks: {looks}. Forty paths of z wander around 0. Those that were beyond 1.96 at a look "
        f"are marked: {alarm}."
    )


slider(peeking, name="looks", values=LOOKS, start=1, alt=peeking_in_words)

# %% [markdown]
# Each look is one more chance to be unlucky. Of these 40 tests two are false alarms with one look,
# and nine are with twenty looks. Seven of the nine lines end inside the bounds. So fix the number
# of users first, and test once. If you have to look earlier, use a **sequential test**. Pocock's
# (1977) is the simplest one: decide before how many looks there will be, and use a higher bound at
# each of them. With ten looks $|z|$ must be above 2.555 in place of 1.96. The last column of the
# table shows that the false alarms stay near 5 %. The price: to find a true difference you need
# more users.
#
# ### Look whenever you like: anytime-valid tests
#
# Pocock's bound needs the number of looks before. An **anytime-valid** test does not need it: look
# after each user, and stop when you like (Johari et al. 2022). Its bound on $|z|$ depends on the
# number of users so far. The idea is a bet. You start with 1 euro and bet against "no difference".
# If there is no difference, your bets gain nothing on average. Then you ever reach 20 euros with
# probability 1/20 at most. So stop and report a difference once you have 20 euros. With bets on
# effects that are normal around 0 with the standard deviation $\tau$, your capital is
#
# $$\Lambda = \sqrt{\frac{v}{v + \tau^2}} \; \exp\left(\frac{z^2\,\tau^2}{2\,(v + \tau^2)}\right)$$
#
# In words: $v$ is the squared standard error of the difference so far. A large $z$ makes you rich.
# Report a difference once $\Lambda$ is at least $1/0.05 = 20$. Choose $\tau$ before, about as large
# as the effect that you hope for. The promise is for a $v$ that you know. Here $v$ is estimated,
# and with few users badly, so the first look is at 50 users. With looks from the second user on and
# $\tau=0.3$ about one in ten A/A tests has a false alarm.

# %%
EVERY = np.arange(50, 2001)  # from the 50th user of each group on, after every user
HOPED = 0.03


def capital(rates):
    """The capital of the bet, of each test at each look, for a log of clicks by group."""
    mean = rates.cumsum(axis=2)[:, :, EVERY - 1] / EVERY
    v = (mean * (1 - mean)).sum(axis=1) / EVERY
    z = (mean[:, 1] - mean[:, 0]) / np.sqrt(v)
    return z, np.sqrt(v / (v + HOPED**2)) * np.exp(z**2 * HOPED**2 / (2 * (v + HOPED**2)))


chance = Chance(4)
better = chance.uniform(500, 2, 2000) < np.array([0.30, 0.34])[:, None]
predict(
    "A manager looks after every single user, almost 2,000 times. In which share of the A/A tests "
    "does the anytime-valid test give a false alarm? More or less than 0.05?"
)

# %%
shown = {}
for name, log in {"A/A": per_user, "lift of 0.04": better}.items():
    z, bet = capital(log)
    shown[name] = [
        float((abs(z[:, -1]) > 1.96).mean()),
        float((abs(z) > 1.96).any(axis=1).mean()),
        float((bet >= 20).any(axis=1).mean()),
    ]
reveal(
    table(
        {
            "rule": ["1.96, once, at the end", "1.96, after every user", "anytime-valid"],
            "false alarms, A/A": shown["A/A"],
            "finds a lift of 0.04": shown["lift of 0.04"],
        },
        digits=3,
        caption="The share of 500 tests. The anytime-valid test keeps its promise however often "
        "you look. The price is power: at the end it finds a lift less often than one look does.",
    )
)

# %% [markdown]
# ## Off-policy evaluation: judge a new ranker from an old log
#
# Every test so far showed a new ranker to users. Can you judge it without that, from last month's
# log? A click under the old ranker says nothing about a list that the user never saw. But if the
# old system chose **at random** among lists, some users saw what the new ranker would choose.
#
# An example. For one query there are three lists: X, Y and Z. The old system chose X with the
# probability 0.6, Y with 0.3, and Z with 0.1. A new system would choose them with 0.1, 0.2 and 0.7.
# Such a rule is a **policy**. Here are five lines of the log:

# %%
OLD_POLICY = {"X": 0.6, "Y": 0.3, "Z": 0.1}
NEW_POLICY = {"X": 0.1, "Y": 0.2, "Z": 0.7}
lists, reward = ["Y", "X", "X", "Z", "Y"], np.array([1, 0, 0, 1, 0])
logged = np.array([OLD_POLICY[one] for one in lists])
new = np.array([NEW_POLICY[one] for one in lists])
weight = new / logged
table({"list": lists, "click": reward, "old": logged, "new": new, "weight": weight}, digits=2)

# %% [markdown]
# The new policy would show Z seven times as often as the old one did. So one line with Z stands for
# seven. This is the **inverse propensity score** (IPS; Horvitz & Thompson 1952, for samples of a
# population). The *propensity* is the old probability.
#
# $$\hat{V}_{\mathrm{IPS}} = \frac{1}{n} \sum_{t=1}^{n} r_t \, w_t
# \qquad w_t = \frac{\pi(a_t)}{\pi_0(a_t)}$$
#
# In words: $r_t$ is the reward of line $t$, here 1 for a click. Its weight $w_t$ is the probability
# of its choice $a_t$ under the new policy $\pi$, over that under the logging policy $\pi_0$.
# Multiply rewards by weights, and take the mean over all $n$ lines.

# %%
by_ips = (reward * weight).sum() / len(reward)
assert np.isclose(by_ips, ips(reward, logged, new).value)
explain(ips(reward, logged, new), digits=2)

# %% [markdown]
# IPS says 1.53 clicks per user, but at most one click was possible. One lucky line with a large
# weight did that. The working warns of it: there are 1.5 *effective choices* (the effective sample
# size). With such weights five lines say as much as one or two lines of equal weights.
#
# The **self-normalised** estimate (SNIPS; Swaminathan & Joachims 2015) divides by the sum of the
# weights in place of $n$. It is a weighted mean, so it can't leave the range of the rewards.

# %%
predict(
    "What is SNIPS of the five lines? Divide the sum of weighted rewards by the sum of weights.",
    float(snips(reward, logged, new).value),
    mistaken={
        float(by_ips): "That is IPS. Divide by the sum of the weights, not by 5.",
        0.4: "That is the click rate of the old policy.",
    },
)

# %%
by_hand = (reward * weight).sum() / weight.sum()
assert np.isclose(by_hand, snips(reward, logged, new).value)
reveal(explain(snips(reward, logged, new), digits=2))

# %% [markdown]
# Five lines are few. Look at 300 logs of 200 lines each. Users click X, Y and Z with the
# probabilities 0.2, 0.4 and 0.6. So you know the truth: the new policy would get 0.52 clicks per
# user. **Clipping** is a third idea: no weight may exceed a bound. The estimates then spread less,
# but their mean moves away from the truth.

# %%
CLICKED = {"X": 0.2, "Y": 0.4, "Z": 0.6}
TRUTH = sum(NEW_POLICY[one] * CLICKED[one] for one in "XYZ")


def a_log(policy, chance, lines=200):
    """Rewards and choices of a log under a policy."""
    bounds = np.cumsum(list(policy.values()))[:-1]
    chosen = np.searchsorted(bounds, chance.uniform(lines), side="right")
    rewards = chance.uniform(lines) < np.array(list(CLICKED.values()))[chosen]
    return rewards, chosen


def probabilities(policy, chosen):
    """The probability of each choice under a policy."""
    return np.array(list(policy.values()))[chosen]


MODEL = np.array([0.3, 0.3, 0.5])  # a rough guess of the clicks on X, Y and Z


def doubly_robust(rewards, chosen):
    """The model's value of the new policy, plus the weighted errors of the model."""
    weights = probabilities(NEW_POLICY, chosen) / probabilities(OLD_POLICY, chosen)
    value = MODEL @ list(NEW_POLICY.values())
    return float(value + (weights * (rewards - MODEL[chosen])).mean())


of_old = Chance(5)
logs = [a_log(OLD_POLICY, of_old) for _ in range(300)]
given = [(r, probabilities(OLD_POLICY, c), probabilities(NEW_POLICY, c)) for r, c in logs]
methods = {
    "click rate of the log": [float(r.mean()) for r, _, _ in given],
    "IPS": [ips(*log).value for log in given],
    "IPS, weights up to 4": [ips(*log, clip=4).value for log in given],
    "IPS, weights up to 2": [ips(*log, clip=2).value for log in given],
    "SNIPS": [snips(*log).value for log in given],
    "doubly robust": [doubly_robust(*log) for log in logs],
}
table(
    {
        "estimate": methods,
        "mean": [float(np.mean(values)) for values in methods.values()],
        "truth": [TRUTH] * len(methods),
        "standard deviation": [float(np.std(values)) for values in methods.values()],
    },
    digits=2,
)

# %% [markdown]
# The click rate of the log is about the old policy, so it is no answer at all. IPS is right on
# average. SNIPS has a bias, too small to see here, and a smaller spread. Clipping makes the spread
# small, but the bias large. (Position bias in notebook 18 was corrected in the same way:
# examination is the propensity with which a document was seen.)
#
# The last row starts from a model of the clicks, here a rough guess of 0.3, 0.3 and 0.5:
#
# $$\hat{V}_{\mathrm{DR}} = \sum_a \pi(a)\,\hat{r}(a) +
# \frac{1}{n} \sum_{t=1}^{n} w_t \bigl(r_t - \hat{r}(a_t)\bigr)$$
#
# In words: take the value of the new policy by the model $\hat{r}$. Then add the mean of the
# model's errors on the log, weighted as in IPS. This is the **doubly robust** estimate (Dudík et
# al. 2011). It is right on average if the propensities are right *or* the model is.
#
# A real engine chooses among very many lists, a **slate** of documents each time, and each list is
# rare in the log. Then all of these weights are huge. Estimates for slates assume that the reward
# is a sum over the documents, and weigh each document by itself (Swaminathan et al. 2017).
#
# ## Policies without support
#
# What if the old system never showed Z? Then the log holds nothing about Z. The old policy has no
# **support** for what the new policy would do.

# %%
predict(
    "The new policy shows Z with the probability 0.7, and its true value is 0.52. The old policy "
    "never shows Z, and the log has 5,000 lines. Is IPS too low, right, or too high?"
)

# %%
NEVER_Z = {"X": 0.7, "Y": 0.3, "Z": 0.0}
r, c = a_log(NEVER_Z, Chance(6), 5000)
blind = (r, probabilities(NEVER_Z, c), probabilities(NEW_POLICY, c))
r, c = a_log(OLD_POLICY, Chance(7), 5000)
seen = (r, probabilities(OLD_POLICY, c), probabilities(NEW_POLICY, c))
both = {"shows Z at times": seen, "never shows Z": blind}
reveal(
    table(
        {
            "old policy": both,
            "IPS": [ips(*log).value for log in both.values()],
            "standard error": [ips(*log)["standard error"] for log in both.values()],
            "SNIPS": [snips(*log).value for log in both.values()],
            "mean weight": [ips(*log)["mean weight"] for log in both.values()],
            "truth": [TRUTH] * 2,
        },
        digits=3,
        caption="Without support IPS is far too low, and its standard error is small all the same. "
        "The mean weight shows it: it should be about 1, and it is about 0.3.",
    )
)

# %% [markdown]
# So an estimate from logs needs four things:
#
# - **chance**: the old system chose at random, at least at times;
# - **support**: it gave some chance to everything that the new system would do;
# - **propensities**: the log says how likely each choice was when it was made;
# - **the same world**: users of today click as those of the log did.
#
# Many logs lack the first three, because the system always showed its best list. Plan the
# randomness before you need it.

# %%
quiz(
    "A team wants to know whether a new ranker brings more users back within a month. The old one "
    "always showed its best list. The team can show the new ranker to users. What fits?",
    {
        "Team-draft interleaving": (
            False,
            "Each user sees both rankers. Nobody can say which one brought the user back.",
        ),
        "An A/B test with the session as its unit": (
            False,
            "A user would see both rankers, so nobody can say which one brought the user back.",
        ),
        "IPS on the log of last month": (
            False,
            "The old ranker always showed its own list: there is no support for the new one.",
        ),
        "An A/B test with the user as its unit": (
            True,
            "Only a user can come back, so each user needs one ranker for the whole month.",
        ),
    },
)

# %% [markdown]
# ## Recap
#
# - In an A/B test the unit is what you randomised. Fix the number of users first, and test once. If
#   you look earlier, use a sequential test, or an anytime-valid one.
# - Check the sizes of the groups and the guardrails before you read the result.
# - CUPED removes the noise that the time before the test explains.
# - IPS weights the rewards of a log to estimate a new policy. SNIPS, clipping and a model reduce
#   its variance. Without support there is no estimate, and a small standard error does not show
#   that.
#
# **Read on.**

# %%
reading(
    "Kohavi 2020", "Fabijan 2019", "Deng 2013", "Pocock 1977", "Johari 2022", "Horvitz 1952",
    "Swaminathan 2015", "Dudík 2011", "Swaminathan 2017",
)  # fmt: skip
