"""The names that cells of code define and read, found by their text: parsing is not safe here."""

import re
from collections import defaultdict
from collections.abc import Sequence

from irmetrics_edu.classroom.marking.matching.code_tokens import names_in

_DEFINED = re.compile(
    r"^[ \t]*+(?:(?:(?:async[ \t]++)?def|class)[ \t]++(\w++)|(\w++)[ \t]*+=(?!=))", re.MULTILINE
)
_INDENTED = re.compile(r"^[ \t].*", re.MULTILINE)
_IMPORT = re.compile(r"^(?:import|from)[ \t][^\n;(]*(?:\([^()]*\))?", re.MULTILINE)


def defined(cell: str) -> set[str]:
    """The names that a cell seems to define, found by its text, since parsing is not safe here."""
    names: set[str] = set()
    for match in _DEFINED.finditer(cell):
        names.add(match[1] or match[2])
    return names


def defined_outside(cell: str) -> set[str]:
    """The names that a cell seems to define outside of functions; those inside are their own."""
    return defined(_INDENTED.sub("", cell))


def repeated(cells: Sequence[str], name: str) -> list[int]:
    """The numbers of the cells that define a name, if there are several."""
    numbers = []
    for number, cell in enumerate(cells, 1):
        if name in defined_outside(cell):
            numbers.append(number)
    return numbers if len(numbers) > 1 else []


def reads(cells: Sequence[str], name: str) -> set[str]:
    r"""The names that a definition reads, directly or through other definitions.

    Comments and texts do not count. A cell counts as a whole.

    >>> cells = ["def a(): return 1", "def b(): return a()", "def c(): # a\n    return b()"]
    >>> sorted(reads(cells, "c") & {"a", "b"}), sorted(reads(cells, "a") & {"b", "c"})
    (['a', 'b'], [])
    """
    names, _ = _reached(cells, name)
    return names - {name}


def needed(cells: Sequence[str], name: str) -> list[str]:
    """The cells that an answer needs, by the names that it reads; the imports of each other.

    >>> needed(["import math; wait()", "x = f()", "def g(): return math.pi", "y = x"], "g")
    ['import math', '', 'def g(): return math.pi', '']
    """
    _, places = _reached(cells, name)
    kept = []
    for place, cell in enumerate(cells):
        if place in places:
            kept.append(cell)
            continue
        imports = _IMPORT.findall(cell)
        kept.append("\n".join(imports))
    return kept


def cells_of(cells: Sequence[str], name: str) -> set[int]:
    """The numbers of the cells that an answer needs: its own, and those of what it reads.

    >>> cells_of(["import math", "x = f()", "def g(): return x", "y = g()"], "g")
    {2, 3}
    """
    _, places = _reached(cells, name)
    numbers = set()
    for place in places:
        numbers.add(place + 1)
    return numbers


def _reached(cells: Sequence[str], name: str) -> tuple[set[str], set[int]]:
    """The names that a definition reads, and the places of the cells that define them."""
    makers: dict[str, list[int]] = defaultdict(list)
    for place, cell in enumerate(cells):
        for made in defined(cell):
            own_places = makers[made]
            own_places.append(place)
    names: set[str] = set()
    places: set[int] = set()
    waiting = [name]
    while waiting:
        for place in makers[waiting.pop()]:
            if place in places:
                continue
            places.add(place)
            new = names_in(cells[place])
            new -= names
            names |= new
            made_here = [word for word in new if word in makers]
            waiting += made_here
    return names, places
