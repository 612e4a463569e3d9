"""docs/conventions.md: which conventions each library follows, side by side."""

import json
from collections import Counter
from pathlib import Path

from dev.tools.site.markup import FILTER
from irmetrics_edu.libraries import BUNDLES, Bundle
from irmetrics_edu.libraries.table import HEADER, lines

_INTRODUCTION = """\
# Which convention does a library follow?

One ranking gets different values from different libraries, because a metric's name leaves choices
open. The table shows what each library chose, in the words that our functions take as arguments.
`evaluate(run, qrels, measures, conventions=...)` computes under the conventions of any of them.
*known by* says how we know: "measured" is what the library gave in this version, and tests hold the
bundle against it; "read" is what the source of this version says. Nobody asked a library that was
read: Elasticsearch and OpenSearch are servers, and Lucene and RankLib measure their own rankings.

*pool* says which judgments count: those of all judged documents, or those of retrieved documents
only. A library that takes a single list counts only the retrieved ones. *ties, scores* is the order
of documents of equal score, and the precision of scores if they are not 64-bit floats (order:
scores are ignored). The column of a metric shows the options that differ from our defaults. A cell
is empty if the values of the library were not compared for it, or if the library lacks the metric.

A library may treat ties, scores or negative grades of one measure differently from the rest. The
table then shows them in brackets: `nDCG(ideal=retrieved) (ties=averaged, negative=keep)`. If you
use the plain name, as in `evaluate(run, qrels, "nDCG@10", conventions="torchmetrics")`, they apply
to this measure alone, and a note says so. A keyword of the call, such as ties="docid", holds for
all measures and replaces the library's choice.

Most libraries give the mean of the queries' values, which is the macro-average. Some libraries
micro-average a share of counts. They add up the hits of all queries and divide by the sum of all
divisors, so a query with many relevant documents counts for more. `averaging="micro"` and
`averaging="macro"` choose between them, and `micro-P@5` is a measure of its own.

Several conventions may explain one number. Then `diagnose` lists the most used convention first.
Each library has a weight for this order: its installations in a month, as a power of ten. The
weight is our estimate and is used for nothing else.

`irmetrics-edu conventions ranx` shows one library in full, with the names of its measures and its
quirks. In the site each library has a page, with numbers."""

_COUNTED = Path(__file__).parents[2] / "tests" / "libraries" / "counted.json"
_LONG = ("long runs", "published run")
_OF_VALUES = """\
## How many values were compared

Each library was asked in the version that stands here, and its values were recorded. The table
counts them. A value is one number of a measure: of one query, or the mean. *small inputs* are
made for one question each, such as ties or a missing query. *long runs* have up to 1,000 documents
a query, most of them unjudged, with long ties, grades to 4 and queries that are documents; one is
the run that trec_eval is tested with. *equal* values are what
`evaluate(..., conventions=LIBRARY)` gives, to the digits of the library. A *quirk* is a value that
no convention gives, and the bundle says so. Where one query of a measure has a quirk, all queries
of this measure and input are counted as quirks. Tests compare each value again.

{total}"""
_HEADER = ("library", "version asked", "small inputs", "long runs", "equal", "quirk", "not equal")


def page() -> str:
    """The page of the documentation: the introduction and the table."""
    bundles = list(BUNDLES.values())
    records = json.loads(_COUNTED.read_text(encoding="utf-8"))
    counted = [_counted(stem, records) for stem in BUNDLES]
    values = [line for line in counted if line is not None]
    return "\n\n".join([_INTRODUCTION, FILTER, _table(bundles), *_of_values(values)]) + "\n"


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


def _table(bundles: list[Bundle]) -> str:
    """The table of all libraries."""
    head = ["| " + " | ".join(HEADER) + " |", "|" + "---|" * len(HEADER)]
    return "\n".join(head + [f"| {' | '.join(line)} |" for line in lines(bundles)])
