"""Explain your run: files in the page score what the package says, at once, and go nowhere."""

import base64
import json
import random
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from irmetrics_edu import evaluate
from irmetrics_edu.errors import InputError
from irmetrics_edu.libraries import BUNDLES
from irmetrics_edu.views.formatting import number
from tests.playground.test_page import NARROW, WIDE, look, settled
from tests.site.chromium import Chromium
from tests.site.test_site import LOOK

pytestmark = [pytest.mark.slow, pytest.mark.suite("site")]
Ask = Callable[..., Any]
Run = Mapping[str, Mapping[str, float]]

SCORED = """(() => {
  const [run, qrels] = files.map(([name, text]) => modules.runs.fromFile(name, text));
  const measures = modules.runs.measuresOf(wanted.join(" "), data);
  return modules.runs.evaluated(modules.runs.inputsOf(run, qrels), measures, data, library);
})()"""
READ = """files.map(([name, text, kind]) => {
  try {
    const found = modules.runs.fromFile(name, text, kind ?? null);
    return [found.kind, [...found.queries].map(([q, held]) => [q, [...held]])];
  } catch (error) { return error.message; }
})"""
MEASURES = ["nDCG@10", "nDCG", "AP", "AP@5", "RR", "P@10", "R@100", "RBP", "Q", "bpref"]


def drawn(queries: int, documents: int, *, levels: int = 0) -> tuple[Run, Run]:
    """A run and judgments; scores tie where they have few levels. Ids look like numbers, too."""
    rng = random.Random(queries + documents)
    score = (lambda: float(rng.randrange(levels))) if levels else rng.random
    run = {
        f"q{i}": {str(d): score() for d in rng.sample(range(10**6), documents)}
        for i in range(queries)
    }
    qrels = {
        query: {
            **{d: rng.choice([0, 0, 1, 2, 3]) for d in rng.sample(list(held), documents // 20 + 2)},
            **{f"missed {j}": 1 for j in range(3)},
        }
        for query, held in run.items()
    }
    qrels["not in the run"] = {"a": 1}
    run["not judged"] = {"a": 1.0}
    return run, qrels


def trec(run: Run, qrels: Run) -> list[list[str]]:
    """Both as lines of TREC; ids have no spaces there."""
    both = [
        [
            (q.replace(" ", "_"), d.replace(" ", "_"), x)
            for q, held in one.items()
            for d, x in held.items()
        ]
        for one in (run, qrels)
    ]
    lines = "".join(f"{q} Q0 {d} 0 {x!r} me\n" for q, d, x in both[0])
    return [["a.run", lines], ["b.txt", "".join(f"{q}\t0\t{d}\t{x}\n" for q, d, x in both[1])]]


def table(run: Run, qrels: Run) -> list[list[str]]:
    """Both as CSV."""
    return [
        [name, f"query,document,{column}\n" + "".join(
            f'"{q}",{d},{x!r}\n' for q, held in one.items() for d, x in held.items())]
        for name, column, one in (("a.csv", "score", run), ("b.csv", "grade", qrels))
    ]  # fmt: skip


@pytest.mark.parametrize("levels", [0, 7])
def test_scores_are_those_of_evaluate(ask: Ask, levels: int) -> None:
    """Each query and each mean, from TREC, CSV and JSON, with ties and without."""
    run, qrels = drawn(12, 60, levels=levels)
    ours = evaluate(run, qrels, MEASURES)
    as_json = [["run.json", json.dumps(run)], ["qrels.json", json.dumps(qrels)]]
    for files in (trec(run, qrels), table(run, qrels), as_json):
        found = ask(SCORED, files=files, wanted=MEASURES, library="")
        for name, column in zip(MEASURES, found, strict=True):
            assert column["scores"] == pytest.approx(list(ours.per_query[name].values())), name
            assert column["mean"] == pytest.approx(ours.mean[name]), name


@pytest.mark.parametrize("name", ["ranx", "scikit_learn", "pyspark", "lightgbm"])
def test_scores_are_those_of_a_library(ask: Ask, name: str) -> None:
    """By the conventions of a library; where it has no such measure, that is said."""
    run, qrels = drawn(6, 40)
    bundle = BUNDLES[name]
    found = ask(SCORED, files=trec(run, qrels), wanted=["nDCG@5", "ERR"], library=bundle.name)
    ours = evaluate(run, qrels, ["nDCG@5"], conventions=bundle).mean["nDCG@5"]
    assert found[0]["mean"] == pytest.approx(ours)
    assert found[1] == {"refused": f"{bundle.name} has no ERR"}


def test_the_time_of_fifty_queries_grows_with_their_documents(ask: Ask) -> None:
    """From files to the means of three measures, ties and all: not with the square of them."""
    timed = f"(() => {{ const t = performance.now(); {SCORED}; return performance.now() - t; }})()"
    taken: dict[int, list[float]] = {100: [], 1000: []}
    for n in (100, 1000, 100, 1000):
        files = trec(*drawn(50, n, levels=300))
        taken[n].append(ask(timed, files=files, wanted=["nDCG@10", "AP", "RR"], library=""))
    assert min(taken[1000]) < 40 * min(taken[100]), taken


def test_files_are_read_as_what_they_are_or_refused_with_their_line(ask: Ask) -> None:
    """What a file holds, and what is wrong where."""
    files = {
        "q Q0 a 1 0.5 me\nq Q0 b 2 0.4 me": ["run", [["q", [["a", 0.5], ["b", 0.4]]]]],
        "\ufeffq 0 a 1\r\nq 0 b -1\r\n": ["qrels", [["q", [["a", 1], ["b", -1]]]]],
        "qid;docno;rank\nq;a;2\nq;b;1": ["run", [["q", [["a", -2], ["b", -1]]]]],
        "query\tid\trel\nq\ta\t0.5": ["qrels", [["q", [["a", 0.5]]]]],
        '{"q": ["a", "b"]}': ["run", [["q", [["a", 0], ["b", -1]]]]],
        '{"q": {"a": 0.5}}': ["run", [["q", [["a", 0.5]]]]],
        "": "x: the file is empty.",
        "q Q0 a 1 0.5 me\nq Q0 b": "x, line 2: it has 3 fields, and the first line has 6.",
        "q Q0 a 1 0.5 me\nq Q0 a 2 0.4 me": "x, line 2: query q has document a twice.",
        "q 0 a 1\nq 0 b high": "x, line 2: document b of query q has no number as its grade.",
        "one two": "x, line 1: this is no line of a TREC run",
        "query,document,score\nq,a,": "x, line 2: document a of query q has no number",
        '{"q": {"a": 1}}': "x: it can be a run or judgments.",
        '{"q": {"a": "high"}}': "x: document a of query q has no number as its score.",
        '{"q": 3}': 'x: write {"query"',
        "[1, 2": "x: this is not JSON",
        "\x1f\x8b\x08\x00abc": "x: it holds no text. If it is packed",
    }
    found = ask(READ, files=[["x", text] for text in files])
    for (text, wanted), said in zip(files.items(), found, strict=True):
        assert said.startswith(wanted) if isinstance(wanted, str) else said == wanted, (text, said)
    (said,) = ask(READ, files=[["x", "q 0 a 1", "run"]])
    assert said == "x: these are judgments. Choose the file of a run."


def test_files_that_share_no_query_are_refused_as_evaluate_refuses_them(ask: Ask) -> None:
    """Both name the first id of each side: a mean of nothing would be 0."""
    run, qrels = {"q1": {"a": 2.0}}, {"z9": {"a": 1}}
    with pytest.raises(InputError, match="no query of the run is judged") as told:
        evaluate(run, qrels, ["AP"])
    caught = f"(() => {{ try {{ return {SCORED}; }} catch (error) {{ return error.message; }} }})()"
    said = ask(caught, files=trec(run, qrels), wanted=["AP"], library="")
    assert said.startswith("No query of the run is judged.")
    assert all(name in said and name in str(told.value) for name in ("q1", "z9"))


def drop(browser: Chromium, files: list[list[str]]) -> None:
    """Files that are dropped into the page, as a reader drops them."""
    browser.evaluate(f"""new Promise((done) => {{
        const held = new DataTransfer();
        for (const [name, text] of {json.dumps(files)}) held.items.add(new File([text], name));
        document.getElementById("drop").dispatchEvent(
          new DragEvent("drop", {{ dataTransfer: held, bubbles: true, cancelable: true }}));
        setTimeout(done, 100);
    }})""")


ROWS = "[...document.querySelectorAll('#run-table tr')]"
LINES = f"{ROWS}.map((tr) => [...tr.cells].map((c) => c.innerText))"


@pytest.mark.parametrize("width", [NARROW, WIDE])
def test_dropped_files_are_scored_and_a_query_is_explained(
    browser: Chromium, page: Path, width: int
) -> None:
    """The means and each query, the worst first; a click explains one; nothing is asked for."""
    run, qrels = drawn(5, 30, levels=5)
    seen = browser.open(f"{page.as_uri()}#run", width)
    assert look(browser, "[at('title').innerText, at('play').hidden]") == ["Explain your run", True]
    drop(browser, trec(run, qrels))
    ours = evaluate(run, qrels, ["nDCG@10", "AP", "RR"])
    header, means, *lines = look(browser, LINES)
    assert header[:4] == ["query", "nDCG@10", "AP", "RR"]
    assert means[:4] == ["mean", *(number(ours.mean[name]) for name in header[1:4])]
    scores = [float(line[1]) for line in lines]
    assert scores == sorted(scores)
    assert len(scores) == 6
    assert "Judged, but not in the run: 1 query." in look(browser, "at('run-notes').innerText")
    assert browser.evaluate(LOOK)["wide"] == []
    query = lines[-1][0]
    look(browser, "[...document.querySelectorAll('#run-table button')].at(-1).click()")
    settled(browser)
    assert look(browser, "at('notice').innerText") == f"This is query {query}."
    assert look(browser, "at('score').innerText") == f"nDCG@10 = {lines[-1][1]}"
    assert look(browser, "document.activeElement.id") == "question"
    assert "#1." in look(browser, "location.href")
    browser.evaluate("""new Promise((done) => {
        addEventListener("hashchange", () => setTimeout(done), { once: true });
        history.back();
    })""")
    assert look(browser, "[at('title').innerText, at('runs').hidden]") == [
        "Explain your run",
        False,
    ]
    assert len(look(browser, LINES)) == 8
    drop(browser, [["bad.txt", "one two"]])
    assert look(browser, "at('run-error').innerText").startswith("bad.txt, line 1: ")
    field = "at('run-measures')"
    look(browser, f"({field}.value = 'nDCG@x', {field}.dispatchEvent(new Event('change')))")
    assert "“nDCG@x” is not a measure" in look(browser, "at('run-error').innerText")
    assert seen.logged == []
    asked = {a.split("#")[0] for a in seen.asked_for if not a.startswith("data:")}
    assert asked == {page.as_uri()}
    assert base64.b64encode(b"q0").decode() not in str(seen.asked_for)
