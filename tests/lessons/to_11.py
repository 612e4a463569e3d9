"""Chapters 1 to 11."""

from tests.lessons.claims import Claim

CLAIMS: list[Claim] = []
