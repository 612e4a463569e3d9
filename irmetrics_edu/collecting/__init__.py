"""Runs from live systems: a retriever's answers become rankings, and rankings become a run.

No client library is imported: an answer is recognised by the attributes and keys that it has.

Imports errors, checks, near_ties, reading, views. Start with `retrieved.py`.
"""
