"""The commands of `irmetrics-edu`, a module each: `add_arguments(parser)` and `run(args)`.

Start with `evaluate.py`.
"""
