"""Large runs take a small multiple of their file; parts and blocks change no result."""

import os
import random
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from irmetrics_edu import evaluate
from irmetrics_edu.engine.columns import RunColumns
from irmetrics_edu.engine.id_list import Ids, may_repeat
from irmetrics_edu.engine.text import Text
from irmetrics_edu.reading.files import Problems
from irmetrics_edu.reading.trec import BLOCK, TrecFile
from irmetrics_edu.runs.joining import joined_run
from tests.memory import ran


@cache
def peak_of_the_package() -> int:
    """What a process takes that has loaded the command, and reads nothing."""
    base = ran("-c", "import irmetrics_edu.commands.evaluate")
    assert base.code == 0, base.err
    return base.peak


def many_queries(folder: Path, n: int) -> None:
    """A run of n queries of three documents, and a judged document for each, in another order."""
    lines = [f" Q0 d{r} {r} {10 - r * 0.37:.2f} t\n" for r in (1, 2, 3)]
    order = random.Random(1).sample(range(n), n)
    with (folder / "run").open("w") as run, (folder / "qrels").open("w") as qrels:
        for i in order:
            run.write("".join(f"q{i:07d}{line}" for line in lines))
        for i in range(n):
            qrels.write(f"q{i:07d} 0 d{1 + i % 4} 1\n")


def one_query(folder: Path, n: int) -> None:
    """A run of one query of n documents, and a hundred judged ones."""
    with (folder / "run").open("w") as run, (folder / "qrels").open("w") as qrels:
        run.writelines(f"q1 Q0 doc{i * 7919 % n:08d} {i} {n - i} t\n" for i in range(n))
        qrels.writelines(f"q1 0 doc{i:08d} 1\n" for i in range(0, n, n // 100))


TAG = "a_run_with_a_name_that_is_long"
BLOCKS = 60e6  # what a block of the file and the tables over it take, however large the file


@pytest.mark.slow
@pytest.mark.suite("sandbox")
@pytest.mark.skipif(not hasattr(os, "wait4"), reason="the system tells no peak of a process")
@pytest.mark.parametrize(("write", "n"), [(many_queries, 400_000), (one_query, 1_000_000)])
def test_evaluation_takes_at_most_three_times_the_file(write: Any, n: int, tmp_path: Path) -> None:
    """Over what Python and a block of the file take: reading, joining, five measures, printing."""
    write(tmp_path, n)
    files = [str(tmp_path / name) for name in ("qrels", "run")]
    done = ran("-m", "irmetrics_edu", "evaluate", *files)
    assert done.code == 0, done.err
    size = sum(Path(file).stat().st_size for file in files)
    assert done.peak - peak_of_the_package() - BLOCKS < 3 * size


def generated(seed: int, n: int = 40) -> tuple[dict[str, dict[str, float]], dict[str, Any]]:
    """A run with ties and unjudged queries, and judgments with missing and irrelevant queries."""
    rng = random.Random(seed)
    docs = [f"d{i}" for i in range(12)]
    qrels = {
        f"q{i}": {d: rng.choice([0, 1, 1, 2]) for d in rng.sample(docs, rng.randint(1, 6))}
        for i in range(n)
    }
    run = {
        f"q{i}": {d: float(rng.randint(0, 5)) for d in rng.sample(docs, rng.randint(1, 9))}
        for i in [*rng.sample(range(n), n - 5), n + 1, n + 2]
    }
    return run, qrels


def as_trec(run: Any, qrels: Any, folder: Path) -> tuple[Path, Path]:
    """Both as files."""
    lines = [f"{q} Q0 {d} 0 {s!r} t\n" for q, docs in run.items() for d, s in docs.items()]
    judged = [f"{q} 0 {d} {g}\n" for q, docs in qrels.items() for d, g in docs.items()]
    (folder / "run").write_text("".join(lines), encoding="utf-8")
    (folder / "qrels").write_text("".join(judged), encoding="utf-8")
    return folder / "run", folder / "qrels"


@pytest.mark.parametrize("conventions", ["trec_eval", "pytrec_eval", "recbole", "scikit_learn"])
@pytest.mark.parametrize("missing", ["zero", "skip"])
@pytest.mark.parametrize("unjudged", ["no_gain", "removed"])
def test_parts_change_no_score_and_no_count(
    conventions: str,
    missing: str,
    unjudged: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Rows of seven queries at a time give what rows of all give, for files and for mappings."""
    run, qrels = generated(3)
    how = {"missing_queries": missing, "unjudged": unjudged, "ties": "given"}
    measures = "nDCG@3 AP RR P@5 R@100 ERR RBP bpref nDCG"
    whole = evaluate(run, qrels, measures, conventions, **how)
    monkeypatch.setattr(joined_run, "_PART", 7)
    for given in ((run, qrels), as_trec(run, qrels, tmp_path)):
        found = evaluate(*given, measures, conventions, **how)
        assert len(found.aligned.parts([m.metric for m in found.measures])) > 1
        assert found.queries == whole.queries
        for name, scores in whole.scores.items():
            assert found.scores[name].tolist() == pytest.approx(scores.tolist(), nan_ok=True)
        assert found.notes() == whole.notes()
        assert found.documents_per_query() == whole.documents_per_query()
        of_all = found.workings["AP"].score.tolist()
        assert of_all == pytest.approx(whole.scores["AP"].tolist(), nan_ok=True)


@pytest.mark.parametrize("block", [1, 30, 100, 1000, 1 << 22])
def test_blocks_change_nothing(block: int, tmp_path: Path) -> None:
    """Queries longer than a block, or of one line, come whole, from where they begin."""
    run, qrels = generated(5, 9)
    path, _ = as_trec(run, qrels, tmp_path)
    pieces = list(TrecFile(path, block=block).pieces(Problems("run")))
    met = {}
    for piece in pieces:
        values = piece.value.tolist()
        documents, bounds = piece.document.tolist(), piece.starts.tolist()
        for q, a, b in zip(piece.queries, bounds, bounds[1:], strict=False):
            assert q not in met
            met[q] = dict(zip(documents[a:b], values[a:b], strict=True))
        again = next(iter(TrecFile(path, block=block).pieces(Problems("run"), piece.origin)))
        assert again.queries[0] == piece.queries[0]
        assert again.starts[1] == piece.starts[1]
    assert met == run
    assert list(met) == list(run)


def test_an_interleaved_run_is_held_and_said(tmp_path: Path) -> None:
    """Documents of a query that stand apart in a long file: the same scores, with a note."""
    n = 4500
    lines = [f"q{i} Q0 d{j} 0 {(j * 7 + i) % 25} {TAG}\n" for i in range(n) for j in range(25)]
    (tmp_path / "qrels").write_text("".join(f"q{i} 0 d3 1\n" for i in range(n)), encoding="utf-8")
    found = []
    for name in ("sorted", "strewn"):
        path = tmp_path / name
        path.write_text("".join(lines), encoding="utf-8")
        found.append(evaluate(path, tmp_path / "qrels", "RR"))
        random.Random(2).shuffle(lines)
    assert path.stat().st_size > BLOCK  # in one block it would come in one piece
    in_order, strewn = found
    assert strewn.per_query["RR"] == in_order.per_query["RR"]
    said = "the documents of a query are not together in the run"
    assert [any(said in note for note in e.notes()) for e in found] == [False, True]
    assert strewn.working("RR", "q7").value == in_order.per_query["RR"]["q7"]


def test_ids_are_a_list_that_takes_little_room() -> None:
    """As a list in all that is asked of it; many ids take some twenty bytes each."""
    names = [f"q{i}" for i in range(1000)]
    ids = Ids(Text.of(names))
    assert ids == names
    assert list(ids[5:9]) == names[5:9]
    assert (ids[-1], ids.index("q77"), "q8" in ids, "x" in ids) == ("q999", 77, True, False)
    with pytest.raises(IndexError):
        ids[1000]
    assert not may_repeat(ids)
    assert may_repeat(Ids(Text.of([*names, "q5"])))
    assert ids.compact() == names


@pytest.mark.parametrize("texts", [["a"], ["", "ab", "c" * 40, "é", "日本"], []])
def test_compact_text_is_the_same_text(texts: list[str]) -> None:
    """What stood between the texts goes, the texts and their keys stay; joined it goes on."""
    raw = Text.of(texts)
    apart = Text(np.concatenate([np.full(7, 65, np.uint8), raw.buffer]), raw.start + 7, raw.length)
    found = apart.compact()
    assert found.tolist() == texts
    assert found.keys().tolist() == raw.keys().tolist()
    assert Text.joined([found, apart.compact()]).tolist() == texts * 2


def test_parts_of_one_query_are_joined_with_their_ranks() -> None:
    """A column of ranks orders the whole query, wherever its parts end."""
    parts = [
        RunColumns(["q"], np.array([0, 2]), Text.of(two), None, np.arange(2), rank=np.array(ranks))
        for two, ranks in ((["a", "b"], [4, 2]), (["c", "d"], [1, 3]))
    ]
    found = RunColumns.of_one_query(parts)
    assert found.document.tolist() == ["c", "b", "d", "a"]
    assert not parts
