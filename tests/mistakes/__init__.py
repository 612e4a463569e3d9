"""The catalogue of mistakes."""
