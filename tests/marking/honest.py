"""A made class: answers that people wrote on their own, each by choices of style of their own."""

from random import Random

_LOOPS = (
    """
    total = 0
    for i, g in enumerate(grades[:k], start=1):
        total += {term}
    return total
""",
    """
    total = 0.0
    rank = 1
    for g in grades[:k]:
        total = total + {term1}
        rank = rank + 1
    return total
""",
    """
    return sum({term} for i, g in enumerate(grades[:k], start=1))
""",
    """
    top = grades if k is None else grades[:k]
    score = 0
    for i in range(len(top)):
        g = top[i]
        score += {term2}
    return score
""",
    """
    values = []
    for i, g in enumerate(grades, 1):
        if k is not None and i > k:
            break
        values.append({term})
    return sum(values)
""",
    """
    top = np.array(grades[:k], dtype=float)
    ranks = np.arange(1, len(top) + 1)
    return float(({array}).sum())
""",
)
_TERMS = {
    "dcg": (
        ("g / math.log2(i + 1)", "top / np.log2(ranks + 1)"),
        ("g / math.log(i + 1, 2)", "top / (np.log(ranks + 1) / np.log(2))"),
        ("g * (1 / math.log2(1 + i))", "top * (1 / np.log2(1 + ranks))"),
        ("g / (math.log(i + 1) / math.log(2))", "np.divide(top, np.log2(ranks + 1))"),
    ),
    "rbp": (
        ("(1 - p) * g * p ** (i - 1)", "(1 - p) * top * p ** (ranks - 1)"),
        ("g * (1 - p) * pow(p, i - 1)", "top * (1 - p) * np.power(p, ranks - 1)"),
        ("(g * p ** (i - 1)) * (1 - p)", "top * p ** (ranks - 1) * (1 - p)"),
    ),
    "reciprocal": (
        ("(1 / i if g > 0 else 0)", "(top > 0) / ranks"),
        ("(g > 0) / i", "np.where(top > 0, 1 / ranks, 0)"),
        ("int(g >= 1) * (1.0 / i)", "(top >= 1) * (1.0 / ranks)"),
    ),
}
_NAMES = (("total", "score", "values"), ("s", "result", "out"), ("dcg_sum", "acc", "parts"))

LONG = """
def {name}(grades, k=None):
    seen, total = [], 0.0
    for place in range(len(grades)):
        if k is not None and place >= k:
            break
        weight = 1.0 / math.log(place + 2, 2)
        if grades[place] < 0:
            raise ValueError("a grade below 0")
        seen.append((place, weight * grades[place]))
        total = total + seen[-1][1]
    while seen and seen[-1][1] == 0:
        seen.pop()
    return float(total) if seen else sum(worth for _, worth in seen)
"""
_RENAMED = (
    ("seen", "total", "place", "weight", "worth"),
    ("done", "s", "j", "w", "x"),
    ("pairs", "result", "idx", "factor", "value"),
    ("lst", "acc", "pos", "disc", "v"),
    ("store", "out", "n", "d", "b"),
    ("items", "score", "i", "discount", "gain"),
)


def answer(name: str, source: Random) -> str:
    """An answer of one's own to a question: a loop, a term, names."""
    loop = source.choice(_LOOPS)
    term, array = source.choice(_TERMS[name])
    filled = loop.format(
        term=term, array=array, term1=term.replace("i ", "rank ").replace("i)", "rank)"),
        term2=term.replace("i +", "i + 1 +").replace("/ i", "/ (i + 1)"),
    )  # fmt: skip
    for old, new in zip(_NAMES[0], source.choice(_NAMES), strict=True):
        filled = filled.replace(old, new)
    more = ", p=0.8" if name == "rbp" else ""
    doc = source.choice(["", f'    """My {name}."""\n', "    # done\n"])
    return f"def {name}(grades, k=None{more}):\n{doc}{filled}"


def notebook(source: Random) -> list[str]:
    """The answers of one student to all questions."""
    return ["import math\nimport numpy as np", *(answer(name, source) for name in _TERMS)]


def copied(number: int, name: str = "dcg") -> str:
    """One long answer under the names of copy `number`, with comments of its own."""
    text = LONG.format(name=name)
    for old, new in zip(_RENAMED[0], _RENAMED[number % len(_RENAMED)], strict=True):
        text = text.replace(old, new)
    lines = text.split("\n")
    lines.insert(3 + number, f"    # step {number}")
    return "\n".join(lines)


def honest_class(seed: int, students: int = 44) -> dict[str, list[str]]:
    """A class in which everybody wrote on their own."""
    source = Random(seed)
    return {f"s{i:02d}": notebook(source) for i in range(students)}


def class_with_copies(seed: int, copies: int = 6) -> dict[str, list[str]]:
    """The same class, in which some handed in one answer under other names."""
    made = honest_class(seed)
    for number, who in enumerate(sorted(made)[:copies]):
        made[who][1] = copied(number)
    return made
