"""The book of the course, as its readers see it."""
