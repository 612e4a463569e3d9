"""A small library of short texts on household crafts, and what its readers look for.

Made by rule, so that what is relevant is known: for each craft there are articles on one part of
it (relevant to the query that names both), chats that mention it, and notices where the words
stand many times over without being about it.
"""

CRAFTS = {
    "sourdough": ("starter", "oven", "flour"),
    "compost": ("worms", "heap", "leaves"),
    "bicycle": ("chain", "brake", "saddle"),
    "guitar": ("strings", "neck", "tuning"),
    "pottery": ("glaze", "kiln", "clay"),
    "knitting": ("needles", "wool", "sleeve"),
    "beekeeping": ("hive", "honey", "queen"),
    "carpentry": ("chisel", "joint", "varnish"),
    "darkroom": ("enlarger", "paper", "developer"),
    "telescope": ("mirror", "mount", "eyepiece"),
    "cider": ("apples", "barrel", "yeast"),
    "candle": ("wick", "wax", "mould"),
    "kayak": ("paddle", "hull", "skirt"),
    "calligraphy": ("nib", "ink", "parchment"),
    "aquarium": ("filter", "gravel", "shrimp"),
    "bonsai": ("pruning", "wire", "pot"),
}


def chats(part: int) -> int:
    """How many chats mention the first, second, third part of a craft."""
    return (2, 5, 4)[part]


def documents() -> dict[str, tuple[str, str]]:
    """Title and body by id: for each of the 48 parts an article, a guide, chats, often a notice."""
    found = {}
    for craft, parts in CRAFTS.items():
        for i, part in enumerate(parts):
            other = parts[(i + 1) % 3]
            key = f"{craft}-{part}"
            found[f"{key}-article"] = (
                f"The {part} in {craft}",
                (
                    f"How to choose a {part} and how to care for it. A good {part} lasts for "
                    f"years if it is kept dry, and a beginner in {craft} should not save on it."
                ),
            )
            found[f"{key}-guide"] = (
                f"{craft} for beginners, part {i + 1}",
                (
                    f"This part is about the {part}. It comes before the {other}, which is the "
                    f"next thing to learn. Take your time, and ask somebody who has done it before."
                ),
            )
            for n in range(chats(i)):
                found[f"{key}-chat-{n}"] = (
                    f"Letters to the editor, number {n + 1}",
                    f"My neighbour tried {craft} last summer and spoke of nothing but the {part}. "
                    + "We had a fine evening in the garden all the same. " * (n + 1),
                )
            if i != 1:
                found[f"{key}-notice"] = (
                    "Lost and found",
                    f"{craft} {part}, {craft} {part}, {craft} {part}: found at the station.",
                )
    return found


def queries() -> dict[str, str]:
    """The text of each query."""
    return {f"{c}-{part}": f"{c} {part}" for c, parts in CRAFTS.items() for part in parts}


def judgments() -> dict[str, dict[str, int]]:
    """Grades: 3 for the article, 2 for the guide, 1 for the chats, 0 for the notice."""
    grades = {"article": 3, "guide": 2, "chat": 1, "notice": 0}
    found: dict[str, dict[str, int]] = {query: {} for query in queries()}
    for document in documents():
        craft, part, kind, *_ = document.split("-")
        found[f"{craft}-{part}"][document] = grades[kind]
    return found
