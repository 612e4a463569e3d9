"""Finding a value inside an answer: by a path such as "metadata.source", or by a function."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from irmetrics_edu.errors import InputError

Key = str | int | Callable[[Any], Any]
MISSING: Any = object()  # None may be a value that was found


def refuse_no_key(key: Any, name: str) -> None:
    """Refuse what is neither a path nor a function."""
    if key is None or callable(key) or (isinstance(key, (str, int)) and key != ""):
        return
    raise InputError(
        f'{name}={key!r}: give a path such as {name}="metadata.source", or a function of what '
        "stands at a rank"
    )


def look(key: Key, *roots: Any) -> Any:
    """The value of a path or function in the first root that has it, or MISSING.

    >>> look("metadata.source", {"metadata": {"source": "a.pdf"}})
    'a.pdf'
    """
    if callable(key):
        return key(roots[0])
    for root in roots:
        found = _step(root, str(key)) if isinstance(key, str) else _part(root, key)
        if found is not MISSING:
            return found
    return MISSING


def _step(root: Any, path: str) -> Any:
    whole = _part(root, path)  # a key may have a point in it
    if whole is not MISSING or "." not in path:
        return whole
    first, _, rest = path.partition(".")
    inner = _part(root, first)
    return MISSING if inner is MISSING else _step(inner, rest)


def _part(root: Any, name: str | int) -> Any:
    if isinstance(root, Mapping):
        return root[name] if name in root else MISSING  # noqa: SIM401 -- None may be the value
    if isinstance(name, str) and not name.startswith("_") and hasattr(root, name):
        return getattr(root, name)
    digits = isinstance(name, int) or name.isdecimal()
    if digits and isinstance(root, Sequence) and not isinstance(root, (str, bytes)):
        return root[int(name)] if int(name) < len(root) else MISSING
    return MISSING
