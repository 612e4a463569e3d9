"""Runs and judgments that are mutated at random, held against an oracle in plain loops.

Whatever is given ends in the oracle's score or in an error of ours that names the place.
"""

from tests.fuzz.box import of_box
from tests.fuzz.files import of_files, of_subtopics
from tests.fuzz.frames import of_arrays, of_frames, of_mappings
from tests.fuzz.readers import READERS
from tests.fuzz.sources import of_sources

MAKERS = {
    "files": of_files,
    "frames": of_frames,
    "subtopics": of_subtopics,
    "arrays": of_arrays,
    "mappings": of_mappings,
}
ALL = {**MAKERS, "sources": of_sources, "box": of_box, **READERS}
