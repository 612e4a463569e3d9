"""The measures that a call asks for, by our names or by those of the library that it follows."""

from collections.abc import Iterable, Iterator
from typing import Any

from irmetrics_edu.conventions import MICRO as AVERAGED_MICRO
from irmetrics_edu.errors import InputError
from irmetrics_edu.libraries.bundle import ALIGNED, BUNDLES, OWN, Bundle
from irmetrics_edu.metrics import trec_format
from irmetrics_edu.metrics.definition import Metric
from irmetrics_edu.metrics.notation import (
    MICRO,
    Measure,
    measure,
    measures,
    pieces,
    shown,
    words_of,
)

_MOST_NAMED = 4  # libraries that a message names
# What a library may say of the queries of one measure.
_OF_ONE = {"averaging": Bundle.averaging_of, "missing_queries": Bundle.missing_of}


def measures_under(asked: Any, by: Bundle) -> tuple[tuple[Measure, ...], Bundle]:
    """The measures that are asked for under a library's conventions, and the conventions.

    A name that the library lists means what it means there. Any other is read as `measures` reads
    it. trec_eval's own way to write several cut-offs is read too: `ndcg_cut.5,10`.

    >>> from irmetrics_edu.libraries import bundle
    >>> [m.name for m in measures_under("hits@10 nDCG@5", bundle("ranx"))[0]]
    ['CG(gain=binary)@10', 'nDCG@5']
    >>> [m.name for m in measures_under("P.5,10", bundle("trec_eval"))[0]]
    ['P@5', 'P@10']
    """
    chosen: list[Any] = []
    of_queries: list[Bundle] = []
    for item in _items(asked, by):
        theirs = _named(item, by) if isinstance(item, str) else None
        if theirs is None:
            chosen += _ours(item, by)
        else:
            chosen.append(theirs[0])
            of_queries.append(theirs[1])
    # What a row says of the queries is of the whole run, so it holds for a measure that is alone.
    if len(chosen) == 1 and len(of_queries) == 1:
        by = of_queries[0]
    told_apart = measures([_told_apart(one, by) for one in map(measure, chosen)])
    of_missing = {by.missing_of(one.metric) for one in told_apart}
    if len(of_missing) == 1:
        by = by.using(missing_queries=of_missing.pop())
    return told_apart, by


def _told_apart(chosen: Measure, by: Bundle) -> Measure:
    """The measure under a name that says each option that it has otherwise than the library.

    Notation leaves out our defaults. Where the library has another value, that would be the name of
    the library's measure.
    """
    metric = chosen.metric
    if chosen.name != repr(metric):
        return chosen
    needed = [option for option in metric.params if _differs(metric, option, by)]
    full = metric.title(
        metric.k,
        metric.params,
        always=needed,
    )
    return Measure(
        full,
        metric,
        chosen.aggregate,
        chosen.floor,
    )


def _differs(metric: Metric, option: str, by: Bundle) -> bool:
    """Whether the library has another value of an option that a metric says."""
    without = metric.without(option)
    if option in ALIGNED:
        return by.aligned(metric).get(option) != by.aligned(without).get(option)
    default = metric.defaults.get(option)
    here = by.settle(metric)
    there = by.settle(without)
    value = here.params.get(option, default)
    return bool(value != there.params.get(option, default))


def _items(asked: Any, by: Bundle) -> Iterator[Any]:
    """Each measure that is asked for; a text may hold several, with blanks between them."""
    if isinstance(asked, str):
        asked = [asked]
    if isinstance(asked, Metric | Measure) or not isinstance(asked, Iterable):
        yield from measures(asked)
        return
    for item in asked:
        if not isinstance(item, str) or lists(by, item):
            yield item
        else:
            yield from _words(item, by)


def _words(text: str, by: Bundle) -> list[str]:
    """Each measure of a text, some of which the library may have by names of its own."""
    named = [piece for piece in pieces(text, str.isspace) if piece]
    return named if any(lists(by, name) for name in named) else words_of(text)


def lists(by: Bundle, name: str) -> bool:
    """Whether a library lists a name among those of its metrics that we have."""
    try:
        by.measure(name)
    except InputError:
        return False
    return True


def _named(name: str, by: Bundle) -> tuple[Measure, Bundle] | None:
    """What a library means by a name; None if it lists no such name."""
    try:
        metric, bundle_of_row = by.measure(name)
    except InputError:
        return None
    exact = _pinned(metric, bundle_of_row, by)
    plain = _plain(name)
    same = plain is not None and by.settle(plain.metric) == by.settle(exact)
    chosen = plain if same and plain is not None else Measure(repr(exact), exact)
    averaging = bundle_of_row.averaging_of(metric)
    usual = by.averaging_of(metric)
    if averaging is AVERAGED_MICRO and usual is not averaging:
        title = exact.title(
            exact.k,
            exact.params,
            f"{MICRO}-{exact.name}",
        )
        chosen = Measure(title, exact, MICRO)
    return chosen, _of_queries(metric, bundle_of_row, by)


def _plain(name: str) -> Measure | None:
    """What the name means in our own notation, if anything."""
    try:
        return measure(name)
    except InputError:
        return None


def _pinned(metric: Metric, bundle_of_row: Bundle, by: Bundle) -> Metric:
    """A metric with all in which its row of the library differs from the library's other rows."""
    options: dict[str, Any] = {}
    wanted = bundle_of_row.settle(metric)
    usual = by.settle(metric)
    for name, default in metric.defaults.items():
        value = wanted.params.get(name, default)
        if usual.params.get(name, default) != value:
            options[name] = value
    here = bundle_of_row.aligned(metric)
    there = by.aligned(metric)
    for name in ALIGNED:
        if name in metric.inputs.options and here.get(name) != there.get(name):
            options[name] = here[name]
    return metric.using(**options) if options else metric


def _of_queries(metric: Metric, bundle_of_row: Bundle, by: Bundle) -> Bundle:
    """The conventions with what the row of a metric says of the queries, such as their mean."""
    changes: dict[str, Any] = {}
    for choice in Bundle.choices():
        if choice in ALIGNED or choice == "no_relevant":
            continue
        value = getattr(bundle_of_row, choice)
        usual = _OF_ONE[choice](by, metric) if choice in OWN else getattr(by, choice)
        if value != usual:
            changes[choice] = value
    return by.using(**changes) if changes else by


def _ours(item: Any, by: Bundle) -> list[Any]:
    """A measure in our notation, or several in trec_eval's."""
    if not isinstance(item, str):
        return [item]
    each = trec_format.expanded(item)
    if each:
        return each
    try:
        return [measure(item)]
    except InputError as error:
        _tell_whose(item, by, error)
        raise


def _tell_whose(name: str, by: Bundle, error: InputError) -> None:
    """If other libraries list the name, say so: a name that is alike may mean something else."""
    libraries = [(key, library) for key, library in BUNDLES.items() if lists(library, name)]
    if not libraries:
        return
    shown_names = ", ".join(library.name for _, library in libraries[:_MOST_NAMED])
    more = "" if len(libraries) <= _MOST_NAMED else " and others"
    raise InputError(
        f"{shown(name)} is no measure under the conventions of {by.name}; it is a name of "
        f"{shown_names}{more}: ask for it with conventions={libraries[0][0]!r}, or write "
        f"{libraries[0][1].measure(name)[0]!r}"
    ) from error
