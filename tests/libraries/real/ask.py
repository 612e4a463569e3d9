"""What each library is asked for on these runs: all its metrics, at 10, 100 and 1,000 documents."""

import re

from dev.tools.libraries.adapters import ALL
from dev.tools.libraries.asked import Answer, answered
from irmetrics_edu.diagnosis.conformance.adapters import (
    ask_trec_eval,
    asked_as,
)
from irmetrics_edu.libraries import BUNDLES
from tests.libraries.asked import NAMES, Drawn, library
from tests.libraries.real.inputs import CUTS, PUBLISHED

SUBTOPICS = "by subtopic"
MISSING = "missing and extra"
TIED = ("thousand tied", "hundred tied", PUBLISHED)
# They know no queries, but a list at a time.
_OF_ARRAYS = ("scikit_learn", "catboost", "allrank", "cwl_eval", "cornac", "rankereval")
_TWENTY = re.compile(r"(?<!\d)20(?!\d)")
_ANOTHER_CUT = re.compile(r"(?<!\d)(1|3|5|20|40)(?!\d)")
_OF_TREC_EVAL = "pytrec_eval"
_PROVIDERS = {
    "ir_measures": "",
    "ir_measures_cwl_eval": "cwl_eval",
    "ir_measures_judged": "judged",
    "ir_measures_msmarco": "msmarco",
    "ir_measures_ranx": "ranx",
    "gdeval": "gdeval",
}
# Of our measures, with the adapters of the test vectors: those that have no module of questions.
_BY_ADAPTER = {
    "catboost": "CatBoost",
    "allrank": "allRank",
    "cornac": "Cornac",
    "cwl_eval": "cwl_eval",
    "rankereval": "rankerEval",
}
# Another library with a flag of its own.
_WITH_FLAG = {"mteb_ignore_identical_ids": "mteb"}
_OURS = ("nDCG", "DCG", "AP", "RR", "P", "R", "F", "Success")
ALL_NAMES = (
    *NAMES,
    _OF_TREC_EVAL,
    *_PROVIDERS,
    *_BY_ADAPTER,
    *_WITH_FLAG,
    "scikit_learn",
    "ndeval",
)


def metrics_of(name):
    """The names of metrics that a library is asked for."""
    if _WITH_FLAG.get(name, name) in NAMES:
        return _deeper(library(_WITH_FLAG.get(name, name)).METRICS)
    if name in _BY_ADAPTER:
        return [known for known, _, _ in _known_to_adapter(name)]
    return list(_listed(name))


def _deeper(names):
    """The metrics without a cut-off, and those cut at 20 at deeper ranks; all, if none is."""
    if not any(_TWENTY.search(name) for name in names):
        return list(names)
    found = [name for name in names if not _ANOTHER_CUT.search(name)]
    for name in names:
        if _TWENTY.search(name):
            found += [_TWENTY.sub(str(k), name) for k in CUTS]
    return found


def _listed(name):
    """Every name that a bundle lists, at each cut-off."""
    for listed in BUNDLES[name].metrics:
        if name == "gdeval" and not listed.endswith(")@{k}") and listed != "ERR@{k}":
            continue  # as gdeval itself prints it
        pattern = listed.replace("{r}", "0.20").replace("{p}", "4" if "max_rel" in listed else "80")
        if "{k}" not in pattern:
            yield pattern
            continue
        for k in (5, 10, 20) if name == "ndeval" else CUTS:
            yield pattern.replace("{k}", str(k))


def _known_to_adapter(name):
    """The names of a bundle that an adapter can be asked for: with our measure and cut-off."""
    for metric in _OURS:
        for k in (None, *CUTS):
            known = asked_as(name, metric, k)
            if known is not None:
                yield known, metric, k


def ask(name, metric, run, qrels):
    """What a library gives for a metric."""
    if name == "beir":
        return _of_beir(metric, run, qrels)
    if name in _WITH_FLAG:
        return _of_mteb_with_flag(metric, run, qrels)
    if name in NAMES:
        return library(name).ask(metric, run, qrels)
    if name == _OF_TREC_EVAL:
        return answered(ask_trec_eval)(metric, run, qrels)
    if name in _PROVIDERS:
        return _of_ir_measures(_PROVIDERS[name], metric, run, qrels)
    if name in _BY_ADAPTER:
        return _of_adapter(name, metric, run, qrels)
    return {"scikit_learn": _of_scikit_learn, "ndeval": _of_ndeval}[name](metric, run, qrels)


def _of_beir(metric, run, qrels):
    """As in its examples: first what trec_eval computes, which takes out each own document."""
    from beir.retrieval.evaluation import EvaluateRetrieval

    scores = {query: ranked for query, ranked in _scores(run).items() if query in qrels}
    EvaluateRetrieval.evaluate(qrels, scores, [1])
    left = {query: [[d, s] for d, s in ranked.items()] for query, ranked in scores.items()}
    return library("beir").ask(metric, left, qrels)


def _of_mteb_with_flag(metric, run, qrels):
    """Its evaluator takes out each own document from the results; then its scores are asked."""
    from mteb._evaluators.retrieval_evaluator import RetrievalEvaluator

    scores = {query: ranked for query, ranked in _scores(run).items() if query in qrels}
    RetrievalEvaluator.evaluate(None, qrels, scores, [1], ignore_identical_ids=True)
    left = {query: [[d, s] for d, s in ranked.items()] for query, ranked in scores.items()}
    return library("mteb").ask(metric, left, qrels)


def _scores(run):
    """The scores of documents by query."""
    return {query: dict(map(tuple, ranked)) for query, ranked in run.items()}


def _of_ir_measures(provider, metric, run, qrels):
    """By its own choice of a provider, or by a provider that is named."""
    import ir_measures

    home = getattr(ir_measures, provider) if provider else ir_measures
    if "gains=" in metric:  # which its own parser can't read
        asked = ir_measures.nDCG(gains={2: 3, 3: 7}) @ int(metric.partition("@")[2])
    else:
        asked = ir_measures.parse_measure(metric)
    values = home.iter_calc([asked], qrels, _scores(run))
    return Answer(per_query={v.query_id: float(v.value) for v in values})


def _of_adapter(name, metric, run, qrels):
    """One of our measures by the adapter of the library."""
    for known, ours, k in _known_to_adapter(name):
        if known == metric:
            found = ALL[_BY_ADAPTER[name]].measure(ours, k, _scores(run), qrels, {})
            return Answer(per_query=found)
    raise LookupError(metric)


def _of_scikit_learn(metric, run, qrels):
    """Arrays of grades and of scores: of the retrieved, or with the rest of the judged below."""
    from sklearn import metrics

    values = {}
    name, _, rest = metric.partition(" ")
    name, _, k = name.partition("@")
    cut = int(k) if k else None
    if "k=" in rest:
        cut = None if "k=None" in rest else int(re.search(r"k=(\d+)", rest)[1])
    for query, ranked in run.items():
        if query not in qrels:
            continue
        judged = qrels[query]
        scores = dict(map(tuple, ranked))
        if "appended" in rest:
            lowest = min(scores.values()) - 1
            scores |= {d: lowest for d in judged if d not in scores}
        grades = [judged.get(d, 0) for d in scores]
        values[query] = _by_scikit_learn(metrics, name, rest, grades, list(scores.values()), cut)
    return Answer(per_query=values)


def _by_scikit_learn(metrics, name, rest, grades, scores, cut):
    """One function of one list."""
    function = getattr(metrics, name)
    options = {}
    if name in ("ndcg_score", "dcg_score"):
        options["k"] = cut
        options["ignore_ties"] = "ignore_ties" in rest
        if "log_base=e" in rest:
            from math import e

            options["log_base"] = e
        return float(function([grades], [scores], **options))
    binary = [int(g >= 1) for g in grades]
    if name.startswith("label"):
        return float(function([binary], [scores]))
    return float(function(binary, scores))


def _of_ndeval(metric, run, qrels):
    """Judgments of subtopics; only these."""
    import pyndeval

    judged = [
        pyndeval.SubtopicQrel(topic, subtopic, document, grade)
        for topic, of in qrels.items()
        for document, held in of.items()
        for subtopic, grade in held.items()
    ]
    ranked = [pyndeval.ScoredDoc(t, d, s) for t, of in run.items() for d, s in of]
    by_topic = pyndeval.ndeval(judged, ranked, measures=[metric])
    return Answer(per_query={topic: float(values[metric]) for topic, values in by_topic.items()})


def takes(name, probe):
    """Whether an input can be put to a library: one that promises no order gets no ties."""
    if (probe == SUBTOPICS) != (name == "ndeval"):
        return False
    if name == "cwl_eval" and probe == PUBLISHED:
        return False  # it ranks by the order of the lines, and its adapter by the scores
    drawn, skipped = Drawn(), ()
    name = _WITH_FLAG.get(name, name)
    if name in NAMES:
        drawn, skipped = getattr(library(name), "DRAWN", drawn), getattr(library(name), "SKIPS", ())
    if probe in skipped:
        return False
    if probe == MISSING and (name in _OF_ARRAYS or "missing" in skipped):
        return False
    return drawn.ties or probe not in TIED
