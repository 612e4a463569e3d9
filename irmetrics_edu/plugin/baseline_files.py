"""Files of baselines, one beside the tests of a folder: sorted, so that a diff reads."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from irmetrics_edu import writing
from irmetrics_edu.errors import InputError

FORMAT = "irmetrics-edu baselines, version 1"


def read(path: Path) -> dict[str, Any]:
    """The baselines of a file by their keys; none if there is no such file."""
    if not path.exists():
        return {}
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise InputError(f"{path}: not JSON ({error}); restore the file or remove it") from None
    if not isinstance(found, Mapping) or found.get("format") != FORMAT:
        raise InputError(f"{path}: no file of baselines; its format should be {FORMAT!r}")
    return dict(found["baselines"])


def text(baselines: Mapping[str, Any]) -> str:
    """The file's text."""
    return _lines({"format": FORMAT, "baselines": baselines}, "") + "\n"


def _lines(value: Any, indent: str) -> str:
    """JSON with a line for each key; lists, which are rankings, on one line."""
    if not isinstance(value, Mapping):
        return json.dumps(value, ensure_ascii=False)
    if not value:
        return "{}"
    inner = indent + "  "
    items = [
        f"{inner}{json.dumps(key, ensure_ascii=False)}: {_lines(value[key], inner)}"
        for key in sorted(value)
    ]
    return "{\n" + ",\n".join(items) + f"\n{indent}}}"


def changes(
    made: Iterable[Mapping[str, Any]], removed: Iterable[tuple[str, str]]
) -> dict[str, dict[str, Any]]:
    """What is to be written, file by file: entries by their keys, None for those to remove."""
    by_path: dict[str, dict[str, Any]] = {}
    for one in made:
        by_path.setdefault(one["path"], {})[one["key"]] = one["entry"]
    for path, key in removed:
        by_path.setdefault(path, {})[key] = None
    return dict(sorted(by_path.items()))


def write(path: str, changed: Mapping[str, Any]) -> list[str]:
    """Write what changed in a file of baselines; what was done, in words."""
    with writing.locked(path):  # another session may write to the same file
        kept = {**read(Path(path)), **changed}
        kept = {key: entry for key, entry in kept.items() if entry is not None}
        writing.write(path, text(kept))
    n = sum(entry is not None for entry in changed.values())
    return [f"{n} {'baseline' if n == 1 else 'baselines'} written to {path}"] if n else []


def stale(
    folders: Iterable[Path], name: str, known: Iterable[str], root: Path
) -> set[tuple[str, str]]:
    """Baselines, by file and key, whose test was not collected though its file was, or is gone."""
    tests = {(root / n.partition("::")[0], n.partition("::")[2]) for n in known}
    files = {path for path, _ in tests}
    found = set()
    for folder in folders:
        path = folder / name
        for key in read(path):
            file, _, test = key.partition("::")
            test = test.partition(" ")[0] if test.partition(" ")[2].startswith("#") else test
            where = folder / file
            if not where.exists() or (where in files and (where, test) not in tests):
                found.add((str(path), key))
    return found
