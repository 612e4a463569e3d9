"""What people see of a working: explanation, plots, tables, the glossary."""
