"""An archive with a wrong byte, wherever it is: read or refused by name, never a traceback."""

import io
import zipfile

import pytest

from irmetrics_edu.classroom.marking.collecting import archives
from irmetrics_edu.classroom.marking.returning.copies_out import handed_out
from irmetrics_edu.errors import InputError

WRONG = (0x00, 0xA0)  # ends a name; is in no name of UTF-8, and no flag or length that fits


def _archive():
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("m\u00fc_3_4_7.ipynb", b"{}" * 9)
    return held.getvalue()


def _damaged():
    """The archive with one byte changed, and cut at each place."""
    whole = _archive()
    for place in range(len(whole)):
        yield whole[:place]
        for wrong in WRONG:
            yield whole[:place] + bytes([wrong]) + whole[place + 1 :]


@pytest.fixture
def written(monkeypatch):
    """What is unpacked, held in memory: a disk is slow."""
    held = {}
    monkeypatch.setattr(archives, "write", held.__setitem__)
    return held


def _why_refused(path, folder):
    """The message of a refusal, or nothing."""
    try:
        archives.unpack(path, folder)
    except InputError as error:
        return str(error)
    return ""


def test_a_wrong_byte_is_refused_by_name_or_spoils_one_entry(tmp_path, written):
    """Nothing of a refused archive is unpacked."""
    path = tmp_path / "hw.zip"
    refused = []
    for raw in _damaged():
        path.write_bytes(raw)
        archives.downloads(path.parent)
        written.clear()
        why = _why_refused(path, tmp_path)
        assert not (why and written)
        refused += [why] if why else []
    assert refused
    assert all(why.startswith(f"{path}: ") for why in refused)


def test_a_wrong_byte_in_the_zip_of_canvas_is_refused_by_name(tmp_path):
    """It has a notebook of no student at most."""
    path = tmp_path / "submissions.zip"
    for raw in _damaged():
        path.write_bytes(raw)
        with pytest.raises(InputError, match=r"--canvas .*submissions\.zip"):
            handed_out([], [], path)
