"""What pytest leaves alone: a script for an environment of its own."""

collect_ignore = ["imported.py"]
