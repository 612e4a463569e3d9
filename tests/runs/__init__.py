"""Tests of evaluating and comparing whole runs."""
