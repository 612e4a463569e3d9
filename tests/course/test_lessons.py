"""What the text says of a figure to be moved is so: sentence by sentence, counted another way."""

import re
from math import isclose, prod
from typing import Any

import matplotlib as mpl
import numpy as np
import pytest

from dev.tools import quick
from dev.tools.notebooks import sources
from irmetrics_edu import evaluate


def text_of(name: str) -> str:
    """The prose of a chapter, in one line."""
    [source] = sources([name])
    return re.sub(r"\n# ?", " ", source.read_text(encoding="utf-8"))


def names_of(name: str, without: str = "") -> dict[str, Any]:
    """The names of a chapter after its cells have run, but for those with a word."""
    mpl.use("Agg")
    [source] = sources([name])
    names: dict[str, Any] = {"__name__": "__main__"}
    for number, code in quick.cells(source):
        if not without or without not in code:
            quick.execute(code, names, str(source), number)
    return names


def test_map_and_gmap_part_where_the_text_says() -> None:
    """Chapter 5: GMAP of A falls below that of B between 0.08 and 0.04, and MAP only at 0."""
    assert (
        "A crosses the dashed line between 0.08 and 0.04. It reaches the solid line only at 0"
        in (text_of("05"))
    )
    b = (0.08, 0.04, 0.20)
    better = {x: prod((x, 0.03, 0.29)) > prod(b) for x in (0.08, 0.04)}
    assert better == {0.08: True, 0.04: False}
    assert isclose(0 + 0.03 + 0.29, sum(b))


def test_a_judgment_shrinks_the_residual_of_an_impatient_reader() -> None:
    """Chapter 8: the residual is the weight of the unjudged ranks and of all ranks below 8."""

    def residual(p: float, unjudged: tuple[int, ...]) -> str:
        return f"{sum((1 - p) * p ** (i - 1) for i in unjudged) + p**8:.2f}"

    told = re.search(
        r"At \$p=0.2\$ the judgment of u1 shrinks the residual from (\S+) to (\S+), .* "
        r"At \$p=0.9\$ all three judgments shrink it only from (\S+) to (\S+)\. "
        r"The weight of the ranks below the end of the list is (\S+),",
        text_of("08"),
    )
    assert told is not None
    assert told.groups() == (
        residual(0.2, (1, 4, 6)), residual(0.2, (4, 6)), residual(0.9, (1, 4, 6)),
        residual(0.9, ()), residual(0.9, ()),
    )  # fmt: skip


@pytest.mark.parametrize("alpha", [0, 0.25, 0.5, 0.75, 1])
def test_orders_of_the_same_pages_end_at_the_same_gain(alpha: float) -> None:
    """Chapter 9: the copies of a nugget gain 1, 1 - alpha, (1 - alpha)^2 ... in any order."""
    assert "All orders end at the same gain" in text_of("09")
    held = dict(zip("abcdefghij", ("AB", "A", "A", "", "CD", "C", "E", "C", "C", "C"), strict=True))
    copies = {nugget: "".join(held.values()).count(nugget) for nugget in "ABCDE"}
    ends = set()
    for order in ("efhijabcgd", "abcdefghij", "aegbfchijd"):
        seen, gain = "", 0.0
        for page in order:
            gain += sum((1 - alpha) ** seen.count(nugget) for nugget in held[page])
            seen += held[page]
        ends.add(round(gain, 9))
    assert ends == {round(sum((1 - alpha) ** i for c in copies.values() for i in range(c)), 9)}


@pytest.mark.slow
def test_eight_broken_topics_are_needed_to_see_them_in_the_mean() -> None:
    """Chapter 13: the mean of what is left, over all topics; and each topic's bound."""
    assert (
        "With seven broken topics in a hundred the test of the mean still passes, and with eight"
        in (text_of("13"))
    )
    names = names_of("13", without="shop")
    scores = evaluate(names["BM25"], names["DEEP"], "nDCG@10").per_query["nDCG@10"]
    assert len(scores) == 100
    mean = {
        n: (sum(scores.values()) - sum(scores[t] for t in names["ORDER"][:n])) / 100 for n in (7, 8)
    }
    assert mean[7] > 0.6 > mean[8]
    assert [topic for topic, score in scores.items() if score < 0.1] == ["q008"]


@pytest.mark.slow
def test_passages_of_three_sentences_win_in_a_small_window() -> None:
    """Chapter 20: in 40 words; a page fits for two questions; in 150 words pages are as good."""
    assert "In a window of 40 words passages of three sentences are best. A page fits for two" in (
        text_of("20")
    )
    names = names_of("20")
    sizes, recall = names["SIZES"], names["in_window"]
    small = {size: recall(size, 40) for size in sizes}
    assert [size for size in sizes if small[size] == max(small.values())] == [3]
    pages = names["RUNS"][6].answers
    assert sum(len(pages[q][0].text.split()) <= 40 for q in names["FACTS"]) == 2
    assert recall(6, 150) == recall(3, 150) == 1


@pytest.mark.slow
def test_peeking_makes_false_alarms_of_the_same_data() -> None:
    """Chapter 26: two with one look, nine with twenty; seven of them end inside the bounds."""
    text = text_of("26")
    assert "Of these 40 tests two are false alarms with one look, and nine are with twenty" in text
    assert "Seven of the nine lines end inside the bounds." in text
    clicks = names_of("26")["per_user"][:40]

    def z(users: int) -> Any:
        a, b = clicks[:, 0, :users].mean(axis=1), clicks[:, 1, :users].mean(axis=1)
        return (b - a) / np.sqrt((a * (1 - a) + b * (1 - b)) / users)

    alarms = (np.abs([z(users) for users in range(100, 2001, 100)]) > 1.96).any(axis=0)
    at_the_end = np.abs(z(2000)) > 1.96
    assert (at_the_end.sum(), alarms.sum()) == (2, 9)
    assert (alarms & ~at_the_end).sum() == 7


WORDS_OF_THIS_CHAPTER = "These are the words of this chapter:"
# Sentences that would put our words into somebody else's mouth.
_ITS_WORDS = re.compile(r"[Tt]hese are (its|his|her|their|the lecture's) (words|terms)")


@pytest.mark.parametrize("source", sources(), ids=lambda p: p.stem)
def test_terms_are_called_the_words_of_the_chapter(source: Any) -> None:
    """One fixed sentence before the terms of every chapter: the words are the course's own."""
    cells = re.split(r"^# %%", source.read_text(encoding="utf-8"), flags=re.MULTILINE)
    with_terms = [i for i, cell in enumerate(cells) if re.search(r"^terms\(", cell, re.MULTILINE)]
    assert with_terms
    before = re.sub(r"\n# ?", " ", cells[with_terms[0] - 1]).strip()
    assert before.endswith(WORDS_OF_THIS_CHAPTER)
    assert with_terms == [*range(with_terms[0], with_terms[0] + len(with_terms))]
    assert not _ITS_WORDS.search(re.sub(r"\n# ?", " ", source.read_text(encoding="utf-8")))
