"""Generated files are what their sources give, and a drift is seen."""

import pytest

from dev.tools import generate
from irmetrics_edu.errors import InputError


@pytest.mark.parametrize("path", generate.FILES)
def test_a_generated_file_is_up_to_date(path):
    """`make generated` would change nothing."""
    assert (generate.ROOT / path).read_text(encoding="utf-8") == generate.FILES[path]()


def test_a_drift_is_reported(tmp_path, monkeypatch, capsys):
    """The check fails, names the file and writes nothing; without it the file is written."""
    monkeypatch.setattr(generate, "ROOT", tmp_path)
    monkeypatch.setattr(generate, "FILES", {"a.txt": lambda: "new\n"})
    (tmp_path / "a.txt").write_text("old\n", encoding="utf-8")
    assert generate.main(["--check"]) == 1
    assert "a.txt is not up to date" in capsys.readouterr().err
    assert (tmp_path / "a.txt").read_text(encoding="utf-8") == "old\n"
    assert generate.main([]) == 0
    assert (tmp_path / "a.txt").read_text(encoding="utf-8") == "new\n"
    assert generate.main(["--check"]) == 0


def test_a_file_without_a_place_for_the_table_is_refused():
    """The table must not be lost in silence."""
    with pytest.raises(InputError, match="has no place for metrics"):
        generate.between("text", "metrics", "table", "x.md")
