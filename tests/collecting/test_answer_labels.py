"""Claims, nuggets and citations of answers, against plain loops; labels that are kept in a file."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irmetrics_edu import evaluate
from irmetrics_edu.errors import InputError
from irmetrics_edu.gate import RankingAssertionError, assert_precision, assert_recall
from irmetrics_edu.judging import (
    judge_citations,
    judge_claims,
    judge_nuggets,
    judges,
    label_with,
    of_source,
)

NUGGET = st.tuples(
    st.sampled_from(["vital", "okay"]),
    st.sampled_from(["support", "partial_support", "not_support"]),
)


def mean(pair, measure):
    """The mean of a measure over the answers."""
    return evaluate(*pair, measure).mean[measure]


@given(st.lists(NUGGET, min_size=1))
def test_nugget_recall_is_the_strict_score_of_the_track(nuggets):
    """A plain loop over what was assigned; without a vital nugget the vital score is 0."""
    row = {
        "qid": "q",
        "nuggets": [
            {"text": f"n{i}", "importance": importance, "assignment": assignment}
            for i, (importance, assignment) in enumerate(nuggets)
        ],
    }
    held = vital = vital_held = 0
    for importance, assignment in nuggets:
        held += assignment == "support"
        vital += importance == "vital"
        vital_held += importance == "vital" and assignment == "support"
    judged = judge_nuggets([row])
    assert mean(judged, "R") == pytest.approx(held / len(nuggets))
    assert mean(judged, "R(rel=2)") == pytest.approx(vital_held / vital if vital else 0)


@given(
    st.lists(st.tuples(st.booleans(), st.lists(st.booleans(), max_size=3)), min_size=1, max_size=5)
)
def test_citation_recall_and_precision_by_a_plain_loop(statements):
    """As ALCE defines them, from labels."""
    row = {
        "qid": "q",
        "statements": [
            {
                "text": "The same words.",
                "supported": supported,
                "citations": {f"d{n}": needed for n, needed in enumerate(cited)},
            }
            for supported, cited in statements
        ],
    }
    right = citations = good = 0
    for supported, cited in statements:
        right += supported and len(cited) > 0
        for needed in cited:
            citations += 1
            good += supported and needed
    judged = judge_citations([row])
    assert mean(judged.statements, "P") == pytest.approx(right / len(statements))
    assert mean(judged.citations, "P") == pytest.approx(good / citations if citations else 0)


def test_a_file_of_the_track_is_asserted_like_any_run(tmp_path):
    """With further fields beside; a failure names the nugget that is lost."""
    lines = [
        {
            "qid": "2024-1",
            "query": "Who was Marie Curie?",
            "run_id": "mine",
            "nuggets": [
                {"text": "born 1867", "importance": "vital", "assignment": "support"},
                {"text": "two Nobel prizes", "importance": "vital", "assignment": "not_support"},
            ],
        }
    ]
    path = tmp_path / "assigned.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    judged = judge_nuggets(path)
    assert assert_recall(*judged, at_least=0.5, rel=2) == 0.5
    with pytest.raises(RankingAssertionError, match=r"not retrieved: two Nobel prizes"):
        assert_recall(*judged, at_least=0.9, rel=2)
    path.write_text(path.read_text() * 2)
    with pytest.raises(InputError, match=r"line 2: query '2024-1': it has two rows"):
        judge_nuggets(path)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([], "there is none"),
        (7, "give a list of dictionaries"),
        (["q"], "row 1: 'q'; give a dictionary"),
        ([{"nuggets": []}], "row 1: qid is None"),
        ([{"qid": "q", "nuggets": []}], r"nuggets is \[\]; give a list of at least one"),
        ([{"qid": "q", "nuggets": [{"text": ""}]}], "query 'q': text is ''; give text"),
        (
            [{"qid": "q", "nuggets": [{"text": "x"}]}],
            "nugget 'x': importance=None is not known; use one of",
        ),
        (
            [{"qid": "q", "nuggets": [{"text": "x", "importance": "vital", "assignment": "yes"}]}],
            "assignment='yes' is not known; use one of support, partial_support",
        ),
    ],
    ids=str,
)
def test_wrong_nuggets_are_refused(rows, message):
    """With the row, the query and what would do."""
    with pytest.raises(InputError, match=message):
        judge_nuggets(rows)


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ({"text": "x"}, "statement 1: citations is None; map passages"),
        ({"text": "x", "citations": {}}, "supported is None; give true or false"),
        ({"text": "x", "supported": 1, "citations": {"d": "no"}}, "citation 'd' is 'no'"),
    ],
)
def test_wrong_citations_are_refused(statement, message):
    """With the number of the statement."""
    with pytest.raises(InputError, match=message):
        judge_citations([{"qid": "q", "statements": [statement]}])


def test_labels_are_asked_for_once_and_agree_with_people(tmp_path):
    """New claims are asked for; a line that a person corrected stays, under the person's name."""
    path, asked = tmp_path / "claims.csv", []

    def model(query, claim):
        asked.append((query, claim))
        return "purr" in claim

    claims = {"q": ["Cats purr.", "Dogs purr."]}
    label_with(claims, model, path, judge="model 1")
    path.write_text(
        path.read_text().replace("q,Dogs purr.,1,model,model 1", "q,Dogs purr.,0,person,Anna")
    )
    more = {"q": [*claims["q"], "Birds sing."]}
    labels = label_with(more, model, path, judge="model 2")
    assert asked == [("q", c) for c in more["q"]]
    assert [one.by for one in labels.labels] == ["model:model 1", "person:Anna", "model:model 2"]
    judged = judge_claims(labels)
    assert assert_precision(*judged, at_least=1 / 3) == pytest.approx(1 / 3)
    assert label_with(more, None, path, judge="-").labels == labels.labels
    with pytest.raises(
        InputError, match=r"query 'q', document 'Fish\.': .*claims\.csv has no label"
    ):
        label_with({"q": ["Fish."]}, None, path, judge="-")
    people = {"q": {"Cats purr.": 1, "Dogs purr.": 0, "Birds sing.": 1}}
    both = judges({"model": of_source(labels, "model"), "people": people})
    assert both.raw == pytest.approx(0.5)


CLAIMS = st.dictionaries(st.sampled_from("abcd"), st.integers(0, 1), max_size=4)


@given(st.lists(CLAIMS, min_size=2, max_size=6), st.data())
def test_a_mean_does_not_rise_by_silence(answers, data):
    """One answer more that says nothing: claim precision and both of citations stay or fall."""
    spoken = {f"q{i}": claims for i, claims in enumerate(answers)}
    if not any(spoken.values()):
        spoken["q0"] = {"a": 1}
    silent = data.draw(st.sampled_from(sorted(spoken)))
    quiet = {**spoken, silent: {}}
    if not any(quiet.values()):
        return
    assert mean(judge_claims(quiet), "P") <= mean(judge_claims(spoken), "P")
    before = judge_citations(rows_of_citations(spoken))
    after = judge_citations(rows_of_citations(quiet))
    assert mean(after.statements, "P") <= mean(before.statements, "P")
    assert mean(after.citations, "P") <= mean(before.citations, "P")


def rows_of_citations(spoken):
    """Each claim as a statement that cites a passage, and the grade says whether it needs it."""
    rows = []
    for query, claims in spoken.items():
        statements = []
        for text, grade in claims.items():
            said = {"text": text, "supported": True, "citations": {"d": bool(grade)}}
            statements.append(said)
        rows.append({"qid": query, "statements": statements})
    return rows


def test_an_answer_that_says_nothing_scores_0_and_is_named(tmp_path):
    """Through each door: a mapping, new labels, labels of one source, a file with its queries."""
    path = tmp_path / "claims.csv"
    claims = {"why?": ["x"], "how?": []}
    labels = label_with(claims, lambda *_: 1, path, judge="m")
    assert labels.unanswered == ("how?",)
    assert "1 answer says nothing" in repr(labels)
    doors = [
        judge_claims({"why?": {"x": 1}, "how?": {}}),
        judge_claims({"why?": {"x": 1}, "how?": []}),
        judge_claims(labels),
        judge_claims(of_source(labels, "m")),
        judge_claims(path, queries=claims),
        judge_citations(rows_of_citations({"why?": {"x": 1}, "how?": {}})).statements,
        judge_citations(rows_of_citations({"why?": {"x": 1}, "how?": {}})).citations,
    ]
    for judged in doors:
        found = evaluate(*judged, "P")
        assert found.mean["P"] == 0.5
        assert found.per_query["P"]["how?"] == 0
        assert "note: 1 query has an empty ranking: how?" in str(found)
        with pytest.raises(RankingAssertionError, match=r"1 query finds nothing \(how\?\)"):
            assert_precision(*judged, at_least=0.9)


def test_all_answers_may_be_silent():
    """Then the mean is 0, and not an error about judgments."""
    assert mean(judge_claims({"why?": {}, "how?": {}}), "P") == 0
    with pytest.raises(InputError, match="the judgments have no query"):
        judge_claims({})


@pytest.mark.parametrize("given", [None, "text", [1], {}])
def test_what_are_no_statements_is_refused_with_its_query(given):
    """Nothing said is an empty list; anything else is a mistake in the row."""
    with pytest.raises(InputError, match=r"row 1: query 'how\?': statements is .*give a list of"):
        judge_citations([{"qid": "how?", "statements": given}])
