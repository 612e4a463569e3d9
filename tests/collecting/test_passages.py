"""Passages that are judged by documents, by expected texts, by spans and by pages."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irmetrics_edu import (
    evaluate,
)
from irmetrics_edu.errors import InputError
from irmetrics_edu.judging import (
    build_run,
    collapse,
    judge_by_page,
    judge_by_span,
    judge_by_text,
    judge_contexts,
)
from irmetrics_edu.judging.passage_judgments import holds, words


def run_of(*passages, **shape):
    """A run of one query with these passages."""
    return build_run(lambda _: [*passages], {"q": "x"}, **shape)


def chunk(name, text="", score=None, **metadata):
    """A passage as a database gives it."""
    scored = {} if score is None else {"score": score}
    return {"id": name, "text": text, **scored, **metadata}


def test_passages_of_one_document_fall_together():
    """The first of each stays, with its text and its own id beside it; the rest is counted."""
    run = run_of(
        chunk("a1", "x", 0.9, source="a"),
        chunk("b1", "y", 0.8, source="b"),
        chunk("a2", "z", 0.7, source="a"),
    )
    found = collapse(run, parent="source")
    assert dict(found) == {"q": {"a": 0.9, "b": 0.8}}
    assert found.notes() == ["3 passages are of 2 documents: 1 fell together"]
    assert [(p.rank, p.text, p.metadata["passage"]) for p in found.answers["q"]] == [
        (1, "x", "a1"),
        (2, "y", "b1"),
    ]
    for parent in (lambda p: p.document[0], "metadata.source"):
        assert dict(collapse(run, parent=parent)) == dict(found)
    assert found.latencies == run.latencies


def test_the_first_passage_stays():
    """Also where the order is not that of the scores."""
    run = run_of(
        chunk("a1", score=0.5, source="a"),
        chunk("b1", score=0.8, source="b"),
        chunk("a2", score=0.9, source="a"),
        order="given",
    )
    assert dict(collapse(run, parent="source")) == {"q": ["a", "b"]}
    assert collapse(run, parent="source").answers["q"][0].metadata["passage"] == "a1"


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        (
            {"parent": "page"},
            r"query 'q', document 'a1', rank 1: the metadata has .* the parent is nothing, under",
        ),
        ({"parent": {}}, "parent={}"),
        ({"parent": lambda _: None}, "the parent is None, under parent=a function"),
        ({"parent": None}, "give a path in the metadata"),
        ({"parent": 0.5}, r"parent=0\.5"),
    ],
    ids=lambda given: str(given) if isinstance(given, str) else ", ".join(given),
)
def test_a_wrong_collapse_is_refused(keywords, message):
    """With query, passage and rank."""
    run = run_of(chunk("a1", source="a"), chunk("a2", source="a"))
    with pytest.raises(InputError, match=message):
        collapse(run, **keywords)
    with pytest.raises(InputError, match="takes a run of build_run"):
        collapse({"q": ["a"]}, parent="source")


TEXTS = run_of(
    chunk(1, "The  start of art."),
    chunk(2, "An ART, and\nnothing else"),
    chunk(3, "More art; a cat too"),
    chunk(4, "dogs"),
)


def test_the_first_passage_with_a_text_counts():
    """By hand: found at rank 1 and rank 3 of three expected texts, and recall is 2/3."""
    run, qrels, notes = judge_by_text(TEXTS, {"q": ["art", "A cat", "a whale"]})
    assert run == {"q": ["expected:1", "2", "expected:2", "4"]}
    assert qrels == {"q": {"expected:1": 1, "expected:2": 1, "expected:3": 1}}
    assert notes == ["1 passages hold nothing expected but what stood above: not counted again"]
    found = evaluate(run, qrels, "R nDCG@10")
    assert found.mean["R"] == pytest.approx(2 / 3)
    assert found.mean["nDCG@10"] == pytest.approx((1 + 1 / 2) / (1 + 0.6309297535714575 + 1 / 2))


def test_a_passage_with_several_expected_texts():
    """Each has a rank of its own, one after the other, and that is said."""
    run, _, notes = judge_by_text(TEXTS, {"q": ["nothing", "else", "dogs"]})
    assert run == {"q": ["1", "expected:1", "expected:2", "3", "expected:3"]}
    assert notes[-1].startswith("1 passages hold several expected things")


def test_judgments_do_not_depend_on_the_run():
    """So a baseline of another way to cut documents is judged by the same."""
    other = run_of(chunk("x", "The start of art. An art, and nothing else. A cat."))
    expected = {"q": ["art", "a cat"]}
    assert judge_by_text(TEXTS, expected).qrels == judge_by_text(other, expected).qrels


def test_what_counts_as_the_same_text():
    """Words in one case, or letter by letter."""
    cases = {
        "nothing ELSE": (True, False),
        "The start": (True, False),
        "The  start": (True, True),
        "tart": (False, True),
        "and nothing": (True, False),
    }
    for text, found in cases.items():
        for normalise, expected in zip((None, str), found, strict=True):
            run, *_ = judge_by_text(TEXTS, {"q": text}, normalise=normalise)
            assert ("expected:1" in run["q"]) is expected, (text, normalise)
    run, *_ = judge_by_text(TEXTS, {"q": "SGOD"}, normalise=lambda t: t.lower()[::-1])
    assert "expected:1" not in run["q"]


def test_words_of_other_scripts():
    """Chinese has no blanks; an accent may be one character or two; fullwidth is as usual."""
    assert holds(words("信息检索系统"), words("检索"), whole_words=True)
    assert holds(words("un cafe\u0301 noir"), words("CAFÉ"), whole_words=True)
    assert holds(words("ＡＢＣ 1"), words("abc"), whole_words=True)
    assert not holds(words("12 cats"), words("2 cats"), whole_words=True)


def test_spans_by_overlap():
    """Of 80 expected characters a passage covers 20, then 60: half is asked, so the second."""
    run = run_of(
        chunk(1, "t" * 60, source="a", start_index=0),
        chunk(2, "t" * 60, source="a", start_index=60),
        chunk(3, "t" * 200, source="b", start_index=0),
    )
    expected = {"q": [("a", 40, 120)]}
    assert judge_by_span(run, expected).run["q"] == ["1", "expected:1", "3"]
    assert judge_by_span(run, expected, min_overlap=0.25).run["q"][0] == "expected:1"
    assert judge_by_span(run, expected, min_overlap=0.75).run["q"][1] == "expected:1"
    assert "expected:1" not in judge_by_span(run, expected, min_overlap=0.76).run["q"]
    # 0.1 * 30 is 3.0000000000000004 in floats, and three of thirty is a tenth.
    assert judge_by_span(run, {"q": [("a", 57, 87)]}, min_overlap=0.1).run["q"][0] == "expected:1"


def test_pages():
    """A page may be a number here and text there."""
    run = run_of(chunk(1, source="a", page="4"), chunk(2, source="b", page=4))
    assert judge_by_page(run, {"q": [("b", 4), ("a", 4)]}).run["q"] == ["expected:2", "expected:1"]
    assert judge_by_page(run, {"q": [("a", 5)]}).run["q"] == ["1", "2"]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: judge_by_text(TEXTS, {"q": []}), "query 'q': expected .* give a list of at least"),
        (lambda: judge_by_text(TEXTS, {"q": ["a", "A "]}), "number 2: 'A ' is expected twice"),
        (lambda: judge_by_text(TEXTS, {"q": "?!"}), r"number 1: the expected text '\?!' is empty"),
        (lambda: judge_by_text(TEXTS, {"q": [3]}), "expected 3; give a text"),
        (lambda: judge_by_text(TEXTS, {"other": "a"}), "none of its queries is in the run"),
        (lambda: judge_by_text(TEXTS, ["a"]), "give query -> what is expected"),
        (lambda: judge_by_text(TEXTS, {"q": "a"}, normalise="stem"), "normalise='stem'"),
        (lambda: judge_by_text({"q": ["a"]}, {"q": "a"}), "a run of build_run; got a dict"),
        (
            lambda: judge_by_text(run_of("d1"), {"q": "a"}),
            "query 'q', document 'd1', rank 1: there is no text; say where it stands",
        ),
        (lambda: judge_by_span(TEXTS, {"q": [("a", 5, 5)]}), "0 <= start < end"),
        (lambda: judge_by_span(TEXTS, {"q": [("a", 0, 5)]}), "the parent is nothing"),
        (lambda: judge_by_span(TEXTS, {"q": [("a", 0, 5)]}, min_overlap=0), "min_overlap=0"),
        (
            lambda: judge_by_span(run_of(chunk(1, source="a")), {"q": [("a", 0, 5)]}),
            "no 'start_index'; say start=",
        ),
        (lambda: judge_by_page(run_of(chunk(1, source="a")), {"q": [("a", 0)]}), "no 'page'"),
        (lambda: judge_by_page(TEXTS, {"q": ["a"]}), r"give \(document, page\)"),
    ],
)
def test_what_can_not_be_judged_is_refused(call, message):
    """With the place, and what would do."""
    with pytest.raises(InputError, match=message):
        call()


ROWS = [
    {"question": "Who purrs?", "contexts": ["Dogs bark", "Cats purr"], "ground_truth": "cats"},
    {"question": "Who barks?", "contexts": [], "ground_truth": "dogs"},
]


def test_contexts_of_questions(tmp_path):
    """A list of dictionaries or a JSONL file, by the names that evaluations of RAG use."""
    run, qrels, _ = judge_contexts(ROWS)
    assert run == {"Who purrs?": ["context 1", "expected:1"], "Who barks?": []}
    assert evaluate(run, qrels, "RR").mean["RR"] == 0.25
    names = {
        "question": "user_input",
        "contexts": "retrieved_contexts",
        "ground_truth": "reference_contexts",
    }
    other = [{names[k]: v for k, v in row.items()} | {"id": i} for i, row in enumerate(ROWS)]
    file = tmp_path / "rows.jsonl"
    file.write_text("\n".join(map(json.dumps, other)), encoding="utf-8")
    found = judge_contexts(file)
    assert list(found.run.values()) == list(run.values())
    assert list(found.run) == [0, 1]


def test_contexts_in_other_containers(tmp_path):
    """A JSON array holds the same."""
    file = tmp_path / "rows.json"
    file.write_text(json.dumps(ROWS), encoding="utf-8")
    assert judge_contexts(file) == judge_contexts(ROWS)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([], "there is none"),
        ([3], "row 1: 3; give a dictionary"),
        ([ROWS[0], ROWS[0]], r"row 2: 'Who purrs\?' stands twice"),
        ([{"question": "a", "contexts": ["b"]}], "row 1: there is no expected text"),
        ([{"contexts": ["b"], "ground_truth": "c"}], "row 1: no question: call it one of question"),
        ([{"question": "a", "contexts": "b", "ground_truth": "c"}], "contexts is 'b'; give a list"),
        ([{"question": "a", "contexts": ["b"], "ground_truth": None}], "ground_truth is None"),
        ([ROWS[0], {"question": "a", "contexts": []}], "row 2: no 'ground_truth'"),
        ("nothing.jsonl", r"nothing\.jsonl: the file does not exist"),
        ({"question": ["a"], "contexts": []}, "give a list of dictionaries"),
        (5, "give a list of dictionaries"),
    ],
    ids=repr,
)
def test_bad_contexts_are_refused(rows, message):
    """By the number of the row."""
    with pytest.raises(InputError, match=message):
        judge_contexts(rows)


WORDS = st.lists(st.sampled_from(["ab", "cd", "ef", "gh"]), min_size=1, max_size=4).map(" ".join)


@given(texts=st.lists(WORDS, max_size=6), expected=st.lists(WORDS, min_size=1, unique=True))
def test_recall_is_the_share_that_was_found(texts, expected):
    """Whatever is retrieved: no id stands twice, and what was found is counted in plain loops."""
    run = run_of(*(chunk(f"c{i}", text) for i, text in enumerate(texts)))
    judged = judge_by_text(run, {"q": expected})
    assert len(set(judged.run["q"])) == len(judged.run["q"])
    found = sum(any(f" {one} " in f" {text} " for text in texts) for one in expected)
    score = evaluate(judged.run, judged.qrels, "R").mean["R"]
    assert score == pytest.approx(found / len(expected))
