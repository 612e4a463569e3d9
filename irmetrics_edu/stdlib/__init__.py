"""The test collection "stdlib": docstrings, a hundred topics, judgments and three runs.

docstrings -> documents;   documents, topics -> engines -> runs -> pools -> judgments

Imports errors, writing, numbers, views, runs, efficiency, learning. Start with `loading.py`.
"""

from irmetrics_edu.stdlib.loading import Collection, Topic, load_collection

__all__ = ["Collection", "Topic", "load_collection"]
