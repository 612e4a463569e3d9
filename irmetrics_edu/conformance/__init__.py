"""Test vectors for any language, and how far libraries agree with them.

plain loops -> cases with every convention spelt out -> JSON; JSON -> a library -> a table

Imports errors, writing, metrics, libraries, runs, documents, diagnosis. Start with `vectors.py`.
"""

from irmetrics_edu.conformance.case import Case
from irmetrics_edu.conformance.vectors import VERSION, cases, export

__all__ = ["VERSION", "Case", "cases", "export"]
