"""A whole run joined with its judgments: rows for every measure, in bulk where that goes.

    run -> Run, judgments -> Judged;   Run + Judged -> Joined -> rows of all queries, or of one

Imports errors, numbers, checks, conventions, reading, rows, metrics, libraries. Start with
`joined.py`.
"""
