"""The engine: how a whole run meets its judgments, and becomes the rows of all queries at once.

A metric reads the ranks and grades of the judged documents, and of the others only how many there
are. A run has a thousand documents for each query, of which perhaps ten were judged. So the few
judged documents are looked up in the run, and never the other way round (`reverse_join`):

1. **Columns.** A file is not taken apart line by line. A block of it is cut into fields at once
   (`lines`), and a column of ids is where each begins in the block and how long it is (`text`).
   Numbers are read out of the same bytes, eight characters at a time (`decimals`). Items of one
   query stand together (`columns`). A run in memory needs no columns: its mappings are asked.
2. **Pool.** The judged documents of all queries are one numbered list: query q has the items
   starts[q] to starts[q+1], with their grades (`pool`).
3. **Keys.** Each id becomes a number of 64 bits, made of its bytes and its query (`keys`). Nearly
   all documents of a piece of the run are turned away by a table of slots, made for the judged
   documents of its queries (`slots`). Where keys are equal, the bytes are compared: two ids that
   share a key can cost time, but never change a score.
4. **Ranks.** The scores of each query are sorted where they are not sorted yet. The rank of a
   judged document is 1 + how many scores are greater, found by bisection. In the same way comes
   how many scores are equal to it: its tie, which is then put in the order of the convention
   (`ranks`).
5. **Rows.** What was found, in order of query and rank, is one table (`aligned_run`): the same rows
   that a single ranking gives, without those that no measure reads.

A document that a query ranks twice, a query that comes in two places, and an id of another kind
than the judged ones are found on the way, and told with their lines (`repeats`, `held_queries`).

The door is `aligned`, which gives an `Aligned`. It takes a `Run` (`run`), a `JudgedPool` (`pool`)
and the conventions. The wing stands below `reading`, since readers make columns; what it asks of
a reader is said in `noted`. Which measures read which rows is decided above it, in `runs.joining`.

Start with `reverse_join.py`.
"""

from irmetrics_edu.engine.aligned_run import Aligned as Aligned
from irmetrics_edu.engine.reverse_join import aligned as aligned
