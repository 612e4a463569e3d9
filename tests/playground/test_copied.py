"""What the page gives to copy runs, and gives the score of the page."""

import contextlib
import io
import json
import random
import warnings
from pathlib import Path
from typing import Any

import pytest

from dev.tools.playground.data import MEASURES, data
from irmetrics_edu.gate import SwappedWarning
from irmetrics_edu.views.formatting import number
from tests.playground.test_page import fragment, look, settled
from tests.site.chromium import Chromium

pytestmark = [pytest.mark.slow, pytest.mark.suite("site")]

GRADES = [0, 1, 2, 3, 0, 1, 2, 3, 1.5, 2.25]  # fractions beside ties, in every third state
NAMES = ["d1", "d2", "文档", "وثيقة", 'a "quoted" \\ name', "10", "{x}", "é"]


def states(count: int) -> list[tuple[Any, ...]]:
    """Measures with rankings and options that are drawn, as links hold them."""
    rng = random.Random(8)
    known = data()["measures"]
    found = []
    for i in range(count):
        name = MEASURES[i % len(MEASURES)]
        names = rng.sample(NAMES, rng.randint(1, 6))
        documents = [
            [d, rng.choice(GRADES), rng.choice(["", "A", "AB", "C"]), int(rng.random() < 0.3)]
            for d in names
        ]
        for document in documents[1:]:
            if rng.random() < 0.2:
                document[1] = document[2] = None
        documents[0][3] = 0
        cut = rng.randint(1, len(documents))
        options = {}
        for option in known[name]["options"]:
            values = [v for v in (*option["values"], *option["more"]) if v != "skip"]
            if option["shown"] and values and rng.random() < 0.3:
                options[option["name"]] = rng.choice(values)
        if name == "RBP":
            options["p"] = 0.95
        k = rng.choice([None, 2, 5]) if known[name]["cutoff"] else None
        found.append((name, k, options, documents[:cut], documents[cut:], ""))
    return found


def texts_of(browser: Chromium, state: tuple[Any, ...]) -> tuple[str, str, str]:
    """The score, the call and the test that the page shows for a link."""
    browser.evaluate(f"""new Promise((done) => {{
        addEventListener("hashchange", () => setTimeout(done), {{ once: true }});
        location.hash = {json.dumps(fragment(*state))};
    }})""")
    found = browser.evaluate(
        "['score', 'call', 'test'].map((id) => document.getElementById(id).textContent)"
    )
    return found[0], found[1], found[2]


@pytest.mark.filterwarnings("default")
def test_copied_calls_and_tests_run(browser: Chromium, page: Path) -> None:
    """Drawn states of all measures: the call prints the score of the page, the test passes."""
    browser.open(page.as_uri())
    ran = refused = 0
    for state in states(132):
        score, call, test = texts_of(browser, state)
        assert score.startswith(state[0])
        if score.endswith("no score"):
            refused += 1
            continue
        space: dict[str, Any] = {}
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            exec(call, space)  # noqa: S102 -- what a reader would paste
        assert float(out.getvalue()) == pytest.approx(space["score"], nan_ok=True)
        assert score.rpartition(" ")[2] == number(float(space["score"])), (state, call)
        space = {}
        exec(test, space)  # noqa: S102
        warnings.simplefilter("error", SwappedWarning)
        (own,) = (f for n, f in space.items() if n.startswith("test_"))
        own()
        ran += 1
    assert ran > 90
    assert refused < 40


def test_which_ap_can_be_that_of_scikit_learn(browser: Chromium, page: Path) -> None:
    """An area under the curve is named as such, is shown with a click, and its code runs."""
    documents = [["a", 1, None, 0], ["b", 0, None, 1], ["c", 2, None, 0]]
    link = fragment("AP", None, {}, documents, [["x", 1, None, 0]], "0.5833")
    browser.open(f"{page.as_uri()}#{link}")
    settled(browser)
    said = look(browser, "at('explained').innerText")
    assert "The area under the precision-recall curve (PR-AUC) gives it." in said
    assert "scikit-learn by average_precision_score calls it AP" in said
    assert "average_precision_score" in look(browser, "at('libraries').innerText")
    look(browser, "[...at('explained').querySelectorAll('button')].at(-1).click()")
    assert look(browser, "at('score').innerText") == "PR-AUC = 0.5833"
    assert "step area" in look(browser, "at('tables').innerText")
    for kind in ("call", "test"):
        space: dict[str, Any] = {}
        with contextlib.redirect_stdout(io.StringIO()) as out:
            exec(look(browser, f"at('{kind}').textContent"), space)  # noqa: S102
    space["test_pr_auc"]()
    assert out.getvalue() == ""


def test_a_copied_test_can_fail(browser: Chromium, page: Path) -> None:
    """With another score in it, the test says what is wrong."""
    browser.open(page.as_uri())
    _, _, test = texts_of(browser, ("P", 2, {}, [["a", 1, None, 0], ["b", 0, None, 0]], [], ""))
    assert "equals=0.500000" in test
    space: dict[str, Any] = {}
    exec(test.replace("0.500000", "0.75"), space)  # noqa: S102
    with pytest.raises(AssertionError, match=r"0\.5000 != 0\.7500"):
        space["test_precision"]()
