"""A page for each library: which conventions its numbers follow, and where they differ."""

import functools
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from dev.tools import defects
from dev.tools.site import front
from dev.tools.site.markup import fenced, prose, table
from dev.tools.threads_page import symptoms
from irmetrics_edu import evaluate
from irmetrics_edu.commands.conventions import entry_of
from irmetrics_edu.conventions import FLOAT64, Convention
from irmetrics_edu.errors import InputError
from irmetrics_edu.libraries import BUNDLES, Bundle, bundle
from irmetrics_edu.metrics.definition import Metric

# Runs of one query on which libraries differ: scores by document, and grades by document.
EXAMPLES: Mapping[str, tuple[dict[str, float], dict[str, int]]] = {
    "two relevant documents are not retrieved": (
        {"d1": 6, "d2": 5, "d3": 4, "d4": 3, "d5": 2, "d6": 1},
        {"d1": 3, "d2": 2, "d3": 3, "d4": 0, "d5": 1, "d6": 2, "d7": 3, "d8": 2},
    ),
    "all three documents have one score": (
        {"d1": 1, "d2": 1, "d3": 1},
        {"d1": 0, "d2": 2, "d3": 1},
    ),
    "fewer documents than the cut-off": ({"d1": 2, "d2": 1}, {"d1": 1, "d2": 0, "d3": 1}),
    "nothing is relevant": ({"d1": 2, "d2": 1}, {"d1": 0, "d2": 0}),
    "a grade is -1": ({"d1": 2, "d2": 1}, {"d1": -1, "d2": 2}),
}
# What is asked on each page, and what trec_eval and scikit-learn call it.
ASKED: Mapping[str, Mapping[str, str]] = {
    asked: {"trec_eval": of_trec_eval, "scikit-learn": of_sklearn}
    for asked, of_trec_eval, of_sklearn in (
        ("nDCG@5", "ndcg_cut_5", "ndcg_score@5"),
        ("nDCG", "ndcg", "ndcg_score"),
        ("AP@5", "map_cut_5", ""),
        ("AP", "map", "average_precision_score"),
        ("RR@5", "", ""),
        ("RR", "recip_rank", ""),
        ("P@5", "P_5", ""),
        ("R@5", "recall_5", ""),
        ("Rprec", "Rprec", ""),
        ("bpref", "bpref", ""),
    )
}
_QUESTIONS = {
    "ties": "Documents of equal score are taken",
    "scores": "Scores are read",
    "negative": "A grade below 0 is",
    "unjudged": "A document that nobody judged:",
    "pool": "The judgments that count:",
    "unretrieved": "Relevant documents that were not retrieved stand",
    "no_relevant": "Without a relevant document:",
    "missing_queries": "A judged query that the run lacks:",
}


def pages() -> Iterator[tuple[str, str]]:
    """The page that lists the libraries, then a page for each: name and text."""
    chosen = [b for b in BUNDLES.values() if b.metrics and b.package]
    rows = [
        (f"[{prose(b.name)}]({page_of(b)}.md)", b.version, b.known, prose(b.meaning))
        for b in chosen
    ]
    contents = "```{toctree}\n:hidden:\n\n" + "\n".join(map(page_of, chosen)) + "\n```"
    yield "libraries", "\n\n".join([_FIRST, table(_HEADER, rows), contents, ""])
    for b in chosen:
        yield page_of(b), page(b)


_FIRST = """\
# Which numbers does my library give?

Each library has a page: its conventions in words, where its numbers differ from those of trec_eval
and scikit-learn, what surprises its users, how to get the same numbers here, and what to write in a
paper. [One table](conventions.md) has all of them side by side."""
_KNOWN = {"measured": "measured here", "read": "read in its source"}
_HEADER = ("library", "version", "known by", "in short")


def page_of(b: Bundle) -> str:
    """The name of a library's page.

    >>> page_of(bundle("scikit_learn"))
    'library-scikit-learn'
    """
    key = next(key for key, value in BUNDLES.items() if value is b)
    return f"library-{key.replace('_', '-')}"


def release(b: Bundle) -> str:
    """The library and its version, and the package if it has another name.

    >>> release(bundle("trec_eval"))
    'trec_eval (pytrec_eval-terrier 0.5.11)'
    """
    package = b.package.partition("[")[0]
    same = _letters(package) == _letters(b.name.partition("[")[0])
    return f"{b.name} {b.version}" if same else f"{b.name} ({package} {b.version})"


def _letters(name: str) -> str:
    return re.sub(r"[\W_]", "", name).casefold()


def page(b: Bundle) -> str:
    """What a user of the library asks about its numbers."""
    parts = [
        f"# {prose(b.name)}: what are my numbers?",
        f"{prose(release(b))}, {_KNOWN[b.known]}. {_sentence(b.meaning)}",
        f"Does {prose(b.name)} give you another number than you expect? Type it:",
        front.field(),
        "## Its conventions",
        "\n".join(f"- {line}" for line in conventions(b)),
        "## Where it differs",
        *_differences(b),
    ]
    parts += [*_surprises(b), *_asked(b)]
    parts += ["## The same numbers here", *_same_here(b), "## What to write in a paper"]
    parts += [f"> {in_a_paper(b)}"]
    if b.source:
        parts.append(f"Source: {b.source}.")
    return "\n\n".join([*parts, ""])


def _sentence(text: str) -> str:
    return prose(f"{text[:1].upper()}{text[1:].rstrip('.')}.")


def conventions(b: Bundle) -> Iterator[str]:
    """Each convention of the library as a sentence."""
    for name, question in _QUESTIONS.items():
        value = getattr(b, name)
        if isinstance(value, Convention) and value is not FLOAT64:
            yield prose(f"{question} {value.meaning}.")
    apart: dict[str, list[str]] = {}
    for name, entry in b.metrics.items():
        own = {} if isinstance(entry, str) or name == "*" else entry
        _, settled = b.measure(name.replace("{k}", "5").replace("{p}", "2")) if own else ("", b)
        said = [f"{q} {getattr(settled, n).meaning}." for n, q in _QUESTIONS.items() if n in own]
        if said:
            apart.setdefault(prose(" ".join(said)), []).append(f"`{name}`")
    for words, names in apart.items():
        more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
        yield f"Not so in {', '.join(names[:_NAMED])}{more}: {words}"


_NAMED = 3  # measures that part from the rest


def first_name(b: Bundle, asked: str) -> str:
    """The first of the library's names for a measure that we ask for; "" if it has none."""
    wanted, _, cut = asked.partition("@")
    for name, entry in b.metrics.items():
        text = entry if isinstance(entry, str) else entry["measure"]
        measure, _, k = text.partition("@")
        if (
            name != "*"
            and measure.partition("(")[0] == wanted
            and bool(k) == bool(cut)
            and k in ("", "{k}")
        ):
            return name.replace("{k}", cut)
    return ""


def value(b: Bundle, name: str, example: str) -> str:
    """What a library's measure gives for an example, with four digits; "" without a measure."""
    if not name:
        return ""
    scores, grades = EXAMPLES[example]
    try:
        metric, settled = b.measure(name)
        found = float(evaluate({"q": scores}, {"q": grades}, [metric], conventions=settled)[metric])
    except InputError:
        return "refused"
    return "NaN" if math.isnan(found) else f"{found:.4f}"


@functools.cache
def _beside(library: str, name: str, example: str) -> str:
    return value(bundle(library), name, example)


def _differences(b: Bundle) -> list[str]:
    beside = [other for other in map(bundle, ("trec_eval", "scikit_learn")) if other is not b]
    rows: list[tuple[str, ...]] = []
    same: list[str] = []
    for asked in ASKED:
        name = first_name(b, asked)
        if not name:
            continue
        before = len(rows)
        for example in EXAMPLES:
            own = value(b, name, example)
            others = [_beside(other.name, ASKED[asked][other.name], example) for other in beside]
            if any(other not in ("", own) for other in others):
                rows.append((f"`{name}`", example, own, *others))
        if len(rows) == before:
            same.append(f"`{name}`")
    found = [_COMPARED]
    if rows:
        header = ("its name", "where", prose(b.name), *(other.name for other in beside))
        found.append(table(header, rows))
    if same:
        found.append(f"The same on all five inputs: {', '.join(same)}.")
    return found if rows or same else ["It has none of the measures that we compare."]


def _given(example: str) -> str:
    """An input in words: its grades by rank, its scores if they are tied, and what is missing."""
    scores, grades = EXAMPLES[example]
    ranked = ", ".join(str(grades[d]) for d in scores)
    tied = ", all with one score" if len(set(scores.values())) == 1 else ""
    missed = ", ".join(str(g) for d, g in grades.items() if d not in scores)
    return f"- {example}: grades {ranked}{tied}" + (f"; not retrieved: {missed}" if missed else "")


_COMPARED = (
    "One query under the conventions of the library, of trec_eval and of scikit-learn. An "
    "empty cell means that there is no such measure; *refused*, that the input is an error there. "
    "The grades of the ranked documents, from rank 1 on (d1, d2, d3 ...):\n\n"
    + "\n".join(map(_given, EXAMPLES))
)


def _surprises(b: Bundle) -> list[str]:
    lines = [f"- {_concerned(q.metrics)}: {prose(q.says)}." for q in b.quirks]
    package = b.package.partition("[")[0]
    lines += [
        f"- [{case.title}](library-defects.md) ({case.kind}, {case.package} {case.seen.version})"
        for case in defects.cases()
        if case.package == package
    ]
    return ["## What surprises its users", "\n".join(lines)] if lines else []


def _asked(b: Bundle) -> list[str]:
    """The public threads on its numbers, each with the answer."""
    package = b.package.partition("[")[0]
    asked = re.compile(rf"(?<!\w){re.escape(package)}(?!\w)", re.IGNORECASE)
    lines = [
        f"- [{thread.at}]({thread.url}): {thread.seen}. {' '.join(thread.says.split())}"
        for symptom in symptoms()
        for thread in symptom.threads
        if asked.search(f"{thread.at} {thread.seen} {thread.says}")
    ]
    more = "[All questions by what is seen](my-number-differs.md)."
    return ["## What others asked", "\n".join(lines), more] if lines else []


def _concerned(metrics: Sequence[str]) -> str:
    """The measures that a surprise is about; a star alone stands for all of them."""
    return ", ".join("All measures" if name == "*" else f"`{name}`" for name in metrics)


def _same_here(b: Bundle) -> list[str]:
    key = next(key for key, known in BUNDLES.items() if known is b)
    first = next((ours for asked in ASKED if (ours := first_name(b, asked))), "")
    shown = repr(b.measure(first)[0]) if first else next(iter(b.metrics.values()))
    code = f'evaluate(run, qrels, ["{shown}"], conventions="{key}")'
    rows = [(f"`{name}`", f"`{entry_of(entry)}`") for name, entry in b.metrics.items()]
    found = [fenced(code, "python"), _NAMES, table(("it prints", "our name"), rows)]
    if b.lacks:
        found.append(f"Measures that it has and we don't: {', '.join(b.lacks)}.")
    return found


_NAMES = (
    "Its other measures, by the names that it prints; `{k}` is a cut-off, `{p}` an option, "
    "`{g}` a grade."
)


def in_a_paper(b: Bundle) -> str:
    """One sentence that names what a number of the library hangs on.

    >>> in_a_paper(bundle("deepeval"))[:30]
    'AP was computed with DeepEval '
    """
    name = next((n for asked in ASKED if (n := first_name(b, asked))), "")
    if not name:
        return f"The scores were computed with {prose(release(b))}."
    metric, settled = b.measure(name)
    said = [f"{option}: {words}" for option, words in options(settled.settle(metric)).items()]
    said += [
        f"{question}: {prose(getattr(settled, name).meaning)}" for name, question in _NEEDED.items()
    ]
    called = metric.name if metric.k is None else f"{metric.name}@{metric.k}"
    return f"{called} was computed with {prose(release(b))} ({'; '.join(said)})."


# What a reader needs to compute the number again, besides the metric's own options.
_NEEDED = {
    "ties": "equal scores",
    "pool": "judgments",
    "missing_queries": "a query without a result",
}


def options(metric: Metric) -> Mapping[str, Any]:
    """The metric's own conventions, in words."""
    values = {**metric.defaults, **metric.params}
    return {
        name.replace("_", " "): prose(v.meaning)
        for name, v in values.items()
        if isinstance(v, Convention)
        and name in metric.defaults
        and name not in ("no_relevant", "cut")
    }
