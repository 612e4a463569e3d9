"""What other libraries hold or print: their objects as input, trec_eval's output for comparison."""

import json
import types
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from irmetrics_edu import InputError, compare, evaluate
from irmetrics_edu.cli import main
from irmetrics_edu.gate import RankingAssertionError, assert_no_regression
from irmetrics_edu.gate.against_baseline import Gate
from irmetrics_edu.gate.baseline import Baseline
from irmetrics_edu.runs import read_scores

QRELS = {"q1": {"d1": 1, "d2": 0}, "q2": {"d3": 2}}
RUN = {"q1": {"d2": 0.9, "d1": 0.5}, "q2": {"d3": 1.0}}


def ranx(held: Any) -> Any:
    """An object as ranx has them: of a class of its module, with `to_dict`."""
    made = type("Run", (), {"to_dict": lambda _: held, "__module__": "ranx.data_structures.run"})
    return made()


class Qrel(NamedTuple):
    """A judgment as ir_datasets gives it."""

    query_id: str
    doc_id: str
    relevance: int
    iteration: str


class SubQrel(NamedTuple):
    """A judgment by subtopic as ir_datasets gives it."""

    query_id: str
    doc_id: str
    relevance: int
    subtopic_id: str


class ScoredDoc(NamedTuple):
    """A retrieved document as ir_datasets gives it."""

    query_id: str
    doc_id: str
    score: float


def data_set(qrels: list[Any], run: list[ScoredDoc]) -> Any:
    """A data set with ir_datasets' two iterators."""
    return types.SimpleNamespace(qrels_iter=lambda: iter(qrels), scoreddocs_iter=lambda: iter(run))


def test_objects_of_ranx_and_ir_datasets_are_read() -> None:
    """Runs and judgments of either, in the means, in comparisons and query by query."""
    expected = evaluate(RUN, QRELS, "AP nDCG@10").per_query
    qrels = [Qrel(q, d, g, "0") for q, judged in QRELS.items() for d, g in judged.items()]
    run = [ScoredDoc(q, d, s) for q, ranking in RUN.items() for d, s in ranking.items()]
    held = data_set(qrels, run)
    for given, judged in ((ranx(RUN), ranx(QRELS)), (held, held)):
        found = evaluate(given, judged, "AP nDCG@10")
        assert found.per_query == expected
        assert found.explain("q1", "AP").text.startswith("AP = ")
        assert compare({"a": given, "b": RUN}, judged, "AP").evaluations["a"]["AP"] == 0.75
    with pytest.raises(InputError, match="query 'q1', document 'd1': judged twice in the data set"):
        evaluate(RUN, data_set([*qrels, qrels[0]], run), "AP")
    with pytest.raises(InputError, match="query 'q2', document 'd3': ranked twice"):
        evaluate(data_set(qrels, [*run, run[-1]]), QRELS, "AP")


def test_judgments_by_subtopic_of_ir_datasets() -> None:
    """A document may be judged for several subtopics."""
    judged = [SubQrel("q1", "d1", 1, "1"), SubQrel("q1", "d1", 1, "2"), SubQrel("q1", "d2", 1, "1")]
    found = evaluate({"q1": ["d1", "d2"]}, data_set(judged, []), "alpha-nDCG@2")
    assert found.mean["alpha-nDCG@2"] == 1


def test_predictions_of_mteb_and_sentence_transformers_are_runs(tmp_path: Path) -> None:
    """As either writes them; the scores of each query are those of the mapping."""
    meta = {"model_name": "a", "revision": "1"}
    files = {
        "Cars_predictions.json": json.dumps({"mteb_model_meta": meta, "default": {"test": RUN}}),
        "Cars_predictions_cosine.jsonl": "".join(
            json.dumps(
                {
                    "query_id": query,
                    "query": "a text",
                    "results": [{"corpus_id": d, "score": s} for d, s in ranking.items()],
                }
            )
            + "\n"
            for query, ranking in RUN.items()
        ),
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
        found = evaluate(tmp_path / name, QRELS, "AP nDCG@10")
        assert found.per_query == evaluate(RUN, QRELS, "AP nDCG@10").per_query


HIT = '{"corpus_id": "d", "score": 1}'


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("a.json", {"de": {"test": RUN}, "en": {"test": RUN}}, "with 2 runs .de, test; en, test"),
        ("a.json", {"de": {"test": [1, 0]}}, "with 1 runs .de, test.*of a retrieval task"),
        ("a.json", {}, "with 0 runs"),
        ("a.jsonl", '{"id": "q"}', "line 1: there are 'id'; call the query one of"),
        ("a.jsonl", '{"query_id": "q", "results": [1.5]}', "query 'q': 1.5 is no result"),
        ("a.jsonl", f'{{"query_id": "q", "results": [{HIT}, {HIT}]}}', "'d': ranked twice"),
        ("a.jsonl", '{"query_id": "q", "results": []}\n' * 2, "line 2: query 'q': a line above"),
        (
            "a.jsonl",
            f'{{"query_id": "q", "results": [{HIT[:-2]}NaN}}]}}',
            "'d': score nan",
        ),
        ("a.jsonl", "", "it is empty"),
    ],
)
def test_predictions_that_are_no_run_are_refused(
    name: str, text: Any, says: str, tmp_path: Path
) -> None:
    """With file and line; rankings are no judgments."""
    path = tmp_path / name
    path.write_text(text if isinstance(text, str) else json.dumps({"mteb_model_meta": {}, **text}))
    with pytest.raises(InputError, match=says):
        evaluate(path, QRELS, "AP")
    if name == "a.jsonl" and "results" in text:
        with pytest.raises(InputError, match="rankings, and judgments are asked for"):
            evaluate(RUN, path, "AP")


PRINTED = """runid all mine
num_q all 2
map q1 0.5000
map q2 1.0000
ndcg_cut_10 q1 0.6309
ndcg_cut_10 q2 1.0000
num_ret q1 2
Rndcg q1 0.1
map all 0.7500
"""


def test_what_trec_eval_printed_is_compared(tmp_path: Path, capsys: Any) -> None:
    """Its names are ours, means are those of the queries, and what is left out is noted."""
    (tmp_path / "a.eval").write_text(PRINTED)
    (tmp_path / "b.eval").write_text(PRINTED.replace("q1 0.5000", "q1 0.7000"))
    read = read_scores(tmp_path / "a.eval")
    assert {name: round(value, 6) for name, value in read.mean.items()} == {
        "AP": 0.75,
        "nDCG@10": 0.81545,
    }
    assert read.notes() == (
        "scores have the digits that were written",
        "measures that are not read: Rndcg",
    )
    with pytest.raises(InputError, match="only scores are known; evaluate the run"):
        read.working("AP", "q1")
    files = [str(tmp_path / "a.eval"), str(tmp_path / "b.eval")]
    assert main(["compare", *files, "--scores", "-m", "map"]) == 0
    assert "b.eval             0.8500" in capsys.readouterr().out
    assert main(["compare", *files, "--scores", "--moves", "q1"]) == 2
    assert "--moves needs rankings" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("map q1\n", "line 1: 'map q1' has 2 fields; expected 3, as trec_eval -q prints"),
        ("map q1 x\n", "line 1: map of query 'q1': value 'x' is not a number"),
        ("map q1 1\nmap q1 1\n", "line 2: map of query 'q1' is there twice"),
        ("map all 1\n", "no score of a query; give the output of trec_eval -q"),
        ("map q1 1\nP_5 q2 1\n", "query 'q1' has no score in P@5"),
    ],
)
def test_output_that_is_wrong_is_refused(text: str, says: str, tmp_path: Path) -> None:
    """With its file, its line and what would do."""
    (tmp_path / "out").write_text(text)
    with pytest.raises(InputError, match=says):
        read_scores(tmp_path / "out")


TABLE = (
    "Topic;Metric;Score\nq2;helpfulness;3.5\nq1;helpfulness;4\nq1;ndcg_cut_10;0.5\nq2;nDCG@10;1\n"
)


def test_a_table_of_any_measure_is_compared(tmp_path: Path) -> None:
    """Names of ours by any of their spellings, others as they are, each query with its own."""
    (tmp_path / "a.csv").write_text(TABLE)
    found = read_scores(tmp_path / "a.csv")
    assert found.per_query == {
        "helpfulness": {"q2": 3.5, "q1": 4.0},
        "nDCG@10": {"q2": 1.0, "q1": 0.5},
    }
    assert found.of(["helpfulness"]).mean == {"helpfulness": 3.75}
    assert found.conventions.name == "a table of scores"
    (tmp_path / "a.tsv").write_text(TABLE.replace(";", "\t"))
    assert read_scores(tmp_path / "a.tsv").per_query == found.per_query


# As Ragas 0.4.3 (`result.to_pandas().to_csv`) and DeepEval 4.3.1 (`TestRun.save`) wrote them.
RAGAS = """,user_input,retrieved_contexts,response,reference,faithfulness,context_recall
0,Who purrs?,"['Cats purr,
or so.', 'Dogs bark.']","Cats, ""all"".",cats,0.5,1.0
1,Who barks?,['Dogs.'],Dogs,dogs,1.0,0.0
"""
DATA = '{"name": "Faithfulness", "threshold": 0.5, "success": %s, "score": %s, "strictMode": false}'
CASE = '{"name": "test_case_0", "input": "%s", "success": true, "metricsData": [%s]}'
DEEPEVAL = '{"testFile": "x", "testCases": [%s], "conversationalTestCases": []}'


def deepeval(*scores: str) -> str:
    """A test run with these values of "success" and "score", a question each."""
    cases = [CASE % (f"q{i}", DATA % tuple(one.split())) for i, one in enumerate(scores)]
    return DEEPEVAL % ", ".join(cases)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            RAGAS,
            {
                "faithfulness": {"Who purrs?": 0.5, "Who barks?": 1.0},
                "R": {"Who purrs?": 1.0, "Who barks?": 0.0},
            },
        ),
        (deepeval("true 1.0", "false 0.25"), {"Faithfulness": {"q0": 1.0, "q1": 0.25}}),
    ],
    ids=["Ragas", "DeepEval"],
)
def test_scores_that_ragas_and_deepeval_stored_are_compared(
    text: str, found: dict[str, Any], tmp_path: Path
) -> None:
    """Each question is a query. Ragas's context recall is our R, as its name has it everywhere."""
    (tmp_path / "scores").write_text(text)
    read = read_scores(tmp_path / "scores")
    assert read.per_query == found
    assert [v.word for v in assert_no_regression(read, read)] == ["pass"] * len(found)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (
            RAGAS.replace("0.5,1.0", ",1.0"),
            "line 2: faithfulness of query 'Who purrs\\?': value ''",
        ),
        (deepeval("true 1.0", "false null"), "test case 2: Faithfulness of query 'q1': value None"),
        (deepeval("true 0.25"), "test case 1: by its threshold a smaller Faithfulness is better"),
        (deepeval("true 1").replace('Cases": []', 'Cases": [{}]'), "a conversation"),
        (deepeval("true 1").replace("testCases", "cases"), "no test run of DeepEval"),
        (deepeval("true 1").replace('"input"', '"output"'), "no test run of DeepEval"),
        ("{", "no test run of DeepEval"),
        (DEEPEVAL % "", "no score of a query"),
    ],
)
def test_scores_of_a_tool_that_are_wrong_are_refused(text: str, says: str, tmp_path: Path) -> None:
    """With the place: where a metric failed, the tool stores no score."""
    (tmp_path / "scores").write_text(text)
    with pytest.raises(InputError, match=says):
        read_scores(tmp_path / "scores")


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        (
            "q1,clarity,0.5\nq2,clarity,\n",
            "line 3: clarity of query 'q2': value '' is not a number",
        ),
        ("q1,clarity,0.5\nq1,clarity,0.5\n", "line 3: clarity of query 'q1' is there twice"),
        ("q1,clarity,0.5\nq2,depth,1\n", "query 'q1' has no score in depth"),
        (",clarity,0.5\n", "line 2: query: it is empty"),
        ("", "no score of a query"),
    ],
)
def test_a_table_that_is_wrong_is_refused(lines: str, says: str, tmp_path: Path) -> None:
    """With its file and its line."""
    (tmp_path / "t.csv").write_text("query,measure,value\n" + lines)
    with pytest.raises(InputError, match=says):
        read_scores(tmp_path / "t.csv")


def _forms(without):
    """Each kind of file with 40 questions, of which some have no value of the second measure."""
    asked = [f"q{i}" for i in range(40)]
    cells = {q: "" if q in without else "0.5" for q in asked}
    trec = [f"map\t{q}\t0.5\nP_5\t{q}\t{cells[q] or 'nan'}" for q in asked]
    cases = []
    for q in asked:
        second = None if q in without else 0.5
        metrics = [{"name": "first", "score": 0.5}, {"name": "second", "score": second}]
        cases.append({"input": q, "metricsData": metrics})
    rows = [f"{q},0.5,{cells[q]}" for q in asked]
    long = [f"{q},first,0.5\n{q},second,{cells[q] or 'NaN'}" for q in asked]
    gaps = [f"{q},first,0.5" for q in asked]
    gaps += [f"{q},second,0.5" for q in asked if q not in without]
    return {
        "Ragas": "\n".join(["user_input,first,second", *rows]),
        "wide": "\n".join(["query,first,second", *rows]),
        "long": "\n".join(["query,measure,value", *long]),
        "lacking lines": "\n".join(["query,measure,value", *gaps]),
        "DeepEval": json.dumps({"testCases": cases}),
        "trec_eval": "\n".join(trec),
    }


@pytest.mark.parametrize("form", _forms(set()))
def test_queries_that_a_judge_gave_no_value_are_left_out_by_a_word_and_named(tmp_path, form):
    """In all kinds of files: up to the share that is said, and no more."""
    path = tmp_path / "scores"
    path.write_text(_forms({"q3", "q7"})[form], encoding="utf-8")
    found = read_scores(path, max_empty=0.05)
    assert len(found.queries) == 38
    assert "2 queries have no value of a measure and are left out: q3, q7" in found.notes()
    one = read_scores(path, max_empty=0.05).of([found.measures[0].name])
    assert one.notes() == found.notes()
    with pytest.raises(InputError, match=r"of query 'q3': no value; 2 of 40 .*max_empty=0\.04"):
        read_scores(path, max_empty=0.04)
    path.write_text(_forms(set())[form], encoding="utf-8")
    assert len(read_scores(path, max_empty=0.05).queries) == 40


@pytest.mark.parametrize("form", ["Ragas", "wide", "DeepEval"])
def test_without_the_word_an_empty_cell_is_refused_and_the_word_is_told(tmp_path, form):
    """The message says what to write instead."""
    path = tmp_path / "scores"
    path.write_text(_forms({"q3"})[form], encoding="utf-8")
    with pytest.raises(InputError, match=r"'q3': value .* is not a number; max_empty=0\.05 leaves"):
        read_scores(path)


def test_a_value_that_is_none_is_no_gap(tmp_path):
    """What somebody wrote in place of a number is a mistake, whatever share may be empty."""
    path = tmp_path / "scores"
    path.write_text(_forms(set())["wide"].replace("0.5", "high", 1), encoding="utf-8")
    with pytest.raises(InputError, match=r"value 'high' is not a number$"):
        read_scores(path, max_empty=0.5)


@pytest.mark.parametrize("wrong", [1, -0.1, "x", float("nan")])
def test_a_share_that_is_none_is_refused(tmp_path, wrong):
    """Not all queries may be empty, nor fewer than none."""
    path = tmp_path / "scores"
    path.write_text(_forms(set())["wide"], encoding="utf-8")
    with pytest.raises(InputError, match="max_empty"):
        read_scores(path, max_empty=wrong)


def test_a_gate_names_queries_without_a_value_and_bounds_them(tmp_path):
    """They are not compared: 1 of 40 is a warning, and 3 are more than max_gone."""
    path = tmp_path / "scores"

    def read(*without):
        path.write_text(_forms(set(without))["Ragas"], encoding="utf-8")
        return read_scores(path, max_empty=0.2)

    with pytest.warns(UserWarning, match="1 query has no value of a measure and is left out: q3"):
        assert_no_regression(read("q3"), read())
    with pytest.raises(RankingAssertionError, match="3 of the baseline's 40 queries"):
        assert_no_regression(read("q3", "q7", "q9"), read())
    gate = Gate(read("q3"), None, None, {})
    kept = Baseline.read(Baseline.of(gate.after, gate.judged).entry())
    assert any("left out: q3" in note.sentence for note in gate.against(kept).notes)
