"""Evaluation past one machine."""
