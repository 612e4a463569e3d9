"""A short run of the fuzzers with fixed seeds, and proof that they find what is planted."""

import json
import random
from pathlib import Path
from typing import Any

import pytest

from irmetrics_edu.conventions import Scores, Ties
from irmetrics_edu.errors import InputError
from irmetrics_edu.reading import frames, trec
from irmetrics_edu.reading.files import Problems
from irmetrics_edu.reading.trec import TrecFile
from tests.fuzz import MAKERS, oracle
from tests.fuzz.__main__ import again
from tests.fuzz.readers import READERS
from tests.fuzz.sources import of_sources
from tests.fuzz.trial import SEEDS, trials

NUMBER = {"files": 50, "frames": 60, "subtopics": 25, "arrays": 80, "mappings": 80}


@pytest.mark.parametrize("kind", MAKERS)
def test_spoilt_input_ends_in_the_oracles_score_or_in_an_error(kind: str) -> None:
    """No crash, no silence, no refusal of what is good, no error without a place."""
    outcome = trials({kind: MAKERS[kind]}, 1, number=NUMBER[kind])
    assert outcome.trials == NUMBER[kind]
    assert not outcome.findings, "\n".join(map(str, outcome.findings[:5]))
    asked = sum(outcome.verdicts.values())
    assert outcome.verdicts["scored"] > asked / 6  # else it would be told little
    assert outcome.verdicts["refused"] > asked / 20


def test_what_was_ever_found_stays_mended(tmp_path: Path) -> None:
    """Each seed of the corpus gives an input that once ended wrongly, or one as odd."""
    seeds = SEEDS.read_text(encoding="utf-8").split()
    for seed in seeds:
        finding, _ = again(seed, tmp_path)
        assert finding is None, finding


@pytest.mark.parametrize("kind", READERS)
def test_spoilt_files_are_read_or_refused(kind: str) -> None:
    """By each other reader: no traceback, no warning, and the same answer twice."""
    outcome = trials({kind: READERS[kind]}, 1, number=1 if kind == "class" else 6)
    assert not outcome.findings, "\n".join(map(str, outcome.findings[:5]))


@pytest.mark.suite("guide")
def test_every_source_of_the_same_data_gives_the_same() -> None:
    """Values, notes, refusals of odd ids; and no letter is shown that misleads."""
    outcome = trials({"sources": of_sources}, 1, number=25)
    assert not outcome.findings, "\n".join(map(str, outcome.findings[:5]))


def _accepts_words(text: Any) -> Any:
    value, good = _numbers(text)
    return value, good | True


_numbers = trec.decimals


def _crash(*_: Any, **__: Any) -> Any:
    raise TypeError("object of type 'NAType' has no len()")


def _nowhere(_: Problems, **__: bool) -> None:
    raise InputError("something is wrong")


@pytest.mark.parametrize(
    ("kind", "found", "owner", "name", "planted"),
    [
        ("files", "silence", Ties, "arranged", lambda _, d, __=(): list(range(len(d)))),
        ("files", "silence", Scores, "__call__", lambda _, score: score),
        ("files", "silence", TrecFile, "_tell", lambda *_: None),
        ("files", "silence", trec, "decimals", _accepts_words),
        ("subtopics", "silence", Ties, "arranged", lambda _, d, __=(): list(range(len(d)))),
        ("frames", "silence", Ties, "arranged", lambda _, d, __=(): list(range(len(d)))),
        ("frames", "crash", frames.FrameRows, "numbers", _crash),
        ("files", "unnamed", Problems, "check", _nowhere),
        ("files", "refusal", Problems, "check", _nowhere),
    ],
)
def test_what_is_planted_is_found(
    monkeypatch: pytest.MonkeyPatch, kind: str, found: str, owner: Any, name: str, planted: Any
) -> None:
    """Scores in another order, lost lines, words as numbers, a crash, an error without a place."""
    monkeypatch.setattr(owner, name, planted)
    outcome = trials({kind: MAKERS[kind]}, 1, number=100, until=found)
    assert found in {finding.kind for finding in outcome.findings}


def test_a_trial_can_be_made_again(tmp_path: Path) -> None:
    """The seed that a finding names gives the same input."""
    for make in MAKERS.values():
        first, again = (make(random.Random("x-1-7"), tmp_path) for _ in range(2))
        assert first.measures == again.measures
        assert first.block == again.block


def test_the_oracle_scores_as_trec_eval_does() -> None:
    """It reads and scores the recorded files of trec_eval 9 and 10 to the digits these print."""
    path = Path(__file__).parent.parent / "runs" / "trec_eval.json"
    for case in json.loads(path.read_text(encoding="utf-8")):
        run, qrels = ("\n".join(case[name]).encode() for name in ("run", "qrels"))
        for version, reading, bits in (("9.0.8", "trec_eval", 24), ("10.0", "trec_eval_10", 53)):
            judged = oracle.by_query(oracle.trec(qrels, reading, run=False))
            ranked = oracle.by_query(oracle.trec(run, reading, run=True))
            for name, k in (("ndcg", None), ("ndcg_cut_3", 3)):
                scores = oracle.ndcg(ranked, judged, k, bits=bits)
                for query, printed in case["trec_eval"][version][name].items():
                    if query != "all":
                        assert f"{scores[query]:.4f}" == printed
