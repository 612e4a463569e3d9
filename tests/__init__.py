"""The tests."""

import sys

# With nbformat comes jsonschema, which takes a second and more to compile the grammars of this, an
# optional library of its own for a format that no notebook has.
sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]  # None: not to be had
