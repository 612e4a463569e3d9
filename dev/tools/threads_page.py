"""docs/my-number-differs.md: public threads about numbers that differ, by symptom.

The threads stand in `threads.toml` beside this file, with the calls that replay their numbers.
"""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

THREADS = Path(__file__).with_name("threads.toml")
OURS = "ours"  # what a replay names where our default gives the number


@dataclass(frozen=True)
class Replay:
    """A number of a thread and the call that gives it: of `diagnose`, or computed directly."""

    value: str
    diagnose: str = ""
    names: str = ""
    compute: str = ""

    @property
    def call(self) -> str:
        """The call as Python has it."""
        return self.compute or f'diagnose({self.diagnose}, value="{self.value}")'

    @property
    def line(self) -> str:
        """The call and what it gives, as a line of the page."""
        if self.compute:
            return f"`{self.compute}` is {self.value}"
        found = "our default" if self.names == OURS else f"`{self.names}`"
        return f"`{self.call}` names {found}"


@dataclass(frozen=True)
class Thread:
    """A public thread: what differs, the answer in a sentence, and its numbers."""

    at: str
    seen: str
    says: str
    pull: bool = False
    replay: tuple[Replay, ...] = ()

    @property
    def url(self) -> str:
        """Its address."""
        project, number = self.at.split("#")
        return f"https://github.com/{project}/{'pull' if self.pull else 'issues'}/{number}"


@dataclass(frozen=True)
class Symptom:
    """What somebody sees, where to look first, and the threads that had it."""

    title: str
    says: str
    threads: tuple[Thread, ...]


def _read() -> dict[str, Any]:
    return tomllib.loads(THREADS.read_text(encoding="utf-8"))


def symptoms() -> list[Symptom]:
    """The symptoms of the file with their threads."""
    return [
        Symptom(one["title"], one["says"].strip(), tuple(map(_thread, one["thread"])))
        for one in _read()["symptom"]
    ]


def _thread(facts: Mapping[str, Any]) -> Thread:
    replay = facts.get("replay", [])
    known = {name: value for name, value in facts.items() if name != "replay"}
    return Thread(**known, replay=tuple(Replay(**one) for one in replay))


def page() -> str:
    """The page: each symptom with where to look first, and its threads."""
    found = symptoms()
    every = [thread for symptom in found for thread in symptom.threads]
    head = _read()["head"].format(
        threads=len(every),
        replays=sum(len(thread.replay) for thread in every),
        contents="\n".join(f"- [{s.title}](#{_anchor(s.title)})" for s in found),
    )
    return "\n".join([head, *(line for s in found for line in _section(s))])


def _anchor(title: str) -> str:
    """The anchor of a heading, as Markdown makes it."""
    return "".join(c for c in title.lower() if c.isalnum() or c in " -_").replace(" ", "-")


def _section(symptom: Symptom) -> Iterator[str]:
    yield from (f"## {symptom.title}", "", symptom.says, "")
    for thread in symptom.threads:
        first, _, rest = thread.seen.partition(" ")
        seen = f"{first.capitalize() if first.isalpha() and first.islower() else first} {rest}"
        stop = "" if seen.endswith("?") else "."
        yield f"- **{seen}{stop}** {_one_line(thread.says)} [{thread.at}]({thread.url})"
        for replay in thread.replay:
            yield f"    - {replay.line}"
    yield ""


def _one_line(text: str) -> str:
    return " ".join(text.split())
