"""Claims and verdicts as Ragas 0.4.3 and DeepEval 4.3.1 write them, which are not needed here."""

import json

import pytest

from irmetrics_edu import evaluate
from irmetrics_edu.errors import InputError
from irmetrics_edu.judging import judge_claims, read_claims

JUDGED = [
    {"statement": "Cats purr.", "reason": "the first context says so", "verdict": 1},
    {"statement": 'Cats say "moo".', "reason": "no context does", "verdict": 0},
]
TRACES = [
    {
        "faithfulness": {
            "statement_generator_prompt": {
                "input": {"question": "Who purrs?", "answer": 'Cats purr and say "moo".'},
                "output": {"statements": ["Cats purr.", 'Cats say "moo".']},
            },
            "n_l_i_statement_prompt": {
                "input": {"context": "Cats purr.", "statements": ["Cats purr."]},
                "output": {"statements": JUDGED},
            },
        },
        "answer_relevancy": {},
    }
]
ANNOTATED = {
    "faithfulness": [
        {
            "metric_input": {"user_input": "Who purrs?", "response": "..."},
            "metric_output": 0.5,
            "prompts": {
                "n_l_i_statement_prompt": {
                    "prompt_input": {"context": "Cats purr.", "statements": ["Cats purr."]},
                    "prompt_output": {"statements": JUDGED},
                    "edited_output": None,
                }
            },
            "is_accepted": True,
        }
    ]
}
# As its prettify_list and construct_verbose_logs write it: blanks before the line breaks.
LOG = """Truths (limit=None):
[
    "Cats purr."
] \n \nClaims:
[
    "Cats purr.",
    "Cats say "moo"."
] \n \nVerdicts:
[
    {
        "verdict": "yes",
        "reason": null
    },
    {
        "verdict": "borderline",
        "reason": "No [context] says so."
    }
]"""
RUN = {
    "testCases": [
        {
            "name": "test_case_0",
            "input": "Who purrs?",
            "actualOutput": 'Cats purr and say "moo".',
            "success": True,
            "metricsData": [
                {"name": "Answer Relevancy", "score": 1.0, "success": True},
                {"name": "Faithfulness", "score": 1.0, "success": True, "verboseLogs": LOG},
            ],
        }
    ],
    "conversationalTestCases": [],
}


def stored(tmp_path, what):
    """A file that holds this."""
    (tmp_path / "stored.json").write_text(json.dumps(what), encoding="utf-8")
    return tmp_path / "stored.json"


@pytest.mark.parametrize(
    ("what", "by"),
    [(TRACES, "model:ragas"), (ANNOTATED, "model:ragas"), (RUN, "model:deepeval")],
    ids=["traces", "annotations", "test run"],
)
def test_what_was_judged_is_claim_precision(tmp_path, what, by):
    """One of two claims is supported, and each label says who gave it."""
    labels = read_claims(stored(tmp_path, what))
    assert dict(labels) == {"Who purrs?": {"Cats purr.": 1, 'Cats say "moo".': 0}}
    assert {one.by for one in labels.labels} == {by}
    assert evaluate(*judge_claims(labels), "P").mean == {"P": 0.5}


def test_what_a_person_edited_is_a_persons(tmp_path):
    """The edited output counts, and not what the model said."""
    edited = json.loads(json.dumps(ANNOTATED))
    prompt = edited["faithfulness"][0]["prompts"]["n_l_i_statement_prompt"]
    prompt["edited_output"] = {"statements": [{**JUDGED[1], "verdict": 1}]}
    labels = read_claims(stored(tmp_path, edited))
    assert dict(labels) == {"Who purrs?": {'Cats say "moo".': 1}}
    assert labels.labels[0].source == "person"


@pytest.mark.parametrize(
    ("what", "message"),
    [
        ({"scores": []}, "its form is not known"),
        ([], "no claim of an answer"),
        ([{"answer_relevancy": {}}], "row 1: no prompts of faithfulness"),
        (TRACES * 2, "query 'Who purrs\\?': it has two answers"),
        ({"testCases": [{"input": "q", "metricsData": []}]}, "test case 1: no log of the metric"),
        (
            {"testCases": [{**RUN["testCases"][0], "metricsData": [
                {"name": "Faithfulness", "verboseLogs": LOG.replace("Cats purr.", 'a",\n    "b')}
            ]}]},
            "test case 1: its claims and verdicts can't be told apart",
        ),
        (
            json.loads(json.dumps(TRACES).replace('"verdict": 1', '"verdict": "maybe"')),
            "claim 'Cats purr.' has the verdict 'maybe'",
        ),
        (
            json.loads(json.dumps(TRACES).replace("Who purrs?", " ")),
            "the question is ' '; give text",
        ),
    ],
)  # fmt: skip
def test_what_can_not_be_read_is_refused(tmp_path, what, message):
    """With its place."""
    with pytest.raises(InputError, match=message):
        read_claims(stored(tmp_path, what))


def _silent_files():
    """Each form of file with a second question, whose answer holds no claim."""
    of_ragas = {"metric_input": {"user_input": "Who barks?"}, "prompts": {}}
    no_statement = {
        "statement_generator_prompt": {
            "input": {"question": "Who barks?", "answer": "I can't say."},
            "output": {"statements": []},
        },
    }
    log = "Truths (limit=None):\n[] \n \nClaims:\n[] \n \nVerdicts:\n[]"
    metric = {"name": "Faithfulness", "score": 1.0, "success": True, "verboseLogs": log}
    case = {"input": "Who barks?", "metricsData": [metric]}
    return {
        "traces": [*TRACES, {"faithfulness": no_statement, "answer_relevancy": {}}],
        "annotations": {"faithfulness": [*ANNOTATED["faithfulness"], of_ragas]},
        "test run": {**RUN, "testCases": [*RUN["testCases"], case]},
    }


@pytest.mark.parametrize("form", ["traces", "annotations", "test run"])
def test_an_answer_without_a_claim_is_kept_and_scores_0(tmp_path, form):
    """DeepEval scores such an answer 1 and Ragas not at all; here it is unanswered."""
    path = tmp_path / "stored.json"
    path.write_text(json.dumps(_silent_files()[form]), encoding="utf-8")
    labels = read_claims(path)
    assert labels.unanswered == ("Who barks?",)
    found = evaluate(*judge_claims(labels), "P")
    assert found.per_query["P"] == {"Who purrs?": 0.5, "Who barks?": 0}


def test_a_question_with_one_silent_answer_and_another_has_two_answers(tmp_path):
    """Neither is chosen in silence."""
    path = tmp_path / "stored.json"
    silent = {"metric_input": {"user_input": "Who purrs?"}, "prompts": {}}
    twice = {"faithfulness": [silent, *ANNOTATED["faithfulness"]]}
    path.write_text(json.dumps(twice), encoding="utf-8")
    with pytest.raises(InputError, match="it has two answers"):
        read_claims(path)
