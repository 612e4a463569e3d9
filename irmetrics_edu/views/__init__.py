"""What people see of a working: explanation, plots, tables, the glossary; nothing is computed here.

Start with `explanation.py`.
"""

from irmetrics_edu import exporting

HOMES = {
    "irmetrics_edu.views.explanation": "Explanation",
}
__getattr__, __dir__, __all__ = exporting(__name__, HOMES)
