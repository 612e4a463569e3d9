"""Tests of the bank of questions: what is asked, and what each format makes of it."""
