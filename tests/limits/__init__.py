"""How large an input may be: what grows with it, what is refused, and what 1 MB can do at worst."""
