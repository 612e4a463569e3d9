"""Test vectors for any language, and checks of libraries and programs against them.

plain loops -> cases with all conventions -> JSON, with a README that explains every word
a library -> its values -> a table; a program's results.json -> what passes, and what it follows

`runners/` holds programs in JavaScript and C that were written from that README alone.

Start with `vectors.py`.
"""

from irmetrics_edu.diagnosis.conformance.case import Case
from irmetrics_edu.diagnosis.conformance.vectors import VERSION, cases, export

__all__ = ["VERSION", "Case", "cases", "export"]
