"""A whole run joined with its judgments: rows for every measure, all at once if possible.

run -> Run, judgments -> Judged;   Run + Judged -> Joined -> rows of all queries, or of one

Start with `joined.py`.
"""
