"""Known items of the running Python's docstrings, and SQLite's engine."""

import inspect
import json
import math
from collections import Counter
from fractions import Fraction

import pytest

from irmetrics_edu import reciprocal_rank
from irmetrics_edu.efficiency import measures
from irmetrics_edu.efficiency.collection import Document, docstrings, known_items, words
from irmetrics_edu.efficiency.engines import Fts5
from irmetrics_edu.errors import InputError

PETS = (
    Document("a", "the cat sat on the mat"),
    Document("b", "a dog and a cat"),
    Document("c", "dogs chase dogs and nothing else at all here"),
)


@pytest.mark.slow
def test_docstrings_are_those_that_python_reports():
    """A document has the text that `inspect` gives for what its id names."""
    texts = {d.id: d.text for d in docstrings()}
    assert len(texts) > 1000
    for name, described in (("json.dumps", json.dumps), ("fractions.Fraction", Fraction)):
        assert texts[name] == inspect.getdoc(described)
    assert "json" in texts
    assert not any(part.startswith("_") for name in texts for part in name.split("."))


@pytest.mark.slow
def test_known_items_are_the_same_under_a_seed():
    """Queries and qrels; another seed asks for others."""
    first, again, other = (known_items(docstrings(), 20, seed=s) for s in (1, 1, 2))
    assert first == again
    assert first.queries != other.queries


@pytest.mark.slow
def test_each_query_looks_for_one_document_by_words_of_it():
    """Without noise every word is in the document."""
    collection = known_items(docstrings(), 50, noise=0)
    texts = {d.id: d.text for d in collection.documents}
    assert len(collection.queries) == len(collection.qrels) == 50
    for query, judged in collection.qrels.items():
        (wanted,) = judged
        asked = collection.queries[query].split()
        assert len(asked) == len(set(asked)) >= 2
        assert set(asked) <= set(words(texts[wanted]))


@pytest.mark.slow
def test_noise_puts_in_other_words():
    """With much of it, few queries are left untouched."""
    collection = known_items(docstrings(), 50, noise=0.9)
    texts = {d.id: d.text for d in collection.documents}
    clean = sum(
        set(collection.queries[q].split()) <= set(words(texts[next(iter(judged))]))
        for q, judged in collection.qrels.items()
    )
    assert clean < 10


def test_a_document_with_a_twin_is_not_looked_for():
    """Nobody could tell which of the two is meant."""
    many = [Document(f"d{i}", f"alpha{i} beta{i} gamma{i}") for i in range(30)]
    twin = [Document("t1", "delta epsilon zeta"), Document("t2", "delta epsilon zeta")]
    collection = known_items([*many, *twin], 30)
    wanted = {d for judged in collection.qrels.values() for d in judged}
    assert wanted == {d.id for d in many}
    with pytest.raises(InputError, match="only 30 of the documents"):
        known_items([*many, *twin], 31)


def bm25(query, documents, stem):
    """Okapi BM25 as FTS5 states it, by plain loops: k1 = 1.2, b = 0.75."""
    tokens = {d.id: [stem(w) for w in words(d.text)] for d in documents}
    n, average = len(tokens), sum(map(len, tokens.values())) / len(tokens)
    scores = Counter()
    for name, own in tokens.items():
        for term in map(stem, words(query)):
            df = sum(term in t for t in tokens.values())
            f = own.count(term)
            idf = max(math.log((n - df + 0.5) / (df + 0.5)), 1e-6)
            scores[name] += idf * f * 2.2 / (f + 1.2 * (0.25 + 0.75 * len(own) / average))
    return {name: s for name, s in scores.items() if s > 0}


def test_fts5_ranks_by_bm25(tmp_path):
    """Its scores are those of the formula, words of the same stem being one."""
    more = [*PETS, *(Document(f"e{i}", f"filler text {i}") for i in range(4))]
    with Fts5(tmp_path / "index") as engine:
        measures.index(engine, more)
        for query in ("cat", "dog chase", "Mat, on the"):
            found = dict(engine.search(query, 10))
            expected = bm25(query, more, lambda w: "dog" if w == "dogs" else w)
            assert found == pytest.approx(expected)
            assert list(found.values()) == sorted(found.values(), reverse=True)


@pytest.mark.parametrize("query", ["", "---"])
def test_a_query_without_words_is_refused(tmp_path, query):
    """There is nothing to look for."""
    with Fts5(tmp_path / "index") as engine:
        measures.index(engine, PETS)
        with pytest.raises(InputError, match="no word"):
            engine.search(query, 5)


def test_words_are_data_not_query_syntax(tmp_path):
    """NOT, quotes and stars are words or nothing."""
    with Fts5(tmp_path / "index") as engine:
        measures.index(engine, PETS)
        assert engine.search('cat" NOT OR* (dog', 5)


def test_an_index_is_not_written_over(tmp_path):
    """The file is named."""
    (tmp_path / "index").touch()
    with pytest.raises(InputError, match="exists already"):
        Fts5(tmp_path / "index")


def test_fts5_finds_known_items(tmp_path):
    """Far better than by chance: the mean reciprocal rank is above a half."""
    collection = known_items(docstrings(), 60, seed=3)
    with Fts5(tmp_path / "index") as fts5:
        indexing = measures.index(fts5, collection.documents)
        run, querying = measures.answer(fts5, collection.queries, 50)
        found = [reciprocal_rank(list(run[q]), collection.qrels[q]) for q in run]
        assert sum(found) / len(found) > 0.5
        assert measures.throughput(querying).value > 0
        assert sum(indexing.documents) == len(collection.documents)
        assert measures.final_size(measures.Indexing((1,), (1.0,), (1.0,), (fts5.size(),))).value
    assert (tmp_path / "index").stat().st_size == fts5.size()


def test_indexing_takes_room_for_a_time(tmp_path):
    """Merging and compacting: the largest size is above the final one."""
    with Fts5(tmp_path / "index") as engine:
        found = measures.index(engine, docstrings())
    assert measures.temporary_size(found).value > 0
