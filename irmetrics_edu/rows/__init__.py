"""Kinds of input: how one query's ranking and judgments become the rows that kernels read.

A file for each kind: a ranking, a recommended list (with categories or distances), nuggets, scored
documents, the values of many queries.

Imports errors, numbers, checks, conventions, working. Start with `ranking.py`.
"""
