"""How readers understand odd lines of TREC files: an example for each kind, and the page."""
