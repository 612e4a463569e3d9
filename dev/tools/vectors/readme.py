"""The README of the vectors: all you need to compute them in any language."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from dev.tools.vectors.made import made
from dev.tools.vectors.meaning import READING, meanings
from dev.tools.vectors.runner import measures_without_twin
from irmetrics_edu.diagnosis.conformance.vectors import VERSION
from irmetrics_edu.views.formatting import markdown_table

_HEAD = """# Test vectors of ranking metrics, version {version}

These files hold {cases} test cases for {measures} measures. Each case has an input, every
convention spelt out, and the exact value. You can test a program in any language with them. This
README says what every word means; you need no other source. `meanings.json` says the same for
programs.

## How to use the files

1. Read `nDCG.json`, or the file of any other measure. `schema.json` describes its form.
2. For each case of `cases`, take `inputs[case.input]`. The conventions of a case are those at the
   head of the file, and then those of the case: the case's own value counts where both have a word.
3. Compute the measure at the cut-off `k` (`null`: no cut-off).
4. Compare with `value.decimal`. It has 17 significant digits. Where `value.fraction` is there, the
   value is exactly that fraction. `nan` means that there is no score.
5. Conventions that are numbers may be texts, such as `"0.00001"`: read the text as a number.
6. The order of JSON's keys never counts. Where an order counts, there is a list. `scores` and
   `judgments` are lists of pairs `[document, number]`, in the order of the input.

`printed` is the value as a document prints it, and `why` says why an input is there. You need
neither to compute a value.

Write what you computed to a file, and let it be judged:

```
{{"format": "irmetrics-edu/results", "version": "{version}", "program": "my program 1.0",
 "results": {{"graded/nDCG/linear,log2,judged,both,zero": 0.9834, "...": "nan"}}}}
```

```
irmetrics-edu conformance check RESULTS.json
```

`results` maps the id of a case to a number, or to the text `"nan"` where there is no score. Leave
out what your program doesn't compute, or write `null`. You may add `"claims"`, a list of measures:
then a missing case of such a measure is a failure. `results.schema.json` describes the file. A
value passes if it differs by at most 0.000001, or by that share of a value above 1.

## What else is in this folder

- `runners/` has two programs that compute the vectors. They were written from this README alone.
  `node runners/run.mjs . results.json` computes {computed}.
  `runners/metrics.c` reads the flat form:
  `cc -o metrics runners/metrics.c -lm && ./metrics . > results.json`.
- `SHA256SUMS` has the checksum of each file: `sha256sum -c SHA256SUMS` checks them.
- `LICENSE`: you may use, change and share these files under CC BY 4.0. Name the source and the
  version, and say what you changed. `CITATION.cff` says how to cite them.
- The first number of the version rises if a program for the older files can't read these. In
  version 3, `scores` and `judgments` are lists of pairs. They were objects before.

## How to read the code

The code below is pseudo-code. It has these rules:

{notation}

## How an input is read

An input of one ranking has `ranking` or `scores`, and `judgments`. Settle these words in this
order. The result is `g`, the grades in ranked order, and `pool`. A word that the file doesn't have
plays no part.

{reading}

Three measures need `scores` as they are: AUC, PR-AUC and break-even. Of the words above, only
`negative` and `unretrieved` concern them.

An input with `nuggets` has a `ranking` in order. `nuggets` names the judged documents and what
each holds: a list of nuggets, or each nugget with the probability that the document holds it. If
the input has `gamma`, each nugget is wanted with its own probability. An input with `recommended`
has a list of items in order. It may have `relevant` (all relevant items, recommended or not),
`categories` and `embeddings`. `popularity` says how many users know each item, `exposure` how many
lists hold it, and `expected` names the items that a primitive system would recommend. An input with
`lists` has the list of each user, and `catalogue` names all items there are. A measure of two
orders compares `ranking` (or `scores`) with `other`.

## Queries and their mean

{queries}

## What measures share

{shared}

## Measures

The formula of a measure is that of its definition. The code is that of all values of its words.
"""

_WITHOUT_CODE = "Its pseudo-code is still to be written: compute it by the formula."

_CONVENTIONS = """
## Conventions

Each measure above names the kind of each of its words. A word can be of another kind in another
measure: `ideal` of nDCG is an Ideal, that of alpha-nDCG is a NoveltyIdeal.
"""

_FLAT = """
## The flat form

`irmetrics-edu conformance export DIR --flat` writes two more files, for programs that read no
JSON. They hold the same cases. Both have a line for each record, with tabs between the fields, in
UTF-8. No field holds a tab, and no id holds `=` or `,`.

`cases.tsv` has these fields: id, metric, cut-off (`-`: none), aggregate (`-`: one ranking), name
of the input, value, and then a field `word=value` for each convention. The conventions of the
file's head are among them.

`inputs.tsv` has these fields: name of the input, metric, query (`-` unless the input is a run),
what the line holds, and then the items:

{lines}

A record without items has no more fields. Lines of one input stand together, and the order of items
is the order of the input.
"""
_LINES = (
    ("ranking, recommended, relevant, expected, other, catalogue", "`document`, in order"),
    ("scores, judgments, popularity, exposure", "`document=number`"),
    ("gamma", "`nugget=number`"),
    ("rankings, lists", "`query=document,document`, or `user=item,item`"),
    (
        "nuggets, categories",
        "`document=name,name`, with a probability `name:number`; nothing after `=` if none is held",
    ),
    ("embeddings", "`item=number,number`"),
)


def meanings_text() -> str:
    """The meanings of all words as their file has them."""
    head = {"format": "irmetrics-edu/meanings", "version": VERSION}
    return json.dumps({**head, **meanings(made())}, ensure_ascii=False, indent=1) + "\n"


def readme() -> str:
    """The text, of the meanings of all words."""
    every = made()
    found = meanings(every)
    parts = [
        _HEAD.format(
            version=VERSION,
            cases=len(every),
            measures=len(found["measures"]),
            computed=_computed(list(found["measures"])),
            notation="\n".join(f"- `{sign}`: {says}" for sign, says in found["notation"].items()),
            reading="\n\n".join(_step(found, word) for word in READING),
            queries=_code(found["queries"]),
            shared="\n\n".join(f"**{name}**\n\n{_code(c)}" for name, c in found["shared"].items()),
        ),
        *(_measure(name, m) for name, m in found["measures"].items()),
        _CONVENTIONS,
        *(_kind(n, k) for n, k in found["kinds"].items() if k["word"] not in READING),
        "\n### Numbers\n\n" + markdown_table(("word", "meaning"), found["numbers"].items()) + "\n",
        _FLAT.format(lines=markdown_table(("what", "items"), _LINES)),
    ]
    return "\n".join(part.strip("\n") + "\n" for part in parts)


def _computed(measures: list[str]) -> str:
    """What the program in JavaScript computes."""
    lacking = measures_without_twin(measures)
    return f"all measures but {', '.join(lacking)}" if lacking else "all measures"


def _code(lines: Iterable[str]) -> str:
    return "\n".join(["```", *lines, "```"])


def _step(found: Mapping[str, Any], word: str) -> str:
    kind = next(k for k in found["kinds"].values() if k["word"] == word)
    rows = [(name, value["meaning"]) for name, value in kind["values"].items()]
    table = markdown_table(("value", "meaning"), rows)
    return f"### {word}\n\n{kind['asks']}\n\n{table}\n\n{_code(found['reading'][word])}"


def _measure(name: str, measure: Mapping[str, Any]) -> str:
    words = [
        f"`{word}` ({kind})"
        for word, kind in measure["words"].items()
        if word not in READING and not word.endswith("_queries")
    ]
    lines = [f"### {name}", "", measure["definition"], ""]
    code = _code(measure["code"]) if measure["code"] else _WITHOUT_CODE
    lines += [f"$${measure['formula']}$$", "", code, ""]
    lines += [f"Words: {', '.join(words)}.", ""] if words else []
    return "\n".join([*lines, f"Source: {measure['source'].rstrip('.')}."])


def _kind(name: str, kind: Mapping[str, Any]) -> str:
    """A kind: its question, a table of its values, and their code."""
    values = kind["values"]
    rows = [(value, said["meaning"]) for value, said in values.items()]
    code: list[str] = []
    for value, lines in (
        *((v, s["code"]) for v, s in values.items() if "code" in s),
        *kind.get("forms", {}).items(),
    ):
        code += [f"{value}:", *(f"    {line}" for line in lines)]
    table = markdown_table(("value", "meaning"), rows)
    return f"### {name} (`{kind['word']}`)\n\n{kind['asks']}\n\n{table}\n\n{_code(code)}"
