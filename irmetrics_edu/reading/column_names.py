"""The names of the columns of a run or of judgments, and which columns are read."""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from irmetrics_edu.errors import NAMED_COLUMN, Avoidable, InputError

# In the order of preference: beside an id, "query" and "document" are texts. PyTerrier's "docid" is
# its own number of a document, and "docno" the id.
QUERY = (
    "query_id",
    "qid",
    "q_id",
    "query-id",
    "query",
    "topic",
    "user_id",
    "userid",
    "user",
    "customer_id",
)
DOCUMENT = (
    "doc_id",
    "docno",
    "docid",
    "document_id",
    "corpus-id",
    "document",
    "doc",
    "item_id",
    "itemid",
    "movieid",
    "item",
    "product_id",
)
SCORE = ("score", "sim", "prediction", "similarity", "relevance_score", "_score")
RANK = ("rank",)
SUBTOPIC = ("subtopic", "subtopic_id", "intent", "nugget", "aspect")
GRADE = ("grade", "relevance", "rel", "label", "rating", "esci_label")
BEIR = "corpus-id"  # whose collections call a grade "score", as a run's value is called elsewhere
OF_RANX = {"q_id", "doc_id", "score"}  # of its runs, and of its judgments too
NO_COLUMNS: Mapping[str, str] = MappingProxyType({})  # no column has a role by the caller's word
ROLES = ("query", "document", "score", "rank", "subtopic", "grade")
SUBTOPIC_QRELS = {"query": QUERY, "subtopic": SUBTOPIC, "document": DOCUMENT, "grade": GRADE}


@dataclass(frozen=True, slots=True)
class Chosen:
    """The columns that are read of a table: their names there."""

    query: str
    document: str
    value: str | None  # of scores or grades; None: the rows of a run are in ranked order
    rank: str | None  # settles the order that scores leave open, or is all that there is

    @property
    def places(self) -> list[str]:
        """All of them."""
        return [n for n in (self.query, self.document, self.value, self.rank) if n is not None]

    def read(self, *, run: bool) -> dict[str, str]:
        """What each column was read as."""
        columns = {"query": self.query, "document": self.document}
        value = {"score" if run else "grade": self.value, "rank": self.rank}
        return columns | {role: name for role, name in value.items() if name is not None}


def other_names(
    columns: Mapping[str, Mapping[str, str]], unnamed: Collection[str] = ()
) -> list[str]:
    """A sentence for the run and for the judgments, if their columns have other names than ours.

    `unnamed` are those of them whose columns have no names, but places.

    >>> other_names({"run": {"query": "1", "document": "2"}}, ["run"])
    ['the first line of the run names no columns: column 1 is read as query, 2 as document']
    """
    notes = []
    for what, names in columns.items():
        if what in unnamed:
            places = ", ".join(f"{place} as {role}" for role, place in names.items())
            first, _, rest = places.partition(" as ")
            notes.append(
                f"the first line of the {what} names no columns: column {first} is read as {rest}"
            )
            continue
        other = [f"{name!r} as {role}" for role, name in names.items() if name != role]
        if other:
            notes.append(f"columns of the {what} are read by other names: {', '.join(other)}")
        score = names.get("score", "")
        if _is_distance(score):
            notes.append(
                f"the highest {score!r} comes first; if the smallest is the best, read it as a "
                f"rank: --columns {score}=rank, or columns={{{score!r}: 'rank'}}"
            )
    return notes


def asked_for(columns: Mapping[str, str]) -> dict[str, str]:
    """The roles that a caller gives to columns, by their names; each role once.

    >>> asked_for({"reader": "query", "book": "document"})
    {'reader': 'query', 'book': 'document'}
    """
    for name, role in columns.items():
        if role not in ROLES:
            turned = f"; if {role!r} is the column, turn it round: {role}={name}"
            raise InputError(
                f"columns: {name!r} is to be read as {role!r}; say one of {', '.join(ROLES)}"
                f"{turned if name in ROLES else ''}"
            )
    return dict(columns)


def column(
    names: Sequence[str],
    usual_names: Sequence[str],
    what: str,
    where: str,
    asked: Mapping[str, str] | None = None,
) -> str:
    """The column that is called by one of the known names; an error lists them.

    `asked` gives roles to columns of other names, where a caller can say so.
    """
    called = _called(names, usual_names, what, where, asked)
    if called is None:
        first, *others = dict.fromkeys([what, *usual_names] if what in usual_names else usual_names)
        also = f" (or {', '.join(others)})" if others else ""
        lacking = f"{where}: there is no column of the {what}; call it {first!r}{also}"
        there = f"; the columns are {', '.join(map(repr, names)) or 'none'}"
        if asked is None:
            raise InputError(f"{lacking}{there}")
        raise Avoidable(lacking, NAMED_COLUMN, there)
    return called


_OF_RECBOLE = re.compile(r":(token|float)(_seq)?$")  # types behind the names in its files


def _folded(name: str) -> str:
    """The name of a column as it is looked up.

    >>> _folded("Query"), _folded("user_id:token")
    ('query', 'user_id')
    """
    return _OF_RECBOLE.sub("", name.strip().lower())


def _called(
    names: Sequence[str],
    usual_names: Sequence[str],
    what: str,
    where: str,
    asked: Mapping[str, str] | None = None,
) -> str | None:
    for asked_name, role in (asked or {}).items():
        if role == what and asked_name in names:
            return asked_name
    folded = [_folded(name) for name in names]
    name = next((name for name in usual_names if name in folded), None)
    if name is None:
        return None
    if folded.count(name) > 1:
        raise InputError(
            f"{where}: {folded.count(name)} columns are called {name!r}; keep only the column "
            "to read, or rename the others"
        )
    return names[folded.index(name)]


def chosen(
    names: Sequence[str],
    where: str,
    *,
    run: bool,
    is_numeric: Callable[[str], bool] = lambda _: False,
    asked: Mapping[str, str] | None = None,
) -> Chosen:
    """The columns to read.

    A run may have no scores. Then its rows are in ranked order. A column of numbers with an unknown
    name may be its scores, so it is refused instead of skipped. Judgments may have no grades if
    they have no other column, either: then they list relevant documents, such as held-out items.
    """
    query = column(names, QUERY, "query", where, asked)
    document = column(names, DOCUMENT, "document", where, asked)
    if not run:
        if len(names) == 2 and query != document:
            return Chosen(query, document, None, None)
        _refuse_run(names, where, asked)
        grade_names = _names_of_grades(names, document)
        return Chosen(query, document, column(names, grade_names, "grade", where, asked), None)
    score = _called(names, SCORE, SCORE[0], where, asked)
    rank = _called(names, RANK, RANK[0], where, asked)
    if score is None and rank is None:
        others = [name for name in names if name not in (query, document)]
        numeric = [name for name in others if is_numeric(name)]
        _refuse_judgments(numeric, where)
        _refuse_numbers(numeric, where)
    return Chosen(query, document, score, rank)


def _names_of_grades(names: Sequence[str], document: str) -> tuple[str, ...]:
    """What the column of grades may be called: BEIR and ranx call it a score."""
    if document.strip().lower() == BEIR or set(names) == OF_RANX:
        return (*GRADE, "score")
    return GRADE


_RUN_FIRST = "In Python the run comes first, in commands the judgments"


def _refuse_run(
    names: Sequence[str],
    where: str,
    asked: Mapping[str, str] | None,
) -> None:
    """Refuse judgments whose columns are those of a run: scores or ranks, and no grades."""
    if asked or _called(names, GRADE, GRADE[0], where) is not None:
        return
    of_runs = [name for name in names if _folded(name) in (*SCORE, *RANK)]
    is_of_others = BEIR in map(_folded, names) or set(names) == OF_RANX
    if of_runs and not is_of_others:
        raise Avoidable(
            f"{where}: there is no column of the grade; call it {GRADE[0]!r}",
            NAMED_COLUMN,
            f". It has a column {of_runs[0]!r}: is this the run? {_RUN_FIRST}",
        )


def _refuse_judgments(numeric: Sequence[str], where: str) -> None:
    """Refuse a run whose columns are those of judgments: grades, and neither scores nor ranks."""
    of_judgments = [name for name in numeric if _folded(name) in GRADE]
    if of_judgments:
        raise Avoidable(
            f"{where}: there is no column of the score; call it {SCORE[0]!r}",
            NAMED_COLUMN,
            f". It has a column {of_judgments[0]!r}: are these the judgments? {_RUN_FIRST}",
        )


def _is_distance(name: str) -> bool:
    """Whether a column is called as distances are, of which the smallest is the best."""
    return _folded(name) in ("distance", "dist", "l2", "l2_distance", "cosine_distance", "loss")


def _refuse_numbers(numeric: Sequence[str], where: str) -> None:
    """Refuse columns of numbers that may be the scores, though none is called so."""
    if not numeric:
        return
    listed = ", ".join(map(repr, numeric))
    distances = [name for name in numeric if _is_distance(name)]
    if distances:
        raise Avoidable(
            f"{where}: there is no column of the score, and {distances[0]!r} holds distances, of "
            "which the smallest is the best; call it 'rank'",
            NAMED_COLUMN,
            f", as in {distances[0]}=rank",
        )
    holds = "hold" if len(numeric) > 1 else "holds"
    raise InputError(
        f"{where}: there is no column of the score; call it {SCORE[0]!r} (or "
        f"{', '.join(SCORE[1:])}), or {RANK[0]!r}; {listed} {holds} numbers. If the rows are in "
        "ranked order, leave such columns out"
    )
