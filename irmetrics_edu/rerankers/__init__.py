"""Re-ranking for diversity: the next choice depends on what was chosen before.

`pool` reads the documents to rank. `choices` records why each winner won. Each algorithm has a
file.

Imports errors, numbers, checks, near_ties, conventions, working, views. Start with `mmr.py`.
"""
