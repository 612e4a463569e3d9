"""INST and INSQ against readers that are followed step by step.

The values that ir_measures and cwl_eval gave for INST and INSQ are in tests/libraries.
"""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dev.tools.vectors.oracles import readers as oracle
from irmetrics_edu.errors import InputError
from irmetrics_edu.metrics.stopping_models import insq, inst
from irmetrics_edu.rows.ranked_rows import Rows

graded = st.lists(st.integers(0, 3), min_size=1, max_size=10)
wishes = st.sampled_from([Fraction(1, 2), Fraction(1), Fraction(3), Fraction(5, 2)])


def _binary(grades):
    return [Fraction(int(g >= 1)) for g in grades]


@given(graded, wishes, st.integers(1, 15))
def test_inst_and_insq_follow_the_reader(grades, wanted, depth):
    """Exactly, for binary gains and for shares of the scale."""
    shares = [Fraction(g, 3) for g in grades]
    for metric, going_on in ((inst, oracle.on_with_inst), (insq, oracle.on_with_insq)):
        plain = metric(grades, wanted=wanted, depth=depth, exact=True)
        assert plain == oracle.walk(_binary(grades), going_on(wanted), depth)
        shared = metric(grades, wanted=wanted, depth=depth, gain="share(3)", exact=True)
        assert shared == oracle.walk(shares, going_on(wanted), depth)
        close = metric(grades, wanted=float(wanted), depth=depth)
        assert close == pytest.approx(float(plain), abs=1e-12)


def test_many_queries_are_walked_in_parts():
    """More queries than are walked at a time give each the score that it has alone."""
    lists = [[1, 0, 1], [0, 0, 1], [0, 1]]
    rows = Rows.joined([inst.align(lists[i % 3]) for i in range(1100)])
    scores = inst.measured(rows, None, depth=20).score
    alone = [inst(grades, depth=20) for grades in lists]
    np.testing.assert_allclose(scores, [alone[i % 3] for i in range(1100)], rtol=1e-12)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: inst([1], wanted=0.2), "wanted=0.2"),
        (lambda: insq([1], wanted=0.4), r"wanted=0\.4 .* in \[0\.5, inf\)"),
        (lambda: inst([1], depth=0), "depth=0 is not possible"),
        (lambda: inst([1], depth=None), "depth=None"),
        (lambda: inst([0, 3], gain="linear"), "rank 2: gain 3 is not within 0 to 1"),
        (lambda: inst([1], gain="share(0)"), r"gain=share\(0\): 0 is not the top of a scale"),
        (lambda: inst([1], gain="share(x)"), r"gain=share\(x\): 'x' is not a grade"),
    ],
)
def test_what_makes_no_reader_is_refused(call, words):
    """The option, what was given and what could be are named."""
    with pytest.raises(InputError, match=words):
        call()
