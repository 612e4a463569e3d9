"""Tests of the shipped collection."""
