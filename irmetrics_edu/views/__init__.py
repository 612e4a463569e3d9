"""What people see of a working: explanation, plots, tables, the glossary; nothing is computed here.

Start with `explanation.py`.
"""
