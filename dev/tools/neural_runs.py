"""Runs of two neural models over the collection *stdlib*: `python -m dev.tools.neural_runs DIR`.

DIR holds the unpacked wheels that `neural.toml` names, each in a folder of its package's name. The
models are computed here with numpy, which needs the packages tokenizers and safetensors. It says
where a run differs from the shipped one; `--write` writes runs and vectors into the package. The
shipped files are the record: on another machine the last digit of a score may differ.
"""

import argparse
import hashlib
import importlib
import io
import sys
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy.special import erf

from dev.tools.collection import differing
from irmetrics_edu.course import Collection, load_collection
from irmetrics_edu.course.collection.collection_engines import DEPTH
from irmetrics_edu.course.collection.collection_files import DATA, Scores, run_lines
from irmetrics_edu.course.collection.neural_files import LEVELS, VECTORS, load_neural
from irmetrics_edu.views.output import ended
from irmetrics_edu.writing import write

TOKENS = 256
DECIMALS = 5


@dataclass(frozen=True)
class Bert:
    """A small BERT: its weights by name, what stands before the names, and its number of heads."""

    weights: Mapping[str, Any]
    prefix: str
    heads: int
    layers: int
    scale: str
    shift: str

    def hidden(self, tokens: list[int]) -> Any:
        """The vector of each token after the last layer."""
        words = self._of("embeddings.word_embeddings.weight")[tokens]
        places = self._of("embeddings.position_embeddings.weight")[: len(tokens)]
        kinds = self._of("embeddings.token_type_embeddings.weight")[0]
        x = self.normed(words + places + kinds, "embeddings.LayerNorm")
        for layer in range(self.layers):
            name = f"encoder.layer.{layer}"
            x = x + self._linear(self._attended(x, name), f"{name}.attention.output.dense")
            x = self.normed(x, f"{name}.attention.output.LayerNorm")
            inner = gelu(self._linear(x, f"{name}.intermediate.dense"))
            x = x + self._linear(inner, f"{name}.output.dense")
            x = self.normed(x, f"{name}.output.LayerNorm")
        return x

    def _attended(self, x: Any, name: str) -> Any:
        """What each token takes from the others, all heads side by side."""
        count, width = x.shape
        size = width // self.heads
        parts = []
        for part in ("query", "key", "value"):
            whole = self._linear(x, f"{name}.attention.self.{part}")
            parts.append(whole.reshape(count, self.heads, size).transpose(1, 0, 2))
        query, key, value = parts
        near = query @ key.transpose(0, 2, 1) / np.sqrt(size)
        share = np.exp(near - near.max(axis=-1, keepdims=True))
        share /= share.sum(axis=-1, keepdims=True)
        return (share @ value).transpose(1, 0, 2).reshape(count, width)

    def normed(self, x: Any, name: str) -> Any:
        """Each vector with mean 0 and variance 1, then scaled and shifted."""
        mean = x.mean(axis=-1, keepdims=True)
        variance = ((x - mean) ** 2).mean(axis=-1, keepdims=True)
        scale = self._of(f"{name}.{self.scale}")
        shift = self._of(f"{name}.{self.shift}")
        return (x - mean) / np.sqrt(variance + 1e-12) * scale + shift

    def _linear(self, x: Any, name: str) -> Any:
        return x @ self._of(f"{name}.weight").T + self._of(f"{name}.bias")

    def _of(self, name: str) -> Any:
        return self.weights[self.prefix + name]


def gelu(x: Any) -> Any:
    """The activation of BERT."""
    return 0.5 * x * (1 + erf(x / np.sqrt(2)))


def read(folder: Path, model: Mapping[str, Any]) -> tuple[Bert, Callable[[str], list[int]]]:
    """A model and its tokenizer; ValueError if the weights are not those of the record."""
    place = folder / model["package"]
    raw, words = _files(place, model)
    digest = hashlib.sha256(raw).hexdigest()
    if digest != model["sha256"]:
        raise ValueError(f"{place}: the weights have the digest {digest}, not {model['sha256']}")
    weights = importlib.import_module("safetensors.numpy").load(raw)
    tokenizer = importlib.import_module("tokenizers").Tokenizer.from_str(words)
    tokenizer.no_padding()
    tokenizer.enable_truncation(TOKENS)
    names = ("gamma", "beta") if model["prefix"] else ("weight", "bias")
    bert = Bert(weights, model["prefix"], model["heads"], model["layers"], *names)
    return bert, lambda text: list(tokenizer.encode(text).ids)


def _files(place: Path, model: Mapping[str, Any]) -> tuple[bytes, str]:
    """The weights and the tokenizer, from the wheel's folder or the zip in it."""
    weights = place / model["weights"]
    if weights.suffix == ".zip":
        with zipfile.ZipFile(weights) as archive:
            return archive.read("model.safetensors"), archive.read("tokenizer.json").decode()
    tokenizer = weights.parent / "tokenizer.json"
    return weights.read_bytes(), tokenizer.read_text(encoding="utf-8")


def dense(bert: Bert, tokens: list[int]) -> Any:
    """The vector of a text: the mean of its tokens, of length 1."""
    vector = bert.hidden(tokens).mean(axis=0)
    return vector / np.linalg.norm(vector)


def sparse(bert: Bert, tokens: list[int]) -> Any:
    """The weight of each word of the vocabulary in a text: SPLADE's maximum over its tokens."""
    head = "cls.predictions"
    x = bert.hidden(tokens)
    inner = x @ bert.weights[f"{head}.transform.dense.weight"].T
    inner = gelu(inner + bert.weights[f"{head}.transform.dense.bias"])
    plain = Bert(bert.weights, "", bert.heads, bert.layers, bert.scale, bert.shift)
    inner = plain.normed(inner, f"{head}.transform.LayerNorm")
    words = bert.weights[f"{bert.prefix}embeddings.word_embeddings.weight"]
    scores = inner @ words.T + bert.weights[f"{head}.bias"]
    return np.log1p(np.maximum(scores, 0)).max(axis=0)


def ranked(queries: Any, documents: Any, collection: Collection) -> Scores:
    """The first documents of each topic; of equal scores the last id comes first."""
    ids = np.array(list(collection.documents))
    run: Scores = {}
    for topic, scores in zip(collection.queries, queries @ documents.T, strict=True):
        pairs = zip(np.round(scores.astype(float), DECIMALS).tolist(), ids.tolist(), strict=True)
        run[topic] = {d: score for score, d in sorted(pairs, reverse=True)[:DEPTH]}
    return run


def small(vectors: Any) -> bytes:
    """Vectors as whole numbers of one byte, in numpy's format; by columns, which packs smaller."""
    whole = np.round(vectors / np.abs(vectors).max() * LEVELS).astype(np.int8)
    stream = io.BytesIO()
    np.save(stream, np.asfortranarray(whole), allow_pickle=False)
    return stream.getvalue()


def main(arguments: list[str] | None = None) -> int:
    """Compute the runs, say where they differ, and write them if asked to."""
    parser = argparse.ArgumentParser(prog="python -m dev.tools.neural_runs", description=__doc__)
    parser.add_argument("folder", type=Path, metavar="DIR", help="the unpacked wheels")
    parser.add_argument("--write", action="store_true", help="write runs and vectors")
    args = parser.parse_args(arguments)
    collection = load_collection()
    neural = load_neural()
    failed = 0
    for name, model in neural.models.items():
        bert, tokens = read(args.folder, model)
        encode = dense if model["kind"] == "bi-encoder" else sparse
        texts = [*collection.documents.values(), *collection.queries.values()]
        vectors = np.array([encode(bert, tokens(text)) for text in texts])
        of_queries = vectors[len(collection.documents) :]
        run = ranked(of_queries, vectors[: len(collection.documents)], collection)
        topics = differing(run, neural.runs[name])
        failed |= bool(topics)
        print(f"{name}: {len(topics)} topics differ from the shipped run")
        if args.write:
            write(DATA / f"{name}.run", run_lines(run, name))
            if encode is dense:
                write(DATA / VECTORS, small(vectors))
    return failed


if __name__ == "__main__":
    sys.exit(ended("dev.tools.neural_runs", main))
