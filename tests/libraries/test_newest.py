"""The table of drift says of each newest release whether its bundle holds."""

from types import SimpleNamespace

import pytest

from irmetrics_edu.libraries import BUNDLES
from tests.libraries import newest
from tests.libraries.replay import HOME, recorded

FOUND = {
    "ranx": {"version": "9.9", "rows": 3, "wrong": []},
    "surprise": {"version": "9.9", "rows": 3, "wrong": ["ndcg@5 on ties"]},
    "mteb": {"version": "9.9", "rows": 3, "wrong": []},
    "ragas": {"version": "-", "rows": 0, "wrong": [], "failed": "no wheel"},
}


def test_a_line_for_each_library(monkeypatch, capsys):
    """What holds, what does not, and what can't be asked; the exit code says whether all hold."""
    monkeypatch.setattr(newest, "newest", FOUND.__getitem__)
    monkeypatch.setattr(newest, "beyond", lambda name: "10" if name == "mteb" else "")
    assert newest.main(["ranx"]) == 0
    assert newest.main(["ranx", "surprise"]) == 1
    assert newest.main(["ragas"]) == 1
    assert newest.main(["mteb"]) == 1
    lines = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    assert f"ranx {BUNDLES['ranx'].version} 9.9 holds: 3 values" in lines
    assert any("no longer holds: 1 of 3 values, such as ndcg@5 on ties" in line for line in lines)
    assert any("not asked: 10 needs a newer Python than this one" in line for line in lines)
    assert any("can't be asked: no wheel" in line for line in lines)
    with pytest.raises(SystemExit):
        newest.main(["nobody"])


def test_a_value_that_moved_is_found(monkeypatch):
    """The recorded rows of a library hold; one of them moved is named with its input."""
    rows = [tuple(row) for row in recorded(HOME / "surprise.json")["rows"]]
    monkeypatch.setattr(newest, "version", lambda _: "9.9")
    monkeypatch.setattr(newest, "warnings", SimpleNamespace(simplefilter=lambda _: None))
    monkeypatch.setattr(newest, "rows_of", lambda _: iter(rows))
    assert newest.here("surprise")["wrong"] == []
    place = next(i for i, (_, _, value) in enumerate(rows) if value == 1)
    metric, probe, value = rows[place]
    rows[place] = (metric, probe, value - 0.25)
    found = newest.here("surprise")
    assert found["wrong"] == [f"{metric} on {probe}"]
    assert found["rows"] == len(rows)


def test_a_library_that_only_fails_has_not_drifted(monkeypatch):
    """If it can't even be imported, each call is one error, and no convention has changed."""
    rows = [("m", "a", "ValueError"), ("m", "b", "ValueError")]
    monkeypatch.setattr(newest, "rows_of", lambda _: rows)
    with pytest.raises(RuntimeError, match="each call is a ValueError"):
        newest.here("surprise")
