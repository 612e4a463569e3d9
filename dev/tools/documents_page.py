"""docs/documents.md: what the five documents say, line by line, and where the package has it."""

import importlib
from collections import Counter
from functools import cache
from pathlib import Path

import irmetrics_edu
from dev.tools.document_ranges import Range, ranges
from dev.tools.places import ROOT
from dev.tools.site import markup
from irmetrics_edu.course import documents
from irmetrics_edu.course.documents.errata import counted, titled_errata
from irmetrics_edu.course.documents.example import (
    AGREES,
    CAUTION,
    DIFFERS,
    GARBLED,
    MISPRINT,
    NOTATION,
    NOTE,
    ROUNDS,
    Erratum,
    Example,
    Line,
)
from irmetrics_edu.views import escaping

# What a line of print is, in the words of the table.
_VERDICTS = {
    AGREES: "as printed",
    ROUNDS: "rounded",
    MISPRINT: "misprint",
    GARBLED: "garbled",
    CAUTION: "caution",
    NOTATION: "notation",
    NOTE: "no number",
    DIFFERS: DIFFERS,
}


def _verdicts(of: Range) -> str:
    """The items in a range of lines, each with its verdicts; else why there is none."""
    by: dict[str, Counter[str]] = {}
    seen: set[tuple[str, str]] = set()
    for e, line in of.printed:
        if line.erratum is not None and line.printed:
            # One print that is tried on several inputs is one misprint, as in the lists below.
            if (e.id, line.printed) in seen:
                continue
            seen.add((e.id, line.printed))
        by.setdefault(e.id, Counter())[_VERDICTS[line.verdict]] += 1
    if not by:
        return f"no number: {of.why}"
    return "; ".join(
        f"{i}: " + ", ".join(v if n == 1 else f"{v} ({n})" for v, n in each.items())
        for i, each in by.items()
    )


_HEAD = """\
# The five documents, line by line

The course reproduces five documents. For every line of the
documents, this page says what the line holds and where the package has it.
`irmetrics-edu reproduce` computes the items again. `--document 004` follows the order of this
page, and `--example ID` shows one item with all its steps.

A verdict is one of these:

- **as printed**: the computed value equals the printed one, or the formula gives the right values;
- **rounded**: the computed value, rounded to the printed digits, equals the printed one;
- **misprint**: an error. Most of them are small slips of the author or of a translation;
- **garbled**: signs were lost when a page or slide was converted to text, which is nobody's error;
- **caution**: right in its place, but readers may take it for more than it says;
- **notation**: an unusual sign, and what it means;
- **no number**: there is nothing to compute.
"""
_HEADER = ("lines", "what they hold", "functions", "items", "chapter", "exercise", "page")


def page() -> str:
    """docs/documents.md."""
    every = documents.examples()
    blocks = [_HEAD, f"In all there are {len(every)} items, with {counted(every)}."]
    for document in documents.DOCUMENTS:
        about, _ = documents.load(document)
        blocks.append(f"## Document {document}: {about['title']}")
        rows = [_row(of) for of in ranges(document)]
        blocks.append(markup.table(_HEADER, rows))
    for title, found in titled_errata(every):
        blocks += [f"## {title}", "\n".join(_item(*each) for each in found)]
    return "\n\n".join(block.strip("\n") for block in blocks) + "\n"


def _row(of: Range) -> tuple[str, ...]:
    return (
        of.lines,
        escaping.markdown(of.holds),
        ", ".join(map(_function, of.functions)),
        escaping.markdown(_verdicts(of)),
        ", ".join(_notebook("notebooks", f"{chapter:02}", str(chapter)) for chapter in of.chapters),
        ", ".join(_notebook("exercises", e.partition("/")[0], e) for e in of.exercises),
        ", ".join(f"[{page}]({page}.md)" for page in of.pages),
    )


def _function(name: str) -> str:
    """A link to the file that defines a function; its words are its name."""
    home = importlib.import_module(public_names()[name])
    return f"[{name}](../{'/'.join(home.__name__.split('.'))}.py)"


@cache
def public_names() -> dict[str, str]:
    """The public names of the package and of its wings, and the modules that define them."""
    found = dict(irmetrics_edu._HOME_OF)  # noqa: SLF001 -- the package's own table
    for wing in Path(irmetrics_edu.__file__).parent.glob("*/__init__.py"):
        module = importlib.import_module(f"irmetrics_edu.{wing.parent.name}")
        homes = getattr(module, "HOMES", {})
        found |= {name: home for home, names in homes.items() for name in names.split()}
    return found


def _notebook(folder: str, begins: str, words: str) -> str:
    """A link to a chapter or an exercise."""
    (path,) = (ROOT / folder).glob(f"{begins}_*.ipynb")
    return f"[{words}](../{folder}/{path.name})"


def _item(example: Example, line: Line, erratum: Erratum) -> str:
    lines = ", ".join(f"{a}" if a == b else f"{a}-{b}" for a, b in line.at)
    word = "line" if lines.isdigit() else "lines"
    return (
        f"- **Document {example.document}, {word} {lines}** (`{example.id}`): "
        f"{escaping.markdown(line.what.rstrip('?'))}. "
        f"Printed `{erratum.printed}`; right `{erratum.right}`. "
        f"{escaping.markdown(erratum.why)}"
    )
