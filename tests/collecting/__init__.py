"""Answers of live systems become runs."""
