"""The metrics as plain loops from their definitions, sharing nothing with the package."""
