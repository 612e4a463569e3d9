"""The benchmark of recommenders writes its page, with a peer that fails told as such."""

import sys

import pytest

from benchmarks import recommenders, training
from irmetrics_edu.lab.recommenders.lightgcn import LightGCN
from irmetrics_edu.lab.recommenders.recommender import Popularity


@pytest.mark.slow
def test_the_page_has_a_row_for_each_contestant(tmp_path, monkeypatch):
    """Lists are kept, so that a second run trains nothing; Recall is counted by hand."""
    lines = [f"{u},{(u * 3 + j * 5) % 40}" for u in range(12) for j in range(5)]
    tests = {u: (u * 3 + 27) % 40 for u in range(12)}
    files = {
        "train": lines,
        "val": [f"{u},{(u * 3 + 26) % 40}" for u in range(12)],
        "test": [f"{u},{i}" for u, i in tests.items()],
        "item_category": [f"{i},{i % 4}" for i in range(40)],
    }
    folder = tmp_path / "some"
    folder.mkdir()
    for name, rows in files.items():
        (folder / f"{name}.txt").write_text("\n".join(rows), encoding="utf-8")
    trained = []

    def model(dimensions):
        trained.append(dimensions)
        return LightGCN(dimensions=dimensions, epochs=3)

    ours = {recommenders.BASE: model, "Popularity": lambda _: Popularity()}
    monkeypatch.setattr(recommenders, "OURS", ours)
    monkeypatch.setattr(recommenders, "PEERS", ("RecBole LightGCN",))
    monkeypatch.setattr(recommenders, "LENGTH", 20)
    page = tmp_path / "page.md"
    arguments = ["--data", str(folder), "--keep", str(tmp_path / "keep"), "--dimensions", "4"]
    arguments += ["--write", str(page), "--peers", sys.executable]
    for _ in range(2):
        monkeypatch.setattr(sys, "argv", ["recommenders", *arguments])
        recommenders.main()
    assert trained == [4]
    rows = [line.split(" | ") for line in page.read_text(encoding="utf-8").splitlines()]
    told = {row[0].strip("| "): row[1:] for row in rows if len(row) > 2}
    data = recommenders.load_interactions(folder)
    listed = Popularity().fit(data).recommend(20)
    hits = [str(i) in listed[str(u)] for u, i in tests.items()]
    assert told["Popularity"][0] == f"{sum(hits) / len(hits):.4f}"
    assert told[recommenders.BASE][-1].startswith("1.00 ")
    assert "failed: " in page.read_text(encoding="utf-8")


def test_a_step_is_measured_without_torch_too(monkeypatch, capsys):
    """It prints a step's time and the memory, whatever they are."""
    monkeypatch.setattr(sys, "argv", ["training", "--ours", "--pairs", "2000", "--steps", "1"])
    training.main()
    out = capsys.readouterr().out
    assert "ours takes 1.00 times that" in out
    assert "memory at most" in out
