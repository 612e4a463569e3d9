"""The catalogue of mistakes: what a metric turns into when one idea in it is wrong.

A mistake is a metric itself: called as the right one is, it gives the wrong value. Most are the
one kernel under a wrong convention; a few are short kernels of their own.

>>> from irmetrics_edu.mistakes import MISTAKES, mistakes_of
>>> MISTAKES["natural-logarithm"].wrong("DCG")([3, 2])
6.148...
>>> [m.label for m in mistakes_of("RR")][:4]
['rr-of-the-last', 'rr-counted-from-0', 'rr-one-too-low', 'rr-of-every-hit']

Imports errors, numbers, conventions, working, rows, metrics. Start with `mistake.py`.
"""

from irmetrics_edu.mistakes.mistake import MISTAKES, Mistake, mistakes_of

__all__ = ["MISTAKES", "Mistake", "mistakes_of"]
