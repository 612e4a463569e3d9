"""The judging loop: unjudged documents are handed out, come back as labels, and are checked.

    runs -> Worklist -> a CSV that people or models fill in -> Labels -> judgments for `evaluate`

Start with `labels.py`.
"""

from irmetrics_edu import exporting

HOMES = {
    # Which documents to judge, and what came back.
    "irmetrics_edu.judging.worklist": "Worklist unjudged",
    "irmetrics_edu.judging.deciding": "BoundedDifference Decision Sign decision",
    "irmetrics_edu.judging.labels": "Label Labels of_source read_labels write_labels",
    "irmetrics_edu.judging.merging": "Merged merge",
    "irmetrics_edu.judging.bootstrap": "Estimate",
    "irmetrics_edu.judging.agreement": "Severity",
    "irmetrics_edu.judging.several_judges": "Judges judges",
    "irmetrics_edu.judging.judgment_checks": "Finding lint",
    # A retriever's answers as a run.
    "irmetrics_edu.judging.one_answer": "Passage Retrieved retrieved",
    "irmetrics_edu.judging.building": "BuiltRun build_run",
    # Runs and judgments of passages, and of questions with their contexts.
    "irmetrics_edu.judging.contexts": "judge_contexts",
    "irmetrics_edu.judging.passage_judgments": (
        "JudgedPassages collapse judge_by_text judge_by_span judge_by_page"
    ),
    # Answers: claims, nuggets, citations.
    "irmetrics_edu.judging.answer_labels": (
        "JudgedCitations JudgedItems judge_citations judge_claims judge_nuggets label_with"
    ),
    "irmetrics_edu.judging.stored_claims": "read_claims",
}
__getattr__, __dir__, __all__ = exporting(__name__, HOMES)
