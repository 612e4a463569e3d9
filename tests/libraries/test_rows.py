"""Every row of every bundle: its measure is the one that its name says, alone and by our name."""

import re

import pytest

from irmetrics_edu import evaluate
from irmetrics_edu.conventions import AS_ZERO, FIRST_COUNTS
from irmetrics_edu.libraries import BUNDLES
from irmetrics_edu.rows.aligned_ranking import RANKED

# The words of a name, the first that is met, and the measures that it may mean.
FAMILIES = {
    r"^alpha-": {"alpha-DCG", "alpha-nDCG"},
    r"ndcg|normali[sz]edDCG|normalized_dcg|ncrr": {"nDCG"},
    r"^(dcg k=|dcg normalize)": {"DCG", "nDCG"},  # normalised where the row says so
    r"dcg": {"DCG", "alpha-DCG", "alpha-nDCG", "nDCG"},
    r"^err[-_]ia|nerr": {"ERR-IA"},
    r"expected_reciprocal|\berr\b|^err": {"ERR"},
    r"mrr|recip|^rr\b": {"RR"},
    r"(?<![a-z])r[-_]?prec": {"Rprec", "Rprec_mult"},
    r"gm_map|map|average_?precision|average precision|^ap\b|meanaverage|infap|set_map|map-ia": {
        "AP", "PR-AUC", "infAP", "set_map", "AP-IA", "interpolated-AP",
    },
    r"iprec|11pt": {"IPrec", "interpolated-AP"},
    r"^strec": {"S-recall"},
    r"r_cap|recall|setr|^r\b|^r@": {"R"},
    r"precision|^pre|setp|^p\b|^p[-_@]|relative_p|set_p": {"P", "P-IA"},
    r"hit|success|accuracy": {"Success"},
    r"fmeasure|setf|set_f|^f\b": {"F"},
    r"rbp|nnrbp|nrbp": {"RBP", "NRBP"},
    r"bpref": {"bpref"},
}  # fmt: skip
# Names that mean another measure than they say: what the library computes under them.
OTHERWISE = {
    ("torch_rechub", "Hit@{k}"): "R",  # all hits over all held-out items
    ("ranx", "hits@{k}"): "CG",  # a number of hits, of many
    ("ir_measures", "Accuracy"): "pair_accuracy",
    ("haystack", "DocumentRecallEvaluator single_hit"): "Success",
    ("rectools", "Precision@{k} r_precision"): "P",  # hits over min(k, R)
    ("recmetrics", "recommender_recall / recall_at_k? k={k}"): "AP",  # its mark(), as measured
    ("ragas", "LLMContextPrecisionWithReference"): "AP",
    ("deepeval", "ContextualPrecisionMetric"): "AP",
}


def rows():
    """Library, name as the bundle has it, and our measure."""
    for library, bundle in BUNDLES.items():
        for name in bundle.metrics:
            yield library, name, bundle.measure(filled(name))[0]


def filled(name):
    """A name with numbers in its places."""
    return name.replace("{k}", "5").replace("{r}", "0.1").replace("{p}", "80").replace("{g}", "1")


def family(name):
    """The measures that a name may mean; None if it says nothing that we know."""
    bare = name.partition("(")[0]  # without its options
    known = (found for word, found in FAMILIES.items() if re.search(word, bare, re.IGNORECASE))
    return next(known, None)


def test_a_row_means_what_its_name_says():
    """A recall is no precision: a name of another measure has to be written down above."""
    odd = []
    for library, name, metric in rows():
        allowed = family(name)
        if library == "irmetrics_edu" or allowed is None or metric.name in allowed:
            continue
        if OTHERWISE.get((library, name)) != metric.name:
            odd.append((library, name, repr(metric)))
    assert odd == []
    assert "R" in family("Recall@{k}")
    assert "P" not in family("Recall@{k}")
    assert "R" not in family("Precision@{k}")


def test_most_names_are_known():
    """The table above is no sieve with one hole."""
    unknown = {name for library, name, _ in rows() if family(name) is None}
    every = [name for _, name, _ in rows()]
    assert len(unknown) * 8 < len(every), sorted(unknown)


# Unjudged documents, grades to 4, ties, a query that is not in the run, nothing relevant.
RUN = {
    "1": {f"d{i:02}": 9.0 - i // 2 for i in range(12)},
    "2": {f"d{i:02}": float((7 * i) % 11) for i in range(9)},
    "3": {"d01": 1.0, "d04": 0.5},
}
QRELS = {
    "1": {"d01": 4, "d03": 0, "d05": 2, "d08": 1, "d11": 1, "e1": 3, "e2": 1},
    "2": {"d02": 1, "d06": 0, "d07": 2, "e3": 1, "e4": 1, "e5": 1},
    "3": {"d01": 0, "d04": 1},
}


@pytest.mark.parametrize("library", [name for name in BUNDLES if name != "irmetrics_edu"])
def test_our_name_gives_what_the_first_row_of_it_gives(library):
    """`-m R@5 --conventions lenskit` is LensKit's Recall@5, and so on for all that it has."""
    bundle = BUNDLES[library].using(negative=AS_ZERO, duplicates=FIRST_COUNTS)
    met = set()
    for name in bundle.metrics:
        if "{p}" in name or "{r}" in name or "{g}" in name:  # a number that our plain name has not
            continue
        metric, by = bundle.measure(filled(name))
        form = (metric.name, metric.k is None)
        if form in met or metric.inputs is not RANKED:
            continue
        if metric.params.get("max_grade") == 3:  # the judgments above go to 4
            continue
        met.add(form)
        plain = metric.name if metric.k is None else f"{metric.name}@{metric.k}"
        if plain != name and plain in bundle.metrics:  # another row has that very name
            continue
        fixed = [f"{n}={v}" for n, v in metric.params.items() if n in ("p", "recall", "beta")]
        asked = plain.replace(metric.name, f"{metric.name}({','.join(fixed)})") if fixed else plain
        theirs = evaluate(RUN, QRELS, metric, by).per_query
        ours = evaluate(RUN, QRELS, asked, bundle).per_query
        [of_row], [of_name] = theirs.values(), ours.values()
        assert of_row == pytest.approx(of_name, nan_ok=True), name
