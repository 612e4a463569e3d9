"""The distance of two items as a function, and tables that have the pairs above the cut alone."""

import pytest

from irmetrics_edu import METRICS, InputError, dilad, evaluate, ilad, ilmd

# Genres of films as 0 and 1: Hamming distances 1 (a, b), 2 (a, c) and 3 (b, c), counted by hand.
GENRES = {"a": [0, 0, 1], "b": [0, 0, 0], "c": [1, 1, 1]}


def hamming(x, y):
    """In how many places two vectors differ."""
    return sum(i != j for i, j in zip(x, y, strict=True))


def test_a_function_of_two_embeddings():
    """In every measure that takes distances, in calls and in evaluate."""
    assert ilad(list("abc"), GENRES, distance=hamming) == 2.0
    assert ilad(list("abc"), GENRES, k=2, distance=hamming) == 1.0
    assert ilmd(list("abc"), GENRES, distance=hamming) == pytest.approx(4 / 3)  # nearest: 1, 1, 2
    assert dilad(list("ab"), {"a"}, GENRES, beta=0.5, distance=hamming) == 0.5
    assert ilad(["a", "b"], {"a": "xyz", "b": "xyw"}, distance=hamming) == 1.0  # of any kind
    measure = METRICS["ILAD"].using(distance=hamming) @ 3
    e = evaluate({"u": list("abc"), "v": list("ab")}, None, measure, embeddings=GENRES)
    assert next(iter(e.mean.values())) == 1.5


def test_two_functions_of_one_name_are_two():
    """Each measure of a call has its own."""
    one, two = (METRICS["ILAD"].using(distance=lambda _x, _y, d=d: d) for d in (1.0, 2.0))
    e = evaluate({"u": list("ab")}, None, [one, two], embeddings=GENRES)
    assert list(e.mean.values()) == [1.0, 2.0]


@pytest.mark.parametrize("measure", [ilad, ilmd])
def test_a_table_needs_the_pairs_above_the_cut(measure):
    """A list of one item has no pair; a pair above the cut that is not there is named."""
    assert measure(["i1", "i4"], {}, k=1, distance="given", undefined="zero") == 0.0
    assert measure(list("abc"), {("b", "a"): 0.5}, k=2, distance="given") == 0.5
    with pytest.raises(InputError, match="distance of items 'a' and 'c' is missing"):
        measure(list("abc"), {("b", "a"): 0.5}, k=3, distance="given")
    with pytest.raises(InputError, match="query 'u': the distance of items 'a' and 'b' is missing"):
        evaluate(
            {"t": ["a"], "u": ["a", "b"]}, None, measure.using(distance="given", undefined="zero"),
            embeddings={("a", "c"): 1.0},
        )  # fmt: skip


@pytest.mark.parametrize(
    ("function", "says"),
    [
        (lambda _x, _y: -1, "distance of items 'a' and 'b' is -1"),
        (lambda _x, _y: float("nan"), "is not finite"),
        (lambda _x, _y: "far", "'far'"),
    ],
)
def test_what_is_no_distance_is_refused(function, says):
    """It names the pair."""
    with pytest.raises(InputError, match=says):
        ilad(["a", "b"], GENRES, distance=function)
