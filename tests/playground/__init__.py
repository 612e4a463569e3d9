"""The playground, held against the package in a real browser."""
