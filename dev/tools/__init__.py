"""What makes the project's pages and generated files: not in the wheel, and not imported by it."""
