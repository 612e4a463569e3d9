"""What a TREC run says of itself."""

from pathlib import Path

from irmetrics_edu.reading.files import opened


def tag(path: Path) -> str:
    """The name of a run, as the last field of its first line has it; else the file's name."""
    with opened(path) as stream:
        fields = stream.readline().split()
    return fields[5].decode(errors="replace") if len(fields) == 6 else path.name
