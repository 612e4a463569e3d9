"""Which nDCG is this? The conventions and the mistakes that give a number.

value -> every setting of the switches, scored once -> those that fit its digits -> Diagnosis

Start with `candidates.py`.
"""

from irmetrics_edu.diagnosis.brief import one_line
from irmetrics_edu.diagnosis.candidates import diagnose
from irmetrics_edu.diagnosis.function import FunctionDiagnosis, diagnose_function
from irmetrics_edu.diagnosis.result import Candidate, Diagnosis

__all__ = [
    "Candidate",
    "Diagnosis",
    "FunctionDiagnosis",
    "diagnose",
    "diagnose_function",
    "one_line",
]
