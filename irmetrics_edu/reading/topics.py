"""Small tables for diversity: which subtopics a document covers, which categories an item has."""

from collections.abc import Iterator, Mapping
from os import PathLike
from pathlib import Path
from typing import Any

from irmetrics_edu.errors import InputError
from irmetrics_edu.reading import files, tabular
from irmetrics_edu.reading.problems import Problems

Subtopics = dict[str, dict[str, dict[str, float]]]
Categories = dict[str, set[str]]


def read_subtopics(path: str | PathLike[str], *, skip_bad: bool = False) -> tuple[Subtopics, int]:
    """Judgments for diversity: query -> document -> subtopic -> grade, and the lines left out.

    The lines are those of TREC's diversity tasks: query, subtopic, document, grade. A JSON file
    holds the mapping itself.
    """
    path = Path(path)
    if ".json" in path.suffixes:
        return tabular.of_json(path), 0
    problems = Problems(str(path), skip=skip_bad)
    found: Subtopics = {}
    for number, line, words in _words(path, problems):
        if len(words) != 4:
            problems.add(
                number, line, f"{len(words)} fields; expected 4: query subtopic document grade"
            )
            continue
        query, subtopic, document, written = words
        grade = _grade(written)
        if grade is None:
            problems.add(number, line, f"grade {written!r} is not a finite number")
            continue
        judged = found.setdefault(query, {}).setdefault(document, {})
        if subtopic in judged:
            problems.add(
                number, line, f"document {document!r} is judged twice for subtopic {subtopic!r}"
            )
            continue
        judged[subtopic] = grade
    problems.check()
    if not found:
        raise InputError(f"{path}: there is nothing in it; expected query subtopic document grade")
    return found, problems.count


def read_categories(path: str | PathLike[str], *, skip_bad: bool = False) -> tuple[Categories, int]:
    """The categories of items: item -> set of categories, and the lines left out.

    A line is an item and one of its categories, parted by a tab or blanks; a JSON file maps items
    to lists of categories.
    """
    path = Path(path)
    if ".json" in path.suffixes:
        return _as_sets(tabular.of_json(path), path), 0
    problems = Problems(str(path), skip=skip_bad)
    found: Categories = {}
    for number, line, words in _words(path, problems):
        parts = [part.strip() for part in line.split("\t")] if "\t" in line else words
        if len(parts) != 2 or not all(parts):
            problems.add(number, line, f"{len(parts)} fields; expected 2: item category")
            continue
        found.setdefault(parts[0], set()).add(parts[1])
    problems.check()
    if not found:
        raise InputError(f"{path}: there is nothing in it; expected an item and a category a line")
    return found, problems.count


def _words(path: Path, problems: Problems) -> Iterator[tuple[int, str, list[str]]]:
    for number, raw in enumerate(files.contents(path).split(b"\n"), 1):
        try:
            line = raw.decode("utf-8").strip()
        except UnicodeDecodeError:
            shown = raw.decode("utf-8", errors="backslashreplace").strip()
            problems.add(number, shown, "it is not text in UTF-8")
            continue
        if "\0" in line:
            problems.add(number, line, "it holds a NUL byte; expected text in UTF-8 (not UTF-16)")
        elif line:
            yield number, line, line.split()


def _grade(written: str) -> float | None:
    try:
        grade = float(written)
    except ValueError:
        return None
    return grade if abs(grade) < float("inf") and "_" not in written else None


def _as_sets(given: Mapping[str, Any], path: Path) -> Categories:
    found = {}
    for item, categories in given.items():
        if not isinstance(categories, list) or not all(isinstance(c, str) for c in categories):
            raise InputError(
                f"{path}: item {item!r} has {categories!r}; expected a list of categories as text"
            )
        found[item] = set(categories)
    return found
