"""What a build adds: the README as an index shows it, and the teaching kit of a wheel."""

import re
import runpy
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

_LINK = re.compile(r"(!?)\[([^\]]*)\]\((?!\w+:|#)([^)\s]+)\)")
_PAGES = {"Documentation": "README.md", "Changelog": "docs/changelog.md", "Source": ""}


def _in_the_source(link: re.Match[str]) -> str:
    """A link without an address: its words, and which file of the source they mean."""
    is_picture, words, file = link.groups()
    if is_picture:
        return f"(A picture in the source, {file}: {words})"
    return words if words == file else f"{words} ({file})"


def readme(text: str, home: str) -> str:
    """The README as an index shows it: links within the project become whole addresses.

    Without a home a link would lead nowhere. Then its words are kept, with the file that they mean;
    a release refuses to be made like that.
    """
    if not home:
        return _LINK.sub(_in_the_source, text)
    raw = home.replace("/blob/", "/raw/")  # a picture itself, not the page that shows it
    return _LINK.sub(lambda m: f"{m[1]}[{m[2]}]({raw if m[1] else home}{m[3]})", text)


def addresses(home: str) -> dict[str, str]:
    """The project's pages under its home, which is where its files are shown."""
    if not home:
        return {}
    project = home.partition("/blob/")[0].rstrip("/")
    pages = {name: f"{home}{path}" for name, path in _PAGES.items()}
    return {"Homepage": project, "Issues": f"{project}/issues", **pages}


class Home(MetadataHookInterface):
    """Fills in the readme and the addresses from `home` in pyproject.toml."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Called by hatchling with the project's table, to which it adds what is dynamic."""
        home = self.config.get("home", "")
        if home and not re.fullmatch(r"https://\S+/", home):
            raise ValueError(f"home = {home!r}: write https://.../, where the files are shown")
        text = Path(self.root, "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": readme(text, home)}
        metadata["urls"] = addresses(home)


class Kit(BuildHookInterface[Any]):
    """Puts the chapters and the exercises of the course into a wheel, without their outputs."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called by hatchling before a wheel is made; an editable one reads the checkout itself."""
        if version == "editable":
            return
        # The module without its package, which needs what a build lacks.
        kit = runpy.run_path(f"{self.root}/irmetrics_edu/course/teaching_kit.py")
        self._made = tempfile.TemporaryDirectory()
        made = Path(self._made.name)
        place = kit["IN_A_WHEEL"].relative_to(self.root).as_posix()
        for name, text in kit["kit_files"](Path(self.root)).items():
            file = made / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8", newline="\n")
            build_data["force_include"][str(file)] = f"{place}/{name}"

    def finalize(self, version: str, *_: Any) -> None:
        """Called when the wheel is there."""
        if version != "editable":
            self._made.cleanup()
