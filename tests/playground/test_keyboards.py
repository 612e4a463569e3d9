"""What other keyboards type, in predictions of the chapters; and that the modules run in node."""

import shutil
import subprocess
from pathlib import Path

import pytest

from dev.tools.places import ROOT

NODE = shutil.which("node")
pytestmark = pytest.mark.skipif(NODE is None, reason="no node to run the scripts with")
TYPED = ROOT / "irmetrics_edu" / "course" / "typed.js"
FORMS = {
    "１／２": "1/2",
    "½": "1/2",
    "2⁄4": "1/2",
    "０．５": "0.5",
    "０，５": "0.5",
    "．５": "0.5",
    "−0.5": "-0.5",
    "－０．５": "-0.5",
    " 3/4 ": "3/4",
    "0,4375": "0.4375",
    "７/16": "7/16",
    "３": "3",
}


def in_node(code: str, folder: Path) -> str:
    """What a script prints."""
    assert NODE is not None
    script = folder / "asked.mjs"
    script.write_text(code, encoding="utf-8")
    done = subprocess.run([NODE, script], capture_output=True, check=True, timeout=60)
    return done.stdout.decode()


def test_predictions_read_the_digits_of_other_keyboards(tmp_path: Path) -> None:
    """Wide digits, wide signs and fractions in one character."""
    text = TYPED.read_text(encoding="utf-8")
    start = text.index("const canonical")
    canonical = text[start : text.index("const reply")]
    asked = f"{canonical}\nfor (const t of {list(FORMS)}) console.log(canonical(t));"
    assert in_node(asked, tmp_path).split() == list(FORMS.values())


def test_the_modules_of_the_page_run_without_a_page(tmp_path: Path) -> None:
    """Each finds those that it imports, as node does too."""
    folder = (ROOT / "dev" / "tools" / "playground").as_uri()
    code = f"""
        import {{ fromQuestion, toQuestion }} from "{folder}/question.mjs";
        import {{ explained }} from "{folder}/explain.mjs";
        import {{ example }} from "{folder}/state.mjs";
        const data = {{ measures: {{ nDCG: {{ cutoff: true }} }} }};
        const state = {{ ...example(), ...fromQuestion("0.9 for 3 2 0", example(), data) }};
        console.log(toQuestion(state), typeof explained);
    """
    assert in_node(code, tmp_path) == "nDCG = 0.9 for 3 2 0 function\n"
