"""Answers of every system become the same ranking; what is not clear is asked for or refused."""

import json
import sqlite3
from collections import namedtuple
from decimal import Decimal
from importlib.util import find_spec
from types import SimpleNamespace
from unittest.mock import MagicMock
from uuid import uuid4

import numpy as np
import pytest

from irmetrics_edu import RetrieverError, evaluate
from irmetrics_edu.errors import InputError
from irmetrics_edu.gate.baseline import Baseline
from irmetrics_edu.gate.plugin import baseline_files
from irmetrics_edu.judging import build_run, collapse, retrieved
from tests.collecting.systems import FILE, SYSTEMS, TEXTS, replayed

RECORDED = json.loads(FILE.read_text(encoding="utf-8"))
# What each system found for "cats" among the three texts, read off by hand from what was recorded.
FOUND = {
    "langchain": ["d3", "d1"],
    "langchain with scores": {"d3": 0.9234205186318885, "d1": 0.7693003826364669},
    "llama_index": {"d3": 0.9234205186318885, "d1": 0.7693003826364669},
    "haystack": {"d1": 0.6462549902128865, "d3": 0.6462549902128865},
    "qdrant": {3: 0.9234205578396241, 1: 0.7693003830858943},
    "qdrant, distances": {1: -1.0, 3: -1.4142135816812515},
    "bm25s": {"d3": 0.24598321318626404, "d1": 0.200917586684227},
}


def ranked(answer, name):
    """The answer read as its page says."""
    return retrieved(answer, distance=True if "distances" in name else None)


@pytest.mark.parametrize("name", SYSTEMS)
def test_a_recorded_answer_is_understood(name):
    """Ids, scores, texts and metadata of what the real library gave."""
    found = ranked(replayed(RECORDED[name]), name)
    if isinstance(FOUND[name], dict):
        assert found.ranking == pytest.approx(FOUND[name])
    assert list(found.ranking) == list(FOUND[name])
    number = dict(enumerate(TEXTS.values(), 1))  # Qdrant's ids
    for passage in found:
        assert passage.text == (TEXTS | number)[passage.document]
        assert passage.metadata


@pytest.mark.filterwarnings("ignore")  # the libraries' own, of whatever kind
def test_live_answers_are_understood_as_the_recorded_ones():
    """Each library that is installed still answers as it was recorded."""
    here = {name: ask for name, (module, ask) in SYSTEMS.items() if find_spec(module.split(".")[0])}
    for name, ask in here.items():
        live, recorded = ranked(ask(), name), ranked(replayed(RECORDED[name]), name)
        assert live.shape == recorded.shape, name
        assert list(live.ranking) == list(recorded.ranking), name
        assert [p.text for p in live] == [p.text for p in recorded], name


# Shaped as the documentation of Elasticsearch's search API shows a response.
RESPONSE = {
    "took": 5,
    "timed_out": False,
    "_shards": {"total": 1, "successful": 1, "skipped": 0, "failed": 0},
    "hits": {
        "total": {"value": 2, "relation": "eq"},
        "max_score": 1.3862942,
        "hits": [
            {
                "_index": "i",
                "_id": "0",
                "_score": 1.3862942,
                "_source": {"text": "a", "lang": "en"},
            },
            {"_index": "i", "_id": "7", "_score": 0.5, "_source": {"text": "b", "lang": "de"}},
        ],
    },
}


def test_a_response_of_elasticsearch():
    """The dictionary, the client's object around it, and the hits alone are read alike."""
    for answer in (RESPONSE, SimpleNamespace(body=RESPONSE), RESPONSE["hits"]["hits"]):
        found = retrieved(answer)
        assert found.ranking == {"0": 1.3862942, "7": 0.5}
        assert [p.text for p in found] == ["a", "b"]
        assert found[1].metadata["lang"] == "de"
    assert retrieved(RESPONSE, id="_source.lang").documents == ["en", "de"]
    assert retrieved(RESPONSE, id="lang").documents == ["en", "de"]


def test_a_sorted_response_has_no_scores():
    """Elasticsearch gives null where another field sorts; the order is what there is."""
    hits = [{"_id": "b", "_score": None, "_source": {}}, {"_id": "a", "_score": None}]
    assert retrieved({"hits": {"hits": hits}}).ranking == ["b", "a"]


@pytest.mark.parametrize(
    ("change", "why"),
    [({"timed_out": True}, "it timed out"), ({"_shards": {"failed": 2}}, "2 of its shards failed")],
)
def test_a_partial_response_is_no_answer(change, why):
    """Its score would depend on the load of the cluster."""
    with pytest.raises(RetrieverError, match=why):
        retrieved(RESPONSE | change)


def test_rows_of_a_database():
    """A cursor, dictionaries and named tuples are read alike."""
    connection = sqlite3.connect(":memory:")
    sql = "SELECT 'a' AS id, 0.9 AS score, 'x' AS text UNION ALL SELECT 'b', 0.2, 'y'"
    cursor = connection.execute(sql)
    row = namedtuple("row", "id score text")
    rows = [("a", 0.9, "x"), ("b", 0.2, "y")]
    for found in (
        retrieved(cursor),
        retrieved([row(*one) for one in rows]),
        retrieved([dict(zip(row._fields, one, strict=True)) for one in rows]),
    ):
        assert found.ranking == {"a": 0.9, "b": 0.2}
        assert [p.text for p in found] == ["x", "y"]
    connection.close()


def test_a_distance_has_to_be_said():
    """As pgvector's `embedding <-> query AS distance`: the column's name makes us ask."""
    rows = [{"id": 4, "distance": Decimal("0.1")}, {"id": 2, "distance": Decimal("0.5")}]
    with pytest.raises(InputError, match=r"'distance' looks like a distance: say distance=True"):
        retrieved(rows)
    assert retrieved(rows, distance=True).ranking == {4: -0.1, 2: -0.5}
    with pytest.raises(InputError, match=r"rank 2: score 0\.5 is above 0\.1 at rank 1"):
        retrieved(rows, distance=False)


def test_scores_that_contradict_the_order():
    """They are refused, or left out with a note: as is said."""
    pairs = [("a", 0.2), ("b", 0.9)]
    with pytest.raises(InputError, match=r"^query 'q1': document 'b', rank 2: score 0\.9 is above"):
        retrieved(pairs, query="q1")
    kept = retrieved(pairs, order="given")
    assert kept.ranking == ["a", "b"]
    assert "scores left out" in kept.notes[0]
    scored = retrieved({"a": 0.2, "b": 0.9})  # a mapping has no order
    assert [(p.document, p.rank) for p in scored] == [("b", 1), ("a", 2)]
    found = retrieved([("b", 0.9), ("a", 0.2)])
    reordered = found.only([found[1], found[0]])  # by a re-ranker's own code
    assert dict(build_run(lambda _: reordered, {"q": "x"})) == {"q": ["a", "b"]}


def test_equal_scores_are_ordered_by_the_conventions_unless_the_order_counts():
    """trec_eval puts the later id first."""
    pairs = [("a", 0.5), ("b", 0.5)]
    qrels = {"q": {"a": 1}}
    run = build_run(lambda _: pairs, {"q": "x"})
    assert evaluate(run, qrels, "RR").mean["RR"] == 0.5
    kept = build_run(lambda _: pairs, {"q": "x"}, order="given")
    assert evaluate(kept, qrels, "RR").mean["RR"] == 1
    assert kept.notes() == []
    assert kept["q"] == ["a", "b"]
    assert kept.answers["q"][0].score == 0.5


def test_plain_lists_and_arrays():
    """Ids, also numpy's, and pairs."""
    assert retrieved(["b", "a"]).ranking == ["b", "a"]
    assert retrieved(np.array([3, 1])).ranking == [3, 1]
    assert type(retrieved(np.array([3, 1])).documents[0]) is int
    assert retrieved([(np.int64(3), np.float32(0.5))]).ranking == {3: 0.5}
    assert retrieved((np.array([[5, 2]]), np.array([[2.0, 1.0]]))).ranking == {5: 2.0, 2: 1.0}
    assert retrieved([]).ranking == []


def test_where_the_id_stands_can_be_said():
    """By a path, also with a point in a key, or by a function."""
    documents = [
        SimpleNamespace(page_content="x", metadata={"source": "a", "my.id": 7}, id=None),
        SimpleNamespace(page_content="y", metadata={"source": "b", "my.id": 9}, id=None),
    ]
    assert retrieved(documents, id="metadata.source").documents == ["a", "b"]
    assert retrieved(documents, id="my.id").documents == [7, 9]
    assert retrieved(documents, id=lambda d: d.metadata["source"] + "!").documents == ["a!", "b!"]
    assert retrieved(documents, id="source", score="my.id", distance=True).ranking == {
        "a": -7,
        "b": -9,
    }
    documents[0].page_content = None  # so neither an id nor a text names it
    with pytest.raises(InputError, match=r"rank 1: no id among LangChain documents; beside"):
        retrieved(documents)
    with pytest.raises(InputError, match=r"no id under 'metadata\.nothing'"):
        retrieved(documents, id="metadata.nothing")


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ("d1 d2", "no known shape: 'd1 d2' .*It can be a list of ids"),
        (None, r"shape: None \(NoneType\)"),
        ({"result": {"points": []}}, "shape: a dict with 'result'"),
        ([3.5], "shape: a list of float: 3.5"),
        ([("a", "b", "c")], "shape: a list of tuple"),
        ([("a", True)], "score True is True or False"),
        ([("a", float("nan"))], r"document 'a', rank 1: score nan is not finite"),
        (["a", "a"], r"document 'a', rank 2: retrieved twice, first at rank 1.*collapse\("),
        (["a", 0.5], r"rank 2: a float is among a strs"),
        ([""], "no id"),
        ({"a": {"documents": []}, "b": {"documents": []}}, "2 components of the pipeline"),
        ((np.zeros((2, 3)), np.zeros((2, 3))), "answers to 2 queries"),
        ((np.zeros(2), np.zeros(3)), "give a score for each document"),
        ([{"name": "a"}], "no id among rows; beside it stand name"),
        ([{"id": "a", "score": 1.0}, {"id": "b", "score": None}], "other ranks have one"),
        ([{"id": 0.5}], "of type float"),
    ],
    ids=repr,
)
def test_what_is_not_understood_is_refused(answer, message):
    """With what was seen, and what would do."""
    with pytest.raises(InputError, match=message):
        retrieved(answer)


@pytest.mark.parametrize(
    "wrong", [{"order": "rank"}, {"id": 1.5}, {"score": ""}, {"text": ["text"]}], ids=repr
)
def test_a_wrong_keyword_is_refused(wrong):
    """Even if the answer is empty."""
    with pytest.raises(InputError, match=f"^{next(iter(wrong))}="):
        retrieved([], **wrong)


def test_a_mock_is_no_answer():
    """It has every attribute that is asked for, and would be an empty ranking."""
    with pytest.raises(InputError, match="the cursor has no columns"):
        retrieved(MagicMock())


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"distance": True}, "^distance=True, and there is no score among ids"),
        ({"score": "score"}, "document 'a', rank 1: there is no score under 'score'"),
    ],
    ids=repr,
)
def test_what_is_said_of_scores_that_are_not_there(keywords, message):
    """It would be followed in silence, or not at all."""
    with pytest.raises(InputError, match=message):
        retrieved(["a", "b"], **keywords)
    assert not retrieved([], **keywords)


def test_the_ranking_is_scored_as_it_was_given():
    """NDCG of two of three relevant documents at ranks 1 and 3, by hand: the sum of discounts."""
    run = {"q": retrieved([("a", 3.0), ("x", 2.0), ("b", 1.0)]).ranking}
    score = evaluate(run, {"q": {"a": 1, "b": 1, "c": 1}}, "nDCG@10").mean["nDCG@10"]
    assert score == pytest.approx((1 + 1 / 2) / (1 + 0.6309297535714575 + 1 / 2))


def langchain(text, source, name=None):
    """A document as LangChain's loaders, splitters and stores leave it."""
    return SimpleNamespace(page_content=text, metadata={"source": source}, id=name)


def test_chunks_of_one_source_are_named_by_their_content():
    """Several chunks of one source, under no ids or random ones, on any machine: the same names."""
    texts = ["Cats purr.", "Dogs bark.", "Cats\npurr."]  # the third says what the first does
    bare = retrieved([langchain(t, "/home/me/docs/pets and more.md") for t in texts])
    # printf 'Cats purr.' | sha256sum, and the same of the second text
    cats, dogs = "pets_and_more.md#127d764476c7", "pets_and_more.md#270da3148291"
    assert bare.documents == [cats, dogs, f"{cats}~2"]
    assert bare.notes == ()
    drawn = retrieved([langchain(t, "C:\\docs\\pets and more.md", str(uuid4())) for t in texts])
    assert drawn.documents == bare.documents
    assert "drew ids at random" in drawn.notes[0]
    kept = [langchain(t, "a.md", str(uuid4())) for t in texts]
    assert retrieved(kept, id="id").documents == [d.id for d in kept]
    assert retrieved([langchain("x", "a.md", "own")]).documents == ["own"]
    run = build_run(lambda _: [langchain(t, "a.md") for t in texts], {"q": "pets"})
    assert list(collapse(run, parent="source")["q"]) == ["a.md"]


def test_a_new_index_changes_no_line_of_a_baseline():
    """Equal content under new random ids gives an equal run, also with scores."""

    def indexed(_):
        return [(langchain(t, "a.md", uuid4()), s) for t, s in (("x", 0.9), ("y", 0.5))]

    first, second = (build_run(indexed, {"q": "?"}) for _ in range(2))
    assert dict(first) == dict(second)
    qrels = {"q": dict.fromkeys(list(first["q"])[1:], 1)}
    kept = [Baseline.of(evaluate(run, qrels, "nDCG@2 R@1"), qrels) for run in (first, second)]
    lines, again = (baseline_files.text({"test": one.entry()}) for one in kept)
    assert lines == again
    assert '"a.md#' in lines


def test_the_hint_for_an_id_works():
    """It names a field that is there, and a source that several passages share never."""
    items = [{"key_id": f"k{n}", "source": "a.md", "body": "x"} for n in range(2)]
    with pytest.raises(InputError, match=r'id="metadata\.key_id"'):
        retrieved(items)
    assert retrieved(items, id="key_id").documents == ["k0", "k1"]
