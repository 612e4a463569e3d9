"""Values as JSON: plain data goes to the child, and plain data comes back.

The source of this file is run in the child too, so it needs the standard library alone. Numbers,
text, None and lists stand for themselves; everything else is an object with one tag.

    nan, inf            {"float": "nan"}            tuple       {"tuple": [...]}
    whole number        {"int": "12..."} if long    set         {"set": [...]}
    fraction            {"fraction": [1, 3]}        dict        {"dict": [[key, value], ...]}
    numpy array         {"array": [...]}        Decimal, longdouble     the nearest float
    range, deque, view of a dict, generator and any other iterator      a list

A value of a subclass arrives as its plain base type. It is read with the base type's own methods,
so no method of a subclass is called. A numpy scalar arrives as Python's number. A value without a
plain form is refused.
"""

import sys
from collections import deque
from collections.abc import Iterable
from fractions import Fraction
from itertools import islice
from typing import Any

DEEPEST = 60
LONG = 1 << 63
MOST_ELEMENTS = 1_000_000
# Numbers can be chosen so that their hashes collide, and then a set takes quadratic time.
MOST_KEYS = 10_000
MOST_HEX_DIGITS = 1_000


class NotPlain(ValueError):  # noqa: N818 -- the message reads "NotPlain: ..."
    """A value has no plain form; the message says what to return instead."""


def pack(value: Any, depth: int = 0) -> Any:
    """A value in the form that JSON can hold."""
    kind = type(value)
    if value is None or kind is bool or kind is str:
        return value
    if depth > DEEPEST:
        raise NotPlain(f"the value is nested more than {DEEPEST} deep, or holds itself")
    if kind.__module__ == "numpy":
        return _pack_numpy(value, depth)
    if issubclass(kind, (str, int, float)):
        return _pack_scalar(kind, value)
    if issubclass(kind, (list, tuple, set, frozenset, dict)):
        return _pack_container(
            kind,
            value,
            depth,
        )
    return _pack_other(
        kind,
        value,
        depth,
    )


def _pack_scalar(kind: type, value: Any) -> Any:
    """A text or a number, by the methods of the base type."""
    if issubclass(kind, str):
        return str.__str__(value)
    if issubclass(kind, int):
        return _pack_int(int.__pos__(value))
    plain = float.__pos__(value)
    return plain if plain - plain == 0 else {"float": float.__repr__(plain)}


def _pack_container(
    kind: type,
    value: Any,
    depth: int,
) -> Any:
    """A list, a tuple, a set or a dict, with what is in it."""
    for base, tag in _TAGS:
        if issubclass(kind, base):
            items = [pack(item, depth + 1) for item in _items(value, base)]
            return {tag: items} if tag else items
    below = depth + 1
    pairs = dict.items(value)
    return {"dict": [[pack(key, below), pack(item, below)] for key, item in pairs]}


_TAGS: tuple[tuple[tuple[type, ...], str], ...] = (
    ((list,), ""),
    ((tuple,), "tuple"),
    ((set, frozenset), "set"),
)


def _pack_other(
    kind: type,
    value: Any,
    depth: int,
) -> Any:
    """A value of another type that has a plain form."""
    if kind.__module__ == "decimal" and kind.__name__ == "Decimal":
        return pack(float(value), depth)
    if kind is Fraction:
        return {"fraction": [_pack_int(value.numerator), _pack_int(value.denominator)]}
    numpy = sys.modules.get("numpy")
    if numpy is not None and issubclass(kind, numpy.ndarray):
        return _pack_numpy(value, depth)
    if kind in _SERIES or hasattr(kind, "__next__"):
        return pack(_series(value), depth)
    raise NotPlain(
        f"a value of type {kind.__name__} is not plain data; "
        "return a number, text, a list, a tuple, a set, a dict or a numpy array"
    )


_SERIES: tuple[type, ...] = (range, deque, type({}.keys()), type({}.values()), type({}.items()))


def _series(value: Any) -> list[Any]:
    """The elements of an iterator, such as a generator."""
    items = list(islice(value, MOST_ELEMENTS + 1))
    if len(items) > MOST_ELEMENTS:
        raise NotPlain(f"more than {MOST_ELEMENTS:,} elements are too big an answer")
    return items


def _items(value: Any, base: tuple[type, ...]) -> Iterable[Any]:
    kind: Any = next(b for b in base if issubclass(type(value), b))
    items: list[Any] = list(kind.__iter__(value))
    if kind is not list and kind is not tuple:
        # In a fixed order, so that what is sent does not depend on hashes.
        items.sort(key=repr)
    return items


def _pack_int(value: Any) -> Any:
    if type(value) is not int:
        raise NotPlain("a fraction's parts must be whole numbers")
    if -LONG < value < LONG:
        return value
    if value.bit_length() > 4 * MOST_HEX_DIGITS - 12:
        raise NotPlain("a whole number of more than a thousand digits is too big an answer")
    return {"int": hex(value)}


def _pack_numpy(value: Any, depth: int) -> Any:
    numpy = sys.modules["numpy"]
    if issubclass(type(value), numpy.ndarray):
        if numpy.ndarray.size.__get__(value) > MOST_ELEMENTS:
            raise NotPlain(f"an array of more than {MOST_ELEMENTS:,} elements is too big an answer")
        nested = pack(numpy.ndarray.tolist(value), depth + 1)
        return {"array": nested} if isinstance(nested, list) else nested
    if issubclass(type(value), numpy.generic):
        item = numpy.generic.item(value)
        if isinstance(item, numpy.longdouble):  # Python has no number for it
            item = float(item)
        if not isinstance(item, numpy.generic):
            return pack(item, depth + 1)
    raise NotPlain(f"a numpy {type(value).__name__} is not plain data; return a number")


def parts_of(packed: Any, most: int) -> int:
    """How many numbers, texts, lists and other parts a packed value has; beyond `most` it stops.

    It walks through no more than that, and makes no key of anything: keys can be chosen so that
    their hashes collide.

    >>> parts_of(pack([1, [2, 3]]), 10), parts_of(pack({"a": 1}), 10), parts_of([[[0]]] * 99, 10)
    (5, 5, 11)
    """
    waiting = [packed]
    count = 0
    while waiting:
        one = waiting.pop()
        count += 1
        if count > most:
            return count
        if isinstance(one, dict):
            waiting += list(one.values())[: most + 1]
        elif isinstance(one, list):
            waiting += one[: most + 1]
    return count


def unpack(
    value: Any,
    array: Any = list,
    depth: int = 0,
) -> Any:
    """The value that a packed form stands for; `array` makes one of nested lists."""
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if depth > 2 * DEEPEST + 4:
        raise NotPlain("the value is nested too deep")
    if isinstance(value, list):
        return [
            unpack(
                v,
                array,
                depth + 1,
            )
            for v in value
        ]
    if not isinstance(value, dict) or len(value) != 1:
        raise NotPlain("not the form of a value")
    [(tag, inner)] = value.items()
    try:
        return _untagged(
            tag,
            inner,
            array,
            depth + 1,
        )
    except (TypeError, KeyError, ZeroDivisionError, ValueError) as error:
        if isinstance(error, NotPlain):
            raise
        raise NotPlain(f"not the form of a {tag}: {error}") from None


def _untagged(
    tag: str,
    inner: Any,
    array: Any,
    depth: int,
) -> Any:
    if tag == "float":
        return _FLOATS[inner]
    if tag == "int":
        return _whole(inner)
    if tag == "fraction":
        return _fraction(
            inner,
            array,
            depth,
        )
    if not isinstance(inner, list):
        raise NotPlain(f"not the form of a {tag}")
    if tag in {"dict", "set"} and len(inner) > MOST_KEYS:
        raise NotPlain(f"a {tag} of more than {MOST_KEYS:,} elements is too big an answer")
    if tag == "dict":
        return {
            unpack(
                k,
                array,
                depth,
            ): unpack(
                v,
                array,
                depth,
            )
            for k, v in inner
        }
    makers: dict[str, Any] = {"tuple": tuple, "set": set, "array": array}
    items = [
        unpack(
            item,
            array,
            depth,
        )
        for item in inner
    ]
    if tag not in makers:
        raise NotPlain(f"{tag!r} is no form of a value")
    return makers[tag](items)


_FLOATS = {"nan": float("nan"), "inf": float("inf"), "-inf": -float("inf")}


def _whole(inner: Any) -> int:
    if not isinstance(inner, str) or len(inner) > MOST_HEX_DIGITS:
        raise NotPlain("not the form of a whole number")
    return int(inner, 16)


def _fraction(
    inner: Any,
    array: Any,
    depth: int,
) -> Fraction:
    top, bottom = unpack(
        inner,
        array,
        depth,
    )
    # Of fractions it would grow and grow.
    if type(top) is not int or type(bottom) is not int:
        raise NotPlain("a fraction's parts must be whole numbers")
    return Fraction(top, bottom)
