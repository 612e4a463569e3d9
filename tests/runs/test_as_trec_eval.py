"""Files read as trec_eval 9 and 10 read them: the same scores, and all that is odd is told."""

import json
from pathlib import Path
from typing import Any

import pytest

from irmetrics_edu import evaluate
from irmetrics_edu.cli import main
from irmetrics_edu.conventions import AS_TREC_EVAL_10
from irmetrics_edu.errors import InputError
from irmetrics_edu.libraries import BUNDLES
from irmetrics_edu.reading.files import Problems
from irmetrics_edu.reading.trec import TrecFile

QRELS = b"q1 0 a 0\nq1 0 b 2\nq1 0 c 1\n"
RUN = b"q1 Q0 a 1 3 t\nq1 Q0 b 2 2 t\nq1 Q0 c 3 1 t\n"

# Files and what trec_eval 9.0.8 and 10.0 printed for them, with -q -c: ties, unjudged documents,
# queries on one side, grades below 0, and scores that only 24 or 53 bits tell apart.
RECORDED = json.loads(Path(__file__).with_name("trec_eval.json").read_text(encoding="utf-8"))
BUNDLE_OF = {"9.0.8": "trec_eval", "10.0": "trec_eval_10"}


def files(folder: Path, run: bytes = RUN, qrels: bytes = QRELS) -> tuple[Path, Path]:
    """A run and judgments as files."""
    (folder / "run").write_bytes(run)
    (folder / "qrels").write_bytes(qrels)
    return folder / "run", folder / "qrels"


@pytest.mark.parametrize("version", BUNDLE_OF)
@pytest.mark.parametrize("case", range(len(RECORDED)))
def test_recorded_files_score_as_in_trec_eval(tmp_path: Path, case: int, version: str) -> None:
    """Every measure of every query, and every mean, to the four digits that trec_eval prints."""
    given = RECORDED[case]
    text = ("\n".join(given[name]).encode() for name in ("run", "qrels"))
    run, qrels = files(tmp_path, *text)
    by = BUNDLES[BUNDLE_OF[version]]
    for name, printed in given["trec_eval"][version].items():
        if name == "gm_map":  # of single queries a logarithm
            mean = evaluate(run, qrels, "GMAP", by)["GMAP"]
            assert f"{mean:.4f}" == printed["all"]
            continue
        metric, _ = by.measure(name)
        e = evaluate(run, qrels, metric, by)
        scores: dict[Any, float] = next(iter(e.per_query.values()))
        missing = dict.fromkeys(e.counts.missing, "0.0000")  # version 9 does not print these
        ours = {query: f"{score:.4f}" for query, score in scores.items()}
        assert ours == {**missing, **{q: v for q, v in printed.items() if q != "all"}}, name
        assert f"{next(iter(e.mean.values())):.4f}" == printed["all"], name


def test_the_versions_differ_where_the_bundles_do() -> None:
    """The recordings tell 24 bits from 53, and levels of recall rounded in two ways."""
    nine, ten = (RECORDED[2]["trec_eval"][version] for version in BUNDLE_OF)
    assert nine["recip_rank"] != ten["recip_rank"]
    nine, ten = (RECORDED[0]["trec_eval"][version] for version in BUNDLE_OF)
    assert nine["11pt_avg"] != ten["11pt_avg"]
    assert nine["ndcg"] == ten["ndcg"]


def test_a_run_with_words_after_the_tag(tmp_path: Path, shared: Path) -> None:
    """As in the truncated run of trec_eval's tests, they are not read, and counted."""
    qrels = shared / "data" / "trec" / "qrels.test"
    plain = shared / "data" / "trec" / "results.test"
    longer = tmp_path / "run"
    longer.write_bytes(plain.read_bytes().replace(b"STANDARD\n", b"STANDARD more junk at\n"))
    e = evaluate(longer, qrels, "AP nDCG@10")
    assert e.per_query == evaluate(plain, qrels, "AP nDCG@10").per_query
    assert e.counts.as_trec_eval == {"longer": 1500}
    assert "1,500 lines go on after the tag; the rest of each line is ignored" in e.notes()
    with pytest.raises(
        InputError, match=r"1500 malformed lines.*\n.*line 1: .*9 fields; expected 6"
    ):
        evaluate(longer, qrels, "AP", reading="strict")


@pytest.mark.parametrize(
    ("run", "qrels", "kind", "note"),
    [
        (RUN.replace(b" t\n", b" t u v\n", 1), QRELS, "longer", "1 line goes on after the tag"),
        (b"#\n" + RUN + b"# b", b"# c\n" + QRELS, "comments", "3 lines begin with #"),
        (RUN.replace(b" b ", b" \xe9 "), QRELS, "not_utf8", "1 line is not UTF-8; its ids"),
        (RUN.replace(b" 1 t", b" -inf t"), QRELS, "infinite", "1 score is infinite"),
        (RUN.replace(b" 3 t", b" 1e999 t"), QRELS, "infinite", "1 score is infinite"),
        (RUN.replace(b" 1 t", b" -nan(x) t"), QRELS, "nan", "1 score is nan; it ranks below"),
        (RUN.replace(b" 2 t", b" 0x2p0 t"), QRELS, "hexadecimal", "1 score is hexadecimal"),
        (RUN, QRELS.replace(b"c 1", b"c 1.7"), "cut", "1 grade is not a whole number"),
        (b"\xef\xbb\xbf" + RUN, QRELS, "mark", "1 file begins with a byte-order mark"),
    ],
)
@pytest.mark.parametrize("measures", ["nDCG", "nDCG AUC"])
def test_what_is_taken_as_trec_eval_takes_it_is_told(
    tmp_path: Path, run: bytes, qrels: bytes, kind: str, note: str, measures: str
) -> None:
    """In the counts, in the notes, as JSON; also where a measure reads the files into memory."""
    e = evaluate(*files(tmp_path, run, qrels), measures, "trec_eval_10")
    assert e["nDCG"] == pytest.approx(0.1900 if kind == "not_utf8" else 0.6697, abs=1e-4)
    assert list(e.counts.as_trec_eval) == [kind]
    assert any(said.startswith(note) for said in e.notes())
    assert json.loads(e.json())["counts"]["as_trec_eval"] == dict(e.counts.as_trec_eval)


@pytest.mark.parametrize("block", [1, 30, 1 << 22])
def test_each_odd_line_is_counted_once(tmp_path: Path, block: int) -> None:
    """However the file is cut into blocks."""
    lines = [b"%s Q0 d%d 1 nan t x" % (q, i) for q in (b"q", b"r\xff", b"s") for i in range(4)]
    run, _ = files(tmp_path, b"# c\n" + b"\n# c\n".join(lines))
    problems = Problems("run")
    parts = list(TrecFile(run, block=block, reading=AS_TREC_EVAL_10).pieces(problems))
    assert sum(len(part.line) for part in parts) == 12
    assert problems.told == {"longer": 12, "comments": 12, "nan": 12, "not_utf8": 4}
    assert parts[0].line[0] == 2


def test_bytes_that_are_no_text_keep_their_order(tmp_path: Path) -> None:
    """Ties go by bytes, the larger first, as strcmp has them; é in two encodings is two ids."""
    ids = [b"\x80", b"\xc3\xa9", b"\xe9", b"\xee\x80\x80", b"\xf0\x9f\x98\x80", b"a"]
    run = b"".join(b"q Q0 %s 1 1 t\n" % i for i in ids)
    want = sorted(ids, reverse=True)
    for rank, document in enumerate(want, 1):
        paths = files(tmp_path, run, b"q 0 %s 1\n" % document)
        assert evaluate(*paths, "RR")["RR"] == pytest.approx(1 / rank)
        assert evaluate(*paths, "RR AUC")["RR"] == pytest.approx(1 / rank)  # in memory


def test_infinite_scores_are_above_and_below_all(tmp_path: Path) -> None:
    """In both versions, tied with each other by id."""
    run = b"q Q0 a 1 inf t\nq Q0 b 1 inf t\nq Q0 c 1 1e30 t\nq Q0 d 1 nan t\nq Q0 e 1 -inf t\n"
    for by in ("trec_eval", "trec_eval_10"):
        for rank, document in enumerate(b"bac", 1):
            paths = files(tmp_path, run, b"q 0 %c 1\n" % document)
            assert evaluate(*paths, "RR", by)["RR"] == pytest.approx(1 / rank)


def test_a_word_is_no_number_under_any_convention(tmp_path: Path) -> None:
    """Where trec_eval would take the digits that it begins with, or 0, it is an error here."""
    for word in (b"high", b"1_000", b"1.2.3", b"0x", b"1e", b"infin", b"nan(", b"--1"):
        paths = files(tmp_path, RUN.replace(b" 2 t", b" %s t" % word))
        for by in ("trec_eval", "trec_eval_10", "irmetrics_edu"):
            with pytest.raises(InputError, match=r"run: a malformed line.*\n  line 2: "):
                evaluate(*paths, "RR", by)
    paths = files(tmp_path, RUN.replace(b" 2 t", b" high t and more"))
    with pytest.raises(InputError, match=r"line 2: .*score 'high' is not a finite number"):
        evaluate(*paths, "RR")


def test_other_conventions_read_strictly(tmp_path: Path) -> None:
    """Only trec_eval's own two bundles take what trec_eval takes."""
    lenient = {name for name in BUNDLES if BUNDLES[name].reading.as_c}
    assert lenient == {"trec_eval", "trec_eval_10", "pyserini_remove_query"}
    paths = files(tmp_path, RUN.replace(b" t\n", b" t u\n"))
    for name in ("irmetrics_edu", "pytrec_eval", "ranx"):
        with pytest.raises(InputError, match="7 fields; expected 6"):
            evaluate(*paths, "RR", name)


def test_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """--conventions chooses how lines are read."""
    run, qrels = files(tmp_path, b"# made on Monday\n" + RUN, QRELS)
    asked = ["evaluate", str(qrels), str(run), "-m", "nDCG", "--conventions"]
    assert main([*asked, "trec_eval_10"]) == 0
    out = capsys.readouterr().out
    assert "0.6697" in out
    assert "1 line begins with # and is left out as a comment" in out
    assert main([*asked, "trec_eval"]) == 2
    assert "line 1" in capsys.readouterr().err
