// The search: which pages answer what was typed. PAGES and ASKED_FOR (search-texts.js) hold the titles,
// headings and words of all pages, and what people call them, NAMES those of measures and libraries,
// JUDGED whole questions; a page that is opened from a disk can fetch nothing, so they are a script.
"use strict";

const MOST_RESULTS = 15;
// What a page gains for a word, by where the word stands. All these numbers were found by trying
// others: on questions that were not yet in the table, none of them is better.
const IN_TABLE = 100;
const IN_TITLE = 40;
const IN_HEADING = 15;
const IN_TEXT = 40;
const IN_BEGUN = 2; // for a longer word that begins so
const OFTEN = 3; // how often a word stands in a page of usual length for half of IN_TEXT
const LENGTH = 0.75; // how much of it hangs on the length of the page
const LEAST_TOLD = 1.5; // what a word tells that all pages have
const WEAK = 0.3; // a word such as "different" or "big" tells less than its rarity
const OF_GUESS = 0.8; // so does a word that was read for the one typed
const TOGETHER = 40; // for two neighbours of the question that stand together in a text
const AS_TYPED = 25; // for a title that holds all that was typed, in its order
const LEAST_OF_ENTRY = 0.2; // an entry of the table counts if so much of it was typed
const OF_PART = 1.5; // and a part of it less than its share
const OF_OTHERS = 0.6; // what the other entries of a page add for other words
const OF_EXACT = 10; // for an entry that was typed with nothing else
const OF_LIBRARY = 8; // for the name of a library: it tells more than that of a measure beside it
const FULL = 25; // a page that gains so much for a word has it in full
const OF_TYPED = 0.5; // how much it counts which share of the question a page has
const LEAST_SHARE = 0.2; // less than this of a question is no answer
const QUOTED = 2000; // for a page with the very line
const CERTAIN = 5000; // for a number, where numbers are explained
const BESIDE_NAME = 0.9; // for a measure's page, if the question has more than its names and words such as formula
const OTHER_LANGUAGE = 1e6;
const RUNS = [3, 4]; // letters of a word that are looked at together
const UNSEEN = 0.3; // what a run counts that no question of a page has
// How much the letters say beside the words. Fitted on sets of questions that neither the letters nor the
// table had seen; 0.2 is worse.
const OF_LETTERS = 0.06;
const SHORTEST_PART = 3; // of words that were typed as one

const EMPTY_WORDS = new Set(("a an and are as at be between by can can't cannot could do does doesn doesn't don don't for from get give gives "
  + "had has have how i if in is isn it its me my of on or our should so than that the there they this to use using versus vs "
  + "was we were what when where which who why will with would you your please show find need want between does way one").split(" "));
// Words that tell much alone, and little beside others.
const WEAK_WORDS = new Set(("again always answer bad best better big bigger change changes change's check common data different difference do easy "
  + "example few file first good great happen happens help high higher how large larger last list long low lower make many more most much never new next "
  + "now number old only other own package possible problem question result right run same say score see set simple small smaller still test thing time "
  + "tool two type unexpected value various wrong work works").split(" "));
const LONG_LISTS = new Set(["functions", "documents", "algorithms", "plugin", "files-conformance"]); // of all things
const CUT_OFF = /(?<=[\p{L}\p{N}])(?:\s?@\s?(?:\d+(?:\.\d+)?|k)|_cut[_.]\d+|_(?:at_)?\d+(?![\p{L}\p{N}.])|\s+at\s+(?:k|\d+))(?![\p{L}\p{N}])/giu;
const IDEOGRAPH = /[\u3040-\u30ff\u3400-\u9fff]/;

const IS_NUMBER = /(?:@\d+|\p{L}{3,})(?<!alpha|beta|lambda)\s*=\s*-?\d+[.,]\d+\s*$/u; // recall = 1.2

/** A question without its frame: "what does nDCG mean" asks for nDCG, and a top 10 is a top k. */
function bare(asked) {
  return asked.replace(/\bwhat (?:does|do|is meant by) (.+?)(?: mean| stand for)?\s*\??$/i, "$1 meaning").replace(/\btop[ -]?\d+\b/gi, "top k")
    .replace(/\bp\s*[=<>]\s*0?[.,]\d+/gi, "p value");
}

/** A text as words: small letters, α as alpha, a cut-off left out, a number with its decimals whole. */
function wordsOf(text) {
  const plain = text.normalize("NFKC").toLowerCase().replaceAll("α", "alpha ").replace(/\ba\/b\b/g, "ab").replaceAll("’", "'").replaceAll("'s ", "s ");
  const words = plain.match(/\p{N}+[.,]\p{N}+|[\u3040-\u30ff\u3400-\u9fff々]+|(?:(?![\u3040-\u30ff\u3400-\u9fff々])[\p{L}\p{N}])+(?:'\p{L}+)?/gu) ?? [];
  return words.map((word) => (/^0,\d+$/.test(word) ? word.replace(",", ".") : word.replace(/^(\d+\.0)0+$/, "$1")));
}

/** What a word of the question and a word of a page share: no ending of a plural or of a verb, and American spelling. */
function stemmed(word) {
  if (word.length < 4 || /\d/.test(word) || IDEOGRAPH.test(word)) return word;
  const bare = word.replace(/'s$|s'$/, "").replace(/ies$/, "y").replace(/([^s])s$/, "$1");
  const less = bare.replace(/(?:ing|ed)$|(?<=.{4})(?:ly|ness)$/, "").replace(/(?<=.{3})i$/, "y");
  const kept = less.length >= 3 && /[aeiouy]/.test(less) ? less : bare;
  const american = kept.replace(/e$/, "").replace(/isation$/, "ization").replace(/([iy])s$/, "$1z").replace(/(...)our$/, "$1or");
  return american.replace(/logu$/, "log").replace(/dgement$/, "dgment").replace(/([bdglmnprt])\1$/, "$1");
}

/** The words that count as one: by the stem of each, that of the first (ALIKE, search-texts.js). */
const CLASSES = new Map(ALIKE.same.flatMap((words) => words.map((word) => [stemmed(word), stemmed(words[0])])));
const STEMS = new Map(); // most words of a page were met before

function stem(word) {
  if (!STEMS.has(word)) STEMS.set(word, CLASSES.get(stemmed(word)) ?? stemmed(word));
  return STEMS.get(word);
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

/** The letters of a text: all runs of three and of four in its words, once each. */
function runsOf(text) {
  const runs = new Set();
  for (const word of wordsOf(text)) {
    const padded = ` ${word} `;
    for (const length of RUNS) {
      for (let i = 0; i + length <= padded.length; i += 1) runs.add(padded.slice(i, i + length));
    }
  }
  return runs;
}

/** How often each page's questions have each run of letters: the questions are of the table, the judged ones, and its title. */
function learnt(pages, questions) {
  const places = new Map(pages.map(({ name }, i) => [name, i]));
  const letters = { counts: new Map(), totals: pages.map(() => 0) };
  const learn = (place, text) => {
    for (const run of runsOf(text)) {
      if (!letters.counts.has(run)) letters.counts.set(run, new Map());
      const ofRun = letters.counts.get(run);
      ofRun.set(place, (ofRun.get(place) ?? 0) + 1);
      letters.totals[place] += 1;
    }
  };
  pages.forEach(({ title }, place) => learn(place, title));
  for (const [name, texts] of questions) {
    if (places.has(name)) texts.forEach((text) => learn(places.get(name), text));
  }
  return letters;
}

/**
 * How likely each page is by the letters of a question, as a factor of at most 1: naive Bayes. Letters
 * know beginnings, inflected and joined words, which the table has in another form.
 */
function byLetters({ counts, totals }, asked) {
  const runs = [...runsOf(asked)].filter((run) => counts.has(run));
  const length = Math.sqrt(runs.length);
  const logs = totals.map((total) => -length * Math.log(total + UNSEEN * counts.size));
  for (const run of runs) {
    for (const [place, count] of counts.get(run)) logs[place] += Math.log(1 + count / UNSEEN) / length;
  }
  const most = Math.max(...logs);
  return logs.map((log) => Math.exp(OF_LETTERS * (log - most)));
}

/** The names of measures and of libraries, as one word each, with their pages. */
function namesOf(names, table) {
  const measures = new Map();
  const libraries = new Map();
  const phrases = Object.entries(table).flatMap(([page, texts]) => (page.startsWith("library-") ? texts : []));
  const ofLibraries = new Set(phrases); // average_precision_score is a function before it is a measure
  for (const [page, texts] of Object.entries(names)) {
    for (const text of texts) {
      const words = wordsOf(text);
      if (page.startsWith("metric-") && !ofLibraries.has(text)) measures.set(words.join(""), page);
      if (page.startsWith("library-") && words.length > 1) libraries.set(words.join(""), page); // surprise is a word, too
    }
  }
  return { measures, libraries };
}

/** What can be searched: the stems of each page, and in how many pages each stands. */
function indexOf(pages, table, names = {}, judged = {}) {
  const index = { pages: [], inPages: new Map(), titled: new Set(), names: new Set(), joined: new Map(), entries: [] };
  for (const [name, { title, headings, text }] of Object.entries(pages)) {
    const page = { name, title, headings, text, low: text.toLowerCase(), plain: ` ${wordsOf(title).join(" ")} `, counts: new Map() };
    const stems = name.startsWith("library-") ? (words) => wordsOf(words).map(stemmed) : stemsOf; // a name has no word for it
    page.titleStems = new Set(stems(title));
    page.length = wordsOf(text).length;
    page.headingStems = headings.map(([words]) => new Set(stemsOf(words)));
    for (const word of stemsOf(text)) page.counts.set(word, (page.counts.get(word) ?? 0) + 1);
    const all = new Set([...page.titleStems, ...page.headingStems.flatMap((one) => [...one]), ...page.counts.keys()]);
    for (const word of all) index.inPages.set(word, (index.inPages.get(word) ?? 0) + 1);
    for (const word of page.titleStems) index.titled.add(word);
    for (const word of wordsOf(title)) index.names.add(word);
    index.pages.push(page);
  }
  index.letters = learnt(index.pages, [...Object.entries(table), ...Object.entries(judged)]);
  Object.assign(index, namesOf(names, table));
  index.usual = index.pages.reduce((sum, page) => sum + page.length, 0) / index.pages.length;
  const byName = new Map(index.pages.map((page) => [page.name, page]));
  for (const page of index.pages) page.own = new Set(page.titleStems);
  for (const [name, phrases] of Object.entries(table)) {
    for (const phrase of phrases) {
      const filled = filledOf(wordsOf(phrase));
      const stems = filled.map(name.startsWith("library-") ? stemmed : stem);
      index.entries.push({ name, stems, joined: stems.join(""), whole: stemsOf(phrase).join(" "), filled: ` ${filled.join(" ")} ` });
      stems.forEach((word) => { index.titled.add(word); byName.get(name)?.own.add(word); });
      wordsOf(phrase).forEach((word) => index.names.add(word));
      index.joined.set(wordsOf(phrase).join(""), wordsOf(phrase));
    }
  }
  return index;
}

/** The words that tell something; of a text without any, all. */
function filledOf(words) {
  const filled = words.filter((word) => !EMPTY_WORDS.has(word));
  return filled.length ? filled : words;
}

const OF_MEASURES = new Set(stemsOf("measure metric formula definition python code value score compute"));
const OF_FRAME = new Set("what is are the a an how to do does i you can compute calculate define definition meaning formula equation in of for python code".split(" "));
const OF_LESSON = new Set("explained explain explanation example examples tutorial intuition".split(" "));
const BETWEEN = /\b(?:vs\.?|versus|and|or|compared (?:to|with))\b/i;
const WEAK_STEMS = new Set([...WEAK_WORDS].map(stem));

/** How much a word tells: the fewer pages have it, the more. */
const worth = (index, word) => Math.log(1 + index.pages.length / (1 + (index.inPages.get(word) ?? 0))) * (WEAK_STEMS.has(word) ? WEAK : 1);

/** A word of a question in words of the pages: one wrong letter is forgiven, and a blank that is missing. */
function corrected(index, word) {
  const own = stem(word);
  if (word.length < 4 || /\d/.test(word) || IDEOGRAPH.test(word)) return [word];
  if (index.titled.has(own)) return [word];
  const asEntry = index.joined.get(word);
  if (asEntry) return asEntry;
  if (index.inPages.has(own)) return [word];
  const often = (known) => index.inPages.get(stem(known)) ?? 0;
  const best = (near, typed) => near.sort((a, b) => lettersOff(typed, a) - lettersOff(typed, b) || often(b) - often(a))[0];
  const named = [...index.names].filter((known) => known.length > 2 && isAlmost(word, known));
  if (named.some((known) => lettersOff(word, known) === 1)) return [best(named, word)];
  const apart = parted(index, word);
  if (apart) return apart;
  if (named.length) return [best(named, word)];
  const mixed = [...index.names].filter((known) => known[0] === word[0] && lettersOf(known) === lettersOf(word));
  if (mixed.length) return [best(mixed, word)];
  const written = [...index.inPages.keys()];
  if (written.some((known) => known.startsWith(own))) return [word];
  const near = written.filter((known) => known.length > 2 && isAlmost(own, known));
  return [best(near, own) ?? word];
}

/** Whether a word may be a part of one: small words that are joined to others, such as in learningtorank, too. */
const isPart = (index, part) => index.names.has(part) && (part.length >= SHORTEST_PART || EMPTY_WORDS.has(part));

const lettersOf = (word) => [...word].sort().join("");

/** The words that were typed as one, such as githubactions: the fewest that titles and the table have. */
function parted(index, word) {
  const fewest = [[]]; // up to each letter
  for (let end = 1; end <= word.length; end += 1) {
    for (let start = 0; start < end - 1; start += 1) {
      const part = word.slice(start, end);
      if (!fewest[start] || (fewest[end] && fewest[end].length <= fewest[start].length + 1)) continue;
      if (isPart(index, part)) fewest[end] = [...fewest[start], part];
    }
  }
  return fewest[word.length];
}

/** A word of Chinese or Japanese that no page has, as its pairs of letters; another word as it is. */
function inPairs(index, word) {
  if (!IDEOGRAPH.test(word) || word.length < 3) return [word];
  const known = index.inPages.has(word) || index.pages.some(({ text }) => text.includes(word));
  return known ? [word] : [...word].slice(1).map((letter, i) => word[i] + letter);
}

/** A decimal number that no page has, or that stands alone, and a list of grades: the page that explains numbers takes them. */
function isStrangeNumber(index, stems) {
  const isNumber = (word) => /^\d+\.\d+%?$/.test(word);
  if (stems.length > 1 && stems.every((word) => /^[\d.]+$/.test(word))) return true; // grades
  return stems.some((word) => isNumber(word) && !index.titled.has(word)
    && (!index.inPages.has(word) || stems.length === 1 || word.length > 5));
}

/** The pages that have what was typed letter by letter, as where a line of them was copied. */
function quoting(index, typed) {
  const line = typed.trim().toLowerCase();
  return new Set(wordsOf(line).length > 3 ? index.pages.filter(({ low }) => low.includes(line)) : []);
}

/** Two words that stand together, as one: deep eval is deepeval. */
const neighbours = (stems) => stems.slice(1).map((word, i) => stems[i] + word);

/** What a word of a question counts for: the rarer, the more. */
const toldBy = (index, word) => LEAST_TOLD + worth(index, word);

/** What the table of what people type says for each page: how much of each word's best entry was typed, and whether all of one was. */
function ofTable(index, known, asked, toldBy) {
  const sum = (words) => words.reduce((all, word) => all + toldBy(word), 0);
  const stems = known.map(stem);
  const typed = new Set([...stems, ...neighbours(stems)]);
  const joined = stems.join("");
  const whole = stemsOf(asked).join(" ");
  const padded = ` ${known.join(" ")} `;
  const found = new Map();
  for (const entry of index.entries) {
    const alike = entry.joined === joined;
    const same = entry.whole === whole;
    const named = alike || padded.includes(entry.filled);
    const had = named || same ? entry.stems : entry.stems.filter((word) => typed.has(word));
    if (!had.length) continue;
    const share = named || same ? 1 : sum(had) / sum(entry.stems);
    if (share < LEAST_OF_ENTRY) continue;
    if (!found.has(entry.name)) found.set(entry.name, { words: new Map(), exact: 0, named: false, best: 0 });
    const page = found.get(entry.name);
    for (const word of had) page.words.set(word, Math.max(page.words.get(word) ?? 0, share ** OF_PART));
    page.exact = Math.max(page.exact, (alike ? 1 : 0) + (same ? 1 : 0));
    page.best = Math.max(page.best, sum(had) * share ** OF_PART);
    page.named ||= named;
  }
  return found;
}

/** Whether and how well a page has a word: in its title, in a heading, in its text. */
function ofWord(index, page, { word, begun }) {
  const long = LENGTH * (page.length / index.usual) + 1 - LENGTH; // a long page has most words
  const holds = IDEOGRAPH.test(word)
    ? { title: page.title.includes(word), heading: page.headings.some(([text]) => text.includes(word)), text: page.text.includes(word) ? 3 : 0 }
    : { title: page.titleStems.has(word), heading: page.headingStems.some((one) => one.has(word)), text: page.counts.get(word) ?? 0 };
  const sum = (holds.title ? IN_TITLE : 0) + (holds.heading ? IN_HEADING : 0) + IN_TEXT * holds.text / (holds.text + OFTEN * long);
  if (sum) return sum;
  return begun.some((known) => page.titleStems.has(known) || page.counts.has(known)) ? IN_BEGUN : 0;
}

/** Explanations come before the history of the project, and a page's language before a translation. */
function ofKind(page, language, asked, part, exact) {
  if (["changelog", "contributing", "licence", "decisions"].includes(page.name)) return 0.5;
  if (LONG_LISTS.has(page.name)) return 0.8;
  const own = page.name.includes("/") ? page.name.split("/")[0] : "";
  if (own && own === language) return OTHER_LANGUAGE;
  if (own) return exact || IDEOGRAPH.test(asked) ? 0.8 : 0.1;
  if (page.name.startsWith("lesson-")) return 0.5;
  if (/^\d/.test(page.name)) return 0.96; // a guide answers in less time than a chapter
  return page.name.startsWith("metric-") ? (part < 1 ? BESIDE_NAME : 1.2) : 1;
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

const INSTEAD = Object.entries(ALIKE.instead).sort(([one], [other]) => other.length - one.length);

/** The question in words of the pages: of another language, or of an abbreviation. */
function translated(asked) {
  const apart = asked.replace(/(\p{Ll}{3})(\p{Lu})/gu, "$1 $2"); // RetrievalHitRate
  let text = ` ${wordsOf(apart).join(" ")} `;
  for (const [typed, said] of INSTEAD) {
    text = IDEOGRAPH.test(typed) ? text.replaceAll(typed, ` ${said} `) : text.replaceAll(` ${typed} `, ` ${said} `);
  }
  return text.split(" ").filter(Boolean).flatMap(ofTwo).join(" ");
}

/** A German word that is made of two: Klausurfragen, of Klausur and Fragen. */
function ofTwo(word) {
  for (let i = 3; i < word.length - 3; i += 1) {
    const [first, second] = [ALIKE.instead[word.slice(0, i).replace(/s$/, "")] ?? ALIKE.instead[word.slice(0, i)], ALIKE.instead[word.slice(i)]];
    if (first && second) return [...first.split(" "), ...second.split(" ")];
  }
  return [word];
}

/** What each page is worth for a question, and how the question was read. */
function scoredFor(index, asked, language, whole = asked) {
  const words = filledOf(wordsOf(asked));
  const read = words.map((word) => corrected(index, word));
  const known = read.flat();
  const right = known.map(stem);
  const all = right.flatMap((word) => inPairs(index, word));
  const told = all.filter((word) => index.inPages.has(word) || index.titled.has(word) || IDEOGRAPH.test(word));
  const stems = told.length ? told : all; // a word that no page has tells nothing
  const guessed = new Set(read.flatMap((parts, i) => (parts[0] === words[i] ? [] : parts.map(stem))));
  const sureOf = (word) => (guessed.has(word) ? OF_GUESS : 1);
  const tell = (word) => toldBy(index, word) * sureOf(word);
  const table = ofTable(index, known, whole, tell);
  const quoted = quoting(index, whole);
  const strange = (isStrangeNumber(index, all) || IS_NUMBER.test(whole)) && !quoted.size;
  const sought = [...new Set(stems)].map((word) => ({
    word, told: tell(word), begun: word.length < 4 ? [] : [...index.inPages.keys()].filter((known) => known.startsWith(word)),
  }));
  const inAll = sought.reduce((sum, { told: one }) => sum + one, 0);
  const phrase = ` ${words.join(" ")} `;
  const pairs = words.slice(1).map((word, i) => `${words[i]} ${word}`);
  const scores = index.pages.map((page) => {
    const entry = table.get(page.name);
    let sum = 0;
    let covered = 0;
    let has = 0;
    let others = 0;
    for (const one of sought) {
      const inTable = entry?.words.get(one.word) ?? 0;
      const inPage = ofWord(index, page, one);
      const isFull = inPage && /\d\.\d/.test(one.word); // a number, however seldom a long page has it
      if (inTable || inPage) { covered += one.told * Math.max(inTable, isFull ? 1 : Math.min(1, inPage / FULL)); has += 1; }
      sum += one.told * inPage;
      others += one.told * inTable;
    }
    const isPlay = strange && page.name === "play";
    if (!has && !entry) return isPlay ? CERTAIN : 0;
    const library = entry?.named && page.name.startsWith("library-") ? OF_LIBRARY : 0;
    const together = (page.plain.includes(phrase) ? AS_TYPED : 0) + (has > 1 ? TOGETHER * pairs.filter((pair) => page.low.includes(pair)).length : 0);
    const ofEntries = entry ? IN_TABLE * (entry.best + OF_OTHERS * Math.max(0, others - entry.best) + OF_EXACT * entry.exact + library) : 0;
    const certain = (quoted.has(page) ? QUOTED : 0) + (isPlay ? CERTAIN : 0);
    const share = has ? Math.min(1, covered / inAll) : 1; // an entry has it all where a word was read in pairs
    if (!entry && share < LEAST_SHARE) return 0;
    const part = told.filter((word) => page.own.has(word) || OF_MEASURES.has(word)).length / told.length;
    return ((sum + together + ofEntries) * share ** OF_TYPED + certain) * ofKind(page, language, asked, part, entry?.exact);
  });
  const sure = new Set(index.pages.filter((page) => quoted.has(page) || (strange && page.name === "play")));
  return { scores, words, stems, sure, read: read.filter(([first], i) => first !== words[i]).flat().join(" ") };
}

/** The page of the measure that is all a text asks for, as in "how to compute nDCG". */
function measureOf(index, text) {
  const left = wordsOf(text).filter((word) => !OF_FRAME.has(word) && !OF_LESSON.has(word));
  return index.measures.get(left.join(""));
}

/** The libraries of several words that are named in a question, however these are joined; of trec_eval_10, not trec_eval. */
function librariesIn(index, words) {
  const found = new Set();
  for (let start = 0; start < words.length; start += 1) {
    for (let end = start + 1; end <= words.length; end += 1) {
      const joined = words.slice(start, end).join("");
      if (index.libraries.has(joined)) found.add(joined);
    }
  }
  return [...found].filter((one) => ![...found].some((other) => other !== one && other.includes(one)));
}

/** The pages that a question names, each with the last place that it may have. */
function placesOf(index, asked, plain) {
  const places = new Map();
  const compared = plain.replace(/^.*\bdifference between\b/i, "").split(BETWEEN).map((one) => measureOf(index, one));
  const one = compared.find(Boolean);
  if (one) places.set(one, 1);
  const isLesson = wordsOf(plain).some((word) => OF_LESSON.has(word));
  const measure = measureOf(index, plain);
  if (measure) places.set(measure, isLesson ? 1 : 0); // a chapter explains more
  const words = wordsOf(asked);
  for (const name of librariesIn(index, words)) places.set(index.libraries.get(name), name === words.join("") ? 0 : 1);
  return places;
}

/** Puts a page no lower than a place. */
function raise(index, scored, name, place) {
  const at = scored.findIndex(({ page }) => page.name === name);
  if (at >= 0 && at <= place) return;
  if (at > place) scored.splice(place, 0, ...scored.splice(at, 1));
  else scored.splice(place, 0, { page: index.pages.find((page) => page.name === name) });
}

/** The pages that answer a question, the best first: at most 15, each with its heading and a snippet. */
function found(index, asked, language = "") {
  const plain = bare(asked).replace(CUT_OFF, "");
  if (!wordsOf(plain).length) return { results: [], all: 0, read: "" };
  const typed = scoredFor(index, plain, language, asked);
  const said = translated(plain);
  const other = said === wordsOf(plain).join(" ") ? typed : scoredFor(index, said, language);
  const { words, stems } = other; // the pages have these
  const likely = byLetters(index.letters, IDEOGRAPH.test(plain) ? said : plain);
  const isSure = (page) => typed.sure.has(page) || other.sure.has(page); // then the letters take nothing away
  const scored = index.pages.map((page, i) => ({ page, score: Math.max(typed.scores[i], other.scores[i]) * (isSure(page) ? 1 : likely[i]) }))
    .filter(({ score }) => score > 0).map(({ page, score }) => ({ page, points: Math.round(1000 * Math.log(score)) }));
  scored.sort((a, b) => b.points - a.points); // equal ones stay in the order of PAGES
  const ofLanguage = scored.filter(({ page }) => language && page.name.startsWith(`${language}/`)).length; // these stay first
  for (const [name, place] of placesOf(index, asked, plain)) raise(index, scored, name, ofLanguage + place);
  const results = scored.slice(0, MOST_RESULTS).map(({ page }) => ({
    page: page.name, title: page.title, heading: headingOf(page, stems), snippet: snippetOf(page, words),
  }));
  return { results, all: scored.length, read: other.read };
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
  const { results, all, read } = found(indexOf(PAGES, ASKED_FOR, NAMES, JUDGED), asked, language);
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
