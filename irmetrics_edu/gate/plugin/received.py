"""What failing gates received, as a file beside the report: a run of CI can be accepted later."""

import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePosixPath
from typing import Any

from irmetrics_edu import writing
from irmetrics_edu.errors import InputError
from irmetrics_edu.gate.baseline import Baseline, Outdated
from irmetrics_edu.gate.plugin import BASELINES, baseline_files
from irmetrics_edu.reading.files import SPOILT, File
from irmetrics_edu.reading.records import each_key_once, text_of

RECEIVED = "irm_baselines.received.json"
FORMAT = "irmetrics-edu received baselines, version 1"
Received = dict[str, dict[str, Any]]  # by the file of baselines, then by key


def gathered(told: Iterable[Mapping[str, Any]], root: Path) -> Received:
    """What the gates of a session received, by files as they lie below the root folder."""
    by_file: Received = {}
    for one in told:
        if "received" in one:
            path = Path(one["path"])
            inside = path.is_relative_to(root)
            name = path.relative_to(root).as_posix() if inside else path.name
            by_file.setdefault(name, {})[one["key"]] = one["received"]
    return by_file


def write(report: Path, received: Received) -> list[str]:
    """Write the file beside a report, or remove an older one; return what was done, in words."""
    path = report.parent / RECEIVED
    if not received:
        writing.remove(path)
        return []
    text = json.dumps(
        {"format": FORMAT, "files": received},
        ensure_ascii=False,
        separators=(",", ":"),
        sort_keys=True,
    )
    writing.write(path, text + "\n")
    count = sum(len(entries) for entries in received.values())
    runs = "1 run was" if count == 1 else f"{count:,} runs were"
    return [f"{runs} not accepted; if the change is meant: irmetrics-edu baseline accept {path}"]


def read(path: Path) -> Received:
    """The baselines of such a file; InputError for another file."""
    try:
        content = json.loads(text_of(File(path)), object_pairs_hook=each_key_once)
        if content["format"] != FORMAT:
            raise ValueError(f"its format is {content['format']!r}")
        received: Received = {}
        for name, entries in content["files"].items():
            _refuse_elsewhere(name)
            for key, entry in entries.items():
                Baseline.read(entry)
                received.setdefault(name, {})[key] = entry
    except Outdated as error:
        raise InputError(f"{path}: {error}") from None
    except SPOILT as error:
        raise InputError(
            f"{path}: not what failing gates received ({error!r}); give the file {RECEIVED} that "
            "a session with --irm-report wrote"
        ) from None
    return received


def _refuse_elsewhere(name: str) -> None:
    """Refuse a path that is no file of baselines, or that leads out of the folder."""
    path = PurePosixPath(name)
    if path.name != BASELINES or path.is_absolute() or ".." in path.parts or "\\" in name:
        raise ValueError(f"{name!r} is no file of baselines below this folder")


def accept(path: Path, root: Path) -> list[str]:
    """Make what gates received their baselines; return what was done, in words."""
    messages = []
    for name, entries in read(path).items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        messages += baseline_files.write(str(root / name), entries)
        messages += [f"accepted: {key}" for key in sorted(entries)]
    here = f"{root}{os.sep}"
    return [line.replace(here, "") for line in messages]
