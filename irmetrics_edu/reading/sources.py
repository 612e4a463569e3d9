"""Whatever a run or judgments come as: a mapping, or a source of columns in pieces."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Any

from irmetrics_edu.errors import InputError
from irmetrics_edu.reading import frames, tabular
from irmetrics_edu.reading.columns import Columns
from irmetrics_edu.reading.problems import Problems
from irmetrics_edu.reading.trec import QRELS, RUN, TrecFile

FORMATS = ("trec", "json", "csv", "tsv", "parquet")
_PACKED = (".gz", ".gzip", ".zst", ".zstd")
Pieces = Callable[[Problems, int], Iterator[Columns]]


@dataclass(eq=False)
class Source:
    """Columns of whole queries, some at a time, from a place that can be read again."""

    name: str
    pieces: Pieces
    unit: str = "line"
    skip_bad: bool = False
    problems: Problems = field(init=False)

    def __post_init__(self) -> None:
        self.problems = self.fresh()

    def fresh(self) -> Problems:
        """A new, empty record of what is malformed."""
        return Problems(self.name, self.unit, self.skip_bad)

    def all(self) -> Columns:
        """Everything at once, the items of each query together; malformed lines are an error."""
        self.problems = self.fresh()
        parts = list(self.pieces(self.problems, 0))
        self.problems.check()
        if not parts or not any(len(part.line) for part in parts):
            raise InputError(f"{self.name}: there is nothing in it; expected at least one line")
        return Columns.joined(parts)


def format_of(path: Path) -> str:
    """The format that a file's name tells: .json, .csv, .tsv, .parquet; else a file of TREC."""
    suffixes = [s.lower() for s in path.suffixes if s.lower() not in _PACKED]
    last = suffixes[-1][1:] if suffixes else ""
    return {"pq": "parquet"}.get(last, last if last in FORMATS else "trec")


def source(
    value: Any, *, run: bool, kind: str | None = None, skip_bad: bool = False
) -> Mapping[Any, Any] | Source | Iterable[Any]:
    """What a run (or judgments) is: a mapping, a source of columns, or an iterable of such.

    `kind` names the format of a file where its name does not.
    """
    if isinstance(value, (Mapping, Source)):
        return value
    if isinstance(value, (str, PathLike)):
        return _file(Path(value), run=run, kind=kind, skip_bad=skip_bad)
    what = f"the {'run' if run else 'judgments'} ({type(value).__name__})"
    if isinstance(value, Columns):
        return Source(what, lambda _p, _o: iter([value]), "row", skip_bad)
    if frames.is_batched(value) and hasattr(value, "to_batches"):
        return Source(
            what, lambda p, _o: frames.of_batches(value.to_batches(), p, run=run), "row", skip_bad
        )
    if frames.is_frame(value):
        return Source(
            what, lambda p, _o: iter([frames.of_frame(value, p, run=run)]), "row", skip_bad
        )
    if isinstance(value, Iterable) and not isinstance(value, (bytes, bytearray)):
        return value
    raise InputError(
        f"{what} can't be read: give a mapping, a file, a data frame, an Arrow table or dataset, "
        "or an iterable of such pieces, each of whole queries"
    )


def _file(path: Path, *, run: bool, kind: str | None, skip_bad: bool) -> Mapping[Any, Any] | Source:
    kind = kind or format_of(path)
    if kind not in FORMATS:
        raise InputError(f"format {kind!r} is not known; use one of {', '.join(FORMATS)}")
    if path.is_dir():
        raise InputError(f"{path}: a folder; give a file")
    if not path.exists():
        raise InputError(f"{path}: there is no such file")
    if kind == "json":
        return tabular.of_json(path)
    if kind == "parquet":
        return Source(str(path), lambda p, _o: frames.of_parquet(path, p, run=run), "row", skip_bad)
    if kind in ("csv", "tsv"):
        separator = "," if kind == "csv" else "\t"
        return Source(
            str(path),
            lambda p, _o: tabular.of_csv(path, p, run=run, separator=separator),
            "line",
            skip_bad,
        )
    file = TrecFile(path, RUN if run else QRELS)
    return Source(str(path), file.pieces, "line", skip_bad)
