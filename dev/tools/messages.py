"""Messages for translators: `python -m dev.tools.messages COMMAND [NAME ...]`.

    extract 05              write the template of chapter 5 and update its catalogues
    extract 05 --language ja    start its catalogue in Japanese, too
    status                  say what is translated, fuzzy, missing and obsolete
    compile                 write the .mo files that the package reads

A chapter's template has the texts of its notebook, of its exercise, and of the mistakes, terms
and definitions that they show. `feedback` has the sentences of the package itself. Without names
a command takes the chapters that have a template.
"""

import argparse
import ast
import io
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import irmetrics_edu
from dev.tools import catalogues, translated
from dev.tools.catalogues import Message
from dev.tools.notebooks import sources
from dev.tools.places import FOLDER, ROOT
from dev.tools.translated import LOCALE as CATALOGUES
from irmetrics_edu.classroom.exercises.source import Cell, cells_of, chosen, read
from irmetrics_edu.classroom.exercises.spec import Exercise
from irmetrics_edu.classroom.exercises.translation import paragraphs
from irmetrics_edu.classroom.exercises.words import exercise_in
from irmetrics_edu.course import documents
from irmetrics_edu.diagnosis.mistakes import MISTAKES, mistakes_of
from irmetrics_edu.errors import extra
from irmetrics_edu.metrics.definition import Metric
from irmetrics_edu.views.language import DOMAIN, LANGUAGES, LOCALE, has_words
from irmetrics_edu.views.output import ended
from irmetrics_edu.views.terms import term
from irmetrics_edu.writing import write

FEEDBACK = "feedback"
WINGS = (
    "irmetrics_edu/views",
    "irmetrics_edu/libraries",
    "irmetrics_edu/course",
    "irmetrics_edu/classroom/exercises",
    "irmetrics_edu/classroom/grading",
    "irmetrics_edu/classroom/marking",
    "dev/tools/site",
)
SCRIPTS = [ROOT / "irmetrics_edu" / "course" / name for name in ("typed.js", "compared.js")]
_WORD = re.compile(r'\bword\("([^"]+)"\)')


def names() -> list[str]:
    """The templates that there are."""
    return sorted(path.stem for path in CATALOGUES.glob("*.pot"))


def messages(name: str) -> list[Message]:
    """The messages of a chapter, or of the package, in all the places where they stand."""
    return list(_feedback() if name == FEEDBACK else _chapter(name))


def _feedback() -> Iterator[Message]:
    """The sentences that the package marks with `said` and `noted`, and those of the pages."""
    for wing in WINGS:
        for path in sorted((ROOT / wing).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if _calls(node, "said", "noted", "worded") and isinstance(
                    text := _first(node), str
                ):
                    yield Message(text, _relative(path), node.lineno)  # type: ignore[attr-defined]  # a call has a line; its node type doesn't say so
    for script in SCRIPTS:
        for number, line in enumerate(script.read_text(encoding="utf-8").splitlines(), 1):
            for text in _WORD.findall(line):
                yield Message(text, _relative(script), number)


def _chapter(name: str) -> Iterator[Message]:
    source = FOLDER / f"{name}.py"
    cells = cells_of(source.read_text(encoding="utf-8"), str(source))
    yield from _cells(source, cells)
    for cell in cells:
        if not cell.markdown:
            yield from _shown_by(cell.text)
    path = ROOT / "solutions" / source.name
    if path.exists():
        exercise = read(path)
        texts = [c for c in exercise.cells if c.markdown and not exercise.question_of(c)]
        yield from _cells(path, texts)
        yield from _exercise(path, exercise.exercise)


def _cells(path: Path, cells: list[Cell]) -> Iterator[Message]:
    for cell in cells:
        texts = paragraphs if cell.markdown else translated.strings
        for text in texts(cell.text):
            line = cell.at + 1 + cell.text[: text.start].count("\n")
            yield Message(text.message, _relative(path), line, "f-string" * text.formatted)


def _exercise(path: Path, exercise: Exercise) -> Iterator[Message]:
    lines = path.read_text(encoding="utf-8").splitlines()

    def message(text: str, about: str) -> Message:
        line = next((i for i, line in enumerate(lines, 1) if text[:40] in line), 0)
        return Message(text, _relative(path), line, about)

    def collect(text: str, about: str) -> str:
        if has_words(text):
            found.append(message(text, about))
        return text

    found: list[Message] = []
    exercise_in(exercise, collect)
    _of_feedback(exercise, collect)
    yield from found
    for question in exercise.questions:
        for label in question.mistakes:
            yield from _mistake(label)


def _of_feedback(exercise: Exercise, collect: Callable[[str, str], object]) -> None:
    """Collect what the feedback alone shows of an exercise: titles, and the rubrics."""
    for question in exercise.every:
        collect(question.title, f"question {question.name}: its title in the feedback")
    for asked in exercise.by_hand:
        for criterion in asked.rubric:
            about = f"question {asked.name}: in the feedback"
            collect(criterion.name, about)
            collect(criterion.text, about)


def _mistake(label: str) -> Iterator[Message]:
    mistake = MISTAKES[label]
    file = f"{DOMAIN}/mistakes"
    yield Message(mistake.says, file, 0, f"{label}: Your values equal those of ...")
    yield Message(mistake.why, file, 0, f"{label}: why it is wrong")


def _shown_by(code: str) -> Iterator[Message]:
    """What the package shows in a cell: mistakes, errata, definitions, meanings, titles."""
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Call) and ast.unparse(node.func) in _SHOWN_BY:
            yield from _SHOWN_BY[ast.unparse(node.func)](node)


def _of_prediction(call: ast.Call) -> Iterator[Message]:
    of = next((k.value for k in call.keywords if k.arg == "of"), None)
    for metric in _metrics(of.elts[0] if isinstance(of, ast.Tuple) else None):
        for mistake in mistakes_of(metric):
            yield from _mistake(mistake.label)


def _of_explanation(call: ast.Call) -> Iterator[Message]:
    for metric in _metrics(call.args[0]):
        yield Message(metric.definition, f"{DOMAIN}/metrics", 0, metric.name)


def _of_terms(call: ast.Call) -> Iterator[Message]:
    for name in (str(a.value) for a in call.args if isinstance(a, ast.Constant)):
        yield Message(term(name).meaning, f"{DOMAIN}/views/terms.toml", 0, f"{name}: what it means")


def _of_quotation(call: ast.Call) -> Iterator[Message]:
    number = str(_first(call))
    title = documents.load(number)[0]["title"]
    yield Message(title, f"{DOMAIN}/documents/{number}.toml", 0, "the document's title")


def _of_example(call: ast.Call) -> Iterator[Message]:
    example = documents.example(str(_first(call)))
    if example.erratum:
        file = f"{DOMAIN}/documents/{example.id[:3]}.toml"
        yield Message(example.erratum.why, file, 0, f"{example.id}: a misprint")


_SHOWN_BY = {
    "predict": _of_prediction,
    "explain": _of_explanation,
    "terms": _of_terms,
    "quote": _of_quotation,
    "documents.example": _of_example,
}


def _metrics(node: ast.AST | None) -> Iterator[Metric]:
    for inner in ast.walk(node) if node else ():
        if isinstance(inner, ast.Name):
            found = getattr(irmetrics_edu, inner.id, None)
            if isinstance(found, Metric):
                yield found


def _calls(node: ast.AST, *functions: str) -> bool:
    return (
        isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in functions
    )


def _first(node: ast.AST) -> object:
    argument = node.args[0] if isinstance(node, ast.Call) and node.args else None
    return argument.value if isinstance(argument, ast.Constant) else None


def _relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def terms_of(name: str) -> list[str]:
    """The terms that a chapter introduces, whose translations the glossary gives."""
    source = FOLDER / f"{name}.py"
    tree = ast.parse(source.read_text(encoding="utf-8")) if source.exists() else ast.Module([], [])
    return [
        str(argument.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and _calls(node, "terms")
        for argument in node.args
        if isinstance(argument, ast.Constant)
    ]


def files(chosen: list[str], start: str = "") -> dict[Path, str]:
    """The templates and catalogues as they should be, by path."""
    found = {}
    for name in chosen:
        new = catalogues.template(name, messages(name))
        found[catalogues.template_of(name)] = catalogues.as_text(new)
        codes = translated.languages(name)
        for code in [*codes, *({start} - {"", *codes})]:
            made = catalogues.updated(code, name, new)
            found[translated.translated_in(code, name)] = catalogues.as_text(made)
    return found


class _Entries(list[object]):
    """Messages as Babel writes them, without the date that its own catalogue adds."""

    charset = "utf-8"


def compiled() -> dict[Path, bytes]:
    """The .mo files of the package: `feedback`, and what the chapters show of the package."""
    mofile = extra("babel.messages.mofile", what="a translation")
    entry = extra("babel.messages.catalog", what="a translation").Message
    found = {}
    for code, language in LANGUAGES.items():
        kept = {"": "Content-Type: text/plain; charset=utf-8\n"}
        for name in names():
            path = translated.translated_in(code, name)
            for message in translated.read(path) if path.exists() else ():
                if not message.string or message.fuzzy:
                    continue
                own = any(file.startswith(f"{DOMAIN}/") for file, _ in message.locations)
                # Of an exercise, as the package translates students' copies, and feedback on them.
                own |= any(file.startswith("solutions/") for file, _ in message.locations)
                if message.id and (own or name == FEEDBACK):
                    kept.setdefault(str(message.id), str(message.string))
        buffer = io.BytesIO()
        mofile.write_mo(buffer, _Entries(entry(text, other) for text, other in kept.items()))
        found[LOCALE / language.locale / "LC_MESSAGES" / f"{DOMAIN}.mo"] = buffer.getvalue()
    return found


def status(chosen: list[str]) -> Iterator[tuple[str, list[str]]]:
    """For each language and file: the counts, and a line for all that is to be done."""
    for name in chosen:
        wanted = {m.text: m for m in reversed(messages(name))}
        terms = terms_of(name)
        for code in translated.languages(name):
            done = translated.read(translated.translated_in(code, name))
            known = {str(m.id): m for m in done if m.id}
            todo = []
            counts = dict.fromkeys(("translated", "fuzzy", "missing", "wrong"), 0)
            for message in reversed(wanted.values()):
                entry = known.pop(message.text, None)
                what = ["missing"]
                if entry is not None and entry.string:
                    what = ["fuzzy"] if entry.fuzzy else []
                    what += catalogues.problems(code, message.text, str(entry.string), terms)
                kind = what[0] if what and what[0] in counts else "wrong" if what else "translated"
                counts[kind] += 1
                place = f"{message.file}:{message.line}" if message.line else message.file
                todo += [f"{place}: {w}: {message.text[:60]!r}" for w in what]
            gone = [*known, *done.obsolete]
            todo += [f"obsolete: {str(text)[:60]!r}" for text in known]
            numbers = ", ".join(f"{n} {kind}" for kind, n in counts.items())
            yield f"{code} {name}: {numbers}, {len(gone)} obsolete", todo


def main(arguments: list[str] | None = None) -> int:
    """Extract, compare or compile the messages."""
    parser = argparse.ArgumentParser(
        prog="python -m dev.tools.messages", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    parser.add_argument("command", choices=("extract", "status", "compile"))
    parser.add_argument("names", nargs="*", help="such as 04 or feedback; default all templates")
    parser.add_argument("--language", default="", choices=sorted(LANGUAGES), help="one to start")
    parser.add_argument("--check", action="store_true", help="write nothing; fail on a difference")
    args = parser.parse_args(arguments)
    every = [*sources(), Path(FEEDBACK)]
    asked = [p.stem for p in chosen(every, args.names)] if args.names else names()
    if args.command == "status":
        unfinished = False
        for line, todo in status(asked):
            print(line, *todo, sep="\n  ")
            unfinished |= bool(todo)
        return int(unfinished)
    made: dict[Path, bytes] = {}
    if args.command == "extract":
        made = {p: text.encode() for p, text in files(asked, args.language).items()}
    if args.command == "compile" or args.check:
        made |= compiled()
    changed = [p for p, new in made.items() if not p.exists() or p.read_bytes() != new]
    for path in changed:
        if not args.check:
            write(path, made[path])
        print(f"{path.relative_to(ROOT)} {'is not up to date' if args.check else 'written'}")
    return int(args.check and bool(changed))


if __name__ == "__main__":
    sys.exit(ended("dev.tools.messages", main))
