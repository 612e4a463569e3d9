"""One query's answer from any system as a ranking: `retrieved(answer)`.

answer -> what shape it has -> the id, score, text and metadata at each rank -> `Retrieved`
"""

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any
from uuid import UUID

import numpy as np

from irmetrics_edu import checks
from irmetrics_edu.checks import at
from irmetrics_edu.errors import InputError
from irmetrics_edu.judging.answer_shapes import Seen, seen

__tracebackhide__ = True  # pytest shows the line that called


@dataclass(frozen=True, slots=True)
class Passage:
    """The item at one rank of an answer: a document, or a part of one.

    A greater `score` is better; it is None if the retriever gives none. `metadata` is what the
    retriever stores with the text.
    """

    document: Hashable
    rank: int
    score: float | None = None
    text: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)


class Retrieved(Sequence[Passage]):
    """The answer of a retriever to one query: its passages, best first.

    `shape` says how the answer was recognised, and `notes` holds notes about it. With `by_rank`
    only the order counts, and the ranking has no scores.

    >>> answer = Retrieved([Passage("d3", 1, 0.9), Passage("d7", 2, 0.4)], "pairs")
    >>> answer.ranking
    {'d3': 0.9, 'd7': 0.4}
    """

    def __init__(
        self,
        passages: Sequence[Passage],
        shape: str = "",
        notes: Sequence[str] = (),
        *,
        by_rank: bool = False,
    ) -> None:
        self._passages = tuple(passages)
        self.shape = shape
        self.notes = tuple(notes)
        self.by_rank = by_rank

    @property
    def documents(self) -> list[Hashable]:
        """The ids in order."""
        return [passage.document for passage in self._passages]

    @property
    def ranking(self) -> dict[Hashable, float] | list[Hashable]:
        """The ranking for `evaluate`: id -> score, or ids in order if there are no scores.

        If scores rise from one rank to the next, scores are left out and the order stays.
        """
        scores = [p.score for p in self._passages if p.score is not None]
        rises = any(a < b for a, b in pairwise(scores))
        if self.by_rank or rises or not scores or len(scores) < len(self._passages):
            return self.documents
        return dict(zip(self.documents, scores, strict=True))

    def only(self, passages: Sequence[Passage]) -> "Retrieved":
        """The same answer with only these passages, ranked again from 1."""
        ranked = [replace(passage, rank=rank) for rank, passage in enumerate(passages, 1)]
        return Retrieved(ranked, self.shape, self.notes, by_rank=self.by_rank)

    def __getitem__(self, place: Any) -> Any:
        return self._passages[place]

    def __len__(self) -> int:
        return len(self._passages)

    def __repr__(self) -> str:
        return f"Retrieved({self.documents!r:.80}, shape={self.shape!r})"


Key = str | Callable[[Any], Any]
MISSING: Any = object()  # None may be a value that was found


def refuse_no_key(key: Any, name: str) -> None:
    """Refuse what is neither a path nor a function."""
    if key is None or callable(key) or (isinstance(key, str) and key):
        return
    raise InputError(
        f'{name}={key!r}: give a path such as {name}="metadata.source", or a function of what '
        "stands at a rank"
    )


def look(key: Key, *roots: Any) -> Any:
    """The value of a path or function in the first root that has it, or MISSING.

    >>> look("metadata.source", {"metadata": {"source": "a.pdf"}})
    'a.pdf'
    """
    if callable(key):
        return key(roots[0])
    for root in roots:
        value = _step(root, key)
        if value is not MISSING:
            return value
    return MISSING


def _step(root: Any, path: str) -> Any:
    whole = _part(root, path)  # a key may have a point in it
    if whole is not MISSING or "." not in path:
        return whole
    first, _, rest = path.partition(".")
    inner = _part(root, first)
    return MISSING if inner is MISSING else _step(inner, rest)


def _part(root: Any, name: str) -> Any:
    if isinstance(root, Mapping):
        return root[name] if name in root else MISSING  # noqa: SIM401 -- None may be the value
    if not name.startswith("_") and hasattr(root, name):
        return getattr(root, name)
    if name.isdecimal() and isinstance(root, Sequence) and not isinstance(root, (str, bytes)):
        return root[int(name)] if int(name) < len(root) else MISSING
    return MISSING


ORDERS = ("checked", "given")
_KNOWN = (
    "a list of ids or of (id, score), id -> score, documents of LangChain (with scores or "
    "without), LlamaIndex or Haystack, a response of Elasticsearch or OpenSearch, points of "
    "Qdrant, rows of a database, arrays of bm25s"
)


def retrieved(
    answer: object,
    *,
    id: Key | None = None,  # noqa: A002 -- what it is called in every system
    score: Key | None = None,
    text: Key | None = None,
    distance: bool | None = None,
    order: str = "checked",
    query: Hashable = None,
) -> Retrieved:
    """The answer of a retriever to one query, as a ranking with scores, texts and metadata.

    The shape of `answer` is recognised: a list of ids or of (id, score), id -> score, LangChain
    documents with or without scores, LlamaIndex nodes with scores, Haystack documents or what a
    pipeline gives, the response of Elasticsearch or OpenSearch, points of Qdrant, rows or a cursor
    of a database, documents and scores as arrays (bm25s). An iterator is read to its end. `id`,
    `score` and `text` say where to find a value at each rank: a path such as "metadata.source", or
    a function of the item.

    A greater score is better. For distances write distance=True; they are stored with a minus sign.
    A LangChain document or LlamaIndex node without an id, or with a random one (UUID 4), is named
    by its source and a hash of its text: "returns.md#3f2a...". So the id is the same after the
    next indexing, and on other machines. id="id" keeps the random ids (id="node.node_id" those of
    LlamaIndex).

    Ranks follow the given order. With order="checked", scores that contradict the order are
    refused. With order="given" only the order counts: the ranking has no scores, and a note says if
    the scores contradict the order. The conventions of the evaluation order equal scores
    (trec_eval: by id), unless order="given". `query` names the query in errors.

    Raises InputError for an unknown shape, a missing id or score, or a document that appears twice.
    Raises RetrieverError for an answer that says that it is partial.

    >>> retrieved([("d3", 0.9), ("d7", 0.4)]).ranking
    {'d3': 0.9, 'd7': 0.4}
    """
    place = at(query)
    refuse_no_key(id, "id")
    refuse_no_key(score, "score")
    refuse_no_key(text, "text")
    checks.one_of("order", order, ORDERS)
    if isinstance(answer, Retrieved):
        return answer
    recognised = _recognised(answer, place)
    documents, notes = _documents(recognised, id, place)
    scores = _scores(recognised, score, documents, place, distance=distance)
    _refuse_twice(documents, place)
    passages: list[Passage] = []
    for rank, item in enumerate(recognised.items, 1):
        passage = Passage(
            document=documents[rank - 1],
            rank=rank,
            score=scores[rank - 1],
            text=_text(recognised, item, text, f"{place}rank {rank}: "),
            metadata=_beside(recognised, item),
        )
        passages.append(passage)
    return _ordered(passages, notes, recognised, order, place)


def _recognised(answer: object, place: str) -> Seen:
    """The answer in its shape; InputError if no shape fits."""
    try:
        recognised = seen(answer)
    except InputError as error:
        raise InputError(f"{place}{error}") from None
    if recognised is None:
        raise InputError(
            f"{place}the answer is of no known shape: {_shown(answer)}. It can be {_KNOWN}"
        )
    return recognised


def _documents(
    recognised: Seen,
    key: Key | None,
    place: str,
) -> tuple[list[Any], list[str]]:
    """The id at each rank, and a note if random ids were replaced."""
    documents: list[Any] = []
    notes: list[str] = []
    copies: Counter[str] = Counter()
    for rank, item in enumerate(recognised.items, 1):
        document = _stored_id(recognised, item, key)
        by_content = _content_id(recognised, item) if key is None and recognised.draws_ids else None
        if by_content is not None and (document is MISSING or _is_uuid4(document)):
            named = _next_copy(by_content, copies)
            if document is not MISSING and not notes:
                notes.append(
                    "the library drew ids at random: passages are named by source and content, "
                    f"such as {named}; id={recognised.id[0]!r} keeps the random ids"
                )
            document = named
        if document is MISSING or document is None or document == "":
            raise InputError(_no_id(recognised, item, key, f"{place}rank {rank}: "))
        documents.append(_checked_id(document, f"{place}rank {rank}: "))
    return documents, notes


def _stored_id(recognised: Seen, item: Any, key: Key | None) -> Any:
    """The id where the key or the shape says that it stands, or MISSING."""
    if key is None and recognised.whole:
        return item
    return _value(recognised, item, key, recognised.id)


def _next_copy(name: str, copies: Counter[str]) -> str:
    """The name of one more copy: the order of retrieval alone tells copies apart."""
    copies[name] += 1
    return name if copies[name] == 1 else f"{name}~{copies[name]}"


def _checked_id(document: Any, where: str) -> str | int:
    """An id as text or a whole number; InputError for anything else, such as a float."""
    if isinstance(document, np.generic):
        document = document.item()
    if isinstance(document, (str, int)) and not isinstance(document, bool):
        return document
    if type(document).__name__ in ("UUID", "ObjectId"):  # as databases give it
        return str(document)
    raise InputError(
        f"{where}the id {document!r:.80} is of type "
        f"{type(document).__name__}; ids are text or whole numbers"
    )


def _is_uuid4(stored: Any) -> bool:
    """Whether an id is a random UUID, which is another one after each indexing."""
    try:
        return UUID(str(stored)).version == 4
    except ValueError:
        return False


def _content_id(recognised: Seen, item: Any) -> str | None:
    """The name of the item's source and a hash of its text, alike on every machine.

    The folder of the source does not count, and a line break counts as a blank.
    """
    text = _value(recognised, item, None, recognised.text)
    if not isinstance(text, str):
        return None
    source = str(_beside(recognised, item).get("source") or "passage")
    name = re.split(r"[/\\]", source.rstrip("/\\"))[-1] or "passage"
    digest = hashlib.sha256(" ".join(text.split()).encode("utf-8", "surrogatepass")).hexdigest()
    return f"{'_'.join(name.split()) or 'passage'}#{digest[:12]}"


def _refuse_twice(documents: Sequence[Hashable], place: str) -> None:
    """Refuse an id at two ranks: a score per document would count it twice."""
    first: dict[Hashable, int] = {}
    for rank, document in enumerate(documents, 1):
        if first.setdefault(document, rank) != rank:
            raise InputError(
                f"{place}document {document!r}, rank {rank}: retrieved twice, first at rank "
                f"{first[document]}. If these are passages of one document, give each an id of its "
                "own here (for LangChain and LlamaIndex, leave out id=), and put them together "
                'with collapse(run, parent="source")'
            )


def _value(
    recognised: Seen,
    item: Any,
    key: Key | None,
    paths: Sequence[str],
) -> Any:
    """The value of the key, else of the first path that leads to one; it may begin in a part."""
    parts = [look(path, item) for path in (recognised.inner, *recognised.metadata) if path]
    for path in paths if key is None else (key,):
        value = look(path, item, *(part for part in parts if part is not MISSING))
        if value is not MISSING and value is not None:
            return value
    return MISSING


def _no_id(
    answer: Seen,
    item: Any,
    key: Key | None,
    place: str,
) -> str:
    asked = "no id" if key is None else f"no id under {key!r}"
    beside = _beside(answer, item)
    there = f"; beside it stand {', '.join(map(str, beside))}" if beside else ""
    likely = next((n for n in map(str, beside) if n.lower().endswith("id")), "chunk_id")
    return (
        f"{place}{asked} among {answer.shape}{there}. Say where the passage's own id stands, such "
        f'as id="metadata.{likely}", or give a function of the item'
    )


def _scores(
    recognised: Seen,
    key: Key | None,
    documents: list[Any],
    place: str,
    *,
    distance: bool | None,
) -> list[float | None]:
    """The score at each rank, greater is better; None for all if there are no scores."""
    values = _values(recognised, key)
    present = [value is not MISSING and value is not None for value in values]
    if not any(present) and (key is None or not values):
        _refuse_no_distance(recognised, place, asked=bool(distance and values))
        return [None] * len(values)
    if key is None and distance is None:
        _refuse_likely_distance(recognised, place)
    scores: list[float | None] = []
    for rank, value in enumerate(values, 1):
        where = f"{place}document {documents[rank - 1]!r}, rank {rank}: "
        if not present[rank - 1]:
            _refuse_no_score(where, key)
        score = _number(value, where)
        scores.append(-score if distance else score)
    return scores


def _refuse_likely_distance(answer: Seen, place: str) -> None:
    """Refuse a score that is called as distances are, where nobody says which it is."""
    if answer.smaller_is_better:
        raise InputError(
            f"{place}the column {answer.score[0]!r} looks like a distance: say distance=True if a "
            "smaller value is better, else distance=False"
        )


def _refuse_no_distance(recognised: Seen, place: str, *, asked: bool) -> None:
    if asked:
        raise InputError(
            f"{place}distance=True, and there is no score among {recognised.shape}; say score= "
            "where it stands"
        )


def _refuse_no_score(where: str, key: Key | None) -> None:
    among = ", and other ranks have one" if key is None else f" under {key!r}"
    raise InputError(
        f"{where}there is no score{among}; give every rank a score, or say score= where it stands"
    )


def _values(recognised: Seen, key: Key | None) -> list[Any]:
    """What stands for the score at each rank."""
    if key is None and recognised.scores is not None:
        return recognised.scores
    return [_value(recognised, item, key, recognised.score) for item in recognised.items]


def _number(value: Any, where: str) -> float:
    is_decimal = type(value).__name__ == "Decimal"
    return checks.score(float(value) if is_decimal else value, where)


def _text(
    recognised: Seen,
    item: Any,
    key: Key | None,
    where: str,
) -> str | None:
    value = _value(recognised, item, key, recognised.text)
    if isinstance(value, str):
        return value
    if key is None:
        return None
    got = "nothing" if value is MISSING else repr(value)[:80]
    raise InputError(f"{where}text={key!r} leads to {got}; give a path to text")


def _beside(recognised: Seen, item: Any) -> Mapping[str, Any]:
    """The metadata of an item, with its other fields."""
    kept: dict[str, Any] = {}
    for path in recognised.metadata:
        value = look(path, item) if path else item
        kept |= value if isinstance(value, Mapping) else {}
    for name, path in recognised.beside.items():
        value = look(path, item)
        if value is not MISSING and value is not None:
            kept.setdefault(name, value)
    return kept


def _ordered(
    passages: list[Passage],
    notes: list[str],
    recognised: Seen,
    order: str,
    place: str,
) -> Retrieved:
    """The passages in order, after a check against their scores."""
    # A mapping from id to score has no order of its own.
    by_score = recognised.shape == "scores by id"
    answer = Retrieved(passages, recognised.shape, notes, by_rank=order == "given" and not by_score)
    scores = [passage.score for passage in answer if passage.score is not None]
    if len(scores) < len(answer):
        return answer
    if by_score:
        places = sorted(range(len(scores)), key=lambda i: -scores[i])
        return answer.only([answer[i] for i in places])
    rises = [rank for rank in range(1, len(scores)) if scores[rank] > scores[rank - 1]]
    if not rises:
        return answer
    above = rises[0]  # a rank, from 1: the item after it has a greater score
    contradiction = (
        f"document {answer[above].document!r}, rank {above + 1}: score {scores[above]:g} is above "
        f"{scores[above - 1]:g} at rank {above}"
    )
    if order == "given":
        answer.notes += (f"{contradiction}: ranked in the order given, scores left out",)
        return answer
    raise InputError(
        f"{place}{contradiction}, so scores and order contradict each other. If smaller is better, "
        'say distance=True; if the order counts (re-ranked, diversified), order="given"; if the '
        "scores do, sort by them"
    )


def _shown(answer: Any) -> str:
    kind = type(answer).__name__
    if isinstance(answer, Mapping):
        keys = ", ".join(map(repr, list(answer)[:5]))
        return f"a {kind} with {keys or 'no key'}"
    if isinstance(answer, Sequence) and not isinstance(answer, (str, bytes)) and len(answer):
        first = answer[0]
        return f"a {kind} of {type(first).__name__}: {first!r:.80}"
    return f"{answer!r:.80} ({kind})"
