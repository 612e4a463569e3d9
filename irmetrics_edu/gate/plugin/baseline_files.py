"""Files of baselines, one beside the tests of a folder: sorted, so that a diff reads.

A file is JSON with a line for each query: its scores, in the order of the means above, and the
documents kept of its ranking.
"""

import json
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from functools import lru_cache
from pathlib import Path
from typing import Any

from irmetrics_edu import writing
from irmetrics_edu.errors import InputError
from irmetrics_edu.reading.records import KeyTwiceError, decoded, each_key_once

FORMAT = "irmetrics-edu baselines, version 2"
_ANY = "irmetrics-edu baselines, version "
_ANEW = (
    "restore the file (git checkout -- FILE brings back what was committed); or, if nothing in it "
    "is worth keeping, remove it and write it anew with --irm-update=new on your own machine"
)
# What may follow the name of a test file, a class or a test in a key.
_PARTS = ("::", "[", " #")
_CONFLICT = ("<<<<<<<", "=======", ">>>>>>>")


def read_once(path: Path) -> Mapping[str, Any]:
    """As `read`; a file is parsed once, unless it changes."""
    try:
        there = path.stat()
    except OSError:
        return read(path)
    return _read_as_it_is(path, there.st_mtime_ns, there.st_size)


@lru_cache(maxsize=32)
def _read_as_it_is(path: Path, *_state: int) -> Mapping[str, Any]:
    return read(path)


def read(path: Path) -> dict[str, Any]:
    """The baselines of a file by their keys; none if there is no such file.

    InputError names the file that can't be read, the line, and what to do.
    """
    try:
        content = decoded(path.read_bytes(), path, _ANEW)
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise InputError(f"{path}: can't be read ({error.strerror or error}); {_ANEW}") from None
    return parsed(content, path)


def parsed(content: str, path: Path | str) -> dict[str, Any]:
    """The baselines that a file's text holds, by their keys; `path` names it in errors."""
    if not content.strip():
        raise InputError(f"{path}: the file is empty; {_ANEW}")
    try:
        held = json.loads(content, object_pairs_hook=each_key_once)
    except KeyTwiceError as error:
        raise InputError(_key_twice(error.key, content, path)) from None
    except (ValueError, RecursionError) as error:
        _refuse_conflict(content, path)
        line = f", line {error.lineno}" if isinstance(error, json.JSONDecodeError) else ""
        raise InputError(f"{path}{line}: {_what_it_is(content, error)}") from None
    _refuse_other_format(held, path)
    entries = held.get("baselines")
    if not _are_baselines(entries):
        raise InputError(f"{path}: its baselines are no mapping of tests to baselines; {_ANEW}")
    return dict(entries)


def _refuse_conflict(content: str, path: Path | str) -> None:
    """InputError with the first line that a merge left as a conflict."""
    for number, line in enumerate(content.splitlines(), 1):
        if line.startswith(_CONFLICT):
            raise InputError(
                f"{path}, line {number}: a conflict of a merge ({line[:20]}); take the "
                "same side everywhere (git checkout --ours or --theirs), then run the tests, "
                "and --irm-update=failing if the run is what is meant"
            ) from None


def _refuse_other_format(held: Any, path: Path | str) -> None:
    """InputError unless a file says that it is of the format that is read here."""
    named_format = held.get("format") if isinstance(held, Mapping) else None
    if named_format == FORMAT:
        return
    if not str(named_format).startswith(_ANY):
        raise InputError(f"{path}: no file of baselines; its format should be {FORMAT!r}")
    version = str(named_format).removeprefix(_ANY)
    readable = FORMAT.removeprefix(_ANY)
    raise InputError(
        f"{path}: baselines of version {version}, but this release "
        f"reads version {readable}; install the release that wrote it, or "
        "remove the file and write it anew with --irm-update=new"
    )


def _are_baselines(entries: Any) -> bool:
    """Whether these are a mapping of tests to mappings."""
    if not isinstance(entries, Mapping):
        return False
    return all(isinstance(entry, Mapping) for entry in entries.values())


def _what_it_is(content: str, error: Exception) -> str:
    """What a file is that is not JSON, and how the file of baselines comes back."""
    start = content.lstrip()[:200].lower()
    if start.startswith("version https://git-lfs"):
        return "a pointer of Git LFS, and not the file itself; fetch it with `git lfs pull`"
    if start.startswith(("<!doctype", "<html")):
        return "a page of HTML, as a download that failed leaves it; download the file again"
    return f"not JSON ({error}); {_ANEW}"


def _key_twice(key: str, content: str, path: Path | str) -> str:
    """What is wrong with a key that stands twice, and the lines where it stands."""
    begins = f"{json.dumps(key, ensure_ascii=False)}:"
    lines: list[str] = []
    for number, line in enumerate(content.splitlines(), 1):
        if line.strip().startswith(begins):
            lines.append(str(number))
    where = f", lines {' and '.join(lines)}" if len(lines) == 2 else ""
    return (
        f"{path}{where}: {key!r} stands twice in one object, as a merge by hand leaves it, so "
        "nobody can tell which counts; restore the file from git and merge it again with "
        "irmetrics-edu baseline merge, or remove one of the two and run the test"
    )


def text(baselines: Mapping[str, Any]) -> str:
    """The file's text."""
    content = {"format": FORMAT, "baselines": baselines}
    return _lines(content, "") + "\n"


def _lines(value: Any, indent: str) -> str:
    """JSON with a line for each key; lists, which are scores and rankings, on one line."""
    if not isinstance(value, Mapping):
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    if not value:
        return "{}"
    inner = indent + " "
    items: list[str] = []
    for key in sorted(value):
        name = json.dumps(key, ensure_ascii=False)
        items.append(f"{inner}{name}: {_lines(value[key], inner)}")
    listed = ",\n".join(items)
    return f"{{\n{listed}\n{indent}}}"


def changes(
    made: Iterable[Mapping[str, Any]],
    removed: Iterable[tuple[str, str]],
) -> dict[str, dict[str, Any]]:
    """Changes to write, file by file: key -> entry, or None to remove it."""
    by_path: dict[str, dict[str, Any]] = {}
    for one in made:
        if "entry" in one:
            of_file = by_path.setdefault(one["path"], {})
            of_file[one["key"]] = one["entry"]
    for path, key in removed:
        of_file = by_path.setdefault(path, {})
        of_file[key] = None
    return dict(sorted(by_path.items()))


def write(path: str, changed: Mapping[str, Any]) -> list[str]:
    """Write the changes to a file of baselines; return what was done, in words."""
    with writing.locked(path):  # another session may write to the same file
        kept = read(Path(path))
        for key, entry in changed.items():
            if entry is None:
                kept.pop(key, None)
            else:
                kept[key] = entry
        writing.write(path, text(kept))
    count = sum(entry is not None for entry in changed.values())
    if not count:
        return []
    noun = "baseline" if count == 1 else "baselines"
    return [f"{count} {noun} written to {path}"]


def renamed(path: Path, old: str, new: str, other: Path | None = None) -> list[str]:
    """Give the baselines of a test, a class or a test file a new name; return their new keys.

    A name stands for the test with all its parameters and named baselines. With `other` they move
    to that file. InputError if there is no such baseline, or if one has the new name already.
    """
    to = path if other is None else other
    with ExitStack() as stack:
        for file in sorted({path.resolve(), to.resolve()}):
            stack.enter_context(writing.locked(file))
        kept = read(path)
        there = kept if to == path else read(to)
        moved = _new_keys(kept, old, new)
        if not moved:
            raise InputError(
                f"{path}: no baseline of {old!r}; `irmetrics-edu baseline show {path}` lists them"
            )
        taken = [name for name in moved.values() if name in there]
        if taken:
            raise InputError(
                f"{to}: there is a baseline for {taken[0]} already; remove one of the two with "
                "--irm-prune, or give another name"
            )
        come = {name: kept[key] for key, name in moved.items()}
        left = {key: entry for key, entry in kept.items() if key not in moved}
        if to == path:
            writing.write(path, text({**left, **come}))
        else:
            texts = {
                to: text({**there, **come}),
                path: text(left),
            }
            writing.write_all(texts)
    return sorted(moved.values())


def _new_keys(kept: Iterable[str], old: str, new: str) -> dict[str, str]:
    """The new key of each baseline of a test, a class or a test file that gets a new name."""
    moved: dict[str, str] = {}
    for key in kept:
        if _is_of(key, old):
            moved[key] = new + key.removeprefix(old)
    return moved


def _is_of(key: str, name: str) -> bool:
    """Whether a key is of a test, a class or a test file of this name."""
    beginnings = tuple(name + part for part in _PARTS)
    return key == name or key.startswith(beginnings)


def merged(
    base: Mapping[str, Any],
    ours: Mapping[str, Any],
    theirs: Mapping[str, Any],
) -> tuple[dict[str, Any], list[str]]:
    """Both sides' changes of a common ancestor, and the keys that both changed, each to its own.

    Those keep our entry. An entry that one side changed and the other removed is kept, so that no
    baseline is lost; if its test is gone, it is stale.

    >>> merged({"t": {"a": 1}}, {"t": {"a": 1}, "mine": {}}, {"t": {"a": 2}, "yours": {}})
    ({'mine': {}, 't': {'a': 2}, 'yours': {}}, [])
    """
    both_sides: dict[str, Any] = {}
    both: list[str] = []
    for key in sorted({*base, *ours, *theirs}):
        was = base.get(key)
        one = ours.get(key)
        other = theirs.get(key)
        if other in (one, was):
            kept = one
        elif one == was:
            kept = other
        else:
            kept = other if one is None else one
            if one is not None and other is not None:
                both.append(key)
        if kept is not None:
            both_sides[key] = kept
    return both_sides, both


def stale(path: Path, node_ids: Iterable[str], root: Path) -> set[tuple[str, str]]:
    """The (file, key) of baselines whose test is unknown or whose test file is gone.

    A test whose file was not collected may still be there.
    """
    tests: dict[Path, set[str]] = {}
    for nodeid in node_ids:
        file, _, test = nodeid.partition("::")
        tests.setdefault(root / file, set()).add(test)
    orphans: set[tuple[str, str]] = set()
    for key in read_once(path):
        file, _, named = key.partition("::")
        test_file = path.parent / file
        is_gone = not test_file.exists()
        if test_file in tests:
            is_known = bool(tests[test_file] & _possible_tests(named))
            is_gone = is_gone or not is_known
        if is_gone:
            orphans.add((str(path), key))
    return orphans


def _possible_tests(named: str) -> set[str]:
    """The tests that a key may be of: it is "test" or "test #name".

    A parameter of a test may hold " #" too.
    """
    parts = named.split(" #")
    return {" #".join(parts[:count]) for count in range(1, len(parts) + 1)}
