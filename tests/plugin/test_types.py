"""What type checkers see of assertions that are made on first use."""

import pytest
from mypy import api

pytestmark = [pytest.mark.slow, pytest.mark.suite("sandbox")]

GOOD = """
from irmetrics_edu.gate import RankingAssertionError, assert_dcc, assert_gmap, assert_ndcg
score: float = assert_ndcg({"q": ["d"]}, {"q": {"d": 1}}, k=10, gain="exp", at_least=0.45)
assert_gmap({"q": ["d"]}, {"q": {"d": 1}}, missing_queries="skip", every_query_at_least=0.1)
assert_ndcg({"q": ["d"]}, {"q": {"d": 1}}, groups={"q": "de"}, every_group_at_least={"de": 0.1})
assert_ndcg({"q": ["d"]}, {"q": {"d": 1}}, queries={"q": "cheap flights"}, at_least=0.1)
assert_dcc(["i"], {"i"}, {"i": {"c"}}, alpha=0.01, n_categories=6, at_least=0.5)
"""
BAD = {
    "a misspelt convention": 'assert_ndcg(["d"], {"d": 1}, gian="exp", at_least=0.45)',
    "text for a bound": 'assert_ndcg(["d"], {"d": 1}, at_least="0.45")',
    "a cut-off where there is none": 'assert_r_precision(["d"], {"d": 1}, k=3, at_least=0.4)',
    "an assertion that is none": "assert_ndgc",
}


def checked(tmp_path, **modules):
    """What mypy prints of modules, which it reads with the package at once; and its exit code."""
    files = [tmp_path / f"{name}.py" for name in modules]
    for file, code in zip(files, modules.values(), strict=True):
        file.write_text(code, encoding="utf-8")
    options = ["--strict", "--no-incremental", "--config-file=", f"--cache-dir={tmp_path}"]
    text, _, status = api.run([*options, *map(str, files)])
    return text, status


def test_the_stub_knows_every_keyword_and_nothing_else(tmp_path):
    """Right calls pass under --strict; each wrong one is an error in its line."""
    code = GOOD + "from irmetrics_edu.gate import assert_r_precision\n"
    lines = ["import irmetrics_edu.gate as a", *(f"a.{line}" for line in BAD.values())]
    text, status = checked(tmp_path, right_use=code, wrong_use="\n".join(lines) + "\n")
    assert "right_use.py" not in text
    assert status == 1
    for number in range(2, len(lines) + 1):
        assert f"wrong_use.py:{number}: error:" in text
