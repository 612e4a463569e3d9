"""The input of a run or of judgments, whatever its kind: a mapping, or a source of columns."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from os import PathLike
from typing import Any

from irmetrics_edu.checks import at
from irmetrics_edu.conventions import STRICT, Reading
from irmetrics_edu.engine.columns import RunColumns
from irmetrics_edu.errors import InputError
from irmetrics_edu.reading import frames, tabular
from irmetrics_edu.reading.column_names import NO_COLUMNS
from irmetrics_edu.reading.files import ENDINGS, File, Problems, as_file
from irmetrics_edu.reading.heads import separator_within
from irmetrics_edu.reading.other_files import refuse_other_file
from irmetrics_edu.reading.other_formats import (
    refuse_lists,
    refuse_other_format,
    refuse_other_lines,
)
from irmetrics_edu.reading.rank_columns import AGAINST_RANKS, head_runs_against
from irmetrics_edu.reading.trec import QRELS, RUN, TrecFile

FORMATS = ("trec", "json", "jsonl", "csv", "tsv", "parquet")
NAMED_AS_TABLE = "named_as_table"  # a file of TREC's lines whose name ends in .csv or .tsv
Pieces = Callable[[Problems, int], Iterator[RunColumns]]


@dataclass(eq=False)
class Source:
    """RunColumns of whole queries, some at a time, from a place that can be read again.

    `problems` are the problems of the last reading, with the names of the columns.
    """

    name: str
    pieces: Pieces
    unit: str = "line"
    skip_bad: bool = False
    asked: Mapping[str, str] = field(default_factory=dict)  # columns with the roles they are given
    problems: Problems = field(init=False)

    def __post_init__(self) -> None:
        self.problems = self.fresh()

    def fresh(self) -> Problems:
        """A new, empty record of what is malformed."""
        return Problems(self.name, self.unit, self.skip_bad, asked=self.asked)

    def kept(self) -> "Kept":
        """The same source, which is read once: what it holds is kept for all later readings."""
        once = _ReadOnce(self.pieces)
        return Kept(self.name, once.pieces, self.unit, self.skip_bad, self.asked)

    def all(self) -> RunColumns:
        """Everything at once, the items of each query together; malformed lines are an error."""
        self.problems = self.fresh()
        parts = [part.compact() for part in self.pieces(self.problems, 0)]
        self.problems.check(any_good=any(len(part.line) for part in parts))
        return RunColumns.joined(parts)


@dataclass(eq=False)
class Kept(Source):
    """A source that is read once; what is made of all of it is kept beside its columns."""

    _made: dict[Any, Any] = field(default_factory=dict)

    def once(self, make: Callable[[Source], Any]) -> Any:
        """What is made of the whole source, made when it is first asked for."""
        if make not in self._made:
            self._made[make] = make(self)
        return self._made[make]


@dataclass
class _ReadOnce:
    """What a source holds, from the first reading that came to its end without a malformed line."""

    first: Pieces
    parts: list[RunColumns] | None = None
    met: Problems | None = None  # what that reading met

    def pieces(self, problems: Problems, origin: int) -> Iterator[RunColumns]:
        """All that the source holds, whatever byte is asked for: a reader skips what it has."""
        if self.parts is None or self.met is None:
            yield from self._read(problems, origin)
            return
        problems.told += self.met.told
        problems.columns |= self.met.columns
        problems.unnamed |= self.met.unnamed
        yield from self.parts

    def _read(self, problems: Problems, origin: int) -> Iterator[RunColumns]:
        parts: list[RunColumns] = []
        for part in self.first(problems, origin):
            parts.append(part.compact())
            yield part
        if not origin and not problems.count:
            self.parts = parts
            self.met = problems


def format_of(file: File) -> str:
    """The format of a file: "json", "jsonl", "csv", "tsv", "parquet" or "trec".

    The ending of its name tells JSON, JSONL and Parquet. For other files and for pipes the first
    lines decide: lines of TREC are read as such under any name. InputError for a file that is no
    text in UTF-8 and no Parquet.
    """
    refuse_other_file(file)
    named = _named(file)
    if named not in ("", "trec", *_SEPARATORS):
        return named
    return _format_within(file.head) or _FORMAT_OF[separator_of(file)]


_SEPARATORS = {"csv": ",", "tsv": "\t"}  # as the name of a file promises
_FORMAT_OF = {"": "trec", "\t": "tsv", ",": "csv", ";": "csv"}


def separator_of(file: File) -> str:
    """What separates the values of a table, or "" for a TREC file."""
    return separator_within(file.head, _SEPARATORS.get(_named(file), ""))


def _named(file: File) -> str:
    """The format that the name of a file promises, or ""."""
    suffixes = [s.lower() for s in file.path.suffixes if s.lower() not in ENDINGS]
    last = suffixes[-1][1:] if suffixes else ""
    return {"pq": "parquet", "inter": "tsv"}.get(last, last if last in FORMATS else "")


def _format_within(head: bytes) -> str:
    """The format of what begins so, if it is JSON (one object, or one a line) or Parquet."""
    if head.startswith(b"PAR1"):
        return "parquet"
    if head.lstrip().startswith(b"{") and head.lstrip()[1:].lstrip()[:1] in (b'"', b"}"):
        return "json"
    return ""


def source(
    value: Any,
    *,
    run: bool,
    kind: str | None = None,
    skip_bad: bool = False,
    reading: Reading = STRICT,
    columns: Mapping[str, str] = NO_COLUMNS,
) -> Mapping[Any, Any] | Source | Iterable[Any]:
    """The kind of a run (or judgments): a mapping, a source of columns, or an iterable of these.

    `kind` names the format of a file if its name does not. `reading` is for TREC files. `columns`
    gives roles to the columns of a table.
    """
    value = of_library(value, run=run)
    if isinstance(value, (Mapping, Source)):
        return value
    if isinstance(value, (str, PathLike)):
        read_file = _file(value, kind, reading, run=run)
        if isinstance(read_file, Mapping):
            return read_file
        name, unit, pieces = read_file
        return Source(name, pieces, unit, skip_bad, columns)
    what = f"the {'run' if run else 'judgments'} ({type(value).__name__})"
    if frames.is_reader(value):  # read once, and kept
        value = frames.read_all(value, what)
    pieces_of_rows = _pieces_of_rows(value, what, run=run)
    if pieces_of_rows is not None:
        return Source(what, pieces_of_rows, "row", skip_bad, columns)
    if isinstance(value, Iterable) and not isinstance(value, (bytes, bytearray)):
        return value
    raise InputError(
        f"{what} can't be read; give a mapping, a file, a data frame, an Arrow table or "
        "dataset, or an iterable of such pieces, each with whole queries"
    )


def _pieces_of_rows(
    value: Any,
    what: str,
    *,
    run: bool,
) -> Pieces | None:
    """How columns, batches or a frame are read; None for anything else."""
    if isinstance(value, RunColumns):
        return lambda _problems, _origin: iter([value])
    if frames.is_batched(value):

        def batches(problems: Problems, _origin: int) -> Iterator[RunColumns]:
            return frames.of_batches(frames.parts_of(value, what), problems, run=run)

        return batches
    if frames.is_frame(value):

        def frame(problems: Problems, _origin: int) -> Iterator[RunColumns]:
            return iter([frames.of_frame(value, problems, run=run)])

        return frame
    return None


def of_library(
    value: Any,
    *,
    run: bool,
    subtopics: bool = False,
) -> Any:
    """A run or judgments of ranx or of ir_datasets as a mapping; anything else as it is."""
    if type(value).__module__.partition(".")[0] == "ranx":
        return value.to_dict()
    records = getattr(value, "scoreddocs_iter" if run else "qrels_iter", None)
    if records is None:
        return value
    queries: dict[Any, dict[Any, Any]] = {}
    for record in records():
        documents = queries.setdefault(record.query_id, {})
        name, key = record.doc_id, record.doc_id
        if subtopics:
            documents, key = documents.setdefault(name, {}), record.subtopic_id
        if key in documents:
            raise InputError(
                f"{at(record.query_id, name)}{'ranked' if run else 'judged'} twice in the data set"
            )
        documents[key] = record.score if run else record.relevance
    return queries


def is_readable(value: Any) -> bool:
    """Whether the value is a path, or a reader of Arrow's batches."""
    return isinstance(value, (str, PathLike)) or frames.is_reader(value)


def _file(
    path: str | PathLike[str],
    kind: str | None,
    reading: Reading,
    *,
    run: bool,
) -> Mapping[Any, Any] | tuple[str, str, Pieces]:
    """The mapping in a file, or its name, what its lines are called, and how they are read."""
    if kind not in (None, *FORMATS):
        raise InputError(f"format {kind!r} is unknown; use one of {', '.join(FORMATS)}")
    file: File = as_file(path)
    refuse_other_file(file)
    kind = kind or format_of(file)
    if kind in ("json", "jsonl"):
        return _mapping_of(file, kind, run=run)
    if kind == "parquet":
        return str(file), "row", lambda p, _: frames.of_parquet(file, p, run=run)
    if kind in _SEPARATORS:
        separator = separator_within(file.head, _SEPARATORS[kind]) or _SEPARATORS[kind]
        refuse_other_lines(file, separator, run=run)
        if run:
            refuse_lists(file, separator)
        return str(file), "line", lambda p, _: tabular.of_csv(file, p, separator, run=run)
    return str(file), "line", _of_trec(file, reading, run=run)


def _of_trec(
    file: File,
    reading: Reading,
    *,
    run: bool,
) -> Pieces:
    """How the lines of a TREC file are read; what is odd about the file is told."""
    refuse_other_lines(file, "", run=run)
    refuse_other_format(file, run=run)
    read = TrecFile(file, RUN if run else QRELS, reading=reading)
    told: list[str] = []
    if _named(file) in _SEPARATORS:
        told.append(NAMED_AS_TABLE)
    if run and head_runs_against(file.head):
        told.append(AGAINST_RANKS)

    def pieces(problems: Problems, origin: int) -> Iterator[RunColumns]:
        for odd in told:
            problems.told[odd] = 1
        return read.pieces(problems, origin)

    return pieces


def _mapping_of(
    file: File,
    kind: str,
    *,
    run: bool,
) -> Mapping[Any, Any]:
    """What a file of JSON, or of JSON lines, maps."""
    if kind == "json":
        return tabular.of_json_run(file) if run else tabular.of_json_judgments(file)
    return tabular.of_jsonl(file, run=run)


def tag(file: File) -> str:
    """The name of a run: the last field of its first line, or else the file's name."""
    if format_of(file) != "trec":
        return file.path.name
    fields = file.head.split(b"\n", 1)[0].split()
    if len(fields) == 6:
        return fields[5].decode(errors="replace")
    return file.path.name
