"""docs/conventions.md: which conventions each library follows, side by side."""

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


def page() -> str:
    """The page of the documentation: the introduction and the table."""
    bundles = list(BUNDLES.values())
    return "\n\n".join([_INTRODUCTION, FILTER, _table(bundles)]) + "\n"


def _table(bundles: list[Bundle]) -> str:
    """The table of all libraries."""
    head = ["| " + " | ".join(HEADER) + " |", "|" + "---|" * len(HEADER)]
    return "\n".join(head + [f"| {' | '.join(line)} |" for line in lines(bundles)])
