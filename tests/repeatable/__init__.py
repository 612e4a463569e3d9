"""The same inputs give the same bytes, whatever stands around."""
