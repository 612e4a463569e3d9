"""A metric's page: the form, the line of each library, the source, the sentence for a paper."""

import re
from pathlib import Path
from typing import Any

import pytest

from dev.tools.places import page_of_metric
from dev.tools.site import metric_parts
from irmetrics_edu.libraries import BUNDLES
from irmetrics_edu.metrics.definition import METRICS, import_all
from tests.site import chromium
from tests.site.test_site import browser

pytestmark = [pytest.mark.slow, pytest.mark.suite("site")]
__all__ = ["browser"]

# Of grades 3 2 3 0 1, where documents of grades 3 and 2 were missed: by the sums beside them.
BY_HAND = {
    "nDCG": "0.7334",  # (3 + 1.2619 + 1.5 + 0.3869) / (3 + 1.8928 + 1.5 + 0.8614 + 0.7737 + 0.3562)
    "P": "0.8000",  # 4 of 5
    "R": "0.6667",  # 4 of 6
    "RR": "1.0000",
    "AP": "0.6333",  # (1 + 1 + 1 + 4/5) / 6
}


def typed(browser: chromium.Chromium, grades: str, k: str = "") -> Any:
    """Type into the form: what it says then, and how many tables of steps there are."""
    return browser.evaluate(f"""(() => {{
        const box = document.querySelector(".try-it");
        const [line, cut] = box.querySelectorAll("input");
        line.value = {grades!r};
        if (cut) cut.value = {k!r};
        line.dispatchEvent(new Event("input", {{ bubbles: true }}));
        const out = box.querySelector("[role=status]");
        return [out.innerText, out.querySelectorAll("table").length];
    }})()""")


@pytest.mark.parametrize("name", metric_parts.TRIED)
def test_the_form_shows_the_score_with_its_steps(
    browser: chromium.Chromium, built: Path, name: str
) -> None:
    """The form answers at once, by each step, as the package does."""
    import_all()
    metric = METRICS[name]
    seen = browser.open((built / f"{page_of_metric(metric)}.html").as_uri())
    said, tables = typed(browser, "3 2 3 0 1 | 3 2")
    judged = {f"d{i}": g for i, g in enumerate((3, 2, 3, 0, 1, 3, 2), 1)}
    score = float(metric([f"d{i}" for i in range(1, 6)], judged))
    assert re.search(rf"= {score:.4f}$", said.split("\n")[0]), said
    assert BY_HAND.get(name, f"{score:.4f}") == f"{score:.4f}"
    assert tables > 0
    assert "is not a grade" in typed(browser, "3 x")[0]
    assert seen.logged == []


def test_a_cut_off_is_read_or_refused(browser: chromium.Chromium, built: Path) -> None:
    """The form scores at k, and says what a k can be."""
    browser.open((built / "metric-precision.html").as_uri())
    assert "P@2 = " in typed(browser, "3 0 1", "2")[0]
    assert "0.5000" in typed(browser, "3 0 1", "2")[0]
    assert "whole number" in typed(browser, "3 0 1", "zero")[0]


@pytest.mark.parametrize("name", ["nDCG", "AP", "RR"])
def test_a_library_has_one_line_and_those_that_differ_come_first(name: str) -> None:
    """No library stands twice, and after the first that gives our number there is no other."""
    import_all()
    *_, table = metric_parts.in_libraries(METRICS[name])
    lines = [line.split(" | ") for line in table.split("\n")[2:]]
    named = [line[0] for line in lines]
    assert len(named) == len(set(named)) > 10
    differs = [bool(line[-1].strip(" |")) for line in lines]
    assert differs == sorted(differs, reverse=True)
    assert any(differs)
    assert not all(differs)


def test_the_first_difference_is_the_number_of_the_library() -> None:
    """scikit-learn makes the ideal of what was retrieved, as docs/which-ndcg.md computes."""
    import_all()
    *_, table = metric_parts.in_libraries(METRICS["nDCG"])
    line = next(line for line in table.split("\n") if "scikit-learn" in line)
    assert "two relevant documents are not retrieved: 0.9608" in line
    assert BUNDLES["scikit_learn"].version in line


def test_sources_have_their_doi_and_each_doi_a_source() -> None:
    """A work that has a DOI is linked, and no DOI is of a work that no metric names."""
    import_all()
    assert "https://doi.org/10.1145/582415.582418" in metric_parts.sources(METRICS["nDCG"])
    assert "https://doi.org/10.1145/3627673.3679629" in metric_parts.sources(METRICS["DCC"])
    every = " ".join(metric_parts.sources(metric) for metric in METRICS.values())
    text = (Path(metric_parts.__file__).parent / "dois.toml").read_text(encoding="utf-8")
    for doi in re.findall(r'= "(10\.[^"]+)"', text):
        assert f"https://doi.org/{doi}" in every, doi


def test_a_sentence_for_a_paper_says_what_the_number_hangs_on() -> None:
    """Gain, discount, ideal and ties are in the sentence on nDCG."""
    import_all()
    said = metric_parts.in_a_paper(METRICS["nDCG"])[1]
    for word in ("nDCG was computed with irmetrics-edu", "gain:", "discount:", "ideal:", "equal"):
        assert word in said
