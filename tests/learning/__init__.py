"""Tests of learning to rank."""
