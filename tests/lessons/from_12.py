"""Chapters 12 to 22."""

from tests.lessons.claims import Claim

CLAIMS: list[Claim] = []
