"""The test collection "stdlib": docstrings, a hundred topics, judgments and three runs.

docstrings -> documents;   documents, topics -> engines -> runs -> pools -> judgments

Start with `collection_files.py`.
"""
