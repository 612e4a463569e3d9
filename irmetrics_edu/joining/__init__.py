"""A whole run joined with its judgments: rows for every measure, all at once if possible.

run -> Run, judgments -> Judged;   Run + Judged -> Joined -> rows of all queries, or of one

Imports errors, numbers, checks, conventions, reading, rows, metrics, libraries. Start with
`joined.py`.
"""
