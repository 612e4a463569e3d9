"""Naming the convention behind a number."""
