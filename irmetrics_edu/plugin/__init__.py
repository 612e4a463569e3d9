"""What the pytest plugin does once it is used; `irmetrics_edu.pytest_plugin` is its entry."""
