"""Kinds of input: how one query's ranking and judgments become the rows that kernels read."""
