// The documents of a text: an order and judgments that come apart, and the columns of a table.

import { gradeOf, nuggetsOf, numberOf } from "./cells.mjs";
import { KINDS, meaningOf } from "./columns.mjs";
import { refuse } from "./literals.mjs";
import { MOST, cleaned, example, newDocument } from "./state.mjs";

export const NOTHING = { ranked: [], others: [] };

/** The two lists, without a document twice. */
export function entered(documents) {
  const found = { ranked: [], others: [] };
  const names = new Set();
  for (const { line, other, name, grade, nuggets, tied } of documents) {
    const list = other ? found.others : found.ranked;
    const known = cleaned(name);
    if (!known) refuse(line, 'write a name and a grade, such as d1 3, and a name with spaces in "quotes".');
    if (names.has(known)) refuse(line, `${known} is in the ranking twice. Write each document once.`);
    if (list.length >= MOST) refuse(line, `a ranking here has at most ${MOST} documents.`);
    names.add(known);
    list.push(newDocument(known, grade ?? null, nuggets ?? null, Boolean(tied && !other && list.length)));
  }
  return found;
}

/** The documents of the page that somebody gave: those of the example never go with pasted ones. */
function given(page) {
  const own = example();
  const held = ({ name, nuggets }) => `${name} ${nuggets}`;
  const known = new Set([...own.ranked, ...own.others].map(held));
  const shown = [...page.ranked, ...page.others];
  return shown.some((d) => known.has(held(d))) ? NOTHING : page;
}

/** Documents of an order, [name, score, line], with what is judged of each: name -> {grade, nuggets,
 * line}. What a text lacks is that which somebody gave before, and the notes say so. */
export function combined(order, judged, page, notes) {
  const kept = given(page);
  const shown = new Map([...kept.ranked, ...kept.others].map((d) => [d.name, d]));
  const graded = judged && [...judged.values()].some((held) => "grade" in held);
  const heldOf = (name) => ({
    grade: (graded ? judged : shown).get(name)?.grade ?? null,
    nuggets: judged?.get(name)?.nuggets ?? shown.get(name)?.nuggets ?? null,
  });
  const known = kept.ranked.some((d) => judged?.has(d.name));
  const sorted = order ? inOrder(order) : known ? kept.ranked.map(({ name, tied }) => ({ name, tied, line: 1 })) : [];
  const there = new Set(sorted.map((d) => d.name));
  const rest = [...(judged ?? [])].filter(([name]) => !there.has(name));
  const others = rest.map(([name, { line }]) => ({ name, line, other: true }));
  const found = [...sorted, ...others].map((d) => ({ ...d, ...heldOf(d.name) }));
  tell(notes, { order, judged, known, found });
  return found;
}

function tell(notes, { order, judged, known, found }) {
  if (!judged) {
    const some = found.some((d) => d.grade !== null || d.nuggets !== null);
    notes.push(some
      ? "The text has no judgments: the documents keep those that you gave before."
      : "No judgments were given, so no document has a grade.");
  }
  if (!order && judged) {
    notes.push(known
      ? "The text has no ranking: the documents keep the order that you gave before."
      : "No ranking was given, so all documents stand as not retrieved.");
  }
}

/** By falling score; documents of one score are tied. Without scores, as given. */
export function inOrder(order) {
  if (order.every(([, score]) => score === null)) return order.map(([name, , line]) => ({ name, line }));
  const bad = order.find(([, score]) => typeof score !== "number" || Number.isNaN(score));
  if (bad) refuse(bad[2], `${bad[0]} has no score, and other documents have one. Write a score for each.`);
  const sorted = [...order].sort((a, b) => b[1] - a[1]);
  return sorted.map(([name, score, line], i) => ({ name, line, tied: i > 0 && sorted[i - 1][1] === score }));
}

export function ofOneQuery(queries) {
  const [first] = queries;
  const other = queries.find(([query]) => query !== first[0]);
  if (other) refuse(other[1], `this is query ${other[0]}, and the lines before are of query ${first[0]}. Paste the lines of one query.`);
}

/** Judgments by name; a document that is judged twice is refused. */
export function byName(entries) {
  const found = new Map();
  for (const { name, ...held } of entries) {
    if (found.has(name)) refuse(held.line, `${name} is judged twice. Write each document once.`);
    found.set(name, held);
  }
  return found;
}

export const counted = (n) => `${n} field${n === 1 ? "" : "s"}`;

/** What each column is. Of several columns of names, ids and titles say, the first counts. */
export function columnsOf(names, line, notes) {
  const kinds = names.map(meaningOf);
  const left = [];
  kinds.forEach((kind, i) => {
    const first = kinds.indexOf(kind);
    if (kind === undefined) left.push(names[i]);
    else if (first !== i) {
      if (kind !== "document" || names[first] === names[i]) refuse(line, `two columns are the ${kind}. Keep one of them.`);
      left.push(names[i]);
      kinds[i] = undefined;
    }
  });
  if (!kinds.includes("document") && !kinds.includes("grade")) {
    refuse(line, `no column is the document or the grade. Columns that are read are ${KINDS.join(", ")}.`);
  }
  // What is not known here can be the grades, if nothing else can.
  if (left.length && !["grade", "nuggets", "score", "rank"].some((kind) => kinds.includes(kind))) {
    refuse(line, `${left[0]} is no column of a ranking. Columns are ${KINDS.join(", ")}.`);
  }
  if (left.length) notes.push(`Not read: the column${left.length > 1 ? "s" : ""} ${left.join(", ")}.`);
  return kinds;
}

/** The documents of rows whose columns have names. */
export function withHeader(kinds, rows, notes) {
  const found = rows.map(({ line, other, tied, cells }, i) => {
    if (cells.length !== kinds.length) refuse(line, `it has ${counted(cells.length)}, and the first line has ${counted(kinds.length)}.`);
    const at = (kind, without) => cells[kinds.indexOf(kind)]?.text ?? without;
    const numbers = ["score", "rank"].map((kind) => {
      const text = at(kind, null);
      if (text !== null && Number.isNaN(numberOf(text))) refuse(line, `“${text}” is not a ${kind}. Write a number.`);
      return text === null ? null : numberOf(text);
    });
    const held = { grade: gradeOf(at("grade", "-"), line), nuggets: nuggetsOf(at("nuggets", "-"), line) };
    return { line, other, tied, name: at("document", `d${i + 1}`), query: at("query", ""), numbers, ...held };
  });
  if (found.length) ofOneQuery(found.map(({ query, line }) => [query, line]));
  if (!kinds.includes("grade") && !kinds.includes("nuggets")) notes.push("No judgments were given, so no document has a grade.");
  const by = kinds.includes("score") ? 0 : kinds.includes("rank") ? 1 : -1;
  if (by < 0) return found;
  const sorted = [...found].sort((a, b) => (by ? a.numbers[1] - b.numbers[1] : b.numbers[0] - a.numbers[0]));
  return sorted.map((d, i) => ({ ...d, tied: by === 0 && i > 0 && sorted[i - 1].numbers[0] === d.numbers[0] }));
}
