"""Judgments by subtopic and categories of items in files, as `evaluate` and the commands take them.

Expected numbers are pyndeval's, of the files it would be given, and counts made by hand.
"""

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyndeval
import pytest

from irmetrics_edu import InputError, compare, evaluate
from irmetrics_edu.cli import main
from irmetrics_edu.metrics.per_intent import precision_ia

NDEVAL = ["alpha-DCG@20", "alpha-nDCG@5", "alpha-nDCG@20", "ERR-IA@10", "nERR-IA@20", "P-IA@10",
          "strec@10"]  # fmt: skip
# The same in our notation.
OURS = [
    "alpha-DCG(normalisation=collection_independent)@20",
    "alpha-nDCG(ideal=ndeval)@5",
    "alpha-nDCG(ideal=ndeval)@20",
    "ERR-IA@10",
    "ERR-IA(normalisation=collection_dependent,ideal=ndeval)@20",
    "P-IA@10",
    "S-recall@10",
]
Lines = list[tuple[str, str, str, int]]


def generated(seed: int, grades: tuple[int, ...] = (0, 1)) -> tuple[dict[str, Any], Lines]:
    """A run full of ties, and judgments by subtopic: some queries and documents on one side."""
    rng = random.Random(seed)
    documents = [f"d{i:02}" for i in range(60)]
    run = {
        f"q{q}": {d: rng.randrange(24) / 4 for d in rng.sample(documents, rng.randint(1, 50))}
        for q in range(1, 9)
    }
    lines = [
        (f"q{q}", str(t), d, rng.choice(grades))
        for q in range(3, 11)
        for t in range(1, rng.randint(2, 6))
        for d in rng.sample(documents, rng.randint(2, 15))
    ]
    # Each judged query has something to find.
    return run, lines + [(f"q{q}", "9", "d00", 1) for q in range(3, 11)]


def ndeval(run: Any, lines: Lines) -> dict[str, dict[str, float]]:
    """Scores of the queries that both have, by pyndeval."""
    return dict(
        pyndeval.ndeval(
            [pyndeval.SubtopicQrel(*line) for line in lines],
            [pyndeval.ScoredDoc(q, d, s) for q, docs in run.items() for d, s in docs.items()],
            measures=NDEVAL,
        )
    )


def written(run: Any, lines: Lines, folder: Path) -> tuple[Path, Path]:
    """TREC files of a run and of judgments by subtopic."""
    text = [f"{q} Q0 {d} 0 {s} tag" for q, docs in run.items() for d, s in docs.items()]
    (folder / "run").write_text("\n".join(text), encoding="utf-8")
    text = [" ".join(map(str, line)) for line in lines]
    (folder / "qrels").write_text("\n".join(text), encoding="utf-8")
    return folder / "run", folder / "qrels"


def frame_of(run: Any) -> pd.DataFrame:
    """A run as a data frame."""
    rows = [(q, d, s) for q, docs in run.items() for d, s in docs.items()]
    return pd.DataFrame(rows, columns=["query", "document", "score"])


RUNS: dict[str, Callable[[Any, Path], Any]] = {
    "file": lambda _, path: path,
    "mapping": lambda run, _: run,
    "pandas": lambda run, _: frame_of(run),
    "polars": lambda run, _: pl.DataFrame(frame_of(run).to_dict("list")),
    "pieces": lambda run, _: iter([frame_of({q: docs}) for q, docs in run.items()]),
}


@pytest.mark.parametrize("grades", [(0, 1), (-2, 0, 1)])
@pytest.mark.parametrize("kind", RUNS)
@pytest.mark.parametrize("seed", range(3))
def test_equals_pyndeval(seed: int, kind: str, grades: tuple[int, ...], tmp_path: Path) -> None:
    """Every measure of every query is ndeval's, and a query the run lacks scores 0."""
    run, lines = generated(seed, grades)
    path, qrels = written(run, lines, tmp_path)
    theirs = ndeval(run, lines)
    e = evaluate(RUNS[kind](run, path), qrels, OURS, "ndeval")
    assert set(e.counts.missing) == {"q9", "q10"}
    assert set(e.counts.not_judged) == {"q1", "q2"}
    assert set(e.queries) == {f"q{q}" for q in range(3, 11)}
    for name, ours in zip(NDEVAL, OURS, strict=True):
        for query in e.queries:
            expected = theirs[query][name] if query in run else 0
            assert e.per_query[ours][query] == pytest.approx(expected, abs=1e-6), (name, query)
        mean = sum(theirs[q][name] for q in e.queries if q in run) / 8
        assert e.mean[ours] == pytest.approx(mean, abs=1e-6)


def test_the_comparison_can_fail(tmp_path: Path) -> None:
    """With ties the other way round the scores are not ndeval's."""
    run, lines = generated(1)
    path, qrels = written(run, lines, tmp_path)
    theirs = ndeval(run, lines)
    e = evaluate(path, qrels, OURS, "trec_eval")
    assert any(
        abs(e.per_query[ours][q] - theirs[q][name]) > 1e-3
        for name, ours in zip(NDEVAL, OURS, strict=True)
        for q in e.queries
        if q in run
    )


def in_formats(lines: Lines, folder: Path) -> dict[str, Any]:
    """The same judgments by subtopic in all that can hold them."""
    table = pd.DataFrame(lines, columns=["query", "subtopic", "document", "grade"])
    held: dict[str, Any] = {}
    for q, t, d, g in lines:
        held.setdefault(q, {}).setdefault(d, {})[t] = g
    (folder / "q.json").write_text(json.dumps(held), encoding="utf-8")
    table.to_csv(folder / "q.csv", index=False)
    table.to_csv(folder / "q.tsv", index=False, sep="\t")
    table.to_parquet(folder / "q.parquet")
    files = {name: folder / name for name in ("q.json", "q.csv", "q.tsv", "q.parquet")}
    return {
        **files,
        "mapping": held,
        "pandas": table,
        "polars": pl.DataFrame(table.to_dict("list")),
    }


@pytest.mark.slow
@pytest.mark.parametrize(
    ("grades", "missing", "unjudged"),  # every two values of two of them meet
    [
        ((0, 1), "zero", "no_gain"),
        ((0, 1), "skip", "removed"),
        ((0, 1, 2), "zero", "removed"),
        ((0, 1, 2), "skip", "no_gain"),
    ],
)
def test_all_formats_and_conventions_agree(
    grades: tuple[int, ...], missing: str, unjudged: str, tmp_path: Path
) -> None:
    """Files, frames and mappings give each query what its mappings give alone."""
    run, lines = generated(7, grades)
    path, qrels = written(run, lines, tmp_path)
    measures = ["alpha-nDCG@10", "P-IA@5", "S-recall@10"]
    options = {"missing_queries": missing, "unjudged": unjudged}
    formats = {"trec": qrels, **in_formats(lines, tmp_path)}
    plain = evaluate(run, formats["mapping"], measures, **options)
    for name, given in formats.items():
        for kind, make in RUNS.items():
            e = evaluate(make(run, path), given, measures, **options)
            assert list(e.queries) == list(plain.queries)
            for m in measures:
                assert e.per_query[m] == pytest.approx(plain.per_query[m]), (name, kind)
                if kind == "file":
                    for q in e.queries:
                        assert e.working(m, q).score == pytest.approx(plain.per_query[m][q])


def test_documents_are_counted_by_whether_they_have_a_subtopic(tmp_path: Path) -> None:
    """Of four retrieved one is not judged and one has no subtopic; one with two is found once."""
    run, qrels = tmp_path / "run", tmp_path / "qrels"
    run.write_text("\n".join(f"q Q0 {d} 0 {s} t" for s, d in enumerate("abcx")), encoding="utf-8")
    qrels.write_text("q 1 a 1\nq 2 a 1\nq 1 b 0\nq 2 c 1\nq 2 e 1\n", encoding="utf-8")
    e = evaluate(run, qrels, "alpha_nDCG@20")
    assert e.documents_per_query() == {"q": {"num_ret": 4, "num_rel": 3, "num_rel_ret": 2}}
    counts = e.counts
    assert (counts.retrieved, counts.relevant, counts.relevant_retrieved) == (4, 3, 2)
    assert counts.unjudged_documents == {20: 1}
    held = {"q": {"a": {"1", "2"}, "b": set(), "c": {"2"}, "e": {"2"}}}
    same = evaluate({"q": dict(zip("abcx", range(4), strict=True))}, held, "alpha_nDCG@20")
    assert same.documents_per_query() == e.documents_per_query()
    assert same.trec(per_query=True) == e.trec(per_query=True)


def test_intents_may_be_given(tmp_path: Path) -> None:
    """With intents' probabilities, which are given once for all queries, a file will do too."""
    (tmp_path / "run").write_text("q Q0 a 1 2 t\nq Q0 b 2 1 t\n", encoding="utf-8")
    (tmp_path / "qrels").write_text("q 1 a 1\nq 2 b 1\n", encoding="utf-8")
    measure = precision_ia.using(intents={"1": 0.75, "2": 0.25}, k=1)
    e = evaluate(tmp_path / "run", tmp_path / "qrels", [measure])
    assert list(e.mean.values()) == [0.75]  # the first document is of the likelier intent


def test_malformed_lines_are_told_or_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A bad line of judgments or of the run is an error with its place, unless it is skipped."""
    run, qrels = tmp_path / "run", tmp_path / "qrels"
    run.write_text("q Q0 a 1 2 t\nq Q0 b\n", encoding="utf-8")
    qrels.write_text("q 1 a 1\nq 1 a 1\nq 2 b 1\nq 2 b x\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"2 malformed lines.*skip_bad=True") as error:
        evaluate(run, qrels, "alpha_nDCG@20")
    assert "line 2: 'q 1 a 1'" in str(error.value)
    for given in (run, {"q": {"a": 1.0}}):
        counts = evaluate(given, qrels, "alpha_nDCG@20", skip_bad=True).counts
        assert counts.lines_left_out == (3 if given is run else 2)
    assert main(["evaluate", str(qrels), str(run), "-m", "alpha_nDCG@20"]) == 2
    err = capsys.readouterr().err
    assert "with --skip-bad\n" in err
    assert "skip_bad" not in err
    assert main(["evaluate", str(qrels), str(run), "-m", "alpha_nDCG@20", "--skip-bad"]) == 0
    assert "3 bad lines were left out" in capsys.readouterr().out


@pytest.mark.parametrize("measures", ["alpha_nDCG@20 AP", "ERR_IA@10 nDCG@10 AP"])
def test_both_kinds_in_one_call_are_refused(measures: str, tmp_path: Path) -> None:
    """Measures of grades and of subtopics need judgments of their own, so two calls."""
    (tmp_path / "qrels").write_text("q 1 a 1\n", encoding="utf-8")
    with pytest.raises(InputError, match="make two calls"):
        evaluate({"q": ["a"]}, tmp_path / "qrels", measures)


def test_judgments_without_subtopics_are_refused(tmp_path: Path) -> None:
    """A field of zeros is no subtopic; as one it would give a number that means nothing."""
    (tmp_path / "qrels").write_text("q 0 a 1\nq 0 b 1\n", encoding="utf-8")
    with pytest.raises(InputError, match="second field is 0 on every line"):
        evaluate({"q": ["a"]}, tmp_path / "qrels", "alpha_nDCG@20")


def test_negative_grades_are_refused_where_nothing_says_their_worth(tmp_path: Path) -> None:
    """The message names query, document and subtopic, and what to say."""
    (tmp_path / "qrels").write_text("q 1 a -2\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"query 'q', document 'a'.*subtopic '1'.*negative='zero'"):
        evaluate({"q": ["a"]}, tmp_path / "qrels", "alpha_nDCG@20", negative="refuse")


def test_runs_are_compared_by_subtopics(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`compare` takes the same judgments, in Python and as a command."""
    run, lines = generated(3)
    path, qrels = written(run, lines, tmp_path)
    better = tmp_path / "better"
    relevant = {(q, d) for q, _, d, g in lines if g}
    new = {q: {d: s + 9 * ((q, d) in relevant) for d, s in docs.items()} for q, docs in run.items()}
    text = [f"{q} Q0 {d} 0 {s} new" for q, docs in new.items() for d, s in docs.items()]
    better.write_text("\n".join(text), encoding="utf-8")
    measure = "alpha-nDCG(ideal=ndeval)@20"
    c = compare({"old": path, "new": better}, qrels, measure, "ndeval")
    theirs = [ndeval(r, lines) for r in (run, new)]
    for query, difference in c.differences("new", measure).items():
        expected = 0.0
        if query in run:
            expected = theirs[1][query]["alpha-nDCG@20"] - theirs[0][query]["alpha-nDCG@20"]
        assert difference == pytest.approx(expected, abs=1e-6)
    command = ["compare", str(qrels), str(path), str(better), "-m", measure]
    assert main([*command, "--conventions", "ndeval"]) == 0
    out = capsys.readouterr().out
    for e in c.evaluations.values():
        assert f"{e.mean[measure]:.4f}" in out
    assert "2 judged queries are not in the run and score 0: q9, q10" in out


CATEGORIES = "1\trock\n1\tfolk\n2\trock\n3\tjazz\n"


def test_categories_come_from_a_file(tmp_path: Path) -> None:
    """A run of lists or an array of numbers beside a table of items and categories."""
    path = tmp_path / "categories"
    path.write_text(CATEGORIES, encoding="utf-8")
    # User 0 sees rock and folk, user 1 all three categories.
    expected = [2 / 3, 1]
    run = np.array([[1, 2], [1, 3]])
    measure = "CC"
    given: list[tuple[Any, Any]] = [
        ({"u": ["1", "2"], "v": ["1", "3"]}, None),
        (run, None),
        (run, [[1], [3]]),
        (run.astype(str), [["1"], ["3"]]),
    ]
    for lists, held_out in given:
        e = evaluate(lists, held_out, measure, categories=path)
        assert list(e.per_query[measure].values()) == pytest.approx(expected)


def test_categories_of_a_file_are_checked(tmp_path: Path) -> None:
    """An item that is no number, an item without categories and a bad line are named."""
    path = tmp_path / "categories"
    path.write_text(CATEGORIES + "x1\tpop\n", encoding="utf-8")
    with pytest.raises(
        InputError, match="item 'x1' is not a whole number, but the recommended items are"
    ):
        evaluate(np.array([[1, 2]]), None, "CC", categories=path)
    path.write_text(CATEGORIES + "4\n", encoding="utf-8")
    with pytest.raises(InputError, match="line 5: '4'"):
        evaluate({"u": ["1"]}, None, "CC", categories=path)
    e = evaluate({"u": ["1"]}, None, "CC", categories=path, skip_bad=True)
    assert e.counts.lines_left_out == 1
    with pytest.raises(InputError, match="item '4' is not among the categories"):
        evaluate({"u": ["4"]}, None, "CC", categories=path, skip_bad=True)


def test_embeddings_come_from_a_json_file(tmp_path: Path) -> None:
    """Items at right angles are 1 apart; other files than JSON are refused."""
    path = tmp_path / "embeddings.json"
    path.write_text('{"1": [1, 0], "2": [0, 2]}', encoding="utf-8")
    assert list(evaluate({"u": ["1", "2"]}, None, "ILD", embeddings=path).mean.values()) == [1]
    assert list(evaluate(np.array([[1, 2]]), None, "ILD", embeddings=path).mean.values()) == [1]
    with pytest.raises(InputError, match="give a mapping or a JSON file"):
        evaluate({"u": ["1", "2"]}, None, "ILD", embeddings="embeddings.npy")


def test_the_command_takes_categories(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`--categories FILE` for DCC, CC and their like."""
    for name, text in (
        ("categories", CATEGORIES),
        ("qrels", "u 0 1 1\nv 0 3 1\n"),
        ("run", "u Q0 1 1 2 t\nu Q0 2 2 1 t\nv Q0 1 1 2 t\nv Q0 3 2 1 t\n"),
    ):
        (tmp_path / name).write_text(text, encoding="utf-8")
    files = [str(tmp_path / name) for name in ("qrels", "run", "categories")]
    assert main(["evaluate", *files[:2], "-m", "CC", "--categories", files[2]]) == 0
    assert f"{5 / 6:.4f}" in capsys.readouterr().out
    assert main(["evaluate", *files[:2], "-m", "CC"]) == 2
    assert "--categories FILE" in capsys.readouterr().err
