"""docs/conventions.md: which conventions each library follows, side by side."""

import json
import re
from collections import Counter
from pathlib import Path

from dev.tools.site.markup import FILTER, prose
from irmetrics_edu.libraries import BUNDLES, Bundle
from irmetrics_edu.libraries.table import HEADER, lines

_INTRODUCTION = """\
# Which convention does a library follow?

The same ranking gets different values from different libraries, because the name of a metric
leaves choices open. This table shows what each library chose, in words that our functions accept.
Below the table you can read what its columns mean."""

_COLUMNS = """\
## How to read the table

To compute as one of these libraries does, name it: `evaluate(run, qrels, measures,
conventions=...)`. `irmetrics-edu conventions ranx` shows everything about one library, with its
names for the measures and its quirks. On the site, each library has a page of its own, with
numbers.

- *known by* tells you how we know. "measured": we asked this version of the library, and tests
  compare our values with its answers. "read": we read the source of this version, and nobody
  asked the library. Elasticsearch and OpenSearch are servers, and Lucene and RankLib measure
  their own rankings.
- The columns of the metrics show the options that differ from our defaults. A cell is empty if we
  compared no values of the library for it, or if the library lacks the metric.
- *ties, scores* tells you how documents with equal scores are sorted. It also gives the precision
  of scores, unless they are 64-bit floats. "order" means that the library ignores scores.
- *pool* tells you whose judgments count: those of all judged documents, or only those of
  retrieved ones. If a library takes a single list, only the retrieved documents count.

A library may handle ties, scores or negative grades of one measure in another way than the rest.
Then the table shows them in brackets: `nDCG(ideal=retrieved) (ties=averaged, negative=keep)`. If
you use the plain name, as in `evaluate(run, qrels, "nDCG@10", conventions="torchmetrics")`, they
are used for this measure alone, and a note tells you so. If you pass a keyword of your own, such
as ties="docid", it holds for all measures, and the library's choice is not used.

Most libraries compute a value for each query, and give you the mean of these values. This is the
macro-average. Some libraries micro-average a measure that is a share of counts. They add up the
hits of all queries, and divide by the sum of all divisors. A query with many relevant documents
then counts for more. You choose with `averaging="micro"` or `averaging="macro"`, and `micro-P@5`
is a measure of its own.

One number may follow from several conventions. `diagnose` then lists the most used convention
first. For this order, each library has a weight: how often it is installed in a month, as a power
of ten. We estimated these weights, and use them for nothing else."""

_COUNTED = Path(__file__).parents[2] / "tests" / "libraries" / "counted.json"
_LONG = ("long runs", "published run")
_OF_VALUES = """\
## How many values were compared

We asked each library in the version that you see here, and kept its answers. The table counts
them. Each value is one number of a measure, for one query or for the mean. *small inputs* are
made for one question each, such as ties or a missing query. *long runs* have up to 1,000
documents a query. Most of these documents are unjudged, there are long ties and grades up to 4,
and some queries are themselves documents. One of the long runs is the one with which trec_eval is
tested.

*equal* counts the values that `evaluate(..., conventions=LIBRARY)` gives, to the digits of the
library. A *quirk* is a value that no convention gives, and our description of the library says
so. If one query of a measure has a quirk, we count all queries of that measure and input as
quirks. Tests compare every value again.

{total}"""
_HEADER = ("library", "version asked", "small inputs", "long runs", "equal", "quirk", "not equal")


def page() -> str:
    """The page of the documentation: the introduction and the table."""
    bundles = list(BUNDLES.values())
    records = json.loads(_COUNTED.read_text(encoding="utf-8"))
    counted = [_counted(stem, records) for stem in BUNDLES]
    values = [line for line in counted if line is not None]
    parts = [_INTRODUCTION, FILTER, _table(bundles), _COLUMNS, *_of_values(values)]
    return "\n\n".join(parts) + "\n"


def _counted(stem: str, records: dict[str, dict[str, dict[str, str | int]]]) -> list[str] | None:
    """The line of a library in the table of values; None if nothing of it was recorded."""
    versions: dict[str, None] = {}
    counts: Counter[str] = Counter()
    for part, libraries in records.items():
        if stem not in libraries:
            continue
        found = dict(libraries[stem])
        versions[str(found.pop("version"))] = None
        for kind, number in found.items():
            counts[kind] += int(number)
            counts["long runs" if part in _LONG else "small inputs"] += int(number)
    if not versions:
        return None
    numbers = [f"{counts[heading]:,}" for heading in _HEADER[2:]]
    return [BUNDLES[stem].name, ", ".join(versions), *numbers]


def _of_values(lines_of_values: list[list[str]]) -> tuple[str, str]:
    """What the table of values shows, with the sums, and the table."""
    sums = {}
    for place in range(2, len(_HEADER)):
        sums[_HEADER[place]] = sum(int(line[place].replace(",", "")) for line in lines_of_values)
    values = sums["small inputs"] + sums["long runs"]
    total = (
        f"Of {values:,} values, {sums['equal']:,} are equal, {sums['quirk']:,} are quirks and "
        f"{sums['not equal']:,} are not equal."
    )
    head = ["| " + " | ".join(_HEADER) + " |", "|" + "---|" * 2 + "---:|" * (len(_HEADER) - 2)]
    table = "\n".join(head + [f"| {' | '.join(line)} |" for line in lines_of_values])
    return _OF_VALUES.format(total=total), table


def _shown(cell: str) -> str:
    return prose(cell) if "--" in cell else _APART.sub(", ", cell)


_APART = re.compile(r",(?=[a-z])")  # options break between each other, on a screen and on paper


def _table(bundles: list[Bundle]) -> str:
    """The table of all libraries."""
    head = ["| " + " | ".join(HEADER) + " |", "|" + "---|" * len(HEADER)]
    spaced = [[_shown(cell) for cell in line] for line in lines(bundles)]
    return "\n".join(head + [f"| {' | '.join(line)} |" for line in spaced])
