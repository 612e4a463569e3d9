"""What people see of a working: explanation, plots, tables, the glossary; nothing is computed here.

Imports errors, writing, numbers, near_ties, working, metrics. Start with `explanation.py`.
"""
