"""The shipped collection: whole, judged as its README says, and made anew to the last byte."""

import math
import random
import re
import subprocess
import sys
from collections import Counter

import numpy as np
import pytest

from dev.tools import collection as building
from dev.tools.collection_texts import PYTHON, document_lines
from irmetrics_edu import evaluate
from irmetrics_edu.cli import BAD_INPUT, FAILED, FINE, main
from irmetrics_edu.course import load_collection
from irmetrics_edu.course.collection import collection_engines, collection_files
from irmetrics_edu.errors import InputError
from irmetrics_edu.lab.efficiency.engines import Document
from irmetrics_edu.reading.texts import read_texts
from tests.conftest import ROOT

COLLECTION = load_collection("stdlib")
DEEP, SHALLOW = COLLECTION.qrels["deep"], COLLECTION.qrels["shallow"]
TEXTS = {
    "a": "red wine and white wine",
    "b": "a red car or a red bus",
    "c": "the bus and the car",
    "d": "white sea, red sun",
    "e": "sea and sun and the sea",
}


def test_it_is_as_large_as_it_says():
    """Documents, a hundred topics of three kinds, runs of fifty, a dozen topics with aspects."""
    assert 1000 <= len(COLLECTION.documents) <= 1500
    topics = COLLECTION.topics.values()
    assert len(topics) == 100
    assert {t.kind for t in topics} == {"known item", "how-to", "comparison"}
    assert all(2 <= len(t.title.split()) <= 6 for t in topics)
    assert sum(bool(t.aspects) for t in topics) == len(COLLECTION.aspects) == 12
    for run in COLLECTION.runs.values():
        assert run.keys() == COLLECTION.topics.keys()
        for scores in run.values():
            assert scores.keys() <= COLLECTION.documents.keys()
            assert len(scores) <= collection_engines.DEPTH
            order = sorted(scores.items(), key=lambda found: (found[1], found[0]), reverse=True)
            assert list(scores.items()) == order
    assert "not by people" in repr(COLLECTION)
    sizes = {file.name: file.stat().st_size for file in collection_files.DATA.iterdir()}
    of_neural = [sizes.pop(name) for name in collection_files.NEURAL]
    assert sum(sizes.values()) < 1_200_000
    assert sum(of_neural) < 1_100_000


def test_the_pools_are_those_of_the_runs():
    """Depth 10 of all, depth 5 of two with the same grades, and no document besides."""
    for judged, names, depth in (
        (DEEP, ("fts5", "bm25", "lsa"), 10),
        (SHALLOW, ("fts5", "bm25"), 5),
    ):
        for topic in COLLECTION.topics:
            pool = {d for n in names for d in list(COLLECTION.runs[n][topic])[:depth]}
            assert judged[topic].keys() == pool
            assert all(DEEP[topic][d] == grade for d, grade in judged[topic].items())
    assert {g for judged in DEEP.values() for g in judged.values()} == {0, 1, 2, 3}
    assert all(any(judged.values()) for judged in DEEP.values())
    for topic, covered in COLLECTION.aspects.items():
        named = {str(i) for i in range(1, len(COLLECTION.topics[topic].aspects) + 1)}
        assert {aspect for found in covered.values() for aspect in found} == named
        assert all(DEEP[topic][document] for document in covered)


def test_a_run_that_the_pool_left_out_loses():
    """LSA put nothing into the shallow pool: most that it finds is not judged there."""
    measured = {
        (pool, name): evaluate(run, COLLECTION.qrels[pool], "nDCG@10 Judged@10").mean
        for pool in ("deep", "shallow")
        for name, run in COLLECTION.runs.items()
    }
    assert all(measured["deep", name]["Judged@10"] == 1 for name in COLLECTION.runs)
    assert measured["shallow", "lsa"]["Judged@10"] < measured["shallow", "bm25"]["Judged@10"] - 0.1
    ratio = {
        n: measured["shallow", n]["nDCG@10"] / measured["deep", n]["nDCG@10"]
        for n in COLLECTION.runs
    }
    assert ratio["lsa"] < 0.9
    assert ratio["bm25"] > 1


def test_the_second_assessor_graded_the_same_documents():
    """All documents of 25 topics of the deep pool; not a copy of the first grades."""
    second = COLLECTION.qrels["second"]
    assert len(second) == 25
    assert any(judged != DEEP[topic] for topic, judged in second.items())
    for topic, judged in second.items():
        assert judged.keys() == DEEP[topic].keys()
        assert set(judged.values()) <= {0, 1, 2, 3}


@pytest.fixture(scope="module")
def remade():
    """The runs made anew, and what each engine gave for each topic before it was rounded."""
    given, exact = [], collection_engines.ranked

    def ranked(found, k):
        given.append(list(found))
        return exact(given[-1], k)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(collection_engines, "ranked", ranked)
        runs = building.rebuilt(COLLECTION)
    return runs, given


@pytest.mark.suite("learners")
@pytest.mark.slow
def test_the_runs_come_out_again_to_the_last_byte(remade):
    """Every run, and the pool that is made of two of them."""
    found, _ = remade
    for name, run in found.items():
        shipped = (collection_files.DATA / collection_files.RUNS[name]).read_text(encoding="utf-8")
        assert collection_files.run_lines(run, name) == shipped, name
    shipped = (collection_files.DATA / collection_files.QRELS["shallow"]).read_text(
        encoding="utf-8"
    )
    assert building.shallow_lines(COLLECTION, found) == shipped


@pytest.mark.suite("learners")
@pytest.mark.slow
@pytest.mark.parametrize(("size", "same"), [(1e-10, True), (1e-3, False)])
def test_rounding_decides_nothing(remade, size, same):
    """Scores that are a little off, as on another machine, give the same run; others don't."""
    rng, given = random.Random(1), iter(remade[1])
    for run in COLLECTION.runs.values():
        noisy = {
            topic: dict(
                collection_engines.ranked(
                    [(d, s * (1 + rng.uniform(-size, size))) for d, s in found], 50
                )
            )
            for topic, found in zip(COLLECTION.topics, given, strict=False)
        }
        assert (building.differing(noisy, run) == []) is same
    assert next(given, None) is None


def test_bm25_is_that_of_its_formula():
    """By plain loops over the words."""
    engine = collection_engines.Bm25()
    engine.index([Document(*each) for each in TEXTS.items()], after=lambda _: None)
    split = {name: re.findall(r"\w+", text) for name, text in TEXTS.items()}
    mean = sum(map(len, split.values())) / len(split)
    for query in ("red car", "the sea and the sun"):
        expected = {}
        for name, own in split.items():
            total = 0.0
            for word in query.split():
                n, c = sum(word in each for each in split.values()), own.count(word)
                idf = math.log(1 + (len(split) - n + 0.5) / (n + 0.5))
                total += idf * c / (1.2 * (0.25 + 0.75 * len(own) / mean) + c)
            if total > 0:
                expected[name] = total
        assert dict(engine.search(query, 9)) == pytest.approx(expected, abs=1e-5)


def test_lsa_is_the_cosine_in_the_space_of_the_svd(monkeypatch):
    """By numpy's SVD of the documents' vectors, whatever the signs that it takes."""
    monkeypatch.setattr(collection_engines, "DIMENSIONS", 3)
    engine = collection_engines.Lsa()
    engine.index([Document(*each) for each in TEXTS.items()], after=lambda _: None)
    split = {name: Counter(re.findall(r"\w+", text)) for name, text in TEXTS.items()}
    n = Counter(word for each in split.values() for word in each)
    kept = sorted(word for word in n if n[word] > 1)

    def vector(counts):
        row = [
            (1 + math.log(counts[w])) * math.log(len(TEXTS) / n[w]) if counts[w] else 0.0
            for w in kept
        ]
        return np.array(row) / np.linalg.norm(row)

    U, S, V = np.linalg.svd(np.array([vector(each) for each in split.values()]))
    for sign in (1, -1):
        vectors, folded = sign * U[:, :3] * S[:3], sign * V[:3] @ vector(Counter(["red", "car"]))
        cosine = vectors @ folded / np.linalg.norm(vectors, axis=1) / np.linalg.norm(folded)
        expected = {d: c for d, c in zip(TEXTS, cosine.tolist(), strict=True) if c > 1e-5}
        assert dict(engine.search("red car", 9)) == pytest.approx(expected, abs=2e-5)
    assert engine.search("nonsense", 9) == []


@pytest.mark.slow
def test_the_texts_are_those_of_the_docstrings():
    """Under the Python that they were read from; elsewhere, those that every Python has."""
    shipped = (collection_files.DATA / collection_files.DOCUMENTS).read_text(encoding="utf-8")
    if sys.version_info[:3] == PYTHON:
        code = (
            "from irmetrics_edu.course import load_collection\n"
            "from dev.tools import collection_texts\n"
            "print(collection_texts.document_lines(load_collection().documents), end='')"
        )  # in a child: pytest has hooks of its own in place of those of sys
        command = [sys.executable, "-W", "ignore", "-c", code]
        done = subprocess.run(command, check=True, stdout=subprocess.PIPE, cwd=ROOT)
        assert done.stdout.decode() == shipped
    assert document_lines(["math.sqrt"]) in shipped


def test_the_command_writes_what_is_shipped(tmp_path, capsys):
    """Byte by byte, files that `evaluate` and the judging commands read; nothing is overwritten."""
    folder = tmp_path / "demo"
    assert main(["demo-collection", str(folder)]) == FINE
    assert "not by people" in capsys.readouterr().out
    written = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert written == {path.name: path.read_bytes() for path in collection_files.DATA.iterdir()}
    assert main(["evaluate", str(folder / "deep.qrels"), str(folder / "lsa.run")]) == FINE
    assert read_texts(folder / "documents.jsonl", "document") == COLLECTION.documents
    topics = read_texts(folder / "topics.jsonl", "query")
    assert topics["q079"] == "square root What computes roots of numbers?"
    assert main(["demo-collection", str(folder)]) == BAD_INPUT
    assert "is not an empty folder" in capsys.readouterr().err


def test_it_is_said_where_a_run_differs(capsys, monkeypatch):
    """Another engine's run has its topics named, and nothing is written unless it is asked for."""
    runs = {name: dict(run) for name, run in COLLECTION.runs.items()}
    runs["lsa"]["q007"] = {"subprocess.run": 1.0}
    written = {}
    monkeypatch.setattr(building, "rebuilt", lambda _: runs)
    monkeypatch.setattr(building, "write", lambda path, text: written.update({path.name: text}))
    assert building.main([]) == FAILED
    shown = capsys.readouterr().out
    assert "bm25.run: the same as the shipped run" in shown
    assert "lsa.run: differs from the shipped run for 1 topics: q007" in shown
    assert not written
    assert building.main(["--write"]) == FAILED
    assert "q007 Q0 subprocess.run 1 1.0 lsa" in written["lsa.run"].splitlines()
    assert sorted(written) == ["bm25.run", "fts5.run", "lsa.run", "shallow.qrels"]


def test_another_collection_is_refused():
    """The names that there are, are named."""
    with pytest.raises(InputError, match="'trec': the collection is one of stdlib"):
        load_collection("trec")
