// Mistakes of the catalogue that no convention says: each a function of what the right measure
// computes from. Those that are a wrong convention come with the data.

import { compute, contextOf, discounts, ofRanking, topOfScale } from "../../../irmetrics_edu/diagnosis/conformance/runners/metrics.mjs";

Object.assign(discounts, {
  "log2(i)": (i) => 1 / Math.log2(Math.max(i, 2)),
  "log2(i) from rank 2": (i) => (i > 1 ? 1 / Math.log2(i) : 0),
  "log2(i+2)": (i) => 1 / Math.log2(i + 2),
  "1/sqrt(i)": (i) => 1 / Math.sqrt(i),
});

const add = (list) => list.reduce((a, b) => a + b, 0);
const best = (list) => list.filter((x) => x !== null).sort((a, b) => b - a);
const over = (above, below) => (below === 0 ? 0 : above / below);
const linear = (x) => x ?? 0;
const exp = (x) => 2 ** (x ?? 0) - 1;
const power = (x) => exp(x) + 1;
const dcg = (c, list, gain = c.gain) => add(list.map((x, i) => gain(x) * c.discount(i + 1)));
const ranksOfHits = (c) => c.top.map((x, i) => (c.hit(x) ? i + 1 : 0)).filter((i) => i > 0);

/** The right measure of another ranking, or at another cut-off. */
function again(c, metric, { g = c.g, pool = c.pool, k = c.k, said = c.said }) {
  const reading = { documents: c.documents, grades: c.grades, named: c.named, known: c.known };
  return ofRanking(metric, contextOf(metric, { ...reading, g, pool }, k, said));
}

function beside(more) {
  return (c, metric) => {
    if (c.k !== null && c.k + more < 1) return null;
    return again(c, metric, { k: c.k === null ? null : c.k + more });
  };
}

const anyRanking = {
  "ranking-reversed": (c, metric) => again(c, metric, { g: [...c.g].reverse() }),
  "first-document-dropped": (c, metric) => again(c, metric, { g: c.g.slice(1) }),
  "grades-turned-round": (c, metric, defaults, each) => {
    const judged = each.flatMap((query) => query.pool).filter((x) => x !== null);
    if (judged.length === 0) return null;
    const ends = Math.max(...judged) + Math.min(...judged);
    const turned = (x) => (x === null ? null : ends - x);
    return again(c, metric, { g: c.g.map(turned), pool: c.pool.map(turned) });
  },
  "cut-off-one-too-low": beside(-1),
  "cut-off-one-too-high": beside(1),
  "arguments-swapped": (c, metric, defaults) => {
    const relevant = Object.keys(c.grades).filter((d) => c.hit(c.grades[d]));
    relevant.sort((a, b) => c.grades[b] - c.grades[a]);
    const g = relevant.map((d) => (c.documents.includes(d) ? 1 : 0));
    return again(c, metric, { g, pool: c.documents.map(() => 1), said: defaults });
  },
};

const kernels = {
  DCG: {
    "log-of-rank-unguarded": (c) => {
      if (c.n === 0) return 0;
      return c.gain(c.g[0]) > 0 ? Infinity : NaN;
    },
    "gain-without-minus-1": (c) => dcg(c, c.top, power),
  },
  nDCG: {
    "gain-without-minus-1": (c) =>
      over(dcg(c, c.top, power), dcg(c, c.cut(best(c.pool)), power)),
    "ideal-cut-too-early": (c) => over(dcg(c, c.top), dcg(c, best(c.top))),
    "ideal-of-ones": (c) => {
      const ones = c.cut(best(c.pool)).map((x) => (x >= 1 ? 1 : 0));
      return over(dcg(c, c.top), dcg(c, ones, linear));
    },
    "sorted-ascending": (c) => over(dcg(c, c.top), dcg(c, c.cut(best(c.pool).reverse()))),
    "sorted-before-the-cut": (c) => over(dcg(c, c.cut(best(c.g))), dcg(c, c.cut(best(c.pool)))),
    "ideal-in-the-order-of-the-judgments": (c) => over(dcg(c, c.top), dcg(c, c.cut(c.pool))),
    "exponential-gain-over-a-linear-ideal": (c) =>
      over(dcg(c, c.top, exp), dcg(c, c.cut(best(c.pool)), linear)),
    "dcg-not-divided": (c) => dcg(c, c.top),
  },
  AP: {
    "ap-at-every-rank": (c) => {
      let hits = 0;
      return over(add(c.top.map((x, i) => (hits += c.hit(x)) / (i + 1))), c.top.length);
    },
    "ap-of-the-last": (c) => over(c.hits, ranksOfHits(c).at(-1) ?? 0),
    "ap-not-divided": (c) => add(ranksOfHits(c).map((i, above) => (above + 1) / i)),
    "ap-without-the-document": (c) =>
      over(add(ranksOfHits(c).map((i, above) => above / i)), c.R),
    "ap-ranks-one-too-high": (c) =>
      over(add(ranksOfHits(c).map((i, above) => (above + 1) / (i + 1))), c.R),
    // From the precision one rank higher up, which is 1 before the first, to that of each hit.
    "ap-by-trapezoids": (c) => {
      const before = (i, above) => (i === 1 ? 1 : above / (i - 1));
      const areas = ranksOfHits(c).map((i, above) => (before(i, above) + (above + 1) / i) / 2);
      return over(add(areas), c.R);
    },
  },
  RR: {
    "rr-of-the-last": (c) => over(1, ranksOfHits(c).at(-1) ?? 0),
    "rr-counted-from-0": (c) => {
      const [first] = ranksOfHits(c);
      return first === undefined ? 0 : 1 / (first - 1);
    },
    "rr-one-too-low": (c) => {
      const [first] = ranksOfHits(c);
      return first === undefined ? 0 : 1 / (first + 1);
    },
    "rr-of-every-hit": (c) => add(ranksOfHits(c).map((i) => 1 / i)),
    "rr-averaged-over-the-hits": (c) => over(add(ranksOfHits(c).map((i) => 1 / i)), c.hits),
  },
  P: { "p-over-r": (c) => over(c.hits, c.R) },
  R: {
    "r-over-k": (c) => (c.R === 0 ? 0 : over(c.hits, c.k ?? c.n)),
    "r-of-the-retrieved": (c) => over(c.hits, add(c.g.map(c.hit))),
  },
  ERR: {
    "err-without-the-stop": (c, metric) => {
      again(c, metric, {}); // grades off the scale are refused
      const h = topOfScale(c);
      return add(c.top.map((x, i) => exp(x) / 2 ** h / (i + 1)));
    },
    "err-by-the-number-of-grades": (c, metric) =>
      again(c, metric, { said: { ...c.said, max_grade: topOfScale(c) + 1 } }),
    "err-without-minus-1": (c, metric) => {
      again(c, metric, {});
      const stop = (x) => (x === null ? 0 : 2 ** (x - topOfScale(c)));
      let left = 1;
      let total = 0;
      c.top.forEach((x, i) => {
        total += (left * stop(x)) / (i + 1);
        left *= 1 - stop(x);
      });
      return total;
    },
  },
  RBP: {
    "rbp-one-rank-late": (c, metric) =>
      again(c, metric, { said: { ...c.said, gain: "binary" } }) * Number(c.said.p),
    "rbp-not-normalised": (c, metric) =>
      again(c, metric, { said: { ...c.said, gain: "binary" } }) / (1 - Number(c.said.p)),
  },
};

/** Alpha-DCG over that of documents in the order given. */
function against(c, order) {
  const gained = (documents) =>
    add(
      documents.map((d, i) => {
        const above = (t) => documents.slice(0, i).filter((e) => c.held(e).includes(t)).length;
        const left = 1 - Number(c.said.alpha);
        return add(c.held(d).map((t) => left ** above(t))) * c.discount(i + 1);
      }),
    );
  return over(gained(c.top), gained(c.cut(order)));
}

const ofNuggets = {
  "alpha-for-1-minus-alpha": (c, value) => value({ alpha: 1 - Number(c.said.alpha) }),
  "alpha-of-0": (c, value) => value({ alpha: 0 }),
  "ideal-not-greedy": (c) => {
    const held = (d) => c.held(d).length;
    const order = Object.keys(c.nuggets).sort();
    return against(c, order.filter(held).sort((a, b) => held(b) - held(a)));
  },
  "ideal-as-judged": (c) => against(c, Object.keys(c.nuggets).sort()),
};

/** What a mistake gives in place of a measure; null where it gives nothing. */
export function mistaken(mistake, metric, given, k, said, defaults, each) {
  if (mistake.options) return compute(metric, given, k, { ...said, ...mistake.options });
  if (given.nuggets) {
    const value = (more) => compute(metric, given, k, { ...defaults, ...more });
    return ofNuggets[mistake.label](each[0], value);
  }
  const wrong = kernels[metric]?.[mistake.label] ?? anyRanking[mistake.label];
  const values = each.map((c) => wrong(c, metric, defaults, each));
  return values.includes(null) ? null : add(values) / values.length;
}
