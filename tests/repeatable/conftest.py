"""What is no test here."""

collect_ignore = ["surroundings"]  # Python imports it by its name
