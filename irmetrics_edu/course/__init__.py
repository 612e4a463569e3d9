"""What the notebooks of the course are made of: predictions, tables, figures, quizzes, terms.

Everything shown has three faces: HTML for the notebook and the book, plain text for readers of
the file and for validation, and nothing that needs a running kernel to be understood.

Start with `prompts.py`.
"""

from irmetrics_edu import exporting

HOMES = {
    # Text that asks before it answers.
    "irmetrics_edu.course.prompts": "predict quiz quote reading reveal table terms verbatim",
    "irmetrics_edu.course.figures": "figure slider",
    "irmetrics_edu.course.repository": "Repository",
    # What the documents compute and nothing else in the package needs.
    "irmetrics_edu.course.several_queries": "Spread spread improvement pair_accuracy_table",
    "irmetrics_edu.course.left_out": "leave_out",
    "irmetrics_edu.course.documents.formulas.novelty_formulas": "vertex_cover",
    # The test collection.
    "irmetrics_edu.course.collection.collection_files": "Collection Topic load_collection",
    "irmetrics_edu.course.collection.cranfield": "load_cranfield",
}
__getattr__, __dir__, __all__ = exporting(__name__, HOMES)
