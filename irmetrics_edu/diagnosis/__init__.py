"""Which nDCG is this? The conventions and the mistakes that give a number.

value -> every setting of the switches, scored once -> those that fit its digits -> Diagnosis

Start with `candidates.py`.
"""

from irmetrics_edu import exporting

HOMES = {
    # What `diagnose` and `diagnose_function` give.
    "irmetrics_edu.diagnosis.result": "Candidate Diagnosis",
    "irmetrics_edu.diagnosis.function": "FunctionDiagnosis",
    "irmetrics_edu.diagnosis.reconciliation": "Reconciliation reconcile",
}
__getattr__, __dir__, __all__ = exporting(__name__, HOMES)
