"""Re-ranking for diversity: what is chosen next depends on what was chosen before.

`pool` reads what is to be ranked, `choices` records why each winner won; a file per algorithm.

Imports errors, numbers, checks, near_ties, conventions, working, views. Start with `mmr.py`.
"""
