"""Choices among numbers that are equal but for rounding."""
