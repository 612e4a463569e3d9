"""Which discount coefficient suits DCC and DILAD, under the binomial model of the lists."""
