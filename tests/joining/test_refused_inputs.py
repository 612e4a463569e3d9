"""What no run can be joined with is refused, with the place and what would do."""

import json
import re

import numpy as np
import pytest

from irmetrics_edu import evaluate
from irmetrics_edu.conventions import AS_WRITTEN, REFUSED
from irmetrics_edu.engine.held_queries import as_scores
from irmetrics_edu.errors import InputError
from irmetrics_edu.libraries import TREC_EVAL
from irmetrics_edu.metrics.definition import METRICS
from irmetrics_edu.metrics.notation import measures
from irmetrics_edu.rows.nugget_rows import NuggetRows
from irmetrics_edu.rows.nuggets import align_nuggets
from irmetrics_edu.runs.joining.inputs import (
    _by_number,
    _holds,
    held_out,
    read_beside,
    read_whole,
    run_of,
)
from irmetrics_edu.runs.joining.join import read_subtopics_too
from irmetrics_edu.runs.joining.judgments import _worth_of, read_pool, read_subtopic_qrels, settled
from irmetrics_edu.runs.joining.queries import AskedFor, match_queries
from tests.tables import rows

RUN = {"q": ["a", "b"]}
QRELS = {"q": {"a": 1}}
RANKED = {"q": {"a": 2.0}}
ITEMS = np.array([[1, 2], [3, 4]])


def _score(run=RUN, qrels=QRELS, chosen="RR", **more):
    return evaluate(run, qrels, chosen, **more)


RUNS = (
    (lambda: as_scores(None, "q"), "query 'q': the ranking is None"),
    (lambda: as_scores(7, "q"), "query 'q': 7 is not a ranking"),
    (lambda: as_scores({"a"}, "q"), "which has no order"),
    (lambda: as_scores(["a", 1], "q"), "query 'q'.*1"),
    (lambda: as_scores(["a", "a"], "q"), "ranked twice"),
    (lambda: run_of({"p": ["a"], "q": iter(["a"])}), "query 'q': the ranking is an iterator"),
    (lambda: run_of(np.zeros(2, dtype=int)), "got 1 dimension$"),
    (lambda: run_of(np.zeros((1, 1, 1), dtype=int)), "got 3 dimensions$"),
    (lambda: run_of(np.ma.masked_array(ITEMS)), "are a masked array"),
    (lambda: run_of(ITEMS / 2), "item ids are of type float64"),
    (lambda: held_out([[1]], 2), "2 rows of recommended items and 1 collections"),
    (lambda: held_out(np.zeros((1, 1, 1)), 1), "an array of 3 axes"),
    (lambda: held_out([1, 2], 2), "not a collection of item ids for each user"),
    (lambda: _score([RUN, RUN]), "piece 2 of the run: query 'q' was in an earlier piece"),
    (lambda: _score([[RUN]]), r"piece 1 of the run is \["),
    (lambda: _score(iter([RUN]), QRELS, "RR ILAD", embeddings={"a": [1], "b": [1]}), "read once"),
    (lambda: _score({"q": {"a": True}}), "score True is True or False"),
    (lambda: _score({"q": {"a": "x"}}), "document 'a'.*'x'"),
    (lambda: _score({"q": {"a": float("nan")}}), "document 'a'.*nan"),
    (lambda: _score({"q": {"a": 10**400}}), "query 'q'.*too large"),
    (lambda: _score({"q": {1: 2.0}}), "query 'q': .*whole numbers"),
    (lambda: _score({"q": {"a ": 2.0}}), "only in white space"),
    (lambda: _score({"q": {"b": 2.0, "a": 1.0}}, {"q": {"a ": 1, "b": 1}}), "only in white space"),
    (lambda: _score({"q": {"a": 2.0, 1: 1.0}}), "query 'q'.*1"),
)
JUDGMENTS = (
    (lambda: read_pool({}), "the judgments have no query"),
    (lambda: read_pool({"p": {"a": 1}, "q": {}}), "query 'q': nothing is judged"),
    (lambda: read_pool({"q": "ab"}), "query 'q': 'ab' are not judgments"),
    (lambda: read_pool({"q": 7}), "query 'q': 7 are not judgments"),
    (lambda: read_pool({"q": {"a": -1}}), "query 'q', document 'a': .*-1"),
    (lambda: read_pool({"q": {"a": 1e101}}), "query 'q', document 'a': grade 1e\\+101 is above"),
    (lambda: read_pool({"p": {"a": 1}, "q": {"a": 1, "b": "x"}}), "query 'q', document 'b': .*'x'"),
    (
        lambda: settled(read_pool({"q": {"a": -1}}, negative=AS_WRITTEN), REFUSED),
        "document 'a'.*-1",
    ),
    (lambda: _worth_of(["a"], "q", REFUSED), r"query 'q': \['a'\] are not subtopics"),
    (lambda: _worth_of({"a": {"x": -1}}, "q", REFUSED), "document 'a': subtopic 'x': .*-1"),
    (lambda: read_subtopic_qrels(7, REFUSED), "can't be read from a int"),
)
QUERIES = (
    (lambda: AskedFor(["q"]).unmet(["q"], ["q"], []), "no judged query of those asked for.*'q'"),
    (
        lambda: AskedFor(["x"]).refuse_none(["q"], [], "queries"),
        "asked for is 'x', and there is 'q'",
    ),
    (lambda: AskedFor(["q "]).refuse_none(["q"], [], "queries"), "'q ' differs from 'q' of the q"),
    (lambda: match_queries({}, None, TREC_EVAL), "the run has no queries"),
    (lambda: match_queries({"q": [], 1: []}, None, TREC_EVAL), "the query ids are of mixed kinds"),
    (lambda: _score({"a": {"q": 1.0}}), "keyed by document first"),
    (lambda: _score({"x": ["a"]}), "the run has 'x', and the judgments have 'q'"),
    (lambda: _score({"q ": ["a"]}), "differs from the judged query 'q' only in"),
    (lambda: _score(queries=["x"]), "none of the queries asked for is among the judged queries"),
    (lambda: _score({}, None, "ILAD", queries=["x"]), "asked for is 'x', and there is none"),
    (
        lambda: _score({"p": ["a"]}, missing_queries="refuse"),
        "query 'q' is judged but not in the run",
    ),
    (
        lambda: _score({**RUN, "x": ["a"]}, unjudged_queries="refuse"),
        "query 'x' is in the run but not judged",
    ),
    (
        lambda: _score(qrels={**QRELS, "x": {"a": 1}}, missing_queries="refuse"),
        "query 'x' is judged but not in the run",
    ),
)
MEASURES = (
    (
        lambda: read_subtopics_too(measures("alpha_nDCG@2 AP")),
        "alpha.* needs judgments by subtopic",
    ),
    (lambda: _score(chosen="catalogue_coverage"), "needs catalogue"),
    (lambda: _score(chosen="ILAD"), "ILAD needs embeddings; give embeddings=..."),
    (lambda: _score(chosen="RBO"), "RBO compares two runs; give other=..."),
    (lambda: _score(chosen="RBO", other={"x": ["a"]}), "the query is not in the other run"),
    (lambda: _score(chosen="mean"), "is not a measure of a ranking; call irmetrics_edu"),
    (lambda: _score(chosen="serendipity", expected={"x": ["a"]}), "the user is not in expected"),
    (lambda: _score(RUN, None), "a ranking of documents needs judgments"),
    (lambda: _score(columns={"x": "grade"}), "neither the run nor the judgments have a column 'x'"),
    (lambda: read_beside(RUN, {"exposure": "no.txt"}, skip_bad=False), "or a JSON file of one"),
    (lambda: read_beside(RUN, {"other": "no.txt"}, skip_bad=False), "give a mapping$"),
    (lambda: _by_number({"1": 2, "x": 3}, "p.json"), "p.json: item 'x' is not a whole number"),
    (lambda: _by_number({"01": 2}, "p.json"), "item '01' is not a whole number"),
)


@rows(("ask", "says"), RUNS)
def test_what_is_no_run_is_refused(ask, says):
    """By a message of its own."""
    refused(ask, says)


@rows(("ask", "says"), JUDGMENTS)
def test_what_are_no_judgments_is_refused(ask, says):
    """By a message of its own."""
    refused(ask, says)


@rows(("ask", "says"), (*QUERIES, *MEASURES))
def test_what_can_not_be_joined_is_refused(ask, says):
    """By a message of its own."""
    refused(ask, says)


def refused(ask, says):
    """Ask, and look at the message."""
    with pytest.raises(InputError) as told:
        ask()
    assert re.search(says, str(told.value), re.DOTALL), str(told.value)


def test_items_of_a_file_are_numbers_beside_an_array_of_numbers(tmp_path):
    """Of a mapping and of a list; beside a run of text they are text."""
    path = tmp_path / "popularity.json"
    path.write_text(json.dumps({"1": 5, "-2": 7}))
    listed = tmp_path / "catalogue.txt"
    listed.write_text("3\n1\n")
    given = {"popularity": path, "catalogue": listed, "other": RUN}
    found, left_out = read_beside(ITEMS, given, skip_bad=False)
    assert found == {"popularity": {1: 5, -2: 7}, "catalogue": [3, 1], "other": RUN}
    assert left_out == 0
    found, _ = read_beside(RUN, given, skip_bad=False)
    assert found == {"popularity": {"1": 5, "-2": 7}, "catalogue": ["3", "1"], "other": RUN}


@rows(("ranking", "holds"), [(["q"], True), (["a"], False), ({"q": 1}, True), (7, False)])
def test_a_ranking_holds_the_id_of_its_query_or_not(ranking, holds):
    """What is no ranking holds none."""
    assert _holds(ranking, "q") is holds


def test_a_document_that_a_file_has_twice_is_told_where_a_file_is_read_whole(tmp_path):
    """A malformed line may be left out; of two lines none is."""
    path = tmp_path / "run.txt"
    path.write_text("q Q0 a 1 2 t\nq Q0 b 2 x t\nq Q0 c 3 1 t\n")
    assert read_whole(path, run=True, skip_bad=True) == ({"q": {"a": 2.0, "c": 1.0}}, 1)
    path.write_text("q Q0 a 1 2 t\nq Q0 a 2 1 t\n")
    refused(lambda: read_whole(path, run=True, skip_bad=True), "ranked twice, first in line 1")


@rows("k", [None, 1, 2, 5])
def test_documents_within_a_cut_are_those_retrieved_down_to_it(k):
    """Query by query."""
    sizes = [3, 0, 1]
    held = {"a": {"x"}, "b": {"y"}, "c": {"x"}}
    found = NuggetRows.joined([align_nuggets([*"abc"[:n]], held) for n in sizes])
    assert found.depth(k).tolist() == [n if k is None else min(n, k) for n in sizes]


@rows("negative", [-1, 0, 1, 2])
def test_subtopics_of_a_document_are_a_set_or_its_grades(negative):
    """Lists are sets; a grade above 1 keeps all grades; below 0 is none, where that is said."""
    by = TREC_EVAL.negative
    assert _worth_of({"a": ["x", "x"], "b": {"y"}}, "q", by) == {"a": {"x"}, "b": {"y"}}
    found = _worth_of({"a": {"x": negative, "y": 1}}, "q", by)
    grades = {"x": max(negative, 0), "y": 1}
    assert found == {"a": grades if negative > 1 else {t for t, g in grades.items() if g}}
    assert METRICS["RR"].inputs.arguments[0] == "ranking"


def test_malformed_lines_of_a_piece_are_told_or_counted(tmp_path):
    """As those of a run in one file are."""
    pieces = [tmp_path / "one.txt", tmp_path / "two.txt"]
    pieces[0].write_text("p Q0 a 1 2 t\np Q0 b 2 x t\n")
    pieces[1].write_text("q Q0 a 1 2 t\nq Q0 b 2 y t\nq Q0 c 2 z t\n")
    qrels = {"p": {"a": 1}, "q": {"a": 1}}
    refused(lambda: evaluate(pieces, qrels, "RR"), "piece 1 of the run.*'x'")
    found = evaluate(pieces, qrels, "RR", skip_bad=True)
    assert (found.mean["RR"], found.counts.lines_left_out) == (1.0, 3)
