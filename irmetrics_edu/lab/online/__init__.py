"""Evaluation with users: clicks, interleaving, A/B tests, and estimates from logs.

click model + attractiveness -> clicks;   two rankings -> one list -> clicks -> credit -> preference
users of two groups -> a difference;   a log + a new policy -> an estimate of its value

Public names are imported from this wing: `from irmetrics_edu.lab.online import PositionBased, ips`.

Start with `clicks.py`.
"""

from irmetrics_edu.lab.online.clicks import (
    Cascade,
    PositionBased,
    attractiveness,
    relative_examination,
)
from irmetrics_edu.lab.online.experiments import difference, users_needed
from irmetrics_edu.lab.online.interleaving import Interleaved, balanced, preference, team_draft
from irmetrics_edu.lab.online.logs import ips, snips
from irmetrics_edu.lab.online.random_numbers import Chance

__all__ = [
    "Cascade", "Chance", "Interleaved", "PositionBased", "attractiveness", "balanced", "difference",
    "ips", "preference", "relative_examination", "snips", "team_draft", "users_needed",
]  # fmt: skip
