"""Marking: submissions are read, run question by question in the sandbox, and judged here.

A teacher's five steps, each a module with one function, and a folder of what stands behind it:

    collect     collecting/   what was handed in is found and read, with the class
    match       matching/     each submission gets its student, exercise, copy and time
    mark        running/      the code runs, and its answers are judged
    review      reviewing/    the results become a book, with the teacher's own marks in it
    give_back   returning/    feedback for students, tables for platforms, a report

Start with `mark_class.py`.
"""
