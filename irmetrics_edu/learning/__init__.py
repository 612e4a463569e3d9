"""Learning to rank: by document (pointwise), by pair (pairwise) and by list (listwise).

`data` holds queries whose documents have features and grades, and makes some; `letor` reads and
writes them; `losses` says what each kind of learner is after; then a file per learner.

Imports errors, writing, numbers, checks, near_ties, conventions, working, views, rows, metrics,
rerankers, efficiency. Start with `data.py`.
"""
