"""What the documents have wrong, and their examples as text: printed, computed, and by how much."""

from collections import Counter
from collections.abc import Iterator

from irmetrics_edu.course.documents.example import (
    AGREES,
    CAUTION,
    DIFFERS,
    EXTRA,
    GARBLED,
    MISPRINT,
    NOTATION,
    NOTE,
    ROUNDS,
    Erratum,
    Example,
    Line,
    Sides,
)
from irmetrics_edu.views import formatting
from irmetrics_edu.views.explanation import Explanation

_FEW = 6  # so many values of a formula are shown in a table; of more, whether they are the same


def computed(line: Line) -> str:
    """The computed values as text, with enough digits to show the rounding."""
    if not line.call:
        return ""
    if isinstance(line.result, Sides) and len(line.values) > _FEW:
        wrong = len(line.result.wrong)
        n = len(line.values)
        if wrong:
            return f"differs on {wrong} of {n} inputs"
        return f"the same on all {n} inputs"
    digits = 0
    for number in line.in_numbers.split(","):
        decimals = number.partition(".")[2].rstrip("%")
        digits = max(digits, len(decimals))
    percent = line.in_numbers.endswith("%")
    shown = []
    for value in line.values:
        if percent:
            shown.append(f"{float(value) * 100:.{digits + 2}f}%")
        else:
            shown.append(formatting.number(value, max(digits + 2, 4)))
    return ", ".join(shown)


_KINDS = {
    MISPRINT: ("What the documents have wrong", "misprint", "misprints"),
    GARBLED: ("What was lost when pages became text", "garbled place", "garbled places"),
    CAUTION: ("What is easily taken for more than it says", "caution", "cautions"),
    NOTATION: ("Unusual signs", "point of notation", "points of notation"),
}


MarkedLine = tuple[Example, Line, Erratum]


def errata(examples: list[Example], kind: str) -> list[MarkedLine]:
    """The lines of these examples with an erratum of this kind, each print of an example once."""
    marked: dict[tuple[str, str], MarkedLine] = {}
    for example in examples:
        for line in (example, *example.lines):
            erratum = line.erratum
            if erratum is not None and erratum.kind == kind:
                key = (example.id, line.printed)
                marked.setdefault(key, (example, line, erratum))
    return list(marked.values())


def counted(examples: list[Example]) -> str:
    """How many errata of each kind: "26 misprints, 15 garbled places and 4 cautions"."""
    parts = []
    for kind, (_, one, many) in _KINDS.items():
        n = len(errata(examples, kind))
        if n:
            parts.append(f"{n} {one if n == 1 else many}")
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} and {parts[-1]}"


def titled_errata(examples: list[Example]) -> Iterator[tuple[str, list[MarkedLine]]]:
    """Each kind of erratum that there is, by its title, with its lines."""
    for kind, (title, *_) in _KINDS.items():
        marked = errata(examples, kind)
        if marked:
            yield title, marked


_COUNTED = {
    AGREES: "as printed",
    ROUNDS: "as printed when rounded",
    MISPRINT: "misprints",
    GARBLED: "garbled",
    CAUTION: "with a caution",
    NOTATION: "with an unusual sign",
    EXTRA: "not printed there",
    NOTE: "no number to compute",
}


def closing(examples: list[Example]) -> str:
    """The closing count."""
    counts = Counter(example.verdict for example in examples)
    parts = []
    for verdict, n in counts.most_common():
        if verdict != DIFFERS:
            parts.append(f"{n} {_COUNTED[verdict]}")
    items = "1 item" if len(examples) == 1 else f"{len(examples)} items"
    sentences = [f"{items}: {', '.join(parts)}."]
    errata_counted = counted(examples)
    if errata_counted:
        sentences.append(f"With their lines: {errata_counted} explained.")
    failed = [example.id for example in examples if not example.comes_out]
    if failed:
        sentences.append(f"{len(failed)} do not come out: {', '.join(failed)}.")
    else:
        sentences.append("All come out.")
    return " ".join(sentences)


def in_short(example: Example) -> list[str]:
    """One example in four lines at most: what it is, its print, its value, the verdict."""
    lines = [f"{example.id}: {example.what}"]
    if example.printed:
        lines.append(f"  printed   {example.printed}")
    if example.call:
        lines.append(f"  computed  {computed(example)}")
    lines.append(f"  verdict   {example.verdict}")
    return lines


def in_full(example: Example) -> str:
    """One example: print, computation, erratum and the whole working."""
    lines = [
        f"{example.id}   {example.what}",
        f"  document {example.document}: {example.where}",
        "",
    ]
    shown: dict[str, object] = {}
    for line in (example, *example.lines):
        if line is not example:
            lines.append(f"  {line.what}")
        lines += _line_in_full(line, shown)
    if example.note:
        lines += [f"  {example.note}", ""]
    if example.working is not None and len(example.working.score) == 1:
        lines.append(str(Explanation(example.working)))
    return "\n".join(lines).rstrip()


def _line_in_full(line: Line, shown: dict[str, object]) -> list[str]:
    """One line's call, print, value and verdict; inputs that were shown before are left out."""
    lines = []
    if line.call:
        lines.append(f"  call      {line.call}")
    for name, value in line.inputs.items():
        if shown.get(name) != value:
            lines.append(f"            {name} = {value}")
            shown[name] = value
    if line.printed:
        lines.append(f"  printed   {line.printed}")
    if line.numbers:
        lines.append(f"  read as   {line.numbers}")
    if line.call:
        lines.append(f"  computed  {computed(line)}")
    lines.append(f"  verdict   {line.verdict}")
    return [*lines, *_erratum_lines(line), *_sides(line), ""]


def _sides(line: Line) -> list[str]:
    """The values of a formula as printed and as corrected, input by input."""
    if not isinstance(line.result, Sides) or not line.result.of:
        return []
    sides = line.result
    columns = (
        sides.of,
        formatting.column(sides.printed),
        formatting.column(sides.right),
    )
    header = ("input", "as printed" if line.printed else "by formula", "right")
    rows = list(zip(*columns, strict=True))
    return [formatting.aligned(header, rows, indent=" " * 12)]


def _erratum_lines(line: Line) -> list[str]:
    if line.erratum is None:
        return []
    erratum = line.erratum
    return [
        f"  erratum   says {erratum.printed}; right is {erratum.right or '-'}",
        f"            {erratum.why}",
    ]
