"""Which discount coefficient to choose for DCC and DILAD, under a binomial model of the lists.

Start with `tune.py`.
"""
