"""Files of TREC: every way of writing one is read alike, and any bytes give a line or a result."""

import gzip
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import zstandard
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from irmetrics_edu import evaluate
from irmetrics_edu.errors import InputError
from irmetrics_edu.reading import files, other_files
from irmetrics_edu.reading.files import Problems
from irmetrics_edu.reading.trec import QRELS, RUN, TrecFile
from irmetrics_edu.runs.joining.judgments import read_pool
from tests.aligned_runs import align_run

LINES = [
    "q1 Q0 d1 1 3.5 tag",
    "q1 Q0 d2 2 2.25 tag",
    "q1 Q0 d3 3 2.25 tag",
    "q2 Q0 d1 1 1e-3 tag",
    "q2 Q0 d9 2 -7 tag",
]
EXPECTED = {"q1": {"d1": 3.5, "d2": 2.25, "d3": 2.25}, "q2": {"d1": 0.001, "d9": -7.0}}
JUDGED = {"q1": {"d3": 1, "d1": 0, "d8": 2}, "q2": {"d9": 1}}


def run_in(path: Path, block: int = 1 << 22) -> dict[str, dict[str, float]]:
    """All that a run file holds, as it was read in pieces."""
    problems = Problems(str(path))
    found: dict[str, dict[str, float]] = {}
    for items in TrecFile(path, RUN, block).pieces(problems):
        for q, query in enumerate(items.queries):
            here = np.arange(items.starts[q], items.starts[q + 1])
            assert items.value is not None
            found[query] = dict(
                zip(items.document.tolist(here), items.value[here].tolist(), strict=True)
            )
    problems.check()
    return found


def in_plain_python(text: str) -> dict[str, dict[str, float]]:
    """The oracle: split each line, call float."""
    found: dict[str, dict[str, float]] = {}
    for line in text.splitlines():
        if line.strip():
            query, _, document, _, score, _ = line.split()
            found.setdefault(query, {})[document] = float(score)
    return found


@pytest.mark.parametrize(
    "text",
    [
        "\n".join(LINES),
        "\n".join(LINES) + "\n",
        "\r\n".join(LINES) + "\r\n",
        "\n".join(LINES) + "\n\n  \n\n",
        "\n".join(LINES).replace(" ", "\t"),
        "\n".join(LINES).replace(" ", " \t  "),
        "\n".join("  " + line + "  " for line in LINES),
        "\ufeff" + "\n".join(LINES),
        LINES[0] + "\n" + "\n".join(LINES[1:]).replace(" ", "  "),
    ],
    ids=["plain", "newline", "crlf", "blank-end", "tabs", "blanks", "around", "mark", "mixed"],
)
@pytest.mark.parametrize("block", [1, 7, 64, 1 << 22])
def test_every_way_of_writing_a_run(tmp_path: Path, text: str, block: int) -> None:
    """Tabs, repeated blanks, CRLF, empty lines at the end, a byte-order mark: read alike."""
    path = tmp_path / "run.txt"
    path.write_bytes(text.encode())
    assert run_in(path, block) == EXPECTED


def test_gzip(tmp_path: Path) -> None:
    """A packed file is known by its first bytes, whatever its name."""
    path = tmp_path / "run"
    path.write_bytes(gzip.compress("\n".join(LINES).encode()))
    assert run_in(path) == EXPECTED


def test_zstd(tmp_path: Path) -> None:
    """Packed by zstd, in one frame or in several one after the other, a run is the same."""
    lines = [line.encode() + b"\n" for line in LINES]
    pack = zstandard.ZstdCompressor().compress
    for packed in (pack(b"".join(lines)), b"".join(map(pack, lines))):
        path = tmp_path / "run"
        path.write_bytes(packed)
        assert run_in(path) == EXPECTED
        path.write_bytes(packed[:-3])
        with pytest.raises(InputError, match=r"run, line \d+: the packed file is damaged"):
            run_in(path)


@pytest.mark.parametrize("pack", [bytes, gzip.compress, zstandard.ZstdCompressor().compress])
def test_a_reader_tells_how_far_it_is(tmp_path: Path, pack: Callable[[bytes], bytes]) -> None:
    """Who watches is told of the file's own bytes, packed or not, up to the last of them."""
    path = tmp_path / "run"
    path.write_bytes(pack(b"".join(b"q Q0 d%d 1 %d t\n" % (i, -i) for i in range(50_000))))
    told: list[tuple[Path, int, int]] = []
    with files.watched(lambda *report: told.append(report)):
        align_run(path, {"q": {"d7": 1}})
    size = path.stat().st_size
    positions = [position for _, position, _ in told]
    assert {(which, total) for which, _, total in told} == {(path, size)}
    assert positions == sorted(positions)
    assert positions[-1] == size
    told.clear()
    align_run(path, {"q": {"d7": 1}})
    assert told == []


def test_zstd_without_its_package_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where zstd can't be unpacked, the message names the extra."""
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    monkeypatch.setitem(__import__("sys").modules, "compression.zstd", None)
    path = tmp_path / "run.zst"
    path.write_bytes(b"\x28\xb5\x2f\xfd rest")
    with pytest.raises(InputError, match=r"pip install pyarrow .the extra frames"):
        align_run(path, JUDGED)


@pytest.mark.parametrize("cut", [5, 20, 40])
def test_a_broken_archive_is_told(tmp_path: Path, cut: int) -> None:
    """Half a gzip file is an error that names the file and a line."""
    path = tmp_path / "run.gz"
    path.write_bytes(gzip.compress("\n".join(LINES).encode())[:cut])
    with pytest.raises(InputError, match=r"run\.gz, line 1: the packed file is damaged"):
        align_run(path, JUDGED)


def test_interleaved_queries(tmp_path: Path) -> None:
    """Lines of one query need not stand together; the order given is kept within each."""
    path = tmp_path / "run.txt"
    path.write_text("\n".join(LINES[i] for i in (0, 3, 1, 4, 2)))
    whole = align_run(EXPECTED, JUDGED)
    strewn = align_run(path, JUDGED)
    assert strewn.rows.rank.tolist() == whole.rows.rank.tolist()
    assert strewn.full("q1").document == ["d1", "d2", "d3"]
    path.write_text("\n".join(reversed(LINES)) + "\n" + "q1 Q0 d8 9 -1 tag")
    assert align_run(path, JUDGED).full("q1").document == ["d1", "d3", "d2", "d8"]


def test_all_malformed_lines_are_told_at_once(tmp_path: Path) -> None:
    """Each with its number, its text and what was expected; nothing is computed."""
    path = tmp_path / "run.txt"
    path.write_text(
        "\n".join([*LINES[:2], "q1 Q0 d3", "q1 Q0 d4 4 high tag", "q1 Q0 d5 5 nan tag"])
    )
    with pytest.raises(InputError) as caught:
        align_run(path, JUDGED)
    message = str(caught.value)
    assert "3 malformed lines, so nothing was computed" in message
    assert "line 3: 'q1 Q0 d3': 3 fields; expected 6: query Q0 document rank score tag" in message
    assert "line 4: 'q1 Q0 d4 4 high tag': score 'high' is not a finite number" in message
    assert "line 5: 'q1 Q0 d5 5 nan tag': score 'nan' is not a finite number" in message


def test_malformed_lines_left_out_are_counted(tmp_path: Path) -> None:
    """With skip_bad they are left out, and the result says how many."""
    path = tmp_path / "run.txt"
    path.write_text("\n".join([LINES[0], "oops", *LINES[1:], LINES[4]]))
    aligned = align_run(path, JUDGED, skip_bad=True)
    assert (aligned.noted.skipped, aligned.noted.duplicates, aligned.retrieved.sum()) == (2, 0, 5)
    assert aligned.rows.rank.tolist() == align_run(EXPECTED, JUDGED).rows.rank.tolist()
    assert aligned.full("q2").document == ["d1", "d9"]


def test_many_malformed_lines_are_bounded(tmp_path: Path) -> None:
    """Twenty are listed, with the count of the rest."""
    path = tmp_path / "run.txt"
    path.write_text(LINES[0] + "\n" + "q1 0 d1 1\n" * 5000)
    with pytest.raises(InputError, match=r"5000 malformed lines") as caught:
        align_run(path, JUDGED)
    assert "and 4980 more" in str(caught.value)
    assert len(str(caught.value).splitlines()) == 22


@pytest.mark.parametrize("skip_bad", [False, True])
@pytest.mark.parametrize(
    ("raw", "says"),
    [
        (b"q1 0 d1 1\n", [r"line 1: 'q1 0 d1 1': 4 fields; .*are these the judgments\?"]),
        (b"q1|d1|1\n", [r"line 1: 'q1\|d1\|1': 1 fields; expected 6"]),
        (
            "q1 Q0 d1 1 1 t\n".encode("utf-16-le"),
            [r"line 1: .*expected text in UTF-8 \(not UTF-16"],
        ),
        (b"q1 0 d1 1\nmore\n", ["line 1: 'q1 0 d1 1': 4 fields", "line 2: 'more': 1 fields"]),
    ],
)
def test_a_file_of_another_kind_is_told_once(
    raw: bytes, says: list[str], skip_bad: bool, tmp_path: Path
) -> None:
    """Where no line can be read, each mistake is told once, and leaving lines out is no way."""
    path = tmp_path / "run.txt"
    path.write_bytes(raw * 300)
    lines = len((raw * 300).removesuffix(b"\n").split(b"\n"))
    with pytest.raises(InputError) as caught:
        align_run(path, JUDGED, skip_bad=skip_bad)
    first, *rest = str(caught.value).splitlines()
    assert first == f"{path}: {lines} malformed lines, and none that can be read"
    assert len(rest) == len(says)
    assert all(re.match("  " + pattern, line) for pattern, line in zip(says, rest, strict=True))


def test_a_document_twice_is_told_by_its_line(tmp_path: Path) -> None:
    """A duplicate is malformed: it names query, document and line."""
    path = tmp_path / "run.txt"
    path.write_text("\n".join([*LINES[:3], LINES[0]]))
    twice = "line 4: 'd1': query 'q1', document 'd1': ranked twice, first in line 1; give each"
    with pytest.raises(InputError, match=twice):
        align_run(path, JUDGED)
    path.write_text("p 0 d 1\nq 0 e 1\nq 0 d 1\nq 0 d 0\n")
    with pytest.raises(InputError, match=r"line 4: 'd': .*'d': judged twice, first in line 3; giv"):
        align_run(EXPECTED, path)


@pytest.mark.parametrize(
    ("raw", "says"),
    [
        (b"q1 Q0 d\xff1 1 2.0 tag\n", "line 1: .*not text in UTF-8"),
        (LINES[0].encode() + b"\nq1 Q0 d\x002 1 2.0 tag\n", "line 2: .*NUL byte"),
        ("\n".join(LINES).encode("utf-16"), "line 1: .*UTF-16"),
        (b"", "it is empty; expected at least one line"),
        (b"\n \n", "it is empty; expected at least one line"),
        (b"q1 Q0 d1 1 1_0 tag", "score '1_0' is not a finite number"),
        (b"q1 Q0 d1 1 0x10 tag", "score '0x10' is not a finite number"),
        (b"q1 Q0 d1 1 1.2.3 tag", "score '1.2.3' is not a finite number"),
        (b"q1 Q0 d1 1 1-2 tag", "score '1-2' is not a finite number"),
        (b"q1 Q0 d1 1 - tag", "score '-' is not a finite number"),
        (b"q1 Q0 d1 1 . tag", "score '.' is not a finite number"),
        (b"q1 Q0 d1 1 1e999 tag", "score '1e999' is not a finite number"),
    ],
)
def test_bytes_that_are_no_run(tmp_path: Path, raw: bytes, says: str) -> None:
    """What is no text, no number or nothing at all is told by file and line."""
    path = tmp_path / "run.txt"
    path.write_bytes(raw)
    with pytest.raises(InputError, match=says):
        align_run(path, JUDGED)


def test_missing_files_and_folders(tmp_path: Path) -> None:
    """A file that isn't there, or is a folder, is named."""
    with pytest.raises(InputError, match="the file does not exist"):
        align_run(tmp_path / "nothing", JUDGED)
    with pytest.raises(InputError, match="a folder"):
        align_run(tmp_path, JUDGED)
    with pytest.raises(InputError, match="format 'xml' is unknown"):
        align_run(tmp_path / "run", JUDGED, format="xml")


WORDS = st.sampled_from(["q1", "q2", "d1", "0", "1", "-1", "2.5", "nan", "1e3", "", "é", "x" * 30])
# What is wrong with a file as a whole, where no line of it can be named.
NO_LINE_TO_NAME = "|".join(
    (
        "it is empty",
        "install the extra",
        "is packed by",
        "a zip archive",
        "is not a Parquet file",
        "its lines end with a carriage return alone",
        *(f"is {re.escape(one.name)}" for one in (*other_files._FILES, other_files._PICKLE)),
    )
)
NEAR_MISSES = st.lists(st.lists(WORDS, max_size=7).map(" ".join), max_size=8).map(
    lambda lines: "\n".join(lines).encode()
)


@given(
    raw=st.binary(max_size=200) | NEAR_MISSES,
    run=st.booleans(),
    skip_bad=st.booleans(),
    block=st.sampled_from([1, 16, 1 << 22]),
)
@example(raw=b"\x1f\x8b", run=True, skip_bad=False, block=16)
@example(raw=b"\x28\xb5\x2f\xfd", run=True, skip_bad=False, block=16)
@example(raw=b"PAR1", run=True, skip_bad=False, block=16)
@example(raw=b"version https://git-lfs.github.com/spec/", run=False, skip_bad=True, block=1)
@example(raw=b"\x00\r\x00", run=False, skip_bad=True, block=1)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_bytes_give_a_line_or_a_result(
    tmp_path: Path, raw: bytes, run: bool, skip_bad: bool, block: int
) -> None:
    """Whatever a file holds: a result, or an error of ours that names the file."""
    path = tmp_path / "file"
    path.write_bytes(raw)
    problems = Problems(str(path), skip=skip_bad)
    said = ""
    try:
        parts = list(TrecFile(path, RUN if run else QRELS, block).pieces(problems))
        problems.check()
        assert all(np.isfinite(p.value).all() for p in parts if p.value is not None)
        if run:
            align_run(path, JUDGED, skip_bad=skip_bad)
        else:
            read_pool(path, negative="keep", skip_bad=skip_bad)
    except InputError as error:
        said = str(error)
    assert not said or str(path) in said
    assert not said or re.search(NO_LINE_TO_NAME + r"|line \d+", said)


FLOATS = (
    st.floats(allow_nan=False, allow_infinity=False).map(repr)
    | st.decimals(allow_nan=False, allow_infinity=False, places=6).map(str)
    | st.from_regex(r"[+-]?[0-9]{0,20}\.?[0-9]{0,20}(e[+-]?[0-9]{1,3})?", fullmatch=True)
)


LISTS = st.lists(FLOATS.filter(lambda t: t.isascii()), min_size=1, max_size=30)
# Columns of equal decimals, which are read at once, and what is nearly a number.
COLUMNS = st.integers(0, 9).flatmap(
    lambda places: st.lists(st.floats(-1e9, 1e9).map(lambda x: f"{x:.{places}f}"), min_size=1)
)
NEARLY = st.lists(st.text("0123456789..--/:+e", max_size=20))


@given(numbers=LISTS | st.builds(list.__add__, COLUMNS, NEARLY))
@example(numbers=["145000000.625"])  # its thousandths don't fit 32 bits
@example(numbers=["-721452589.6", "598805148.2"])
@example(numbers=["200000000001000e310"])  # numpy warns of what is beyond doubles
@example(numbers=["103.03515748823385", "6.4708321257442331", "964595264284925.7"])
@example(numbers=["/1.123456", "11.123456"])
@example(numbers=["1.2345678.9", "5"])
@example(numbers=["1.123456", "11.123456", "1/.123456", "1:.123456", ".1.12345", "1.12345."])
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_numbers_are_read_as_python_reads_them(tmp_path: Path, numbers: list[str]) -> None:
    """To the last bit, in every notation that Python and C share."""

    def written(text: str) -> bool:
        try:
            return bool(np.isfinite(float(text)))
        except ValueError:
            return False

    lines = [f"q Q0 d{i} 1 {number or '-'} tag" for i, number in enumerate(numbers)]
    path = tmp_path / "run"
    path.write_text("\n".join(lines))
    problems = Problems("run", skip=True)
    (items,) = list(TrecFile(path).pieces(problems)) or [None]
    expected = [float(n) for n in numbers if written(n)]
    assert (items is None and not expected) or items.value.tolist() == expected  # type: ignore[union-attr]
    assert problems.count == len(numbers) - len(expected)


IDS = st.text(st.characters(exclude_categories=["Z", "C"]), min_size=1, max_size=20)
RUNS = st.dictionaries(
    IDS,
    st.dictionaries(IDS, st.sampled_from([1.0, 2.5, -3.0, 1e-9, 7.0]), min_size=1, max_size=8),
    min_size=1,
    max_size=5,
)


@given(run=RUNS, data=st.data(), ties=st.sampled_from(["given", "docid", "docid_ascending"]))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_file_gives_what_the_mapping_gives(
    tmp_path: Path, run: dict[str, dict[str, float]], data: Any, ties: str
) -> None:
    """Written to files and read back, in any order of the queries, the rows are the same."""
    qrels = {
        query: {d: i % 3 for i, d in enumerate([*documents, "x"]) if i % 2 == 0} or {"x": 1}
        for query, documents in run.items()
    }
    lines = [f"{q} Q0 {d} 1 {s!r} t" for q, ds in run.items() for d, s in ds.items()]
    if data.draw(st.booleans(), "interleaved"):
        lines.sort(key=lambda line: hash(line.split()[0]) % 2)
        run = in_plain_python("\n".join(lines))
    (tmp_path / "run").write_text("\n".join(lines), encoding="utf-8")
    judged = [f"{q} 0 {d} {g}" for q, ds in qrels.items() for d, g in ds.items()]
    (tmp_path / "qrels").write_text("\n".join(judged), encoding="utf-8")
    whole = align_run(run, qrels, ties=ties)
    read = align_run(tmp_path / "run", tmp_path / "qrels", ties=ties)
    for name in ("query", "rank", "grade", "retrieved", "pool_grade", "queries"):
        np.testing.assert_array_equal(getattr(read.rows, name), getattr(whole.rows, name))
    np.testing.assert_array_equal(read.tied, whole.tied)
    for query in qrels:
        assert read.full(query).document == whole.full(query).document


def test_the_run_of_trec_eval(shared: Path) -> None:
    """The public test data, read in small blocks, is what plain Python reads."""
    path = shared / "data" / "trec" / "results.test"
    expected = in_plain_python(path.read_text())
    assert run_in(path) == expected
    assert run_in(path, 999) == expected
    aligned = align_run(path, shared / "data" / "trec" / "qrels.test", ties="docid")
    whole = align_run(expected, read_pool(shared / "data" / "trec" / "qrels.test"), ties="docid")
    assert aligned.rows.rank.tolist() == whole.rows.rank.tolist()


def test_pieces_hold_whole_queries(tmp_path: Path) -> None:
    """However small the block, no query is cut, and a piece is not the whole file."""
    path = tmp_path / "run"
    lines = [f"q{i // 20} Q0 d{i} 1 {i} t" for i in range(2000)]
    path.write_text("\n".join(lines))
    pieces = list(TrecFile(path, RUN, 2000).pieces(Problems("run")))
    assert len(pieces) > 5
    assert all((np.diff(p.starts) == 20).all() for p in pieces)
    assert [q for p in pieces for q in p.queries] == [f"q{i}" for i in range(100)]
    assert np.concatenate([p.line for p in pieces]).tolist() == list(range(1, 2001))


def test_a_run_given_for_judgments_is_told_as_such(tmp_path: Path) -> None:
    """And judgments for a run; also where malformed lines are left out, and none is left."""
    (tmp_path / "run").write_text("q Q0 a 1 2.0 t\nq Q0 b 2 1.0 t\n", encoding="utf-8")
    (tmp_path / "qrels").write_text("q 0 a 1\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"6 fields; expected 4: .*\(a run has 6; is this the run"):
        evaluate(tmp_path / "run", tmp_path / "run", "RR")
    with pytest.raises(InputError, match=r"4 fields; .*\(judgments have 4; are these the judgm"):
        evaluate(tmp_path / "qrels", tmp_path / "qrels", "RR", skip_bad=False)
    with pytest.raises(InputError, match=r"2 malformed lines, and none that.*\n  line 1: .*6 fie"):
        evaluate(tmp_path / "run", tmp_path / "run", "RR", skip_bad=True)
