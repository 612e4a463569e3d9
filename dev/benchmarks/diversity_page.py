"""The text of docs/diversity-study.md, from the numbers of the studies."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from irmetrics_edu.views.formatting import markdown_table, steady
from irmetrics_edu.views.plotting import PALETTE, pyplot

Numbers = Mapping[str, Any]
NAMES = {"beauty": "Amazon Beauty", "movielens": "MovieLens 100k", "made": "made catalogue"}
_CUT = 10
_OVERVIEW = (
    "Each claim on each data set: the share of its cases that hold, are open, are against it, or "
    "can't be asked"
)
_HEAD = """\
# Is it diversity that counts? Document 002 on real data

Document 002 is the text of some slides of a talk on "On evaluation metrics for diversity-enhanced
recommendations" (CIKM 2024, doi:10.1145/3627673.3679629). A user has a **hit** if the list
contains an item that is relevant to this user. Slide 10 makes three claims about diversified
lists. First, users with a hit are a minority. Second, they become fewer, by over 60 % with DGRec.
Third, gains in accuracy come from these few users, and gains in diversity come from the many users
without a hit. The text does not have the slides with other results. The abstract of the paper says
that by DCC, FDCC and DILAD the gains are "limited and even negative compared to those of accurate
recommendations".

The recommenders here are for teaching and for reproducing papers. For production use implicit,
RecBole or Cornac: they train on more than the 2 million pairs that fit in memory here. `from_lists`
makes runs of their lists, and `study_lists` compares them as this page does.

This page asks whether these claims are true on sparse data (Amazon Beauty), on dense data
(MovieLens 100k), and on data made here. It adds three questions of its own. Do whole lists become
more diverse? Do the hits alone become less diverse? And is there a discount coefficient at all?

This command writes the page:

```console not-run: takes hours, and needs the data
$ python -m dev.benchmarks.diversity_study --beauty DIR --movielens DIR --made
```

This command makes a single study:

```console not-run: takes hours, and needs the data
$ irmetrics-edu study diversity --data DIR --unknown-users drop --seeds 5 \\
    --settings docs/diversity-study/settings.toml
```

For the lists of your own recommenders use `study_lists` in Python. The data are not in this
repository. The numbers are, in `docs/diversity-study/`.
"""
_LIMITS = """\
## Limits

- Taobao and the Million Song Dataset, two of the document's three data sets, were not run.
- The cases, the intervals and the settings are ours. The slides print no intervals.
- The fall of 64 % on Amazon Beauty depends on when the training of DGRec stops. With the authors'
  settings, which stop by the loss, 5.0 % of the users have a hit. If Recall decides when to stop,
  it is 7.9 %. With the package's default settings it is 13.9 %, and LightGCN has 13.8 %. (These
  numbers come from other runs than those of the tables.)
- LightGCN was not tuned for MovieLens 100k. With a split in order of time, it is only a little
  better than popularity there. A stronger LightGCN may lose more when its lists are diversified.
- The embeddings of LightGCN measure all distances, as in the document. Other embeddings give other
  distances, and may give other answers.
"""
_READING = """\
A **case** is a recommender, a measure and a cut-off (10, 20, 100). A case holds if the 95 %
interval of its mean is above 0. It is against the claim if the interval is below 0. Otherwise it
is open. The intervals are over users and over the seeds of training ({seeds}). Some cases need a
discount coefficient. Such a case is infeasible if no coefficient meets the document's own
conditions at the precision observed (tau = 0.99). Then it counts for neither side.
"""
_TAIL = """\
## What was run

Six recommenders: LightGCN, popularity, chance, MMR and DPP (both choose from LightGCN's best 200),
and DGRec. LightGCN has 32 dimensions, 2 layers, rate 0.02, a penalty of 0.01 on the embeddings,
and at most 300 epochs of one step over all interactions. DGRec has the settings of its authors
(`docs/diversity-study/settings.toml`). For both, the validation items decide when training stops.
MMR has lambda = 0.5, and DPP has theta = 0.6. A distance is 1 minus the cosine of two of
LightGCN's embeddings.

- **Amazon Beauty**: the split of DGRec's authors. One user without training items is left out.
- **MovieLens 100k**: ratings of 4 and more. Each user's items are in order of time: the first 60 %
  are for training, the next 20 % for validation, and the rest for test. Users with fewer than 5
  items are left out.
- **Made catalogue**: `irmetrics_edu.lab.recommenders.made_catalogue.catalogue()`, 1,000 users with
  known tastes.
"""


def page(held: Mapping[str, Numbers]) -> str:
    """The page."""
    seeds = ", ".join(f"{NAMES[n]}: {of['settings']['seeds']}" for n, of in held.items())
    blocks = [_HEAD, _LIMITS, "## The claims", _READING.format(seeds=seeds)]
    blocks += ["![" + _OVERVIEW + "](diversity-study/claims.svg)", _claims(held)]
    blocks += ["## Sparse and dense data", _data(held), *_compared(held)]
    for name, numbers in held.items():
        blocks += [f"## {NAMES[name]}, at {_CUT}", *_study(name, numbers)]
    return "\n\n".join(block.strip("\n") for block in [*blocks, _TAIL]) + "\n"


def _claims(held: Mapping[str, Numbers]) -> str:
    """Each claim with its verdict on each data set."""
    names = list(held)
    lines = []
    for i, claim in enumerate(held[names[0]]["claims"]):
        verdicts = [held[n]["claims"][i]["summary"] for n in names]
        lines.append((claim["id"], claim["source"], claim["says"], *verdicts))
    return markdown_table(("claim", "source", "what it says", *(NAMES[n] for n in names)), lines)


def overview(held: Mapping[str, Numbers]) -> Any:
    """The whole in one look: a bar for each claim and data set, cut by what became of its cases."""
    figure, panels = pyplot().subplots(
        1, len(held), figsize=(9, 3.4), sharey=True, layout="constrained"
    )
    for panel, (name, of) in zip(np.atleast_1d(panels), held.items(), strict=True):
        labels = [claim["id"] for claim in of["claims"]]
        left = np.zeros(len(labels))
        for (outcome, word), colour, hatch in zip(_OUTCOMES.items(), _COLOURS, _MARKS, strict=True):
            cases = [[case["outcome"] for case in claim["cases"]] for claim in of["claims"]]
            share = np.array([each.count(outcome) / max(1, len(each)) for each in cases])
            panel.barh(
                labels, share, left=left, label=word, color=colour, hatch=hatch, edgecolor="white"
            )
            left += share
        panel.set_title(NAMES[name], fontsize=10)
        panel.set_xlabel("share of the cases")
        panel.set_xticks([0, 0.5, 1], ["0", "1/2", "1"])
    panels[0].invert_yaxis()
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside lower center", ncols=4,
                  frameon=False)  # fmt: skip
    return figure


_OUTCOMES = {"holds": "holds", "open": "open", "fails": "against", "infeasible": "can't be asked"}
_COLOURS = (PALETTE[0], "#BBBBBB", PALETTE[3], "#EEEEEE")
_MARKS = ("", "..", "//", "xx")


def _data(held: Mapping[str, Numbers]) -> str:
    """What the data are like, and how often anything hits."""
    lines = []
    for name, of in held.items():
        data = of["data"]
        pairs = sum(data["interactions"].values())
        hit = of["users with a hit"]
        lines.append(
            (
                NAMES[name],
                f"{data['users']:,}",
                f"{data['items']:,}",
                f"{data['categories']}",
                f"{steady(pairs / data['users']):.1f}",
                f"{steady(pairs / data['users'] / data['items']):.2%}",
                *(f"{steady(hit['LightGCN'][str(k)]):.1%}" for k in of["settings"]["cutoffs"]),
            )
        )
    cuts = next(iter(held.values()))["settings"]["cutoffs"]
    header = ("data", "users", "items", "categories", "items a user", "density")
    return markdown_table((*header, *(f"LightGCN hits at {k}" for k in cuts)), lines)


def _compared(held: Mapping[str, Numbers]) -> Iterator[str]:
    """What the gains amount to on each data set, and what that says of sparse and dense data."""
    yield "*LightGCN hits at k: the share of users with at least one hit among k items.*"
    lines = []
    for name, of in held.items():
        answers = of["answers"]
        gained = [a for a in answers if a["gain"]["outcome"] == "holds"]
        counts = [str(sum(a["answer"] == word for a in gained)) for word in _ANSWERS]
        more = sum(a["share_without"] > a["users_without"] for a in gained)
        missing = [f"{c['coefficient']}@{c['k']}" for c in of["coefficients"] if not c["feasible"]]
        lines.append(
            (
                NAMES[name],
                f"{len(gained)} of {len(answers)}",
                *counts,
                str(more),
                ", ".join(missing),
            )
        )
    yield markdown_table(
        ("data", "gains", *_ANSWERS, "more from users without a hit", "infeasible coefficients"),
        lines,
    )
    yield (
        "*Gains: comparisons with LightGCN, by recommender, measure and cut-off, in which "
        "diversity grows. More from users without a hit: their share of the gain is above their "
        "share of all users.*"
    )
    yield _of_dgrec(held)
    if {"beauty", "movielens"} <= set(held):
        yield _sparse_and_dense(held)
    yield (
        "Where nearly all users are without a hit, nearly all of a gain in diversity is "
        "theirs: then *gain "
        "where nothing hits* says how rare hits are, more than what a diversifier does. So compare "
        "the share of the gain with the share of users, in the tables below."
    )


def _sparse_and_dense(held: Mapping[str, Numbers]) -> str:
    """What the two real data sets say together."""
    said = []
    for name in ("beauty", "movielens"):
        gained = [a for a in held[name]["answers"] if a["gain"]["outcome"] == "holds"]
        counts = sum(a["answer"] == "counts" for a in gained)
        said.append(f"{counts} of {len(gained)}")
    return (
        f"**What that says.** On sparse data (Amazon Beauty) {said[0]} gains count, and many "
        "users no longer get a hit: slide 10 is right there. On dense data "
        f"(MovieLens 100k) {said[1]} gains count, and hardly any user loses the hits: there it is "
        "*not* as slide 10 says. A user with many test items keeps hits when a list is "
        "diversified, and these hits may be further apart than before. So its finding is one about "
        "sparse data. Ask the question anew for yours. On dense data the remedy of slides 20 and "
        "21 is out of reach: no discount coefficient meets the conditions."
    )


def _of_dgrec(held: Mapping[str, Numbers]) -> str:
    """The one number that the document gives of the groups, beside ours."""
    changes = []
    for name, of in held.items():
        hit = of["users with a hit"]
        change = hit["DGRec"][str(_CUT)] / hit[of["base"]][str(_CUT)] - 1
        changes.append(f"{steady(change):+.0%} on {NAMES[name]}")
    return (
        "The document names a number: under DGRec the group of users with a hit is smaller than "
        f"under LightGCN by a little more than 60 %. At {_CUT} it is {', '.join(changes)}. See the "
        "limits above: the first of these depends on when training stops."
    )


_ANSWERS = ("counts", "does not count", "undecided")


def _study(name: str, of: Numbers) -> Iterator[str]:
    """One data set at the first cut-off: groups, gains, order, figures."""
    k = str(_CUT)
    base = of["base"]
    hit = of["users with a hit"]
    yield markdown_table(
        ("ranker", "Recall", "users with a hit", f"against {base}", "CC", "ILAD", "ILMD"),
        [
            (
                ranker,
                f"{steady(whole[f'Recall@{k}']):.4f}",
                f"{steady(hit[ranker][k]):.1%}",
                f"{steady(hit[ranker][k] / hit[base][k] - 1):+.0%}" if hit[base][k] else "-",
                *(f"{steady(whole[f'{m}@{k}']):.4f}" for m in ("CC", "ILAD", "ILMD")),
            )
            for ranker, whole in of["whole"].items()
        ],
    )
    yield _figure(name, "gains", f"Gains over {base}: whole lists above, hits alone below")
    yield markdown_table(
        (
            "ranker", "measure", "gain", "gain of the hits alone", "of the gain, no hit",
            "of users, no hit", "answer",
        ),
        [
            (
                a["ranker"],
                a["metric"],
                _interval(a["gain"]),
                _interval(a["of_hits"]),
                "-" if a["share_without"] is None else f"{steady(a['share_without']):.0%}",
                f"{steady(a['users_without']):.0%}",
                a["answer"],
            )
            for a in of["answers"]
            if a["k"] == _CUT
        ],
    )  # fmt: skip
    yield _figure(name, "parts", "What users with a hit and users without add to the gain")
    yield _figure(name, "groups", "Users with a hit: their share, and how diverse their lists are")
    tuned = ", ".join(
        f"{c['coefficient']} {'= ' + format(c['value'], '.3g') if c['feasible'] else 'infeasible'}"
        for c in of["coefficients"]
        if c["k"] == _CUT
    )
    order = [o for o in of["order"] if o["k"] == _CUT]
    if order:
        yield (
            f"Where does {base} lead again, by the measures that look at hits? That hangs on the "
            f"discount coefficient. Tuned as the document does: {tuned}."
        )
        yield markdown_table(
            ("ranker", "measure", f"{base} is ahead"),
            [(o["ranker"], o["metric"], o["base ahead"]) for o in order],
        )


def _figure(name: str, figure: str, alt: str) -> str:
    return f"![{alt}; lines are 95 % intervals](diversity-study/{name}-{figure}.svg)"


def _interval(case: Numbers) -> str:
    mean, low, high = (f"{steady(case[n]):+.4f}" for n in ("mean", "low", "high"))
    return f"{mean} [{low}, {high}]"
