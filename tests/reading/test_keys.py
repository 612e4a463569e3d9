"""Ids are found by numbers made of them; where two ids share a number, no result changes."""

import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from irmetrics_edu import InputError, evaluate
from irmetrics_edu.engine.id_list import Ids
from irmetrics_edu.engine.pool import JudgedPool
from irmetrics_edu.engine.text import Numbers, Text
from tests.aligned_runs import align_run


def files(folder: Path, run: Any, qrels: Any) -> tuple[Path, Path]:
    """TREC files."""
    lines = [f"{q} Q0 {d} 0 {s} t\n" for q, docs in run for d, s in docs]
    (folder / "run").write_text("".join(lines), encoding="utf-8")
    lines = [f"{q} 0 {d} {g}\n" for q, docs in qrels for d, g in docs]
    (folder / "qrels").write_text("".join(lines), encoding="utf-8")
    return folder / "run", folder / "qrels"


@pytest.fixture(params=[0, 1, 3], ids=["all alike", "two", "four"])
def _few_keys(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """All ids have one of so few numbers."""
    own = Text.keys

    def keys(self: Text, salt: Any = None) -> Any:
        found = own(self, salt)
        found &= np.uint64(request.param)
        return found

    monkeypatch.setattr(Text, "keys", keys)


@pytest.mark.usefixtures("_few_keys")
def test_scores_do_not_hang_on_the_keys(tmp_path: Path) -> None:
    """Runs of text and of numbers give what the mappings give, which know no such numbers."""
    chance = random.Random(1)
    for numeric in (False, True):
        ids = list(range(40)) if numeric else [f"d{i:04}" for i in range(40)]
        run = {q: {d: chance.random() for d in chance.sample(ids, 25)} for q in ("1", "2", "3")}
        qrels = {q: {d: chance.randrange(3) for d in chance.sample(ids, 15)} for q in run}
        expected = evaluate(run, qrels, "AP nDCG@10").per_query
        if numeric:
            found = align_run(
                np.array([sorted(run[q], key=lambda d: -run[q][d]) for q in run]),
                [qrels[q] for q in run],
            )
            assert found.rows.rank.tolist() == align_run(run, qrels).rows.rank.tolist()
            continue
        paths = files(
            tmp_path,
            [(q, docs.items()) for q, docs in run.items()],
            [(q, docs.items()) for q, docs in qrels.items()],
        )
        assert evaluate(*paths, "AP nDCG@10").per_query == expected


@pytest.mark.usefixtures("_few_keys")
@pytest.mark.parametrize("which", ["run", "qrels"])
def test_repetitions_are_found_whatever_stands_between(which: str, tmp_path: Path) -> None:
    """The same document again, after others of the same number, in every place."""
    for place in range(1, 5):
        documents = ["a", "b", "c", "d"]
        documents.insert(place, "a")
        twice = [("q", [(d, 5 - i) for i, d in enumerate(documents)])]
        once = [("q", [(d, 1) for d in "abcd"])]
        paths = files(tmp_path, *((twice, once) if which == "run" else (once, twice)))
        with pytest.raises(InputError, match=rf"line {place + 1}: .*document 'a': .*twice"):
            evaluate(*paths, "AP")


def test_keys_are_other_ones_in_each_process() -> None:
    """A file can't be made for its ids to collide."""
    code = (
        "from irmetrics_edu.engine.keys import salts;from irmetrics_edu.engine.text import Text;"
        "print(Text.of(['a', 'b']).keys(salts(2)).tolist())"
    )
    told = {
        subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout
        for _ in range(2)
    }
    assert len(told) == 2


def test_equal_ids_have_equal_keys() -> None:
    """Of whatever length, and wherever they stand in the buffer."""
    words = ["x" * n for n in range(1, 40)]
    assert (Text.of(words).keys() == Text.of(["pad", *words]).keys()[1:]).all()
    assert len(set(Text.of(words).keys().tolist())) == len(words)
    assert len(set(Numbers.of([3, -3, 0]).keys().tolist())) == 3


def test_a_query_with_the_key_of_another_is_not_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    """The texts decide: c has the key of a, and is not a."""
    monkeypatch.setattr(Text, "keys", lambda self, _salt=None: self.length.astype(np.uint64))
    known = Ids(Text.of(["a", "bb"]))
    pool = JudgedPool(known, np.array([0, 1, 2]), np.ones(2), np.ones(2, dtype=bool))
    assert pool.numbers_of(Ids(Text.of(["bb", "c", "a", "dddd"]))).tolist() == [1, -1, 0, -1]


@pytest.mark.parametrize("numeric", [False, True])
def test_the_quick_look_at_both_ends_misses_no_equal_text(numeric: bool) -> None:
    """All short ids beside all: those left are all that are equal, and share length and ends."""
    values: list[Any] = [*range(300), -1, 2**40]
    if not numeric:
        values = [
            "",
            "a",
            "b",
            "aa",
            "ab",
            "ba",
            "aba",
            "aca",
            "é",
            "è",
            "axxxxxxxxa",
            "ayyyyyyyya",
        ]
    column = (Numbers if numeric else Text).of(values)
    for place in range(len(values)):
        beside = np.full(len(values), place)
        left = column.may_equal(column, beside).tolist()
        equal = np.flatnonzero(column.equal(column.take(beside))).tolist()
        assert equal == [place]
        assert set(equal) <= set(left)
        if not numeric:
            ends = {(len(values[i]), values[i][:1], values[i][-1:]) for i in left if values[i]}
            assert len(ends) <= 2  # of é and è the bytes share one end
