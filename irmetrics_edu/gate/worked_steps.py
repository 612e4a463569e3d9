"""The working of one query in a few lines: its steps, what it missed, its conventions.

Read off the query's working; nothing is computed here.
"""

import textwrap
from collections.abc import Hashable, Sequence
from numbers import Real

from irmetrics_edu.gate.checked_value import Outcome
from irmetrics_edu.libraries import BUNDLES, Bundle
from irmetrics_edu.metrics.definition import METRICS
from irmetrics_edu.rows.aligned_ranking import RANKED
from irmetrics_edu.rows.ranked_rows import Rows
from irmetrics_edu.runs.moves import contributions
from irmetrics_edu.views import formatting
from irmetrics_edu.views.explanation import Explanation, Section
from irmetrics_edu.working import Working

WIDTH = 100
_DOCUMENTS = 3  # shown
_ROWS = 6  # shown
_TAIL = 3  # lines that name the rows with gain that a table has no room for


def steps_of(working: Working, room: int) -> list[str]:
    """The steps of one query in at most `room` lines; every row with gain is named."""
    explanation = Explanation(working)
    top = explanation.sections[0]
    innermost, table = _innermost(working, explanation)
    lines = list(table.lines)
    n = len(lines)
    equation = textwrap.wrap(top.equation, WIDTH - 2)[:2]
    below = missed(working)
    header = 1
    room -= len(equation) + header + len(below)
    shown, hidden = _chosen(_gained(innermost, n), room)
    out = []
    if shown:
        judged = innermost.table.labels.get("judged", [True] * n)
        marked = []
        for i in shown:
            mark = "" if judged[i] else "unjudged"
            marked.append((*lines[i], mark))
        text = formatting.aligned(
            (*table.header, ""),
            marked,
            indent="  ",
        )
        out = [line.rstrip() for line in text.split("\n")]
    return [
        *out,
        *_left_out(innermost, n, len(shown), hidden),
        *(f"  {line}" for line in equation),
        *below,
    ]


def _innermost(working: Working, explanation: Explanation) -> tuple[Working, Section]:
    """The working whose steps are shown, with its section.

    A metric that is a quotient has its steps in its first part: nDCG in DCG.
    """
    inner = working
    table = explanation.sections[0]
    for section in explanation.sections[1:]:
        own_columns = set(inner.columns) - {inner.name}
        if not inner.parts or own_columns or not section.lines:
            break
        inner = next(iter(inner.parts.values()))
        table = section
    return inner, table


def _chosen(gained: Sequence[bool], room: int) -> tuple[list[int], list[int]]:
    """The rows that fit into the table, rows with gain first, and the other rows with gain."""
    n = len(gained)
    with_gain = [i for i, gains in enumerate(gained) if gains]
    if n <= min(room, _ROWS):
        return list(range(n)), []
    tail = 1 if len(with_gain) <= _ROWS else _TAIL
    most = max(0, min(room - tail, _ROWS))
    chosen = with_gain[:most]
    others = [i for i in range(n) if i not in set(chosen)]
    chosen += others[: most - len(chosen)]
    return sorted(chosen), with_gain[most:]


def _left_out(innermost: Working, n: int, shown: int, hidden: Sequence[int]) -> list[str]:
    """How many of `n` rows are left out, and the ones with gain, in a few lines."""
    rest = n - shown
    noun = "row" if rest == 1 else "rows"
    if not rest:
        return []
    if not hidden:
        return [f"  ... and {rest:,} more {noun} without gain"]
    count = f"... and {rest:,} more" if shown else f"{rest:,} {noun} (-v)"
    labels = innermost.table.labels
    named = []
    for i in hidden:
        if "document" in labels:
            rank = labels["rank"][i]
            named.append(f"{labels['document'][i]} at {rank:g}")
        else:
            named.append(str(i + 1))
    listed = ", ".join(named)
    return textwrap.wrap(
        f"{count}, {len(named):,} with gain: {listed}",
        WIDTH,
        initial_indent="  ",
        subsequent_indent="    ",
        max_lines=_TAIL,
        placeholder=" ... (-v)",
    )


def _gained(innermost: Working, n: int) -> list[bool]:
    """The rows that add to the score or could: relevant documents, by grade or nugget."""
    labels = innermost.table.labels
    parts = contributions(innermost) or [0] * n
    nuggets = labels.get("nuggets", [0] * n)
    relevant = labels.get("grade", nuggets)
    judged = labels.get("judged", [True] * n)
    gained = []
    for value, is_judged in zip(relevant, judged, strict=True):
        worthy = bool(value)
        if isinstance(value, Real):
            worthy = float(value) > 0
        gained.append(bool(is_judged) and worthy)
    if len(parts) != n:
        return gained
    for place, part in enumerate(parts):
        if part:
            gained[place] = True
    return gained


def missed(working: Working) -> list[str]:
    """The relevant documents that are below the cut or not retrieved."""
    rows = working.rows
    if not isinstance(rows, Rows) or rows.document is None or rows.pool_document is None:
        return []
    below, absent = _not_in_the_top(working, rows)
    sentences = []
    if below:
        documents = _some(below)
        sentences.append(f"relevant but below rank {working.k}: {documents}")
    if absent:
        documents = _some(absent)
        sentences.append(f"not retrieved: {documents}")
    if not sentences:
        return []
    line = "  " + "; ".join(sentences)
    if len(line) <= WIDTH:
        return [line]
    return [f"  {part}" for part in sentences]


def _not_in_the_top(working: Working, rows: Rows) -> tuple[list[str], list[str]]:
    """The relevant documents that are below the cut, and those that are not retrieved."""
    assert rows.document is not None  # noqa: S101 -- asked before
    ranks = dict(zip(rows.document, rows.rank.tolist(), strict=True))
    cut = working.k
    below = []
    absent = []
    for document, grade in _relevant(working, rows):
        if document not in ranks:
            absent.append(f"{document} (grade {grade:g})")
            continue
        rank = int(ranks[document])
        if cut is not None and rank > cut:
            below.append(f"{document} (grade {grade:g}, rank {rank})")
    return below, absent


def _relevant(working: Working, rows: Rows) -> list[tuple[Hashable, float]]:
    """The judged documents that are relevant, with their grades, the best first."""
    assert rows.pool_document is not None  # noqa: S101 -- asked before
    least = float(working.params.get("rel", 0) or 0)
    grades = rows.pool_grade.tolist()
    pool = zip(rows.pool_document, grades, strict=True)
    relevant = []
    for document, grade in pool:
        if grade > 0 and grade >= least:
            relevant.append((document, grade))
    relevant.sort(key=_best_first)
    return relevant


def _best_first(graded: tuple[Hashable, float]) -> tuple[float, str]:
    """The sort key of a document: high grades first, equal grades by id."""
    document, grade = graded
    return -grade, str(document)


def _some(items: Sequence[str]) -> str:
    """The first items, and how many more there are."""
    shown = ", ".join(items[:_DOCUMENTS])
    more = len(items) - _DOCUMENTS
    if more > 0:
        return f"{shown} and {more:,} more"
    return shown


def conventions(outcome: Outcome, query: Hashable, *, whole: bool = False) -> list[str]:
    """The conventions of the score: their names in one line, or if `whole` what they mean."""
    working = outcome.working(query)
    chosen = _chosen_conventions(outcome, working, whole=whole)
    by = outcome.bundle
    if by is not None:
        bundle = as_bundle(by)
        if working.metric.inputs is RANKED and _follows(working, by):
            between = ": " if chosen else ""
            chosen = f"as {bundle}{between}{chosen}"
        elif outcome.is_run:
            between = "; " if chosen else ""
            chosen = f"ties and missing queries as {bundle}{between}{chosen}"
    if not chosen:
        return []
    line = f"Convention: {chosen}"
    if whole:
        return textwrap.wrap(line, WIDTH, subsequent_indent="  ")
    return [textwrap.shorten(line, WIDTH, placeholder=" ...")]


def _chosen_conventions(outcome: Outcome, working: Working, *, whole: bool) -> str:
    """The conventions of a query's working by name, or if `whole` with what they mean."""
    chosen = dict(working.conventions)
    if whole:
        meanings = [f"{name} = {value.meaning}" for name, value in chosen.items()]
        return "; ".join(meanings)
    if not outcome.counts.without_relevant:
        chosen.pop("no_relevant", None)  # it decided nothing here
    names = [f"{name}={value.name}" for name, value in chosen.items()]
    return ", ".join(names)


def _follows(working: Working, by: Bundle) -> bool:
    """Whether every convention of the metric is as the bundle has it."""
    metric = METRICS[working.metric.name]
    measure = metric if working.k is None else metric @ working.k
    settled = by.settle(measure)
    theirs = {**settled.defaults, **settled.params}
    for name, value in working.conventions.items():
        if name not in theirs:
            continue
        other = theirs[name]
        if isinstance(other, str):
            other = type(value).named(other)
        if value != other:
            return False
    return True


def as_bundle(by: Bundle) -> str:
    """A bundle's name, and what was changed in it."""
    original = BUNDLES.get(by.name)
    if original is None:
        return by.name
    usual = original.facts()
    changed = []
    for name, value in by.facts().items():
        if value != usual.get(name):
            changed.append(f"{name}={value}")
    if not changed:
        return by.name
    listed = ", ".join(changed)
    return f"{by.name}, but {listed}"
