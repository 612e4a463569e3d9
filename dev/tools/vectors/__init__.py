"""Makes the conformance vectors: plain loops -> cases with all conventions -> `vectors.json`.

The package holds the result and none of this. `oracles/` has each metric as a plain loop, which
tests compare the kernels with, too. Start with `made.py`.
"""
