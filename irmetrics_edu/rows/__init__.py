"""Kinds of input: how one query's ranking and judgments become the rows that kernels read.

A file for each kind: a ranking, a recommended list (with categories or distances), nuggets, scored
documents, the values of many queries.

Start with `aligned_ranking.py`.
"""
