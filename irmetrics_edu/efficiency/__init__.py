"""How fast and how big: a real engine, documents that ship with Python, and what they cost.

docstrings -> documents -> engine -> run;   known items -> queries -> qrels
timings and sizes -> a Working for each measure of efficiency

Imports errors, numbers, checks, working, recommenders. Start with
`engines.py`.
"""
