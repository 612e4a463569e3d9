"""A run that was built by asking a retriever, with its texts, latencies and errors."""

from collections.abc import Hashable, Iterator, Mapping
from typing import Any

from irmetrics_edu.judging.passages import Retrieved
from irmetrics_edu.views.escaping import visible

_NAMED = 3


class BuiltRun(Mapping[Hashable, Any]):
    """A run, query -> document -> score, made from a retriever's answers.

    Every measure and assertion takes it like a dictionary. If an answer has no scores, the query
    has a list of ids in order. `answers` has the passages of each query with texts and metadata,
    `texts` what was asked, `latencies` the seconds that each call took (a failed one too), `errors`
    what was raised, and `empty` the queries with no passage. `notes` says all this in words.
    """

    def __init__(
        self,
        answers: Mapping[Hashable, Retrieved],
        texts: Mapping[Hashable, Any],
        latencies: Mapping[Hashable, float],
        errors: Mapping[Hashable, str] | None = None,
        said: tuple[str, ...] = (),
    ) -> None:
        self.answers, self.texts, self.latencies = dict(answers), dict(texts), dict(latencies)
        self.errors = dict(errors or {})
        self._said = said
        self._rankings = {query: answer.ranking for query, answer in self.answers.items()}

    @property
    def empty(self) -> tuple[Hashable, ...]:
        """The queries for which the retriever found nothing; those that failed are in `errors`."""
        return tuple(q for q, answer in self.answers.items() if not answer and q not in self.errors)

    def notes(self) -> list[str]:
        """Notes to show with a score of this run."""
        said = [*self._said]
        for what, queries in (
            ("failed, with an empty ranking", list(self.errors)),
            ("got an empty answer", list(self.empty)),
        ):
            if queries:
                said.append(f"{len(queries):,} of {len(self):,} queries {what}: {_some(queries)}")
        tied = [query for query, answer in self.answers.items() if answer.is_tied]
        if tied:
            said.append(
                f"{len(tied):,} of {len(self):,} queries have equal scores, which conventions "
                f'may order otherwise (trec_eval: by id); order="given" keeps yours: {_some(tied)}'
            )
        noted = {query: answer.notes for query, answer in self.answers.items() if answer.notes}
        if noted:
            query, notes = next(iter(noted.items()))
            said.append(f"{len(noted):,} of {len(self):,} queries: {notes[0]} (query {query!r})")
        return said

    def with_answers(self, answers: Mapping[Hashable, Retrieved], *said: str) -> "BuiltRun":
        """The same run with other passages and notes about them."""
        return BuiltRun(answers, self.texts, self.latencies, self.errors, (*self._said, *said))

    def __getitem__(self, query: Hashable) -> Any:
        return self._rankings[query]

    def __iter__(self) -> Iterator[Hashable]:
        return iter(self._rankings)

    def __len__(self) -> int:
        return len(self._rankings)

    def __repr__(self) -> str:
        found = sum(map(len, self.answers.values()))
        return f"BuiltRun({len(self):,} queries, {found:,} passages)"

    def __str__(self) -> str:
        return "\n".join(visible(line) for line in [repr(self), *self.notes()])


def _some(queries: list[Hashable]) -> str:
    shown = ", ".join(map(repr, queries[:_NAMED]))
    return shown + (" ..." if len(queries) > _NAMED else "")
