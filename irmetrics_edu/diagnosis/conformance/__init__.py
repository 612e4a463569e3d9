"""Test vectors for any language, and checks of libraries and programs against them.

vectors.json -> cases with all conventions -> JSON, with a README that explains every word
a library -> its values -> a table; a program's results.json -> what passes, and what it follows

`dev/tools/vectors` makes `vectors.json` by plain loops, and `README.md` and `meanings.json` from
the registries and pseudo-code; it is not part of the package.
`runners/` holds programs in JavaScript and C that were written from the README alone.

Start with `vectors.py`.
"""

from irmetrics_edu.diagnosis.conformance.vectors import VERSION, VectorCase, cases, export

__all__ = ["VERSION", "VectorCase", "cases", "export"]
