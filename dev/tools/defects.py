"""Asks each library again what `dev/defects/` says of it: `python -m dev.tools.defects`.

A folder there holds one case: `about.toml`, `show.py` that shows it, and for a defect `fix.diff`.
Each case runs in an environment of its own, on the newest release. What was seen, with version and
date, goes into `dev/defects/seen.toml`; the page and the reports are written from it.
"""

import argparse
import datetime as dt
import subprocess
import sys
import tempfile
import tomllib
import venv
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from irmetrics_edu.errors import InputError
from irmetrics_edu.views.output import ended, put
from irmetrics_edu.writing import write

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "dev" / "defects"
SEEN = FOLDER / "seen.toml"
STILL, GONE, CHANGED = "still so", "gone", "changed"
TRIED, NO_HELP = "tried", "does not help"


@dataclass(frozen=True)
class Thread:
    """An issue or a change of the library's project that has to do with a case."""

    url: str
    state: str
    says: str


@dataclass(frozen=True)
class Seen:
    """What the newest release did, when it was last asked."""

    version: str = ""
    date: str = ""
    state: str = ""
    fix: str = ""


@dataclass(frozen=True)
class Case:
    """A folder of `dev/defects/`: what a library says, and what it does instead."""

    slug: str
    kind: str  # "defect": against its own documentation; "surprise": against what users expect
    package: str
    project: str
    title: str
    documentation: str
    where: str
    expected: str
    found: str
    does: str
    fix: str
    show: str
    diff: str
    seen: Seen
    bundle: str = ""
    quirk: str = ""
    library: str = ""  # what the package wraps, if the case is in that
    untried: str = ""
    also: tuple[str, ...] = ()
    threads: tuple[Thread, ...] = field(default=())

    @property
    def release(self) -> str:
        """The package and its version, and what it wraps."""
        wraps = f" ({self.library})" if self.library else ""
        return f"{self.package} {self.seen.version}{wraps}"

    @property
    def issue_form(self) -> str:
        """The case as an issue for the library's project, in the form that it asks for."""
        for project, form in FORMS.items():
            if self.project.endswith(project):
                return form.format(**self._parts())
        return PLAIN.format(**self._parts())

    def _parts(self) -> dict[str, str]:
        threads = "\n".join(f"- {t.url} ({t.state}): {t.says}" for t in self.threads)
        return {
            "title": self.title,
            "does": f"{self.does}\n\nThe documentation ({self.where}):\n\n> {self.documentation}",
            "show": f"```python\n{self.show}```",
            "expected": f"`{self.expected}`",
            "found": f"`{self.found}`",
            "release": self.release,
            "fix": self.fix + (f" Not tried: {self.untried}." if self.untried else ""),
            "diff": f"```diff\n{self.diff}```" if self.diff else "",
            "threads": f"See also:\n\n{threads}" if threads else "",
        }


PLAIN = """\
{does}

To reproduce it with {release}:

{show}

Expected: {expected}. Found: {found}.

A fix: {fix}

{diff}

{threads}
"""
# The headings that the templates of these projects ask for, as of the date of the cases.
FORMS = {
    "AmenRa/ranx": """\
**Describe the bug**
{does}

**To Reproduce**
{show}

**Expected behavior**
It should print {expected}. It prints {found}.

**Version**
{release}

**Additional context**
A fix: {fix}

{diff}

{threads}
""",
    "recommenders-team/recommenders": """\
### Description
{does}

### In which platform does it happen?
Any; {release}.

### How do we replicate the issue?
{show}

### Expected behavior (i.e. solution)
It should print {expected}. It prints {found}. {fix}

{diff}

### Willingness to contribute
- [x] Yes, I can contribute for this issue independently.

### Other Comments
{threads}
""",
    "run-llama/llama_index": """\
### Bug Description
{does}

### Version
{release}

### Steps to Reproduce
{show}

It should print {expected}. A fix: {fix}

{diff}

{threads}

### Relevant Logs/Tracbacks
It prints {found}.
""",
}


def cases(folder: Path = FOLDER) -> list[Case]:
    """The cases of a folder, defects first, each with what was last seen of it."""
    seen = tomllib.loads((folder / SEEN.name).read_text(encoding="utf-8"))
    found = []
    for about in sorted(folder.glob("*/about.toml")):
        facts = tomllib.loads(about.read_text(encoding="utf-8"))
        diff = about.with_name("fix.diff")
        try:
            found.append(
                Case(
                    slug=about.parent.name,
                    show=about.with_name("show.py").read_text(encoding="utf-8"),
                    diff=diff.read_text(encoding="utf-8") if diff.exists() else "",
                    seen=Seen(**seen.get(about.parent.name, {})),
                    also=tuple(facts.pop("with", ())),
                    threads=tuple(Thread(**t) for t in facts.pop("threads", ())),
                    **facts,
                )
            )
        except (TypeError, OSError) as e:
            raise InputError(f"{about} or a file beside it: {e}") from e
    return sorted(found, key=lambda case: (case.kind, case.package.lower(), case.slug))


def ask(case: Case, today: str) -> Seen:
    """Install the newest release, run the script, put the fix in, and run it again."""
    with tempfile.TemporaryDirectory(prefix=f"{case.slug}-") as place:
        venv.create(place, with_pip=True)
        python = Path(place) / "bin" / "python"
        install = [str(python), "-m", "pip", "install", "-q", case.package, *case.also]
        subprocess.run(install, check=True, capture_output=True, text=True)  # noqa: S603 -- ours
        version = last_line(python, _VERSION, case.package)
        printed = last_line(python, case.show)
        state = {case.found: STILL, case.expected: GONE}.get(printed, CHANGED)
        if state is CHANGED:
            put(f"{case.slug}: it prints {printed}, for {case.found} or {case.expected}")
        seen = Seen(version, today, state)
        if not case.diff or case.untried or state is not STILL:
            return seen
        # Files of the library may end their lines in \\r\\n.
        patch = ["git", "apply", "--ignore-whitespace", "-"]
        packages = last_line(python, "import sysconfig; print(sysconfig.get_path('purelib'))")
        done = subprocess.run(  # noqa: S603 -- ours
            patch, cwd=packages, input=case.diff, text=True, check=False, capture_output=True
        )
        helps = not done.returncode and last_line(python, case.show) == case.expected
        return replace(seen, fix=TRIED if helps else NO_HELP)


_VERSION = "import sys, importlib.metadata as m; print(m.version(sys.argv[1]))"


def last_line(python: str | Path, code: str, *arguments: str) -> str:
    """The last line that the code prints; without one, its exit code."""
    command = [python, "-W", "ignore", "-c", code, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 -- a script of this project
    lines = done.stdout.split("\n")
    return next((line for line in reversed(lines) if line), f"exit code {done.returncode}")


def page() -> str:
    """docs/library-defects.md: each case with its lines, and whether it is still there."""
    defects = [case for case in cases() if case.kind == "defect"]
    surprises = [case for case in cases() if case.kind == "surprise"]
    return "\n".join(
        [
            _HEAD,
            _table([*defects, *surprises]),
            *(_section(case) for case in defects),
            _SURPRISES,
            *(_section(case, "###") for case in surprises),
        ]
    )


_HEAD = """\
# Defects in libraries

A library may choose any convention. A defect is something else: the library does not do what its
own documentation says. The first part of this page has only such cases. The second part has
surprises: the library says nothing wrong, and yet users get a number that they did not ask for.
Conventions are in [conventions.md](conventions.md).

`python -m dev.tools.defects` installs the newest release of each library and runs the script of
each case. Then it applies the proposed change and runs the script again. It writes this page from
the results. For each case the folder `dev/defects/` has the script, the change as a diff, and a
report in the form that the library's project asks for.
"""
_SURPRISES = """\
## Surprises

These are choices, and each has its reason. They are on this page because a user who does not know
them may misread a number.
"""


def _table(of: Iterable[Case]) -> str:
    of = list(of)
    rows = [
        f"| {case.package} | {case.title} | {case.seen.version} | {case.seen.state} | "
        f"{case.seen.fix or '-'} |"
        for case in of
    ]
    asked = sorted({case.seen.date for case in of})
    when = f"Asked on {asked[0]}" + (f" to {asked[-1]}." if len(asked) > 1 else ".")
    head = [
        when,
        "",
        "| library | what | version | now | proposed change |",
        "|---|---|---|---|---|",
    ]
    return "\n".join([*head, *rows, ""])


def _section(case: Case, level: str = "##") -> str:
    last = case.show.rstrip("\n")
    lines = [
        f"{level} {case.release}: {case.title}",
        "",
        f"```python not-run: needs the library {case.package} {case.seen.version}",
        f"{last}  # {case.found}",
        "```",
        "",
        f"Expected: `{case.expected}`.",
        "",
        f"Its documentation ({case.where}):",
        "",
        f"> {case.documentation}",
        "",
        f"What it does: {case.does}",
        "",
        f"What would help: {case.fix}" + (f" Not tried: {case.untried}." if case.untried else ""),
        "",
    ]
    if case.threads:
        lines += [
            f"- [{t.url.removeprefix('https://')}]({t.url}) ({t.state}): {t.says}"
            for t in case.threads
        ]
        lines.append("")
    if case.quirk:
        lines += [f"Quirk: `{case.bundle}`, `{case.quirk}`.", ""]
    return "\n".join(lines)


def reports() -> Mapping[str, str]:
    """The path of each case's report in the project, and its text."""
    return {
        f"dev/defects/{case.slug}/report.md": f"# {case.title}\n\n{case.issue_form}"
        for case in cases()
    }


def main(arguments: list[str] | None = None) -> int:
    """Ask the libraries of the named cases, or of all; fail where one is not as it was."""
    parser = argparse.ArgumentParser(prog="python -m dev.tools.defects", description=__doc__)
    parser.add_argument("slugs", nargs="*", metavar="CASE", help="only these folders")
    slugs = parser.parse_args(arguments).slugs
    every = cases()
    if unknown := sorted(set(slugs) - {case.slug for case in every}):
        raise InputError(f"dev/defects/ has no folder {', '.join(unknown)}")
    today = dt.datetime.now(tz=dt.UTC).date().isoformat()
    seen = {case.slug: case.seen for case in every}
    for case in every:
        if slugs and case.slug not in slugs:
            continue
        now = ask(case, today)
        fix = f", proposed change: {now.fix}" if now.fix else ""
        put(f"{case.package} {now.version}: {case.title}: {now.state}{fix}")
        seen[case.slug] = now
        write(SEEN, _text(seen))
    return int(any(s.state != STILL or s.fix == NO_HELP for s in seen.values()))


def _text(seen: Mapping[str, Seen]) -> str:
    lines = [
        "# Written by `python -m dev.tools.defects`: what the newest releases did.",
        "",
    ]
    for slug, s in sorted(seen.items()):
        if s.version:
            facts = [f'{name} = "{value}"' for name, value in vars(s).items() if value]
            lines += [f"[{slug}]", *facts, ""]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(ended("dev.tools.defects", main))
