"""What holds for every engine: a distributed evaluation is the local one of the collected rows."""

import json
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from irmetrics_edu import InputError, evaluate
from irmetrics_edu.distributed import evaluate_distributed
from irmetrics_edu.runs.evaluation import Evaluation
from tests.runs.test_against_trec_eval import generated
from tests.runs.test_evaluation import ALL
from tests.runs.test_sources import as_pandas, as_trec

FrameOf = Callable[[Sequence[pd.DataFrame]], Any]
COLUMNS = ["query", "document", "score"]


def rows(*given: tuple[Any, Any, Any]) -> pd.DataFrame:
    """A partition with these rows."""
    return pd.DataFrame(list(given), columns=COLUMNS)


def partitions(run: Any, seed: int = 0) -> list[pd.DataFrame]:
    """A run in partitions of unequal size, one of them empty, queries interleaved in each."""
    given = [(q, d, s) for q, docs in run.items() for d, s in docs.items()]
    random.Random(seed).shuffle(given)
    queries = list(run)
    shares = [set(queries[:1]), set(), set(queries[1:3]), set(queries[3:])]
    frames = [rows(*(row for row in given if row[0] in share)) for share in shares]
    return [frame.astype(frames[0].dtypes) for frame in frames]  # an empty one has no types


def same(found: Evaluation, expected: Evaluation) -> None:
    """All that can be seen of two evaluations is the same.

    Sums over a partition and over the whole run may differ in the last of 53 bits, no more.
    """
    assert list(found.queries) == list(expected.queries)
    assert list(found.mean) == list(expected.mean)
    for name, scores in expected.scores.items():
        np.testing.assert_allclose(found.scores[name], scores, rtol=1e-14)
    assert found.counts == expected.counts
    assert found.notes() == expected.notes()
    assert found.documents_per_query() == expected.documents_per_query()
    for view in (
        lambda e: e.text(per_query=True),
        lambda e: e.markdown(),
        lambda e: e.latex(),
        lambda e: e.html(),
        lambda e: list(e.facts()),
        lambda e: e.csv().count("\n"),
        lambda e: json.loads(e.json())["counts"],
        lambda e: e.summary().text(),
    ):
        assert view(found) == view(expected)


class Contract:
    """The tests, for a class that says what engine makes of partitions a frame."""

    @pytest.mark.parametrize(
        ("conventions", "options"),
        [
            ("trec_eval", {}),
            ("pytrec_eval", {}),
            ("ranx", {}),
            ("trec_eval", {"missing_queries": "skip"}),
            ("irmetrics_edu", {"no_relevant": "skip", "missing_queries": "zero"}),
        ],
        ids=str,
    )
    def test_it_is_the_local_evaluation(
        self, frame_of: FrameOf, conventions: str, options: Any
    ) -> None:
        """Scores, means, counts and every view, in any partitions and under any conventions."""
        run, qrels = generated(4)
        parts = partitions(run)
        expected = evaluate(pd.concat(parts), qrels, ALL, conventions, **options)
        found = evaluate_distributed(frame_of(parts), qrels, ALL, conventions, **options)
        same(found, expected)
        assert found.counts.tied
        assert found.counts.missing
        assert found.counts.not_judged
        assert found.counts.without_relevant

    def test_the_comparison_can_fail(self, frame_of: FrameOf) -> None:
        """One score that differs is seen."""
        run, qrels = generated(4)
        found = evaluate_distributed(frame_of(partitions(run)), qrels, ALL)
        run["q7"] = {d: -s for d, s in run["q7"].items()}
        with pytest.raises(AssertionError):
            same(found, evaluate(pd.concat(partitions(run)), qrels, ALL))

    def test_trec_eval_prints_the_same(self, frame_of: FrameOf) -> None:
        """Its text has numbers of documents, query by query."""
        run, qrels = generated(5)
        parts, measures = partitions(run), "AP nDCG@10 GMAP RR"
        expected = evaluate(pd.concat(parts), qrels, measures, name="mine")
        found = evaluate_distributed(frame_of(parts), qrels, measures, name="mine")
        assert found.trec(per_query=True) == expected.trec(per_query=True)

    def test_judgments_come_as_a_mapping_a_frame_or_a_file(
        self, frame_of: FrameOf, tmp_path: Path
    ) -> None:
        """What holds the judgments makes no difference."""
        run, qrels = generated(6)
        parts = partitions(run)
        for given in (qrels, as_pandas(run, qrels, tmp_path)[1], as_trec(run, qrels, tmp_path)[1]):
            same(
                evaluate_distributed(frame_of(parts), given, "AP"),
                evaluate(pd.concat(parts), given, "AP"),
            )

    def test_each_measure_settles_the_judgments_itself(self, frame_of: FrameOf) -> None:
        """Negative grades reach the workers as they are; where they are refused, it is said."""
        run, qrels = generated(4, lowest=-2)
        parts, measures = partitions(run), ["AP(negative=zero)", "nDCG(negative=zero)", "bpref"]
        same(
            evaluate_distributed(frame_of(parts), qrels, measures),
            evaluate(pd.concat(parts), qrels, measures),
        )
        with pytest.raises(InputError, match="is negative"):
            evaluate_distributed(frame_of(parts), qrels, "AP", negative="refuse")

    def test_counts_of_all_partitions_are_pooled(self, frame_of: FrameOf) -> None:
        """What a query is divided by comes with its score."""
        run, qrels = generated(5)
        parts, measures = partitions(run), "R@3 micro-R@3 micro-P@3"
        found = evaluate_distributed(frame_of(parts), qrels, measures)
        same(found, evaluate(pd.concat(parts), qrels, measures))
        assert found["R@3"] != pytest.approx(found["micro-R@3"])

    def test_one_query_is_fetched_for_its_working(self, frame_of: FrameOf) -> None:
        """The working is that of the local evaluation."""
        run, qrels = generated(4)
        parts = partitions(run)
        expected = evaluate(pd.concat(parts), qrels, "AP nDCG@10")
        found = evaluate_distributed(frame_of(parts), qrels, "AP nDCG@10")
        for query in ("q0", "q9", *found.counts.missing):
            there, here = found.working("AP", query), expected.working("AP", query)
            assert list(there.rows.document) == list(here.rows.document)
            assert there.value == here.value
        with pytest.raises(InputError, match="query 'q4' was not evaluated: it is not judged"):
            found.working("AP", "q4")
        with pytest.raises(InputError, match=r"not here; \.alone\(query\)"):
            _ = found.aligned
        with pytest.raises(InputError, match=r"not here; \.working"):
            _ = found.workings

    def test_whole_numbers_are_ids(self, frame_of: FrameOf) -> None:
        """Users and items are numbers; text on one side only is an error that says so."""
        parts = [rows((1, 10, 0.5), (1, 11, 0.25)), rows((2, 10, 0.5), (3, 10, 0.5))]
        found = evaluate_distributed(frame_of(parts), {1: {11: 1}, 2: {10: 1}}, "RR")
        assert found.per_query["RR"] == {1: 0.5, 2: 1.0}
        with pytest.raises(InputError, match="differs from the judged query '1' only in type"):
            evaluate_distributed(frame_of(parts), {"1": {"11": 1}, 2: {10: 1}}, "RR")
        with pytest.raises(InputError, match=r"partition 0: .*ids the same way on both sides"):
            evaluate_distributed(frame_of(parts), {1: {"11": 1}, 2: {"10": 1}}, "RR")

    @pytest.mark.parametrize("judged", ["q1", "q2"])
    def test_a_query_in_two_partitions_is_refused(self, frame_of: FrameOf, judged: str) -> None:
        """The error names it, judged or not, its partitions, and what would do."""
        parts = [
            rows(("q1", "a", 0.5)),
            rows(("q2", "a", 0.5)),
            rows(("q1", "b", 0.5), ("q3", "b", 0.5)),
        ]
        with pytest.raises(
            InputError, match=r"query 'q1' is split over partitions 0 and 2; .*\('query'\)"
        ):
            evaluate_distributed(frame_of(parts), {judged: {"a": 1}}, "RR")

    def test_what_is_malformed_is_told_by_partition_and_row(self, frame_of: FrameOf) -> None:
        """Errors of several partitions come together, whether their queries are judged or not."""
        parts = [
            rows(("q1", "a", 0.5)),
            rows(("q2", "a", 0.5), ("q2", "b", float("nan")), ("q2", "a", 0.1)),
            rows(("q3", " a", 0.5)),
        ]
        qrels = {"q1": {"a": 1}, "q2": {"a": 1}}
        with pytest.raises(InputError) as caught:
            evaluate_distributed(frame_of(parts), qrels, "RR")
        said = str(caught.value)
        assert "partition 0" not in said
        assert "partition 1: the run: 2 malformed rows" in said
        assert "row 2: 'nan': score nan is not a finite number" in said
        assert "row 3: 'a': query 'q2', document 'a': ranked twice" in said
        assert "partition 2: the run: a malformed row" in said
        assert "row 1: ' a': document ' a' has blanks around it" in said

    def test_what_is_malformed_can_be_left_out_and_is_counted(self, frame_of: FrameOf) -> None:
        """As locally: bad rows and repeated documents."""
        parts = [
            rows(("q1", "a", 0.5), ("q1", "b", 0.25)),
            rows(("q2", "a", 0.5), ("q2", "b", float("inf")), ("q2", "a", 0.1)),
            rows(("q3", " a", 0.5), ("q3", "b", 0.5)),
        ]
        qrels = {"q1": {"a": 1}, "q2": {"a": 1}}
        found = evaluate_distributed(frame_of(parts), qrels, "RR", skip_bad=True)
        same(found, evaluate(pd.concat(parts), qrels, "RR", skip_bad=True))
        assert (found.counts.lines_left_out, found.counts.duplicates) == (3, 0)

    @pytest.mark.parametrize(
        ("qrels", "options"),
        [
            ({"q9": {"a": 1}}, {}),
            ({"q1": {"a": 1}, "q9": {"a": 1}}, {"missing_queries": "refuse"}),
            ({"q1": {"a": 1}}, {"unjudged_queries": "refuse"}),
        ],
        ids=["none judged", "missing", "not judged"],
    )
    def test_queries_on_one_side_are_refused_as_locally(
        self, frame_of: FrameOf, qrels: Any, options: Any
    ) -> None:
        """What one partition can't know is decided over all of them, in the same words."""
        parts = [rows(("q1", "a", 0.5)), rows(("q2", "a", 0.5))]
        with pytest.raises(InputError) as local:
            evaluate(pd.concat(parts), qrels, "RR", **options)
        with pytest.raises(InputError) as there:
            evaluate_distributed(frame_of(parts), qrels, "RR", **options)
        assert str(there.value) == str(local.value)

    def test_an_unjudged_query_that_shall_score_0_is_refused(self, frame_of: FrameOf) -> None:
        """No partition can count it; where every query is judged, there is nothing to refuse."""
        parts = [rows(("q1", "a", 0.5)), rows(("q2", "a", 0.5))]
        with pytest.raises(InputError) as caught:
            evaluate_distributed(frame_of(parts), {"q1": {"a": 1}}, "RR", unjudged_queries="zero")
        assert str(caught.value) == (
            "query 'q2' is in the run but not judged, and unjudged_queries='zero' counts no such "
            "query over partitions; call evaluate with the whole run"
        )
        qrels = {"q1": {"a": 1}, "q2": {"b": 1}}
        found = evaluate_distributed(frame_of(parts), qrels, "RR", unjudged_queries="zero")
        assert found["RR"] == 0.5

    def test_grades_with_a_fraction_are_cut_where_the_conventions_cut_them(
        self, frame_of: FrameOf
    ) -> None:
        """Each worker cuts those of its queries, and they are counted together."""
        parts = [rows(("q1", "a", 0.5), ("q1", "b", 0.25)), rows(("q2", "a", 0.5))]
        qrels = {"q1": {"a": 0.5, "b": 2.75}, "q2": {"a": 1.5}}
        found = evaluate_distributed(frame_of(parts), qrels, "RR", "ranx")
        assert found.per_query["RR"] == {"q1": 0.5, "q2": 1.0}
        assert found.counts.grades_cut == 3

    def test_columns_have_the_names_that_evaluate_knows(self, frame_of: FrameOf) -> None:
        """Ranks do for scores, other columns are left where they are, a missing one is named."""
        given = [
            pd.DataFrame(
                {"qid": ["q1"] * 2, "my.note": [1, 2], "docno": ["a", "b"], "rank": [2, 1]}
            )
        ]
        found = evaluate_distributed(frame_of(given), {"q1": {"b": 1}}, "RR")
        assert found["RR"] == 1
        with pytest.raises(InputError, match="the run: there is no column of the query"):
            evaluate_distributed(
                frame_of([given[0].rename(columns={"qid": "subject"})]), {"q1": {"b": 1}}, "RR"
            )
