"""Re-ranking for diversity: the next choice depends on what was chosen before.

`pool` reads the documents to rank. `choices` records why each winner won.

Start with `mmr.py`.
"""
