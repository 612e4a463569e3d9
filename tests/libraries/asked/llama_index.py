"""LlamaIndex: a list of expected ids and one of retrieved ids, query by query."""

from dev.tools.libraries.asked_texts import ask_llama_index
from tests.libraries.asked import Drawn

GROUP = "light"
METRICS = ("ndcg", "ap", "mrr", "hit_rate", "precision", "recall")
DRAWN = Drawn(relevant=True)

ask = ask_llama_index
