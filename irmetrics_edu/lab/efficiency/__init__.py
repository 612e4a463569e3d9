"""How fast and how large: a real engine, and its costs.

documents -> engine;   queries -> engine -> run
timings and sizes -> a Working for each measure of efficiency

Start with `engines.py`.
"""
