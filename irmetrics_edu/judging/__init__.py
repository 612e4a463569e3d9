"""The judging loop: unjudged documents are handed out, come back as labels, and are checked.

    runs -> Worklist -> a CSV that people or models fill in -> Labels -> judgments for `evaluate`

Start with `labels.py`.
"""

from irmetrics_edu.judging.kappa import Agreement, agreement
from irmetrics_edu.judging.labels import Label, Labels, of_source, read_labels
from irmetrics_edu.judging.merging import Merged, merge
from irmetrics_edu.judging.trouble import Finding, lint
from irmetrics_edu.judging.worklist import Worklist, unjudged
from irmetrics_edu.judging.written import write_labels

__all__ = [
    "Agreement",
    "Finding",
    "Label",
    "Labels",
    "Merged",
    "Worklist",
    "agreement",
    "lint",
    "merge",
    "of_source",
    "read_labels",
    "unjudged",
    "write_labels",
]
