"""What scikit-learn is needed for, and that it is loaded there alone."""

import subprocess
import sys

import pytest

from irmetrics_edu.errors import InputError
from irmetrics_edu.lab import (
    lda_facets,
    made_queries,
    mmr,
    pointwise_classification,
)


@pytest.mark.parametrize(
    "call",
    [
        lambda: lda_facets({"a": "sea ship"}, 2),
        lambda: mmr({"a": 1}, {"a": "sea"}, similarity="tf-idf"),
        lambda: pointwise_classification(made_queries(2, 5)),
    ],
)
def test_without_scikit_learn_the_error_says_what_to_install(call, monkeypatch):
    """The message names the extra."""
    for name in [m for m in sys.modules if m.partition(".")[0] == "sklearn"]:
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setitem(sys.modules, "sklearn", None)
    with pytest.raises(InputError, match=r"pip install scikit-learn .the extra lab"):
        call()


def test_what_needs_no_scikit_learn_does_not_load_it():
    """Re-ranking by vectors, AdaRank, least squares, made data and files load numpy alone."""
    program = (
        "import sys, irmetrics_edu.lab as im\n"
        "im.mmr({'a': 1, 'b': 1}, {'a': [1, 0], 'b': [0, 1]})\n"
        "im.dpp({'a': 1, 'b': 1}, {'a': [1, 0], 'b': [0, 1]})\n"
        "im.adarank(im.made_queries(3, 6), rounds=2).working\n"
        "im.pointwise_regression(im.made_queries(3, 6)).working\n"
        "im.ranking_svm(im.made_queries(3, 6)).working\n"
        "im.swamped_queries()\n"
        "print(sorted({'sklearn', 'scipy', 'pandas'} & set(sys.modules)))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
