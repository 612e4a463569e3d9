"""The lab: models and studies to teach with, from re-rankers to experiments online.

Start with `learning/__init__.py`.
"""
