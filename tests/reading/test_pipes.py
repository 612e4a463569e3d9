"""Pipes, FIFOs and standard input give what the file gives, each of them read once."""

import gzip
import io
import json
import os
import random
import re
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard

from irmetrics_edu import InputError, compare, diagnose, evaluate
from irmetrics_edu.cli import main
from irmetrics_edu.gate import assert_no_regression
from irmetrics_edu.gate.plugin.loading import loader
from irmetrics_edu.reading import files

Items = list[tuple[str, str, float]]
ZSTD = zstandard.ZstdCompressor().compress


def items(seed: int, queries: int = 3) -> tuple[Items, Items]:
    """A run and judgments, larger than one read of a pipe where there are many queries."""
    chance = random.Random(seed)
    run, qrels = [], []
    for q in range(queries):
        documents = [f"d{i}" for i in chance.sample(range(60), 40)]
        run += [(f"q{q}", d, chance.randrange(900) / 8) for d in documents]
        qrels += [(f"q{q}", d, float(chance.randrange(3))) for d in documents[::4]]
    return run, qrels


def written(given: Items, kind: str, value: str) -> bytes:
    """The rows in a format."""
    if kind == "json":
        table: dict[str, dict[str, float]] = {}
        for q, d, v in given:
            table.setdefault(q, {})[d] = v
        return json.dumps(table).encode()
    if kind == "parquet":
        made = io.BytesIO()
        columns = dict(zip(("query", "document", value), zip(*given, strict=True), strict=True))
        pq.write_table(pa.table({name: list(cells) for name, cells in columns.items()}), made)
        return made.getvalue()
    if kind in ("csv", "tsv"):
        mark = "," if kind == "csv" else "\t"
        rows = [("query", "document", value), *given]
        return "".join(mark.join(map(str, row)) + "\n" for row in rows).encode()
    if value == "score":
        return "".join(f"{q} Q0 {d} 0 {v} tag\n" for q, d, v in given).encode()
    return "".join(f"{q} 0 {d} {v}\n" for q, d, v in given).encode()


@pytest.fixture
def piped() -> Iterator[Callable[[bytes], str]]:
    """A function from bytes to the path of a pipe that gives them, as `<(...)` in a shell."""
    threads, ends = [], []

    def made(raw: bytes) -> str:
        out, into = os.pipe()

        def fill() -> None:
            with os.fdopen(into, "wb") as end:
                end.write(raw)

        threads.append(threading.Thread(target=fill))
        threads[-1].start()
        ends.append(out)
        return f"/dev/fd/{out}"

    yield made
    for end in ends:
        os.close(end)
    for thread in threads:
        thread.join()


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch) -> Callable[[bytes], None]:
    """A function that sets what standard input holds."""
    return lambda raw: monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(raw)))


@pytest.mark.parametrize("kind", ["trec", "csv", "tsv", "json", "parquet"])
@pytest.mark.parametrize("pack", [bytes, gzip.compress, ZSTD])
def test_a_pipe_of_any_format_gives_what_the_file_gives(
    kind: str,
    pack: Callable[[bytes], bytes],
    piped: Callable[[bytes], str],
    typed: Callable[[bytes], None],
    tmp_path: Path,
) -> None:
    """Run and judgments by pipe and by standard input, for measures that read them twice too."""
    if kind == "parquet" and pack is not bytes:
        pack = bytes  # it is packed within
    run, qrels = items(1)
    raw_run, raw_qrels = pack(written(run, kind, "score")), pack(written(qrels, kind, "grade"))
    (tmp_path / f"run.{kind}").write_bytes(raw_run)
    (tmp_path / f"qrels.{kind}").write_bytes(raw_qrels)
    asked = ["nDCG@10", "AP", "AP(unjudged=removed)", "AUC"]
    expected = evaluate(tmp_path / f"run.{kind}", tmp_path / f"qrels.{kind}", asked)
    typed(raw_run)
    for found in (
        evaluate(piped(raw_run), piped(raw_qrels), asked),
        evaluate("-", tmp_path / f"qrels.{kind}", asked),
    ):
        assert found.scores.keys() == expected.scores.keys()
        assert found.per_query == expected.per_query
        assert found.counts == expected.counts


def test_random_pipes_whatever_is_kept_in_memory(
    piped: Callable[[bytes], str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Runs larger than a read, kept in memory or in a temporary file: never a score of a part."""
    for seed in range(6):
        monkeypatch.setattr(files, "_IN_MEMORY", 1 << (4 * seed))
        run, qrels = items(seed, queries=100)
        raw = written(run, "trec", "score")
        (tmp_path / "run").write_bytes(raw)
        judged = json.loads(written(qrels, "json", "grade"))
        found = evaluate(piped(raw), judged, "AP").per_query
        assert found == evaluate(tmp_path / "run", judged, "AP").per_query


def test_a_fifo(tmp_path: Path) -> None:
    """A named pipe is read once."""
    run, qrels = items(2)
    os.mkfifo(tmp_path / "run")
    raw = written(run, "trec", "score")
    writer = threading.Thread(target=(tmp_path / "run").write_bytes, args=(raw,))
    writer.start()
    judged = json.loads(written(qrels, "json", "grade"))
    found = evaluate(tmp_path / "run", judged, "AP AUC")
    writer.join()
    (tmp_path / "file").write_bytes(raw)
    assert found.mean == evaluate(tmp_path / "file", judged, "AP AUC").mean


def test_whoever_evaluates_more_than_once_reads_a_pipe_once(
    piped: Callable[[bytes], str], tmp_path: Path
) -> None:
    """Comparing, diagnosing, asserting, and loading beside a test."""
    run, qrels = items(3, queries=12)
    raw_run, raw_qrels = written(run, "trec", "score"), written(qrels, "trec", "grade")
    (tmp_path / "run").write_bytes(raw_run)
    (tmp_path / "qrels").write_bytes(raw_qrels)
    paths = tmp_path / "run", tmp_path / "qrels"
    value = evaluate(*paths, "AP").mean["AP"]
    both = {"a": piped(raw_run), "b": piped(raw_run)}
    assert compare(both, piped(raw_qrels), "AP").evaluations["b"].mean["AP"] == value
    assert diagnose("AP", piped(raw_run), piped(raw_qrels), value=str(value)).explained
    assert_no_regression(piped(raw_run), piped(raw_run), piped(raw_qrels), "AP", margin=0.5)
    loaded = loader(tmp_path, "run")(piped(raw_run)), loader(tmp_path, "qrels")(piped(raw_qrels))
    assert evaluate(*loaded, "AP").mean["AP"] == value


COMMANDS = [
    (["evaluate", "{qrels}", "{run}", "-m", "AP"], 0),
    (
        [
            *("compare", "{qrels}", "{other}", "{run}", "-m", "AP"),
            *("--format", "json", "--no-provenance"),
        ],
        0,
    ),
    (["diagnose", "AP", "--run", "{run}", "--qrels", "{qrels}", "--value", "0.9"], 1),
]


@pytest.mark.parametrize(("command", "code"), COMMANDS, ids=[c[0] for c, _ in COMMANDS])
def test_every_command_that_reads_a_run_takes_pipes(
    command: list[str],
    code: int,
    piped: Callable[[bytes], str],
    typed: Callable[[bytes], None],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """By `-` and by a pipe each; the output is the file's but for the name of the run."""
    run, qrels = items(4, queries=8)
    other = [(q, d, -s) for q, d, s in run]
    raw = {"run": written(run, "trec", "score"), "qrels": written(qrels, "trec", "grade")}
    raw["other"] = written(other, "trec", "score")
    for name, data in raw.items():
        (tmp_path / name).write_bytes(data)

    def shown(**paths: str) -> str:
        given = {name: str(tmp_path / name) for name in raw} | paths
        assert main([word.format(**given) for word in command]) == code
        out = capsys.readouterr().out
        for name, path in paths.items():
            stands = "standard input" if path == "-" else Path(path).name
            out = re.sub(
                rf'^{stands}(?=:)|(?<="){stands}(?=[":])|(?<=, ){stands}(?= \d+%)', name, out
            )
        return out

    expected = shown()
    assert shown(run=piped(raw["run"]), qrels=piped(raw["qrels"])) == expected
    for name in ("run", "qrels"):
        typed(raw[name])
        assert shown(**{name: "-"}) == expected
    typed(raw["run"])
    with_both = {"run": "-", "qrels": "-", "other": str(tmp_path / "other")}
    assert main([word.format(**with_both) for word in command]) == 2
    assert "standard input (-) was given twice, but can be read once" in capsys.readouterr().err


def test_standard_input_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """A closed one is told."""
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(InputError, match=r"standard input \(-\) is closed"):
        evaluate("-", {"q": {"d": 1}}, "AP")


def test_a_file_named_by_a_dash_is_read_by_its_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`./-` is a file."""
    monkeypatch.chdir(tmp_path)
    Path("-").write_text("q Q0 d 1 1 t\n", encoding="utf-8")
    assert evaluate("./-", {"q": {"d": 1}}, "AP").mean["AP"] == 1


@pytest.mark.parametrize("suffix", ["", ".csv", ".json"])
@pytest.mark.parametrize(("pack", "end"), [(gzip.compress, ".gz"), (ZSTD, ".zst")])
def test_packed_runs_by_the_command_whole_and_broken(
    suffix: str,
    pack: Callable[[bytes], bytes],
    end: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A packed file of any format is read; one cut off or altered is told by its name."""
    run, qrels = items(5)
    (tmp_path / "qrels.json").write_bytes(written(qrels, "json", "grade"))
    (tmp_path / "run").write_bytes(written(run, "trec", "score"))
    qrels_path = str(tmp_path / "qrels.json")
    assert main(["evaluate", qrels_path, str(tmp_path / "run"), "-m", "AP"]) == 0
    expected = capsys.readouterr().out.partition(":")[2]
    path = tmp_path / f"run{suffix}{end}"
    packed = pack(written(run, suffix[1:] or "trec", "score"))
    path.write_bytes(packed)
    assert main(["evaluate", qrels_path, str(path), "-m", "AP"]) == 0
    assert capsys.readouterr().out.partition(":")[2] == expected
    half = len(packed) // 2
    broken = [packed[:-4], packed[:half]]
    if end == ".gz":
        broken += [packed[:half] + b"\xff\x00\xff" + packed[half + 3 :], packed + b"garbage"]
    for raw in broken:
        path.write_bytes(raw)
        assert main(["evaluate", qrels_path, str(path), "-m", "AP"]) == 2
        said = capsys.readouterr().err
        assert f"{path}" in said
        assert "the packed file is damaged: " in said
        assert "Traceback" not in said


def test_judgments_of_a_diagnosis_in_json_are_checked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A document twice in an object of JSON has no grade."""
    path = tmp_path / "j.json"
    path.write_text('{"a": 1, "a": 0}', encoding="utf-8")
    given = ["diagnose", "AP", "--ranking", "a,b", "--judgments", str(path), "--value", "1"]
    assert main(given) == 2
    assert "'a' occurs twice in one object" in capsys.readouterr().err


@pytest.mark.parametrize(("size", "is_in_memory"), [(0, True), (1 << 20, True), (1 << 25, False)])
def test_many_bytes_of_a_pipe_are_kept_in_a_file(size, is_in_memory):
    """Few stay in memory; all of them are there."""
    kept = files._Kept(io.BytesIO(bytes(size)))
    kept.take(float("inf"))
    assert kept.taken == size
    assert isinstance(kept._bytes._file, io.BytesIO) is is_in_memory
