"""Every claim of the tables still stands in its chapter, and holds."""

import pytest

from tests.lessons import measures, practice, small_inputs
from tests.lessons.claims import SEEDS, Claim, Lesson, Rule, texts_of

CLAIMS: list[Claim] = [*measures.CLAIMS, *practice.CLAIMS, *small_inputs.CLAIMS]


def test_each_sentence_stands_in_its_chapter() -> None:
    """Letter for letter; and no row is there twice."""
    gone = [
        f"{claim.chapter}: {claim.sentence}"
        for claim in CLAIMS
        if not any(claim.sentence in text for text in texts_of(claim.chapter))
    ]
    assert gone == []
    assert len({(claim.chapter, claim.sentence, claim.holds) for claim in CLAIMS}) == len(CLAIMS)


@pytest.mark.slow
@pytest.mark.suite("lessons")
@pytest.mark.parametrize(
    "claim", CLAIMS, ids=lambda claim: f"{claim.chapter}-{claim.sentence[:60]}"
)
def test_claims_hold(claim: Claim) -> None:
    """Under 30 seeds, or of every small input."""
    failure = claim.failure()
    assert not failure, f"chapter {claim.chapter}, {claim.sentence!r}: {failure}"


def test_a_claim_that_does_not_hold_is_told() -> None:
    """With what contradicts it; a number that is told is held to; no input is no proof."""
    assert Lesson("01", "x", "", lambda seed: seed > 2).failure() == ""
    assert "holds in 26 of 30" in Lesson("01", "x", "", lambda seed: seed > 3).failure()
    assert Lesson("01", "x", "", lambda seed: seed % 3 == 0, told=10).failure() == ""
    assert "holds in 30 of 30" in Lesson("01", "x", "", lambda seed: seed >= 0, told=24).failure()
    assert Rule("01", "x", "", lambda: SEEDS, lambda n: n < 5).failure() == "doesn't hold of 5"
    assert Rule("01", "x", "", list, bool).failure() == "was tried on no input"
