"""What maintainers use, from a checkout alone: README.md beside it says who needs which folder."""
