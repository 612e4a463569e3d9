"""Which discount coefficient suits DCC and DILAD, under the binomial model of the lists.

Imports errors, numbers, checks, working, rows. Start with `tune.py`.
"""
