// The single cell of a text: a grade, nuggets, or neither.

import { refuse } from "./literals.mjs";
import { NUGGETS, isGrade } from "./state.mjs";

const NUMBER = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i;
const DECIMAL_COMMA = /^[-+]?\d+,\d+$/;
const UNJUDGED = /^(?:-|\?|nan|na|n\/a|<na>|none|null|nil)$/i;
const TRUTH = { true: 1, false: 0 };
const ANSWERS = {
  y: 1, n: 0, yes: 1, no: 0, t: 1, f: 0, r: 1, rel: 1, nonrel: 0, relevant: 1, nonrelevant: 0, irrelevant: 0, hit: 1, miss: 0,
  "✓": 1, "✔": 1, "✗": 0, "✘": 0,
};

export const isNumber = (text) => NUMBER.test(text);

/** Whether a word alone is a grade, or says that there is none. */
export const isGradeWord = (text) => NUMBER.test(text) || UNJUDGED.test(text) || text.toLowerCase() in TRUTH;

/** The number of a cell, NaN for other text; the comma of a decimal is read where the cell has one. */
export function numberOf(text) {
  if (NUMBER.test(text)) return Number(text);
  if (DECIMAL_COMMA.test(text)) return Number(text.replace(",", "."));
  return TRUTH[text.toLowerCase()] ?? NaN;
}

export function gradeOf(text, line) {
  if (text === null || text === "" || UNJUDGED.test(text)) return null;
  const grade = numberOf(text);
  const joined = /^\d{4,12}$/.test(text) ? ` If it is the grades of several documents, put blanks between them: ${[...text].join(" ")}.` : "";
  if (!isGrade(grade)) refuse(line, `${text} is not a grade. Write a number from -1000 to 1000, or - where nobody judged.${joined}`);
  return grade;
}

/** A number beside a name that nothing calls a grade: with decimals it may be a score. */
export function unnamedGrade(text, line) {
  if (/^[-+]?\d*[.,]\d*[1-9]/.test(text ?? "")) {
    refuse(line, `${text} can be a score or a grade. Say which: a first line such as document,grade, or judgments = {...}.`);
  }
  return gradeOf(text, line);
}

/** Digits without a space that stand alone: one grade, or those of several documents. */
export function refuseGlued(text, line) {
  const bare = text.trim();
  if (/^\d{2,}$/.test(bare)) {
    refuse(line, `“${bare}” can be one grade, or the grades of ${bare.length} documents. Write ${[...bare].join(" ")} for these, or [${bare}] for one document.`);
  }
  const words = bare.split(/[\s,;]+/);
  if (words.length > 1 && words.every((word) => /^[01]{3,}$/.test(word)) && words.some((word) => !/^10+$/.test(word))) {
    refuse(line, `“${words[0]}” can be one grade, or the grades of ${words[0].length} documents. Write ${[...words[0]].join(" ")} for these and / between queries, or [${words.join(", ")}].`);
  }
}

export function nuggetsOf(text, line) {
  if (text === "-" || text === "") return null;
  const known = [...text.toUpperCase()].filter((c) => !/[\s,]/.test(c));
  const odd = known.find((c) => !NUGGETS.includes(c) && c !== "0");
  if (odd && !/\p{L}/u.test(odd)) {
    refuse(line, `“${text}” is neither a grade nor nuggets. Write grades with the same sign between them, such as 3 2 0.`);
  }
  if (odd) refuse(line, `${odd} is not a nugget. Nuggets are the letters ${NUGGETS.join(", ")}, or 0 for none.`);
  return NUGGETS.filter((nugget) => known.includes(nugget));
}

/** Grades in one line, with spaces, commas or semicolons between them and ~ between those that tie;
 * null where some word is no grade. `comma` says that the decimals of the text have a comma. */
export function gradesOf(text, line, { comma = false, nuggets = false } = {}) {
  const bare = text.trim().replace(/[,;]+$/, "").trim();
  if (!bare) return null;
  const words = wordsOf(bare, comma, line);
  if (words.length > 1 && words.every(({ text: word }) => word.toLowerCase() in ANSWERS)) {
    return words.map(({ text: word, tied }) => ({ grade: ANSWERS[word.toLowerCase()], nuggets: null, line, tied }));
  }
  const odd = words.find(({ text: word }) => /^[-+]?0\d+$/.test(word));
  if (odd && words.every(({ text: word }) => isGradeWord(word))) {
    refuse(line, `“${odd.text}” begins with 0. Write spaces between grades, such as 1 0 1, and no separators within a number.`);
  }
  if (/;/.test(bare) && !comma && bare.split(";").some((part) => /\S\s+\S/.test(part.replace(/\s*~\s*/g, "~").trim())) && words.every(({ text: word }) => isGradeWord(word))) {
    refuse(line, "“;” can stand between grades or between queries. Write / between queries, and spaces between grades.");
  }
  const read = nuggets && words.some(({ text: word }) => /[A-E]|:/i.test(word)) ? nuggetWord : gradeWord;
  const found = words.map(({ text: word, tied }) => {
    const cell = read(word, line);
    return cell && { ...cell, line, tied };
  });
  if (found.includes(null)) return null;
  if (/^[,;]/.test(bare)) refuse(line, "the grades begin with a comma. Write - for a document that nobody judged.");
  if (/[,;]\s*[,;]/.test(bare)) refuse(line, "two commas stand side by side. Write - for a document that nobody judged.");
  return found;
}

/** The words of a line of grades; a word behind ~ is tied with the one before. */
function wordsOf(text, comma, line) {
  const spaced = text.replace(/\s*~\s*/g, " ~").trim();
  const between = decimals(spaced, comma, line) ? /[\s;]+/ : /[\s,;]+/;
  return spaced.split(between).filter(Boolean).map((word) => ({
    text: word.replace(/^~/, ""),
    tied: word.startsWith("~"),
  }));
}

/** Whether commas stand within numbers, as in 0,5 1,0 0,0. */
function decimals(text, comma, line) {
  const words = text.split(/[\s;]+/).filter(Boolean);
  const within = (word) => /^~?[-+]?\d+,\d+$/.test(word);
  const some = words.some(within);
  if (!some || words.length < 2 || !words.every((word) => within(word) || isGradeWord(word.replace(/^~/, "")))) return false;
  if (comma || text.includes(";")) return true;
  if (words.every(within)) refuse(line, `“${text}” can be decimals, as ${words[0].replace(",", ".")}, or two grades each. Write decimals with a point.`);
  return false;
}

function gradeWord(word, line) {
  if (!isGradeWord(word) && !DECIMAL_COMMA.test(word)) return null;
  return { grade: gradeOf(word, line), nuggets: null };
}

/** A word of a line of nuggets: AB, 0 for none, - for nobody judged, or 3:AB with a grade before. */
function nuggetWord(word, line) {
  const parts = /^(?:([^:]*):)?([A-E]+|0|-)$/i.exec(word);
  if (!parts || (parts[1] && !isGradeWord(parts[1]))) return null;
  return { grade: gradeOf(parts[1] ?? "-", line), nuggets: nuggetsOf(parts[2], line) };
}
