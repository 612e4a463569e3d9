"""Input without end, packed a thousandfold, or with a huge k ends in a sentence, in little room."""

import gzip
import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from irmetrics_edu import InputError, evaluate
from irmetrics_edu.checks import ReadingLimits, limits
from irmetrics_edu.cli import main
from tests.memory import ran

QRELS = {"q": {"a": 1}, "r": {"b": 1}}
HALF_A_GIGABYTE = 1 << 29


EVALUATE = """
import sys
from irmetrics_edu import InputError, evaluate
try:
    print(evaluate(sys.argv[1], {"q": {"a": 1}}, *sys.argv[2:]).mean)
except InputError as error:
    print(str(error).replace("\\n", " "))
"""


@pytest.mark.slow
@pytest.mark.parametrize("name", ["run.txt", "run.csv", "run.txt.gz", "run.json.gz"])
def test_a_gigabyte_of_nothing_is_refused_in_little_room(name: str, tmp_path: Path) -> None:
    """A line without end, and gzip of zeros: refused by name and limit, in half a gigabyte."""
    path = tmp_path / name
    if name.endswith(".gz"):
        begin = b'{"q": {"' if "json" in name else b""
        zeros = gzip.compress(b"a" * (1 << 20))  # members of a file follow one another
        path.write_bytes(gzip.compress(begin) + zeros * (1 << 10))
    else:
        with path.open("wb") as file:
            file.write(b"query,document,score\n" if "csv" in name else b"")
            file.truncate(1 << 30)  # a hole of zeros
    done = ran("-c", EVALUATE, path)
    assert done.peak < HALF_A_GIGABYTE
    assert str(path) in done.out
    assert "max_ratio" in done.out if "json" in name else "max_line" in done.out


@pytest.mark.parametrize("extra", [0, 1])
@pytest.mark.parametrize("at", [0, 3, 20])
def test_a_line_may_have_so_many_bytes_and_no_more(extra: int, at: int, tmp_path: Path) -> None:
    """Wherever the line stands: as long as the limit it is read, one byte longer it is refused."""
    lines = [f"q Q0 d{i} 0 {-i} t" for i in range(25)]
    lines[at] = f"q Q0 {'a' * (40 - 14 + extra)} 0 {-at:3} tt"
    assert len(lines[at]) == 40 + extra
    (tmp_path / "run").write_text("\n".join(lines) + "\n", encoding="utf-8")
    with limits(max_line=40):
        if extra:
            with pytest.raises(InputError, match=rf"run, line {at + 1}: longer than 40 bytes"):
                evaluate(tmp_path / "run", QRELS, "RR")
        else:
            assert evaluate(tmp_path / "run", QRELS, "RR").counts.retrieved == 25


WRITE = """
import sys
file = open(sys.argv[1], "wb")
while True:
    file.write(b"a" * 65536)
"""


def test_a_pipe_without_end_is_refused(tmp_path: Path) -> None:
    """What never ends a line is not copied until the disk is full."""
    path = tmp_path / "pipe"
    os.mkfifo(path)
    with subprocess.Popen(
        [sys.executable, "-c", WRITE, str(path)], stderr=subprocess.DEVNULL
    ) as endless:
        try:
            with pytest.raises(InputError, match="pipe, line 1: longer than 1,048,576 bytes"):
                evaluate(path, QRELS, "RR")
        finally:
            endless.kill()


@pytest.mark.slow
def test_a_packed_file_may_be_packed_well(tmp_path: Path) -> None:
    """Hundreds of times its size is fine up to 64 MiB, and beyond where the limit says so."""
    line = b"q Q0 a 0 1 t\n" + b"#" * 99 + b"\n"
    (tmp_path / "run.gz").write_bytes(gzip.compress(line * 10_000) * 70)
    how = {"skip_bad": True, "duplicates": "first"}
    with pytest.raises(InputError, match=r"more than 200 times its size.*max_ratio"):
        evaluate(tmp_path / "run.gz", QRELS, "RR", **how)


def test_a_file_keeps_the_limits_that_held_when_it_was_given(tmp_path: Path) -> None:
    """What is read later, for one query, is read by the same limits."""
    long = "d" * 100
    (tmp_path / "run").write_text(f"q Q0 {long} 0 2 t\nq Q0 a 0 1 t\n", encoding="utf-8")
    with limits(max_line=150):
        e = evaluate(tmp_path / "run", QRELS, "RR")
    with limits(max_line=50):
        assert list(e.working("RR", "q").rows.document) == [long, "a"]


@pytest.mark.parametrize(
    ("measure", "conventions", "qrels"),
    [
        ("nDCG@{}", "rectools", QRELS),
        ("nDCG(ideal=k_ones)@{}", "irmetrics_edu", QRELS),
        ("ERR-IA@{}", "irmetrics_edu", {"q": {"a": {"x"}}}),
    ],
)  # fmt: skip
def test_a_huge_cutoff_is_refused_where_it_would_take_room(measure, conventions, qrels) -> None:  # type: ignore[no-untyped-def]
    """An ideal of k documents needs k of them: k = 10^8 is refused, or one beyond a limit."""
    run = {"q": {"a": 2.0}}
    with pytest.raises(
        InputError,
        match=r"k=100000000: .* at most 4,000,000; .*max_cutoff",
    ):
        evaluate(run, qrels, measure.format(10**8), conventions)
    with limits(max_cutoff=5):
        assert evaluate(run, qrels, measure.format(5), conventions).mean
        with pytest.raises(InputError, match="at most 5; give a smaller k"):
            evaluate(run, qrels, measure.format(6), conventions)


@pytest.mark.parametrize("measure", ["P", "R", "nDCG", "AP", "RR", "ERR", "RBP", "Judged", "CG"])
def test_a_huge_cutoff_takes_nothing_where_it_need_not(measure: str) -> None:
    """Other measures only compare ranks with k."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    found = evaluate({"q": {"b": 2.0, "a": 1.0}}, QRELS, f"{measure}@{10**8} {measure}@2")
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert after - before < 100_000  # kB
    if measure not in ("P", "Judged"):
        assert found.mean[f"{measure}@{10**8}"] == found.mean[f"{measure}@2"]


def test_limits_are_options_of_the_commands(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """By the names that the errors give."""
    (tmp_path / "run").write_text("q Q0 a 0 1 t\n", encoding="utf-8")
    (tmp_path / "qrels").write_text("q 0 a 1\n", encoding="utf-8")
    files = [str(tmp_path / name) for name in ("qrels", "run")]
    assert main(["evaluate", *files, "--max-line", "5"]) == 2
    assert "longer than 5 bytes" in capsys.readouterr().err
    assert main(["evaluate", *files, "-m", "nDCG(ideal=k_ones)@9", "--max-cutoff", "8"]) == 2
    assert "k=9" in capsys.readouterr().err
    assert main(["evaluate", *files, "--max-ratio", "0"]) == 2
    assert main(["evaluate", *files, "--max-line", "13"]) == 0


def test_limits_end_with_their_block_and_are_checked() -> None:
    """Other limits hold within; unknown ones and such as are no whole numbers are refused."""
    with pytest.raises(InputError, match="max_lines is not a limit"):
        limits(max_lines=1).__enter__()
    for odd in (0, -1, True, 1.5, "9"):
        with pytest.raises(InputError, match="is not possible; give a whole number"):
            ReadingLimits(max_line=odd)  # type: ignore[arg-type]
    with limits(max_ratio=7) as outer, limits(max_line=9) as inner:
        assert (outer.max_ratio, inner.max_ratio, inner.max_line) == (7, 7, 9)
