"""Runs from live systems: answers of retrievers become rankings, rankings become a run.

No client library is imported: an answer is recognised by the attributes and keys that it has.

Imports errors, checks, near_ties, reading, views. Start with `retrieved.py`.
"""
