"""The search: what people type finds the page that they look for."""

import itertools
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

pytestmark = [pytest.mark.slow, pytest.mark.suite("site")]
Search = Callable[[list[str]], list[Any]]
Three = Callable[[list[str]], list[list[str]]]


@pytest.fixture(scope="module")
def page(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[chromium.Chromium]:
    """The page of results, with all that the search knows."""
    path = chromium.found()
    if path is None:
        if os.environ.get("CI") == "true":
            pytest.fail("no browser to search with")
        pytest.skip("no browser to search with: apt-get install chromium")
    with chromium.Chromium(path, tmp_path_factory.mktemp("profile")) as browser:
        browser.open((built / "search.html").as_uri())
        browser.evaluate("globalThis.known = indexOf(PAGES, ASKED_FOR, NAMES, JUDGED); null")
        yield browser


@pytest.fixture(scope="module")
def search(page: chromium.Chromium) -> Search:
    """The function of the page of results, in the page itself: questions to lists of results."""

    def found(questions: list[str]) -> list[Any]:
        asked = f"{json.dumps(questions)}.map((one) => found(known, one))"
        results: list[Any] = json.loads(page.evaluate(f"JSON.stringify({asked})"))
        return results

    return found


@pytest.fixture(scope="module")
def three(page: chromium.Chromium) -> Three:
    """The first three pages for each question."""

    def found(questions: list[str]) -> list[list[str]]:
        pages = "found(known, one).results.slice(0, 3).map((result) => result.page)"
        asked = f"{json.dumps(questions)}.map((one) => {pages})"
        firsts: list[list[str]] = json.loads(page.evaluate(f"JSON.stringify({asked})"))
        return firsts

    return found


def pages(found: Any) -> list[str]:
    """The pages of a search, the best first."""
    return [one["page"] for one in found["results"]]


def learn(page: chromium.Chromium, questions: dict[str, list[str]]) -> None:
    """Learn the letters of these questions, by page, and of the table."""
    learnt = f"[...Object.entries(ASKED_FOR), ...Object.entries({json.dumps(questions)})]"
    page.evaluate(f"known.letters = learnt(known.pages, {learnt}); null")


def test_the_best_page_comes_first(page: chromium.Chromium, three: Three) -> None:
    """Of questions that the letters were not learnt from: each set is left out while it is asked.

    The table of what people type was mended by kind after each set, so these rates are no claim
    for new questions. Of three sets that the table of the day had not seen, 74, 82 and 94 % came
    first, and 88, 95 and 99 % among three.
    """
    sets = searching.judged()
    held = {asked: best for questions in sets.values() for asked, best in questions.items()}
    assert len(held) >= 1200
    results: list[tuple[tuple[str, list[str]], list[str]]] = []
    for name, questions in sets.items():
        learn(page, searching.by_page(s for other, s in sets.items() if other != name))
        results += zip(questions.items(), three(list(questions)), strict=True)
    learn(page, searching.by_page(sets.values()))
    missed = {asked: found for (asked, best), found in results if found[:1][0] not in best}
    absent = {asked: found for (asked, best), found in results if not set(found) & set(best)}
    first, among = (1 - len(one) / len(held) for one in (missed, absent))
    print(f"first for {first:.1%}, among three for {among:.1%} of {len(held)} questions")  # noqa: T201 -- the rates
    assert first >= 0.95, missed
    assert among >= 0.98, absent


FRAMES = {
    "{}": 1,
    "what is {}": 1,
    "{} formula": 1,
    "{} meaning": 1,
    "what does {} mean": 1,
    "how to compute {}": 1,
    "calculate {}": 1,
    "{} in python": 1,
    "definition of {}": 1,
    "{} explained": 2,  # a chapter explains more
    "example of {}": 2,
}
CUT_OFFS = ("", "@10", "@k", " @ 5", " at 5", "_20")


def spellings(name: str) -> set[str]:
    """A name as people write it."""
    return {name, name.lower(), name.replace("_", " "), name.replace("_", "-")}


def test_each_name_of_a_measure_finds_its_page(three: Three) -> None:
    """With each cut-off, and in each frame of a question."""
    by_library = {
        one for n, t in searching.by_hand().items() if n.startswith("library-") for one in t
    }
    turn = itertools.cycle(CUT_OFFS)
    asked: list[tuple[str, str, int]] = []
    for page, names in searching.of_measures().items():
        for name in sorted({one for n in set(names) - by_library for one in spellings(n)}):
            asked += [(f"{name}{cut}", page, 1) for cut in CUT_OFFS]
            asked += [(f.format(name + next(turn)), page, place) for f, place in FRAMES.items()]
    found = three([question for question, _, _ in asked])
    lost = {q: f for (q, page, place), f in zip(asked, found, strict=True) if page not in f[:place]}
    assert lost == {}


def test_a_comparison_finds_a_page_of_the_two(three: Three) -> None:
    """Of each measure with two others."""
    names = [(page, max(names, key=len)) for page, names in searching.of_measures().items()]
    frames = ("{} vs {}", "{} versus {}", "difference between {} and {}", "{}@10 or {}@10")
    asked = {
        frame.format(name, other): {page, page_of_other}
        for step in (1, 7)
        for at, (page, name) in enumerate(names)
        for frame, (page_of_other, other) in [
            (frames[at % len(frames)], names[(at + step) % len(names)])
        ]
    }
    found = zip(asked.items(), three(list(asked)), strict=True)
    assert {question: f for (question, best), f in found if not best & set(f)} == {}


def test_each_name_of_a_library_finds_its_page(three: Three) -> None:
    """As it calls itself and as it is imported, alone and with what is asked of it."""
    frames = (
        "{}",
        "import {}",
        "{} ndcg",
        "from {} import ndcg",
        "{} vs trec_eval",
        "{} map wrong",
    )
    asked = {
        frame.format(name): page
        for page, names in searching.of_libraries().items()
        for name in {one for n in names for one in spellings(n)}
        for frame in frames
    }
    found = zip(asked.items(), three(list(asked)), strict=True)
    lost = {question: f for (question, page), f in found if page not in f}
    assert lost == {}
    alone = three([names[0] for names in searching.of_libraries().values()])
    assert [one[0] for one in alone] == list(searching.of_libraries())


def test_a_number_of_an_example_finds_a_page_that_has_it(built: Path, three: Three) -> None:
    """Beside the page that explains numbers: each number of four decimals."""
    texts = {
        path.stem: searching.known(path.read_text(encoding="utf-8"))["text"]
        for path in sorted(built.glob("*.html"))
    }
    numbered = re.compile(r"metric-|library-|which-ndcg|my-number-differs|[0-9]{2}_")
    numbers = sorted(
        {
            number
            for page, text in texts.items()
            for number in re.findall(r"(?<![\d.,-])0\.\d{4}(?!\d)", text)
            if numbered.match(page)
        }
    )
    assert len(numbers) > 150
    having = {n: {page for page, text in texts.items() if n in text} for n in numbers}
    lost = [
        n for n, found in zip(numbers, three(numbers), strict=True) if not having[n] & set(found)
    ]
    assert lost == []


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
