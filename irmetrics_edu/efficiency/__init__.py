"""How fast and how large: a real engine, documents that come with Python, and their costs.

docstrings -> documents -> engine -> run;   known items -> queries -> qrels
timings and sizes -> a Working for each measure of efficiency

Imports errors, numbers, checks, working, recommenders. Start with `engines.py`.
"""
