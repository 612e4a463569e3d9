"""SQLite's engine: its scores, its queries and its file."""

import math
from collections import Counter

import pytest

from irmetrics_edu.errors import InputError
from irmetrics_edu.lab.efficiency import measures
from irmetrics_edu.lab.efficiency.engines import Document, Fts5, words

PETS = (
    Document("a", "the cat sat on the mat"),
    Document("b", "a dog and a cat"),
    Document("c", "dogs chase dogs and nothing else at all here"),
)


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


def test_the_index_is_one_file_and_indexing_takes_room_for_a_time(tmp_path):
    """Merging and compacting: the largest size is above the final one."""
    many = [Document(f"d{i}", f"word{i} filler{i % 7} " * 20) for i in range(600)]
    with Fts5(tmp_path / "index") as engine:
        found = measures.index(engine, many)
        assert sum(found.documents) == len(many)
        size = engine.size()
    assert (tmp_path / "index").stat().st_size == size
    assert measures.temporary_size(found).value > 0
