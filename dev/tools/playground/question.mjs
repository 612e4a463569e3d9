// The question in one line: a number, or two, and the grades of the ranking, whatever form they have.

import { fromText } from "./paste.mjs";
import { MOST_QUERIES, queriesOf } from "./state.mjs";

const NUMBER = String.raw`0,\d+|[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?\s?%?|nan`;
const BEHIND = String.raw`(?:->|=>|→|=|gives)\s*`;
const MISSED = /\s*(?:\||;?\s*\b(?:missed|not retrieved)\b\s*:?)\s*/i;
const ALIKE = { map: "AP", mrr: "RR", precision: "P", recall: "R", prec: "P" };
const EXAMPLE = "0.9724 for 3 2 3 0 1 | 3 2";

const plain = (grade) => (grade === null ? "-" : String(grade));

/** The question that the page answers now. */
export function toQuestion(state) {
  const title = state.measure + (state.k === null ? "" : `@${state.k}`);
  const grades = (list) => list.map((d) => plain(d.grade)).join(" ");
  const one = ({ ranked, others }) => grades(ranked) + (others.length ? ` | ${grades(others)}` : "");
  const numbers = [state.value, state.theirs].filter(Boolean).join(" and ");
  return `${title}${numbers ? ` = ${numbers}` : ""} for ${queriesOf(state).map(one).join(" / ")}`;
}

/** What a line asks, as changes of the state; a part that it lacks is that of the page. */
export function fromQuestion(text, state, data) {
  let rest = text.trim();
  if (!rest) throw new Error(`Write your number and the grades, such as ${EXAMPLE}.`);
  const found = {};
  const take = (pattern) => {
    const match = new RegExp(`^(?:${pattern})`, "i").exec(rest);
    if (match) rest = rest.slice(match[0].length).trimStart();
    return match;
  };
  const names = new Map(Object.keys(data.measures).map((name) => [name.toLowerCase(), name]));
  const named = take(String.raw`(?!for\b|of\b)([a-z][a-z-]*)(?:\s?@\s?(\d+))?\s*(?:=(?!>)|:|is\b|of\b)?(?=[\s\d.[(])`);
  if (named) {
    const measure = names.get(named[1].toLowerCase()) ?? ALIKE[named[1].toLowerCase()];
    if (measure) Object.assign(found, { measure, k: named[2] ? Number(named[2]) : null });
    else if (!/^(score|number|value|mine)$/i.test(named[1])) {
      const known = Object.keys(data.measures).join(", ");
      throw new Error(`“${named[1]}” is not a measure of this page. Write one of ${known}, or the number alone.`);
    }
  }
  const last = new RegExp(`^(.*[\\d)\\]}-])\\s*${BEHIND}(${NUMBER})$`, "is").exec(rest);
  if (last) {
    rest = last[1];
    found.value = last[2];
    found.theirs = "";
  } else {
    const first = take(String.raw`(${NUMBER})(?=[\s,;:|]|$)`);
    if (!first) throw new Error(`The line has no number before the grades. Write it as in ${EXAMPLE}.`);
    found.value = first[1].trim();
    const second = take(String.raw`(?:and|vs\.?|versus|or|against)\s+(${NUMBER})(?=[\s,;:|]|$)`);
    found.theirs = second ? second[1].trim() : "";
  }
  take(String.raw`(?:(?:for|of|from|by|the|grades?)\b|[,;:]|\s)*`);
  return rest ? { ...found, ...documentsOf(rest, state) } : found;
}

/** The documents of the rest of a line; they keep their names where the grades are the page's. */
function documentsOf(text, state) {
  const queries = (text.includes("\n") ? [text] : text.split(/\s+\/\s+/)).map((part) => oneQuery(part, state));
  if (queries.length > MOST_QUERIES) throw new Error(`There are at most ${MOST_QUERIES} queries here.`);
  const grades = (all) => JSON.stringify(all.map(({ ranked, others }) => [ranked, others].map((list) => list.map((d) => d.grade))));
  const own = queries.every(({ ranked, others }) => [...ranked, ...others].every((d, i) => d.name === `d${i + 1}`));
  if (own && grades(queries) === grades(queriesOf(state))) return {};
  return { ...queries[0], queries: queries.length > 1 ? queries : [], at: 0 };
}

/** The documents of one query; "|" parts those that were retrieved from those that were missed. */
export function oneQuery(text, state) {
  const parts = text.includes("\n") ? [text] : text.split(MISSED);
  if (parts.length > 2) throw new Error("Write | once: behind it stand the grades of documents that were not retrieved.");
  return parts[1] && parts.every((part) => /^[-\d.,;\s[\]()+]*$/.test(part))
    ? apart(parts)
    : fromText(parts.filter(Boolean).join("\nnot retrieved:\n"), state);
}

/** Grades of two lists, numbered on. */
function apart(parts) {
  const [{ ranked }, { ranked: others }] = parts.map((part) => (part ? fromText(part) : { ranked: [] }));
  return { ranked, others: others.map((d, i) => ({ ...d, name: `d${ranked.length + i + 1}`, tied: false })) };
}
