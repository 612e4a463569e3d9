"""Plain data survives the way there and back; what only pretends to be plain is taken apart."""

import ast
import json
import math
import sys
import time
from collections import Counter, OrderedDict, deque, namedtuple
from contextlib import nullcontext
from decimal import Decimal, getcontext
from fractions import Fraction
from itertools import count
from pathlib import Path

import numpy as np
import pytest

from irmetrics_edu.classroom.grading import plain_values, protocol
from irmetrics_edu.classroom.grading.plain_values import NotPlain, pack, parts_of, unpack
from irmetrics_edu.classroom.grading.protocol import SHIPPED
from tests.tables import rows


def sent(value):
    """A value after the way through JSON."""
    return unpack(json.loads(json.dumps(pack(value))))


@pytest.mark.parametrize(
    "value",
    [
        *(None, True, False, 0, -7, 2**70, 1.0, 0.1, 1e-320, "", "nDCG 測", math.inf, -math.inf),
        *([1, [2.5]], (1, (2,)), {1, 2}, {"d1": 1, 2: (3,)}, Fraction(-93, 112), [], {}, ()),
        *([{"float": "nan"}], {"tuple": [1]}),
    ],
    ids=repr,
)
def test_plain_values_arrive_as_they_are(value):
    """A plain value arrives equal and of the same type."""
    assert sent(value) == value
    assert type(sent(value)) is type(value)


def test_nan_arrives_as_nan():
    """NaN has no JSON form and arrives all the same."""
    assert math.isnan(sent(math.nan))


def test_numbers_that_json_has_not_are_sent_as_text():
    """Anything that is no JSON is taken for interference."""
    for value, text in ((math.inf, "inf"), (-math.inf, "-inf"), (math.nan, "nan")):
        assert pack(value) == {"float": text}
        assert pack(np.array([value])) == {"array": [{"float": text}]}
    assert pack(1e308) == 1e308


def test_numpy_values_arrive_as_plain_ones():
    """Arrays become nested lists, scalars numbers of Python."""
    assert sent(np.array([[1, 2], [3, 4]])) == [[1, 2], [3, 4]]
    assert sent(np.array(0.5)) == 0.5
    for value, kind in ((np.float64(0.5), float), (np.int8(3), int), (np.bool_(1), bool)):
        assert type(sent(value)) is kind
    assert sent([np.float32(0.5), {"a": np.array([math.inf])}]) == [0.5, {"a": [math.inf]}]


def test_an_array_goes_to_the_child_as_an_array():
    """The reader of a packed array may make one of it."""
    assert isinstance(unpack(pack(np.array([1, 2])), np.array), np.ndarray)


def test_subclasses_that_lie_arrive_as_what_they_are_built_on():
    """A redefined comparison, conversion, length or iteration is never asked."""

    class Always(float):
        def __eq__(self, other):
            return True

        __hash__ = None
        __float__ = __repr__ = __str__ = __pos__ = None

    class Liar(list):
        def __iter__(self):
            return iter([1.0])

        def __len__(self):
            return 1

    class Mapped(dict):
        def items(self):
            return [("right", True)]

    class Text(str):
        __slots__ = ()

        def __str__(self):
            return "other"

    for value, plain in (
        (Always(0.5), 0.5),
        (Liar([3, 4]), [3, 4]),
        (Mapped(a=1), {"a": 1}),
        (Text("x"), "x"),
    ):
        assert type(sent(value)) is type(plain)
        assert sent(value) == plain


def test_harmless_subclasses_arrive():
    """What the standard library builds on plain types is welcome."""
    point = namedtuple("point", "x y")
    assert sent(Counter("aab")) == {"a": 2, "b": 1}
    assert sent(OrderedDict(a=1)) == {"a": 1}
    assert sent(point(1, 2)) == (1, 2)


class Impostor:
    """Says that it is a float."""

    __class__ = float


@pytest.mark.parametrize(
    "value",
    [object(), Impostor(), len, count(), 1j, b"x", np.array([1j]), 10**5000],
    ids=lambda v: type(v).__name__,
)
def test_what_is_not_plain_is_refused(value):
    """Neither objects nor what imitates a number gets through."""
    with pytest.raises(NotPlain):
        pack(value)


@pytest.mark.parametrize(
    ("value", "plain"),
    [
        (Decimal("0.25"), 0.25),
        ((i / 2 for i in (1, 2)), [0.5, 1.0]),
        (map(int, "12"), [1, 2]),
        (range(3), [0, 1, 2]),
        ({"a": 1}.keys(), ["a"]),
        ({"a": 1}.values(), [1]),
        ({"a": 1}.items(), [("a", 1)]),
        (deque([1, 2]), [1, 2]),
        (np.longdouble(0.5), 0.5),
        (np.array([0.5], dtype=np.longdouble), [0.5]),
        ([zip("a", [1], strict=True)], [[("a", 1)]]),
    ],
    ids=lambda v: type(v).__name__,
)
def test_what_holds_values_is_read(value, plain):
    """Numbers of other kinds, and what can be gone through, as in a notebook."""
    assert sent(value) == plain


def test_a_value_that_holds_itself_is_refused():
    """Endless nesting ends in a refusal."""
    value: list = []
    value.append(value)
    with pytest.raises(NotPlain, match="nested"):
        pack(value)


@pytest.mark.parametrize(
    "form",
    [
        {"float": "1"},
        {"int": 3},
        {"int": "0x" + "f" * 5000},
        {"fraction": [1, 0]},
        {"fraction": ["1" * 4000, 1]},
        {"dict": [[[1], 2]]},
        {"dict": 3},
        {"set": [{"dict": []}]},
        {"set": list(range(20_000))},
        {"object": []},
        {"tuple": [], "set": []},
        {},
    ],
    ids=lambda form: str(form)[:20],
)
def test_a_forged_form_is_refused(form):
    """What no child of ours sends is no value, and raises nothing else."""
    with pytest.raises(NotPlain):
        unpack(form)


def test_deep_forms_are_refused():
    """Nesting is bounded outside too."""
    form: list = []
    for _ in range(300):
        form = [form]
    with pytest.raises(NotPlain):
        unpack(form)


def nested(leaf, times):
    """A value in lists in lists."""
    for _ in range(times):
        leaf = [leaf]
    return leaf


BIG = {
    "many in deep lists": lambda: nested([0] * 20_000, 50),
    "many numbers": lambda: [0.5] * 300_000,
    "colliding keys": lambda: {"dict": [[i * ((1 << 61) - 1) + 1, 0] for i in range(10_000)]},
    "colliding elements": lambda: {"set": [i * ((1 << 61) - 1) + 1 for i in range(10_000)]},
    "colliding keys in many dicts": lambda: [
        {"dict": [[i * ((1 << 61) - 1) + 1, 0] for i in range(900)]} for _ in range(30)
    ],
    "a tree": lambda: nested([[[0] * 40] * 40] * 40, 3),
    "many empty lists": lambda: [[] for _ in range(300_000)],
    "long fractions": lambda: [{"fraction": [{"int": hex(1 << 3000)}, 3]}] * 5_000,
}


@pytest.mark.parametrize("what", BIG)
def test_a_value_is_known_to_be_small_before_anything_walks_through_it(what):
    """Its parts are counted up to the bound and no further; nothing becomes a key before that."""
    value = BIG[what]()
    started = time.process_time()
    assert parts_of(value, 400) == 401
    assert time.process_time() - started < 0.1


def test_a_fraction_of_fractions_is_refused():
    """Its parts would grow with each of them: the child can send any form."""
    one = {"fraction": [1, 3]}
    for _ in range(20):
        one = {"fraction": [one, 3]}
    with pytest.raises(NotPlain, match="whole numbers"):
        unpack(one)


def test_the_files_that_run_in_the_child_share_no_name():
    """They run in one module there: a name that two of them define is the later one's for both."""
    homes = {}
    for name in SHIPPED:
        path = Path(protocol.__file__).parent / f"{name}.py"
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            targets = getattr(node, "targets", [getattr(node, "target", None)])
            defined = [one.id for one in targets if isinstance(one, ast.Name)]
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                defined.append(node.name)
            for one in defined:
                homes.setdefault(one, set()).add(name)
    assert len(homes) > 20
    assert {name: files for name, files in homes.items() if len(files) > 1} == {}


# -- bounds, exactly

LEVELS = {
    # One level around a value, and how many levels a value itself needs.
    "list": (lambda value: [value], 0.5, 0),
    "tuple": (lambda value: (value,), 0.5, 0),
    "value of a dict": (lambda value: {"k": value}, 0.5, 0),
    "set": (lambda value: frozenset([value]), 0.5, 0),
    "iterator": (lambda value: deque([value]), 0.5, 0),
    "number of numpy": (lambda value: [value], np.float64(0.5), 1),
    "array": (lambda value: [value], np.array([0.5]), 2),
    "decimal": (lambda value: [value], Decimal("0.5"), 0),
    "fraction": (lambda value: [value], Fraction(1, 2), 0),
    "whole number": (lambda value: [value], 5, 0),
}


def wrapped(around, value, times):
    """A value with so many levels around it."""
    for _ in range(times):
        value = around(value)
    return value


@pytest.mark.parametrize("what", LEVELS)
def test_a_value_may_be_nested_sixty_deep_in_whatever_way(what):
    """What is tagged for JSON, such as an array, is a level more; a text may be one deeper."""
    around, leaf, own = LEVELS[what]
    most = 60 - own
    assert pack(wrapped(around, leaf, most))
    with pytest.raises(NotPlain) as error:
        pack(wrapped(around, leaf, most + 1))
    assert str(error.value) == "the value is nested more than 60 deep, or holds itself"
    for text in ("x", None, True):
        assert pack(wrapped(around, text, 61))
    key = wrapped(LEVELS["tuple"][0], leaf, most - 1)
    if what not in {"list", "value of a dict", "iterator", "array"}:
        assert pack({key: 1})
        with pytest.raises(NotPlain):
            pack({(key,): 1})


FORMS = {
    "list": lambda form: [form],
    "tuple": lambda form: {"tuple": [form]},
    "set": lambda form: {"set": [form]},
    "dict": lambda form: {"dict": [["k", form]]},
    "key": lambda form: {"dict": [[form, 1]]},
    "array": lambda form: {"array": [form]},
}


@pytest.mark.parametrize("what", FORMS)
def test_a_form_may_be_nested_a_hundred_and_twenty_five_deep(what):
    """More than what is sent can be: an array of sixty lists takes two of them a level."""
    leaf = {"tuple": []}
    taken = wrapped(FORMS[what], leaf, 124)
    if what in {"list", "tuple", "array"}:
        assert unpack(taken)
    else:  # a list or a dict can't be a key: here it is one of tuples
        with pytest.raises(NotPlain) if what in {"set", "key"} else nullcontext():
            unpack(taken)
    with pytest.raises(NotPlain) as error:
        unpack(wrapped(FORMS[what], leaf, 125))
    assert str(error.value) == "the value is nested too deep"


def test_whole_numbers_have_their_own_form_from_two_to_the_power_of_63_on():
    """In both directions; a fraction's parts too, and nothing else can be one."""
    big = 1 << 63
    for value in (big - 1, 1 - big, 0):
        assert pack(value) == value
        assert pack(Fraction(value, 7)) == {"fraction": [*Fraction(value, 7).as_integer_ratio()]}
    for value in (big, -big, big + 1):
        assert pack(value) == {"int": hex(value)}
        assert sent(value) == value
    odd = Fraction(1, 2)
    odd._numerator = 0.5
    with pytest.raises(NotPlain, match=r"^a fraction's parts must be whole numbers$"):
        pack(odd)


def test_what_only_has_the_name_of_something_plain_is_refused(monkeypatch):
    """A `Decimal` of the student's own, a context of decimals, and functions of numpy."""
    mine = type("Decimal", (), {"__float__": lambda _self: 1.0})
    for value in (mine(), getcontext(), np.sin, np.dtype("f8"), np.datetime64("2026-01-01")):
        with pytest.raises(NotPlain, match=r"is not plain data; return a number"):
            pack(value)
    with pytest.raises(NotPlain, match=r"^a numpy ufunc is not plain data; return a number$"):
        pack(np.sin)
    own = np.array([1.0, 2.0]).view(type("Mine", (np.ndarray,), {}))
    assert pack(own) == {"array": [1.0, 2.0]}
    monkeypatch.delitem(sys.modules, "numpy")
    with pytest.raises(NotPlain, match=r"^a value of type object is not plain data"):
        pack(object())


def test_an_iterator_is_read_one_further_than_its_bound_and_no_more(monkeypatch):
    """It may have no end."""
    monkeypatch.setattr(plain_values, "MOST_ELEMENTS", 10)
    taken = []

    def endless():
        for number in count():
            taken.append(number)
            yield number

    with pytest.raises(NotPlain, match=r"^more than 10 elements are too big an answer$"):
        pack(endless())
    assert taken == [*range(11)]


REFUSED_FORMS = [
    ({"float": "1"}, "not the form of a float: '1'"),
    ({"tuple": [{"float": "1"}]}, "not the form of a float: '1'"),
    ({"dict": 3}, "not the form of a dict"),
    ({"tuple": 3}, "not the form of a tuple"),
    ({"array": {}}, "not the form of a array"),
    ({"object": []}, "'object' is no form of a value"),
    ({"object": 3}, "not the form of a object"),
    ({"int": 3}, "not the form of a whole number"),
    ({"int": "0x" + "f" * 999}, "not the form of a whole number"),
    ({"fraction": [1, 0]}, "not the form of a fraction: Fraction(1, 0)"),
    ({"fraction": [1.5, 2]}, "a fraction's parts must be whole numbers"),
    ({"fraction": [1, {"float": "nan"}]}, "a fraction's parts must be whole numbers"),
    ({"set": [0] * 10_001}, "a set of more than 10,000 elements is too big an answer"),
    ({}, "not the form of a value"),
    ({"tuple": [], "set": []}, "not the form of a value"),
]


@rows(("form", "why"), REFUSED_FORMS)
def test_a_form_is_refused_for_what_is_wrong_with_it(form, why):
    """Not for what it stands in."""
    for one in (form, [form], {"tuple": [form]}, {"dict": [["k", form]]}):
        with pytest.raises(NotPlain) as error:
            unpack(one)
        assert str(error.value) == why
