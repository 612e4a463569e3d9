"""A child runs each answer, and this process judges what comes back.

Start with `mark_submission.py`.
"""
