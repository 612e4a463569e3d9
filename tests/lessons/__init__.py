"""What the chapters conclude from random data, and what they say of all inputs, tried again.

A chapter draws its data once. What it concludes has to hold of other draws, too. Each conclusion is
a row of a table: `measures.py` has chapters 1 to 13, `practice.py` the others, `small_inputs.py`
more sentences without an exception. There are two kinds.

- A `Lesson` is a conclusion from random data. It is run with the seeds 0 to 29, in this order, and
  has to hold in at least 27. If it holds in fewer, the sentence itself says in how many of 30 and
  the row repeats that number as `told`: then it has to be this number, no other.
- A `Rule` is a sentence with "always", "never", "all" or "only", or any other that admits no
  exception. It is tried on every small input; one that contradicts it fails the test.

`sentence` stands in the row letter for letter as in the chapter, with one space for a line break:
in its prose, or in a text of its code (a caption, an alt text, a quiz). That it still stands there
is a test of `make test`. Whoever changes a sentence then looks at its row.

`make test-lessons` draws the data anew; ARGS="-k 06" takes one chapter. `holds` gets the seed, or
the input. To run the cells of a chapter, with other seeds or up to some line, there is
`names_of("08", changes=[("default_rng(6)", "default_rng(7)")], stop="def sampled(share)")`.
"""
