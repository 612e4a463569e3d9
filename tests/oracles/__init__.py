"""Plain loops, written from the definitions and sharing nothing with the package."""
