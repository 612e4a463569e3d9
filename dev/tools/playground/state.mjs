// What the page is about: the ranking, the judgments, the measure and its conventions. All of it
// goes into a link and comes back from one; a link is read as a stranger wrote it.

export const MOST = 200; // documents
export const MOST_QUERIES = 20;
export const HIGHEST_CUTOFF = 1000;
export const NUGGETS = ["A", "B", "C", "D", "E"];
const LONGEST = 80; // of a name
const VERSION = "1.";

/** The state that a first visit shows: what is missed makes libraries differ. */
export function example() {
  return {
    measure: "nDCG",
    k: 5,
    options: {},
    ranked: [
      newDocument("d1", 3, ["A", "B"]),
      newDocument("d2", 2, ["A"]),
      newDocument("d3", 3, ["C"]),
      newDocument("d4", 0, []),
      newDocument("d5", 1, ["B"]),
    ],
    others: [newDocument("d6", 3, ["D"]), newDocument("d7", 2, ["C"])],
    value: "0.9724",
    theirs: "",
    queries: [],
    at: 0,
  };
}

/** The documents of each query; where there are several, `ranked` and `others` are of one of them. */
export function queriesOf({ ranked, others, queries = [], at = 0 }) {
  if (queries.length < 2) return [{ ranked, others }];
  return queries.map((query, i) => (i === at ? { ranked, others } : query));
}

/** Goes to one query of those that are given. */
export function turnTo(state, queries, at) {
  Object.assign(state, { queries: queries.length > 1 ? queries : [], at, ...queries[at] });
}

/** A document: its grade and its nuggets, null where nobody judged it. */
export function newDocument(name, grade = null, nuggets = null, tied = false) {
  return { name, grade, nuggets, tied };
}

/** A name without what turns the direction of a page, or breaks its line. */
export function cleaned(name) {
  const shown = String(name).replace(/[\p{Cc}\p{Cs}\u2028-\u202e\u2066-\u2069]/gu, " ");
  return [...shown.trim()].slice(0, LONGEST).join("");
}

function toBase64(text) {
  const bytes = new TextEncoder().encode(text);
  const raw = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(raw).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

function fromBase64(text) {
  const raw = atob(text.replace(/-/g, "+").replace(/_/g, "/"));
  const bytes = Uint8Array.from(raw, (c) => c.charCodeAt(0));
  return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
}

const packed = ({ name, grade, nuggets, tied }) =>
  [name, grade, nuggets === null ? null : nuggets.join(""), tied ? 1 : 0];

/** The state as the part of a link behind the #. */
export function toFragment(state) {
  const { measure, k, options, ranked, others, value, theirs } = state;
  const lists = queriesOf(state).map((query) => [query.ranked.map(packed), query.others.map(packed)]);
  const more = lists.length > 1 ? [theirs, lists, state.at] : theirs ? [theirs] : [];
  const all = [measure, k, options, ranked.map(packed), others.map(packed), value, ...more];
  return VERSION + toBase64(JSON.stringify(all));
}

/** The state of a link; an Error says what is wrong with it. */
export function fromFragment(fragment, data) {
  let all;
  try {
    if (!fragment.startsWith(VERSION)) throw new Error("version");
    all = JSON.parse(fromBase64(fragment.slice(VERSION.length)));
  } catch {
    throw new Error("The link is damaged: a part of it may be missing.");
  }
  const [measure, k, options, ranked, others, value, theirs, queries = [], at = 0] = Array.isArray(all) ? all : [];
  if (!Object.hasOwn(data.measures, measure)) throw new Error("The link names no measure of this page.");
  const known = data.measures[measure];
  let names = new Set();
  const read = (list) => {
    if (!Array.isArray(list) || list.length > MOST) throw new Error(`A ranking here has at most ${MOST} documents.`);
    return list.map((one) => unpacked(one, names));
  };
  const both = (lists) => {
    names = new Set();
    const [one, other] = Array.isArray(lists) ? lists : [];
    return { ranked: read(one), others: read(other).map((d) => ({ ...d, tied: false })) };
  };
  if (!Array.isArray(queries) || queries.length > MOST_QUERIES) throw new Error(`There are at most ${MOST_QUERIES} queries here.`);
  const found = {
    measure,
    k: known.cutoff ? cutoff(k) : null,
    options: optionsOf(options, known),
    ...both([ranked, others]),
    value: typed(value),
    theirs: typed(theirs),
    queries: [],
    at: 0,
  };
  if (queries.length > 1) turnTo(found, queries.map(both), Number.isInteger(at) && at in queries ? at : 0);
  return found;
}

const typed = (value) => (typeof value === "string" ? value.slice(0, 30) : "");

function unpacked(one, names) {
  const [given, grade, nuggets, tied] = Array.isArray(one) ? one : [];
  if (typeof given !== "string") throw new Error("The link has a document whose name is not text.");
  const name = cleaned(given);
  if (!name || names.has(name)) throw new Error("The link has a document without a name, or one twice.");
  names.add(name);
  if (grade !== null && !isGrade(grade)) throw new Error("Grades are numbers from -1000 to 1000.");
  const held = typeof nuggets === "string" ? NUGGETS.filter((t) => nuggets.includes(t)) : null;
  return newDocument(name, grade, held, tied === 1);
}

export const isGrade = (x) => Number.isFinite(x) && Math.abs(x) <= 1000;
const cutoff = (k) => (Number.isInteger(k) && k >= 1 && k <= HIGHEST_CUTOFF ? k : null);

/** The options that a measure has, with values that it takes. */
function optionsOf(given, measure) {
  const found = {};
  for (const option of measure.options.filter((o) => o.shown)) {
    const value = Object.hasOwn(Object(given), option.name) ? given[option.name] : undefined;
    if (value !== undefined && value !== option.default && takes(option, value)) {
      found[option.name] = value;
    }
  }
  return found;
}

const RANGES = { rel: [-1000, 1000], max_grade: [1, 1000], p: [0, 0.999], alpha: [0, 1], beta: [0, 100] };

/** Whether an option can have a value: one of its names, or a number in its range. */
export function takes(option, value) {
  if (option.more.includes(value)) return true;
  if (option.values.length) return option.values.includes(value);
  if (option.name === "max_grade" && value === "highest") return true;
  const [low, high] = RANGES[option.name];
  return typeof value === "number" && value >= low && value <= high;
}

export const rangeOf = (option) => RANGES[option.name];

/** Ids that stand in the order of the bytes of names, and that no object puts in another order. */
export function idsOf(names) {
  const points = (name) => [...name].map((c) => c.codePointAt(0));
  const beyond = names.some((name) => /[\ud800-\udfff]/.test(name)); // 16 bits, where the orders part
  const sorted = [...names].sort((a, b) => {
    if (!beyond) return a < b ? -1 : 1;
    const [x, y] = [points(a), points(b)];
    const i = x.findIndex((c, at) => c !== y[at]);
    return i < 0 ? x.length - y.length : x[i] - (y[i] ?? -1);
  });
  return new Map(sorted.map((name, i) => [name, `d${String(i).padStart(6, "0")}`]));
}

/** What the measures compute from. Ids stand in the order of the bytes of the names. */
export function inputOf(state, measure) {
  const all = [...state.ranked, ...state.others];
  const ids = idsOf(all.map((d) => d.name));
  const id = { get: (d) => ids.get(d.name) };
  const nameOf = Object.fromEntries(all.map((d) => [id.get(d), d.name]));
  const judged = all.filter((d) => (measure.nuggets ? d.nuggets : d.grade) !== null);
  const held = judged.map((d) => [id.get(d), measure.nuggets ? d.nuggets : d.grade]);
  const beside = Object.fromEntries(held);
  const given = measure.nuggets ? { nuggets: beside } : { judgments: beside };
  if (state.ranked.some((d, i) => i > 0 && d.tied)) {
    let score = 0;
    const scored = state.ranked.map((d, i) => [id.get(d), i > 0 && d.tied ? score : (score -= 1)]);
    given.scores = Object.fromEntries(scored);
  } else given.ranking = state.ranked.map((d) => id.get(d));
  return { given, judged, nameOf, nuggetsOf: measure.nuggets ? beside : null };
}
