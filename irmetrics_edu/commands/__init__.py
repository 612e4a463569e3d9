"""The commands of `irmetrics-edu`, a module each: `add_arguments(parser)` and `run(args)`.

Imports errors, writing, input_limits, checks, conventions, working, views, rows, reading,
metrics, libraries, joining, runs, judging, recommenders, efficiency, stdlib, study, documents,
diagnosis, assertions, conformance, playground, grading, exercises, questions, marking, plugin.
Start with `evaluate.py`.
"""
