"""Does every machine print the same? Other processors, put on by what libraries let one choose."""
