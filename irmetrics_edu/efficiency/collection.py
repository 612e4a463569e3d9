"""A test collection without a download: docstrings of the standard library, and known items.

Every public module, class, function and method with a docstring is a document. A known-item query
is made of words that a reader remembers of one document. Some of the words are wrong.
"""

import ast
import re
import sys
import sysconfig
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from irmetrics_edu import checks
from irmetrics_edu.errors import InputError
from irmetrics_edu.recommenders.parameters import whole

# Not of the language: tests, demonstrations, an editor, what is installed beside.
_LEFT_OUT = {
    "test", "tests", "idlelib", "lib2to3", "turtledemo", "site-packages", "dist-packages",
    "__pycache__", "pydoc_data", "ensurepip", "__phello__",
}  # fmt: skip
_WORD = re.compile(r"[^\W_]+")
_FEWEST_WORDS = 8


@dataclass(frozen=True, slots=True)
class Document:
    """A document: its id (the qualified name of what it describes) and its text."""

    id: str
    text: str


@dataclass(frozen=True)
class Collection:
    """Documents, queries and which document each query was made from."""

    documents: tuple[Document, ...]
    queries: dict[str, str]
    qrels: dict[str, dict[str, int]]
    name: str


def words(text: str) -> list[str]:
    """The words of a text, in lower case.

    >>> words("Return the_sum of X, 2 times.")
    ['return', 'the', 'sum', 'of', 'x', '2', 'times']
    """
    return _WORD.findall(text.lower())


@lru_cache(maxsize=1)
def docstrings() -> tuple[Document, ...]:
    """The docstrings of the standard library that have eight words or more, by qualified name.

    The source files are read, not run: nothing is imported. The documents depend on the version of
    Python. If a name is defined twice, as for two systems, the first definition counts.
    """
    root = Path(sysconfig.get_paths()["stdlib"])
    found: dict[str, str] = {}
    for path in sorted(root.rglob("*.py")):
        parts = path.relative_to(root).with_suffix("").parts
        if _LEFT_OUT & set(parts) or any(p.startswith("_") and p != "__init__" for p in parts):
            continue
        module = ".".join(p for p in parts if p != "__init__")
        try:
            tree = ast.parse(path.read_bytes())
        except (SyntaxError, ValueError):  # a template, not a module
            continue
        for name, text in _described(tree, module):
            if len(words(text)) >= _FEWEST_WORDS:
                found.setdefault(name, text)
    if not found:
        raise InputError(
            f"no source of the standard library was found in {root}; use a "
            "Python that comes with its source"
        )
    return tuple(Document(name, text) for name, text in found.items())


def _described(
    node: ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef, name: str
) -> Iterator[tuple[str, str]]:
    text = ast.get_docstring(node)
    if text:
        yield name, text
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return
    for child in node.body:
        if isinstance(
            child, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
        ) and not child.name.startswith("_"):
            yield from _described(child, f"{name}.{child.name}")


def known_items(
    documents: Sequence[Document], n: int = 200, *, noise: float = 0.1, seed: int = 0
) -> Collection:
    """A known-item query is made of the words that a reader remembers of one document.

    A document is drawn at random, each with the same probability. Then about four of its words are
    drawn by how often they occur in it. With probability `noise` a word of the whole collection
    replaces a word of the document. Words that occur in more than a tenth of the documents are not
    used. A document is not drawn if another one has the same text, or if fewer than three of its
    words are left. The document is the only relevant one.

    Source: Azzopardi, de Rijke & Balog (2007), Building simulated queries for known-item topics,
    SIGIR.
    """
    checks.between("noise", noise, 0, 1)
    whole("n", n, 1, why=" query")
    texts = Counter(d.text for d in documents)
    tokens = [words(d.text) for d in documents]
    frequency = Counter(word for each in tokens for word in set(each))
    common = max(1, len(documents) / 10)
    askable = [
        [w for w in each if frequency[w] <= common and len(w) > 1 and not w.isdigit()]
        for each in tokens
    ]
    wanted = [
        i for i, d in enumerate(documents) if texts[d.text] == 1 and len(set(askable[i])) >= 3
    ]
    if n > len(wanted):
        raise InputError(
            f"n={n} is too large: only {len(wanted)} of the documents can have a "
            "query; give a smaller n"
        )
    everything = [w for each in askable for w in each]
    rng = np.random.default_rng(seed)
    queries, qrels = {}, {}
    for number, at in enumerate(rng.choice(len(wanted), n, replace=False).tolist(), 1):
        place = wanted[at]
        length = min(len(set(askable[place])), max(2, int(rng.poisson(4))))
        chosen: list[str] = []
        while len(chosen) < length:
            source = everything if rng.random() < noise else askable[place]
            word = source[int(rng.integers(len(source)))]
            if word not in chosen:
                chosen.append(word)
        queries[f"q{number}"] = " ".join(chosen)
        qrels[f"q{number}"] = {documents[place].id: 1}
    version = ".".join(map(str, sys.version_info[:3]))
    return Collection(
        tuple(documents), queries, qrels, f"docstrings of Python {version}, known items"
    )
