// A ranking as text. What people paste is read as what it is, or refused with its line: grades
// alone, names and grades, CSV, columns of a spreadsheet, printed tables, lines of TREC, JSON, Python.

import { gradeOf, gradesOf, isGradeWord, isNumber, nuggetsOf, refuseGlued, unnamedGrade } from "./cells.mjs";
import { plainly } from "./characters.mjs";
import { MEANING, isSeries, meaningOf, unframed, unnumbered, withoutNoise } from "./columns.mjs";
import { NOTHING, byName, columnsOf, combined, counted, entered, ofOneQuery, withHeader } from "./documents.mjs";
import { untyped } from "./foreign.mjs";
import { isLiteral, refuse } from "./literals.mjs";
import { ofLiterals } from "./programs.mjs";
import { cleaned } from "./state.mjs";

const SIMPLE = /^[\p{L}_][\p{L}\p{N}\p{M}_./@#-]*$/u;
const MISSED = String.raw`not retrieved|unretrieved|not found|missed|missing|未检索到|未召回|未検索`;
const SECTION = new RegExp(String.raw`^\s*(?:${MISSED})\s*(?:$|:\s*(.*)$|[\s,;]*$)`, "i");
const RETRIEVED = /^\s*(?:retrieved|ranking|ranked)\s*:\s*(.*)$/i;
const BARS = new RegExp(String.raw`\s*(?:\||\s\+\s|[,;(]?\s*(?:\+\s*)?\b(?:${MISSED})\b\s*:?)\s*`, "i");
const NO_NAME = /^(?:[^\p{L}\d]+|[^\p{L}]*[^\p{L}\d_.:/#-][^\p{L}]*|[-+]?inf(?:inity)?|\d+\/\d+|[\p{L}_]+[:=]\d.*)$/iu;
const NONE = /^\s*nothing\s*$/i;

/** A document to a line: name, grade or -, nuggets; = before one tied with the line above. */
export function toText(state) {
  const line = (d) =>
    [d.tied ? "=" : "", quoted(d.name), d.grade ?? "-", held(d)].filter((x) => x !== "");
  const held = (d) => (d.nuggets === null ? "" : d.nuggets.join("") || "0");
  const lines = (list) => list.map((d) => line(d).join(" "));
  const others = state.others.length ? ["not retrieved:", ...lines(state.others)] : [];
  return [...lines(state.ranked), ...others].join("\n");
}

/** A name as it is, or in quotes where it could be read as something else. */
function quoted(name) {
  const plain = SIMPLE.test(name) && !isGradeWord(name) && !NO_NAME.test(name) && !MEANING.has(name.toLowerCase()) && !isReserved(name);
  return plain ? name : `"${name.replaceAll('"', '""')}"`;
}

const isReserved = (name) => SECTION.test(name) || RETRIEVED.test(name) || NONE.test(name) || /^(?:import|from|name|dtype|length|shape)$/i.test(name);

/** The documents that a text lists; a part that it lacks, order or grades, is what somebody gave before. */
export function fromText(text, page = NOTHING) {
  const { queries } = readText(text, page);
  if (queries.length > 1) refuse(1, `these are ${queries.length} rankings. Paste one here, or all of them behind a number in the question, with / between them.`);
  return queries[0];
}

/** What a text holds: the documents of each query, notes on what was left out, and what a call of a
 * metric names. `nuggets` says that a line of letters is nuggets, `comma` that decimals have a comma. */
export function readText(text, page = NOTHING, how = {}) {
  const clean = untyped(plainly(text));
  if (!clean.trim()) throw new Error("The text is empty. Write a document on each line, such as d1 3.");
  const notes = [];
  const lines = withoutNoise(clean.split("\n").map((own, i) => ({ line: i + 1, text: own })));
  const bare = lines.map((row) => row.text).join("\n");
  if (isLiteral(bare) && !isTwoLists(bare)) {
    const { queries, ...called } = ofLiterals(bare, page, notes);
    return { queries: queries.map(entered), notes, ...called };
  }
  return { queries: [entered(ofLines(lines, page, notes, how))], notes };
}

/** Whether one line has two lists, the second of what was missed: [3, 2] | [1]. */
const isTwoLists = (text) => !text.trim().includes("\n") && BARS.test(text.replace(/"[^"]*"/g, ""));

function ofLines(lines, page, notes, how) {
  const series = isSeries(lines);
  const table = unframed(lines) ?? unnumbered(lines);
  noEmptyRow(lines);
  const filled = (table ?? lines).filter((row) => row.text.trim());
  if (!filled.length) throw new Error("The text holds no document. Write a document on each line, such as d1 3.");
  const rows = table ? filled.map((row) => ({ ...row, other: false })) : sectionsOf(filled);
  const numbers = rows.length > 1 && isNumericQrels(rows);
  const grades = numbers ? null : ofGradeLines(rows, lines, how);
  if (grades) return grades;
  const fields = rows.map((row) => ({ ...row, cells: row.text.trim().split(/\s+/) }));
  return ofTrec(fields, page, notes) ?? ofTable(rows, notes, series);
}

/** A row of empty cells between others may be a document that nobody judged. */
function noEmptyRow(lines) {
  const last = lines.findLastIndex((row) => row.text.trim());
  const empty = lines.find((row, i) => i > 0 && i < last && /^\s*\t\s*$/.test(row.text));
  if (empty) refuse(empty.line, "its cells are empty. Delete the row, or write a name, and - for the grade that nobody gave.");
}

/** The lines of each part: what was retrieved, and behind "not retrieved:" or | what was missed. */
function sectionsOf(filled) {
  const rows = [];
  let other = false;
  const enter = (line, text) => text.trim() && !NONE.test(text) && rows.push({ line, text, other });
  for (const { line, text } of filled.length === 1 ? parted(filled[0]) : filled) {
    const [section, retrieved] = [SECTION.exec(text), RETRIEVED.exec(text)];
    if (section) {
      other = true;
      enter(line, section[1] ?? "");
    } else if (retrieved) {
      other = false;
      enter(line, retrieved[1]);
    } else enter(line, text);
  }
  return rows;
}

/** One line as two, where a sign or a word parts what was retrieved from what was missed. */
function parted({ line, text }) {
  if (text.includes('"') || SECTION.test(text)) return [{ line, text }];
  const parts = text.split(BARS);
  if (parts.length > 2) throw new Error("Write | once: behind it stand the grades of documents that were not retrieved.");
  if (parts.length < 2) return [{ line, text }];
  const listed = parts.map((part) => withoutBrackets(part.trim().replace(/[,;(]+$/, "")));
  const closed = text.includes("(") ? listed.map((part) => part.replace(/\)$/, "")) : listed;
  return [{ line, text: closed[0] }, { line, text: "not retrieved:" }, { line, text: closed[1] }];
}

/** A list without its brackets; those around a single number say that it is one grade. */
function withoutBrackets(text) {
  const inner = /^\s*[[(]([^[\](){}]*)[\])]\s*$/.exec(text)?.[1];
  return inner === undefined || ONE_GRADE.test(text) ? text : inner;
}

const ONE_GRADE = /^\s*\[\s*([-+]?[\d.]+)\s*\]\s*$/;


// ---- grades alone

/** The documents of lines that hold nothing but grades; null where some line holds something else. */
function ofGradeLines(rows, lines, how) {
  const several = new Set(rows.map((row) => row.other)).size < rows.length;
  const plain = rows.map((row) => ONE_GRADE.exec(row.text)?.[1] ?? (rows.length === 1 ? withoutLabel(row.text) : row.text));
  const read = rows.map((row, i) => gradesOf(plain[i], row.line, how));
  if (read.includes(null)) return null;
  rows.forEach((row) => rows.filter(({ other }) => other === row.other).length === 1 && refuseGlued(withoutLabel(row.text), row.line));
  const wide = read.filter((one) => one.length > 1);
  if (several && wide.length) {
    if (isNumbering(rows, read)) return numbered(rows.map((row, i) => [{ ...read[i][1], other: row.other }]));
    if (isPairs(rows, read)) return null;
    refuse(rows[0].line, `“${read[0].map((d) => d.grade ?? "-").join(" ")}” can be grades alone, or a document with its grade. Write all grades on one line, or put the names in quotes.`);
  }
  if (!wide.length) noGap(rows, lines);
  return numbered(read.map((one, i) => one.map((d) => ({ ...d, other: rows[i].other }))));
}

/** "grades = 3, 2, 0" without its label, and without quotes around all of them. */
function withoutLabel(text) {
  const bare = text.replace(/^\s*[A-Za-z_]\w*\s*[=:]\s*(?=["'\d.-]+[\s,;]+["'\d.~-])/, "");
  return /^\s*(["'])([-\d.]+[\s,;][-\d.,;\s]*)\1\s*$/.exec(bare)?.[2] ?? bare;
}

const numbered = (lists) => lists.flat().map((one, i) => ({ ...one, name: `d${i + 1}` }));

/** Between grades that stand one below the other an empty line can be a document that nobody judged. */
function noGap(rows, lines) {
  const empty = new Set(lines.filter((row) => !row.text.trim()).map((row) => row.line));
  rows.forEach(({ line, other }, i) => {
    const before = rows[i - 1];
    if (before && before.other === other && before.line < line - 1 && empty.has(line - 1)) {
      refuse(line - 1, "there is no grade. Write - for a document that nobody judged.");
    }
  });
}

/** Whether the first column counts the lines from 0, as printed columns do. */
const isNumbering = (rows, read) => rows.length > 1
  && read.every((one, i) => one.length === 2 && one[0].grade === i && /^\s*\d+\s/.test(rows[i].text));

/** Two columns whose first is more than a digit: names that are numbers. */
const isPairs = (rows, read) => read.every((one) => one.length === 2)
  && rows.some((row) => !/^[-+]?\d$/.test(row.text.trim().split(/[\s,;]+/)[0]));

function isNumericQrels(rows) {
  const cells = rows.map((row) => row.text.trim().split(/\s+/));
  return cells.every((own) => own.length === 4 && own[1] === "0" && own[0] === cells[0][0]) && cells.some((own) => own[2].length > 3);
}

// ---- lines of TREC files

const isName = (cell) => !isGradeWord(cell) && !NO_NAME.test(cell);
const isQ0 = (cell) => /^Q0$/i.test(cell);

const PROSE = /^(?:for|of|from|with|is|are|and|got|was|by)$/i; // words of a sentence, and no names

/** A line of a run has Q0, or a name for its query, its document or its system. */
const isRun = (cells) => cells.length === 6 && !cells.some((cell) => PROSE.test(cell)) && /^\d+$/.test(cells[3]) && isNumber(cells[4])
  && (isQ0(cells[1]) || [cells[0], cells[2], cells[5]].some(isName));
const isUntagged = (cells) => cells.length === 5 && isQ0(cells[1]) && /^\d+$/.test(cells[3]) && isNumber(cells[4]);
const isQrels = (cells) => cells.length === 4 && (/^[01]$/.test(cells[1]) || isQ0(cells[1])) && /^-?\d+$/.test(cells[3])
  && [cells[0], cells[2]].some(isName) && !/^\d$/.test(cells[2]) && !PROSE.test(cells[0]);

function ofTrec(fields, page, notes) {
  if (fields.some(({ text }) => text.includes('"'))) return null;
  const numeric = isNumericQrels(fields) && fields.length > 1;
  const ofRun = ({ cells }) => isRun(cells) || isUntagged(cells);
  const ofQrels = ({ cells }) => isQrels(cells) || numeric;
  if (isThree(fields)) return ofThree(fields, page, notes);
  if (!fields.every((row) => ofRun(row) || ofQrels(row))) return null;
  ofOneQuery(fields.map(({ line, cells }) => [cells[0], line]));
  const run = fields.filter(ofRun);
  const qrels = fields.filter((row) => !ofRun(row));
  const order = run.map(({ line, cells }) => [cleaned(cells[2]), Number(cells[4]), line]);
  const judged = qrels.map(({ line, cells }) => ({ line, name: cleaned(cells[2]), grade: gradeOf(cells[3], line) }));
  return combined(run.length ? order : null, qrels.length ? byName(judged) : null, page, notes);
}

/** Lines of query, document and rank, as runs of MS MARCO have them. */
const isThree = (fields) => fields.length > 1 && fields.every(({ cells }) => cells.length === 3
  && cells[0] === fields[0].cells[0] && isName(cells[1]) && isNumber(cells[2]));

function ofThree(fields, page, notes) {
  if (!fields.every(({ cells }, i) => Number(cells[2]) === i + 1)) {
    refuse(fields[0].line, "the third field can be a rank, a score or a grade. Name the columns in a first line: query document grade.");
  }
  return combined(fields.map(({ line, cells }) => [cleaned(cells[1]), null, line]), null, page, notes);
}

// ---- lines of cells

function ofTable(given, notes, series) {
  const outside = (text) => text.replace(/"[^"]*"/g, "");
  const separator = ["\t", ";", ","].find((c) => given.some(({ text }) => outside(text).includes(c)))
    ?? (given.length > 1 && given.every(({ text }) => /^[^|]+\|[^|]+$/.test(outside(text))) ? "|" : undefined);
  const spaced = !separator && hasHeader(given);
  const cellsIn = (text, line) => (separator ? cellsOf(text, separator) : spaced ? plainCells(text) : wordsOf(text.trim(), line));
  const pairs = pairsOf(given, separator);
  const rows = pairs ?? given.map(({ line, other, text }) => ({ line, other, ...cellsIn(text, line) }));
  if (!rows.length) return [];
  if (separator && isNumbered(rows)) rows.forEach((row) => row.cells.shift());
  const [first] = rows;
  const titles = first.cells.map(({ text }) => text);
  const exact = titles.every((title) => MEANING.has(title.toLowerCase()));
  const some = separator && titles.some((title) => ["document", "grade"].includes(meaningOf(title)));
  const words = first.cells.every(({ text }) => !isGradeWord(text));
  const below = rows.slice(1).some(({ cells }) => cells.some(({ text }) => isGradeWord(text)));
  if (words && (exact || spaced || (some && below))) return withHeader(columnsOf(titles, first.line, notes), rows.slice(1), notes);
  if (series && rows.every(({ cells }, i) => cells.length === 2 && cells[0].text === String(i))) {
    return numbered(rows.map(({ line, cells }) => [{ line, grade: gradeOf(cells[1].text, line) }]));
  }
  return withoutHeader(rows, separator, notes);
}

/** Whether the first column has no title and counts the rows from 0 or 1, as files of pandas have it. */
const isNumbered = ([head, ...rows]) => rows.length > 0 && head.cells[0].text === "" && head.cells.length > 1
  && [0, 1].some((start) => rows.every(({ cells }, i) => cells[0].text === String(i + start)));

/** Whether the words of the first line name columns, and all lines have as many words. */
function hasHeader(rows) {
  const cells = rows.map((row) => row.text.trim().split(/\s+/));
  const kinds = cells[0].map((title) => MEANING.get(title.toLowerCase()));
  const named = kinds.filter((kind) => kind === "document" || kind === "grade").length;
  return rows.length > 1 && named > 0 && kinds.filter(Boolean).length > 1 && cells.every((own) => own.length === cells[0].length);
}

const plainCells = (text) => ({ cells: text.trim().split(/\s+/).map((word) => ({ text: word, quoted: false })), tied: false });

/** Names with grades behind a colon, an equals sign or an arrow: d1: 3, d2: 0. */
function pairsOf(rows, separator) {
  const pair = /^\s*(?:"((?:[^"]|"")*)"|([^\s"=:,→>]+))\s*(?::|=|->|→|,)\s*([^\s,]+)\s*$/;
  const read = (line, other, text) => {
    const found = pair.exec(text);
    if (!found || !isGradeWord(found[3])) return null;
    return { line, other, tied: false, cells: [{ text: found[1] ?? found[2], quoted: true }, { text: found[3], quoted: false }] };
  };
  const between = { "\t": /\t/, ";": /;/ };
  const by = between[separator] ?? /,|\s+(?=[^\s:=]+\s*[:=])/;
  const range = rows.length === 1 && /^\s*(\d+)\s*:\s*(\d+)\s*$/.exec(rows[0].text);
  if (range) {
    refuse(rows[0].line, `“${range[0].trim()}” can be a range, or a document with its grade. Write grades with spaces, such as 3 2 0, or the name in quotes: "${range[1]}" ${range[2]}.`);
  }
  if (separator && separator !== ";" && rows.length > 1) return null;
  const found = rows.flatMap(({ line, other, text }) => {
    const parts = rows.length === 1 ? text.split(by).filter((part) => part.trim()) : [text];
    return parts.map((part) => read(line, other, part));
  });
  return found.includes(null) ? null : found;
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

/** The words of a line: a name (in quotes, if it has spaces), a grade, nuggets. */
function wordsOf(text, line) {
  const parts = /^(=\s*)?(?:"(.*)"|([^\s"=]+))(?:\s+(\S+))?(?:\s+(\S+))?$/.exec(text);
  if (!parts) refuse(line, `“${shortened(text)}” is neither grades alone, such as 3 2 0, nor a name with its grade, such as d1 3. Put a name with spaces in "quotes".`);
  const [, tied, held, bare, ...more] = parts;
  const cells = more.filter((word) => word !== undefined).map((word) => ({ text: word, quoted: false }));
  const name = held?.replaceAll('""', '"') ?? bare;
  return { cells: [{ text: name, quoted: held !== undefined }, ...cells], tied: Boolean(tied) };
}

const shortened = (text) => (text.length > 30 ? `${text.slice(0, 30)}...` : text);

function withoutHeader(rows, separator, notes) {
  const [first] = rows;
  const only = rows.length === 1 && first.cells.length === 1 ? first.cells[0] : null;
  if (only && !only.quoted && /^[\d\W_]+$/.test(only.text) && /\d.*\d/.test(only.text)) {
    refuse(first.line, `“${shortened(only.text)}” can be grades. Write spaces or commas between them, such as 3 2 0, or a name in quotes.`);
  }
  if (rows.every(({ cells }) => cells.length === 1)) notes.push("No judgments were given, so no document has a grade.");
  return rows.map(({ line, other, tied, cells }) => {
    if (separator && cells.length !== first.cells.length) {
      refuse(line, `it has ${counted(cells.length)}, and line ${first.line} has ${counted(first.cells.length)}. Give each line as many.`);
    }
    if (cells.length > 3) {
      refuse(line, `it has ${counted(cells.length)}. Write a name, a grade and nuggets, or name the columns in a first line, such as document,grade.`);
    }
    const [name, grade = { text: "-" }, nuggets = { text: "-" }] = cells;
    if (cells.length === 1 && !name.quoted && isGradeWord(name.text)) {
      refuse(line, `“${name.text}” can be a grade or a name, and other lines have names. Write a name and a grade, or "${name.text}" in quotes.`);
    }
    if (separator && !name.quoted && rows.length === 1 && /[=[\]{}<>]/.test(name.text)) {
      refuse(line, `“${shortened(name.text)}” is not read as a name. Write the grades alone, such as 3 2 0, or the name in "quotes".`);
    }
    if (!name.quoted && rows.length === 1 && MEANING.has(name.text.toLowerCase())) {
      refuse(line, `“${name.text}” names a column. Write the grades alone, such as 3 2 0, or "${name.text}" in quotes if it is a document.`);
    }
    if (!name.quoted && NO_NAME.test(name.text)) {
      refuse(line, `“${name.text}” is neither a name nor a grade. Write grades as numbers, such as 3, and such a name in "quotes".`);
    }
    const read = separator ? unnamedGrade : gradeOf;
    return { line, other, tied, name: name.text, grade: read(grade.text, line), nuggets: nuggetsOf(nuggets.text, line) };
  });
}
