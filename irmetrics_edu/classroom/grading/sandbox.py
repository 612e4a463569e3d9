"""Running a question: the student's cells and the named function, out of process.

outcome = run_question(cells, Call("dcg"), [Case([5, 2, 3]), Case([1, 0], 1)])
[answer.value for answer in outcome.answers]     # plain data, to be compared out here
"""

import functools
import os
import secrets
import sys
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, replace
from typing import Any

from irmetrics_edu.classroom.grading.cell_runner import LONGEST_MESSAGE, MOST_ERRORS
from irmetrics_edu.classroom.grading.folders import folder
from irmetrics_edu.classroom.grading.limits import NAMES, SandboxLimits
from irmetrics_edu.classroom.grading.outcome import (
    Answer,
    Call,
    Case,
    NoValue,
    Raised,
    Replaced,
    RunOutcome,
)
from irmetrics_edu.classroom.grading.plain_values import NotPlain, parts_of, unpack
from irmetrics_edu.classroom.grading.protocol import Channel, Gone, Tampered, TooLong
from irmetrics_edu.classroom.grading.syscalls import NoFilter
from irmetrics_edu.classroom.grading.tiers import NAMES as TIERS
from irmetrics_edu.classroom.grading.tiers import Tier, named, packages_in, plan_for, python
from irmetrics_edu.errors import InputError
from irmetrics_edu.views.language import worded

LONGEST_CELLS_REPORT = 1 << 20
MOST_CHECKS = 1_000


class SandboxError(RuntimeError):
    """The child could not be started: the system's fault, never the student's.

    `no_filter` says why, if it is for want of a filter of system calls.
    """

    def __init__(self, message: str, *, no_filter: str = "") -> None:
        super().__init__(message)
        self.no_filter = no_filter


def run_question(
    cells: Sequence[str],
    call: Call,
    cases: Sequence[Case],
    limits: SandboxLimits | None = None,
    *,
    tier: Tier | None = None,
    packages: Sequence[str] = ("numpy",),
    stubs: Mapping[str, Sequence[str]] | None = None,
    replaced: Sequence[Replaced] = (),
) -> RunOutcome:
    """Run a student's cells in a child, call what they define, and bring back plain data.

    The cells run in order, then the function is called once for each case; a case's inputs are
    sent only when the one before has been answered. `packages` are those that the child may
    import besides the standard library; `stubs` maps modules that it may not have to names that
    do nothing there, such as {"irmetrics_edu": ["check"]}. `tier` is the secure one unless given:
    where the system does not allow it nothing runs, and InputError says what to choose. `replaced`
    are right answers to earlier questions. Raises SandboxError if the child can't be started.
    """
    limits = limits or SandboxLimits()
    tier = tier or _usual()
    try:
        with ExitStack() as stack:
            # In namespaces the child has a folder in memory, which goes with it.
            place = "" if tier.name == "namespaces" else str(stack.enter_context(folder()))
            plan = plan_for(tier, packages, place) | {"limits": asdict(limits)}
            longest = max(limits.answer, LONGEST_CELLS_REPORT)
            channel = stack.enter_context(Channel(python(), plan, longest, limits.output))
            message = _message(cells, call, stubs or {}, replaced)
            channel.send({**message, "packages": packages_in(tier, packages)})
            conversation = Conversation(channel, limits)
            conversation.hold(cases)
            by_itself = conversation.gone and not channel.too_much_printed.is_set()
            report = channel.close(patience=0.5 if by_itself else 0.0)
        return _outcome(
            conversation,
            cases=cases,
            limits=limits,
            tier=tier,
            channel=channel,
            report=report,
        )
    except OSError as error:
        raise SandboxError(f"a child of tier {tier.name} can't be started: {error}") from error


def _message(
    cells: Sequence[str],
    call: Call,
    stubs: Mapping[str, Sequence[str]],
    replaced: Sequence[Replaced],
) -> dict[str, Any]:
    """What the child is asked to run."""
    return {
        "cells": list(cells),
        "harness": call.harness,
        "call": {"name": call.name, "read": call.read},
        "answer": call.answer or call.name,
        "order": list(call.order or range(1, len(cells) + 1)),
        "checked": call.checked,
        "stubs": {module: list(names) for module, names in stubs.items()},
        "replaced": [vars(one) for one in replaced],
    }


class Conversation:
    """The questions and answers, up to the point where the child stopped answering properly."""

    def __init__(self, channel: Channel, limits: SandboxLimits) -> None:
        self.channel = channel
        self.limits = limits
        self.cell_errors: list[Raised] = []
        self.answers: list[Answer] = []
        self.checked: list[int] = []
        self.limit = ""
        self.ended = ""
        self.gone = False
        self.tampered = False
        self.began = False

    def hold(self, cases: Sequence[Case]) -> None:
        """Ask for each case in turn, and keep what comes back."""
        try:
            reply = self.channel.receive()
            self.began = True
            self._read_cells(reply)
            for case in cases:
                word = secrets.token_hex(16)
                self.channel.expect_nothing()
                self.channel.send({"word": word, "inputs": case.packed})
                self.answers.append(self._read_answer(self.channel.receive(), word, case.most))
        except Gone:
            self.gone = True
        except TooLong:
            self.limit = "answer"
        except Tampered as error:
            self.tampered = True
            self.ended = f"the code wrote on the grader's private channel: {error}"

    def _read_cells(self, reply: dict[str, Any]) -> None:
        errors = reply.get("cells")
        checked = reply.get("checked")
        if set(reply) != {"cells", "checked"}:
            raise Tampered("a message of another form")
        if not isinstance(errors, list) or len(errors) > MOST_ERRORS + 1:
            raise Tampered("errors of another form")
        if not isinstance(checked, list) or not all(type(n) is int for n in checked):
            raise Tampered("a message of another form")
        self.cell_errors = [self._read_error(error) for error in errors]
        self.checked = checked[:MOST_CHECKS]

    def _read_answer(
        self,
        reply: dict[str, Any],
        word: str,
        most: int,
    ) -> Answer:
        if reply.pop("word", None) != word or len(reply) != 1:
            raise Tampered("an answer without the word that goes with the question")
        [(kind, content)] = reply.items()
        if kind == "value":
            # Nothing walks through a value before it is known to be small.
            if parts_of(content, most) > most:
                return Answer(
                    why=worded("it has more than {most} parts", most=f"{most:,}"),
                    lack=NoValue.TOO_BIG,
                )
            if len(repr(content)) > self.limits.answer:
                raise TooLong
            try:
                return Answer(given=True, value=unpack(content))
            except (NotPlain, RecursionError) as error:
                why = str(error) or "the value is nested too deep"
                return Answer(why=why, lack=NoValue.NOT_PLAIN)
        if kind == "error":
            return Answer(error=self._read_error(content))
        if kind == "missing":
            return Answer(why=f"no {str(content)[:100]!r} is defined", lack=NoValue.MISSING)
        if kind == "blank":
            return Answer(why="it is `...`", lack=NoValue.BLANK)
        if kind == "refused":
            return Answer(why=str(content)[:500], lack=NoValue.NOT_PLAIN)
        raise Tampered("a message of another form")

    def _read_error(self, error: Any) -> Raised:
        if not isinstance(error, dict) or set(error) != set(_ERROR):
            raise Tampered("an error of another form")
        if not all(isinstance(error[name], kind) for name, kind in _ERROR.items()):
            raise Tampered("an error of another form")
        if error["limit"] not in {"", *NAMES}:
            raise Tampered("an error of another form")
        limit = error.pop("limit")
        self.limit = self.limit or limit
        # The child's own bounds, which the student's code can pass by.
        return Raised(
            type=error["type"][:100],
            message=error["message"][:LONGEST_MESSAGE],
            cell=error["cell"],
            line=error["line"],
            text=error["text"][:200],
            name=error["name"][:100],
        )


# The fields of an error as the child reports it.
_ERROR: Mapping[str, type] = {
    "type": str,
    "message": str,
    "cell": int,
    "line": int,
    "text": str,
    "limit": str,
    "name": str,
}


@dataclass(frozen=True)
class _Limited:
    """Which limit a child exceeded, and why it ended early; both are empty if all went well."""

    limit: str
    ended: str


def _limited(
    conversation: Conversation,
    channel: Channel,
    limits: SandboxLimits,
    report: Mapping[str, Any],
) -> _Limited:
    limit = conversation.limit
    ended = conversation.ended
    if channel.too_much_printed.is_set():
        limit = "output"
    elif channel.overdue.is_set():
        limit = "wall"
    elif conversation.gone:
        used_up = "cpu" if report.get("cpu", 0.0) >= limits.cpu else ""
        limit = report.get("limit") or limit or used_up
    if limit:
        ended = ended or worded(
            "the limit of {limit} ({size}) was exceeded",
            limit=worded(NAMES[limit]),
            size=limits.shown(limit),
        )
    elif conversation.gone:
        ended = _end(report.get("status", 0), report)
    return _Limited(limit, ended)


def _outcome(
    conversation: Conversation,
    cases: Sequence[Case],
    limits: SandboxLimits,
    tier: Tier,
    channel: Channel,
    report: Mapping[str, Any],
) -> RunOutcome:
    if report.get("refused") and not conversation.began:
        why = str(report["refused"])
        raise SandboxError(
            f"a child of tier {tier.name} can't be started: {why}",
            no_filter=why if report["no_filter"] else "",
        )
    limited = _limited(conversation, channel, limits, report)
    left = Answer(why=limited.ended or "not asked", lack=NoValue.ENDED)
    # How many answers came before the output was counted hangs on the load: then none counts.
    answers = [] if limited.limit == "output" else conversation.answers
    return RunOutcome(
        answers=tuple(answers + [left] * (len(cases) - len(answers))),
        tier=tier,
        cell_errors=tuple(conversation.cell_errors),
        limit=NAMES[limited.limit] if limited.limit else "",
        ended=limited.ended,
        wall=report.get("wall", 0.0),
        tampered=conversation.tampered,
        ran=conversation.began,
        started=report.get("most", 0) > 1,
        checked=tuple(conversation.checked),
    )


def _end(status: int, report: Mapping[str, Any]) -> str:
    if not report:
        return worded("the code ended its own process and the supervisor of it")
    signal = -status if status < 0 else status - 128
    if signal > 0:
        return worded("the code's process was ended by signal {signal}", signal=signal)
    return worded(
        "the code ended its own process, with status {status}, before it answered", status=status
    )


def tier_for(asked: str = "") -> Tier:
    """The tier for students' code: the requested tier, or else the secure one.

    It never chooses another tier. If the tier does not work here, InputError says so before
    anything runs, and names the tiers that you can choose.
    """
    name = asked or TIERS[0]
    tier, why = _tried(name)
    if not why:
        return tier
    if asked:
        raise InputError(f"tier {asked!r} does not work here: {why}; choose another --tier")
    others = " or ".join(
        f"--tier {other} ({candidate.holds})"
        for other in TIERS[1:]
        for candidate, refused in [_tried(other)]
        if not refused
    )
    go_on = (
        f"To grade all the same, choose {others}"
        if others
        else ("Grade on Linux with user namespaces, or as a user who is not root with --tier plain")
    )
    raise InputError(f"students' code can't be isolated securely here: {why}. {go_on}")


@functools.cache
def _usual() -> Tier:
    """The default tier of a question; found once."""
    return tier_for()


@dataclass(frozen=True)
class _Refusal:
    """Why a tier does not work here, "" if it works; `no_filter` if it is for want of a filter."""

    why: str
    no_filter: str = ""


def _tried(name: str) -> tuple[Tier, str]:
    """A tier as it works here, with or without a filter of system calls, or why it fails."""
    tier = named(name)
    refusal = _refused(tier)
    if refusal.no_filter:
        tier = replace(tier, unfiltered=refusal.no_filter)
        refusal = _refused(tier)
    return tier, refusal.why


def _refused(tier: Tier) -> _Refusal:
    if not hasattr(os, "fork"):
        return _Refusal(
            "this system has no fork; grade in a virtual machine or a container with Linux"
        )
    if sys.platform != "linux" and not tier.unfiltered:
        why = str(NoFilter("only Linux has one"))
        return _Refusal(why, no_filter=why)
    try:
        return _Refusal(_trial(tier))
    except SandboxError as error:
        return _Refusal(str(error), error.no_filter)
    except InputError as error:
        return _Refusal(str(error))


def _trial(tier: Tier) -> str:
    """Why a tier does not work here; empty if it works."""
    outcome = run_question(
        [_TRIAL],
        Call("trial"),
        [Case(__file__)],
        tier=tier,
    )
    answer = outcome.answers[0]
    if not answer.given:
        return answer.error.message if answer.error else answer.why
    seen = answer.value
    if tier.secure and isinstance(seen, list) and seen:
        return f"the child could reach {', '.join(map(str, seen))}"
    return ""


# What a child in namespaces must not reach; numpy it must have.
_TRIAL = """
def trial(file):
    import os, socket, numpy
    seen = []
    # What was imported before the child was shut in may not be there for its own imports.
    open(os.__file__).close()
    os.listdir(numpy.__path__[0])
    if os.path.exists(file) or os.path.exists("/proc") or os.path.exists("/etc/passwd"):
        seen.append("files outside")
    if os.getuid() == 0:
        seen.append("the rights of root")
    try:
        if len(socket.if_nameindex()) > 1:
            seen.append("the network")
    except PermissionError:
        pass
    for folder in ("/", "/packages"):
        try:
            open(folder + "/x", "w")
            seen.append(folder)
        except OSError:
            pass
    return seen
"""
