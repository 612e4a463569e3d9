"""Runs as people have them, and what libraries gave for them.

`inputs` draws the runs, `ask` puts them to a library, and `record` writes down what it gave.
"""
