"""What an evaluation met besides scores: nothing that is left out or made up goes unsaid."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

_NAMED = 5  # queries that a note lists by name


@dataclass(frozen=True)
class Counts:
    """How many queries and documents there were, and which of them need saying.

    `unjudged_documents` maps each cut-off (None: the whole ranking) to the number of documents
    retrieved above it, in all queries, that nobody judged.
    """

    queries: int
    retrieved: int = 0
    relevant: int = 0
    relevant_retrieved: int = 0
    missing: Sequence[Hashable] = ()
    missing_score_zero: bool = True
    not_judged: Sequence[Hashable] = ()
    without_relevant: Sequence[Hashable] = ()
    unjudged_documents: Mapping[int | None, int] = field(default_factory=dict)
    documents_within: Mapping[int | None, int] = field(default_factory=dict)
    duplicates: int = 0
    tied: int = 0
    lines_left_out: int = 0

    def notes(self) -> list[str]:
        """A sentence for each count that is not zero."""
        out = []
        if self.missing:
            fate = "scores 0" if self.missing_score_zero else "is left out"
            fates = "score 0" if self.missing_score_zero else "are left out"
            out.append(
                _said(
                    self.missing,
                    "judged query is not in the run and " + fate,
                    "judged queries are not in the run and " + fates,
                )
            )
        if self.not_judged:
            out.append(
                _said(
                    self.not_judged,
                    "query of the run is not judged and is left out",
                    "queries of the run are not judged and are left out",
                )
            )
        if self.without_relevant:
            out.append(
                _said(
                    self.without_relevant,
                    "query has no relevant document",
                    "queries have no relevant document",
                )
            )
        for k, n in self.unjudged_documents.items():
            if n:
                among = self.documents_within[k]
                where = "retrieved" if k is None else f"at ranks 1 to {k}"
                out.append(
                    f"{n:,} of {among:,} documents {where} "
                    f"{'is' if n == 1 else 'are'} not judged ({n / among:.0%})"
                )
        for n, one, many in (
            (self.tied, "", "documents share their score with another of the same query"),
            (self.duplicates, "repeated document was met", "repeated documents were met"),
            (self.lines_left_out, "bad line was left out", "bad lines were left out"),
        ):
            if n:  # never one document in ties: it shares its score with another
                out.append(f"{n:,} {one if n == 1 else many}")
        return out

    def to_dict(self) -> dict[str, Any]:
        """All counts, as JSON has them."""
        known = asdict(self)
        for name in ("unjudged_documents", "documents_within"):
            known[name] = {"all" if k is None else str(k): n for k, n in known[name].items()}
        for name in ("missing", "not_judged", "without_relevant"):
            known[name] = list(known[name])
        return known


def _said(queries: Sequence[Hashable], one: str, many: str) -> str:
    shown = ", ".join(str(q) for q in queries[:_NAMED])
    more = f" and {len(queries) - _NAMED:,} more" if len(queries) > _NAMED else ""
    return f"{len(queries):,} {one if len(queries) == 1 else many}: {shown}{more}"
