"""What was handed in is found and read, and the class that could have handed in.

Start with `submissions.py`.
"""
