// The search: which pages answer what was typed. PAGES and ASKED_FOR (search-texts.js) hold the titles,
// headings and words of all pages, and what people call them; a page that is opened from a disk can
// fetch nothing, so they are a script.
"use strict";

const MOST_RESULTS = 15;
// What a page gains for a word, by where the word stands.
const IN_TABLE = 250;
const IN_TITLE = 60;
const IN_HEADING = 12;
const IN_TEXT = 2;
const AS_TYPED = 25; // for a title that holds all that was typed, in its order
const OF_LIBRARY = 3; // the name of a library tells more than that of a measure beside it
const OTHER_LANGUAGE = 1e6;

const EMPTY_WORDS = new Set(("a an and are as at be between by can can't cannot could do does doesn doesn't don don't for from get give gives "
  + "had has have how i if in is isn it its me my of on or our should so than that the there they this to use using versus vs "
  + "was we were what when where which who why will with would you your please show find need want between does way one").split(" "));
const CUT_OFF = /(?<=[\p{L}\p{N}])(?:\s?@\s?(?:\d+|k)|_cut[_.]\d+|_(?:at_)?\d+(?![\p{L}\p{N}.])|\s+at\s+(?:k|\d+))(?![\p{L}\p{N}])/giu;
const IDEOGRAPH = /[\u3040-\u30ff\u3400-\u9fff]/;

/** A text as words: small letters, α as alpha, a cut-off left out, a number with its decimals whole. */
function wordsOf(text) {
  const plain = text.normalize("NFKC").toLowerCase().replaceAll("α", "alpha ").replaceAll("’", "'").replaceAll("'s ", "s ");
  const words = plain.match(/\p{N}+[.,]\p{N}+|[\p{L}\p{N}]+(?:'\p{L}+)?/gu) ?? [];
  return words.map((word) => (/^0,\d+$/.test(word) ? word.replace(",", ".") : word));
}

/** What a word of the question and a word of a page share: no ending of a plural or of a verb. */
function stem(word) {
  if (word.length < 4 || /\d/.test(word) || IDEOGRAPH.test(word)) return word;
  const bare = word.replace(/'s$|s'$/, "").replace(/ies$/, "y").replace(/([^s])s$/, "$1");
  const less = bare.replace(/(?:ing|ed)$/, "");
  const kept = less.length >= 3 && /[aeiouy]/.test(less) ? less : bare;
  return kept.replace(/e$/, "").replace(/isation$/, "ization").replace(/is$/, "iz");
}

const stemsOf = (text) => wordsOf(text).map(stem);

/** How many letters are missing, doubled, wrong, or stand the wrong way round: no more than a few are counted. */
function lettersOff(typed, word) {
  let before = [];
  let row = [...Array(word.length + 1).keys()];
  for (let i = 1; i <= typed.length; i += 1) {
    const last = before;
    before = row;
    row = [i];
    for (let j = 1; j <= word.length; j += 1) {
      const other = typed[i - 1] === word[j - 1] ? 0 : 1;
      row[j] = Math.min(before[j] + 1, row[j - 1] + 1, before[j - 1] + other);
      const swapped = i > 1 && j > 1 && typed[i - 1] === word[j - 2] && typed[i - 2] === word[j - 1];
      if (swapped) row[j] = Math.min(row[j], last[j - 2] + 1);
    }
  }
  return row[word.length];
}

/** One letter may be wrong, and two of a long word. */
function isAlmost(typed, word) {
  const most = typed.length > 7 ? 2 : 1;
  return Math.abs(typed.length - word.length) <= most && lettersOff(typed, word) <= most;
}

/** What can be searched: the stems of each page, and in how many pages each stands. */
function indexOf(pages, table) {
  const index = { pages: [], inPages: new Map(), titled: new Set(), names: new Set(), entries: [] };
  for (const [name, { title, headings, text }] of Object.entries(pages)) {
    const page = { name, title, headings, text, plain: ` ${wordsOf(title).join(" ")} `, counts: new Map() };
    page.titleStems = new Set(stemsOf(title));
    page.headingStems = headings.map(([words]) => new Set(stemsOf(words)));
    for (const word of stemsOf(text)) page.counts.set(word, (page.counts.get(word) ?? 0) + 1);
    const all = new Set([...page.titleStems, ...page.headingStems.flatMap((one) => [...one]), ...page.counts.keys()]);
    for (const word of all) index.inPages.set(word, (index.inPages.get(word) ?? 0) + 1);
    for (const word of page.titleStems) index.titled.add(word);
    for (const word of wordsOf(title)) index.names.add(word);
    index.pages.push(page);
  }
  for (const [name, phrases] of Object.entries(table)) {
    for (const phrase of phrases) {
      const stems = filledStems(phrase);
      index.entries.push({ name, stems, joined: stems.join(""), whole: wordsOf(phrase).join(" ") });
      stems.forEach((word) => index.titled.add(word));
      wordsOf(phrase).forEach((word) => index.names.add(word));
    }
  }
  return index;
}

/** The words that tell something; of a text without any, all. */
function filledOf(words) {
  const filled = words.filter((word) => !EMPTY_WORDS.has(word));
  return filled.length ? filled : words;
}

const filledStems = (text) => filledOf(wordsOf(text)).map(stem);

/** How much a word tells: the fewer pages have it, the more. */
const worth = (index, word) => Math.log(1 + index.pages.length / (1 + (index.inPages.get(word) ?? 0)));

/** A word of a question as the pages have it: one wrong letter is forgiven. */
function corrected(index, word) {
  const own = stem(word);
  if (word.length < 4 || /\d/.test(word) || IDEOGRAPH.test(word)) return word;
  if (index.titled.has(own) || index.inPages.has(own)) return word;
  const often = (known) => index.inPages.get(stem(known)) ?? 0;
  const best = (near, typed) => near.sort((a, b) => lettersOff(typed, a) - lettersOff(typed, b) || often(b) - often(a))[0];
  const named = [...index.names].filter((known) => known.length > 2 && isAlmost(word, known));
  if (named.length) return best(named, word);
  const written = [...index.inPages.keys()];
  if (written.some((known) => known.startsWith(own))) return word;
  const near = written.filter((known) => known.length > 2 && isAlmost(own, known));
  return best(near, own) ?? word;
}

/** A word of Chinese or Japanese that no page has, as its pairs of letters; another word as it is. */
function inPairs(index, word) {
  if (!IDEOGRAPH.test(word) || word.length < 3) return [word];
  const known = index.inPages.has(word) || index.pages.some(({ text }) => text.includes(word));
  return known ? [word] : [...word].slice(1).map((letter, i) => word[i] + letter);
}

/** A decimal number that no page has, or that stands alone, is one to type on the page that explains numbers. */
function isStrangeNumber(index, stems) {
  return stems.some((word) => /^\d+\.\d+%?$/.test(word) && (!index.inPages.has(word) || stems.length === 1));
}

/** Two words that stand together, as one: deep eval is deepeval. */
const neighbours = (stems) => stems.slice(1).map((word, i) => stems[i] + word);

/** What the table of what people type says for each page: the best of its entries. */
function ofTable(index, stems, asked) {
  const typed = new Set([...stems, ...neighbours(stems)]);
  const joined = stems.join("");
  const whole = wordsOf(asked).join(" ");
  const found = new Map();
  for (const entry of index.entries) {
    const alike = entry.joined === joined;
    const same = entry.whole === whole;
    if (!alike && !same && !entry.stems.every((word) => typed.has(word))) continue;
    const told = entry.stems.reduce((sum, word) => sum + 1 + worth(index, word) / 4, 0);
    const library = entry.name.startsWith("library-") ? OF_LIBRARY : 0;
    const share = Math.sqrt(Math.min(1, entry.stems.length / stems.length)); // of what was typed
    const score = IN_TABLE * share * (library + told + (alike ? 4 : 0) + (same ? 4 : 0));
    if (score > (found.get(entry.name) ?? 0)) found.set(entry.name, score);
  }
  return found;
}

/** Whether and how well a page has a word: in its title, in a heading, in its text. */
function ofWord(index, page, word) {
  const holds = IDEOGRAPH.test(word)
    ? { title: page.title.includes(word), heading: page.headings.some(([text]) => text.includes(word)), text: page.text.includes(word) ? 3 : 0 }
    : { title: page.titleStems.has(word), heading: page.headingStems.some((one) => one.has(word)), text: page.counts.get(word) ?? 0 };
  const sum = (holds.title ? IN_TITLE : 0) + (holds.heading ? IN_HEADING : 0) + IN_TEXT * Math.min(4, Math.log2(1 + holds.text));
  if (sum || word.length < 4) return sum * worth(index, word);
  const begun = [...page.titleStems, ...page.counts.keys()].some((known) => known.startsWith(word));
  return begun ? IN_TEXT : 0;
}

/** Explanations come before the history of the project, and a page's language before a translation. */
function ofKind(page, language, asked) {
  if (["changelog", "contributing", "licence", "decisions"].includes(page.name)) return 0.5;
  const own = page.name.includes("/") ? page.name.split("/")[0] : "";
  if (own && own === language) return OTHER_LANGUAGE;
  if (own && !IDEOGRAPH.test(asked)) return 0.1;
  if (page.name.startsWith("lesson-")) return 0.5;
  return page.name.startsWith("metric-") ? 1.2 : 1;
}

/** The heading under which most words of the question stand. */
function headingOf(page, stems) {
  const counts = page.headingStems.map((one) => stems.filter((word) => one.has(word)).length);
  const most = Math.max(0, ...counts);
  const own = stems.filter((word) => page.titleStems.has(word)).length;
  return most > own ? page.headings[counts.indexOf(most)] : null;
}

/** The words around the first place where a page has what was typed, or else its beginning. */
function snippetOf(page, words) {
  const low = page.text.toLowerCase();
  const longest = [...words].sort((a, b) => b.length - a.length);
  const at = [words.join(" "), ...longest].map((one) => low.indexOf(one)).find((i) => i >= 0) ?? 0;
  const from = at < 60 ? 0 : page.text.indexOf(" ", at - 60) + 1;
  return `${from ? "… " : ""}${page.text.slice(from, from + 200).replace(/\s\S*$/, "")} …`;
}

/** The pages that answer a question, the best first: at most 15, each with its heading and a snippet. */
function found(index, asked, language = "") {
  const typed = wordsOf(asked.replace(CUT_OFF, ""));
  if (!typed.length) return { results: [], all: 0, read: "" };
  const words = filledOf(typed);
  const known = words.map((word) => corrected(index, word));
  const right = known.map(stem);
  const stems = right.flatMap((word) => inPairs(index, word));
  const table = ofTable(index, right, asked);
  if (isStrangeNumber(index, stems) && !table.size) table.set("play", IN_TABLE * 10);
  const phrase = ` ${words.join(" ")} `;
  const scored = index.pages.map((page) => {
    const each = stems.map((word) => ofWord(index, page, word));
    const has = each.filter((one) => one > 0).length;
    const whole = page.plain.includes(phrase) ? AS_TYPED : 0;
    const base = (each.reduce((sum, one) => sum + one, 0) + whole) * (has / stems.length) ** 2;
    const inTable = table.get(page.name) ?? 0;
    const least = inTable > 0 || has === stems.length || has > stems.length / 2;
    return { page, score: least ? (base + inTable) * ofKind(page, language, asked) : 0 };
  }).filter(({ score }) => score > 0);
  scored.sort((a, b) => b.score - a.score || a.page.title.localeCompare(b.page.title));
  const results = scored.slice(0, MOST_RESULTS).map(({ page }) => ({
    page: page.name, title: page.title, heading: headingOf(page, stems), snippet: snippetOf(page, words),
  }));
  const other = known.filter((word, i) => word !== words[i]);
  return { results, all: scored.length, read: other.join(" ") };
}

// ---- the page of results

function itemOf({ page, title, heading, snippet }) {
  const item = document.createElement("li");
  const link = Object.assign(document.createElement("a"), { href: `${page}.html`, textContent: title });
  item.append(link);
  if (heading) {
    const [words, anchor] = heading;
    const below = Object.assign(document.createElement("a"), { href: `${page}.html#${anchor}`, textContent: words, className: "heading" });
    item.append(" › ", below);
  }
  item.append(Object.assign(document.createElement("p"), { className: "context", textContent: snippet }));
  return item;
}

function showResults(place) {
  const given = new URLSearchParams(location.search);
  const asked = (given.get("q") ?? "").trim();
  const language = given.get("lang") ?? (/[\u3040-\u30ff]/.test(asked) ? "ja" : "");
  document.querySelectorAll("[name=q]").forEach((field) => { field.value = asked; });
  const kept = document.querySelector(".sidebar-search-container [name=lang]");
  if (kept) Object.assign(kept, { value: language, disabled: !language }); // for the next search
  const say = (text) => place.append(Object.assign(document.createElement("p"), { textContent: text }));
  if (!asked) {
    say("Type a measure, a library, a command, or what goes wrong: ndcg, sklearn, why nan.");
    return;
  }
  const { results, all, read } = found(indexOf(PAGES, ASKED_FOR), asked, language);
  if (!results.length) {
    say(`No page has “${asked}”. Try one word of it, or look at the list of all metrics, of all functions, or of the chapters in the menu.`);
    return;
  }
  const shown = all > results.length ? `The best ${results.length} of ${all} pages` : `${all} page${all === 1 ? "" : "s"}`;
  say(`${shown} for “${asked}”.${read ? ` No page has a word that you typed; this is for ${read}.` : ""}`);
  const list = Object.assign(document.createElement("ul"), { className: "search" });
  list.append(...results.map(itemOf));
  place.append(list);
}

if (typeof document !== "undefined") {
  addEventListener("DOMContentLoaded", () => showResults(document.getElementById("search-results")));
}
