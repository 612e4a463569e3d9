"""Live libraries as functions of a run: what tests and the recording of values ask.

a library's own call (`asked_*.py`, or `learners`, `recommenders`, `retrieval`) -> an adapter
(`adapters.py`) -> verdicts: `python -m dev.tools.libraries [LIBRARY ...]`
"""
