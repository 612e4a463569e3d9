// Ranking metrics in JavaScript, written from the README of the vectors alone. No dependencies: it
// runs in a browser and in node. compute() gives one value, results() those of a file of vectors.

const NONE = null;
const sum = (list) => list.reduce((a, b) => a + b, 0);
const falling = (list) => [...list].sort((a, b) => b - a);
const orZero = (above, below) => (below === 0 ? 0 : above / below);
const byId = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
const unique = (list) => [...new Set(list)];

const OF_NONE = { zero: 0, one: 1, nan: NaN };

// ---- conventions: functions of what the words say

const gains = { linear: (x) => x, exp: (x) => 2 ** x - 1, binary: (x) => (x >= 1 ? 1 : 0) };
const discounts = {
  log2: (i) => 1 / Math.log2(i + 1),
  none: () => 1,
  reciprocal: (i) => 1 / i,
  "jk(2)": (i) => 1 / Math.max(1, Math.log2(i)),
};
const sizes = {
  k: (c) => c.k ?? c.n,
  retrieved: (c) => c.top.length,
  relevant: (c) => c.R,
  reachable: (c) => Math.min(c.k ?? (c.ofRetrieved ? c.n : c.R), c.R),
  hits: (c) => c.hits,
};
const ideals = {
  judged: (c) => falling(c.pool),
  retrieved: (c) => falling(c.g.filter((x) => x !== NONE)),
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
    const scored = Object.entries(given.scores).map(([d, s]) => [d, kept(s)]);
    const levels = falling(unique(scored.map(([, s]) => s)));
    groups = levels.map((level) => scored.filter(([, s]) => s === level).map(([d]) => d));
  } else {
    const r = given.ranking;
    const keeps = {
      first: (d, i) => r.indexOf(d) === i,
      last: (d, i) => r.lastIndexOf(d) === i,
    }[said.duplicates];
    groups = (keeps ? r.filter(keeps) : r).map((d) => [d]);
  }
  if (said.unretrieved === "last") {
    const ranked = new Set(groups.flat());
    groups.push(Object.keys(grades).filter((d) => !ranked.has(d)));
  }
  return groups;
}

function permutations(list) {
  if (list.length < 2) return [list];
  return list.flatMap((d, i) =>
    permutations([...list.slice(0, i), ...list.slice(i + 1)]).map((rest) => [d, ...rest]),
  );
}

function ordersOf(group, ties, grades) {
  const worth = (d) => grades[d] ?? 0;
  switch (ties) {
    case "averaged":
      return permutations(group);
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

function readings(given, said) {
  const grades = {};
  const padding = new Set();
  for (const [d, x] of Object.entries(given.judgments)) {
    if (x >= 0 || said.negative === "keep") grades[d] = x;
    else if (said.negative === "padding") padding.add(d);
    else grades[d] = said.negative === "zero" ? 0 : NONE;
  }
  let orders = [[]];
  for (const group of groupsOf(given, said, grades)) {
    const ways = ordersOf(group, said.ties, grades);
    orders = orders.flatMap((head) => ways.map((way) => [...head, ...way]));
  }
  return orders.map((order) => {
    let documents = order.filter((d) => !padding.has(d));
    if (said.unjudged === "removed") documents = documents.filter((d) => (grades[d] ?? NONE) !== NONE);
    const counted = said.pool === "retrieved" ? documents : Object.keys(grades);
    return {
      documents,
      grades,
      g: documents.map((d) => grades[d] ?? NONE),
      pool: counted.map((d) => grades[d] ?? NONE).filter((x) => x !== NONE),
      named: documents.map((d) => d in grades),
      known: unique([...documents, ...Object.keys(grades)]).length,
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

function averagePrecision(c, size) {
  let hits = 0;
  let total = 0;
  c.top.forEach((x, i) => {
    if (c.hit(x)) total += (hits += 1) / (i + 1);
  });
  return orZero(total, size);
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
  P: (c) => orZero(c.hits, c.size()),
  R: (c) => c.hits / c.size(),
  F: (c) => {
    const [p, r, b] = [orZero(c.hits, c.size()), c.hits / c.R, Number(c.said.beta) ** 2];
    return orZero((b + 1) * p * r, b * p + r);
  },
  Success: (c) => (c.hits > 0 ? 1 : 0),
  Rprec: (c) => sum(c.g.slice(0, c.R).map(c.hit)) / c.R,
  AP: (c) => averagePrecision(c, c.size()),
  "simplified-AP": (c) => averagePrecision(c, c.hits),
  RR: (c) => {
    const i = c.top.findIndex((x) => c.hit(x));
    return i < 0 ? 0 : 1 / (i + 1);
  },
  accuracy: (c) => orZero(cells(c).TP + cells(c).TN, cells(c).all),
  "fall-out": (c) => orZero(cells(c).FP, cells(c).FP + cells(c).TN),
  IPrec: (c) => precisionAt(c, Number(c.said.recall)),
  "interpolated-AP": (c) => {
    const points = Number(c.said.points);
    return sum(Array.from({ length: points }, (_, j) => precisionAt(c, j / (points - 1)))) / points;
  },
  CG: (c) => sum(c.top.map(c.gain)),
  DCG: (c) => c.dcg(c.top),
  nDCG: (c) => {
    const best = ideals[c.said.ideal](c);
    const below = c.dcg(c.said.cut === "both" ? c.cut(best) : best);
    return below === 0 ? OF_NONE[c.said.no_relevant] : c.dcg(c.top) / below;
  },
  ERR: (c) => {
    const highest = c.said.max_grade === "highest";
    const h = highest ? Math.max(1, ...c.pool) : Number(c.said.max_grade);
    const stop = c.said.satisfaction === "exp" ? (x) => (2 ** x - 1) / 2 ** h : (x) => x / h;
    let reach = 1;
    let total = 0;
    c.top.forEach((x, i) => {
      total += (reach * stop(x ?? 0)) / (i + 1);
      reach *= 1 - stop(x ?? 0);
    });
    return total;
  },
  RBP: (c) => {
    const p = Number(c.said.p);
    const worth = (x) => c.hit(x) * (c.said.gain === "binary" ? 1 : c.gain(x));
    return (1 - p) * sum(c.top.map((x, i) => worth(x) * p ** i));
  },
  Q: (c) => {
    const beta = Number(c.said.beta);
    const G = (list) => sum(list.map((x) => (c.hit(x) ? c.gain(x) : 0)));
    const best = falling(c.pool);
    let total = 0;
    c.top.forEach((x, i) => {
      const first = c.g.slice(0, i + 1);
      if (c.hit(x)) {
        total += (beta * G(first) + sum(first.map(c.hit))) / (beta * G(best.slice(0, i + 1)) + i + 1);
      }
    });
    return total / c.size();
  },
  bpref: (c) => {
    const N = c.pool.filter((x) => !c.hit(x)).length;
    let above = 0;
    let total = 0;
    for (const x of c.g.filter((y) => y !== NONE)) {
      if (!c.hit(x)) above += 1;
      else total += above === 0 ? 1 : 1 - Math.min(above, c.R) / Math.min(c.R, N);
    }
    return total / c.R;
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
  MCC: (c) => {
    const { all, TP, FP, TN } = cells(c);
    const FN = all - TP - FP - TN;
    return orZero(TP * TN - FP * FN, Math.sqrt((TP + FP) * (TP + FN) * (TN + FP) * (TN + FN)));
  },
  Rprec_mult: (c) => {
    const m = Math.ceil(Number(c.said.multiple) * c.R);
    return sum(c.g.slice(0, m).map(c.hit)) / m;
  },
  set_map: (c) => orZero(c.hits, sizes.k(c)) * (c.hits / c.R),
  utility: (c) => {
    const [hit, other, missed] = ["hit", "other", "missed"].map((word) => Number(c.said[word]));
    return hit * c.hits + other * (c.top.length - c.hits) + missed * (c.R - c.hits);
  },
  INSQ: (c) => walk(c, (i) => ((i + 2 * c.wanted - 1) / (i + 2 * c.wanted)) ** 2),
  INST: (c) =>
    walk(c, (i, G) => {
      const s = i + 2 * c.wanted - G;
      return ((s - 1) / s) ** 2;
    }),
  IFT: (c) => {
    const by = (word) => Number(c.said[word]);
    return walk(c, (i, G) => {
      const a = by("b_aim") * Math.exp((c.wanted - G) * by("by_aim"));
      const b = by("b_rate") * Math.exp((by("rate") - G / i) * by("by_rate"));
      return a / (1 + a) / (1 + b);
    });
  },
  BPM: (c) => {
    const patience = Number(c.said.patience);
    let [G, s] = [0, 0];
    while (s < patience && G < c.wanted) G += worthAt(c, (s += 1));
    return G / s;
  },
  TBG: (c) => {
    let [time, total] = [0, 0];
    for (const x of c.top) {
      if (c.hit(x)) total += 0.64 * 0.77 * 2 ** (-time / Number(c.said.halflife));
      time += 4.4 + (0.018 * Number(c.said.words) + 7.8) * (c.hit(x) ? 0.64 : 0.39);
    }
    return total;
  },
  nERR: (c) => {
    const best = { ...c, top: c.cut(falling(c.pool)) };
    return ofRankings.ERR(c) / ofRankings.ERR(best);
  },
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
    const worth = c.g.filter((x) => x !== NONE).map(c.gain);
    const pairs = worth.flatMap((a, i) => worth.slice(i + 1).map((b) => a - b)).filter((x) => x);
    if (pairs.length === 0) return OF_NONE[c.said.undefined];
    return pairs.filter((x) => x > 0).length / pairs.length;
  },
};

function ofRanking(metric, reading, k, said) {
  const { g, pool } = reading;
  const rel = Number(said.rel ?? 1);
  const hit = (x) => (x !== NONE && x >= rel ? 1 : 0);
  const cut = (list) => (k === null ? list : list.slice(0, k));
  const gain = (x) => gains[said.gain](x ?? 0);
  const top = cut(g);
  const c = { ...reading, k, said, hit, cut, gain, top, n: g.length };
  c.wanted = Number(said.wanted);
  c.ofRetrieved = ["P", "F"].includes(metric);
  c.R = sum(pool.map(hit));
  c.hits = sum(top.map(hit));
  c.size = () => sizes[said.divisor](c);
  c.dcg = (list) => sum(list.map((x, i) => gain(x) * discounts[said.discount](i + 1)));
  if (metric !== "nDCG" && "no_relevant" in said && c.R === 0) return OF_NONE[said.no_relevant];
  return ofRankings[metric](c);
}

// ---- measures over thresholds

function partialArea(documents, P, fallout) {
  const N = documents.length - P;
  let [area, x0, y0] = [0, 0, 0];
  for (const t of falling(unique(documents.map(([s]) => s)))) {
    const inside = documents.filter(([s]) => s >= t);
    const y = inside.filter(([, good]) => good).length / P;
    const x = (inside.length - y * P) / N;
    const u = Math.min(x, fallout);
    if (u > x0) area += ((u - x0) * (2 * y0 + ((y - y0) * (u - x0)) / (x - x0))) / 2;
    [x0, y0] = [x, y];
  }
  const c = fallout ** 2 / 2;
  return (1 + (area - c) / (fallout - c)) / 2;
}

function ofThresholds(metric, given, said) {
  const rel = Number(said.rel);
  const documents = Object.entries(given.scores).map(([d, s]) => [s, given.judgments[d] >= rel]);
  const R = documents.filter(([, good]) => good).length;
  if (metric === "AUC") {
    const of = (kind) => documents.filter(([, good]) => good === kind).map(([s]) => s);
    const pairs = of(true).flatMap((s) => of(false).map((t) => (s > t ? 1 : s === t ? 0.5 : 0)));
    return sum(pairs) / pairs.length;
  }
  if (metric === "pAUC") return partialArea(documents, R, Number(said.fallout));
  if (R === 0) return OF_NONE[said.no_relevant];
  let [h0, s0, total] = [0, 0, 0];
  for (const t of falling(unique(documents.map(([s]) => s)))) {
    const inside = documents.filter(([s]) => s >= t);
    const [h, s] = [inside.filter(([, good]) => good).length, inside.length];
    if (metric === "PR-AUC") total += ((h - h0) / R) * (h / s);
    else if (s >= R && said.crossing === "counts") return (h0 + ((R - s0) / (s - s0)) * (h - h0)) / R;
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
  "D#-nDCG": (c) => {
    const dcg = (list) => sum(list.map((x, i) => x * discounts[c.said.discount](i + 1)));
    const worth = (d) => c.held(d).length / c.m;
    const best = falling(Object.keys(c.nuggets).map(worth));
    const gamma = Number(c.said.gamma);
    const quality = dcg(c.top.map(worth)) / dcg(c.cut(best));
    return gamma * ofNuggets["S-recall"](c) + (1 - gamma) * quality;
  },
  "relevance-probability": (c) => {
    const last = c.k ?? c.ranking.length;
    if (last === 0 || last > c.ranking.length) return 0;
    const [alpha, gamma] = [Number(c.said.alpha), Number(c.said.gamma)];
    const above = c.ranking.slice(0, last - 1);
    const seen = (t) => above.filter((d) => c.held(d).includes(t)).length;
    const miss = c.held(c.ranking[last - 1]).map((t) => 1 - gamma * alpha * (1 - alpha) ** seen(t));
    return 1 - miss.reduce((a, b) => a * b, 1);
  },
};
const OF_INTENTS = {
  "nDCG-IA": ["nDCG", { ideal: "judged", cut: "both", no_relevant: "zero" }],
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

function faded(order, left, held) {
  return order.map((d, i) =>
    sum(held(d).map((t) => left ** order.slice(0, i).filter((e) => held(e).includes(t)).length)),
  );
}

function idealOf(c, left, worth, depth) {
  const rest = Object.keys(c.nuggets).sort(byId);
  const total = (order) => worth(faded(order, left, c.held).slice(0, depth));
  if (c.said.ideal === "exact") {
    const full = permutations(rest);
    return full.reduce((best, order) => (total(order) > total(best) ? order : best), full[0]);
  }
  if (c.said.ideal === "ndeval") rest.reverse();
  const chosen = [];
  while (rest.length) {
    const worths = rest.map((d) => faded([...chosen, d], left, c.held).at(-1));
    chosen.push(...rest.splice(worths.indexOf(Math.max(...worths)), 1));
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
  const dcg = (list) => sum(list.map((x, i) => x * discounts[c.said.discount](i + 1)));
  const worth = worths[metric] ?? dcg;
  const a = worth(c.cut(faded(c.ranking, left, c.held)));
  const how = c.said.normalisation ?? "collection_dependent";
  if (how === "none") return a;
  let below;
  if (how === "collection_dependent") {
    const cut = c.k ?? Object.keys(c.nuggets).length;
    const depth = c.said.depth === "as_long" ? Math.min(c.k ?? n, n) : cut;
    below = worth(faded(idealOf(c, left, worth, depth), left, c.held).slice(0, depth));
  } else if (metric === "NRBP") {
    below = c.m === 0 ? 0 : 1 / (1 - left * Number(c.said.beta));
  } else {
    below = worth(Array.from({ length: c.k ?? Math.max(1, n) }, (_, i) => c.m * left ** i));
  }
  return below === 0 ? OF_NONE[c.said.no_relevant] : a / below;
}

function ofNovelty(metric, given, k, said) {
  const { ranking, nuggets } = given;
  const held = (d) => nuggets[d] ?? [];
  const known = unique(Object.values(nuggets).flat());
  const cut = (list) => (k === null ? list : list.slice(0, k));
  const c = { ranking, nuggets, held, known, m: known.length, k, said, cut, top: cut(ranking) };
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
  const w = (i) => (metric === "ILAD" || relevant.has(i) ? 1 : Number(said.beta));
  const pairs = items.flatMap((i) => others(i).map((j) => w(i) * w(j) * distance(i, j)));
  return sum(pairs) / pairs.length;
}

function ofPopularity(metric, given, k, said) {
  const items = k === null ? given.recommended : given.recommended.slice(0, k);
  const users = Number(said.users);
  if (metric === "AWRF") return fairness(items, given.categories, said);
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

// ---- two orders, users, sessions, counts

const ofOthers = {
  catalogue_coverage: (given, k) =>
    unique(Object.values(given.lists).flatMap((list) => list.slice(0, k ?? list.length))).length /
    given.catalogue.length,
  RBO: (given, k, said) => {
    const [A, B] = [given.ranking, given.other].map((list) => list.slice(0, k ?? list.length));
    const [s, l] = [Math.min(A.length, B.length), Math.max(A.length, B.length)];
    const X = (d) => A.slice(0, d).filter((i) => B.slice(0, d).includes(i)).length;
    const a = (d) => (X(d) + (d > s && s > 0 ? (X(s) * (d - s)) / s : 0)) / d;
    const p = Number(said.p);
    const terms = Array.from({ length: l }, (_, i) => (1 - p) * p ** i * a(i + 1));
    return sum(terms) + p ** l * a(l);
  },
  tau: (given) => {
    const place = (list) => Object.fromEntries(list.map((i, j) => [i, -j]));
    const [one, other] = [given.scores ?? place(given.ranking), place(given.other)];
    const items = Object.keys(other);
    const pairs = items.flatMap((a, i) => items.slice(i + 1).map((b) => [a, b]));
    const x = pairs.map(([a, b]) => Math.sign(one[a] - one[b]));
    const y = pairs.map(([a, b]) => Math.sign(other[a] - other[b]));
    const free = (signs) => signs.filter((sign) => sign !== 0).length;
    return sum(x.map((sign, i) => sign * y[i])) / Math.sqrt(free(x) * free(y));
  },
  tau_AP: ({ ranking, other }) => {
    const n = ranking.length;
    const above = (d, e) => other.indexOf(d) < other.indexOf(e);
    const c = (i) => ranking.slice(0, i).filter((d) => above(d, ranking[i])).length;
    return (2 * sum(ranking.slice(1).map((_, i) => c(i + 1) / (i + 1)))) / (n - 1) - 1;
  },
  GAUC: (given, k, said) => {
    let [total, shown] = [0, 0];
    for (const user of unique(Object.values(given.users))) {
      const own = Object.entries(given.scores).filter(([i]) => given.users[i] === user);
      const R = own.filter(([i]) => given.judgments[i] >= Number(said.rel)).length;
      if (R === 0 || R === own.length) continue;
      total += own.length * ofThresholds("AUC", { ...given, scores: Object.fromEntries(own) }, said);
      shown += own.length;
    }
    return total / shown;
  },
  sDCG: (given, k, said) => {
    const dcg = (ranking) => compute("DCG", { ranking, judgments: given.judgments }, k, said);
    const cost = (q) => 1 + Math.log(q) / Math.log(Number(said.base));
    return sum(Object.values(given.rankings).map((ranking, i) => dcg(ranking) / cost(i + 1)));
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
  if (["AUC", "pAUC", "PR-AUC", "break-even"].includes(metric)) return ofThresholds(metric, given, said);
  const found = readings(given, said).map((reading) => ofRanking(metric, reading, k, said));
  return sum(found) / found.length;
}

function overQueries(metric, given, k, said, aggregate) {
  const skip = said.no_relevant === "skip";
  const own = { ...said, no_relevant: skip ? "zero" : said.no_relevant };
  const values = [];
  for (const [query, judgments] of Object.entries(given.qrels)) {
    if (!(query in given.run) && said.missing_queries === "skip") continue;
    if (skip && !Object.values(judgments).some((x) => x >= 1)) continue;
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
  for (const { id, input, k, aggregate, conventions } of file.cases) {
    const said = { ...file.conventions, ...conventions };
    const given = file.inputs[input];
    const value = aggregate
      ? overQueries(file.metric, given, k, said, aggregate)
      : compute(file.metric, given, k, said);
    found[id] = Number.isNaN(value) ? "nan" : value;
  }
  return found;
}
