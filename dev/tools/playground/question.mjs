// The question in one line: a number, or two, and the grades of the ranking, whatever form they have.

import { plainly, visible } from "./characters.mjs";
import { withBareNumber, withResult } from "./foreign.mjs";
import { looksLike } from "./looks.mjs";
import { checkedCutoff, measureAt, pageOf } from "./names.mjs";
import { readText } from "./paste.mjs";
import { printed } from "./printed.mjs";
import { MOST_QUERIES, queriesOf } from "./state.mjs";

const POINT = String.raw`[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?`;
const COMMA = String.raw`[-+]?\d+,\d+(?=\s?%|\s*$|\s*\n|\s+[a-z]|\s*[:;=|])|0,\d{2,}(?!,)`;
const NUMBER = String.raw`(?:(?:${COMMA}|${POINT})\s?%?|nan)`;
const END = String.raw`(?=[\s,;:|@(\[]|[^\x00-\x7f]|$)`;
const BEHIND = new RegExp(String.raw`^(.*[\p{L}\d)\]}~-])\s*(?:->|=>|→|==?|gives|is)\s*(${NUMBER})$`, "isu");
const FOR = /^(?:(?:for|of|from|by|on|with|the|given)(?![\p{L}\d_])|(?:grades?|ranking|relevance)(?![\p{L}\d_]|\s*=\s*[[({])|(?:when|where|if|are|were)(?![\p{L}\d_])|(?:für|mit|pour|avec|para|con|com|med|voor|för|för|для)(?![\p{L}\d_])|对于|对|关于|的|用|(?:等级|相关性|评分|関連度|評価)(?:为|是|は)?|で|について|の)\s*[:=]?/iu;
const AND = /^\s*,?\s*(?:(?:and|vs\.?|versus|or|against|not|but|got|instead\s+of|和|与|&)\s+|[!=]=\s*)/i;
const OWN = /^(?:score|number|value|mine|my|our|i\s+get|got|result|assert|expected|why(?:\s+(?:is|are|does|do\s+i\s+get))?|what\s+(?:is|are|does)|how\s+(?:is|comes?))(?![\p{L}\d_])/iu;
const EXAMPLE = "nDCG@5 = 0.9724 for 3 2 3 0 1 | 3 2";

const NO_NUMBER = `The line has no number before the grades. Write it as in ${EXAMPLE}.`;

const plain = (grade) => (grade === null ? "-" : String(grade));

/** The question that the page answers now. */
export function toQuestion(state) {
  const title = state.measure + (state.k === null ? "" : `@${state.k}`);
  const all = queriesOf(state);
  const letters = all.some(({ ranked, others }) => [...ranked, ...others].some((d) => d.nuggets?.length));
  const word = isOfNuggets(state.measure) && letters ? withNuggets : ({ grade }) => plain(grade);
  const grades = (list) => list.map((d, i) => `${i ? (d.tied ? "~" : " ") : ""}${word(d)}`).join("");
  const unglued = (line) => (isGlued(line) ? `[${line.split(" ").join(", ")}]` : line);
  const one = ({ ranked, others }) => (unglued(grades(ranked)) || "nothing") + (others.length ? ` | ${unglued(grades(others))}` : "");
  const numbers = [state.value, state.theirs].map((text) => text.trim()).filter((text) => printed(text) !== null).join(" and ");
  return `${title}${numbers ? ` = ${numbers}` : ""} for ${all.map(one).join(" / ")}`;
}

/** Grades of more than a digit that would be told as digits without their spaces. */
const isGlued = (line) => /^\d{2,}$/.test(line) || (/^[01]{3,}(?: [01]{3,})+$/.test(line) && !/^10+(?: 10+)*$/.test(line));
const isOfNuggets = (measure) => measure === "alpha-nDCG";
const lettersOf = (nuggets) => (nuggets === null ? "-" : nuggets.join("") || "0");
const withNuggets = ({ grade, nuggets }) => (grade === null ? lettersOf(nuggets) : `${grade}:${lettersOf(nuggets)}`);

/** What a line asks, as changes of the state. Only a line without grades keeps those of the page. */
export function fromQuestion(text, state, data) {
  try {
    return read(text, state, data);
  } catch (error) {
    throw new Error(visible(error.message) + (error.message.includes("Ask for one") ? "" : looksLike(text)));
  }
}

function read(text, state, data) {
  const plain = withoutPrefix(withBareNumber(withResult(plainly(text).trim(), NUMBER), NUMBER), data);
  const rest = withNumberFirst(plain.replace(/^[\w\uff21-\uff5a@ -]+/, (word) => word.normalize("NFKC")), data);
  if (!rest) throw new Error(`Write your number and the grades, such as ${EXAMPLE}.`);
  refuseOptions(rest, data);
  const found = {};
  const behind = rest.includes("\n") ? null : BEHIND.exec(rest);
  const before = behind && headOf(behind[1], data);
  const head = before && !before.numbers.length ? before : headOf(rest, data);
  if (head === before) head.numbers = [behind[2].trim()];
  if (head.numbers.length) Object.assign(found, { value: head.numbers[0], theirs: head.numbers[1] ?? "" });
  else if (!head.measure && FOR.test(head.rest)) throw new Error(NO_NUMBER);
  refuseGluedNumber(head);
  const other = head.measure && measureAt(head.rest.replace(/^[\s,;|]+/, ""), data.measures);
  if (other && /^\s*[:=]?\s*\d*\.\d/.test(other.rest)) throw new Error(`The text names ${head.measure} and ${other.measure}. Ask for one measure.`);
  const documents = withoutFor(head.rest);
  if (head.rest && !documents) throw new Error(`There are no grades behind “${head.rest}”. Write them there, such as 3 2 0.`);
  return asked({ found, head, rest: documents }, state, data);
}

const PREFIX = /^(?:(?:test|valid?|validation|dev|train|eval|mean|average|avg|final|best)[\s_/:.-]+|\[[^\]"',]*\p{L}[^\]"',]*\]\s*)/iu;

/** A line without what logs and people write before a measure: test/ndcg@10, [epoch 3] ndcg@10, ranx ndcg@10. */
function withoutPrefix(text, data) {
  const isMeasure = (own) => measureAt(own, data.measures) !== null;
  let rest = text.replace(/^(["'])([^"'\n]+)\1(?=\s*:)/, (all, _, word) => (isMeasure(word) ? word : all));
  while (!isMeasure(rest)) {
    const word = /^([a-z][\w-]*)\s+/i.exec(rest);
    const prefix = PREFIX.exec(rest) ?? (word && isLibrary(word[1], data) ? word : null);
    if (!prefix || !(isMeasure(rest.slice(prefix[0].length)) || PREFIX.test(rest.slice(prefix[0].length)))) return rest;
    rest = rest.slice(prefix[0].length);
  }
  const library = /^([^()=:\n]*?)\s*\(([\w-]+)\)\s*(?=[=:\s\d])/.exec(rest);
  const bare = library && isLibrary(library[2], data) && measureAt(library[1], data.measures)?.rest === "";
  return bare ? library[1] + rest.slice(library[0].length).replace(/^(?![=:])/, " ") : rest;
}

/** A line with the number and its measure in front, where somebody wrote them behind a list, and no mark of a question. */
function withNumberFirst(text, data) {
  if (text.includes("\n")) return text;
  const plain = text.replace(/(?<=[\d\])%])[?!]+$/, "");
  const cut = /^(?:k\s*=\s*(\d+)[\s,;]+(.*)|([^()]*?)[\s,;]*\(?\s*\bk\s*=\s*(\d+)\s*\)?)$/i.exec(plain);
  const own = cut && measureAt(cut[2] ?? cut[3], data.measures);
  const bare = own && own.k === null ? `${(cut[2] ?? cut[3]).slice(0, -own.rest.length || undefined)}@${cut[1] ?? cut[4]}${own.rest}` : plain;
  const call = /^([\w.]+)\((?:\s*[a-z_]\w*\s*,?)*\)\s*(?=[=:\d])/i.exec(bare);
  if (call && measureAt(call[1], data.measures)?.rest === "") return `${call[1]} ${bare.slice(call[0].length)}`;
  const at = new RegExp(String.raw`^(\p{L}[\p{L}-]*@\d+)\((.*)\)\s*(?:->|=>|→|==?|:|is|gives)\s*(${NUMBER})$`, "iu").exec(bare);
  if (at && measureAt(at[1], data.measures)?.rest === "") return `${at[1]} = ${at[3]} for ${at[2]}`;
  const behind = new RegExp(String.raw`^(.*[\])}]|[-+\d.]+(?:[\s,;|~]+[-+\d.]+)+)(?:\s*(?:->|=>|→)\s*|[\s,;]+)(\p{L}[\p{L}\p{N}_@ -]*?)\s*[:=]?\s*(${NUMBER})$`, "iu").exec(bare);
  if (behind && measureAt(behind[2], data.measures)?.rest === "") return `${behind[2]} = ${behind[3]} for ${behind[1]}`;
  return bare;
}

/** Options in brackets and a cut-off that is no number are refused by name: the page has fields for them. */
function refuseOptions(text, data) {
  const known = measureAt(text.replace(/[(@].*$/s, ""), data.measures);
  if (!known || known.rest.trim()) return;
  const options = /^[^([{=:]*(\((?!\s*k\s*=)[^()[\]{}]*=[^()[\]{}]*\)|\(\s*(?:\d*\.\d+|[a-z][a-z -]*)\s*\)(?=\s*[=:]))/i.exec(text);
  if (options) throw new Error(`“${options[1]}” is an option. Write the measure without it, and choose the option in the conventions below.`);
  const cut = /^[^([{=:]*@\s?(?!k\s?=\s?\d+(?![.\d]))([a-z]\w*|\d+\.\d+)/i.exec(text);
  if (cut) throw new Error(`@${cut[1]} is not a cut-off. Write a whole number, such as ${known.measure}@10, or leave it out.`);
}

function asked({ found, head, rest }, state, data) {
  if (head.measure) Object.assign(found, { measure: head.measure, k: head.k });
  else if (head.k !== null) found.k = head.k;
  const comma = (found.value ?? "").includes(",");
  const listed = rest ? documentsOf(rest, { ...state, ...found }, { comma }, data) : null;
  if (!listed && found.value === undefined) {
    if (!head.measure) throw new Error(NO_NUMBER);
    Object.assign(found, { value: "", theirs: "" });
  }
  if (listed) {
    const { called, documents } = listed;
    const of = called && measureCalled(called, head, data);
    if (of) Object.assign(found, { measure: of.measure, k: called.k ?? of.k });
    else if (called && called.k !== null && called.k !== undefined) found.k = called.k;
    Object.assign(found, { value: "", theirs: "", ...found }, documents);
    found.k ??= null;
  }
  const measure = found.measure ?? state.measure;
  if (Object.hasOwn(data.measures, measure) && found.k !== undefined) found.k = checkedCutoff(measure, found.k, data.measures[measure]);
  return found;
}

/** The measure of a call. Another call is refused: it may be a metric that the page does not compute,
 * or change the values, as sorted(...) does. */
function measureCalled({ name }, head, data) {
  const of = measureAt(name, data.measures);
  const page = of ? null : pageOf(name, data.pages);
  if (page) throw new Error(`“${name}” is not a measure of this page. Its own page has its formula: ${page}.`);
  if (of && head.measure && head.measure !== of.measure) {
    throw new Error(`The line names ${head.measure}, and ${name}(...) is ${of.measure}. Name one measure.`);
  }
  if (!of) {
    throw new Error(`“${name}” is not known here, and the page runs no code. Write the measure and the values, such as nDCG = 0.96 for [3, 2, 0].`);
  }
  return of;
}

/** A whole number of two digits or more can be a score, or grades without the spaces between them. */
function refuseGluedNumber({ measure, numbers, rest }) {
  const [number] = numbers;
  if (rest || numbers.length > 1 || measure === "DCG" || !/^\d{2,}$/.test(number ?? "")) return;
  if (measure && (number.length === 2 || number === "100")) return; // percents
  const apart = [...number].join(" ");
  const way = measure ? `Write ${measure} for ${apart} if they are grades.` : `Write ${apart} if they are grades, or the measure before your number, such as nDCG = 0.96.`;
  throw new Error(`“${number}” can be your number, or the grades of ${number.length} documents. ${way}`);
}

/** The beginning of a line: a measure, a number or two; and what is behind them. */
function headOf(text, data) {
  const found = { measure: null, k: null, numbers: [], rest: text };
  const take = (pattern) => {
    const match = pattern.exec(found.rest);
    if (match) found.rest = found.rest.slice(match[0].length).trimStart();
    return match;
  };
  while (take(OWN));
  const named = namedAt(found.rest, data);
  if (named) Object.assign(found, { measure: named.measure, k: named.k, rest: named.rest.trimStart() });
  const sign = take(/^(?:[:=~]{1,2}(?!>)|为|是|は|が|(?:should\s+be|is|was|of|all|equals|returns|gives|(?:comes|came)\s+(?:out\s+)?(?:as|at|to))\b)\s*[=~]?\s*/i);
  if (named) take(/^\w+\t+(?=\d*\.\d)/); // the query of a line of trec_eval
  if (isGradesAlone(found.rest, named, sign)) return found;
  const fraction = /^(\d+)\s?\/\s?(\d+)(?=\s|$)/.exec(found.rest);
  if (fraction && (named || FOR.test(found.rest.slice(fraction[0].length).trimStart()))) {
    throw new Error(`“${fraction[0]}” is a fraction. Write the number with its decimals, such as ${(fraction[1] / fraction[2]).toFixed(4)}.`);
  }
  const first = take(new RegExp(`^(${NUMBER})${END}`, "i"));
  if (!first) return found;
  found.numbers.push(first[1].trim());
  const cut = take(/^@\s?(\d+)/);
  if (cut) found.k = Number(cut[1]);
  if (!named) nameBehind(found, data);
  take(/^\([^()\d]*\)/);
  take(/^\(\s*(?:epoch|step|run|fold|seed|iter|line|after)[^()]*\)/i);
  take(/^(?:±|\+\/-)\s*[\d.]+%?/); // an error, or an interval
  take(/^\(\s*[\d.]+\s*[,;–-]\s*[\d.]+\s*\)(?=\s*(?:for|of|on|with)\b)/i);
  const other = new RegExp(`^,?\\s*([a-z][\\w-]*)\\s*[:=]?\\s*(${NUMBER})${END}`, "i").exec(found.rest);
  if (other && isLibrary(other[1], data)) found.rest = `and ${found.rest.slice(other[0].length - other[2].length)}`;
  const second = take(new RegExp(`${AND.source}[a-z_ -]*?[:=]?\\s*(${NUMBER})${END}`, "i"));
  if (second) found.numbers.push(second[1].trim());
  take(/^\([^()\d]*\)/);
  return found;
}

/** The measure that stands behind the number, as in 0.6 P@5 for 1 0 1. */
function nameBehind(found, data) {
  const behind = measureAt(found.rest, data.measures);
  if (!behind || !/^\s*(?:[:=,([]|for\b|of\b|from\b|on\b|-?\d|$)/i.test(behind.rest)) return;
  if (/^[a-z]\d+\s*:/i.test(found.rest)) return; // q1: is a query
  if (behind.k === null && !/^[a-z]{2}/i.test(found.rest)) return; // "p" alone may be a name
  found.measure = behind.measure;
  found.k ??= behind.k;
  found.rest = behind.rest.replace(/^\s*[:=,]/, "").trimStart();
}

/** The measure that a line begins with. Another word before a number is refused by name. */
function namedAt(text, data) {
  const known = measureAt(text, data.measures);
  if (known?.rest.startsWith("(")) return null; // a call, with its arguments
  if (known && /^\s*(?:[=:~(\[{|\d.+-]|is\b|was\b|should\b|为|是|は|が|of\b|for\b|all\b|nan\b|gives\b|returns\b|equals\b|comes\b|came\b|from\b|on\b|$)/i.test(known.rest)) return known;
  if (known) return null;
  const word = /^(?!(?:for|of|from|on|nan)\b)([a-z][\w-]*)(?:\s?@\s?\d+)?\s*(?:=(?!>)|:|is\b|of\b)?\s*(?=[\d.[(-]|nan\b)/i.exec(text);
  if (!word || text.includes("\n") || /^[a-z_][\w.]*\(/i.test(text)) return null;
  if (isLibrary(word[1], data)) return { measure: null, k: null, rest: text.slice(word[0].length) };
  if (/^[a-z_]\w*\s*=\s*[[({]/i.test(text)) return null;
  const names = Object.keys(data.measures).join(", ");
  const page = pageOf(text, data.pages);
  const elsewhere = page ? ` Its own page has its formula: ${page}.` : "";
  throw new Error(`“${word[1]}” is not a measure of this page.${elsewhere} Write one of ${names}, or the number alone.`);
}

const isLibrary = (word, data) => {
  const bare = (name) => name.toLowerCase().replace(/[^a-z]/g, "");
  return bare(word) === "sklearn" || (data.libraries ?? []).some(({ name }) => bare(name) === bare(word));
};

/** Whether all words are grades, so that none of them is the number of the question. */
function isGradesAlone(text, named, sign) {
  const bare = text.split(/\s*(?:\||\bmissed\b|\bnot retrieved\b)\s*|\s+\/\s+/i)[0].trim();
  const words = bare.split(/[\s,;~]+/).filter(Boolean);
  const isWhole = words.length > 2 && words.every((word) => /^\d+$/.test(word)) && !bare.includes("\n");
  if (sign && isWhole && /^[:=]+\s*$/.test(sign[0])) {
    throw new Error(`“${words[0]}” can be your number or a grade. Write for before the grades: ${words[0]} for ${words.slice(1).join(" ")}, or for ${words.join(" ")}.`);
  }
  if (sign && !/^(?:of|all)/i.test(sign[0])) return false;
  if (words.length < 2 || !words.every((word) => /^[-+]?(?:\d+\.?\d*|\.\d+)?$|^-$/.test(word))) return false;
  const whole = words.map((word) => /^(?:[-+]?\d+|-)$/.test(word));
  if (words.length > 2 && !whole.at(-1) && whole.slice(0, -1).every(Boolean)) {
    throw new Error(`“${words.at(-1)}” can be your number or a grade. Write your number first: ${words.at(-1)} for ${words.slice(0, -1).join(" ")}.`);
  }
  if (whole[0]) return !/^0,\d{2,}(?!,)/.test(bare) && !/^0,\d+[ \t]*\n/.test(bare);
  if (whole.slice(1).every(Boolean)) return false;
  throw new Error(`“${words[0]}” can be your number or a grade. Write for between them: ${words[0]} for ${words.slice(1).join(" ")}.`);
}

function withoutFor(text) {
  let rest = text.trim().replace(/^[,;:][^\S\n]*(?!\p{L}+[,;\t])/u, "");
  for (;;) {
    const less = rest.replace(FOR, "").trimStart();
    if (less === rest) return rest;
    rest = less.replace(/^:\s*/, "");
  }
}

/** The documents of the rest of a line; they keep their names where the grades are the page's. */
function documentsOf(text, state, how, data) {
  const nuggets = data.measures?.[state.measure]?.nuggets ?? false;
  const parts = text.includes("\n") ? [text] : text.split(/\s+\/\s+/);
  if (parts.length > 1 && /\(.*\)\s*$/.test(parts[0]) && /^\d+(?:\.\d+)?$/.test(parts[1].trim())) {
    throw new Error(`“/ ${parts[1].trim()}” can divide the grades, or begin another query. Write the grades as they are, such as 3 2 0.`);
  }
  const read = parts.map((part) => readText(part, state, { ...how, nuggets }));
  parts.forEach((part, i) => noWordAlone(part, read[i]));
  const queries = read.flatMap((one) => one.queries);
  if (queries.length > MOST_QUERIES) throw new Error(`There are at most ${MOST_QUERIES} queries here.`);
  const notes = read.flatMap((one) => one.notes);
  const more = notes.length ? { notes } : {};
  const called = read[0].called ? { name: read[0].called, k: read[0].k } : null;
  if (areThose(queries, state, nuggets)) return { called, documents: more };
  return { called, documents: { ...more, ...queries[0], queries: queries.length > 1 ? queries : [], at: 0 } };
}

/** A word that stands alone in the question is no document: it may be a word about the number. */
function noWordAlone(part, { queries: [{ ranked, others }] }) {
  if (ranked.length + others.length !== 1 || !/^[^\s"'[{|]+$/.test(part.trim())) return;
  const [one] = [...ranked, ...others];
  if (one.grade !== null || one.nuggets !== null || !/[\p{L}\p{N}]/u.test(part)) return;
  if (/^[-–—]$|^(?:nan|na|none|null|nil)$/i.test(part.trim())) return;
  throw new Error(`“${part.trim()}” has no grade. Write the grades with spaces between them, such as 3 2 0, or names with grades, such as d1: 3, d2: 0.`);
}

/** Whether the line says no more than the page has: then names and what the line can't say stay. */
function areThose(queries, state, nuggets) {
  const told = (all) => JSON.stringify(all.map(({ ranked, others }) => [ranked, others].map((list) =>
    list.map((d, i) => [d.grade, i > 0 && d.tied === true, nuggets ? d.nuggets : null]))));
  const own = queries.every(({ ranked, others }) => [...ranked, ...others].every((d, i) => d.name === `d${i + 1}`));
  return own && told(queries) === told(queriesOf(state));
}

/** The documents of one query; "|" parts those that were retrieved from those that were missed. */
export function oneQuery(text, state) {
  const { queries } = readText(text, state);
  if (queries.length > 1) throw new Error("Write one ranking here.");
  return queries[0];
}
