"""Marking: what was handed in is read, run question by question in the sandbox, and judged here."""
