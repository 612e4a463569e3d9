// Which conventions and mistakes give a number, and what each library gives. It orders what fits as
// `diagnose` does; a test holds one to the other.

import { Refused, compute, permutations, workings } from "../../../irmetrics_edu/diagnosis/conformance/runners/metrics.mjs";
import { mistaken } from "./mistakes.mjs";
import { distance, fits } from "./printed.mjs";
import { number } from "./say.mjs";
import {
  changesOf, countsRanks, defaultsOf, factsOf, namesAtTheEnd, namesOf, products, settingsOf, switchesOf,
} from "./settings.mjs";

const TOLERANCE = 1e-12;
const SAME = 1e-9;
const MOST_COMPARED = 10;
const SHORT_CUT = 2;
const CUTOFFS = [null, 1, 2, 3, 5, 10, 20, 50, 100, 1000];

// Many settings and libraries say the same: what an input gives by it is computed once.
const scores = new WeakMap();

/** A value, or the reason why there is none. */
export function scored(metric, given, k, said) {
  if (!scores.has(given)) scores.set(given, new Map());
  const found = scores.get(given);
  const key = JSON.stringify([metric, k, Object.entries(said).sort()]);
  if (!found.has(key)) found.set(key, computed(metric, given, k, said));
  return found.get(key);
}

function computed(metric, given, k, said) {
  if (given.queries) return meanOf(given.queries.map((one) => scored(metric, one, k, said)), said);
  try {
    return { score: metric === CURVE ? curve(given, said).score : compute(metric, given, k, said) };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { refused: error.message };
  }
}

/** The mean over queries; those that a convention leaves out are left out. */
function meanOf(each, said) {
  const refused = each.find((one) => one.refused !== undefined);
  if (refused) return refused;
  const found = each.map(({ score }) => score).filter((x) => said.no_relevant !== "skip" || !Number.isNaN(x));
  return { score: found.reduce((a, b) => a + b, 0) / found.length };
}

/** The same with the steps that led to it. */
export function worked(metric, given, k, said) {
  try {
    return metric === CURVE ? curve(given, said) : workings(metric, given, k, said);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { refused: error.message };
  }
}

// ---- the area under the precision-recall curve, which some libraries call AP

const CURVE = "PR-AUC";

/** The area and its steps, a line for each threshold: documents of one score come together. */
function curve(given, said) {
  const ranked = Object.entries(given.scores ?? Object.fromEntries(given.ranking.map((d, i) => [d, -i])));
  const lowest = Math.min(0, ...ranked.map(([, score]) => score)) - 1;
  const there = new Set(ranked.map(([d]) => d));
  const missed = said.unretrieved === "last" ? Object.keys(given.judgments).filter((d) => !there.has(d)) : [];
  const kept = [...ranked, ...missed.map((d) => [d, lowest])].filter(([d]) => gradeOn(given.judgments[d], said) !== null);
  const scores = Object.fromEntries(kept);
  const score = compute(CURVE, { scores, judgments: given.judgments }, null, said);
  const levels = [...new Set(kept.map(([, s]) => s))].sort((a, b) => b - a);
  const within = levels.map((level) => kept.filter(([, s]) => s >= level).map(([d]) => d));
  const hit = (d) => given.judgments[d] >= Number(said.rel);
  const R = kept.filter(([d]) => hit(d)).length;
  const TP = within.map((documents) => documents.filter(hit).length);
  const precision = TP.map((hits, i) => hits / within[i].length);
  const recall = TP.map((hits) => (R === 0 ? 0 : hits / R));
  const gained = recall.map((r, i) => r - (recall[i - 1] ?? 0));
  const columns = {
    TP, FP: TP.map((hits, i) => within[i].length - hits), precision, recall, "recall gained": gained,
    "step area": gained.map((r, i) => r * precision[i]),
  };
  const seen = { how: "{step area}", columns, quantities: { R }, parts: {}, documents: within.map((d) => d.at(-1)) };
  return { score, each: [{ seen: R === 0 ? null : seen, grades: given.judgments, documents: there }] };
}

/** The grade that a curve reads; null where the document is left out. */
function gradeOn(grade, said) {
  if (grade > 0 && grade < 1 && said.rel === 1) throw new Refused(`grade ${grade} is neither 0 nor at least 1: choose from which grade on a document is relevant`);
  if (!(grade < 0) || ["zero", "keep"].includes(said.negative)) return grade ?? 0;
  if (said.negative === "padding") return null;
  throw new Refused(`grade ${grade} is below 0: choose what a negative grade means`);
}

/** What libraries give that call the area AP; nothing for another measure. */
function areasCalledAP(data, metric, k, base) {
  if (metric !== "AP" || k !== null) return [];
  return namesOf(data, CURVE, null, { ...base, ...defaultsOf(data.measures[CURVE]) }, [])
    .map((one) => ({ ...one, said: { ...one.said, rel: base.rel } }));
}

/** Which libraries give a number as their AP that is the area under the curve. */
export function areasThatFit(data, metric, given, k, base, target) {
  return areasCalledAP(data, metric, k, base)
    .map((one) => ({ ...one, ...scored(CURVE, given, null, one.said) }))
    .filter(({ score }) => score !== undefined && fits(target, score));
}

/** Whether nothing is judged relevant, so that a convention alone decides the score. */
export function isEmpty(given, said) {
  const least = said.rel ?? Number.MIN_VALUE;
  return !Object.values(given.nuggets ?? given.judgments).some((x) => (given.nuggets ? x.length > 0 : x >= least));
}

/** What each library gives: lists of names by value, the values that most use first. */
export function valuesOfLibraries(data, metric, given, k, base) {
  const groups = new Map();
  const own = namesOf(data, metric, k, base, factsOf(given).grades);
  const areas = areasCalledAP(data, metric, k, base).map((one) => ({ ...one, metric: CURVE }));
  for (const one of [...own, ...areas]) {
    const { score, refused } = scored(one.metric ?? metric, given, k, one.said);
    const key = refused ?? number(score, 9);
    if (!groups.has(key)) groups.set(key, { score, refused, names: [], use: 0 });
    const group = groups.get(key);
    const known = group.names.some((other) => other.library === one.library);
    if (!known) group.use += 10 ** one.library.use;
    group.names.push(one);
  }
  for (const group of groups.values()) group.names.sort((a, b) => b.library.use - a.library.use);
  return [...groups.values()].sort((a, b) => b.use - a.use);
}

/** Who gives a value, and where a library gives several, by which of its names. */
export function whoGives(libraries, score, groups) {
  const own = groups.filter((g) => !g.refused && Math.abs(g.score - score) < 1e-9).flatMap((g) => g.names);
  const all = groups.flatMap((g) => g.names);
  const sorted = [...libraries].sort((a, b) => b.library.use - a.library.use);
  return sorted.map(({ library, label }) => {
    const names = own.filter((one) => one.library === library).map((one) => one.name);
    const several = all.filter((one) => one.library === library).length > names.length;
    if (!names.length) return label;
    // Its plain name says it best, and of names with options any does.
    const name = names.find((text) => !text.includes("(")) ?? names[0];
    return several ? `${library.name} by ${name}` : library.name;
  });
}

// ---- what explains a number

/** What gives a number: candidates, mistakes, and where there are none, what comes nearest. */
export function explained(data, metric, given, k, base, target) {
  const measure = data.measures[metric];
  const facts = factsOf(given);
  const switches = switchesOf(measure, facts, k, base);
  const names = [...Object.keys(switches.ofRun), ...Object.keys(switches.ofMetric)];
  const settled = ({ library, label, said }) => {
    const setting = Object.fromEntries(names.map((name) => [name, said[name]]));
    const absent = (setting.unretrieved ?? "absent") === "absent";
    if (switches.onlyAtTheEnd && absent) setting.ties = switches.ofRun.ties[0];
    return { library, label, setting };
  };
  const plain = namesOf(data, metric, k, base, facts.grades).map(settled);
  const listed = new Set(plain.map(({ setting }) => keyOf(setting)));
  // Of several lists some may be shorter, and end above the cut-off.
  const atTheEnd = namesAtTheEnd(data, metric, k, base, facts).map(settled)
    .filter(({ setting }) => !listed.has(keyOf(setting)) && !(facts.several && countsRanks(setting, switches)))
    .map((one) => ({ ...one, ofAnotherName: true }));
  const theirs = [...plain, ...atTheEnd];
  const all = settingsOf(switches, theirs);
  const run = (setting) => scored(metric, given, k, { ...base, ...setting }).score;
  const found = all.settings
    .map((setting) => ({ setting, score: run(setting) }))
    .filter(({ score }) => score !== undefined);
  const ours = run(all.base);
  const wrong = mistakesOn(data, metric, given, k, base, ours);
  let twice = false;
  let fitting = found.filter(({ score }) => fits(target, score));
  let mistakes = wrong.filter(({ score }) => fits(target, score));
  if (!fitting.length && !mistakes.length) {
    const before = { ...target, tolerance: 1.1 * target.tolerance };
    fitting = found.filter(({ score }) => fits(before, score));
    mistakes = wrong.filter(({ score }) => fits(before, score));
    twice = fitting.length + mistakes.length > 0;
  }
  // The exact number stands before what rounds to it.
  const rounded = ({ score }) => (distance(target, score) <= TOLERANCE ? 0 : 1);
  mistakes.sort((a, b) => rounded(a) - rounded(b));
  const candidates = candidatesOf(data, metric, k, base, all.base, fitting, theirs, rounded);
  const none = candidates.length + mistakes.length === 0;
  const usual = !twice && candidates.some((c) => c.libraries.length > 0 || Object.keys(c.changes).length === 0);
  const elsewhere = usual ? [] : atOtherCutoffs({ data, target, metric, given, k, base, atHand: all.base });
  const nearest = none
    ? nearestTo({ target, metric, measure, given, k, base, found, wrong, atHand: all.base })
    : [];
  const { refused } = scored(metric, given, k, { ...base, ...all.base });
  return { ours, refused, candidates, mistakes, elsewhere, nearest, twice, tried: all.settings.length };
}

function mistakesOn(data, metric, given, k, base, ours) {
  const measure = data.measures[metric];
  const each = (given.queries ?? [given]).map((one) => [one, worked(metric, one, k, base)]);
  if (each.some(([, right]) => right.refused)) return [];
  const found = [];
  for (const mistake of measure.mistakes) {
    const defaults = defaultsOf(measure);
    let score = null;
    try {
      const scores = each.map(([one, right]) => mistaken(mistake, metric, one, k, base, defaults, right.each));
      score = scores.includes(null) ? null : meanOf(scores.map((x) => ({ score: x })), base).score;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
    }
    const same = Object.is(score, ours) || Math.abs(score - ours) <= TOLERANCE;
    if (score !== null && !same) found.push({ mistake, score });
  }
  return found;
}

const keyOf = (setting) => JSON.stringify(Object.entries(setting));

function candidatesOf(data, metric, k, base, ours, fitting, theirs, rounded) {
  const within = (few, many) => Object.entries(few).every(([name, x]) => many[name] === x);
  const least = [];
  for (const { setting, score } of fitting) {
    const changes = changesOf(setting, ours);
    const less = (one) => within(one.changes, changes) && rounded(one) <= rounded({ score });
    if (!least.some(less)) least.push({ setting, score, changes });
  }
  const fit = new Set(fitting.map(({ setting }) => keyOf(setting)));
  const alike = new Map();
  for (const one of theirs) alike.set(keyOf(one.setting), [...(alike.get(keyOf(one.setting)) ?? []), one]);
  const ofOtherNames = new Set(theirs.filter((one) => one.ofAnotherName).map(({ setting }) => keyOf(setting)));
  const inOrder = [...alike.values()].flat();
  const made = merged(data, metric, k, base, ours, least).map((group) => {
    const labels = inOrder.filter(({ setting }) => {
      const changes = changesOf(setting, ours);
      return fit.has(keyOf(setting)) && group.some((one) => within(one.changes, changes));
    });
    return { ...group[0], libraries: onceEach(labels) };
  });
  const users = (c) => c.libraries.reduce((all, { library }) => all + 10 ** library.use, 0);
  const use = (c) => (ofOtherNames.has(keyOf(c.setting)) ? 0 : users(c));
  const size = (c) => Object.keys(c.changes).length;
  const departs = (c) => (size(c) > 0 ? 1 : 0);
  return made.sort((a, b) => rounded(a) - rounded(b) || departs(a) - departs(b) || use(b) - use(a) || size(a) - size(b));
}

/** Each library once, by the first of its names: its plain one, if it has it. */
function onceEach(labels) {
  const own = ({ label }) => (label.includes(":") ? 1 : 0);
  const found = new Map();
  for (const one of [...labels].sort((a, b) => own(a) - own(b))) {
    if (!found.has(one.library)) found.set(one.library, one);
  }
  const low = ({ label }) => label.toLowerCase();
  return [...found.values()].sort((a, b) => (low(a) < low(b) ? -1 : low(a) > low(b) ? 1 : 0));
}

/** Settings that no small input tells apart, as one. */
function merged(data, metric, k, base, ours, least) {
  if (least.length < 2 || least.length > MOST_COMPARED) return least.map((one) => [one]);
  const switched = new Set(least.flatMap((one) => Object.keys(one.changes)));
  const inputs = smallInputs(data, metric, switched);
  const cuts = k === null ? [k] : [k, SHORT_CUT];
  const asked = cuts.flatMap((cut) => inputs.map((given) => ({ given, cut })));
  const found = least.map(({ setting }) => known([metric, k, tied(switched), switched.has("negative"), base, setting]));
  const value = (i, n) => {
    const said = { ...base, ...least[i].setting };
    return (found[i][n] ??= scored(metric, asked[n].given, asked[n].cut, said).score ?? "refused");
  };
  // Of documents that are padding alone there is no judgment, and so no query to compare.
  const none = (i) => switched.has("negative") && least[i].setting.negative === "padding";
  const near = (a, b) =>
    (Number.isNaN(a) && Number.isNaN(b)) || Math.abs(a - b) <= SAME + 1e-5 * Math.abs(b);
  const alike = (i, j) =>
    !none(i) && !none(j) && asked.every((_, n) => near(value(i, n), value(j, n)));
  const groups = [];
  least.forEach((_, i) => {
    const group = groups.find(([j]) => alike(i, j));
    if (group) group.push(i);
    else groups.push([i]);
  });
  return groups.map((group) => group.map((i) => least[i]));
}

// What settings give on small inputs is the same whatever the ranking, so it is computed once.
const values = new Map();

function known(what) {
  const key = JSON.stringify(what);
  if (!values.has(key)) values.set(key, []);
  return values.get(key);
}

const tied = (switched) => switched.has("ties") || switched.has("scores");

function smallInputs(data, metric, switched) {
  if (data.measures[metric].nuggets) return (nuggets ??= smallNuggets());
  const found = [];
  for (const [graded, missed] of data.small.inputs) {
    if (!switched.has("negative") && graded.includes(-1)) continue;
    const ids = graded.map((_, i) => `d${i + 1}`);
    const judged = ids.map((d, i) => [d, graded[i]]).filter(([, x]) => x !== null);
    const judgments = Object.fromEntries([...judged, ...missed.map((x, i) => [`x${i + 1}`, x])]);
    if (!tied(switched)) found.push({ ranking: ids, judgments });
    else if (ids.length <= 3) {
      for (const scores of ids.length > 1 ? data.small.scores : data.small.scores.slice(0, 1)) {
        found.push({ scores: Object.fromEntries(ids.map((d, i) => [d, scores[i]])), judgments });
      }
    }
  }
  return found;
}

let nuggets = null;

function smallNuggets() {
  const held = [["A"], ["B"], ["A", "B"], ["A", "B", "C"], []];
  const found = [];
  for (const n of [1, 2, 3]) {
    for (const sets of products(Array(n).fill(held))) {
      if (sets.every((one) => one.length === 0)) continue;
      const nuggets = Object.fromEntries(sets.map((one, i) => [`d${i + 1}`, one]));
      const ids = Object.keys(nuggets);
      const rankings = new Set(
        permutations(ids).flatMap((full) => ids.map((_, i) => full.slice(0, i + 1).join(" "))),
      );
      for (const ranking of rankings) found.push({ ranking: ranking.split(" "), nuggets });
    }
  }
  return found;
}

const NEAR = 0.05; // of the value, or of 1: what is further off explains nothing

/** The cut-offs at which our defaults give the number, or else some library does; no cut-off comes
 * before any other. */
function atOtherCutoffs({ data, target, metric, given, k, base, atHand }) {
  if (!data.measures[metric].cutoff) return [];
  const others = CUTOFFS.filter((cut) => cut !== k);
  const ours = others.map((cut) => ({ cut, score: scored(metric, given, cut, { ...base, ...atHand }).score, libraries: [] }));
  const fitting = ours.filter(({ score }) => score !== undefined && fits(target, score));
  if (fitting.length) return onceByScore(fitting);
  const theirs = others.flatMap((cut) => valuesOfLibraries(data, metric, given, cut, base)
    .filter((group) => !group.refused && fits(target, group.score))
    .map(({ score, names }) => ({ cut, score, libraries: [...new Set(names.map((one) => one.library))] })));
  return onceByScore(theirs);
}

/** The first of those that have one score: a longer cut-off changes nothing where a ranking ends. */
function onceByScore(found) {
  return found.filter(({ score }, i) => found.findIndex((one) => Object.is(one.score, score)) === i);
}

function nearestTo({ target, metric, measure, given, k, base, found, wrong, atHand }) {
  const options = found.map(({ setting, score }) => ({ changes: changesOf(setting, atHand), score }));
  const cuts = k === null ? CUTOFFS : [...CUTOFFS, k - 1, k + 1];
  const others = measure.cutoff ? new Set(cuts.filter((c) => c !== k && (c === null || c > 0))) : [];
  for (const cut of others) {
    const { score } = scored(metric, given, cut, { ...base, ...atHand });
    if (score !== undefined) options.push({ cut, score });
  }
  const off = ({ score }) => distance(target, score);
  const sorted = [...options, ...wrong].filter((one) => Number.isFinite(off(one)));
  sorted.sort((a, b) => (Math.abs(off(a) - off(b)) <= TOLERANCE ? 0 : off(a) - off(b)));
  const kept = new Map();
  for (const one of sorted) {
    const key = number(one.score, 9);
    if (!kept.has(key)) kept.set(key, { ...one, off: off(one) });
  }
  const near = NEAR * Math.max(1, Math.abs(target.value));
  return [...kept.values()].filter((one) => one.off <= near).slice(0, 3);
}
