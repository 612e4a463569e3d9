"""A line that begins with # is read as a comment by trec_eval 10 alone, and others say so."""

import pytest

from irmetrics_edu import evaluate
from irmetrics_edu.errors import InputError

# Four words, three, six, and one: as many as judgments have, a run has, or neither.
COMMENTS = ["# made by hand", "# by hand", "# made by hand in 2024", "#"]


@pytest.mark.parametrize("comment", COMMENTS)
def test_a_comment_leads_to_the_conventions_that_read_it(comment, tmp_path):
    """And these read it."""
    qrels = tmp_path / "q.trec"
    qrels.write_text(f"{comment}\nq1 0 a 1\n")
    run = {"q1": {"a": 1.0}}
    with pytest.raises(InputError, match=r"a comment\? conventions='trec_eval_10'"):
        evaluate(run, qrels, "RR")
    assert evaluate(run, qrels, "RR", "trec_eval_10")["RR"] == 1.0


def test_a_line_without_the_sign_is_no_comment(tmp_path):
    """Its error stays as it was."""
    qrels = tmp_path / "q.trec"
    qrels.write_text("q2 by hand\nq1 0 a 1\n")
    with pytest.raises(InputError) as caught:
        evaluate({"q1": {"a": 1.0}}, qrels, "RR")
    assert "comment" not in str(caught.value)
