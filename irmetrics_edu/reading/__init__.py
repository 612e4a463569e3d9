"""Reading runs and judgments: files, tables and frames, as columns of whole queries.

Imports errors, input_limits, numbers, checks, conventions. Start with `sources.py`.
"""
