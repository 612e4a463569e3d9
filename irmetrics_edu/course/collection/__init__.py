"""The test collection "stdlib": docstrings, a hundred topics, judgments and three runs.

docstrings -> documents;   documents, topics -> engines -> runs -> pools -> judgments

Start with `shipped.py`.
"""

from irmetrics_edu.course.collection.shipped import Collection, Topic, load_collection

__all__ = ["Collection", "Topic", "load_collection"]
