"""Plain data survives the way there and back; what only pretends to be plain is taken apart."""

import ast
import json
import math
import time
from collections import Counter, OrderedDict, deque, namedtuple
from decimal import Decimal
from fractions import Fraction
from itertools import count
from pathlib import Path

import numpy as np
import pytest

from irmetrics_edu.classroom.grading import protocol
from irmetrics_edu.classroom.grading.plain_values import NotPlain, pack, parts_of, unpack
from irmetrics_edu.classroom.grading.protocol import SHIPPED


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
