"""Runs and judgments from files, as mappings from query to documents."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from irmetrics_edu.errors import InputError

if TYPE_CHECKING:
    from irmetrics_edu.reading.columns import Columns
    from irmetrics_edu.reading.problems import Problems


@dataclass(frozen=True)
class Loaded:
    """A mapping from query to documents, and what was left out of it."""

    items: Mapping[Any, Any]
    lines_left_out: int = 0
    duplicates: int = 0


def run(source: Any, *, skip_bad: bool = False) -> Loaded:
    """A run: query -> document -> score."""
    return _loaded(source, "RUN", skip_bad=skip_bad)


def qrels(source: Any, *, skip_bad: bool = False) -> Loaded:
    """Judgments: query -> document -> grade."""
    return _loaded(source, "QRELS", skip_bad=skip_bad)


def _loaded(source: Any, kind: str, *, skip_bad: bool) -> Loaded:
    if isinstance(source, Loaded):
        return source
    if not isinstance(source, (str, Path)):
        return Loaded(source)
    from irmetrics_edu.reading import trec
    from irmetrics_edu.reading.problems import Problems

    path, layout = Path(source), getattr(trec, kind)
    problems = Problems(str(path), skip=skip_bad)
    pieces = list(trec.TrecFile(path, layout).pieces(problems))
    items = _by_query(pieces, problems)
    problems.check()
    if not items:
        raise InputError(f"{path}: there is no line in it; expected lines of: {layout}")
    return Loaded(items, problems.count, problems.duplicates)


def _by_query(pieces: list["Columns"], problems: "Problems") -> dict[str, dict[str, float]]:
    items: dict[str, dict[str, float]] = {}
    for piece in pieces:
        documents = piece.document.tolist()
        values = [] if piece.value is None else piece.value.tolist()
        for q, query in enumerate(piece.queries):
            begin, end = int(piece.starts[q]), int(piece.starts[q + 1])
            mine, fresh = items.setdefault(query, {}), documents[begin:end]
            known = set(mine)
            for document, value in zip(fresh, values[begin:end], strict=True):
                mine.setdefault(document, value)
            if len(mine) != len(known) + end - begin:
                _tell_repeated(piece, documents, (begin, end), known, problems)
    return items


def _tell_repeated(
    piece: "Columns",
    documents: list[str],
    span: tuple[int, int],
    seen: set[str],
    problems: "Problems",
) -> None:
    """Report every line whose document its query has already."""
    for i in range(*span):
        if documents[i] in seen:
            problems.duplicates += 1
            problems.add(
                int(piece.line[i]), documents[i], "the query has this document already; keep one"
            )
        seen.add(documents[i])


def tag(path: Path) -> str:
    """The name of a run, as the last field of its first line has it."""
    from irmetrics_edu.reading.files import opened

    with opened(path) as stream:
        fields = stream.readline().split()
    return fields[5].decode(errors="replace") if len(fields) > 5 else path.name
