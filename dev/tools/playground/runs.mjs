// A run and its judgments as files: what they hold, and what each query scores.

import { MEANING } from "./columns.mjs";
import { scored } from "./explain.mjs";
import { defaultsOf, namesOf } from "./settings.mjs";
import { idsOf } from "./state.mjs";

const MEASURES = { map: "AP", ap: "AP", mrr: "RR", precision: "P", recall: "R" };

function refuse(file, line, sentence) {
  throw new Error(`${file}${line ? `, line ${line}` : ""}: ${sentence}`);
}

/** What a file holds: a run or judgments, query by query, each document with its score or grade. */
export function fromFile(name, text, kind = null) {
  const clean = text.replace(/^\ufeff/, "");
  if (!clean.trim()) refuse(name, 0, "the file is empty.");
  if (/[\u0000-\u0008\u001f]/.test(clean.slice(0, 1000))) refuse(name, 0, "it holds no text. If it is packed, as .gz and .zip are, unpack it first.");
  if (/^\s*[{[]/.test(clean)) return ofJson(name, clean, kind);
  const lines = clean.split(/\r\n?|\n/);
  const first = lines.findIndex((line) => line.trim());
  const words = lines[first].trim().split(/\s+/);
  if (words.length === 6 && !Number.isNaN(Number(words[4]))) return ofTrec(name, lines, "run", kind);
  if (words.length === 4 && !Number.isNaN(Number(words[3]))) return ofTrec(name, lines, "qrels", kind);
  return ofTable(name, lines, first, kind);
}

/** Gathers lines of query, document and number; a document that stands twice is refused. */
function gatherer(file, kind) {
  const queries = new Map();
  const add = (query, document, number, line) => {
    if (!Number.isFinite(number)) refuse(file, line, `document ${document} of query ${query} has no number as its ${kind === "run" ? "score" : "grade"}.`);
    if (!queries.has(query)) queries.set(query, new Map());
    const held = queries.get(query);
    if (held.has(document)) refuse(file, line, `query ${query} has document ${document} twice. Write each document once.`);
    held.set(document, number);
  };
  return { found: { file, kind, queries }, add };
}

const numberOf = (text) => (text === undefined || text.trim() === "" ? NaN : Number(text));

function asAsked(file, kind, asked) {
  const called = { run: "a run", qrels: "judgments" };
  if (asked && asked !== kind) refuse(file, 0, `these are ${called[kind]}. Choose the file of ${called[asked]}.`);
  return kind;
}

function ofTrec(file, lines, kind, asked) {
  const { found, add } = gatherer(file, asAsked(file, kind, asked));
  const size = kind === "run" ? 6 : 4;
  lines.forEach((text, i) => {
    const cells = text.trim().split(/\s+/);
    if (cells[0] === "") return;
    if (cells.length !== size) refuse(file, i + 1, `it has ${cells.length} fields, and the first line has ${size}.`);
    add(cells[0], cells[2], numberOf(cells[size === 6 ? 4 : 3]), i + 1);
  });
  return found;
}

function ofTable(file, lines, first, asked) {
  const separator = ["\t", ";", ","].find((c) => lines[first].includes(c));
  const cells = (text) => text.split(separator).map((cell) => cell.trim().replace(/^"(.*)"$/, "$1"));
  const titles = separator ? cells(lines[first]).map((title) => MEANING.get(title.toLowerCase())) : [];
  const at = (title) => titles.indexOf(title);
  const by = ["grade", "score", "rank"].find((title) => at(title) >= 0);
  if (at("query") < 0 || at("document") < 0 || !by) {
    refuse(file, first + 1, "this is no line of a TREC run (6 fields) or of judgments (4), and it names no columns query, document and score or grade.");
  }
  const { found, add } = gatherer(file, asAsked(file, by === "grade" ? "qrels" : "run", asked));
  lines.forEach((text, i) => {
    if (i <= first || !text.trim()) return;
    const own = cells(text);
    if (own.length !== titles.length) refuse(file, i + 1, `it has ${own.length} fields, and the first line has ${titles.length}.`);
    const number = numberOf(own[at(by)]);
    add(own[at("query")], own[at("document")], by === "rank" ? -number : number, i + 1);
  });
  return found;
}

/** JSON: query -> document -> number, or query -> documents in order. */
function ofJson(file, text, asked) {
  let all;
  try {
    all = JSON.parse(text);
  } catch (error) {
    refuse(file, 0, `this is not JSON: ${error.message}.`);
  }
  const queries = Array.isArray(all) ? [] : Object.entries(all);
  const held = queries.map(([, documents]) => documents);
  const isObject = (x) => x !== null && typeof x === "object";
  if (!queries.length || !held.every(isObject)) refuse(file, 0, 'write {"query": {"document": number}}, or {"query": ["document", ...]} for a run.');
  const lists = held.some(Array.isArray);
  const real = !lists && held.some((documents) => Object.values(documents).some((x) => !Number.isInteger(x)));
  const kind = asked ?? (lists || real ? "run" : /qrel|judg|truth|gold|label/i.test(file) ? "qrels" : /run|result/i.test(file) ? "run" : null);
  if (kind === null) refuse(file, 0, "it can be a run or judgments. Choose it with one of the two buttons.");
  const { found, add } = gatherer(file, kind);
  for (const [query, documents] of queries) {
    if (Array.isArray(documents)) documents.forEach((d, i) => add(query, String(d), -i, 0));
    else for (const [d, x] of Object.entries(documents)) add(query, d, typeof x === "number" ? x : NaN, 0);
  }
  return found;
}

/** The measures that a text lists: nDCG@10, AP. */
export function measuresOf(text, data) {
  const known = Object.keys(data.measures).filter((name) => !data.measures[name].nuggets);
  const names = new Map(known.map((name) => [name.toLowerCase(), name]));
  return text.split(/[\s,]+/).filter(Boolean).map((word) => {
    const [, name, cut] = /^([a-z-]+)(?:@(\d+))?$/i.exec(word) ?? [];
    const metric = names.get(name?.toLowerCase()) ?? MEASURES[name?.toLowerCase()];
    if (!metric) throw new Error(`“${word}” is not a measure of this page. Write some of ${known.join(", ")}, such as nDCG@10.`);
    if (cut !== undefined && (!data.measures[metric].cutoff || Number(cut) < 1)) throw new Error(`${metric} has no cut-off ${cut}.`);
    return { title: word, metric, k: cut === undefined ? null : Number(cut) };
  });
}

/** What a library says of a measure, or what our evaluate does; null where it has no such measure. */
export function saidBy(data, library, { metric, k }) {
  const defaults = defaultsOf(data.measures[metric]);
  if (!library) return { ...defaults, ...data.of_runs[metric] };
  return namesOf(data, metric, k, defaults, []).find((one) => one.library.name === library)?.said ?? null;
}

/** The inputs of all judged queries; ids stand in the order of the bytes of the names. */
export function inputsOf(run, qrels) {
  if (![...qrels.queries.keys()].some((query) => run.queries.has(query))) {
    const [ran, judged] = [run, qrels].map(({ queries }) => [...queries.keys()][0]);
    throw new Error(`No query of the run is judged. Compare the ids: the run has ${ran}, and the judgments have ${judged}.`);
  }
  return [...qrels.queries].map(([query, grades]) => {
    const retrieved = run.queries.get(query) ?? new Map();
    const id = idsOf([...new Set([...retrieved.keys(), ...grades.keys()])]);
    const own = (held) => Object.fromEntries([...held].map(([d, x]) => [id.get(d), x]));
    return { query, retrieved, grades, given: { scores: own(retrieved), judgments: own(grades) } };
  });
}

/** Scores of each query, and their means: a score is null where a convention leaves the query out. */
export function evaluated(inputs, measures, data, library = "") {
  const leaves = data.libraries.find(({ name }) => name === library)?.missing === "skip";
  const columns = measures.map((measure) => {
    const said = saidBy(data, library, measure);
    if (!said) return { refused: `${library} has no ${measure.title}` };
    const skip = said.no_relevant === "skip";
    const scores = [];
    for (const { query, given, retrieved } of inputs) {
      if (leaves && retrieved.size === 0) {
        scores.push(null);
        continue;
      }
      const { score, refused } = scored(measure.metric, given, measure.k, said);
      if (refused) return { refused: `query ${query}: ${refused}` };
      scores.push(skip && Number.isNaN(score) ? null : score);
    }
    const counted = scores.filter((x) => x !== null);
    return { scores, mean: counted.reduce((a, b) => a + b, 0) / counted.length };
  });
  return columns;
}
