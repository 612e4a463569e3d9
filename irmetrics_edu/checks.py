"""Reading single inputs: ids, grades, scores, parameters; errors name the place and a remedy.

And how large input may be before it is refused.
"""

import contextlib
import math
import re
from collections import deque
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextvars import ContextVar
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from functools import cache
from itertools import islice
from numbers import Integral, Real
from typing import Any

from irmetrics_edu.errors import DEEPER_CUTOFF, Avoidable, InputError


def is_whole(value: Any) -> bool:
    """Whether a value is a whole number of Python's or numpy's; True and False are none."""
    return isinstance(value, (int, Integral)) and not isinstance(value, bool)


def whole(name: str, value: Any, least: int, most: int | None = None, *, why: str = "") -> int:
    """A whole number within its bounds; anything else is refused.

    >>> whole("layers", 2, 0)
    2
    """
    if not is_whole(value) or value < least or (most is not None and value > most):
        bounds = f"of at least {least}" if most is None else f"from {least} to {most}"
        raise InputError(f"{name}={value!r} is not possible; give a whole number {bounds}{why}")
    return int(value)


@dataclass(frozen=True)
class ReadingLimits:
    """The most that is read or built; `limits` sets other values.

    `max_line` is how many bytes a line may have. `max_ratio` is how many times its packed size a
    file may take unpacked (beyond the first 64 MiB). `max_cutoff` is the greatest k of measures
    that build a document for every rank down to k.
    """

    max_line: int = 1 << 20
    max_ratio: int = 200
    max_cutoff: int = 4_000_000

    def __post_init__(self) -> None:
        for field in fields(self):
            whole(field.name, getattr(self, field.name), 1)


_current: ContextVar[ReadingLimits] = ContextVar("limits", default=ReadingLimits())  # noqa: B039 -- it is frozen


def current() -> ReadingLimits:
    """The limits that hold here."""
    return _current.get()


@contextlib.contextmanager
def limits(**settings: Any) -> Iterator[ReadingLimits]:
    """Set other limits within this block: `max_line`, `max_ratio`, `max_cutoff`.

    If you give a file within the block, these limits also hold when it is read later.

    >>> with limits(max_line=10_000_000):
    ...     current().max_line
    10000000
    """
    names = [field.name for field in fields(ReadingLimits)]
    for name in settings:
        if name not in names:
            raise InputError(f"{name} is not a limit; use one of {', '.join(names)}")
    token = _current.set(replace(current(), **settings))
    try:
        yield current()
    finally:
        _current.reset(token)


def refuse_cutoff(k: int | None, what: str) -> None:
    """Refuse a cut-off for which too much would be built."""
    most = current().max_cutoff
    if k is not None and k > most:
        wrong = (
            f"k={k}: {what} needs a number for every rank down to k, and k may be at most "
            f"{most:,}; give a smaller k"
        )
        raise Avoidable(wrong, DEEPER_CUTOFF)


LARGEST_GRADE = 1e100  # so many of it can be summed and multiplied as there can be documents
_AS_TEXT = "str(id), a column's astype(str) or a CSV file makes numbers text"
_DECODED = "id.decode() makes bytes text"
_KINDS = ("text", "whole number")
MOST_COUNTED = 10**18  # of users, lists or items, and arrays hold it
MOST_RANKS = 10**9  # no ranking is longer, and arrays count so far everywhere


def at(query: Any = None, document: Any = None, rank: int | None = None) -> str:
    """The place, as an error message names it: "query 'q1', document 'd3', rank 2: "."""
    parts = []
    if query is not None:
        parts.append(f"query {query!r}")
    if document is not None:
        parts.append(f"document {document!r}")
    if rank is not None:
        parts.append(f"rank {rank}")
    return f"{', '.join(parts)}: " if parts else ""


def number(value: Any, what: str, place: str = "", *, exact: bool = False) -> Any:
    """A finite number, as a float or a fraction; anything else is refused."""
    if isinstance(value, (str, bytes)) or not hasattr(value, "__float__"):
        raise InputError(f"{place}{what} {value!r} is not a number")
    try:
        finite = math.isfinite(value)
    except OverflowError:
        raise InputError(f"{place}{what} is a whole number too large for a float") from None
    if not finite:
        raise InputError(f"{place}{what} {value!r} is not finite; give a finite number")
    if exact:
        value = value.item() if hasattr(value, "item") else value  # a number of numpy's
        return Fraction(str(value)) if isinstance(value, float) else Fraction(value)
    return float(value)


def grade(value: Any, place: str = "") -> None:
    """A grade: a finite number of a size that can be summed."""
    if abs(number(value, "grade", place)) > LARGEST_GRADE:
        raise InputError(
            f"{place}grade {value!r} is above {LARGEST_GRADE:g}, and sums of such grades are "
            "too large for a float; give grades on a smaller scale"
        )


_WITHOUT_A_CUT = ("all", "n", "max", "none", "inf", "full", "any")
_AT_R = (
    "; R, the number of relevant documents, differs from query to query: P and R at R are Rprec, "
    "and diagnose knows other measures at R by their values"
)


def _instead_of_a_word(k: Any) -> str:
    """What to write for a cut-off that is a word: all, R, 1%."""
    word = str(k).strip().lower()
    if word in _WITHOUT_A_CUT:
        return "; without a cut-off, leave it out"
    if word == "r":
        return _AT_R
    if word.endswith("%"):
        return ": a share of a list is another number for each list"
    return ""


def cutoff(k: Any) -> int | None:
    """A cut-off rank: a whole number, at least 1, or None for no cut."""
    if k is None:
        return None
    if not is_whole(k):
        fault = f"k={k!r} is not a cut-off; give a whole number of ranks, such as k=10"
        raise InputError(fault + _instead_of_a_word(k))
    if k < 1:
        raise InputError(f"k={k} is not a cut-off; give at least 1")
    if k > MOST_RANKS:
        raise InputError(
            f"k={k} is above the largest cut-off, {MOST_RANKS}; leave it out for no cut-off"
        )
    return int(k)


def between(
    name: str,
    value: Any,
    low: float,
    high: float,
    *,
    open_low: bool = False,
    open_high: bool = False,
) -> Any:
    """The parameter, if it is a number in its range."""
    number(value, f"{name} =")
    if not (low <= value <= high) or (open_low and value == low) or (open_high and value == high):
        left = "(" if open_low else "["
        right = ")" if open_high else "]"
        raise InputError(
            f"{name}={value} is out of range; give a number in {left}{low:g}, {high:g}{right}"
        )
    return value


def one_of(name: str, value: Any, words: Sequence[str]) -> None:
    """Refuse a parameter that is none of the known words."""
    if value not in words:
        raise InputError(f"{name}={value!r} is not known; use one of {', '.join(words)}")


def collection(value: Any, name: str, place: str, remedy: str) -> None:
    """Refuse what does not hold things one after the other; a text is none."""
    if isinstance(value, (str, bytes)) or not hasattr(value, "__iter__"):
        raise InputError(f"{place}{name}={value!r} is not a collection; {remedy}")


def mapping(value: Any, name: str, place: str, remedy: str) -> None:
    """Refuse what does not map one thing to another."""
    if not isinstance(value, Mapping):
        raise InputError(f"{place}{name}={value!r} is not a mapping; {remedy}")


def ordered(ranking: Any, query: Any = None) -> None:
    """Refuse a set as a ranking: its order is another one in each run of Python."""
    if isinstance(ranking, (set, frozenset)):
        raise InputError(
            f"{at(query)}the ranking is a set, which has no order; give a list of document "
            "ids, best first, or scores"
        )


def no_labels(values: Any, what: str, query: Any = None) -> None:
    """Refuse a data frame, and a series of pandas whose labels are the ids of its numbers.

    Taken as a list it would be one of ids: its names of columns, or its scores or grades. A series
    of ids has any labels, such as those that sorting leaves.
    """
    if hasattr(type(values), "columns"):
        raise InputError(
            f"{at(query)}the {what} are a data frame; give documents in order or "
            "document -> number, or whole frames to evaluate"
        )
    if not (hasattr(values, "to_dict") and hasattr(values, "index")):
        return
    has_text_labels = any(isinstance(label, str) for label in values.index)
    if has_text_labels and any(isinstance(value, Real) for value in values.tolist()):
        raise InputError(
            f"{at(query)}the {what} are a series of numbers with the documents as its index; "
            "give it as a mapping, .to_dict()"
        )


def ids(
    ranking: Iterable[Any],
    query: Any = None,
    what: str = "ranked",
    *,
    repeated: bool = False,
) -> list[Hashable]:
    """The documents of a ranking; one that occurs twice is refused, unless `repeated` allows it."""
    if isinstance(ranking, (str, bytes)):
        raise InputError(
            f"{at(query)}the ranking is the text {ranking!r}; give a list of document ids"
        )
    if not isinstance(ranking, Iterable):
        raise InputError(f"{at(query)}the ranking is {ranking!r:.60}; give a list of document ids")
    no_labels(ranking, f"documents {what}", query)
    documents = list(ranking.tolist() if hasattr(ranking, "tolist") else ranking)
    if not all_text(documents):
        _refuse_none(documents, query, what)
    try:
        each_once = len(set(documents)) == len(documents)
    except TypeError as error:
        if any(isinstance(document, (list, tuple)) for document in documents):
            raise InputError(
                f"{at(query)}the ranking holds a list, {documents[0]!r:.60}; give one ranking "
                "without a list around it, and several queries as {query: ranking} to evaluate"
            ) from None
        raise InputError(
            f"{at(query)}a document id must be hashable, such as text: {error}"
        ) from None
    if not (each_once or repeated):
        seen: dict[Hashable, int] = {}
        for rank, document in enumerate(documents, 1):
            if document in seen:
                raise InputError(
                    f"{at(query, document, rank)}{what} twice, first at rank {seen[document]}; "
                    "a document has one place: remove the repetition"
                )
            seen[document] = rank
    return documents


def _refuse_none(
    documents: Iterable[Any],
    query: Any,
    what: str,
) -> None:
    """Refuse places of a ranking that hold no id, as those of a padded table."""
    for place, document in enumerate(documents, 1):
        is_nan = isinstance(document, float) and math.isnan(document)
        if document is None or is_nan or type(document).__name__ == "NAType":
            raise InputError(
                f"{at(query)}place {place} of the documents {what} holds {document!r} and no id; "
                "leave it out"
            )


def kind(identifier: Any) -> str:
    """What an id is: text, a whole number, or the name of a type that is refused as an id."""
    if isinstance(identifier, str):
        return "text"
    if is_whole(identifier):
        return "whole number"
    return type(identifier).__name__


_NO_IDS = {"float", "float64", "float32", "float16", "bool", "bool_"}  # numpy 1's own is bool_


def all_text(ids: Iterable[Any]) -> bool:
    """Whether all ids are text; joining asks this of every id, so it has to be fast.

    CPython knows of a dict whether its keys are text, and answers without looking at them.
    """
    text_keys = _text_keys() if type(ids) is dict else None
    try:
        if text_keys:
            text_keys(ids)
        else:
            "".join(ids)
    except TypeError:
        return False
    return True


@cache
def _text_keys() -> Callable[[Any], Any] | None:
    """A check of the stable C interface, which raises a TypeError; None where there is none."""
    try:
        import ctypes  # not every Python has it

        check = ctypes.pythonapi.PyArg_ValidateKeywordArguments
    except (ImportError, AttributeError):
        return None
    check.argtypes = [ctypes.py_object]
    return check


def all_whole(ids: Mapping[Any, Any]) -> bool:
    """Whether all keys are Python's whole numbers; True and False equal 1 and 0 but are refused.

    The keys are looked at by a method of int, which refuses all others: nothing is computed with
    them, so that numbers of numpy can't overflow.
    """
    try:
        deque(map(int.conjugate, ids), maxlen=0)
    except TypeError:
        return False
    return not (0 in ids or 1 in ids)


def one_kind(ids: Collection[Any], what: str, place: str = "") -> str:
    """The kind of all ids together: text, or whole numbers; "" if there are none."""
    if set(map(type, ids)) == {str}:
        return "text"
    kinds = {kind(example): example for example in {type(i): i for i in ids}.values()}
    for name, example in kinds.items():
        if name in _NO_IDS:
            raise InputError(
                f"{place}the {what} id {example!r} is of type {name}; ids are text or whole "
                "numbers, so write it as one of these"
            )
    if len(kinds) > 1:
        (one, first), (other, second), *_ = kinds.items()
        raise InputError(
            f"{place}the {what} ids are of mixed kinds: {first!r} ({one}) and {second!r} "
            f"({other}); write all as text or all as whole numbers"
        )
    return next(iter(kinds), "")


def as_judged(of_run: str, of_judged: str, place: str = "") -> None:
    """Refuse documents of one kind if the judged documents are of another kind."""
    if of_run and of_judged and of_run != of_judged:
        raise InputError(
            f"{place}ids are {_several(of_run)}, and those of the judged documents are "
            f"{_several(of_judged)}; write ids the same way on both sides; "
            f"{_DECODED if bytes.__name__ in (of_run, of_judged) else _AS_TEXT}"
        )


def _several(kind_of_ids: str) -> str:
    """Ids of a kind, in the plural.

    >>> _several("whole number"), _several("bytes")
    ('whole numbers', 'of type bytes')
    """
    if kind_of_ids in _KINDS:
        return f"{kind_of_ids}s"
    return f"of type {kind_of_ids}"


def same_kind_of_ids(
    documents: Sequence[Hashable], judged: Iterable[Hashable], query: Any = None
) -> None:
    """Refuse ids that match a judged one only after a change of type or trimming, and pairs."""
    judged = list(judged)
    judged_ids = set(judged)
    ranked = set(documents)
    _refuse_pairs(documents, judged_ids, "scores", query)
    _refuse_pairs(judged, ranked, "grades", query)
    alike = nearly_equal(
        (d for d in documents if d not in judged_ids),
        (other for other in judged if other not in ranked),
    )
    if alike is not None:
        document, other, how = alike
        rank = list(documents).index(document) + 1
        raise InputError(
            f"{at(query, document, rank)}differs from the judged {other!r} only in {how}; "
            "write ids the same way on both sides"
        )
    _refuse_numbers_for_ids(documents, judged, query)


def _refuse_numbers_for_ids(
    documents: Sequence[Hashable],
    judged: Sequence[Hashable],
    query: Any,
) -> None:
    """Refuse scores in the place of ids, and ids of which one side has texts, the other numbers."""
    for rank, document in enumerate(documents, 1):
        if isinstance(document, float) and not document.is_integer():
            raise InputError(
                f"{at(query)}rank {rank} holds {document}, which is a score and no id; give scores "
                "as a mapping: document -> score"
            )
    ours = _one_kind_of(documents)
    theirs = _one_kind_of(judged)
    if ours and theirs and ours != theirs:
        raise InputError(
            f"{at(query)}ids are {_several(ours)}, and those that they are looked up in, such as "
            f"{judged[0]!r}, are {_several(theirs)}; write ids the same way on both sides; "
            f"{_AS_TEXT}"
        )


def _one_kind_of(ids: Sequence[Hashable]) -> str:
    """Text or whole numbers, where all ids are so; "" for others."""
    if ids and all(isinstance(one, str) for one in ids):
        return "text"
    if ids and all(is_whole(one) for one in ids):
        return "whole number"
    return ""


def _refuse_pairs(
    ids: Sequence[Hashable],
    others: AbstractSet[Hashable],
    numbers: str,
    query: Any,
) -> None:
    """Refuse [("d1", 2), ...] where the other side has "d1": each pair would be an id."""
    for one in ids:
        if not isinstance(one, tuple) or len(one) != 2:
            return
        document, number = one
        if document in others and isinstance(number, Real):
            raise InputError(
                f"{at(query)}{one!r} is a pair and no id of a document; give {numbers} as a "
                f"mapping, {{{document!r}: {number!r}, ...}}"
            )


def looked_up(
    items: Sequence[Hashable],
    values: Mapping[Any, Any],
    query: Any,
    lacking: str,
    *,
    ranked: bool,
) -> Iterator[tuple[str, Hashable, Any]]:
    """The place of each item, the item, and what a mapping has for it; `lacking` ends the error."""
    for rank, item in enumerate(items, 1):
        place = at(query, None, rank if ranked else None)
        if item not in values:
            same_kind_of_ids(items, values, query)
            raise InputError(f"{place}item {item!r} {lacking}")
        yield place, item, values[item]


def nearly_equal(
    ids: Iterable[Hashable], others: Iterable[Hashable]
) -> tuple[Hashable, Hashable, str] | None:
    """The first two ids that differ only in white space around them or in type, and in which.

    >>> nearly_equal(["d1", "d2 "], ["d3", "d2"]), nearly_equal([7], ["7"])[:2]
    (('d2 ', 'd2', 'white space'), (7, '7'))
    """
    by_folded = {folded(one): one for one in ids}
    for other in others if by_folded else ():
        if (key := folded(other)) in by_folded:
            one = by_folded[key]
            both = isinstance(one, str) and isinstance(other, str)
            return one, other, "white space" if both else f"type ({_AS_TEXT})"
    return None


# How ids of one thing come to be written in two ways: what is told, and what is left out.
_WAYS = (
    ("zeros in front", re.compile(r"(?<!\d)0+(?=\d)")),
    ("the .0 of a number that a table has as a float", re.compile(r"\.0$")),
    ("capital letters", None),
    ("the ending of a file's name", re.compile(r"\.[A-Za-z][A-Za-z0-9]{1,4}$")),
    ("what stands before the last / or #", re.compile(r"^.*[/#](?=.)")),
)


def written_otherwise(
    ids: Iterable[Hashable],
    others: Iterable[Hashable],
) -> str:
    """The first id that is written otherwise on the other side, and how; "" if there is none.

    >>> written_otherwise(["d007", "d012"], ["d7", "d9"])
    "'d007' and 'd7' differ in zeros in front: write ids the same way"
    """
    some = list(islice(ids, _COMPARED))
    all_others = list(islice(others, _COMPARED))
    for how, left_out in _WAYS:
        by_bare = {_without(other, left_out): other for other in all_others}
        for one in some:
            other = by_bare.get(_without(one, left_out))
            if other is not None:
                return f"{one!r} and {other!r} differ in {how}: write ids the same way"
    return ""


_COMPARED = 1_000  # ids of each side


def _without(identifier: Hashable, left_out: re.Pattern[str] | None) -> str:
    bare = folded(identifier)
    return bare.casefold() if left_out is None else left_out.sub("", bare)


def folded(identifier: Any) -> str:
    """An id without differences in type or white space around it."""
    if type(identifier) is str:
        return identifier.strip()
    real = isinstance(identifier, Real) and not isinstance(identifier, Integral)
    whole = real and identifier == identifier // 1
    return str(int(identifier) if whole else identifier).strip()


def score(value: Any, place: str = "") -> float:
    """A score: a finite number, and no truth value."""
    if type(value).__name__ in ("bool", "bool_"):
        raise InputError(f"{place}score {value!r} is True or False; give a number")
    if isinstance(value, Real) and value == -math.inf:
        raise InputError(
            f"{place}score {value!r} is not finite; leave out a document that was not retrieved"
        )
    return float(number(value, "score", place))


def ids_by_falling_score(scores: Mapping[Any, Any], query: Any = None) -> list[Hashable]:
    """Documents by falling score; equal scores stay in the order given."""
    if _are_finite_floats(scores.values()):
        return sorted(scores, key=scores.__getitem__, reverse=True)
    worth = {document: score(value, at(query, document)) for document, value in scores.items()}
    return sorted(worth, key=lambda document: -worth[document])


def _are_finite_floats(values: Collection[Any]) -> bool:
    """Whether no value needs a look of its own, and a place to name."""
    return set(map(type, values)) == {float} and all(map(math.isfinite, values))
