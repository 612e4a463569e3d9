"""The marks become a book, with the teacher's own marks and changes in it.

Start with `gradebook.py`.
"""
