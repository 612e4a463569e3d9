"""Each sentence of six pages of the guide that promises something, as a test."""
