"""Tests of the course."""
