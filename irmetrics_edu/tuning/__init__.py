"""Which discount coefficient to choose for DCC and DILAD, under a binomial model of the lists.

Imports errors, numbers, checks, working, rows. Start with `tune.py`.
"""
