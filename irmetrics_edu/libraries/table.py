"""The libraries side by side, with the choices that a metric's name leaves open."""

from collections.abc import Iterable, Iterator

from irmetrics_edu.libraries.bundle import Bundle
from irmetrics_edu.views.language import noted

# Columns of the table: a heading, and our metric whose first form in the library it shows.
_METRICS = (("nDCG", "nDCG"), ("AP", "AP"), ("P", "P"), ("R", "R"), ("ERR", "ERR"))
_DEFAULTS = {"zero": "0", "one": "1", "nan": "NaN", "skip": "left out", "refuse": "refused"}

NAMED_ALIKE = "named"  # how a metric is known whose values nobody compared

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
    for library in bundles:
        if not library.metrics:
            continue
        first: list[str] = []
        for _, metric in _METRICS:
            _, options = next(_forms(library, metric), ("", ""))
            first.append(options)
        ties = str(library.ties)
        if str(library.scores) != "float64":
            ties += f", {library.scores}"
        yield (
            library.name,
            _version(library),
            library.known,
            *first,
            ties,
            str(library.pool),
            str(library.negative),
            _DEFAULTS[str(library.no_relevant or "zero")],
            _DEFAULTS[str(library.missing_queries)],
            str(len(library.quirks)) if library.quirks else "",
        )


def _version(b: Bundle) -> str:
    """The version, with the package where it has another name."""
    same = b.package.partition("[")[0].casefold() == b.name.partition("[")[0].casefold()
    return b.version if same else f"{b.package} {b.version}"


def _forms(
    b: Bundle,
    metric: str,
) -> Iterator[tuple[str, str]]:
    """The library's names of one of our metrics, each with its options, or that it is as ours."""
    for name, entry in b.metrics.items():
        text = entry if isinstance(entry, str) else entry["measure"]
        ours, bracket, inside = text.partition("@")[0].partition("(")
        if ours == metric:
            yield name, inside.removesuffix(")") if bracket else noted("as ours")


def of_metric(
    bundles: Iterable[Bundle],
    metric: str,
) -> list[tuple[str, str, str, str, str]]:
    """The libraries that have one of our metrics: version, how known, name there, options there.

    Known as "named" are metrics of the same name whose values were not compared.
    """
    entries: list[tuple[str, str, str, str, str]] = []
    for library in bundles:
        version = _version(library)
        for name, options in _forms(library, metric):
            entries.append((library.name, version, library.known, name, options))
        for name, ours in library.also.items():
            if ours == metric:
                entries.append((library.name, version, NAMED_ALIKE, name, ""))
    return entries


def columns(
    bundles: Iterable[Bundle],
    metric: str | None = None,
) -> dict[str, list[str]]:
    """The same as columns by heading; of the libraries that have a metric, if one is named."""
    shown = list(lines(bundles))
    if metric is not None:
        place = HEADER.index(metric)
        shown = [line for line in shown if line[place]]
    table: dict[str, list[str]] = {}
    for place, heading in enumerate(HEADER):
        table[heading] = [line[place] for line in shown]
    return table
