"""There is one way to do a thing: a second one is found here."""

from pathlib import Path

import pytest

import irmetrics_edu
from irmetrics_edu.views.page import POLICY, page

ROOT = Path(irmetrics_edu.__file__).parent
SOURCES = {
    p.relative_to(ROOT).as_posix(): p.read_text(encoding="utf-8") for p in ROOT.rglob("*.py")
}


@pytest.mark.parametrize(
    ("word", "homes"),
    [
        ("<!doctype html>\\n", ["views/page.py"]),
        ("content-security-policy", ["views/page.py"]),
        # Runs are read as a stream, and may be of any size.
        ("csv.reader(", ["reading/records.py", "reading/tabular.py"]),
        ("def _repr_html_(self) -> str:\n        return self.html()", ["views/result_table.py"]),
    ],
)
def test_a_thing_is_done_in_one_place(word, homes):
    """Who needs it calls the function there."""
    assert sorted(name for name, text in SOURCES.items() if word in text.lower()) == homes


def test_a_page_loads_nothing_and_shows_its_title_as_text():
    """A page that runs a script names the script in a policy of its own."""
    shown = page("a<b", ["<p>x</p>"], kind="key", head="\n<meta name=robots>")
    assert shown.startswith('<!DOCTYPE html>\n<html lang="en">')
    assert f'http-equiv="Content-Security-Policy" content="{POLICY}"' in shown
    assert "<title>a&lt;b</title>\n<meta name=robots>" in shown
    assert '<body class="key">\n<main>\n<p>x</p>\n</main>\n</body>' in shown
    assert "default-src 'none'" in POLICY
    assert "script-src 'sha256-x'" in page("t", [], policy="script-src 'sha256-x'")
