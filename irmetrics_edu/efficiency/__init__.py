"""How fast and how large: a real engine, and its costs.

documents -> engine;   queries -> engine -> run
timings and sizes -> a Working for each measure of efficiency

Imports errors, numbers, checks, working. Start with `engines.py`.
"""
