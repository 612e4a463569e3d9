"""Whatever has scores shows them alike: tables, files and plots are functions of `RunScores`."""

import ast
from pathlib import Path

import pandas as pd
import pytest

import irmetrics_edu
from irmetrics_edu import InputError, evaluate
from irmetrics_edu.conventions import MACRO
from irmetrics_edu.distributed.merged import DistributedEvaluation, merged
from irmetrics_edu.distributed.parts import Task, part_of
from irmetrics_edu.gate.checked_value import DirectScore, outcome_of
from irmetrics_edu.metrics.notation import measure
from irmetrics_edu.runs import Evaluation, RunScores, read_scores, score_tables
from irmetrics_edu.runs.evaluation import asked
from irmetrics_edu.runs.joining.judgments import read_pool
from irmetrics_edu.runs.printed_scores import PrintedScores
from irmetrics_edu.runs.shown_scores import ShownScores
from tests.runs.test_against_trec_eval import generated

PACKAGE = Path(irmetrics_edu.__file__).parent
MEASURES = "nDCG@10 AP RR P@3"
POOLED = "AP micro-P@3 GMAP"


def whole(seed):
    """A run and judgments of the same queries, so that nothing is left out."""
    run, qrels = generated(seed)
    both = [query for query in qrels if query in run]
    return {query: run[query] for query in both}, {query: qrels[query] for query in both}


class OnePlace:
    """An engine whose rows are all here."""

    by_query = "no shuffle"
    has_ranks = False

    def __init__(self, frame):
        self.frame = frame

    def rows(self, query):
        """The rows of one query."""
        return self.frame[self.frame["query"] == query]


def framed(run):
    """A run as a data frame."""
    rows = [(q, d, s) for q, documents in run.items() for d, s in documents.items()]
    return pd.DataFrame(rows, columns=["query", "document", "score"])


def distributed(run, qrels, measures):
    """The distributed evaluation of a run in two partitions, without an engine."""
    frame = framed(run)
    chosen, by, beside = asked(measures, "trec_eval", {})
    pool = read_pool(qrels, negative="keep", reading=by.reading, skip_bad=False)
    task = Task(pool, chosen, by, beside, skip_bad=False)
    first = frame["query"].isin(list(run)[:3])
    parts = [(0, part_of(frame[first], task)), (1, part_of(frame[~first], task))]
    return merged(parts, task, OnePlace(frame))


def printed(evaluation, folder):
    """The same scores, read back from a table of them."""
    path = folder / "scores.csv"
    frame = evaluation.long_table().frame()
    frame = frame[frame["query"] != "all"].rename(columns={"score": "value"})
    frame.to_csv(path, index=False)
    return read_scores(path)


def shown(scores):
    """Every output, without what only rankings can tell: counts and notes."""
    tables = [
        score_tables.mean_table(scores),
        score_tables.query_table(scores, digits=7),
        score_tables.long_table(scores),
        score_tables.summary(scores, confidence=0.9),
        score_tables.worst_table(scores, 3),
    ]
    facts = score_tables.facts(scores)
    totals = score_tables.trec_text(scores).splitlines()
    return {
        "tables": [
            (table.header, [list(map(str, line)) for line in table.lines]) for table in tables
        ],
        "csv": score_tables.long_table(scores).csv(),
        "lowest": score_tables.lowest(scores, 4),
        "mean": facts["mean"],
        "per_query": facts["per_query"],
        "trec": [line for line in totals if not line.startswith(("num_", "runid"))],
        "frame": score_tables.frame(scores).to_dict(),
        "counted": {name: scores.counted(name).tolist() for name in scores},
        "bars": [bar.get_height() for bar in score_tables.plot(scores).patches],
    }


@pytest.mark.parametrize("seed", [1, 4])
def test_every_output_is_that_of_the_evaluation(seed, tmp_path):
    """Of the scores that workers sent, and of those that a file holds."""
    pytest.importorskip("matplotlib").use("Agg")
    run, qrels = whole(seed)
    expected = evaluate(framed(run), qrels, MEASURES)
    from_workers = distributed(run, qrels, MEASURES)
    assert shown(from_workers) == shown(expected)
    assert from_workers.notes() == expected.notes()
    assert from_workers.counts == expected.counts
    assert from_workers.trec(per_query=True) == expected.trec(per_query=True)
    assert shown(printed(expected, tmp_path)) == shown(expected)


def test_pooled_and_geometric_means_come_from_the_workers_too():
    """Divisors are sent with the scores."""
    run, qrels = whole(2)
    expected = evaluate(run, qrels, POOLED)
    found = distributed(run, qrels, POOLED)
    assert dict(found.mean) == pytest.approx(dict(expected.mean), rel=1e-14)
    assert found.averaging("micro-P@3") is not MACRO
    assert found.text() == expected.text()


def test_a_score_of_no_ranking_is_shown_like_others():
    """The area under a curve, of grades and scores given directly."""
    grades, scores = [1, 0, 1, 0], [0.9, 0.8, 0.3, 0.1]
    chosen = measure("ROC_AUC")
    outcome = outcome_of(chosen, [grades, scores], {})
    assert isinstance(outcome.evaluation, DirectScore)
    # By hand: of the 2 x 2 pairs of a relevant and another document, 3 are in the right order.
    assert outcome.score == outcome.evaluation["ROC_AUC"] == 0.75
    table = score_tables.query_table(outcome.evaluation)
    assert [line[1] for line in table.lines] == [0.75, 0.75]
    assert outcome.evaluation.counts.queries == 1


def test_each_class_with_scores_is_scores():
    """And only those with rankings are evaluations."""
    assert issubclass(Evaluation, ShownScores)
    for kind in (DistributedEvaluation, PrintedScores):
        assert issubclass(kind, ShownScores)
        assert not issubclass(kind, Evaluation)
    assert issubclass(ShownScores, RunScores)


@pytest.mark.parametrize("ask", ["working", "explain", "trec", "micro", "catalogue"])
def test_what_needs_the_rankings_says_that_they_are_not_there(ask, tmp_path):
    """Not a missing attribute, and no number of nothing."""
    path = tmp_path / "scores.csv"
    path.write_text("query,measure,value\nq1,AP,0.5\nq1,micro-P@3,0.5\nq1,catalogue_coverage,1\n")
    read = read_scores(path)
    calls = {
        "working": lambda: read.working("AP", "q1"),
        "explain": lambda: read.explain("q1", "AP"),
        "trec": lambda: read.of(["AP"]).trec(per_query=True),
        "micro": lambda: read.mean,
        "catalogue": lambda: read.of(["catalogue_coverage"]).mean,
    }
    with pytest.raises(InputError, match="only scores are known; evaluate the run"):
        calls[ask]()


# -- no class sets what is private to another


def _private(node):
    """The private attribute that a target sets, and whose it is."""
    if (
        isinstance(node, ast.Attribute)
        and node.attr.startswith("_")
        and not node.attr.endswith("__")
    ):
        return ast.unparse(node.value), node.attr
    return None


def _set_in(tree):
    """Every private attribute that is set in a tree, with the object that it is set of."""
    for node in ast.walk(tree):
        targets = []
        if isinstance(node, ast.Assign):
            targets = node.targets
        elif isinstance(node, (ast.AnnAssign, ast.AugAssign)):
            targets = [node.target]
        for target in targets:
            for part in target.elts if isinstance(target, ast.Tuple) else [target]:
                found = _private(part)
                if found:
                    yield *found, node.lineno


def private_of_others(sources):
    """The places where a class sets a private field of another object, or of a class above it."""
    own = {}
    bases = {}
    wrong = []
    places = []
    for name, text in sources.items():
        tree = ast.parse(text)
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                fields = [(f, line) for of, f, line in _set_in(node) if of in ("self", "cls")]
                own[node.name] = {field for field, _ in fields}
                bases[node.name] = [ast.unparse(base).rpartition(".")[2] for base in node.bases]
                places += [(node.name, field, f"{name}:{line}") for field, line in fields]
        strange = [found for found in _set_in(tree) if found[0] not in ("self", "cls")]
        wrong += [f"{name}:{line} {of}.{field}" for of, field, line in strange]
    for kind, field, place in places:
        above = [base for base in _above(kind, bases) if field in own.get(base, ())]
        wrong += [f"{place} {kind} sets {base}.{field}" for base in above]
    return sorted(wrong)


def _above(kind, bases):
    """The classes that a class is made from, and those above them."""
    for base in bases.get(kind, ()):
        yield base
        yield from _above(base, bases)


@pytest.mark.suite("guide")
def test_no_class_sets_private_fields_of_another():
    """A class is made by its own constructor, however much another looks like it."""
    sources = {
        path.relative_to(PACKAGE).as_posix(): path.read_text(encoding="utf-8")
        for path in sorted(PACKAGE.rglob("*.py"))
    }
    assert private_of_others(sources) == []


IMPOSTOR = """
class Evaluation:
    def __init__(self):
        self._settled = {}

class Printed(Evaluation):
    def __init__(self, other):
        self.name = ""
        self._settled = {}
        other._place = 1
"""


def test_an_impostor_is_found():
    """By what it sets of its parent, and of a stranger."""
    assert private_of_others({"a.py": IMPOSTOR}) == [
        "a.py:10 other._place",
        "a.py:9 Printed sets Evaluation._settled",
    ]
