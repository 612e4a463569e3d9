"""The study of document 002: what diversity metrics say about diversifiers, and what they miss.

data -> rankers -> lists -> scores of every user -> groups, coefficients, claims -> views

Start with `diversity_study.py`.
"""
