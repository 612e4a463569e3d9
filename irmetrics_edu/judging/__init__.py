"""The judging loop: what nobody judged is handed out, comes back as labels, and is checked.

    runs -> Worklist -> a CSV that people or models fill in -> Labels -> judgments for `evaluate`

Imports errors, checks, writing, reading, views, joining, runs. Start with `labels.py`.
"""
