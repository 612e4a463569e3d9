"""Reading runs and judgments: files, tables and frames, as columns of whole queries.

Start with `tables.py`.
"""
