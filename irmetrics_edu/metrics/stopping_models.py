r"""Measures of readers who look for something: when they stop depends on what they found.

In the C/W/L framework the reader goes on from rank i with probability C_i. So rank i is seen with
probability V_i = C_1 ... C_{i-1} and has the weight W_i = V_i / (V_1 + V_2 + ...). The score is W_1
r_1 + W_2 r_2 + ...

INSQ = such a score whose C_i depends on the rank
INST = such a score whose C_i depends on what is still wanted
IFT  = such a score whose C_i depends on the rate of gain
BPM  = mean gain down to where the reader has enough or is tired
TBG  = gain that decays with the time that passes before it is reached
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from irmetrics_edu import checks
from irmetrics_edu.conventions import BINARY, Gain
from irmetrics_edu.errors import InputError, NotRational
from irmetrics_edu.metrics.definition import metric
from irmetrics_edu.near_ties import exceeds
from irmetrics_edu.numbers import Array, in_kind, is_exact, zeros
from irmetrics_edu.rows.aligned_ranking import Rows
from irmetrics_edu.working import Working

_QUERIES = 1 << 10  # whose ranks are walked at a time

# The probability of going on, from ranks, gains so far and the kind of number: each query a line.
Continuation = Callable[[Array, Array], Array]


def shares_gained(top: Rows, gain: Gain, rel: float) -> Array:
    """The gain of each row, which has to be a share."""
    worth = gain.of_relevant(top.grade, top.relevance(rel))
    for row in np.flatnonzero((worth < 0) | (worth > 1))[:1].tolist():
        raise InputError(
            f"{checks.at(None, None, int(top.rank[row]))}gain {float(worth[row]):g} is not within "
            "0 to 1; say gain='binary', or gain='share(3)' where 3 is the top of the scale"
        )
    return worth


def walked(rows: Rows, gain: Gain, rel: float, depth: Any, going_on: Continuation) -> Working:
    """The C/W/L score of a continuation, over ranks 1 to `depth`; ranks below the list gain 0."""
    deep = checks.cutoff(depth)
    if deep is None:
        raise InputError(
            "depth=None is not a rank; give the last rank that the reader may reach, such as 1000"
        )
    top = rows.top(deep)
    worth = shares_gained(top, gain, rel)
    place = top.rank.astype(np.intp) - 1
    ranks = np.arange(1, deep + 1).astype(top.grade.dtype)
    if is_exact(top.grade):
        ranks = ranks * in_kind(rows.grade, 1)
    seen, whole = zeros(worth, len(worth)), zeros(worth, rows.n)
    for first in range(0, rows.n, _QUERIES):
        here = np.flatnonzero((top.query >= first) & (top.query < first + _QUERIES))
        lines = min(_QUERIES, rows.n - first)
        gains = zeros(worth, lines * deep).reshape(lines, deep)
        gains[top.query[here] - first, place[here]] = worth[here]
        on = going_on(ranks, gains.cumsum(axis=1))
        reached = gains * 0 + 1
        reached[:, 1:] = on[:, :-1].cumprod(axis=1)
        seen[here] = reached[top.query[here] - first, place[here]]
        whole[first : first + lines] = reached.sum(axis=1)
    weight = seen / whole[top.query]
    weighted = weight * worth
    return Working(
        top.total(weighted),
        how="{weighted gain}",
        columns={
            "gain": worth,
            "reach probability": seen,
            "weight": weight,
            "weighted gain": weighted,
        },
        table=top.table(),
        quantities={"documents looked at": whole},
        rows=rows,
    )


_CWL = r"\sum_{i=1}^{D} W_i\,[g_i\ge\rel]\,\gain{g_i},\quad W_i=\frac{V_i}{\sum_{j=1}^{D} V_j},\ "
_CWL += r"V_i=\prod_{j<i} C_j,\ D=\depth,\ "
UNBOUNDED = (0.0, float("inf"))


@metric(
    "INSQ",
    formula=_CWL + r"C_i=\left(\frac{i+2T-1}{i+2T}\right)^2,\ T=\wanted",
    source="Moffat, Scholer & Thomas (2012), Models and metrics: IR evaluation as a user process, "
    "ADCS",
    rational={"depth": 20},
    units="gain per document looked at",
)
def insq(
    rows: Rows, *, wanted: float = 1, gain: Gain = BINARY, rel: float = 1, depth: int = 1000
) -> Working:
    """INSQ is the mean gain of what a reader sees who wants some documents and grows more patient.

    From rank i the reader goes on with probability ((i+2T-1)/(i+2T))^2. It grows with the rank. T,
    `wanted`, is the number of relevant documents that the reader looks for, at least 1/2. Between 0
    and 1. `gain="share(3)"` takes grades on a scale up to 3. The weights add up to 1 over the ranks
    down to `depth`, which is 1000 as in cwl_eval. Ranks below the end of the list have no gain.

    >>> round(insq([1, 0, 1]), 4)
    0.4853
    """
    checks.between("wanted", wanted, 0.5, float("inf"), open_high=True)
    T = in_kind(rows.grade, wanted)

    def going_on(ranks: Array, gains: Array) -> Array:
        on: Array = ((ranks + 2 * T - 1) / (ranks + 2 * T)) ** 2 + gains * 0
        return on

    return walked(rows, gain, rel, depth, going_on)


@metric(
    "INST",
    formula=_CWL + r"C_i=\left(\frac{i+T+T_i-1}{i+T+T_i}\right)^2,\ "
    r"T_i=T-\sum_{j\le i}[g_j\ge\rel]\,\gain{g_j},\ T=\wanted",
    source="Moffat, Bailey, Scholer & Thomas (2015), INST: an adaptive metric for information "
    "retrieval evaluation, ADCS; Moffat, Bailey, Scholer & Thomas (2017), Incorporating user "
    "expectations and behavior into the measurement of search effectiveness, ACM TOIS 35(3)",
    rational={"depth": 20},
    units="gain per document looked at",
    monotone=False,  # who finds something early stops early, and sees less of what follows
)
def inst(
    rows: Rows, *, wanted: float = 1, gain: Gain = BINARY, rel: float = 1, depth: int = 1000
) -> Working:
    """INST is INSQ for a reader who stops sooner the more of the wanted documents are found.

    If the gains down to rank i add up to G, the reader still wants T_i = T - G. The reader goes on
    with probability ((i+T+T_i-1)/(i+T+T_i))^2. T, `wanted`, is the number of relevant documents
    that the reader looks for, at least 1/2. Between 0 and 1. `gain` and `depth` are given as for
    INSQ.

    >>> round(inst([1, 0, 1]), 4)
    0.7233
    """
    checks.between("wanted", wanted, 0.5, float("inf"), open_high=True)
    T = in_kind(rows.grade, wanted)

    def going_on(ranks: Array, gains: Array) -> Array:
        size = ranks + 2 * T - gains
        on: Array = ((size - 1) / size) ** 2
        return on

    return walked(rows, gain, rel, depth, going_on)


@metric(
    "IFT",
    formula=_CWL
    + r"C_i=\Bigl(1-\frac{1}{1+b_1 e^{(T-G_i) R_1}}\Bigr)\frac{1}{1+b_2 e^{(A-G_i/i) R_2}},\ "
    r"G_i=\sum_{j\le i}[g_j\ge\rel]\,\gain{g_j},\ T=\wanted,\ A=\rate,\ R_1=\byaim,\ "
    r"R_2=\byrate,\ b_1=\baim,\ b_2=\brate",
    source="Azzopardi, Thomas & Craswell (2018), Measuring the utility of search engine result "
    "pages: an information foraging based measure, SIGIR",
    units="gain per document looked at",
    monotone=False,
)
def ift(
    rows: Rows,
    *,
    wanted: float = 2,
    rate: float = 0.2,
    by_aim: float = 10,
    by_rate: float = 10,
    b_aim: float = 0.9,
    b_rate: float = 0.9,
    gain: Gain = BINARY,
    rel: float = 1,
    depth: int = 1000,
) -> Working:
    """The foraging measure is the mean gain of what a reader with an aim and a pace sees.

    The reader goes on while the gain so far is below T, `wanted`, and the gain per document is
    above A, `rate`. `by_aim` and `by_rate` say how strictly (0: not at all). `b_aim` and `b_rate`
    say how likely the reader goes on at the limit. Each document costs 1. The defaults are those in
    the examples of the authors' program, cwl_eval. Between 0 and 1. `gain` and `depth` are given as
    for INSQ.

    >>> ift([0, 0], wanted=1)
    0.0
    >>> round(ift([1, 0, 0, 0, 0, 1], by_aim=0, by_rate=0, b_aim=1e9, b_rate=1), 4)  # RBP, p = 1/2
    0.5156
    """
    checks.between("wanted", wanted, 0, float("inf"), open_high=True)
    checks.between("rate", rate, 0, float("inf"), open_high=True)
    for name, value in (("by_aim", by_aim), ("by_rate", by_rate)):
        checks.between(name, value, 0, 100)  # e to the power of it times a gap is still a float
    for name, value in (("b_aim", b_aim), ("b_rate", b_rate)):
        checks.between(name, value, 0, float("inf"), open_low=True, open_high=True)
    if is_exact(rows.grade):
        raise NotRational("powers of e are irrational; drop exact=True")

    def going_on(ranks: Array, gains: Array) -> Array:
        aim = b_aim * np.exp(np.clip((wanted - gains) * by_aim, -700, 700))
        pace = b_rate * np.exp(np.clip((rate - gains / ranks) * by_rate, -700, 700))
        on: Array = (aim / (1 + aim)) / (1 + pace)
        return on

    return walked(rows, gain, rel, depth, going_on)


@metric(
    "BPM",
    formula=r"\frac{1}{s}\sum_{i=1}^{s} G_i,\quad s=\min\{i\colon\textstyle\sum_{j\le i} G_j\ge"
    r"\wanted\ \text{or}\ i\ge \patience\},\quad G_i=[g_i\ge\rel]\,\gain{g_i}",
    source="Zhang, Liu, Li, Zhang, Xu & Ma (2017), Evaluating web search with a Bejeweled player "
    "model, SIGIR",
    rational={},
    units="gain per document looked at",
    monotone=False,
)
def bejeweled(
    rows: Rows,
    *,
    wanted: float = 1,
    patience: int = 10,
    gain: Gain = BINARY,
    rel: float = 1,
) -> Working:
    """The Bejeweled player measure is the mean gain down to where the reader stops.

    The reader stops when the gains so far reach `wanted`, or at rank `patience`, whichever comes
    first. Ranks below the end of the list have no gain. Between 0 and 1. `gain="share(3)"` takes
    grades on a scale up to 3. With wanted=1 and binary gain it is the reciprocal rank at
    k=patience. In the dynamic model of the paper, what is found also changes what is wanted. That
    model is not here.

    >>> bejeweled([0, 0, 1, 1])
    0.3333333333333333
    >>> bejeweled([1, 0, 0, 1], wanted=2, exact=True)
    Fraction(1, 2)
    """
    checks.between("wanted", wanted, 0, float("inf"), open_low=True, open_high=True)
    limit = checks.cutoff(patience)
    if limit is None:
        raise InputError(
            "patience=None is not a rank; give the number of documents after "
            "which the reader stops, such as 10"
        )
    top = rows.top(limit)
    worth = shares_gained(top, gain, rel)
    gained = top.running(worth)
    enough = ~np.asarray(exceeds(in_kind(rows.grade, wanted), gained), dtype=bool)
    stop = zeros(top.grade, rows.n) + limit
    np.minimum.at(stop, top.query[enough], top.rank[enough])
    seen = top.count(top.rank <= stop[top.query])
    return Working(
        top.total(worth * seen) / stop,
        how="({gain seen}) / {documents looked at}",
        columns={"gain": worth, "cumulated gain": gained, "gain seen": worth * seen},
        table=top.table(),
        quantities={"documents looked at": stop},
        rows=rows,
    )


_SUMMARY, _WORD, _OPEN = "4.4", "0.018", "7.8"  # seconds: a summary, a word, a document besides
_CLICK, _CLICK_OTHER, _SAVED = "0.64", "0.39", "0.77"  # probabilities, of relevant and others


@metric(
    "TBG",
    formula=r"\sum_{i\le\k\colon g_i\ge\rel} 0.64\cdot 0.77\cdot 2^{-T_i/\halflife},\quad "
    r"T_i=\sum_{j<i} 4.4+(0.018\,\words+7.8)\,(0.64\,[g_j\ge\rel]+0.39\,[g_j<\rel])",
    source="Smucker & Clarke (2012), Time-based calibration of effectiveness measures, SIGIR",
    range=UNBOUNDED,
    units="relevant documents saved",
    monotone=False,  # a relevant document takes longer, and delays those below it
)
def time_biased_gain(
    rows: Rows, k: int | None = None, *, words: float = 500, halflife: float = 224, rel: float = 1
) -> Working:
    """Time-biased gain is the number of relevant documents that a user saves before time runs out.

    A user reads a summary in 4.4 seconds. The user opens the document with probability 0.64 if it
    is relevant, else 0.39. A document takes 7.8 seconds and 0.018 seconds for each of its `words`.
    A relevant document that is opened is saved with probability 0.77. After `halflife` seconds a
    user is still reading with probability 1/2. At least 0. The authors measured these times and
    probabilities. All documents are taken to have the length `words`, so set it to the mean of your
    collection. Documents that nobody judged count as not relevant.

    >>> round(time_biased_gain([1]), 4)
    0.4928
    >>> round(time_biased_gain([0, 1], words=0), 4)
    0.4816
    """
    checks.between("words", words, 0, float("inf"), open_high=True)
    checks.between("halflife", halflife, 0, float("inf"), open_low=True, open_high=True)
    if is_exact(rows.grade):
        raise NotRational("powers of 2 to a time are irrational; drop exact=True")
    top = rows.top(k)
    relevance = top.relevance(rel)
    reading = float(_WORD) * words + float(_OPEN)
    above = top.running(relevance) - relevance
    opened = float(_CLICK) * above + float(_CLICK_OTHER) * (top.rank - 1 - above)
    seconds = float(_SUMMARY) * (top.rank - 1) + reading * opened
    decay = 2.0 ** (-seconds / halflife)
    saved = relevance * (float(_CLICK) * float(_SAVED)) * decay
    return Working(
        top.total(saved),
        how="{saved}",
        columns={"relevance": relevance, "seconds before": seconds, "still there": decay,
                 "saved": saved},
        table=top.table(),
        rows=rows,
    )  # fmt: skip
