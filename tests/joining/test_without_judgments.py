"""A run that no judgments are joined with loses nothing in silence either.

Such are both runs of rank-biased overlap. What a join with judgments refuses or tells is refused or
told here, in the same words.
"""

import pytest

from irmetrics_edu import evaluate
from irmetrics_edu.errors import InputError

GOOD = "q1 Q0 a 1 3.0 x\nq1 Q0 b 2 2.0 x\nq1 Q0 c 3 1.0 x\nq2 Q0 c 1 1.0 x\n"
BAD = {
    "a short line": GOOD + "q2 Q0 d 2\n",
    "no score": GOOD + "q2 Q0 d 2 high x\n",
    "twice": GOOD + "q2 Q0 c 2 0.5 x\n",
    "twice, and short": GOOD + "q2 Q0 c 2 0.5 x\nq2 Q0 d 3\n",
    "nothing that is good": "q1 Q0 d 4\n",
    "nothing": "",
}
LEFT_OUT = {"a short line": 1, "no score": 1, "twice": 1, "twice, and short": 2}
QRELS = {"q1": {"a": 1}, "q2": {"c": 1}}


@pytest.fixture
def files(tmp_path):
    """A good file, and another."""
    (tmp_path / "good.run").write_text(GOOD)
    (tmp_path / "run").write_text("")
    return tmp_path / "good.run", tmp_path / "run"


def overlap(place, files, **how):
    """With the second file in one of three places."""
    good, other = files
    if place == "first":
        return evaluate(other, None, "RBO", other=good, **how)
    if place == "second":
        return evaluate(good, None, "RBO", other=other, **how)
    return evaluate([other], None, "RBO", other=good, **how)


@pytest.mark.parametrize("place", ["first", "second", "piece"])
@pytest.mark.parametrize("kind", BAD)
def test_what_is_malformed_is_an_error_as_beside_judgments(files, kind, place):
    """With the file and the lines; a piece is named by its number."""
    files[1].write_text(BAD[kind])
    with pytest.raises(InputError) as joined:
        evaluate(files[1], QRELS, "P@1")
    with pytest.raises(InputError) as alone:
        overlap(place, files)
    assert type(alone.value) is type(joined.value)
    name = "piece 1 of the run" if place == "piece" else str(files[1])
    assert str(alone.value) == str(joined.value).replace(str(files[1]), name)


@pytest.mark.parametrize("place", ["first", "second", "piece"])
@pytest.mark.parametrize("kind", BAD)
def test_what_is_left_out_is_counted(files, kind, place):
    """If the caller asks for that; where nothing is good, it is an error all the same."""
    right = overlap(place, (files[0], files[0]))
    files[1].write_text(BAD[kind])
    if kind not in LEFT_OUT:
        with pytest.raises(InputError, match=r"none that can be read|it is empty"):
            overlap(place, files, skip_bad=True)
        return
    found = overlap(place, files, skip_bad=True)
    assert found.mean == right.mean
    number = LEFT_OUT[kind]
    lines = "1 bad line was" if number == 1 else f"{number} bad lines were"
    assert found.notes() == (f"{lines} left out",)


def test_a_query_is_in_one_piece(files):
    """Its documents in a later piece would take the place of the earlier ones."""
    files[1].write_text("q3 Q0 a 1 1.0 x\nq1 Q0 d 1 4.0 x\n")
    said = "piece 2 of the run: query 'q1' was in an earlier piece too"
    with pytest.raises(InputError, match=said):
        evaluate([*files], QRELS, "P@1")
    with pytest.raises(InputError, match=said):
        evaluate([*files], None, "RBO", other=files[0])
