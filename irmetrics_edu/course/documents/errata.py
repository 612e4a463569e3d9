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
    numbers = line.in_numbers.split(",")
    digits = max((len(n.partition(".")[2].rstrip("%")) for n in numbers), default=0)
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


Found = tuple[Example, Line, Erratum]


def errata(examples: list[Example], kind: str) -> list[Found]:
    """The lines of these examples with an erratum of this kind, each print of an example once."""
    found: dict[tuple[str, str], Found] = {}
    for e in examples:
        for line in (e, *e.lines):
            if line.erratum is not None and line.erratum.kind == kind:
                found.setdefault((e.id, line.printed), (e, line, line.erratum))
    return list(found.values())


def counted(examples: list[Example]) -> str:
    """How many errata of each kind: "26 misprints, 15 garbled places and 4 cautions"."""
    parts = []
    for kind, (_, one, many) in _KINDS.items():
        if n := len(errata(examples, kind)):
            parts.append(f"{n} {one if n == 1 else many}")
    return " and ".join(filter(None, (", ".join(parts[:-1]), *parts[-1:])))


def titled_errata(examples: list[Example]) -> Iterator[tuple[str, list[Found]]]:
    """Each kind of erratum that there is, by its title, with its lines."""
    for kind, (title, *_) in _KINDS.items():
        if found := errata(examples, kind):
            yield title, found


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
    counts = Counter(e.verdict for e in examples)
    parts = [
        f"{n} {_COUNTED[verdict]}" for verdict, n in counts.most_common() if verdict != DIFFERS
    ]
    failed = [e.id for e in examples if not e.comes_out]
    verdict = f"{len(failed)} do not come out: {', '.join(failed)}" if failed else "all come out"
    items = "1 item" if len(examples) == 1 else f"{len(examples)} items"
    explained = f" With their lines: {said} explained." if (said := counted(examples)) else ""
    return f"{items}: {', '.join(parts)}.{explained} {verdict[0].upper()}{verdict[1:]}."


def in_full(example: Example) -> str:
    """One example: print, computation, erratum and the whole working."""
    lines = [
        f"{example.id}   {example.what}",
        f"  document {example.document}: {example.where}",
        "",
    ]
    known: dict[str, object] = {}
    for line in (example, *example.lines):
        if line is not example:
            lines.append(f"  {line.what}")
        if line.call:
            lines.append(f"  call      {line.call}")
        new = {name: value for name, value in line.inputs.items() if known.get(name) != value}
        lines += [f"            {name} = {value}" for name, value in new.items()]
        known |= new
        if line.printed:
            lines.append(f"  printed   {line.printed}")
        if line.numbers:
            lines.append(f"  read as   {line.numbers}")
        if line.call:
            lines.append(f"  computed  {computed(line)}")
        lines += [f"  verdict   {line.verdict}", *_erratum_lines(line), *_sides(line), ""]
    if example.note:
        lines += [f"  {example.note}", ""]
    if example.working is not None and len(example.working.score) == 1:
        lines.append(str(Explanation(example.working)))
    return "\n".join(lines).rstrip()


def _sides(line: Line) -> list[str]:
    """The values of a formula as printed and as corrected, input by input."""
    if not isinstance(line.result, Sides) or not line.result.of:
        return []
    sides = line.result
    columns = (sides.of, formatting.column(sides.printed), formatting.column(sides.right))
    header = ("input", "as printed" if line.printed else "by formula", "right")
    return [
        formatting.aligned(
            header,
            list(zip(*columns, strict=True)),
            indent="            ",
        )
    ]


def _erratum_lines(line: Line) -> list[str]:
    if line.erratum is None:
        return []
    e = line.erratum
    return [f"  erratum   says {e.printed}; right is {e.right or '-'}", f"            {e.why}"]
