"""The catalogue of mistakes: what a metric turns into when one idea in it is wrong.

A mistake is itself a metric: with the same arguments as the right metric it gives the wrong value.
Most mistakes are the right kernel under a wrong convention. A few have short kernels of their own.

>>> from irmetrics_edu.diagnosis.mistakes import MISTAKES, mistakes_of
>>> MISTAKES["natural-logarithm"].wrong("DCG")([3, 2])
6.148...
>>> [m.label for m in mistakes_of("RR")][:4]
['rr-of-the-last', 'rr-counted-from-0', 'rr-one-too-low', 'rr-of-every-hit']

Start with `mistake.py`.
"""

import importlib

from irmetrics_edu.diagnosis.mistakes.mistake import MISTAKES, Mistake, mistakes_of

_FAMILIES = (
    "discounted",
    "ideals",
    "set_mistakes",
    "ap_mistakes",
    "reader_mistakes",
    "novelty_mistakes",
    "diversity_mistakes",
    "curve_mistakes",
    "order_mistakes",
    "wrong_means",
    "wrong_rankings",
)
for _family in _FAMILIES:  # each enters its mistakes, in this order
    importlib.import_module(f"{__name__}.{_family}")

__all__ = ["MISTAKES", "Mistake", "mistakes_of"]
