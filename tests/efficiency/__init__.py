"""Tests of the engines, the collection and the measures of efficiency."""
