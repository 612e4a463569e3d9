"""Evaluation with users: clicks, interleaving, A/B tests, and estimates from logs.

click model + attractiveness -> clicks;   two rankings -> one list -> clicks -> credit -> preference
users of two groups -> a difference;   a log + a new policy -> an estimate of its value

Start with `clicks.py`.
"""
