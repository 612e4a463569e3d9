"""Lines of TREC read in blocks: where each piece begins, what is told, and from which byte."""

import gzip
import random

import pytest

from irmetrics_edu.conventions.orders import AS_TREC_EVAL, AS_TREC_EVAL_10, STRICT
from irmetrics_edu.reading.files import Problems
from irmetrics_edu.reading.trec import QRELS, RUN, TrecFile, not_text
from tests.tables import rows as each_row


def lines_of(seed):
    """Queries of one to five documents, with a blank line here and there."""
    chance = random.Random(seed)
    lines = []
    for query in range(chance.randint(1, 5)):
        for rank in range(chance.randint(1, 5)):
            lines += [""] * chance.choice([0, 0, 0, 1, 2])
            lines.append(f"q{query} Q0 d{query}-{rank} {rank} {-rank} t")
    return lines


def held(pieces):
    """Each query with its documents and their lines."""
    found = {}
    for piece in pieces:
        for q, query in enumerate(piece.queries):
            begin, end = piece.starts[q], piece.starts[q + 1]
            documents, lines = piece.document.tolist()[begin:end], piece.line[begin:end].tolist()
            assert query not in found
            found[query] = [*zip(documents, lines, strict=True)]
    return found


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("end", ["\n", "\r\n", ""])
def test_pieces_begin_at_the_bytes_that_they_tell(tmp_path, seed, end):
    """From there on a file holds the same queries; a packed file is read from its first byte."""
    lines = lines_of(seed)
    text = (end or "\n").join(lines) + end
    expected = {}
    for number, line in enumerate(lines, 1):
        if line:
            query, _, document, *_ = line.split()
            expected.setdefault(query, []).append((document, number))
    (tmp_path / "run").write_bytes(text.encode())
    (tmp_path / "run.gz").write_bytes(gzip.compress(text.encode()))
    for block in (30, 1000):
        for name in ("run", "run.gz"):
            read = TrecFile(tmp_path / name, block=block)
            pieces = [*read.pieces(Problems("run"))]
            assert held(pieces) == expected
            left = list(expected)
            for piece in pieces:
                if name == "run.gz":
                    assert piece.origin is None
                elif piece.origin is not None:
                    rest = held(read.pieces(Problems("run"), piece.origin))
                    documents = {q: [d for d, _ in of] for q, of in rest.items()}
                    assert documents == {q: [d for d, _ in expected[q]] for q in left}
                left = left[len(piece.queries) :]
    read = TrecFile(tmp_path / "run.gz", block=20)
    assert held(read.pieces(Problems("run"), 7)) == expected


GOOD = "q Q0 {} 1 2.5 t"


@pytest.mark.parametrize("block", [10, 60, 1000])
@pytest.mark.parametrize("place", range(4))
def test_lines_that_are_malformed_are_told_by_their_number(tmp_path, block, place):
    """In whichever block they stand, each once, and the others are read."""
    for line, says in (
        ("q Q0 a 1 t", "5 fields; expected 6"),
        ("q Q0 a 1 2 t x", "7 fields; expected 6"),
        ("q Q0 a 1 x t", "score 'x' is not a finite number; expected query Q0 document"),
        ("#q Q0 a 1 x t", "trec_eval_10' leaves out lines that begin with #"),
    ):
        lines = [GOOD.format(d) for d in "abc"]
        lines.insert(place, line)
        lines[3:3] = ["", "  "]
        (tmp_path / "run").write_text("\n".join(lines), encoding="utf-8")
        problems = Problems("run")
        pieces = TrecFile(tmp_path / "run", block=block).pieces(problems)
        found = [d for piece in pieces for d in piece.document.tolist()]
        assert found == [*"abc"]
        number = lines.index(line) + 1
        assert (problems.count, [p.line for p in problems.kept]) == (1, [number])
        assert says in problems.kept[0].wrong
        assert problems.kept[0].text == line


@pytest.mark.parametrize("block", [10, 60, 1000])
@each_row("reading", [STRICT, AS_TREC_EVAL, AS_TREC_EVAL_10])
def test_what_trec_eval_takes_is_counted_once(tmp_path, block, reading):
    """A mark, more fields, and comments; read strictly they are malformed, but for the mark."""
    lines = [GOOD.format("a"), f"{GOOD.format('b')} more", GOOD.format("d"), f"#{GOOD.format('c')}"]
    (tmp_path / "run").write_bytes(b"\xef\xbb\xbf" + "\n".join(lines).encode() + b"\n")
    problems = Problems("run")
    read = TrecFile(tmp_path / "run", block=block, reading=reading)
    found = held(read.pieces(problems))
    documents = {query: [d for d, _ in of] for query, of in found.items()}
    if reading is STRICT:
        assert documents == {"q": ["a", "d"], "#q": ["c"]}
        assert (problems.count, dict(problems.told)) == (1, {})
        return
    assert problems.count == 0
    comments = reading.comments
    assert documents == {"q": ["a", "b", "d"]} | ({} if comments else {"#q": ["c"]})
    told = {"mark": 1, "longer": 1} | ({"comments": 1} if comments else {})
    assert {kind: n for kind, n in problems.told.items() if n} == told


@pytest.mark.parametrize("bad", [0, 1, 19, 20, 21, 30])
@pytest.mark.parametrize("block", [50, 10_000])
def test_many_malformed_lines_are_counted_and_some_kept(tmp_path, bad, block):
    """The first twenty, however they are read."""
    (tmp_path / "q").write_text("q 0 a 1\n" + "q 0 b\n" * bad + "q 0 c 1\n", encoding="utf-8")
    problems = Problems("q")
    pieces = TrecFile(tmp_path / "q", QRELS, block).pieces(problems)
    assert [d for piece in pieces for d in piece.document.tolist()] == ["a", "c"]
    assert problems.count == bad
    assert [p.line for p in problems.kept] == [*range(2, 2 + min(bad, 20))]


@each_row(
    ("raw", "odd"),
    [
        (b"a\nb", []), (b"a\n\xc3\xa9", []), (b"\xff\nb", [0]), (b"a\n\xff\n\xfe", [1, 2]),
        (b"a\0\nb", [0]), (b"a\nb\0", [1]), (b"\x80", [0]), (b"\x7f", []), (b"", []),
        (b"\xc3\n\xa9", [0, 1]),
    ],
)  # fmt: skip
def test_lines_that_are_no_text_are_told_by_their_place(raw, odd):
    """Each alone: a letter does not go on over the end of a line."""
    assert [number for number, _ in not_text(raw)] == odd
    whys = {why for _, why in not_text(raw)}
    assert whys <= {
        "it is not text in UTF-8",
        "it holds a NUL byte; expected text in UTF-8 (not UTF-16)",
    }


def test_the_fields_of_runs_and_judgments_stand_where_trec_has_them():
    """Counted from 0."""
    assert (RUN.query, RUN.document, RUN.value, RUN.most) == (0, 2, 4, float("inf"))
    assert (QRELS.query, QRELS.document, QRELS.value, QRELS.most) == (0, 2, 3, 4)
    assert str(RUN) == "query Q0 document rank score tag"
    assert str(QRELS) == "query iteration document grade"
