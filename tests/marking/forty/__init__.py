"""A class of forty, each with a habit or a layout of their own, and the marks that they deserve."""
