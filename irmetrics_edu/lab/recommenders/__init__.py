"""Recommenders that are small enough to read: popularity, chance, LightGCN and DGRec.

    interactions -> graph -> embeddings -> scores -> a list of unseen items for each user

Training needs the extra `lab`; nothing is imported before it is used.

Start with `recommender.py`.
"""
