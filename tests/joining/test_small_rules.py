"""Small rules of joining, each over a table of what may stand before it."""

from itertools import product

import numpy as np
import pytest

from irmetrics_edu import evaluate
from irmetrics_edu.engine import decimals
from irmetrics_edu.engine.columns import RunColumns
from irmetrics_edu.engine.held_queries import _blank_in
from irmetrics_edu.engine.id_list import Ids, joined
from irmetrics_edu.engine.repeats import repeated
from irmetrics_edu.engine.text import ids
from irmetrics_edu.metrics.diversity import ilad
from irmetrics_edu.numbers import smallest
from irmetrics_edu.runs.joining.queries import _like_rankings, _on_a_scale
from tests.tables import rows


@rows(
    ("grade", "is_one"),
    [
        *((step / 20, True) for step in range(-40, 41)),
        *((step / 3, True) for step in range(31)),
        *((grade, False) for grade in (0.37, 1.01, 2.718, 0.501, 10.5, 11, -12, 1e300)),
    ],
)
def test_a_scale_has_twentieths_or_thirds(grade, is_one):
    """Up to 10; one grade off it is enough."""
    assert _on_a_scale({"d": grade}) is is_one
    assert _on_a_scale({"a": 1, "b": grade, "c": 0.5}) is is_one


@rows(("found", "listed", "others"), [*product(range(1, 4), repeat=3)])
def test_lists_look_like_rankings_if_all_are_longer_than_what_was_found(found, listed, others):
    """If the run has scores with fractions; queries that it lacks say nothing."""
    run = {q: {f"d{i}": i + 0.5 for i in range(found)} for q in ("q1", "q2")}
    qrels = {"q1": ["d"] * listed, "q2": ["d"] * others, "other": ["d"]}
    assert _like_rankings(qrels, run) is (listed > found and others > found)


@rows("text", ["", "a", "ab", " ", "a b", " a", "a ", "a\tb", "a\n", "\u3000a"])
def test_a_blank_is_found_wherever_it_stands(text):
    """What Python calls a space."""
    assert _blank_in(text) is any(character.isspace() for character in text)


@rows("seed", range(20))
def test_different_documents_that_share_a_key_are_told_apart(seed):
    """With two keys for all, what is found twice is what a plain loop finds."""
    chance = np.random.default_rng(seed)
    names = [f"d{i}" for i in chance.integers(0, 6, 8)]
    query = np.sort(chance.integers(0, 2, 8))
    met, again = set(), []
    for place, entry in enumerate(zip(query.tolist(), names, strict=True)):
        if entry in met:
            again.append(place)
        met.add(entry)
    starts = np.searchsorted(query, [0, 1, 2])
    items = RunColumns(["q0", "q1"], starts, ids(names), None, np.arange(8), rank=np.arange(8))
    keys = np.array([int(name[1:]) % 2 for name in names], dtype=np.uint64)
    assert repeated(items, keys).tolist() == again


@rows("length", [2, 3, 5, 50])
@rows("factor", [1, 0.7, 3.1])
def test_no_distance_is_below_zero(length, factor):
    """Rounding puts the cosine of vectors in one direction beyond 1, again and again."""
    for seed in range(50):
        vector = np.random.default_rng(seed).normal(size=length)
        embeddings = {"a": vector.tolist(), "b": (vector * factor).tolist()}
        assert 0 <= ilad(["a", "b"], embeddings) < 1e-12


@pytest.mark.parametrize("kinds", [*product(["text", "numbers"], repeat=2)])
def test_ids_of_several_columns_are_one_list(kinds):
    """Of one kind or of two, in their order."""
    columns = {"text": ["a", "bb"], "numbers": [7, 12]}
    parts = [Ids(ids(columns[kind])) for kind in kinds]
    expected = [one for kind in kinds for one in columns[kind]]
    assert list(joined(parts)) == expected


@rows("most", [0, 1, *(2**power + one for power in (31, 32, 40) for one in (-2, -1, 0))])
def test_a_kind_of_number_holds_the_largest_and_is_no_wider_than_needed(most):
    """Places in columns of more bytes than anybody has here."""
    bits = np.iinfo(smallest(most)).bits
    assert bits == (32 if most <= np.iinfo(np.int32).max else 64)


@pytest.mark.parametrize("digits", range(1, 16))
def test_plain_decimals_are_read_eight_characters_at_a_time(digits, monkeypatch):
    """None is left to the slow reader, wherever the point stands, alone and beside others."""
    monkeypatch.delattr(decimals, "_others")
    whole = "918273645546372"[:digits]
    texts = [whole, *(f"{whole[:at]}.{whole[at:]}" for at in range(digits + 1)), f"-{whole}"]
    for column in (*([text] for text in texts), texts):
        value, good = decimals.decimals(ids(column))
        assert good.all()
        assert value.tolist() == [float(text) for text in column]


@pytest.mark.parametrize(("judged", "others"), [*product((1, 2, 3), (0, 1, 2))])
def test_queries_that_nobody_judged_come_beside_the_judged_ones(tmp_path, judged, others):
    """With a score of 0 each, from a file as from a mapping; the judged ones keep theirs."""
    run = {f"q{i}": [f"d{i}", "x"] for i in range(judged + others)}
    qrels = {f"q{i}": {f"d{i}": i % 2, "y": 1, "x": 1} for i in range(judged)}
    lines = [f"{q} 0 {d} {grade}\n" for q, of_one in qrels.items() for d, grade in of_one.items()]
    (tmp_path / "qrels").write_text("".join(lines))
    expected = {q: (1 + i % 2) / 2 if i < judged else 0 for i, q in enumerate(run)}
    for given in (qrels, tmp_path / "qrels"):
        found = evaluate(run, given, "P@2", unjudged_queries="zero")
        assert found.per_query["P@2"] == expected
