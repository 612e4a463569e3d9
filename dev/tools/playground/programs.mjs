// What programs hold: grades alone, names with grades, records, columns, an order beside judgments,
// labels beside scores, and calls of a metric with its arguments.

import { gradeOf, isGradeWord, nuggetsOf, unnamedGrade } from "./cells.mjs";
import { KINDS, MEANING } from "./columns.mjs";
import { byName, columnsOf, combined, withHeader } from "./documents.mjs";
import { literals, refuse } from "./literals.mjs";
import { cleaned } from "./state.mjs";

const ORDERS = [
  "ranking", "scores", "run", "results", "retrieved", "predicted", "predictions", "recommended", "recommendations", "ranked",
  "hits", "retrieved_docs", "retrieved_ids", "ranked_docs", "y_pred", "y_score", "y_scores", "score", "pred", "preds", "output",
];
const JUDGED = [
  "judgments", "judgements", "qrels", "qrel", "nuggets", "relevant", "relevant_docs", "relevant_ids", "truth", "ground_truth", "gold", "actual",
  "y_true", "true", "labels", "label", "target", "targets", "relevance", "relevances", "rel", "rels", "grades", "gains", "true_relevance",
  "expected", "gt", "y",
];
const MISSED = ["missed", "unretrieved", "not_retrieved", "others"];
const SCALARS = ["number", "none"];

/** The queries of a text of values, each a list of documents, and a cut-off that a call names. */
export function ofLiterals(text, page, notes) {
  const parts = literals(text);
  if (!parts.length) refuse(1, "there is no ranking in it.");
  const call = parts.find((part) => part.kind === "call");
  if (call) return ofCall(call, parts, page, notes);
  return { queries: documentsOf(unpacked(parts), page, notes) };
}

/** {"ranking": [...], "judgments": {...}} as two values with names. */
function unpacked(parts) {
  const [first] = parts;
  const named = (key) => [...ORDERS, ...JUDGED, ...MISSED].includes(key.toLowerCase());
  if (parts.length > 1 || first.kind !== "dict" || !first.entries.length || !first.entries.every(([key]) => named(key))) return parts;
  if (first.entries.some(([, held]) => SCALARS.includes(held.kind) || held.kind === "text")) return parts;
  return first.entries.map(([name, held]) => ({ ...held, name }));
}

function documentsOf(parts, page, notes) {
  const of = (names) => parts.filter((part) => names.includes(part.name.toLowerCase()));
  const [order, judged, missed] = [of(ORDERS), of(JUDGED), of(MISSED)];
  if (parts.every((part) => part.kind === "dict" && part.name === "") && parts.length > 1) {
    return alone({ kind: "list", line: 1, items: parts }, notes);
  }
  if (parts.length === 1) {
    const [only] = parts;
    if (!order.length && !(judged.length && only.kind === "dict")) return alone(oneQuery(only), notes);
    if (isGrades(only) || (only.kind === "list" && only.items.every(isGrades) && only.items.length)) return alone(only, notes);
  }
  const known = order.length + judged.length + missed.length;
  if (order.length > 1 || judged.length > 1 || missed.length > 1 || known < parts.length) {
    refuse(parts[1]?.line ?? 1, "write one ranking = [...], and one judgments = {...}.");
  }
  const [one, other] = [order[0], judged[0]].map((part) => part && oneQuery(part));
  if (missed.length || (isGrades(one ?? {}) && !other)) return byRank([one ?? other].filter(Boolean), missed.map(oneQuery));
  if (one && other && isVector(one) && isVector(other)) return byScore(other, one);
  return [combined(one ? orderOf(one) : null, other ? byName(held(other)) : null, page, notes)];
}

const isGrades = (part) => part.kind === "list" && part.items.length > 0 && part.items.every((item) => SCALARS.includes(item.kind));
const isVector = (part) => isGrades(part) || (part.kind === "list" && part.items.length > 0 && part.items.every(isGrades));

// ---- calls of a metric: ndcg_score([[3, 2]], [[0.9, 0.5]], k=5)

const LABELS = ["y_true", "target", "labels", "true_relevance", "relevance", "rel", "r", "grades"];
const SCORES = ["y_score", "preds", "y_pred", "scores", "input"];

function ofCall({ called, given, named, line }, parts, page, notes) {
  const last = called.split(".").at(-1);
  const variables = Object.fromEntries(parts.filter((part) => part.name && part.kind !== "call").map((part) => [part.name, part]));
  const values = given.map((part) => (part.kind === "word" ? variables[part.value] ?? part : part));
  const by = (names) => names.map((name) => named[name]).find((part) => part !== undefined);
  const vectors = values.filter(isVector);
  const inverted = last.startsWith("retrieval_") || /^Retrieval/.test(last);
  const labels = by(LABELS) ?? vectors[inverted && vectors.length > 1 ? 1 : 0];
  const scores = by(SCORES) ?? vectors[inverted ? 0 : 1];
  if (!labels || !isVector(labels)) {
    refuse(line, `${called}(...) has no list of grades here. Write the grades in place of names of variables, such as ${called}([[3, 2, 0]], [[0.9, 0.5, 0.1]]).`);
  }
  const whole = values.find((part) => part.kind === "number");
  const asked = named.k ?? named.top_k ?? named.n;
  if (asked?.kind === "list") refuse(line, `${called}(...) asks for several cut-offs. Write one, such as k=10.`);
  const cut = (asked ?? (vectors.length === 1 || scores ? whole : undefined))?.value ?? null;
  const both = scores && scores !== labels;
  const left = Object.keys(named).filter((name) => ![...LABELS, ...SCORES, "k", "top_k", "n"].includes(name));
  if (left.length) notes.push(`Not read: ${left.join(", ")}.`);
  return { queries: both ? byScore(labels, scores) : queriesOf(labels), called: last, k: cut };
}

// ---- lists by position

const rowsOf = (part) => (isGrades(part) ? [part] : part.items);
const gradeFrom = (item) => gradeOf(item.value === null ? null : String(item.value), item.line);

/** A list of grades as a query, and a list of such lists as several. */
function queriesOf(part) {
  return rowsOf(part).map((row) => row.items.map((item, i) => ({ line: item.line, name: `d${i + 1}`, grade: gradeFrom(item) })));
}

/** Grades of the retrieved documents, and of those that were missed. */
function byRank(ranked, missed) {
  const lists = [ranked.flatMap((part) => queriesOf(part)[0] ?? []), missed.flatMap((part) => queriesOf(part)[0] ?? [])];
  const all = lists.flatMap((list, i) => list.map((d) => ({ ...d, other: i === 1 })));
  return [all.map((d, i) => ({ ...d, name: `d${i + 1}` }))];
}

/** Grades in the order of their scores, the highest first; equal scores tie. */
function byScore(labels, scores) {
  const [these, those] = [rowsOf(labels), rowsOf(scores)];
  if (these.length !== those.length) refuse(scores.line, `the scores are of ${those.length} rankings, and the grades of ${these.length}.`);
  return these.map(({ items }, n) => {
    const own = those[n].items;
    if (own.length !== items.length) refuse(scores.line, `there are ${own.length} scores for ${items.length} grades. Write a score for each grade.`);
    const bad = own.find((item) => item.kind !== "number");
    if (bad) refuse(bad.line, "a score is missing. Write a number for each grade.");
    const sorted = items.map((item, i) => ({ item, score: own[i].value })).sort((a, b) => b.score - a.score);
    return sorted.map(({ item, score }, i) => ({
      line: item.line, name: `d${i + 1}`, grade: gradeFrom(item), tied: i > 0 && sorted[i - 1].score === score,
    }));
  });
}

// ---- values with names

/** What a query holds, where a dict of queries holds one. */
function oneQuery(part) {
  const inner = part.kind === "dict" ? part.entries.map(([query, held, line]) => ({ query, held, line })) : [];
  const isOrder = ORDERS.includes(part.name?.toLowerCase());
  if (!inner.length || !inner.every(({ held }) => held.kind === "dict" || (isOrder && held.kind === "list"))) return part;
  if (inner.length > 1) refuse(inner[1].line, `this is query ${inner[1].query}, and query ${inner[0].query} stands before it. Paste one query.`);
  return { ...inner[0].held, name: part.name };
}

function orderOf({ kind, line, items, entries }) {
  if (kind === "dict") return entries.map(([name, score, at]) => [cleaned(name), score.value ?? null, at]);
  if (kind === "list" && items.length && items.every(isPair)) {
    return items.map(({ line: at, items: [name, score] }) => [cleaned(name.value), score.value ?? null, at]);
  }
  const odd = kind === "list" ? items.find((item) => item.kind !== "text") : { line };
  if (odd) refuse(odd.line, 'a ranking is a list of names in quotes, ["d1", "d2"], or names with scores, {"d1": 0.9}.');
  return items.map((item) => [cleaned(item.value), null, item.line]);
}

const isPair = (item) => item.kind === "list" && item.items.length === 2 && item.items[0].kind === "text";

/** What a dict says of each document: a grade, or a list of nuggets; the documents of a list have 1. */
function held({ kind, line, items, entries, name: named }) {
  if (kind === "list" && items.length && items.every((item) => item.kind === "text")) {
    return items.map((item) => ({ name: cleaned(item.value), line: item.line, grade: 1 }));
  }
  if (kind !== "dict") refuse(line, 'judgments are names with grades, {"d1": 3, "d2": 0}.');
  return entries.map(([name, value, at]) => {
    if (value.kind === "list") return { name: cleaned(name), line: at, nuggets: nuggetsOf(value.items.map((i) => i.value).join("") || "0", at) };
    const read = JUDGED.includes(named?.toLowerCase()) ? gradeOf : unnamedGrade;
    return { name: cleaned(name), line: at, grade: read(value.value === null ? null : String(value.value), at) };
  });
}

/** A single value: grades, names, pairs, records, columns, or names with grades. */
function alone(part, notes) {
  if (part.kind === "dict") return [isTable(part) ? ofColumns(part, notes) : held(part)];
  const { items } = part;
  const all = (...kinds) => items.every((item) => kinds.includes(item.kind));
  if (part.kind !== "list" || !items.length) refuse(part.line, "there is no document in it.");
  if (all(...SCALARS)) {
    if (part.isSet) notes.push("A set of Python has no order and no value twice. The grades are read as they stand.");
    return queriesOf(part);
  }
  if (all("text")) {
    if (items.every((item) => isGradeWord(item.value.trim()))) {
      const [{ value }] = items;
      refuse(part.line, `“${value}” in quotes can be a grade or a name. Write grades without quotes, [3, 2, 0], or names with grades, {"${value}": 3}.`);
    }
    notes.push("No judgments were given, so no document has a grade.");
    return [items.map((item) => ({ line: item.line, name: item.value, grade: null }))];
  }
  if (items.every(isPair)) {
    return [held({ kind: "dict", entries: items.map(({ line, items: [name, grade] }) => [name.value, grade, line]) })];
  }
  if (items.every(isGrades)) return oneOrMore(items, part);
  if (!all("dict")) refuse(part.line, 'write grades, [3, 2, 0], or names with grades, {"d1": 3, "d2": 0}.');
  return [ofRecords(items, notes)];
}

/** [[3, 2, 0]] is a ranking, [[3], [2], [0]] a column, and [[3, 2], [1, 0]] two rankings. */
function oneOrMore(items, part) {
  if (items.length === 1 || items.some((row) => row.items.length > 1)) return queriesOf(part);
  return queriesOf({ kind: "list", items: items.map((row) => row.items[0]) });
}

function ofRecords(items, notes) {
  const keys = items[0].entries.map(([key]) => key);
  if (!keys.length) refuse(items[0].line, `a record is empty. Columns are ${KINDS.join(", ")}.`);
  const rows = items.map(({ line, entries }) => {
    const odd = entries.length !== keys.length || keys.find((key) => !entries.some(([k]) => k === key));
    if (odd) refuse(line, `it has other keys than the first, which has ${keys.join(", ")}.`);
    return { line, cells: keys.map((key) => ({ text: String(entries.find(([k]) => k === key)[1].value ?? "") })) };
  });
  return withHeader(columnsOf(keys, items[0].line, notes), rows, notes);
}

/** {"doc": ["a", "b"], "grade": [3, 0]}, as frames are made and as to_dict() gives them. */
const isTable = ({ entries }) => entries.length > 0 && entries.every(([key, held]) =>
  MEANING.has(key.toLowerCase()) && held.kind === "list" && !held.items.some((item) => item.kind === "list"));

function ofColumns({ entries, line }, notes) {
  const size = entries[0][1].items.length;
  const odd = entries.find(([, held]) => held.items.length !== size);
  if (odd) refuse(odd[2], `the column ${odd[0]} has ${odd[1].items.length} values, and ${entries[0][0]} has ${size}.`);
  const rows = Array.from({ length: size }, (_, i) => ({
    line, cells: entries.map(([, held]) => ({ text: String(held.items[i].value ?? "") })),
  }));
  return withHeader(columnsOf(entries.map(([key]) => key), line, notes), rows, notes);
}
