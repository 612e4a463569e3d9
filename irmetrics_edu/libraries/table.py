"""The libraries side by side, with the choices that a metric's name leaves open."""

from collections.abc import Iterable, Iterator

from irmetrics_edu.libraries.bundle import Bundle
from irmetrics_edu.views.language import noted

# Columns of the table: a heading, and our metric whose first form in the library it shows.
_METRICS = (("nDCG", "nDCG"), ("AP", "AP"), ("P", "P"), ("R", "R"), ("ERR", "ERR"))
_DEFAULTS = {"zero": "0", "one": "1", "nan": "NaN", "skip": "left out", "refuse": "refused"}

HEADER = (
    noted("library"),
    "version",
    "known by",
    *(heading for heading, _ in _METRICS),
    noted("ties, scores"),
    "pool",
    "negative",
    "nothing relevant",
    "missing query",
    "quirks",
)


def lines(bundles: Iterable[Bundle]) -> Iterator[tuple[str, ...]]:
    """A line for each library: version, how known, its measures, ties and the rest."""
    for b in bundles:
        if not b.metrics:
            continue
        first = [next(_forms(b, metric), ("", "")) for _, metric in _METRICS]
        no_relevant = _DEFAULTS[str(b.no_relevant or "zero")]
        ties = str(b.ties) + ("" if str(b.scores) == "float64" else f", {b.scores}")
        yield (
            b.name,
            _version(b),
            b.known,
            *(options for _, options in first),
            ties,
            str(b.pool),
            str(b.negative),
            no_relevant,
            _DEFAULTS[str(b.missing_queries)],
            str(len(b.quirks)) if b.quirks else "",
        )


def _version(b: Bundle) -> str:
    """The version, with the package where it has another name."""
    same = b.package.partition("[")[0].casefold() == b.name.partition("[")[0].casefold()
    return b.version if same else f"{b.package} {b.version}"


def _forms(b: Bundle, metric: str) -> Iterator[tuple[str, str]]:
    """The library's names of one of our metrics, each with its options, or that it is as ours."""
    for name, entry in b.metrics.items():
        text = entry if isinstance(entry, str) else entry["measure"]
        ours, bracket, inside = text.partition("@")[0].partition("(")
        if ours == metric:
            yield name, inside.removesuffix(")") if bracket else noted("as ours")


def of_metric(bundles: Iterable[Bundle], metric: str) -> list[tuple[str, str, str, str, str]]:
    """The libraries that have one of our metrics: version, how known, name there, options there.

    Known as "named" are metrics of the same name whose values were not compared.
    """
    found = []
    for b in bundles:
        rows = [(b.known, name, options) for name, options in _forms(b, metric)]
        rows += [("named", name, "") for name, ours in b.also.items() if ours == metric]
        found += [(b.name, _version(b), *row) for row in rows]
    return found


def columns(bundles: Iterable[Bundle], metric: str | None = None) -> dict[str, list[str]]:
    """The same as columns by heading; of the libraries that have a metric, if one is named."""
    shown = list(lines(bundles))
    if metric is not None:
        place = HEADER.index(metric)
        shown = [line for line in shown if line[place]]
    return {heading: [line[i] for line in shown] for i, heading in enumerate(HEADER)}
