"""The page of the diversity study says what its numbers say."""

import json

import pytest

from dev.benchmarks.diversity_page import overview, page
from dev.benchmarks.diversity_study import DOCS, DRAWN, HOME, movielens, written

HELD = {p.stem: json.loads(p.read_text(encoding="utf-8")) for p in sorted(HOME.glob("*.json"))}


def test_the_page_is_that_of_its_numbers():
    """Written anew it is the same, and each figure is there."""
    text = (DOCS / "diversity-study.md").read_text(encoding="utf-8")
    assert text == written()
    for name in HELD:
        for figure in DRAWN:
            assert f"(diversity-study/{name}-{figure}.svg)" in text
            assert (HOME / f"{name}-{figure}.svg").read_text(encoding="utf-8").startswith("<?xml")


@pytest.mark.parametrize("name", list(HELD))
def test_verdicts_follow_from_the_cases(name):
    """Counted anew, by the intervals; what is infeasible has no numbers and counts for nothing."""
    for claim in HELD[name]["claims"]:
        outcomes = []
        for case in claim["cases"]:
            if case["outcome"] == "infeasible":
                assert case["mean"] is None
                continue
            outcomes.append("holds" if case["low"] > 0 else "fails" if case["high"] < 0 else "open")
            assert case["outcome"] == outcomes[-1]
        holds, fails = outcomes.count("holds"), outcomes.count("fails")
        assert claim["summary"].startswith(claim["verdict"])
        if outcomes:
            assert f": {holds} of {len(outcomes)} cases" in claim["summary"]
        if fails and not holds:
            assert claim["verdict"] == "does not hold"


def test_a_claim_says_whose_it_is():
    """Slide 10 makes three, the abstract one; the rest are questions of ours, as in the program."""
    mine = "our question"
    for held in HELD.values():
        by = {c["id"]: c["source"] for c in held["claims"]}
        assert [i for i, source in by.items() if source == mine] == [
            "diversity up", "not among effective items", "coefficient exists",
        ]  # fmt: skip
        assert by.pop("order turned round") == "abstract of the paper"
        assert set(by.values()) == {mine, "document 002, slide 10"}


def test_the_overview_has_a_bar_for_each_claim_and_data_set():
    """Cut by the outcomes of its cases; the limits come before what was found."""
    figure = overview(HELD)
    for panel, held in zip(figure.axes, HELD.values(), strict=True):
        parts = [bars.datavalues for bars in panel.containers]  # one for each outcome
        for i, claim in enumerate(held["claims"]):
            outcomes = [case["outcome"] for case in claim["cases"]]
            known = ("holds", "open", "fails", "infeasible")
            shares = [outcomes.count(outcome) / max(1, len(outcomes)) for outcome in known]
            assert [float(part[i]) for part in parts] == pytest.approx(shares)
    text = page(HELD)
    assert text.index("## Limits") < text.index("## The claims") < text.index("claims.svg")


def test_what_is_said_of_sparse_and_dense_data_is_so():
    """The sentences of the page that are not computed, checked against the numbers."""
    share, lost = {}, {}
    for name in ("beauty", "movielens"):
        gained = [a for a in HELD[name]["answers"] if a["gain"]["outcome"] == "holds"]
        share[name] = [
            sum(a["of_hits"]["outcome"] == outcome for a in gained)
            for outcome in ("holds", "fails")
        ]
        hit = HELD[name]["users with a hit"]
        lost[name] = max(1 - hit[r]["10"] / hit["LightGCN"]["10"] for r in ("MMR", "DPP", "DGRec"))
    assert share["beauty"][0] < share["beauty"][1]
    assert share["movielens"][0] > share["movielens"][1]
    assert lost["movielens"] < 0.05
    assert lost["beauty"] > 0.6
    assert not any(c["feasible"] for c in HELD["movielens"]["coefficients"])


def test_movielens_is_split_by_time_and_rating(tmp_path):
    """Ratings of 4 and more, each user's in order of time; users of fewer than 5 are left out."""
    rows = ["user_id\titem_id\trating\ttimestamp"]
    rows += [f"1\t{i}\t{4 + i % 2}\t{100 - i}" for i in range(1, 11)]
    rows += ["1\t11\t3\t1", *(f"2\t{i}\t5\t{i}" for i in range(1, 5))]
    (tmp_path / "ml-100k.inter").write_text("\n".join(rows), encoding="utf-8")
    items = ["item_id\ttitle\tyear\tclass", *(f"{i}\tx\t1990\tDrama War" for i in range(1, 12))]
    (tmp_path / "ml-100k.item").write_text("\n".join(items), encoding="utf-8")
    data = movielens(tmp_path)
    assert data.users == ("1",)
    met = {s: [data.items[i] for _, i in pairs.tolist()] for s, pairs in data.pairs.items()}
    assert met["train"] == ["10", "9", "8", "7", "6", "5"]
    assert (met["validation"], met["test"]) == (["4", "3"], ["2", "1"])
    assert data.n_categories == 2
