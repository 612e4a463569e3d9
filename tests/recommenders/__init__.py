"""Tests of the recommenders, their data and their training."""
