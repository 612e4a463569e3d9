"""A table of pins: documents that must, or must not, be at the top for a query."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

from irmetrics_edu import checks, measured
from irmetrics_edu.errors import InputError
from irmetrics_edu.gate.failure import RankingAssertionError, refused
from irmetrics_edu.gate.places import NOT_RETRIEVED, Places, places
from irmetrics_edu.measured import HINT, Measurement, revealing, word
from irmetrics_edu.reading.column_names import DOCUMENT, QUERY
from irmetrics_edu.reading.records import Record, records
from irmetrics_edu.runs.joining.inputs import is_run, whole_run
from irmetrics_edu.views.formatting import aligned

__tracebackhide__ = True
__unittest = True
NOWHERE = "nowhere"
_IDS = {"query": QUERY, "document": DOCUMENT}
_OTHERS = {name: (name,) for name in ("top", "absent", "note")}


@dataclass(frozen=True)
class Pin:
    """One row of the table: a document that must be in the top, or absent from it."""

    query: str
    document: str
    top: int | None  # the document stands at this rank or above
    absent: int | None  # it does not stand there; None with no `top`: it stands nowhere
    note: str
    line: int

    @property
    def limit(self) -> str:
        """The limit in words."""
        if self.top is not None:
            return f"top {self.top}"
        return "absent" if self.absent is None else f"absent from top {self.absent}"

    def holds(self, ranking_places: Places) -> bool:
        """Whether the ranking of the query satisfies the pin."""
        if self.top is not None:
            return ranking_places.in_top(self.document, self.top)
        return ranking_places.absent(self.document, self.absent)


def assert_pins(run: Any, pins: str | PathLike[str], *, reveal: str | None = None) -> None:
    r"""Assert that every pin of a table holds: documents at the top of queries, or kept out.

    `run` maps queries to rankings, or is a file or a frame as for `evaluate`. `pins` is a CSV file
    with the columns query, document, top, absent, note. Each pin fills one of two columns. With
    `top` 3, the document must be among the first 3. With `absent` 10, it must not be among the
    first 10; with "nowhere" it must not be retrieved. Equal scores are treated as in
    `assert_in_top`. A query breaks its pins if it is not in the run, or if nothing is retrieved for
    it.

    Raises RankingAssertionError, which lists the broken pins, all of them with -v. Raises
    InputError, with file and line, for a table that can't be read.

    >>> import pathlib, tempfile
    >>> table = pathlib.Path(tempfile.mkdtemp()) / "pins.csv"
    >>> _ = table.write_text("query,document,top\nq1,d7,2\n")
    >>> assert_pins({"q1": ["d3", "d7"]}, table)
    """
    try:
        reveal = revealing(reveal)
        if not isinstance(pins, (str, PathLike)):
            raise InputError(
                f"pins is a {type(pins).__name__}; give the run first, and then the file of pins"
            )
        table = read_pins(pins)
        if isinstance(run, (list, tuple, dict)) and not is_run(run):
            raise InputError("this is one ranking: pins name queries, so give a run")
        file = Path(pins).name
        broken = _broken(table, whole_run(run), file)
    except InputError as error:
        raise refused(error) from None
    failed = _failure(broken, table, file, reveal) if broken else None
    measured.tell(
        Measurement(
            f"share of {len(table)} pins that hold",
            (len(table) - len(broken)) / len(table),
            word(not broken),
            {} if reveal == HINT else {"equals": 1},
            queries=len({pin.query for pin in table}),
            error=failed,
        )
    )
    if failed is not None:
        raise failed


def _broken(table: Sequence[Pin], run: Any, file: str) -> list[tuple[Pin, str]]:
    """The pins that do not hold, each with where its document was found."""
    by_text = {str(query): query for query in run}
    _refuse_odd_queries(table, by_text, file)
    broken: list[tuple[Pin, str]] = []
    rankings: dict[str, Places | str] = {}
    for pin in table:
        if pin.query not in rankings:
            rankings[pin.query] = _ranking(run, by_text, pin.query)
        ranking = rankings[pin.query]
        if isinstance(ranking, str):
            broken.append((pin, ranking))
            continue
        place = f"{file}, line {pin.line}: query {pin.query!r}: "
        ranking.refuse_nearly_equal([pin.document], place)
        if not pin.holds(ranking):
            broken.append((pin, ranking.says(pin.document)))
    return broken


def _ranking(held: Any, by_text: dict[str, Any], query: str) -> Places | str:
    """A query's places, or why it has none."""
    if query not in by_text:
        return "no such query in the run"
    ranking = held[by_text[query]]
    if len(ranking):
        return places(held, by_text[query], as_text=True)
    return NOT_RETRIEVED


def _refuse_odd_queries(table: Sequence[Pin], by_text: dict[str, Any], file: str) -> None:
    unknown: dict[Hashable, int] = {}
    for pin in table:
        if pin.query not in by_text:
            unknown.setdefault(pin.query, pin.line)
    alike = checks.nearly_equal(by_text.values(), unknown)
    if alike is not None:
        query, pinned, _ = alike
        raise InputError(
            f"{file}, line {unknown[pinned]}: query {pinned!r} differs from {query!r} of the run "
            "only in white space or type"
        )


def _failure(
    broken: Sequence[tuple[Pin, str]],
    table: Sequence[Pin],
    file: str,
    reveal: str,
) -> RankingAssertionError:
    many = f"{len(broken)} of {len(table)} pins {'is' if len(broken) == 1 else 'are'} broken"
    if reveal == HINT:
        return RankingAssertionError(many)
    (first, where), *_ = broken
    header = ("line", "query", "document", "found", "asked", "note")
    lines = [
        (str(pin.line), pin.query, pin.document, place, pin.limit, pin.note)
        for pin, place in broken
    ]
    text = aligned(header, lines).split("\n")
    summary = f"{many} ({file}): query {first.query}: {first.document} {where}, {first.limit} asked"
    return RankingAssertionError(summary, [f"  {line}".rstrip() for line in text])


def read_pins(path: str | PathLike[str]) -> list[Pin]:
    """The pins of a table, in its order; an error names the file and the line.

    `path` is a CSV file (values separated by commas, semicolons or tabs).
    """
    rows = records(path, _IDS, _OTHERS, others=False)
    if not rows:
        raise InputError(f"{path}: it holds no pin; expected query, document, and top or absent")
    pins: dict[tuple[str, str], Pin] = {}
    for row in rows:
        pin = _pin(row)
        before = pins.setdefault((pin.query, pin.document), pin)
        if before is not pin:
            raise InputError(
                f"{row.place}query {pin.query!r}, document {pin.document!r} is pinned before, in "
                f"line {before.line} ({before.limit}); keep one of the two"
            )
    return list(pins.values())


def _pin(row: Record) -> Pin:
    query = row.id("query")
    document = row.id("document")
    top = row["top"].strip()
    absent = row["absent"].strip().lower()
    if bool(top) == bool(absent):
        what = "both are given" if top else "neither is given"
        raise InputError(
            f"{row.place}a pin has either a top (such as 3) or an absent (such as 10, or "
            f"{NOWHERE!r}); {what}"
        )
    return Pin(
        query=query,
        document=document,
        top=_limit(row, "top", top) if top else None,
        absent=_limit(row, "absent", absent) if absent and absent != NOWHERE else None,
        note=row["note"].strip(),
        line=row.line,
    )


def _limit(row: Record, name: str, written: str) -> int:
    rank = int(written) if written.isascii() and written.isdigit() and len(written) < 10 else 0
    if not rank:
        also = f", or {NOWHERE!r}" if name == "absent" else ""
        raise InputError(
            f"{row.place}{name} is {written!r}; give a rank, a whole number from 1 on{also}"
        )
    return rank
