"""What readers make of odd lines: the cells of the table are what is measured now."""

import shutil
from functools import cache
from pathlib import Path

import pytest

from dev.tools.lines import kinds
from dev.tools.lines.examples import KINDS
from dev.tools.lines.kinds import (
    OURS,
    REFUSED,
    column,
    here,
    key,
    made_of,
    measured,
)
from irmetrics_edu import evaluate
from irmetrics_edu.errors import InputError

KNOWN = measured()


def of(library: str) -> list[float | str]:
    """A library's recorded column."""
    return [KNOWN[library]["made"][key(kind)] for kind in KINDS]


@cache
def ours(name: str) -> list[float | str]:
    """What we make of every kind of line, read one way."""
    return column(OURS[name])


def asked() -> dict[str, kinds.Reader]:
    """The libraries that are installed in the version recorded, and a trec_eval on the path."""
    found = {
        name: reader
        for name, (version, reader) in here().items()
        if version == KNOWN[name]["version"]
    }
    if path := shutil.which("trec_eval"):
        name, version, reader = kinds.program(path)
        if KNOWN[name]["version"] == version:
            found[name] = reader
    return found


def test_every_cell_is_there_once() -> None:
    """Each library was asked about each kind of line, and no two kinds have one name."""
    keys = [key(kind) for kind in KINDS]
    assert len(set(keys)) == len(keys)
    assert list(KNOWN) == ["trec_eval 9", "trec_eval 10", "pytrec_eval", "ir_measures", "ranx"]
    for library in KNOWN.values():
        assert set(library["made"]) == set(keys)


@pytest.mark.parametrize("library", asked())
def test_what_a_library_makes_of_a_line(library: str) -> None:
    """The recorded column is what the installed library gives now."""
    assert column(asked()[library]) == of(library)


def test_the_development_environment_measures_two_libraries() -> None:
    """Of these the versions recorded are those that are pinned."""
    assert {"pytrec_eval", "ir_measures"} <= set(asked())


@pytest.mark.parametrize(
    ("way", "theirs"), [("as trec_eval", "trec_eval 9"), ("as trec_eval_10", "trec_eval 10")]
)
def test_what_trec_eval_scores_we_score_alike(way: str, theirs: str) -> None:
    """Wherever trec_eval gives a number we give that number, or the page says why not."""
    odd = [
        (kind.name, kind.file, mine, its)
        for kind, mine, its in zip(KINDS, ours(way), of(theirs), strict=True)
        if isinstance(its, float) and mine != its and not kind.because
    ]
    assert not odd


def test_every_reason_is_for_a_difference() -> None:
    """A kind of line that has a reason for differing differs from one of the two versions."""
    pairs = (("as trec_eval", "trec_eval 9"), ("as trec_eval_10", "trec_eval 10"))
    columns = [(ours(mine), of(its)) for mine, its in pairs]
    for i, kind in enumerate(KINDS):
        differs = any(mine[i] != its[i] for mine, its in columns)
        assert differs or not kind.because, kind.name


def test_read_strictly_what_is_taken_is_as_usual(tmp_path: Path) -> None:
    """What strict reading refuses is told by its file, and mostly by its line."""
    for kind in KINDS:
        if made_of(kind, OURS["reading=strict"], tmp_path) != REFUSED:
            continue
        with pytest.raises(InputError, match=r"(run|qrels|line)") as caught:
            evaluate(tmp_path / "run", tmp_path / "qrels", "nDCG", reading="strict")
        said = str(caught.value)
        assert "line " in said or "it is empty" in said, (kind.name, said)


def test_the_comparison_can_fail(tmp_path: Path) -> None:
    """A reader that takes every line for something else has another column."""
    assert made_of(KINDS[0], lambda run, qrels: 0.5, tmp_path) == 0.5  # noqa: ARG005
    assert ours("reading=strict") != of("trec_eval 9")
