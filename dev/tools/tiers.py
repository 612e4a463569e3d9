"""How long each public thing stays as it is: three tiers, which `tiers.toml` gives to each."""

import tomllib
from enum import StrEnum
from pathlib import Path

TIERS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


class Tier(StrEnum):
    """What a version may change of a public thing."""

    STABLE = "stable"
    PROVISIONAL = "provisional"
    TEACHING = "teaching"


NOTES = {
    Tier.STABLE: "Stable: this stays as it is until the next major version.",
    Tier.PROVISIONAL: "Provisional: a minor version may change this, and the changelog says so.",
    Tier.TEACHING: "For teaching: any version may change this.",
}


def tier_of(kind: str, name: str) -> Tier:
    """The tier of a wing, a command, a file or a page.

    >>> tier_of("wings", "gate").value
    'stable'
    """
    tiers = [Tier(tier) for tier, names in TIERS[kind].items() if name in names]
    if len(tiers) != 1:
        raise LookupError(
            f"dev/tools/tiers.toml names {name!r} {len(tiers)} times under [{kind}]: "
            "it needs one tier"
        )
    return tiers[0]


def note(tier: Tier) -> str:
    """The line of a page on what it describes, with a link to what the tier promises."""
    return f"*{NOTES[tier]} [The rules](stability.md).*"


def with_note(page: str, tier: Tier) -> str:
    r"""A page with the line below its title.

    >>> print(with_note("# Title\n\nText.", Tier.TEACHING).splitlines()[2])
    *For teaching: any version may change this. [The rules](stability.md).*
    """
    title, _, text = page.partition("\n")
    return f"{title}\n\n{note(tier)}\n{text}"


_KINDS = {
    "wings": "imported from",
    "commands": "commands",
    "files": "fields of files",
}


def tiers_table() -> str:
    """Which wings, commands and files are in which tier, as a table."""
    lines = [
        "| tier | " + " | ".join(_KINDS.values()) + " |",
        "|---" * (1 + len(_KINDS)) + "|",
    ]
    for tier in Tier:
        cells = []
        for kind in _KINDS:
            names = TIERS[kind].get(tier, [])
            if kind == "wings":
                names = [f"irmetrics_edu.{name}".removesuffix(".") for name in names]
            cells.append(", ".join(f"`{name}`" for name in names))
        lines.append(f"| {tier} | " + " | ".join(cells) + " |")
    return "\n".join(lines)
