"""Azure AI Evaluation: labels of documents, and retrieved documents with scores."""

from dev.tools.libraries.asked_texts import ask_azure_ai_evaluation
from tests.libraries.asked import Drawn

GROUP = "light"
METRICS = ("ndcg@3",)
DRAWN = Drawn(grades=(0, 4), ties=False, relevant=True)
ask = ask_azure_ai_evaluation
