"""The page docs/gates.md: how a gate decides, and what a simulation of gates came to."""

from collections.abc import Sequence

from dev.benchmarks.gate_simulation import BARE, DROPS, GROUPS, Results, Shares
from dev.benchmarks.gate_worlds import DOCUMENTS, MEASURES, TOUCHED
from irmetrics_edu.gate.policy import OPTIONS, SETTINGS, TAKEN, GateSetting, Policy
from irmetrics_edu.views.formatting import percent

_HEAD = """\
# What a gate lets through

A **gate** compares today's run with a baseline and stops a change that made search worse. This
page says how a gate decides, how to set it, and how often it is right. The numbers come from a
simulation. `python -m dev.benchmarks.gate` runs it again and writes this page. `make generated`
updates only the defaults.

```python with: two runs and judgments
from irmetrics_edu.gate import assert_no_regression

assert_no_regression(
    run,
    baseline,
    qrels,
    "nDCG@10 RR@10",
    policy="sample",  # what the queries are
    margin=0.01,  # the drop of the mean that is tolerated
    protected=["q1", "q7"],  # queries that may not fall at all
)
```

The fixture `irm_baseline` takes the same keywords.

A **baseline** is what a gate compares a run with: a run that you give, or the entry that
`irm_baseline` keeps in `irm_baselines.json`. A document is **unjudged** if nobody graded it for the
query. A gate is `unjudged` if hardly any judged document is left to compare by.

## Three policies

| policy | `"sample"` | `"strict"` | `"advise"` |
|---|---|---|---|
| your queries are | a sample of what users type | all that count | as in `"sample"` |
| it fails | a drop of more than `margin` that is no chance, or of a tenth of the range | \
a drop of more than `margin` | never: it warns |
| it passes | a drop is shown to be less than `margin`, or no score changed | else | as `"sample"` |
| it can't tell | too few queries: it warns, and says how many it takes | never | as `"sample"` |

Without `policy=` a gate follows `"{sample}"`. A drop is a fall of a measure's mean over the
queries. In `"strict"` it is also a fall of the mean over each group of queries. Under each policy
a `protected` query may not fall at all. By default at most {gone} of the baseline's queries may be
gone (see below).

**The test** is a test of *non-inferiority* at the margin. If it passes, the new version is not
worse by more than the margin. It is a paired randomisation test over the queries. Suppose that
chance alone decided which of a query's two scores is the new one. Then p is the probability of a
change at least as great as yours, up or down. A second test asks whether the mean fell by more
than chance (p < {level}); only then does the gate fail. Both tests count both directions, so a
fall alone has half of this level. In between the gate is *inconclusive*.

**Single settings** are there if you need them. Beside a policy, each of them counts for itself:

{settings}

A hard limit holds whatever the test says. In `"strict"` the first two limits are `"margin"`.

Why does `"sample"` have a hard limit, too? If 5 of 36 queries fall from 1 to 0, the mean falls by
0.139. The test finds p = 0.0625 and can't tell. The limit of a tenth stops the change.

Each measure is a test, and each group adds more tests. Holm's correction over all tests keeps the
chance of any false alarm below {alarms}. The number of tests is measures x (groups + 1), where the
1 stands for all queries. Each further test makes the others a little weaker. Hard limits don't
change.

A gate compares the run and the baseline on the queries that both have. A query that the run
doesn't answer scores 0, unless the conventions leave it out. A query of the baseline is **gone**
if nobody judges it any more, or if the conventions leave it out. If the judgments changed, the
gate scores the rankings that the baseline keeps by today's judgments. After a new index with new
ids, a kept ranking may have lost most of its judged documents. Then its query is not compared
either. A gate fails if more than a share `max_gone` of the baseline's queries is not compared. If
you mean the change, update the baseline.

A query is **unanswered** if its ranking is empty, or if the run has none. A gate counts the
unanswered queries that the baseline's run answered. If there are more than `max_unanswered`, it
fails and names them.

The plugin refuses an update if the new run leaves too many queries unanswered that the old run
answered: more than `max_gone` of the baseline's queries. The old baseline stays. If you mean it,
add `--irm-max-gone=off`.

## One policy for the whole team

Set it once in the ini file. The marker `irm_baseline` changes it for a module, a class or a test. A
keyword changes it for one call. The command line (`--irm-policy=strict`) overrides the ini
file, and a marker overrides the command line.

```ini
[pytest]
irm_policy = {sample}
irm_margin = {margin}
```

Each single setting except `protected` has a key as well, such as `irm_max_query_drop`.

## Groups

`groups=` maps each query to its group, such as a language, a class or a tenant. Give a mapping, a
function, or a column of a data frame that is indexed by query. A gate tests each group as well. In
`assert_ndcg` and its siblings `every_group_at_least=0.4` is a floor for the mean of each group.
`every_group_at_least={"de": 0.3, "en": 0.4}` gives each group its own floor. The message names the
worst group first, and reports have a table of the groups.

## What gates stop

We try gates on more than 40 ways to break retrieval, recommendations and answers. Each break is
combined with each policy, and with changes of the data and the judgments, such as new ids, fewer
judgments or other grades. No gate lets a fall of more than the margin pass without a word.
`make gate-matrix` tries all of them, and says for each what it did and why.

## How often gates are right

![{alt}]({figure})

"""


def page(results: Results, figure: str) -> str:
    """The page in Markdown."""
    parts = [
        _head(results, figure),
        _how(results),
        _alarms(results),
        _found(results),
        _passed(results),
        _queries(results),
        _choice(results),
    ]
    return "\n".join(parts)


def _head(results: Results, figure: str) -> str:
    """The page down to the simulation, with the defaults as they are."""
    level = 1 - Policy.confidence.default
    text = _HEAD
    for name, said in {
        "alt": _alt(results),
        "figure": figure,
        "settings": settings_table(),
        "gone": percent(float(Policy.max_gone.default)),
        "level": f"{level:.2g}",
        "alarms": percent(level),
        "margin": f"{Policy.margin.default:g}",
        "sample": TAKEN["policy"].default,
    }.items():
        text = text.replace(f"{{{name}}}", said)
    return text


def settings_table() -> str:
    """Each setting of a gate as a keyword: what it sets, what it takes, and its default."""
    rows = ["| keyword | what it sets | what it takes | default |", "|---|---|---|---|"]
    for name, setting in TAKEN.items():
        if name in SETTINGS:
            cells = (f"`{name}`", setting.sets, _takes(setting), _default(setting))
            rows.append(f"| {' | '.join(cells)} |")
    return "\n".join(rows)


def options_table() -> str:
    """Each setting of a gate as an option of pytest and a key of its ini file."""
    rows = ["| option | ini key | what it says |", "|---|---|---|"]
    for setting in OPTIONS:
        shape = setting.shape if setting.is_number else "|".join(setting.words)
        option = f"--irm-{setting.name.replace('_', '-')}={shape}".replace("|", "\\|")
        rows.append(f"| `{option}` | `irm_{setting.name}` | {setting.help} |")
    return "\n".join(rows)


def _takes(setting: GateSetting[object]) -> str:
    """What may be given: words, or a number in its range."""
    if setting.name == "protected":
        return "a list of queries"
    words = [f'`"{word}"`' for word in setting.words]
    numbers = [setting.range] if setting.is_number else []
    *first, last = [*numbers, *words]
    return f"{', '.join(first)} or {last}" if first else last


def _default(setting: GateSetting[object]) -> str:
    if setting.name == "protected":
        return "none"
    return f'`"{setting.default}"`' if isinstance(setting.default, str) else f"{setting.default}"


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %" if share < 0.1 else f"{100 * share:.0f} %"


def _of(of: Sequence[Shares], name: str) -> list[float]:
    return [one.share.get(name, 0.0) for one in of]


def _table(of: Sequence[Shares], rows: Sequence[tuple[str, Sequence[float]]]) -> str:
    lines = ["| queries | " + " | ".join(f"{one.n:,}" for one in of) + " |"]
    lines.append("|---|" + "---:|" * len(of))
    lines += [f"| {name} | " + " | ".join(map(_percent, row)) + " |" for name, row in rows]
    return "\n".join(lines) + "\n"


def _how(results: Results) -> str:
    world = results.world
    least = min(one.times for one in results.same)
    return f"""\
The simulation uses made-up queries. Each query has 1 to {DOCUMENTS} relevant documents of grades 1
to 3, at ranks that scatter from 1 to beyond 100. A new version of the engine changes the ranking of
{100 * TOUCHED:.0f} % of the queries. The scores look like those of real collections:

| share of | {" | ".join(MEASURES)} |
|---|{"---:|" * len(MEASURES)}
| queries that score 0 | {" | ".join(f"{100 * w['zero']:.0f} %" for w in world.values())} |
| queries that score 1 | {" | ".join(f"{100 * w['one']:.0f} %" for w in world.values())} |
| queries that don't change | {" | ".join(f"{100 * w['same']:.0f} %" for w in world.values())} |
| standard deviation of changes | {" | ".join(f"{w['sd']:.2f}" for w in world.values())} |

For each point {results.times:,} pairs of versions go through the package's own gates. There are
{least:,} pairs of 2,000 queries, and a third as many pairs where the second version is worse. So a
share of 2.5 % is known to about 0.5 points. `margin` is {BARE.margin:g} and `confidence`
{BARE.confidence:g} unless another value is named.
"""


def _alarms(results: Results) -> str:
    of = results.same
    rows = [
        ("nDCG@10, the test alone", _of(of, "one")),
        ("four measures, the test alone", _of(of, "four")),
        (f"nDCG@10 in {GROUPS} groups, the test alone", _of(of, "groups")),
        ("nDCG@10, with the limit 0.1", _of(of, "one, limit 0.1")),
        ("four measures, with the limit 0.1", _of(of, "four, limit 0.1")),
        (f"nDCG@10 in {GROUPS} groups, with the limit 0.1", _of(of, "groups, limit 0.1")),
        ("four measures, with the limit 0.05", _of(of, "four, limit 0.05")),
        ("four measures, with the limit 0.03", _of(of, "four, limit 0.03")),
    ]
    return f"""\
### False alarms

Both versions are equally good in truth. How often does a gate fail?

{_table(of, rows)}
The test alone stays below 5 %, with one measure, with four and in groups. It is about 2.5 % or
less, because the test looks for changes in both directions and only a fall can fail. With four
measures, Holm's correction is stricter than necessary, since the measures rise and fall together.

The limit 0.1 adds next to nothing: a mean of 20 queries hardly ever moves so far by chance. The
limit 0.05 needs 100 queries, and the limit 0.03 needs 200.
"""


def _found(results: Results) -> str:
    tables = []
    for kind, shape in (
        ("lower", "The relevant documents of many queries move down a little"),
        ("broken", "A few queries no longer find anything"),
    ):
        rows = []
        for drop in DROPS:
            of = results.falls[kind, drop]
            rows += [
                (f"by {drop:g}: nDCG@10, the test alone", _of(of, "one")),
                (f"by {drop:g}: nDCG@10, with the limit 0.1", _of(of, "one, limit 0.1")),
                (f"by {drop:g}: four measures, the test alone", _of(of, "four")),
                (f"by {drop:g}: four measures, with the limit 0.1", _of(of, "four, limit 0.1")),
            ]
        tables.append(f"{shape}:\n\n{_table(results.same, rows)}")
    return f"""\
### Regressions that are found

The true nDCG@10 falls by 0.02, 0.05, 0.1 or 0.2. How often does a gate fail?

{tables[0]}
{tables[1]}
The test needs many queries to find a small fall. It needs even more if a few queries lose
everything, since then the changes differ more. With four measures it needs more queries than with
one. The limit helps most with few queries and a large fall, where the test is weakest.
"""


def _passed(results: Results) -> str:
    of = results.same
    rows = [
        (f"margin = {limit}", _of(of, f"pass at {limit}")) for limit in ("0.01", "0.02", "0.05")
    ]
    return f"""\
### Changes that pass

Both versions are equally good in truth, and many rankings changed. How often does a gate for
nDCG@10 *pass*, rather than say that it can't tell?

{_table(of, rows)}
To show that a mean fell by less than 0.01 takes thousands of queries. With fewer a gate is often
inconclusive, and `inconclusive` says what it does then. A run in which no score changed always
passes.

`irmetrics-edu gate plan --queries 50 --spread 0.14 --margin 0.02` computes the same for your
number of queries. It also says how many queries you need. With `-v` a gate prints the standard
deviation of your changes: give it to `--spread`.
"""


def _queries(results: Results) -> str:
    of = results.same
    rows = [(f"max_query_drop = {cap}", _of(of, f"query limit {cap}")) for cap in ("0.5", "0.8")]
    return f"""\
### A limit on each query

Both versions are equally good in truth. How often does nDCG@10 of at least one query fall by more
than the limit?

{_table(of, rows)}
With more queries, it is more likely that one of them falls far. Such a limit is for a few chosen
queries that must not break. Prefer `protected` for those, and leave `max_query_drop` off for a
sample of the log.
"""


def _choice(results: Results) -> str:
    of = {one.n: one.share for one in results.same}
    few = min(of)
    four = max(one.share.get("four, limit 0.1", 0.0) for one in results.same)
    margin = Policy.margin.default
    return f"""\
## The defaults, and why

- `confidence={Policy.confidence.default:g}`: where nothing got worse, no gate of the simulation
  fails by its test in more than 5 % of the cases.
- `max_observed_drop="{Policy.max_observed_drop.default}"`: with four measures and both guards at
  most {_percent(four)} are false alarms, from {few} queries on.
  You can set a tighter limit: 0.05 from about 100 queries on, 0.03 from about 200 on. A measure
  without a greatest value, such as DCG, has no such limit unless you give a number.
- `max_query_drop` and `max_group_drop` are {Policy.max_query_drop.default}, since how far single
  queries and small groups move by themselves depends on how many there are.
- `margin={margin:g}` with `inconclusive="{Policy.inconclusive.default}"`: {margin:g} is about the
  smallest fall that people care for.
  With fewer than some hundred queries few changes are shown to be smaller, so a gate that can't
  tell warns and does not fail. If you want a clear answer, set `margin=0.05` with 100 queries, or
  0.02 with 500.
"""


def _alt(results: Results) -> str:
    """The figure in words."""
    of = results.same
    first, last = of[0], of[-1]
    one = max(_of(of, "one"))
    tight = [share.get("four, limit 0.03", 0.0) for share in (first.share, last.share)]
    fall = results.falls["lower", 0.05]
    low, high = (_percent(f.share.get("one, limit 0.1", 0.0)) for f in (fall[0], fall[-1]))
    passed = [_percent(x.share.get("pass at 0.01", 0.0)) for x in (first, last)]
    return (
        f"Three plots against the number of queries, from {first.n} to {last.n:,}. Left: where "
        f"nothing got worse, the tests alone and the limit 0.1 fail in at most {_percent(one)}; "
        f"the limit 0.03 fails in {_percent(tight[0])}, falling to {_percent(tight[1])}. Middle: a "
        f"fall of nDCG@10 by 0.05 in many queries is stopped in {low}, rising to {high}; greater "
        "falls sooner, and with few queries more often with the limit (solid) than by the test "
        "alone (dotted). Right: where nothing got worse, a gate passes at margin=0.01 in "
        f"{passed[0]}, rising to {passed[1]}, and sooner for 0.02 and 0.05."
    )
