// A ranking as text. What people paste is read as what it is, or refused with its line: grades
// alone, names and grades, CSV, columns of a spreadsheet, lines of TREC, JSON and Python.

import { MOST, NUGGETS, cleaned, isGrade, newDocument } from "./state.mjs";

const NUMBER = /^[-+]?\d+(\.\d+)?$/;
const NOTHING = { ranked: [], others: [] };
const ORDERS = ["ranking", "scores", "run"];
const JUDGED = ["judgments", "qrels", "nuggets"];
const COLUMNS = {
  document: ["document", "doc", "docid", "doc_id", "docno", "document_id", "id", "name", "item", "title", "url"],
  grade: ["grade", "grades", "relevance", "rel", "label", "judgment", "judgement", "rating"],
  nuggets: ["nuggets"],
  score: ["score", "scores"],
  rank: ["rank", "position"],
  query: ["query", "qid", "query_id", "topic"],
};
export const MEANING = new Map(Object.entries(COLUMNS).flatMap(([column, words]) => words.map((w) => [w, column])));

function refuse(line, sentence) {
  throw new Error(`Line ${line}: ${sentence}`);
}

/** A document to a line: name, grade or -, nuggets; = before one tied with the line above. */
export function toText(state) {
  const line = (d) =>
    [d.tied ? "=" : "", quoted(d.name), d.grade ?? "-", held(d)].filter((x) => x !== "");
  const quoted = (name) => (/[\s"=,;]|^[-+.[({]|^\d+$/.test(name) ? `"${name}"` : name);
  const held = (d) => (d.nuggets === null ? "" : d.nuggets.join("") || "0");
  const lines = (list) => list.map((d) => line(d).join(" "));
  const others = state.others.length ? ["not retrieved:", ...lines(state.others)] : [];
  return [...lines(state.ranked), ...others].join("\n");
}

/** The documents that a text lists; a part that it lacks, order or grades, is that of the page. */
export function fromText(text, page = NOTHING) {
  const clean = text.replace(/^\ufeff/, "").replace(/\r\n?/g, "\n").replace(/\u00a0/g, " ");
  const lines = clean.split("\n").map((line, i) => ({ line: i + 1, text: line }));
  const filled = lines.filter((row) => row.text.trim());
  if (!filled.length) throw new Error("The text is empty. Write a document on each line, such as d1 3.");
  if (/^\s*(\w+\s*=\s*)?[[({]/.test(clean)) return entered(ofCode(clean, page));
  const fields = filled.map((row) => ({ line: row.line, cells: row.text.trim().split(/\s+/) }));
  if (fields.every(({ cells }) => isRun(cells) || isQrels(cells))) return entered(ofTrec(fields, page));
  return entered(ofTable(filled));
}

/** The two lists, without a document twice. */
function entered(documents) {
  const found = { ranked: [], others: [] };
  const names = new Set();
  for (const { line, other, name, grade, nuggets, tied } of documents) {
    const list = other ? found.others : found.ranked;
    const known = cleaned(name);
    if (!known) refuse(line, 'write a name and a grade, such as d1 3, and a name with spaces in "quotes".');
    if (names.has(known)) refuse(line, `${known} is in the ranking twice. Write each document once.`);
    if (list.length >= MOST) refuse(line, `a ranking here has at most ${MOST} documents.`);
    names.add(known);
    list.push(newDocument(known, grade, nuggets ?? null, Boolean(tied && !other && list.length)));
  }
  return found;
}

function gradeOf(text, line) {
  if (text === null || text === "-" || text === "") return null;
  const grade = NUMBER.test(text) ? Number(text) : NaN;
  if (!isGrade(grade)) refuse(line, `${text} is not a grade. Write a number from -1000 to 1000, or - where nobody judged.`);
  return grade;
}

/** A number beside a name that nothing calls a grade: with decimals it may be a score. */
function unnamedGrade(text, line) {
  if (/^[-+]?\d*\.\d*[1-9]/.test(text ?? "")) {
    refuse(line, `${text} can be a score or a grade. Say which: a first line such as document,grade, or judgments = {...}.`);
  }
  return gradeOf(text, line);
}

function nuggetsOf(text, line) {
  if (text === "-" || text === "") return null;
  const known = [...text.toUpperCase()].filter((c) => !/[\s,]/.test(c));
  const odd = known.find((c) => !NUGGETS.includes(c) && c !== "0");
  if (odd) refuse(line, `${odd} is not a nugget. Nuggets are the letters ${NUGGETS.join(", ")}, or 0 for none.`);
  return NUGGETS.filter((nugget) => known.includes(nugget));
}

// ---- an order and judgments that come apart

/** Documents of an order, [name, score, line], with what is judged of each, name -> {grade, nuggets, line}. */
function combined(order, judged, page) {
  const shown = new Map([...page.ranked, ...page.others].map((d) => [d.name, d]));
  const graded = judged && [...judged.values()].some((held) => "grade" in held);
  const heldOf = (name) => ({
    grade: (graded ? judged : shown).get(name)?.grade ?? null,
    nuggets: judged?.get(name)?.nuggets ?? shown.get(name)?.nuggets ?? null,
  });
  const known = page.ranked.some((d) => judged?.has(d.name));
  const sorted = order ? inOrder(order) : known ? page.ranked.map(({ name, tied }) => ({ name, tied, line: 1 })) : [];
  const there = new Set(sorted.map((d) => d.name));
  const rest = [...(judged ?? [])].filter(([name]) => !there.has(name));
  const others = rest.map(([name, { line }]) => ({ name, line, other: true }));
  return [...sorted, ...others].map((d) => ({ ...d, ...heldOf(d.name) }));
}

/** By falling score; documents of one score are tied. Without scores, as given. */
function inOrder(order) {
  if (order.every(([, score]) => score === null)) return order.map(([name, , line]) => ({ name, line }));
  const bad = order.find(([, score]) => typeof score !== "number");
  if (bad) refuse(bad[2], `${bad[0]} has no score, and other documents have one. Write a score for each.`);
  const sorted = [...order].sort((a, b) => b[1] - a[1]);
  return sorted.map(([name, score, line], i) => ({ name, line, tied: i > 0 && sorted[i - 1][1] === score }));
}

function ofOneQuery(queries) {
  const [first] = queries;
  const other = queries.find(([query]) => query !== first[0]);
  if (other) refuse(other[1], `this is query ${other[0]}, and the lines before are of query ${first[0]}. Paste the lines of one query.`);
}

/** Judgments by name; a document that is judged twice is refused. */
function byName(entries) {
  const found = new Map();
  for (const { name, ...held } of entries) {
    if (found.has(name)) refuse(held.line, `${name} is judged twice. Write each document once.`);
    found.set(name, held);
  }
  return found;
}

// ---- lines of TREC files

const isRun = (cells) => cells.length === 6 && /^\d+$/.test(cells[3]) && !Number.isNaN(Number(cells[4]));
const isQrels = (cells) => cells.length === 4 && /^([01]|Q0)$/i.test(cells[1]) && /^-?\d+$/.test(cells[3]);

function ofTrec(rows, page) {
  ofOneQuery(rows.map(({ line, cells }) => [cells[0], line]));
  const run = rows.filter(({ cells }) => cells.length === 6);
  const qrels = rows.filter(({ cells }) => cells.length === 4);
  const order = run.map(({ line, cells }) => [cleaned(cells[2]), Number(cells[4]), line]);
  const judged = qrels.map(({ line, cells }) => ({ line, name: cleaned(cells[2]), grade: gradeOf(cells[3], line) }));
  return combined(run.length ? order : null, qrels.length ? byName(judged) : null, page);
}

// ---- lines of cells

function ofTable(filled) {
  const outside = (text) => text.replace(/"[^"]*"/g, "");
  const separator = ["\t", ";", ","].find((c) => filled.some(({ text }) => outside(text).includes(c)));
  let other = false;
  const rows = [];
  for (const { line, text } of filled) {
    if (/^\s*not retrieved\s*:?[\s,;]*$/i.test(text)) other = true;
    else rows.push({ line, other, ...(separator ? cellsOf(text, separator) : wordsOf(text.trim(), line)) });
  }
  if (!rows.length) return [];
  const numeric = ({ text, quoted }) => !quoted && (NUMBER.test(text) || text === "-");
  if (rows.every(({ cells, tied }) => !tied && cells.every(numeric))) {
    const several = rows.length > 1 && rows.some(({ cells }) => cells.length > 1);
    if (!several) return ofGrades(rows);
    const names = rows.every(({ cells }) => cells.length === 2) && rows.some(({ cells }) => !/^[-+]?\d$/.test(cells[0].text));
    if (!names) {
      const shown = rows[0].cells.map((c) => c.text).join(" ");
      refuse(rows[0].line, `“${shown}” can be grades alone, or a document with its grade. Write all grades on one line, or put the names in quotes.`);
    }
  }
  const titles = rows[0].cells.map(({ text }) => MEANING.get(text.toLowerCase()));
  return titles.every(Boolean) ? withHeader(titles, rows.slice(1)) : withoutHeader(rows, separator, numeric);
}

/** Cells between separators; quotes hold a cell together, and "" in them is a quote. */
function cellsOf(text, separator) {
  const parts = [];
  const tied = /^\s*=/.test(text);
  let rest = tied ? text.replace(/^\s*=/, "") : text;
  for (;;) {
    const held = /^\s*"((?:[^"]|"")*)"\s*/.exec(rest);
    const end = held && [separator, undefined].includes(rest[held[0].length]);
    const cell = end ? held[0] : rest.split(separator, 1)[0];
    parts.push({ text: end ? held[1].replaceAll('""', '"') : cell.trim(), quoted: Boolean(end) });
    if (cell.length >= rest.length) return { cells: parts, tied };
    rest = rest.slice(cell.length + 1);
  }
}

/** The words of a line: a name (in quotes, if it has spaces), a grade, nuggets; or many grades. */
function wordsOf(text, line) {
  const plain = text.split(/\s+/);
  if (plain.every((word) => NUMBER.test(word) || word === "-")) {
    return { cells: plain.map((word) => ({ text: word, quoted: false })), tied: false };
  }
  const parts = /^(=\s*)?(?:"(.*)"|([^\s"=]+))(?:\s+(\S+))?(?:\s+(\S+))?$/.exec(text);
  if (!parts) refuse(line, 'write a name and a grade, such as d1 3, and a name with spaces in "quotes".');
  const [, tied, held, bare, ...more] = parts;
  const cells = more.filter((word) => word !== undefined).map((word) => ({ text: word, quoted: false }));
  return { cells: [{ text: held ?? bare, quoted: held !== undefined }, ...cells], tied: Boolean(tied) };
}

function ofGrades(rows) {
  rows.forEach(({ line }, i) => {
    if (i > 0 && rows[i - 1].line < line - 1 && rows[i - 1].other === rows[i].other) {
      refuse(line - 1, "there is no grade. Write - for a document that nobody judged.");
    }
  });
  const grades = rows.flatMap(({ line, other, cells }) => cells.map(({ text }) => ({ line, other, grade: gradeOf(text, line) })));
  return grades.map((one, i) => ({ ...one, name: `d${i + 1}` }));
}

function withoutHeader(rows, separator, numeric) {
  const [first] = rows;
  return rows.map(({ line, other, tied, cells }) => {
    if (separator && cells.length !== first.cells.length) {
      refuse(line, `it has ${counted(cells.length)}, and line ${first.line} has ${counted(first.cells.length)}. Give each line as many.`);
    }
    if (cells.length > 3) {
      refuse(line, `it has ${counted(cells.length)}. Write a name, a grade and nuggets, or name the columns in a first line, such as document,grade.`);
    }
    const [name, grade = { text: "-" }, nuggets = { text: "-" }] = cells;
    if (cells.length === 1 && numeric(name)) {
      refuse(line, `“${name.text}” can be a grade or a name, and other lines have names. Write a name and a grade, or "${name.text}" in quotes.`);
    }
    const read = separator ? unnamedGrade : gradeOf;
    return { line, other, tied, name: name.text, grade: read(grade.text, line), nuggets: nuggetsOf(nuggets.text, line) };
  });
}

const counted = (n) => `${n} field${n === 1 ? "" : "s"}`;

function withHeader(titles, rows) {
  const twice = titles.find((title, i) => titles.indexOf(title) !== i);
  if (twice) refuse(1, `two columns are the ${twice}. Keep one of them.`);
  if (!titles.includes("document") && !titles.includes("grade")) refuse(1, "no column is the document or the grade.");
  const found = rows.map(({ line, other, tied, cells }, i) => {
    if (cells.length !== titles.length) refuse(line, `it has ${counted(cells.length)}, and the first line has ${counted(titles.length)}.`);
    const at = (title, without) => cells[titles.indexOf(title)]?.text ?? without;
    const numbers = ["score", "rank"].map((title) => {
      const text = at(title, null);
      if (text !== null && !NUMBER.test(text)) refuse(line, `“${text}” is not a ${title}. Write a number.`);
      return text === null ? null : Number(text);
    });
    const held = { grade: gradeOf(at("grade", "-"), line), nuggets: nuggetsOf(at("nuggets", "-"), line) };
    return { line, other, tied, name: at("document", `d${i + 1}`), query: at("query", ""), numbers, ...held };
  });
  if (found.length) ofOneQuery(found.map(({ query, line }) => [query, line]));
  const by = titles.includes("score") ? 0 : titles.includes("rank") ? 1 : -1;
  if (by < 0) return found;
  const sorted = [...found].sort((a, b) => (by ? a.numbers[1] - b.numbers[1] : b.numbers[0] - a.numbers[0]));
  return sorted.map((d, i) => ({ ...d, tied: by === 0 && i > 0 && sorted[i - 1].numbers[0] === d.numbers[0] }));
}

// ---- JSON and Python

/** The values of a text with their names: ranking = [...], judgments = {...}. */
function literals(text) {
  let at = 0;
  const line = () => text.slice(0, at).split("\n").length;
  const skip = () => { at += /^(\s|#[^\n]*)*/.exec(text.slice(at))[0].length; };
  const next = () => { skip(); return text[at]; };
  const odd = () => refuse(line(), at < text.length ? `“${text.slice(at, at + 10).split("\n")[0]}” is not expected here.` : "the text ends too early. A bracket may be missing.");
  const take = (sign) => { if (next() !== sign) odd(); at += 1; };
  const several = (end, one) => {
    const found = [];
    for (at += 1; next() !== end; ) {
      found.push(one());
      if (next() !== end) take(",");
    }
    at += 1;
    return found;
  };
  const entry = () => {
    skip();
    const [here, key] = [line(), value()];
    if (next() !== ":") return { key, line: here };
    at += 1;
    return { key, line: here, value: value() };
  };
  function value() {
    const sign = next();
    const here = line();
    if (sign === "[" || sign === "(") return { kind: "list", line: here, items: several(sign === "[" ? "]" : ")", value) };
    if (sign === "{") {
      const entries = several("}", entry);
      if (entries.length && entries.every((e) => e.value === undefined)) return { kind: "list", line: here, items: entries.map((e) => e.key) };
      if (entries.some((e) => e.value === undefined)) odd();
      return { kind: "dict", line: here, entries: entries.map((e) => [String(e.key.value ?? ""), e.value, e.line]) };
    }
    const rest = text.slice(at);
    const string = /^"(?:[^"\\\n]|\\.)*"|^'(?:[^'\\\n]|\\.)*'/.exec(rest)?.[0];
    const word = string ?? /^(None|null|set\(\)|[-+]?\d+(\.\d*)?(e[-+]?\d+)?)(?![\w.])/i.exec(rest)?.[0];
    if (word === undefined) odd();
    at += word.length;
    if (string) return { kind: "text", line: here, value: unescaped(string) };
    if (word === "set()") return { kind: "list", line: here, items: [] };
    return /^n/i.test(word) ? { kind: "none", line: here, value: null } : { kind: "number", line: here, value: Number(word) };
  }
  const found = [];
  while (next() !== undefined) {
    const name = /^(\w+)\s*=/.exec(text.slice(at));
    at += name ? name[0].length : 0;
    found.push({ name: name?.[1] ?? "", ...value() });
  }
  return found;
}

const ESCAPES = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f" };
const unescaped = (string) => string.slice(1, -1).replace(/\\(?:u([0-9a-f]{4})|(.))/gi, (_, code, sign) =>
  (code ? String.fromCharCode(parseInt(code, 16)) : ESCAPES[sign] ?? sign));

function ofCode(text, page) {
  let parts = literals(text);
  const [first] = parts;
  if (parts.length === 1 && first.kind === "dict" && first.entries.every(([key]) => [...ORDERS, ...JUDGED].includes(key))) {
    parts = first.entries.map(([name, held]) => ({ name, ...held }));
  }
  const order = parts.filter((part) => ORDERS.includes(part.name)).map(oneQuery);
  const judged = parts.filter((part) => JUDGED.includes(part.name)).map(oneQuery);
  if (parts.length === 1 && !order.length && !judged.length) return alone(oneQuery(first));
  if (order.length > 1 || judged.length > 1 || order.length + judged.length < parts.length) {
    refuse(parts[1]?.line ?? 1, "write one ranking = [...], and one judgments = {...}.");
  }
  return combined(order.length ? orderOf(order[0]) : null, judged.length ? byName(held(judged[0])) : null, page);
}

/** What a query holds, where a dict of queries holds one. */
function oneQuery(part) {
  const inner = part.kind === "dict" ? part.entries.map(([query, held, line]) => ({ query, held, line })) : [];
  if (!inner.length || !inner.every(({ held }) => held.kind === "dict" || (ORDERS.includes(part.name) && held.kind === "list"))) return part;
  if (inner.length > 1) refuse(inner[1].line, `this is query ${inner[1].query}, and query ${inner[0].query} stands before it. Paste one query.`);
  return { ...inner[0].held, name: part.name };
}

function orderOf({ kind, line, items, entries }) {
  if (kind === "dict") return entries.map(([name, score, at]) => [cleaned(name), score.value ?? null, at]);
  const odd = kind === "list" ? items.find((item) => item.kind !== "text") : { line };
  if (odd) refuse(odd.line, 'a ranking is a list of names in quotes, ["d1", "d2"], or names with scores, {"d1": 0.9}.');
  return items.map((item) => [cleaned(item.value), null, item.line]);
}

/** What a dict says of each document: a grade, or a list of nuggets. */
function held({ kind, line, entries, name: named }) {
  if (kind !== "dict") refuse(line, 'judgments are names with grades, {"d1": 3, "d2": 0}.');
  return entries.map(([name, value, at]) => {
    if (value.kind === "list") return { name: cleaned(name), line: at, nuggets: nuggetsOf(value.items.map((i) => i.value).join("") || "0", at) };
    const read = JUDGED.includes(named) ? gradeOf : unnamedGrade;
    return { name: cleaned(name), line: at, grade: read(value.value === null ? null : String(value.value), at) };
  });
}

/** A single value: grades, names, pairs, records, or names with grades. */
function alone(part) {
  if (part.kind === "dict") return held(part);
  const { items } = part;
  const all = (...kinds) => items.every((item) => kinds.includes(item.kind));
  if (part.kind !== "list" || !items.length) refuse(part.line, "there is no document in it.");
  if (all("number", "none")) return items.map((item, i) => ({ line: item.line, name: `d${i + 1}`, grade: gradeOf(item.value === null ? null : String(item.value), item.line) }));
  if (all("text")) return items.map((item) => ({ line: item.line, name: item.value, grade: null }));
  if (all("list") && items.every((pair) => pair.items.length === 2 && pair.items[0].kind === "text")) {
    return held({ kind: "dict", entries: items.map(({ line, items: [name, grade] }) => [name.value, grade, line]) });
  }
  if (!all("dict")) refuse(part.line, 'write grades, [3, 2, 0], or names with grades, {"d1": 3, "d2": 0}.');
  const keys = items[0].entries.map(([key]) => key);
  const titles = keys.map((key) => MEANING.get(key.toLowerCase()) ?? refuse(items[0].line, `${key} is no column of a ranking. Columns are ${Object.keys(COLUMNS).join(", ")}.`));
  return withHeader(titles, items.map(({ line, entries }) => {
    const odd = entries.length !== keys.length || keys.find((key) => !entries.some(([k]) => k === key));
    if (odd) refuse(line, `it has other keys than the first, which has ${keys.join(", ")}.`);
    return { line, cells: keys.map((key) => ({ text: String(entries.find(([k]) => k === key)[1].value ?? "") })) };
  }));
}
