"""Each submission gets its student, its exercise, the copy whose data decide, and its time.

Start with `ownership.py`.
"""
