"""Files that commands read: how each command ends, and whether it ends so twice."""

import contextlib
import io
import traceback
import warnings
from dataclasses import dataclass, field

from irmetrics_edu.cli import main
from tests.fuzz.oracle import Verdict

Calls = list[list[str]]


@dataclass
class Reading:
    """Files in a folder, and commands that read them."""

    what: str
    calls: Calls
    measures: dict[str, Verdict] = field(default_factory=dict)

    def wrong(self) -> tuple[str, str] | None:
        """What kind of finding this is, and what was said; None if all is well."""
        for call in self.calls:
            first, again = (_said(call) for _ in range(2))
            shown = " ".join(call)
            if isinstance(first, str):
                return "crash", f"{shown}: {first}"[-900:]
            if first != again:
                return "silence", f"{shown}: {first!r:.300} and then {again!r:.300}"
            code, _, said = first
            if code not in (0, 1, 2):
                return "crash", f"{shown}: it ended with {code}"
            if code == 2 and not said.strip():
                return "unnamed", f"{shown}: refused without a word"
        return None


def _said(call: list[str]) -> str | tuple[int, str, str]:
    """The exit code and both outputs of a command; a traceback or a warning as text."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                code = main(call)
        except SystemExit as error:
            code = error.code if isinstance(error.code, int) else 2
        except KeyboardInterrupt:
            raise
        except BaseException:  # noqa: BLE001 -- a crash is looked for
            return traceback.format_exc()
    return code, out.getvalue(), err.getvalue()
