"""Deep rankings as real runs have them, and what libraries gave for them.

    python tests/libraries/deep.py deep.json

in an environment with beir, ir_measures, lenskit and pyndeval writes the values. Nothing of the
package is imported, so that such an environment needs nothing but the libraries.
"""

import json
import random
import sys
from importlib.metadata import version

BEIR = ("NDCG@10", "NDCG@100", "MAP@100", "Recall@100", "P@10")
BEIR_OWN = ("R_cap@10", "MRR@10", "Accuracy@1")
LENSKIT = (
    "Recall@10",
    "Recall@100",
    "Precision@10",
    "NDCG@10",
    "NDCG@100",
    "RecipRank@100",
    "Hit@10",
    "RBP@100",
)
IR_MEASURES = (
    "Accuracy",
    "nDCG(dcg='exp-log2')",
    "nDCG@20",
    "AP",
    "RR@10",
    "R@100",
    "P@10",
    "Bpref",
    "Rprec",
)
NDEVAL = ("ERR-IA@10", "ERR-IA@20", "nERR-IA@10", "alpha-nDCG@10", "strec@10", "P-IA@10", "NRBP")


def graded():
    """Three queries that are documents too: 300 documents, most unjudged, grades 0 to 4, ties."""
    draw = random.Random(48)
    run, qrels = {}, {}
    for query in ("7", "11", "13"):
        documents = draw.sample(range(1000), 300)
        scores = {str(d): round(draw.random() * 40) / 4 for d in documents}
        run[query] = {query: 11.0, **{d: s for d, s in scores.items() if d != query}}
        judged = draw.sample(documents, 60) + list(range(1000, 1020))
        qrels[query] = {str(d): draw.choice([0, 0, 1, 1, 2, 3, 4]) for d in judged}
    return run, qrels


def by_subtopic():
    """Two topics of 60 documents, of which 25 hold subtopics 1 to 5 with grades 0 to 4."""
    draw = random.Random(51)
    run, qrels = {}, {}
    for topic in ("201", "202"):
        documents = [f"d{i:02}" for i in range(60)]
        run[topic] = {
            d: float(s) for d, s in zip(documents, draw.sample(range(99), 60), strict=True)
        }
        qrels[topic] = {
            d: {str(s): draw.randint(0, 4) for s in draw.sample(range(1, 6), draw.randint(1, 3))}
            for d in draw.sample(documents, 25)
        }
    return run, qrels


def of_beir():
    """Means, five digits each; by id, so that no query's own document counts."""
    from beir.retrieval.evaluation import EvaluateRetrieval

    run, qrels = graded()
    found = EvaluateRetrieval.evaluate(qrels, run, [10, 100])
    values = {name: value for part in found for name, value in part.items()}
    for metric in ("r_cap", "mrr", "acc"):
        values |= EvaluateRetrieval.evaluate_custom(qrels, run, [1, 10], metric)
    return {name: values[name] for name in (*BEIR, *BEIR_OWN)}


def of_lenskit():
    """By query, in the order of the scores; ties as given."""
    from lenskit.data import ItemList
    from lenskit.metrics import NDCG, RBP, Hit, Precision, Recall, RecipRank

    kinds = {k.__name__: k for k in (NDCG, RBP, Hit, Precision, Recall, RecipRank)}
    run, qrels = graded()
    found = {}
    for name in LENSKIT:
        kind, _, k = name.partition("@")
        found[name] = {}
        for query, scores in run.items():
            ranked = sorted(scores, key=scores.get, reverse=True)
            test = [d for d, g in qrels[query].items() if g > 0]
            made = kinds[kind](int(k))
            value = made.measure_list(
                ItemList(item_ids=ranked, ordered=True), ItemList(item_ids=test)
            )
            found[name][query] = float(value)
    return found


def of_ir_measures():
    """By query."""
    import ir_measures

    run, qrels = graded()
    found = {}
    for name in IR_MEASURES:
        values = ir_measures.iter_calc([ir_measures.parse_measure(name)], qrels, run)
        found[name] = {value.query_id: float(value.value) for value in values}
    return found


def of_ndeval():
    """By topic."""
    import pyndeval

    run, qrels = by_subtopic()
    judged = [
        pyndeval.SubtopicQrel(topic, subtopic, document, grade)
        for topic, of in qrels.items()
        for document, held in of.items()
        for subtopic, grade in held.items()
    ]
    scored = [pyndeval.ScoredDoc(t, d, s) for t, of in run.items() for d, s in of.items()]
    by_topic = pyndeval.ndeval(judged, scored, measures=list(NDEVAL))
    return {name: {topic: values[name] for topic, values in by_topic.items()} for name in NDEVAL}


if __name__ == "__main__":
    asked = {
        "beir": of_beir,
        "lenskit": of_lenskit,
        "ir_measures": of_ir_measures,
        "ndeval": of_ndeval,
    }
    packages = {
        "beir": "beir",
        "lenskit": "lenskit",
        "ir_measures": "ir-measures",
        "ndeval": "pyndeval",
    }
    given = {
        name: {"version": version(packages[name]), "values": values()}
        for name, values in asked.items()
    }
    with open(sys.argv[1], "w", encoding="utf-8") as out:  # noqa: PTH123 -- no need of more
        json.dump(given, out, indent=1)
        out.write("\n")
