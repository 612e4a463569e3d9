"""Pages of HTML that the package writes: each has a title, a language and one main part."""

import re

from irmetrics_edu import explain, ndcg
from irmetrics_edu.views.page import page


def test_all_that_a_page_shows_is_in_its_main_part() -> None:
    """A reader by voice skips to it; a page that has one keeps it, and scripts stand outside."""
    made = page("A title", ["<h1>A</h1>", "<p>b</p>"], script="1")
    assert re.search(r"<body>\n<main>\n<h1>A</h1>\n<p>b</p>\n</main>\n<script>1</script>", made)
    assert "<title>A title</title>" in made
    own = page("A", ['<main class="wide"><h1>A</h1>', "</main>"])
    assert own.count("<main") == own.count("</main>") == 1


def test_an_explanation_as_a_page_has_one_main_part() -> None:
    """What is shown comes from another module, which knows nothing of it."""
    made = page("nDCG", [explain(ndcg, [5, 2, 3])._repr_html_()])
    assert made.count("<main>") == made.count("</main>") == 1
