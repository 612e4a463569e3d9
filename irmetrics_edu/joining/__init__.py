"""A whole run joined with its judgments: rows for every measure, in bulk where that goes."""
