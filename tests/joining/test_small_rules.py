"""Small rules of joining, each over a table of what may stand before it."""

import re
from itertools import product

import numpy as np
import pytest

from irmetrics_edu import evaluate
from irmetrics_edu.engine import decimals
from irmetrics_edu.engine import text as of_text
from irmetrics_edu.engine.columns import RunColumns
from irmetrics_edu.engine.held_queries import _blank_in
from irmetrics_edu.engine.id_list import Ids, joined
from irmetrics_edu.engine.repeats import repeated
from irmetrics_edu.engine.run import Run
from irmetrics_edu.engine.text import ids
from irmetrics_edu.errors import InputError
from irmetrics_edu.libraries import BUNDLES
from irmetrics_edu.metrics.definition import METRICS
from irmetrics_edu.metrics.diversity import ilad
from irmetrics_edu.numbers import smallest
from irmetrics_edu.reading.files import File
from irmetrics_edu.rows.aligned_ranking import _grades_without_padding
from irmetrics_edu.rows.ordering import shared_by
from irmetrics_edu.runs.joining.held import HeldInput
from irmetrics_edu.runs.joining.join import _of_asked
from irmetrics_edu.runs.joining.judgments import _refuse_plain, read_pool
from irmetrics_edu.runs.joining.queries import AskedFor, _like_rankings, _on_a_scale
from tests.aligned_runs import align_run
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


@rows("ties", ["averaged", "optimistic", "pessimistic", "given", "docid"])
@rows("seed", range(8))
def test_what_is_removed_is_nowhere_be_it_retrieved_or_not(seed, ties):
    """As if nobody had retrieved or listed what has no grade; the others come last, each once."""
    chance = np.random.default_rng(seed)
    run, qrels = {}, {}
    for query in ("q1", "q2", "q3"):
        held = chance.permutation(list("abcdef"))
        found = held[: int(chance.integers(1, 6))].tolist()
        run[query] = {d: float(chance.integers(0, 3)) for d in found}
        grades = chance.choice([0, 1, 2, None], len(held)).tolist()
        qrels[query] = dict(zip(held.tolist(), grades, strict=True)) | {"g": 1}
    known = {q: {d: g for d, g in of.items() if g is not None} for q, of in qrels.items()}
    cut = {q: {d: s for d, s in of.items() if d in known[q]} for q, of in run.items()}
    how = {"ties": ties, "unretrieved": "last"}
    found = evaluate(run, qrels, "DCG nDCG@3", unjudged="removed", **how)
    expected = evaluate(cut, known, "DCG nDCG@3", **how)
    assert found.per_query == expected.per_query


@rows("kept", [*product([True, False], repeat=6)])
def test_tied_documents_share_the_ranks_of_those_that_are_kept(kept):
    """The first of them is below all that are kept above."""
    ties = [[0], [1, 2], [3, 4, 5]]
    span = np.array([[row[0] + 1.0 for row in ties for _ in row],
                     [float(len(row)) for row in ties for _ in row]])  # fmt: skip
    found = shared_by(np.array(kept), span)
    expected, above = [], 0
    for tie in ties:
        left = [place for place in tie if kept[place]]
        expected += [[above + 1, len(left)]] * len(left)
        above += len(left)
    assert found.T.tolist() == expected


@rows("power", [*range(50, 60)])
def test_decimals_of_many_digits_are_the_nearest_number(power):
    """Beyond 53 bits too, wherever the point stands: each is what Python reads."""
    chance = np.random.default_rng(power)
    texts = []
    for number in [2**power + step for step in range(-3, 4)] + chance.integers(
        2 ** (power - 1), 2**power, 60
    ).tolist():
        whole = str(number)
        at = int(chance.integers(0, len(whole) + 1))
        texts += [whole, f"{whole[:at]}.{whole[at:]}", f"-{whole[:2]}.{whole[2:]}"]
    for column in (texts, texts[::-1], *([text] for text in texts[:20])):
        value, good = decimals.decimals(ids(column))
        assert good.all()
        assert value.tolist() == [float(text) for text in column]


@rows("ranking", [[1, -1, 0], (2, -3), np.array([1, -1]), {"a": -1}, "ab", b"ab", 3, None, []])
def test_padding_is_taken_out_of_grades_and_of_nothing_else(ranking):
    """What is no list of grades stays as it is, and is refused where it is used."""
    found = _grades_without_padding(ranking)
    if isinstance(ranking, (list, tuple, np.ndarray)):
        assert found == [grade for grade in ranking if grade >= 0]
    else:
        assert found is ranking


@rows("judged", [*product([1, 0.35, 3.7, "x", None], repeat=3)])
def test_a_scale_is_held_against_numbers_alone(judged):
    """What is no number says nothing, and hides none that follows."""
    held = dict(zip("abc", judged, strict=True))
    assert _on_a_scale(held) is (3.71 not in judged)
    if "x" in judged:
        off = {name: 3.71 if value == 3.7 else value for name, value in held.items()}
        assert _on_a_scale(off) is (3.7 not in judged)


@rows("asked", [("q1",), ("q1", "q2"), ("q3", "q1", "q9"), ("q9",), ("q1 ",), (1,)])
def test_a_run_without_judgments_has_the_queries_that_were_asked_for(asked):
    """Those that it lacks are told; none at all, or one that is written otherwise, is refused."""
    run = Run({f"q{i}": ["a"] for i in range(1, 4)})
    run.told["note"] = ["told"]
    only = AskedFor(asked)
    there = [query for query in run if query in asked]
    if not there:
        with pytest.raises(InputError, match=r"^queries: "):
            _of_asked(run, only)
        return
    found = _of_asked(run, only)
    assert list(found) == there
    assert found.not_asked_for == [query for query in run if query not in asked]
    assert found.unknown == [query for query in asked if query not in run]
    assert found.told == {"note": ["told"]}


@rows("salt", [None, np.uint64(7), np.array(7, dtype=np.uint64)])
def test_one_salt_is_of_all_texts_however_many_are_looked_at_together(salt, monkeypatch):
    """A number, or an array of one number and no axis."""
    column = ids([f"d{i}" for i in range(9)])
    expected = column.keys(salt).tolist()
    monkeypatch.setattr(of_text, "_AT_ONCE", 4)
    assert column.keys(salt).tolist() == expected
    assert len(set(expected)) == 9


@rows("number", [0.5, None, "x", [0.5]])
@rows("place", [0, 1, 2])
def test_each_query_has_numbers_for_its_nuggets_or_none_has(number, place):
    """One that has another thing is named, wherever it stands."""
    gamma = {"q": {"1": 0.5}, "r": {"1": 0.25}, "s": {"1": 1.0}}
    run = {query: ["a"] for query in gamma}
    qrels = {query: {"a": {"1"}} for query in gamma}
    measure = METRICS["alpha-DCG"]
    found = evaluate(run, qrels, [measure.using(gamma=gamma)])
    assert [*found.per_query.values()] == [{"q": 0.5, "r": 0.25, "s": 1.0}]
    query = list(gamma)[place]
    with pytest.raises(InputError, match=f"^query '{query}': gamma is .*give nugget -> number"):
        evaluate(run, qrels, [measure.using(gamma=gamma | {query: number})])
    one = evaluate(run, qrels, [measure.using(gamma={"1": 0.5})])
    assert [*one.per_query.values()] == [dict.fromkeys(gamma, 0.5)]


@rows("kind", ["file", "frame"])
@rows("second", ["0", "1"])
def test_judgments_without_subtopics_are_refused_with_their_file(kind, second, tmp_path):
    """Where the second field is 0 on every line; one of another kind is one."""
    path = tmp_path / "a.qrels"
    path.write_text(f"q1 0 a 1\nq1 {second} b 1\n")
    given = File(path)
    if kind == "frame":
        given = {"q1": {"a": {"0": 1}, "b": {second: 1}}}
    read = {"q1": {"a": {"0": 1}, "b": {second: 1}}}
    if second == "1":
        assert _refuse_plain(read, given) is None
        return
    where = f"{re.escape(str(path))}: " if kind == "file" else ""
    with pytest.raises(InputError, match=f"^{where}the second field is 0 on every line"):
        _refuse_plain(read, given)


@rows("missing", [[], ["q1"], ["q1", "q2"]])
@rows("not_judged", [[], ["q8"]])
@rows("asked", [("q1",), ("q9", "q2", "q8"), ("q8", "q9")])
def test_queries_that_nobody_has_are_told_unless_no_judged_one_is_there(missing, not_judged, asked):
    """Of two judged ones; without one of them in the run there is nothing to score."""
    judged = ["q1", "q2"]
    only = AskedFor(asked)
    if len(missing) == 2:
        with pytest.raises(InputError, match=r"^queries: no judged query of those asked for is in"):
            only.unmet(judged, missing, not_judged)
        return
    found = only.unmet(judged, missing, not_judged)
    assert found == [query for query in asked if query not in {*judged, *not_judged}]


@rows("again", [True, False])
@rows("kind", ["file", "mapping", "none"])
def test_judgments_are_held_as_columns_if_they_are_read_more_than_once(again, kind, tmp_path):
    """What is no file or frame stays as it is."""
    path = tmp_path / "a.qrels"
    path.write_text("q1 0 a 1\n")
    given = {"file": path, "mapping": {"q1": {"a": 1}}, "none": None}[kind]
    held = HeldInput(None, again)
    by = BUNDLES["trec_eval"]
    found = held.columns_of_judgments(given, by, {})
    if kind != "file" or not again:
        assert found is given
        return
    assert held.columns_of_judgments(given, by, {}) is found
    for _ in range(2):
        assert evaluate({"q1": ["a"]}, found, "P@1").per_query["P@1"] == {"q1": 1}
        path.unlink(missing_ok=True)  # it is read once


@rows("number", [0, 1, 2, 3])
def test_a_pool_of_documents_of_two_kinds_is_refused(number):
    """Wherever the other one stands; whole numbers alone, and texts alone, are of one kind."""
    documents = ["a", "b", "c"]
    if number:
        documents[number - 1] = 7
    grades = dict.fromkeys(documents, 1)
    pool = read_pool({"q": grades})
    if number:
        with pytest.raises(InputError, match="are of mixed kinds"):
            pool.require_kind()
    else:
        assert pool.require_kind() is None
    # Whatever the run has of it: a query of its own, an empty ranking, other documents.
    for run in ({"q": ["a"]}, {"q": []}, {"q": ["z"]}, {"other": ["z"]}):
        if number:
            with pytest.raises(InputError, match="are of mixed kinds"):
                align_run(run, {"q": grades})
        else:
            align_run(run, {"q": grades})
