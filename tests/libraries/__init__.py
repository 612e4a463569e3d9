"""Libraries against their bundles."""
