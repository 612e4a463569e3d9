"""Nobody picks a seed: in a chapter the seeds are 0, 1, 2 ... in order of appearance."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from dev.tools.notebooks import sources

# A key of several numbers: the first names a stream, so that two parts of a world don't share one.
STREAMS = {
    "more_than_chance": {1, 2},  # what the engines share, and what each has alone
    "inference": {1, 2},  # the same world
    "never_judged": {99},  # what each engine has alone; the other keys are of variables
    "gates": {11, 12},  # queries, and the new part of a change
}
DRAWING = {"default_rng", "Chance", "Random", "RandomState"}


def drawn(node: ast.AST) -> Iterator[ast.expr]:
    """The seeds that a node of the tree gives: as an argument, by name, as a default, in a dict."""
    if isinstance(node, ast.Call):
        called = getattr(node.func, "attr", getattr(node.func, "id", ""))
        if called in DRAWING:
            yield from node.args[:1]
        yield from (k.value for k in node.keywords if k.arg in {"seed", "random_state"})
    if isinstance(node, ast.Dict):
        for key, value in zip(node.keys, node.values, strict=True):
            if isinstance(key, ast.Constant) and key.value in {"seed", "random_state"}:
                yield value
    if isinstance(node, ast.arguments):
        by_place = zip(node.args[::-1], node.defaults[::-1], strict=False)
        by_name = zip(node.kwonlyargs, node.kw_defaults, strict=True)
        for arg, default in (*by_place, *by_name):
            if arg.arg == "seed" and default is not None:
                yield default


def out_of_order(source: str, streams: set[int]) -> list[str]:
    """The lines with a seed that leaves one out, or with a stream that isn't named."""
    given = sorted(
        (value.lineno, value.col_offset, value)
        for node in ast.walk(ast.parse(source))
        for value in drawn(node)
    )
    faults = []
    following = 0
    for line, _, value in given:
        if isinstance(value, ast.Tuple):
            first = value.elts[0]
            if isinstance(first, ast.Constant) and first.value not in streams:
                faults.append(f"line {line}: the stream {first.value} is not named")
        elif isinstance(value, ast.Constant):
            if value.value > following:
                faults.append(f"line {line}: {value.value} comes where {following} is the next")
            following = max(following, value.value + 1)
    return faults


@pytest.mark.parametrize("source", sources(), ids=lambda path: path.stem)
def test_seeds_come_in_order(source: Path) -> None:
    """The first draw has the seed 0; no number is left out."""
    streams = STREAMS.get(source.stem[3:], set())
    assert out_of_order(source.read_text(encoding="utf-8"), streams) == []


def test_a_picked_seed_is_found() -> None:
    """However it is given."""
    for text in (
        "np.random.default_rng(1)",
        "Chance(7)",
        "draw(seed=0), draw(seed=2)",
        'change = {"seed": 4}',
        "def draw(n, *, seed=3): ...",
        "def draw(n, seed=3): ...",
        "np.random.default_rng((5, i))",
    ):
        assert len(out_of_order(text, set())) == 1, text
    assert out_of_order("draw(seed=0), draw(seed=1), draw(seed=0), draw(seed=i)", set()) == []
