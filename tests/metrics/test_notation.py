"""A measure's notation is read whole, once, and in no time."""

import contextlib

import pytest

from irmetrics_edu import InputError, parse
from irmetrics_edu.metrics.notation import measures


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("nDCG(cutoff=5)@10", r"'nDCG\(cutoff=5\)@10' has two cut-offs, cutoff=5 and @10"),
        ("nDCG(k=5)@10", r"'nDCG\(k=5\)@10' has two cut-offs, k=5 and @10"),
        (
            "IPrec(recall=0.1)@0.2",
            r"'IPrec\(recall=0\.1\)@0\.2' has two cut-offs, recall=0\.1 and @0\.2",
        ),
        ("nDCG@5@10", "is not a measure"),
        ("nDCG(gain=exp,gain=linear)", "gain is given twice"),
        ("nDCG(gain=exp,gain=exp)", "gain is given twice"),
        ("nDCG(dcg=exp-log2,gain=linear)", "gain is given twice"),
        ("nDCG((gain=exp)", "a bracket is not closed"),
        ("nDCG(gain=exp", "a bracket is not closed"),
        ("AP(", "a bracket is not closed"),
        ("nDCG(gain=exp))", "a bracket is not opened"),
        ("AP)", "a bracket is not opened"),
        ("nDCG)gain=exp(", "a bracket is not opened"),
        ("nDCG(gain=exp)(rel=2)", "a bracket is not opened"),
        ("nDCG(gain=exp,)", "'' should be an option with its value"),
        ("nDCG(,gain=exp)", "'' should be an option with its value"),
        ("nDCG(gain=)", "'gain=' should be an option with its value"),
        ("nDCG(gain=exp)x@10", "is not a measure"),
        ("nDCG@", "is not a measure"),
        ("@10", "is not a measure"),
    ],
)
def test_what_has_two_meanings_or_none_is_refused(text: str, says: str) -> None:
    """Alone, and among others."""
    for read in (parse, measures, lambda t: measures(f"AP {t}"), lambda t: measures(["AP", t])):
        with pytest.raises(InputError, match=says):
            read(text)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("nDCG(cutoff=5)", "nDCG@5"),
        (" nDCG (gain = exp) @ 10 ", "nDCG(gain=exp)@10"),
        ("nDCG(gain=table(2:3,3:7))@10", "nDCG(gain=table(2:3,3:7))@10"),
        ("nDCG(dcg='exp-log2')@10", "nDCG(gain=exp)@10"),
        ("nDCG()", "nDCG"),
    ],
)
def test_what_has_one_meaning_is_read(text: str, name: str) -> None:
    """Blanks do no harm, and brackets may stand in brackets."""
    assert repr(parse(text)) == name
    tight = text.replace(" ", "")
    assert [m.name for m in measures(f"AP {tight}\tRR")] == ["AP", name, "RR"]


@pytest.mark.parametrize("around", ["nDCG{}@10", "nDCG{}x", "{}", "nDCG({})", "nDCG(gain{}"])
@pytest.mark.parametrize("filler", [" ", "(", ")", "()", "a=b,", "@"])
def test_a_long_name_takes_no_time(around: str, filler: str) -> None:
    """50,000 characters are read, or refused in a few words; a pattern took minutes."""
    text = around.format(filler * (50_000 // len(filler)))
    for read in (parse, measures):
        with contextlib.suppress(InputError):
            read(text)
            continue
        with pytest.raises(InputError) as caught:
            read(text)
        assert len(str(caught.value)) < 2000
