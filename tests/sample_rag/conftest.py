"""The project in this folder is a stranger's: it is run by its own pytest, not by ours."""

collect_ignore = ["project"]
