"""A convention that a single ranking and a whole run both follow is decided in one place.

Both settle ties, negative grades, unjudged documents, the pool, repeated documents, the precision
of scores and the place of what was not retrieved. Both must come to the same value, or refuse for
the same reason.
"""

import ast
import math
import re

import numpy as np
import pytest

from irmetrics_edu import average_precision, evaluate, ndcg
from irmetrics_edu import conventions as choices
from irmetrics_edu.conventions import Convention
from irmetrics_edu.engine.columns import columns
from irmetrics_edu.engine.text import ids
from irmetrics_edu.errors import InputError
from tests.conftest import ROOT

KINDS = {
    "ties": choices.Ties,
    "negative": choices.Negative,
    "unjudged": choices.Unjudged,
    "pool": choices.Pooled,
    "duplicates": choices.Duplicates,
    "scores": choices.Scores,
    "unretrieved": choices.Unretrieved,
}
DEFAULTS = {
    "ties": "given",
    "negative": "refuse",
    "unjudged": "no_gain",
    "pool": "judged",
    "duplicates": "refuse",
    "scores": "float64",
    "unretrieved": "absent",
}
# Near 1 there are scores that differ as doubles, and are one number in 32 bits.
RANKINGS = (
    {"a": 3.0, "b": 2.0, "c": 1.0},
    {"b": 1.0, "a": 1.0, "c": 1.0},
    {"c": 0.0, "x": -0.0, "b": 0.0, "a": 1.0},
    {"x": 1 + 1e-12, "a": 1.0, "y": 1.0, "b": 1 - 1e-12},
    {"y": -1.0, "x": -1.0},
    {"a": 1.0, "b": math.nan},
    {"a": math.inf, "b": 1.0},
    ["c", "a", "x", "b"],
    ["a", "b", "a", "c", "a"],
    ["x", "x", "b"],
)
JUDGMENTS = (
    {"a": 1, "b": 2, "c": 0},
    {"a": -1, "b": 1},
    {"a": 1, "d": -2},
    {"a": 2, "b": None, "d": 1},
    {"a": -1, "b": -1, "c": 1, "d": 0},
    {"d": 3},
    {"a": 0, "b": 0},
)
MEASURES = {"nDCG@3": lambda *given, **how: ndcg(*given, k=3, **how), "AP": average_precision}
PLACE = re.compile(r"^(?:(?:query|document|rank) [^:]*: )?")


def outcome(score):
    """The value, or why there is none, without the place, which a run knows better."""
    try:
        value = float(score())
    except InputError as error:
        return PLACE.sub("", str(error))
    return "nan" if math.isnan(value) else pytest.approx(value, abs=1e-12)


def by_itself(measure, ranking, judgments, how):
    """The score of one ranking."""
    return outcome(lambda: MEASURES[measure](ranking, judgments, **how))


def in_a_run(measure, run, judgments, how):
    """The score of the ranking among those of a run."""
    qrels = {"q": judgments, "other": {"a": 1}}
    return outcome(lambda: evaluate(run, qrels, measure, **how).scores[measure][0])


def as_columns(ranking):
    """A run of this ranking and another one, as a reader gives it: bytes, not mappings."""
    documents = [*ranking, "a"]
    scores = [*ranking.values(), 1.0]
    queries = ids(["q"] * len(ranking) + ["other"])
    return columns(queries, ids(documents), np.array(scores), np.arange(len(scores)))


def cases():
    """Each value of each kind, with all rankings and judgments."""
    for parameter, kind in KINDS.items():
        for name in kind.values:
            yield pytest.param(parameter, name, id=f"{parameter}-{name}")


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize(("parameter", "name"), list(cases()))
def test_a_ranking_and_a_run_come_to_one_outcome(measure, parameter, name):
    """Whatever the value of the convention: the same score, or the same reason for none."""
    unlike = []
    for ranking in RANKINGS:
        for judgments in JUDGMENTS:
            how = DEFAULTS | {parameter: name}
            alone = by_itself(measure, ranking, judgments, how)
            together = in_a_run(measure, {"q": ranking, "other": ["a"]}, judgments, how)
            if together != alone and not two_faults(alone, together, measure, judgments, how):
                unlike.append((ranking, judgments, alone, together))
    assert unlike == []


def two_faults(alone, together, measure, judgments, how):
    """Whether the ranking and the judgments are both refused: the run tells of judgments first."""
    of_judgments = by_itself(measure, ["c"], judgments, how)
    return isinstance(alone, str) and alone != "nan" and together == of_judgments != "nan"


@pytest.mark.parametrize(("parameter", "name"), list(cases()))
def test_a_ranking_and_columns_come_to_one_outcome(parameter, name):
    """The same of a run that was read; of malformed rows a reader says more."""
    unlike = []
    for ranking in RANKINGS:
        if isinstance(ranking, list) or not all(map(math.isfinite, ranking.values())):
            continue
        for judgments in JUDGMENTS:
            how = DEFAULTS | {parameter: name}
            alone = by_itself("nDCG@3", ranking, judgments, how)
            if in_a_run("nDCG@3", as_columns(ranking), judgments, how) != alone:
                unlike.append((ranking, judgments, alone))
    assert unlike == []


def values_of_the_kinds():
    """The names under which the values of these kinds are imported."""
    kinds = tuple(KINDS.values())
    return {name for name, value in vars(choices).items() if isinstance(value, kinds)}


def decided_by_name(source):
    """The comparisons of a module that ask which value of these kinds one is."""
    imported = values_of_the_kinds()
    spelled = {name for kind in KINDS.values() for name in kind.values}
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Compare):
            continue
        sides = []
        for side in (node.left, *node.comparators):
            sides += side.elts if isinstance(side, ast.Tuple) else [side]
        is_value = any(isinstance(side, ast.Name) and side.id in imported for side in sides)
        asks_name = any(isinstance(side, ast.Attribute) and side.attr == "name" for side in sides)
        constants = {side.value for side in sides if isinstance(side, ast.Constant)}
        if is_value or (asks_name and constants & spelled):
            yield ast.unparse(node)


@pytest.mark.parametrize(
    "wing", ["rows", "engine", "runs/joining", "reading", "metrics", "libraries"]
)
def test_no_rule_is_decided_a_second_time(wing):
    """What a value does is its function or a field of it: nobody asks for its name."""
    found = {}
    for path in sorted((ROOT / "irmetrics_edu" / wing).rglob("*.py")):
        asked = list(decided_by_name(path.read_text(encoding="utf-8")))
        if asked:
            found[path.name] = asked
    assert found == {}


@pytest.mark.parametrize(
    "line",
    [
        "negative is PADDING",
        "unjudged.name == 'removed'",
        "negative.name in ('zero', 'keep')",
        "options['duplicates'] is not NO_DUPLICATES",
        "ties in (AS_GIVEN, REVERSED)",
    ],
)
def test_a_second_decision_is_found(line):
    """In each way in which one was written."""
    assert list(decided_by_name(line)) == [line]


def test_each_refusal_is_worded_once():
    """What is said of a negative grade, and of ties without grades, stands in one place each."""
    texts = ["choose what it means", "orders ties by grade"]
    sources = [p.read_text(encoding="utf-8") for p in (ROOT / "irmetrics_edu").rglob("*.py")]
    assert [sum(source.count(text) for source in sources) for text in texts] == [1, 1]


def test_a_value_says_in_fields_what_it_does():
    """So that two values of a kind differ in more than their names."""
    for kind in (choices.Negative, choices.Unjudged, choices.Duplicates):
        facts = [tuple(fact_of(value)) for value in dict.fromkeys(kind.values.values())]
        assert len(set(facts)) == len(facts)


def fact_of(value: Convention):
    """What is to be told from a value without its words."""
    for name in value.__dataclass_fields__:
        if name not in {"name", "latex", "meaning"}:
            yield name, str(getattr(value, name))
