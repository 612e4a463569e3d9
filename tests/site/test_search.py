"""The search: what people type finds the page that they look for."""

import json
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from dev.tools.site import searching
from irmetrics_edu.errors import InputError
from tests.site import chromium
from tests.site.asked import HELD
from tests.site.asked_by_others import OTHERS

pytestmark = [pytest.mark.slow, pytest.mark.suite("site")]
Search = Callable[[list[str]], list[Any]]


@pytest.fixture(scope="module")
def search(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Search]:
    """The function of the page of results, in the page itself: questions to lists of results."""
    path = chromium.found()
    if path is None:
        if os.environ.get("CI") == "true":
            pytest.fail("no browser to search with")
        pytest.skip("no browser to search with: apt-get install chromium")
    with chromium.Chromium(path, tmp_path_factory.mktemp("profile")) as browser:
        browser.open((built / "search.html").as_uri())
        browser.evaluate("globalThis.known = indexOf(PAGES, ASKED_FOR); null")

        def found(questions: list[str]) -> list[Any]:
            return json.loads(
                browser.evaluate(
                    f"JSON.stringify({json.dumps(questions)}.map((one) => found(known, one)))"
                )
            )

        yield found


def pages(found: Any) -> list[str]:
    """The pages of a search, the best first."""
    return [one["page"] for one in found["results"]]


def test_the_best_page_comes_first(search: Search) -> None:
    """Of questions that were written before the search was tried on them."""
    held = HELD | OTHERS
    assert len(held) >= 1200
    results = list(zip(held.items(), map(pages, search(list(held))), strict=True))
    missed = {asked: found[:3] for (asked, best), found in results if found[:1][0] not in best}
    absent = {a: found[:3] for (a, best), found in results if not set(found[:3]) & set(best)}
    first, three = (1 - len(one) / len(held) for one in (missed, absent))
    print(f"first for {first:.1%}, among three for {three:.1%} of {len(held)} questions")  # noqa: T201 -- the rates
    assert first >= 0.95, missed
    assert three >= 0.98, absent


def test_each_entry_of_the_table_finds_its_page(search: Search) -> None:
    """Among the first three: an entry of another page may be as near."""
    table = searching.by_hand()
    entries = [(asked, page) for page, phrases in table.items() for asked in phrases]
    assert len(entries) >= 150
    found = search([asked for asked, _ in entries])
    lost = [e for e, one in zip(entries, found, strict=True) if e[1] not in pages(one)[:3]]
    assert lost == []


def test_a_cutoff_changes_nothing(search: Search) -> None:
    """`ndcg@10`, `ndcg_cut_10` and `ndcg at 10` are about nDCG."""
    names = ["ndcg", "map", "mrr", "precision", "recall", "hit rate", "err", "alpha ndcg", "bpref"]
    for behind in ("@10", "@k", " @ 5", "_20", " at 3"):
        plain = [pages(one)[0] for one in search(names)]
        assert [pages(one)[0] for one in search([f"{n}{behind}" for n in names])] == plain, behind
    assert pages(search(["ndcg_cut_10"])[0])[0] == "metric-ndcg"


MISTYPED = {
    "nDGC": "metric-ndcg",
    "ndccg": "metric-ndcg",
    "reccall": "metric-recall",
    "precison": "metric-precision",
    "sklaern": "library-scikit-learn",
    "lightgmb": "library-lightgbm",
    "xgbost": "library-xgboost",
    "pytset": "pytest-plugin",
    "instalaltion": "installation",
    "gradnig": "grading",
    "glosary": "glossary",
    "mooodle": "questions",
    "fairnes": "21_fairness_and_exposure",
    "interleavng": "18_online",
    "elasticsearh": "library-elasticsearch",
    "serendipty": "metric-serendipity",
}


def test_one_wrong_letter_is_forgiven(search: Search) -> None:
    """A letter that is missing, doubled, or exchanged with its neighbour; the page says so."""
    found = search(list(MISTYPED))
    assert [pages(one)[0] for one in found] == list(MISTYPED.values())
    assert all(one["read"] for one in found)


JOINED = {
    "normalizeddiscountedcumulativegain": "metric-ndcg",
    "learningtorank": "learning-to-rank",
    "githubactions": "gates-in-ci",
    "sentencetransformers evaluator": "library-sentence-transformers",
    "avgprec": "metric-average-precision",
    "ngcd": "metric-ndcg",
    "hit rate和recall一样": "metric-success",
    "top 20 accuracy": "metric-success",
    "p < 0.05": "06_more_than_chance",
    "what does mrr stand for": "metric-reciprocal-rank",
}


def test_words_are_found_that_were_typed_as_one(search: Search) -> None:
    """Or in another order of letters, next to another script, or in the frame of a question."""
    found = search(list(JOINED))
    lost = {
        q: pages(one)[:3]
        for q, one in zip(JOINED, found, strict=True)
        if JOINED[q] not in pages(one)[:3]
    }
    assert lost == {}


def test_at_most_fifteen_pages_are_shown(search: Search) -> None:
    """Of words that most pages have; the number of all pages is said beside them."""
    for one in search(["nDCG", "ranking", "document", "the", "score of a query"]):
        assert 0 < len(one["results"]) <= 15
        assert one["all"] >= len(one["results"])


def test_no_result_gives_an_answer_away(built: Path) -> None:
    """Neither a quiz's replies nor what a prediction reveals are among the words of a page."""
    looked = 0
    for page in sorted(built.glob("[0-9][0-9]_*.html")):
        html = page.read_text(encoding="utf-8")
        text = searching.known(html)["text"]
        for word in ("Reveal the answer", "Not quite", "Your prediction", "Code of this answer"):
            assert word not in text, page.name
        for reply in re.findall(r"<p>((?:Right|Not quite)\.[^<]{40,})</p>", html):
            looked += 1
            assert reply not in text, page.name
    assert looked > 50


def test_a_page_that_is_not_there_is_refused(tmp_path: Path) -> None:
    """The table names pages of the site alone."""
    table = tmp_path / "asked.toml"
    table.write_text('gone = ["x"]\n', encoding="utf-8")
    with pytest.raises(InputError, match="gone; the site has no such page"):
        searching.asked({"metric-ndcg"}, table)


def test_words_for_words_are_kept_once(tmp_path: Path) -> None:
    """A word of two classes is refused: it would count as the one or the other."""
    table = tmp_path / "alike.toml"
    table.write_text('same = [["a", "b"], ["c", "a"]]\n[instead]\n', encoding="utf-8")
    with pytest.raises(InputError, match="has a in two places of `same`"):
        searching.alike(table)


def test_other_languages_and_abbreviations_find_the_english_page(search: Search) -> None:
    """German, in inflected and joined words; Chinese and Japanese, within a sentence."""
    asked = {
        "Signifikanztests": "07_inference",
        "Klausurfragen": "questions",
        "平均倒数排名怎么计算": "metric-reciprocal-rank",
        "信頼区間とは": "intervals",
        "metrics in PR comment": "gates-in-ci",
    }
    assert [pages(one)[0] for one in search(list(asked))] == list(asked.values())


def test_a_strange_number_leads_to_where_it_is_typed(search: Search) -> None:
    """A number of the worked examples finds them, another the page that explains numbers."""
    found = search(["0.9608", "0,9608", "0.83217"])
    assert [pages(one)[0] for one in found] == ["which-ndcg", "which-ndcg", "play"]
