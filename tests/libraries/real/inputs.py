"""Runs and judgments as published ones are: deep, mostly unjudged, with long ties, drawn by a seed.

Nothing of it is stored: each input is the same on every machine.
"""

from collections import defaultdict
from functools import cache
from random import Random

GRADES = (0, 0, 0, 1, 1, 2, 3, 4)
CUTS = (10, 100, 1000)


def documents_of(draw, size):
    """Names of documents in an order of their own: numbers, letters, and both."""
    names = [f"{1000 + i}" for i in range(size // 2)]
    names += [f"doc-{i:05}" for i in range(size - len(names))]
    draw.shuffle(names)
    return names


def query_of(draw, depth, score, grades=GRADES):
    """One ranking by falling score, and the judgments: a tenth of the ranking, and twelve more."""
    documents = documents_of(draw, depth + 12)
    retrieved = documents[:depth]
    scores = sorted((score(i, draw) for i in range(depth)), reverse=True)
    ranking = [[d, s] for d, s in zip(retrieved, scores, strict=True)]
    # The upper half of a ranking is judged more often than the rest, as in a pool.
    judged = [d for i, d in enumerate(retrieved) if draw.random() < (0.5 if i < 20 else 0.1)]
    judged += documents[depth:]
    order = sorted(judged)
    draw.shuffle(order)
    found = {d: grades[draw.randrange(len(grades))] for d in order}
    found[order[0]] = max(grades)
    return ranking, found


def several(seed, names, depth, score, grades=GRADES):
    """A run and its judgments, a query for each name."""
    draw = Random(seed)
    run, qrels = {}, {}
    for name in names:
        run[name], qrels[name] = query_of(draw, depth, score, grades)
    return run, qrels


def falling(i, _):
    """Scores that all differ, in 32 bits too."""
    return 2000.0 - i


def levels(count):
    """Scores of so many levels: long ties."""
    return lambda _, draw: draw.randrange(count) / 4


def with_own_documents():
    """Queries that are documents: each stands at rank 1 of its ranking, and is judged or not."""
    run, qrels = several(3, ("1007", "1011", "1013", "1021"), 100, falling)
    for place, query in enumerate(run):
        run[query] = [[query, 3000.0], *([d, s] for d, s in run[query] if d != query)]
        if place % 2:
            qrels[query][query] = 2
        else:
            qrels[query].pop(query, None)
    return run, qrels


def missing_and_extra():
    """Two judged queries that the run lacks, and one of the run that is not judged."""
    names = ("201", "202", "203", "204", "205")
    run, qrels = several(5, names, 100, falling)
    del run["202"], run["205"]
    del qrels["204"]
    return run, qrels


def nothing_relevant():
    """Three queries; two have no relevant document, and one of these no judged one in the run."""
    run, qrels = several(8, ("601", "602", "603"), 100, falling)
    qrels["602"] = dict.fromkeys(qrels["602"], 0)
    qrels["603"] = {"unknown": 0}
    return run, qrels


def by_subtopic():
    """Two topics of 60 documents, of which 25 hold subtopics 1 to 5 with grades 0 to 4."""
    draw = Random(51)
    run, qrels = {}, {}
    for topic in ("201", "202"):
        documents = [f"d{i:02}" for i in range(60)]
        scores = draw.sample(range(99), 60)
        run[topic] = [[d, float(s)] for d, s in zip(documents, scores, strict=True)]
        qrels[topic] = {}
        for document in draw.sample(documents, 25):
            subtopics = draw.sample(range(1, 6), draw.randint(1, 3))
            qrels[topic][document] = {str(s): draw.randint(0, 4) for s in subtopics}
    return run, qrels


PUBLISHED = "published"


@cache
def published(beside):
    """The run and the judgments that trec_eval is tested with, from the data of others."""
    folder = beside / "data" / "trec"
    run, qrels = defaultdict(list), defaultdict(dict)
    for line in (folder / "results.test").read_text().splitlines():
        query, _, document, _, score, _ = line.split()
        run[query].append([document, float(score)])
    for line in (folder / "qrels.test").read_text().splitlines():
        query, _, document, grade = line.split()
        qrels[query][document] = int(grade)
    return dict(run), dict(qrels)


@cache
def inputs(beside=None):
    """The inputs by name, each a run of pairs and its judgments; `beside` has what others made."""
    found = {
        "thousand": several(1, ("301", "302", "303"), 1000, falling),
        "thousand tied": several(2, ("301", "302"), 1000, levels(60)),
        "hundred tied": several(6, ("501", "502", "503"), 100, levels(8)),
        "own documents": with_own_documents(),
        "negative": several(4, ("401", "402", "403"), 100, falling, (-2, -1, 0, 0, 1, 2, 3)),
        "missing and extra": missing_and_extra(),
        "nothing relevant": nothing_relevant(),
        "by subtopic": by_subtopic(),
    }
    return found if beside is None else {**found, PUBLISHED: published(beside)}
