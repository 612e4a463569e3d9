"""The strongest tier that works on this machine, for our own code."""

import functools

from irmetrics_edu.classroom.grading import sandbox, tiers


@functools.cache
def best_tier() -> tiers.Tier:
    """The first tier that works, found by trying; it may be an insecure one."""
    refusals = {name: sandbox._tried(name)[1] for name in tiers.NAMES}
    for name, why in refusals.items():
        if not why:
            return sandbox.tier_for(name)
    raise sandbox.SandboxError(str(refusals))
