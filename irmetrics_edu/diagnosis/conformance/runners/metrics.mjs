// Ranking metrics in JavaScript, written from the README of the vectors alone. No dependencies: it
// runs in a browser and in node. compute() gives one value, workings() the steps that led to it,
// results() the values of a file of vectors. What a convention refuses is thrown as a Refused.

// What is computed here; a measure that is not listed is left out of the results.
export const MEASURES = `
  P R F Success Rprec AP RR DCG nDCG ERR RBP bpref alpha-DCG alpha-nDCG ERR-IA NRBP S-recall
  P-IA AP-IA relevance-probability CC DCC FDCC ILAD ILMD DILAD Gini entropy CG Judged
  simplified-AP accuracy fall-out Q IPrec interpolated-AP pair_accuracy Rprec_mult set_map
  utility nugget-F Hole INSQ INST Compat infAP AUC PR-AUC break-even ARP novelty EPC
  personalisation serendipity popularity_lift PSP PSnDCG AWRF catalogue_coverage RBO tau
  tau_AP NCG PFound IDCG
`.trim().split(/\s+/);

const NONE = null;
const sum = (list) => list.reduce((a, b) => a + b, 0);
const falling = (list) => [...list].sort((a, b) => b - a);
const orZero = (above, below) => (below === 0 ? 0 : above / below);
const byId = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
const unique = (list) => [...new Set(list)];
// Pairs keep their order; the keys of an object stand as they were typed in, but for whole numbers.
const pairs = (held) => (Array.isArray(held) ? held : Object.entries(held));

const OF_NONE = { zero: 0, half: 0.5, one: 1, nan: NaN, skip: NaN };
const MOST_ORDERS = 5040; // of tied documents, all tried
const MOST_EXACT = 7; // documents, all orders of which are tried

/** An input that a convention refuses, or that takes too long here. */
export class Refused extends Error {}

// ---- conventions: functions of what the words say

const gains = { linear: (x) => x, exp: (x) => 2 ** x - 1, binary: (x) => (x >= 1 ? 1 : 0) };
const number = (text) => Number(String(text).replace("inf", "Infinity"));
const makersOfGains = {
  binary: (b) => (x) => (x >= number(b) ? 1 : 0),
  exp: (b) => (x) => (x >= number(b) ? 2 ** x - 1 : 0),
  linear: (b) => (x) => (x >= number(b) ? x : 0),
  share: (h) => (x) => Math.min(x, h) / h,
  table: (text) => {
    const worth = Object.fromEntries(text.split(",").map((pair) => pair.split(":").map(Number)));
    return (x) => worth[x] ?? x;
  },
};
export const discounts = {
  log2: (i) => 1 / Math.log2(i + 1),
  none: () => 1,
  reciprocal: (i) => 1 / i,
};
const makersOfDiscounts = {
  jk: (b) => (i) => (i <= b ? 1 : Math.log(b) / Math.log(i)),
  log: (b) => (i) => (b === "e" ? 1 : Math.log(b)) / Math.log(i + 1),
};
function called(name, table, makers) {
  const [, maker, inside] = /^(\w+)\((.*)\)$/.exec(name) ?? [];
  return table[name] ?? makers[maker](inside);
}
const sizes = {
  k: (c) => c.k ?? c.n,
  retrieved: (c) => c.top.length,
  relevant: (c) => c.R,
  reachable: (c) => Math.min(c.k ?? (c.ofRetrieved ? c.n : c.R), c.R),
  hits: (c) => c.hits,
};
const ideals = {
  judged: (c) => falling(c.pool),
  retrieved: (c) => falling(c.rated.filter((x) => x !== NONE)),
  as_long: (c) => falling(c.pool).slice(0, c.n),
  r_ones: (c) => c.pool.filter((x) => x >= 1).map(() => 1),
  k_ones: (c) => (c.pool.some((x) => x >= 1) ? Array(c.k ?? c.n).fill(1) : []),
};
const needed = {
  standard: (r, R) => Math.ceil(Math.round(r * R * 1e9) / 1e9),
  none: (r, R) => needed.standard(r, R),
  trec_eval: (r, R) => Math.floor(r * R + 0.9),
  trec_eval_10: (r, R) => Math.floor(r * R + 0.5),
};

// ---- reading: from an input to the grades in ranked order, for each order that is as likely

function groupsOf(given, said, grades) {
  let groups;
  if (given.scores) {
    const kept = { float64: (s) => s, float32: Math.fround, order: () => 0 }[said.scores];
    const levels = new Map();
    for (const [d, s] of pairs(given.scores)) {
      const level = kept(s);
      if (levels.has(level)) levels.get(level).push(d);
      else levels.set(level, [d]);
    }
    groups = falling([...levels.keys()]).map((level) => levels.get(level));
  } else {
    const r = given.ranking;
    const kept = {
      first: () => unique(r),
      last: () => unique([...r].reverse()).reverse(),
      no_gain: () => r.map((d, i) => (r.indexOf(d) < i ? `${d} again at ${i}` : d)),
    };
    groups = (kept[said.duplicates]?.() ?? r).map((d) => [d]);
  }
  if (said.unretrieved === "last") {
    const ranked = new Set(groups.flat());
    const judged = pairs(given.judgments).map(([d]) => d);
    groups.push(judged.filter((d) => d in grades && !ranked.has(d)));
  }
  return groups;
}

/** The orders of tied documents that differ: two of a kind may change places. */
function arrangements(list, kind) {
  if (list.length < 2) return [list];
  const firsts = list.filter((d, i) => list.findIndex((e) => kind(e) === kind(d)) === i);
  return firsts.flatMap((d) =>
    arrangements(list.filter((e) => e !== d), kind).map((rest) => [d, ...rest]),
  );
}

function countArrangements(list, kind) {
  const size = {};
  let ways = 1;
  list.forEach((d, i) => {
    size[kind(d)] = (size[kind(d)] ?? 0) + 1;
    ways *= (i + 1) / size[kind(d)];
  });
  return ways;
}

export function permutations(list) {
  if (list.length < 2) return [list];
  return list.flatMap((d, i) =>
    permutations([...list.slice(0, i), ...list.slice(i + 1)]).map((rest) => [d, ...rest]),
  );
}

function ordersOf(group, ties, grades, kind) {
  const worth = (d) => grades[d] ?? 0;
  switch (ties) {
    case "averaged":
      return arrangements(group, kind);
    case "docid":
      return [[...group].sort((a, b) => byId(b, a))];
    case "docid_ascending":
      return [[...group].sort(byId)];
    case "reversed":
      return [[...group].reverse()];
    case "pessimistic":
      return [[...group].sort((a, b) => worth(a) - worth(b))];
    case "optimistic":
      return [[...group].sort((a, b) => worth(b) - worth(a))];
    default:
      return [group];
  }
}

const NONE_JUDGED = "nothing is judged, so there is no score";
const TOO_MANY = `more than ${MOST_ORDERS} orders of tied documents: this page does not try them all`;

// A reading hangs on the input and on these conventions alone, so each is made once.
const OF_READING = ["negative", "pool", "ties", "unjudged", "scores", "duplicates", "unretrieved"];
const made = new WeakMap();

function once(given, key, make) {
  if (!made.has(given)) made.set(given, new Map());
  const known = made.get(given);
  if (!known.has(key)) known.set(key, make());
  return known.get(key);
}

const isCopy = (d) => / again at \d+$/.test(d);
const readings = (given, said) =>
  once(given, OF_READING.map((name) => said[name]).join(), () => read(given, said));

function read(given, said) {
  const grades = {};
  const padding = new Set();
  const kind = (d) => `${d in grades} ${grades[d]} ${padding.has(d)}`;
  const ranked = new Set(given.ranking ?? pairs(given.scores).map(([d]) => d));
  for (const [d, x] of pairs(given.judgments)) {
    const read = said.pool !== "retrieved" || said.unretrieved === "last" || ranked.has(d);
    if (x < 0 && said.negative === "refuse" && read) {
      throw new Refused(`grade ${x} is below 0: choose what a negative grade means`);
    }
    if (x >= 0 || said.negative === "keep") grades[d] = x;
    else if (said.negative === "padding") padding.add(d);
    else grades[d] = said.negative === "zero" ? 0 : NONE;
  }
  if (Object.keys(grades).length === 0) throw new Refused(NONE_JUDGED);
  let orders = [[]];
  const groups = groupsOf(given, said, grades);
  if (said.ties === "quicksort" && ranked.size > 15 && groups.some((group) => group.length > 1)) {
    throw new Refused("ties of more than 15 documents by quicksort: ask the Python package for them");
  }
  const ways = groups.reduce((all, group) => all * countArrangements(group, kind), 1);
  if (said.ties === "averaged" && ways > MOST_ORDERS) throw new Refused(TOO_MANY);
  for (const group of groups) {
    const ways = ordersOf(group, said.ties, grades, kind);
    if (ways.length === 1) for (const head of orders) head.push(...ways[0]);
    else orders = orders.flatMap((head) => ways.map((way) => [...head, ...way]));
  }
  return orders.map((order) => {
    let documents = order.filter((d) => !padding.has(d));
    if (said.unjudged === "removed") documents = documents.filter((d) => (grades[d] ?? NONE) !== NONE);
    const counted = said.pool === "retrieved" ? documents : Object.keys(grades);
    const rated = documents.map((d) => grades[d] ?? NONE);
    const [, unjudged] = /^grade\((.*)\)$/.exec(said.unjudged) ?? [];
    const ofUnjudged = unjudged === undefined ? NONE : number(unjudged);
    return {
      documents,
      grades,
      rated,
      g: rated.map((x, i) => x ?? (isCopy(documents[i]) ? NONE : ofUnjudged)),
      pool: counted.map((d) => grades[d] ?? NONE).filter((x) => x !== NONE),
      named: documents.map((d) => d in grades),
      known: new Set([...documents, ...Object.keys(grades)]).size,
    };
  });
}

// ---- measures of one ranking

function precisionAt(c, r) {
  const least = needed[c.said.interpolation](r, c.R);
  let h = 0;
  const reached = [];
  c.g.forEach((x, i) => {
    h += c.hit(x);
    if (h >= least) reached.push(h / (i + 1));
  });
  if (reached.length === 0) return 0;
  return c.said.interpolation === "none" ? reached[0] : Math.max(...reached);
}

function cells(c) {
  const all = c.said.collection === "known" ? c.known : Number(c.said.collection);
  const [TP, FP, FN] = [c.hits, c.top.length - c.hits, c.R - c.hits];
  return { all, TP, FP, TN: all - TP - FP - FN };
}

const running = (list) => list.map(((total) => (x) => (total += x))(0));

const upTo = (list, i) => list[Math.min(i, list.length - 1)] ?? 0;

/** Notes how a value came about, with a column of numbers for each step. */
function show(c, how, columns, quantities = {}, parts = {}) {
  c.seen = { how, documents: c.documents.slice(0, c.top.length), columns, quantities, parts };
}

function averagePrecision(c, size) {
  const relevance = c.top.map(c.hit);
  const sofar = running(relevance);
  const precision = sofar.map((h, i) => h / (i + 1));
  const gathered = precision.map((x, i) => x * relevance[i]);
  show(
    c,
    "({precision at relevant}) / {divisor}",
    { relevance, "relevant so far": sofar, precision, "precision at relevant": gathered },
    { "relevant retrieved": c.hits, R: c.R, divisor: size },
  );
  return orZero(sum(gathered), size);
}

/** A list of grades, gain by gain and discount by discount. */
function dcgSteps(c, list) {
  const gain = list.map(c.gain);
  const discount = list.map((_, i) => c.discount(i + 1));
  const discounted = gain.map((x, i) => x * discount[i]);
  return { gain, discount, "discounted gain": discounted, cumulated: running(discounted) };
}

/** The highest grade of the scale, by which ERR reckons. */
export function topOfScale(c) {
  const highest = c.said.max_grade === "highest";
  return highest ? Math.max(0, ...c.pool) || 1 : Number(c.said.max_grade);
}

function shareOfHits(c) {
  const quantities = { "relevant retrieved": c.hits, divisor: c.size(), R: c.R };
  show(c, "{relevant retrieved} / {divisor}", { relevance: c.top.map(c.hit) }, quantities);
}

const worthAt = (c, i) => (i <= c.n ? c.hit(c.g[i - 1]) * c.gain(c.g[i - 1]) : 0);

function walk(c, on) {
  let [V, G, above, below] = [1, 0, 0, 0];
  for (let i = 1; i <= Number(c.said.depth); i += 1) {
    G += worthAt(c, i);
    above += V * worthAt(c, i);
    below += V;
    V *= on(i, G);
  }
  return above / below;
}

const ofRankings = {
  P: (c) => {
    shareOfHits(c);
    return orZero(c.hits, c.size());
  },
  R: (c) => {
    shareOfHits(c);
    return c.hits / c.size();
  },
  F: (c) => {
    const [p, r, b] = [orZero(c.hits, c.size()), c.hits / c.R, Number(c.said.beta) ** 2];
    return orZero((b + 1) * p * r, b * p + r);
  },
  Success: (c) => (c.hits > 0 ? 1 : 0),
  Rprec: (c) => sum(c.g.slice(0, c.R).map(c.hit)) / c.R,
  AP: (c) => averagePrecision(c, c.size()),
  "simplified-AP": (c) => averagePrecision(c, c.hits),
  RR: (c) => {
    const first = 1 + c.top.findIndex((x) => c.hit(x));
    const quantities = { "rank of the first relevant": first };
    show(c, "1 / {rank of the first relevant}", { relevance: c.top.map(c.hit) }, quantities);
    return first === 0 ? 0 : 1 / first;
  },
  accuracy: (c) => orZero(cells(c).TP + cells(c).TN, cells(c).all),
  "fall-out": (c) => {
    const { FP, TN } = cells(c);
    return FP + TN === 0 ? OF_NONE[c.said.undefined] : FP / (FP + TN);
  },
  IPrec: (c) => precisionAt(c, Number(c.said.recall)),
  "interpolated-AP": (c) => {
    const points = Number(c.said.points);
    return sum(Array.from({ length: points }, (_, j) => precisionAt(c, j / (points - 1)))) / points;
  },
  CG: (c) => sum(c.top.map(c.gain)),
  NCG: (c) => {
    const best = sum(c.cut(falling(c.pool.map(c.gain))));
    return best === 0 ? OF_NONE[c.said.no_relevant] : sum(c.top.map(c.gain)) / best;
  },
  DCG: (c) => {
    const steps = dcgSteps(c, c.top);
    show(c, "{discounted gain}", steps);
    return sum(steps["discounted gain"]);
  },
  IDCG: (c) => {
    const steps = dcgSteps(c, c.cut(c.inOrderOf(ideals[c.said.ideal](c))));
    return sum(steps["discounted gain"]);
  },
  nDCG: (c) => {
    const found = c.inOrderOf(ideals[c.said.ideal](c));
    const best = c.said.cut === "both" ? c.cut(found) : found;
    const [DCG, IDCG] = [dcgSteps(c, c.top), dcgSteps(c, best)];
    const [a, below] = [sum(DCG["discounted gain"]), sum(IDCG["discounted gain"])];
    const parts = {
      DCG: { score: a, columns: DCG, documents: c.documents.slice(0, c.top.length) },
      IDCG: { score: below, columns: IDCG, grades: best },
    };
    const each = DCG.cumulated.map((x, i) => {
      const ideal = upTo(IDCG.cumulated, i);
      return ideal === 0 ? OF_NONE[c.said.no_relevant] : x / ideal;
    });
    show(c, "{DCG} / {IDCG}", { nDCG: each }, {}, parts);
    return below === 0 ? OF_NONE[c.said.no_relevant] : a / below;
  },
  ERR: (c) => {
    const h = topOfScale(c);
    const off = c.pool.find((x) => x < 0 || x > h);
    if (off !== undefined) throw new Refused(`grade ${off} is not within 0 to max_grade=${h}`);
    const chance = c.said.satisfaction === "exp" ? (x) => (2 ** x - 1) / 2 ** h : (x) => x / h;
    const stop = c.top.map((x) => chance(x ?? 0));
    let left = 1;
    const reach = stop.map((s) => ((before) => ((left *= 1 - s), before))(left));
    const reciprocal = stop.map((_, i) => 1 / (i + 1));
    const contribution = stop.map((s, i) => s * reach[i] * reciprocal[i]);
    show(c, "{contribution}", {
      "stop probability": stop,
      "reach probability": reach,
      "1/rank": reciprocal,
      contribution,
    });
    return sum(contribution);
  },
  PFound: (c) => {
    const h = topOfScale(c);
    if (c.pool.some((x) => x < 0 || x > h)) throw new Refused(`a grade is not within 0 to max_grade=${h}`);
    const stops = c.top.map((x) => (c.said.satisfaction === "exp" ? (2 ** (x ?? 0) - 1) / 2 ** h : (x ?? 0) / h));
    let [look, found] = [1, 0];
    for (const stop of stops) {
      found += look * stop;
      look *= (1 - stop) * (1 - Number(c.said.p_break));
    }
    return found;
  },
  RBP: (c) => {
    const p = Number(c.said.p);
    const binary = c.said.gain.startsWith("binary");
    const weight = c.top.map((_, i) => (1 - p) * p ** i);
    const relevance = c.top.map(c.hit);
    const weighted = c.top.map((x, i) => relevance[i] * (binary ? 1 : c.gain(x)) * weight[i]);
    const residual = 1 - sum(weight.filter((_, i) => c.top[i] !== NONE));
    show(
      c,
      "{weighted relevance}",
      { relevance, weight, "weighted relevance": weighted },
      { residual, "upper bound": sum(weighted) + residual },
    );
    return sum(weighted);
  },
  Q: (c) => {
    const beta = Number(c.said.beta);
    const worth = (list) => list.map((x) => (c.hit(x) ? c.gain(x) : 0));
    const relevance = c.top.map(c.hit);
    const [gain, count] = [worth(c.top), running(relevance)];
    const [cumulated, best] = [running(gain), running(worth(falling(c.pool)))];
    const ideal = gain.map((_, i) => upTo(best, i));
    const blended = gain.map(
      (_, i) => (relevance[i] * (beta * cumulated[i] + count[i])) / (beta * ideal[i] + i + 1),
    );
    show(
      c,
      "({blended ratio}) / {divisor}",
      {
        relevance,
        gain,
        "cumulated gain": cumulated,
        "relevant so far": count,
        "ideal cumulated gain": ideal,
        "blended ratio": blended,
      },
      { R: c.R, divisor: c.size() },
    );
    return sum(blended) / c.size();
  },
  bpref: (c) => {
    const N = c.pool.filter((x) => !c.hit(x)).length;
    const above = running(c.g.map((x) => (x !== NONE && !c.hit(x) ? 1 : 0)));
    const most = c.said.bound === "relevant" ? c.R : Math.min(c.R, N);
    const lost = (n) => (n === 0 ? 0 : Math.min(n, c.R) / most);
    const kept = c.g.map((x, i) => c.hit(x) * (1 - lost(above[i])));
    show(
      c,
      "({preference kept}) / {R}",
      { relevance: c.g.map(c.hit), "non-relevant so far": above, "preference kept": kept },
      { R: c.R, N },
    );
    return sum(kept) / c.R;
  },
  infAP: (c) => {
    const epsilon = Number(c.said.epsilon);
    let total = 0;
    c.g.forEach((x, i) => {
      if (!c.hit(x)) return;
      const above = c.g.slice(0, i).filter((_, j) => c.named[j]);
      const known = above.filter((y) => y !== NONE).length;
      const share = (sum(above.map(c.hit)) + epsilon) / (known + 2 * epsilon);
      total += (1 + above.length * share) / (i + 1);
    });
    return total / c.R;
  },
  Hole: (c) => orZero(c.top.filter((x) => x === NONE).length, c.top.length && c.size()),
  Rprec_mult: (c) => {
    const m = Math.ceil(Number(c.said.multiple) * c.R);
    return sum(c.g.slice(0, m).map(c.hit)) / m;
  },
  set_map: (c) => orZero(c.hits, sizes.k(c)) * (c.hits / c.R),
  utility: (c) => {
    const [hit, other, missed] = ["hit", "other", "missed"].map((word) => Number(c.said[word]));
    return hit * c.hits + other * (c.top.length - c.hits) + missed * (c.R - c.hits);
  },
  "nugget-F": (c) => {
    const [length, allowance, beta] = ["length", "allowance", "beta"].map((w) => Number(c.said[w]));
    const weight = (grades) => sum(grades.filter((x) => x !== NONE && x >= 1).map(c.gain));
    const all = weight(c.pool);
    if (all === 0) return OF_NONE[c.said.no_relevant];
    const recall = weight(c.g) / all;
    const allowed = allowance * c.g.filter((x) => x !== NONE && x >= 1).length;
    const precision = length <= allowed ? 1 : allowed / length;
    return orZero((beta ** 2 + 1) * precision * recall, beta ** 2 * precision + recall);
  },
  INSQ: (c) => walk(c, (i) => ((i + 2 * c.wanted - 1) / (i + 2 * c.wanted)) ** 2),
  INST: (c) =>
    walk(c, (i, G) => {
      const s = i + 2 * c.wanted - G;
      return ((s - 1) / s) ** 2;
    }),
  Compat: (c) => {
    const ranked = c.documents.slice(0, c.k ?? c.n);
    const place = (d) => (ranked.includes(d) ? ranked.indexOf(d) : ranked.length);
    const graded = Object.keys(c.grades).filter((d) => c.grades[d] > 0);
    const ideal = graded.sort((a, b) => c.grades[b] - c.grades[a] || place(a) - place(b));
    const both = (j) => ranked.slice(0, j).filter((d) => ideal.slice(0, j).includes(d)).length;
    let [above, below] = [0, 0];
    for (let j = 1; j <= Number(c.said.depth); j += 1) {
      const weight = Number(c.said.p) ** (j - 1) / j;
      above += weight * both(j);
      below += weight * Math.min(j, ideal.length);
    }
    return above / below;
  },
  Judged: (c) => orZero(c.top.filter((x) => x !== NONE).length, c.top.length),
  pair_accuracy: (c) => {
    const all = c.said.paired === "retrieved";
    const counted = all ? c.g.map((x) => (x === NONE ? 0 : x)) : c.g.filter((x) => x !== NONE);
    const worth = counted.map(c.gain);
    const pairs = worth.flatMap((a, i) => worth.slice(i + 1).map((b) => a - b)).filter((x) => x);
    if (pairs.length === 0) return OF_NONE[c.said.undefined];
    return pairs.filter((x) => x > 0).length / pairs.length;
  },
};

/** Refuses a grade between 0 and 1 where 1 makes a document relevant: to count it is a choice. */
function refuseBetween(grades) {
  const grade = grades.find((x) => x > 0 && x < 1);
  if (grade === undefined) return;
  throw new Refused(`grade ${grade} is neither 0 nor at least 1: choose from which grade on a document is relevant`);
}

/** What a measure of one ranking computes from. */
export function contextOf(metric, reading, k, said) {
  const { g, pool } = reading;
  const rel = number(said.rel ?? 1);
  const hit = (x) => (x !== NONE && x >= rel ? 1 : 0);
  const cut = (list) => (k === null ? list : list.slice(0, k));
  const hits = "rel" in said ? rel === 1 : ["r_ones", "k_ones"].includes(said.ideal);
  if (hits) refuseBetween(metric === "RBP" ? cut(g) : [...g, ...pool]);
  const worth = "gain" in said ? called(String(said.gain), gains, makersOfGains) : null;
  const unclear = said.gain === "binary" && !("rel" in said);
  const gain = (x) => {
    if (x === NONE) return 0;
    if (unclear) refuseBetween([x]);
    return worth(x);
  };
  const discount =
    "discount" in said ? called(String(said.discount), discounts, makersOfDiscounts) : null;
  // A table of gains need not grow with the grade.
  const inOrderOf = (list) =>
    String(said.gain).startsWith("table") ? [...list].sort((a, b) => gain(b) - gain(a)) : list;
  const top = cut(g);
  const c = { ...reading, k, said, hit, cut, gain, discount, inOrderOf, top, n: g.length };
  c.wanted = Number(said.wanted);
  c.ofRetrieved = ["P", "F"].includes(metric);
  c.R = sum(pool.map(hit));
  c.hits = sum(top.map(hit));
  c.size = () => sizes[said.divisor](c);
  return c;
}

/** The value of a measure of one ranking; the steps are noted in `c.seen`. */
export function ofRanking(metric, c) {
  const { said } = c;
  if (metric !== "nDCG" && "no_relevant" in said && c.R === 0) return OF_NONE[said.no_relevant];
  return ofRankings[metric](c);
}

// ---- measures over thresholds

function ofThresholds(metric, given, k, said) {
  const rel = Number(said.rel);
  const grades = Object.fromEntries(pairs(given.judgments));
  const documents = pairs(given.scores).map(([d, s]) => [s, grades[d] >= rel]);
  const R = documents.filter(([, good]) => good).length;
  if (metric === "AUC") {
    const top = [...documents].sort(([s], [t]) => t - s).slice(0, k ?? documents.length);
    const of = (kind) => top.filter(([, good]) => good === kind).map(([s]) => s);
    const pairs = of(true).flatMap((s) => of(false).map((t) => (s > t ? 1 : s === t ? 0.5 : 0)));
    return pairs.length === 0 ? OF_NONE[said.undefined] : sum(pairs) / pairs.length;
  }
  if (R === 0) return OF_NONE[said.no_relevant];
  let [h0, s0, total] = [0, 0, 0];
  for (const t of falling(unique(documents.map(([s]) => s)))) {
    const inside = documents.filter(([s]) => s >= t);
    const [h, s] = [inside.filter(([, good]) => good).length, inside.length];
    if (metric === "PR-AUC") total += ((h - h0) / R) * (h / s);
    else if (s >= R) {
      const [p, r, r0] = [h / s, h / R, h0 / R];
      const ahead = (s0 === 0 ? p : h0 / s0) - r0;
      const share = ahead + r - p === 0 ? 1 : ahead / (ahead + r - p);
      return r0 + share * (r - r0);
    }
    [h0, s0] = [h, s];
  }
  return total;
}

// ---- measures of novelty and intents

const ofNuggets = {
  "S-recall": (c) => unique(c.top.flatMap(c.held)).length / c.m,
  "relevance-probability": (c) => {
    const last = c.k ?? c.ranking.length;
    if (last === 0 || last > c.ranking.length) return 0;
    const alpha = Number(c.said.alpha);
    const { left, take } = fader(1 - alpha, c);
    c.ranking.slice(0, last - 1).forEach(take);
    const d = c.ranking[last - 1];
    return 1 - c.held(d).reduce((miss, t) => miss * (1 - alpha * c.certainty(d, t) * left(t)), 1);
  },
};
const OF_INTENTS = {
  "P-IA": ["P", { divisor: "k", no_relevant: "zero" }],
  "AP-IA": ["AP", { divisor: "relevant", no_relevant: "zero" }],
};

function overIntents(c, [metric, more]) {
  const each = c.known.map((t) => {
    const judgments = Object.fromEntries(
      Object.keys(c.nuggets).map((d) => [d, c.held(d).includes(t) ? 1 : 0]),
    );
    const said = { rel: 1, ...c.said, ...more, ties: "given", pool: "judged" };
    return compute(metric, { ranking: c.ranking, judgments }, c.k, said);
  });
  return orZero(sum(each), each.length);
}

/** What documents gain one after the other; a nugget counts less each time that it is met. */
function fader(share, c) {
  const now = new Map();
  const left = (t) => now.get(t) ?? c.wanted(t);
  return {
    left,
    gain: (d) => sum(c.held(d).map((t) => c.certainty(d, t) * left(t))),
    take: (d) => c.held(d).forEach((t) => now.set(t, left(t) * (1 - (1 - share) * c.certainty(d, t)))),
  };
}

function faded(order, share, c) {
  const { gain, take } = fader(share, c);
  return order.map((d) => [gain(d), take(d)][0]);
}

function idealOf(c, left, worth, depth) {
  const rest = Object.keys(c.nuggets).sort(byId);
  const total = (order) => worth(faded(order, left, c).slice(0, depth));
  if (c.said.ideal === "exact") {
    if (rest.length > MOST_EXACT) {
      throw new Refused(`an exact ideal of more than ${MOST_EXACT} documents is not tried here`);
    }
    const full = permutations(rest);
    return full.reduce((best, order) => (total(order) > total(best) * (1 + 1e-12) ? order : best), full[0]);
  }
  if (c.said.ideal === "ndeval") rest.reverse();
  return once(c.given, [left, depth, c.said.gamma, c.said.ideal].join(), () => greedy(c, rest, left, depth));
}

function greedy(c, rest, left, depth) {
  const chosen = [];
  const { gain, take } = fader(left, c);
  while (rest.length && chosen.length < depth) {
    const worths = rest.map(gain);
    const most = Math.max(...worths);
    chosen.push(...rest.splice(worths.findIndex((x) => x >= most * (1 - 1e-12)), 1));
    take(chosen.at(-1));
  }
  return chosen;
}

function fading(metric, c) {
  const n = c.ranking.length;
  const some = Math.max(1, c.m);
  const left = metric === "ERR-IA" ? 0.5 : 1 - Number(c.said.alpha);
  const worths = {
    "ERR-IA": (list) => sum(list.map((x, i) => x / (2 * some) / (i + 1))),
    NRBP: (list) => sum(list.map((x, i) => x * Number(c.said.beta) ** i)) / some,
  };
  const dcg = (list) => sum(list.map((x, i) => x * c.discount(i + 1)));
  const worth = worths[metric] ?? dcg;
  const gained = c.cut(faded(c.ranking, left, c));
  const a = worth(gained);
  const how = c.said.normalisation ?? "collection_dependent";
  if (how === "none") return a;
  let below;
  if (how === "collection_dependent") {
    const depth = c.k ?? Object.keys(c.nuggets).length;
    const best = idealOf(c, left, worth, depth);
    const gainedBest = faded(best, left, c).slice(0, depth);
    below = worth(gainedBest);
    if (metric === "alpha-nDCG") showFaded(c, gained, best.slice(0, depth), gainedBest);
  } else if (metric === "NRBP") {
    below = c.m === 0 ? 0 : 1 / (1 - left * Number(c.said.beta));
  } else {
    below = worth(Array.from({ length: c.k ?? Math.max(1, n) }, (_, i) => sum(c.known.map(c.wanted)) * left ** i));
  }
  return below === 0 ? OF_NONE[c.said.no_relevant] : a / below;
}

/** Notes alpha-DCG and that of the ideal, step by step. */
function showFaded(c, gained, best, gainedBest) {
  const steps = (gain) => {
    const discount = gain.map((_, i) => c.discount(i + 1));
    const discounted = gain.map((x, i) => x * discount[i]);
    const columns = { gain, "cumulated gain": running(gain), discount };
    return { ...columns, "discounted gain": discounted, cumulated: running(discounted) };
  };
  const part = (documents, gain, columns = steps(gain)) => ({
    documents,
    columns,
    score: sum(columns["discounted gain"]),
  });
  const some = gainedBest.filter((x) => x > 0).length; // what adds nothing is no part of the ideal
  const [a, b] = [part(c.top, gained), part(best.slice(0, some), gainedBest.slice(0, some))];
  const each = a.columns.cumulated.map((x, i) => {
    const ideal = upTo(b.columns.cumulated, i);
    return ideal === 0 ? OF_NONE[c.said.no_relevant] : x / ideal;
  });
  c.seen = { how: "{alpha-DCG} / {ideal alpha-DCG}", documents: c.top, quantities: {} };
  Object.assign(c.seen, { columns: { "alpha-nDCG": each } });
  c.seen.parts = { "alpha-DCG": a, "ideal alpha-DCG": b };
}

function nuggetContext(given, k, said) {
  const { nuggets } = given;
  if (Object.keys(nuggets).length === 0) throw new Refused(`${NONE_JUDGED}. No nuggets are given, and this measure counts nuggets`);
  const order = groupsOf(given, { scores: "float64", ...said }, {});
  let ranking = order.flatMap((group) => ordersOf(group, said.ties, {})[0]);
  if (said.unjudged === "removed") ranking = ranking.filter((d) => d in nuggets);
  const listed = (of) => (Array.isArray(of) ? of : Object.keys(of));
  const held = (d) => listed(nuggets[d] ?? []);
  const certainty = (d, t) => (Array.isArray(nuggets[d]) ? 1 : nuggets[d]?.[t] ?? 0) * held(d).includes(t);
  const wanted = (t) => given.gamma?.[t] ?? Number(said.gamma ?? 1);
  const known = unique(Object.values(nuggets).flatMap(listed));
  const cut = (list) => (k === null ? list : list.slice(0, k));
  const discount =
    "discount" in said ? called(String(said.discount), discounts, makersOfDiscounts) : null;
  const top = cut(ranking);
  return { given, ranking, nuggets, held, certainty, wanted, known, m: known.length, k, said, cut, top, discount };
}

function ofNovelty(metric, given, k, said) {
  const c = nuggetContext(given, k, said);
  if (metric in OF_INTENTS) return overIntents(c, OF_INTENTS[metric]);
  if (metric in ofNuggets) {
    if (c.m === 0 && "no_relevant" in said) return OF_NONE[said.no_relevant];
    return ofNuggets[metric](c);
  }
  return fading(metric, c);
}

// ---- measures of recommended lists

function ofList(metric, given, k, said) {
  const items = k === null ? given.recommended : given.recommended.slice(0, k);
  const relevant = new Set(given.relevant ?? []);
  const categories = (list) => unique(list.flatMap((i) => given.categories[i]));
  const N = Number(said.n_categories);
  const count = (list, t) => list.filter((i) => given.categories[i].includes(t)).length;
  const log = (x) => Math.log(x) / Math.log(Number(said.base));
  if (metric === "CC") return categories(items).length / N;
  if (metric === "Gini" || metric === "entropy") {
    const f = categories(items).map((t) => count(items, t));
    if (f.length === 0) return OF_NONE[said.undefined];
    if (metric === "entropy") return sum(f.map((x) => (-x / sum(f)) * log(x / sum(f))));
    const all = [...f, ...Array(N - f.length).fill(0)];
    return sum(all.flatMap((a) => all.map((b) => Math.abs(a - b)))) / (2 * N * sum(f));
  }
  if (metric === "DCC" || metric === "FDCC") {
    const H = categories(items.filter((i) => relevant.has(i)));
    let X = categories(items.filter((i) => !relevant.has(i)));
    if (said.overlap === "once") X = X.filter((t) => !H.includes(t));
    const weight = metric === "DCC" ? () => 1 : (t) => Math.max(1, log(count([...relevant], t)));
    return (sum(H.map(weight)) + Number(said.alpha) * X.length) / N;
  }
  if (items.length < 2) return OF_NONE[said.undefined];
  const dot = (a, b) => sum(a.map((x, i) => x * b[i]));
  const e = given.embeddings;
  const distance = (i, j) => 1 - dot(e[i], e[j]) / Math.sqrt(dot(e[i], e[i]) * dot(e[j], e[j]));
  const others = (i) => items.filter((j) => j !== i);
  if (metric === "ILMD") {
    return sum(items.map((i) => Math.min(...others(i).map((j) => distance(i, j))))) / items.length;
  }
  // ILAD is DILAD for beta = 1
  const w = (i) => (metric !== "DILAD" || relevant.has(i) ? 1 : Number(said.beta));
  const apart = items.flatMap((i) => others(i).map((j) => w(i) * w(j) * distance(i, j)));
  return sum(apart) / apart.length;
}

function ofPopularity(metric, given, k, said) {
  const items = k === null ? given.recommended : given.recommended.slice(0, k);
  const users = Number(said.users);
  if (metric === "AWRF") return fairness(items, given.categories, said);
  if (metric === "PSP" || metric === "PSnDCG") {
    return propensityScored(metric, given, items, k, said);
  }
  const worth = {
    ARP: (i) => given.popularity[i],
    popularity_lift: (i) => given.popularity[i],
    novelty: (i) => -Math.log2(given.popularity[i] / users),
    EPC: (i) => 1 - given.popularity[i] / users,
    personalisation: (i) => 1 - (given.exposure[i] - 1) / (users - 1),
    serendipity: (i) => (given.relevant.includes(i) && !given.expected.includes(i) ? 1 : 0),
  }[metric];
  if (items.length === 0) return OF_NONE[said.undefined];
  const average = (list) => sum(list.map(worth)) / list.length;
  const lift = metric === "popularity_lift";
  return lift ? average(items) / average(given.relevant) - 1 : average(items);
}

function propensityScored(metric, { relevant, popularity }, items, k, said) {
  const [users, a, b] = [said.users, said.a, said.b].map(Number);
  const size = k ?? items.length;
  if (size === 0) return OF_NONE[said.undefined];
  const w = (i) => 1 + (Math.log(users) - 1) * ((b + 1) / (popularity[i] + b)) ** a;
  const D = (j) => (metric === "PSP" ? 1 : 1 / Math.log2(j + 2));
  const worth = items.map((i, j) => (relevant.includes(i) ? w(i) * D(j) : 0));
  return sum(worth) / sum(Array.from({ length: size }, (_, j) => D(j)));
}

function fairness(items, categories, said) {
  const shares = (list, weight) => {
    const got = {};
    list.forEach((i, j) => {
      const C = categories[i];
      for (const t of C) got[t] = (got[t] ?? 0) + weight(j) / C.length;
    });
    const all = sum(Object.values(got));
    return [(t) => (got[t] ?? 0) / all, all];
  };
  const [e, some] = shares(items, (j) => Number(said.p) ** j);
  const [d] = shares(Object.keys(categories), () => 1);
  if (some === 0) return OF_NONE[said.undefined];
  const loss = (x, m) => (x === 0 ? 0 : x * Math.log2(x / m));
  const all = unique(Object.values(categories).flat());
  const middle = (t) => (e(t) + d(t)) / 2;
  return 1 - sum(all.map((t) => loss(e(t), middle(t)) + loss(d(t), middle(t)))) / 2;
}

// ---- two orders, counts

const ofOthers = {
  catalogue_coverage: (given, k) =>
    unique(Object.values(given.lists).flatMap((list) => list.slice(0, k ?? list.length))).length /
    given.catalogue.length,
  RBO: ({ ranking, other }, k, said) => {
    const [A, B] = [ranking, other].sort((one, two) => one.length - two.length);
    const [s, l] = [A, B].map((order) => Math.min(order.length, k ?? order.length));
    const a = (d) => {
      if (d === 0) return 0;
      const seen = B.slice(0, d);
      const X = A.slice(0, Math.min(d, s)).filter((x) => seen.includes(x)).length;
      return (X + (d > s ? (d - s) * a(s) : 0)) / d;
    };
    const p = Number(said.p);
    const terms = Array.from({ length: l }, (_, i) => (1 - p) * p ** i * a(i + 1));
    return sum(terms) + p ** l * a(l);
  },
  tau: (given) => {
    const place = (list) => Object.fromEntries(list.map((i, j) => [i, -j]));
    const one = given.scores ? Object.fromEntries(pairs(given.scores)) : place(given.ranking);
    const other = place(given.other);
    const items = Object.keys(other);
    const twos = items.flatMap((a, i) => items.slice(i + 1).map((b) => [a, b]));
    const x = twos.map(([a, b]) => Math.sign(one[a] - one[b]));
    const y = twos.map(([a, b]) => Math.sign(other[a] - other[b]));
    const free = (signs) => signs.filter((sign) => sign !== 0).length;
    return sum(x.map((sign, i) => sign * y[i])) / Math.sqrt(free(x) * free(y));
  },
  tau_AP: ({ ranking, other }) => {
    const n = ranking.length;
    const above = (d, e) => other.indexOf(d) < other.indexOf(e);
    const c = (i) => ranking.slice(0, i).filter((d) => above(d, ranking[i])).length;
    return (2 * sum(ranking.slice(1).map((_, i) => c(i + 1) / (i + 1)))) / (n - 1) - 1;
  },
};

// ---- all of them

/** The value of a measure on an input of the vectors; NaN: there is no score. */
export function compute(metric, given, k, said) {
  if (metric in ofOthers) return ofOthers[metric](given, k, said);
  if (metric === "AWRF" || given.popularity || given.exposure || given.expected) {
    return ofPopularity(metric, given, k, said);
  }
  if (given.nuggets) return ofNovelty(metric, given, k, said);
  if (given.recommended) return ofList(metric, given, k, said);
  if (["AUC", "PR-AUC", "break-even"].includes(metric)) return ofThresholds(metric, given, k, said);
  const found = contexts(metric, given, k, said).map((c) => ofRanking(metric, c));
  return sum(found) / found.length;
}

/** What a measure of one ranking computes from, for each order that is as likely. */
export function contexts(metric, given, k, said) {
  const each = readings(given, said).map((reading) => contextOf(metric, reading, k, said));
  if (metric === "AP" && said.divisor === "hits" && each.some((c) => c.hits !== each[0].hits)) {
    throw new Refused("AP over the hits can't be averaged where the cut goes through a tie");
  }
  return each;
}

/** The value of a measure with the steps that led to it: of each order that is as likely. */
export function workings(metric, given, k, said) {
  if (given.nuggets) {
    const c = nuggetContext(given, k, said);
    return { score: fading(metric, c), each: [{ ...c, grades: {} }] };
  }
  const each = contexts(metric, given, k, said);
  for (const c of each) c.score = ofRanking(metric, c);
  return { score: sum(each.map((c) => c.score)) / each.length, each };
}

function overQueries(metric, given, k, said, aggregate) {
  const skip = said.no_relevant === "skip";
  const own = { ...said, no_relevant: skip ? "zero" : said.no_relevant };
  const values = [];
  for (const [query, judgments] of Object.entries(given.qrels)) {
    if (!(query in given.run) && said.missing_queries === "skip") continue;
    if (skip && !pairs(judgments).some(([, x]) => x >= 1)) continue;
    values.push(compute(metric, { ranking: given.run[query] ?? [], judgments }, k, own));
  }
  if (aggregate === "mean") return sum(values) / values.length;
  const raised = values.map((v) => Math.max(v, Number(said.floor)));
  if (raised.includes(0)) return 0;
  return Math.exp(sum(raised.map(Math.log)) / raised.length);
}

/** What a file of vectors comes to: the value of each case by its id; "nan" for no score. */
export function results(file) {
  const found = {};
  if (!MEASURES.includes(file.metric)) return found;
  for (const { id, input, k, aggregate, conventions } of file.cases) {
    const said = { ...file.conventions, ...conventions };
    const given = file.inputs[input];
    let value = NaN;
    try {
      value = aggregate
        ? overQueries(file.metric, given, k, said, aggregate)
        : compute(file.metric, given, k, said);
    } catch (error) {
      if (!(error instanceof Refused)) throw error; // a refused input has no score
    }
    found[id] = Number.isNaN(value) ? "nan" : value;
  }
  return found;
}
