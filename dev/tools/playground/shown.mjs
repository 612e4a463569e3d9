// What was computed, as it is shown: the working, the libraries, the explanations of a number.

import { at, make, table } from "./dom.mjs";
import { drawn } from "./draw.mjs";
import { whoGives } from "./explain.mjs";
import { column, equation, inWords, notesOf, number, written } from "./say.mjs";

const MOST_ORDERS_SHOWN = 12;
const MOST_CANDIDATES = 6;

/** A measure with its cut-off: nDCG@5. */
export const titleOf = (state) => state.measure + (state.k === null ? "" : `@${state.k}`);

/** The lines of a table of steps, with the documents and their grades in front. */
export function stepsOf(part, grades, nameOf, nuggetsOf) {
  const n = Object.values(part.columns)[0]?.length ?? 0;
  const documents = part.documents?.map((d) => nameOf[d] ?? d);
  const columns = { [part.columns["step area"] ? "threshold" : "rank"]: Array.from({ length: n }, (_, i) => i + 1) };
  if (documents) columns.document = documents;
  if (nuggetsOf) columns.nuggets = part.documents.map((d) => nuggetsOf[d] ?? []);
  else columns.grade = part.grades ?? part.documents.map((d) => grades[d] ?? null);
  const all = { ...columns, ...part.columns };
  const shown = Object.entries(all).map(([name, values]) =>
    name === "document" ? values : name === "nuggets" ? values.map((t) => t.join(", ")) : column(values));
  const lines = Array.from({ length: n }, (_, i) => shown.map((values) => values[i]));
  return { header: Object.keys(all), lines };
}

/** Shows how the score came about, or why there is none. */
export function showWorking(state, found, nameOf, nuggetsOf, terms) {
  const title = titleOf(state);
  at("tables").replaceChildren();
  at("figure").hidden = true;
  at("equation").textContent = at("no-relevant").textContent = "";
  if (found.refused) {
    at("equation").textContent = `${title} has no score here: ${found.refused}.`;
    return;
  }
  const [first] = found.each;
  const { seen } = first;
  at("no-relevant").textContent = found.empty ? `${WITHOUT} (${written(found.empty)}).` : "";
  if (found.each.length > 1) showOrders(title, found, nameOf);
  else if (seen) at("equation").textContent = equation(state.measure, state.k, seen, found.score);
  if (!seen) {
    at("equation").textContent = `${title} = ${number(found.score)}`;
    return;
  }
  const many = found.each.length > 1;
  const { image, title: drawnTitle, legend, more, bars: drawnBars } = drawn(state.measure, seen);
  at("figure").hidden = drawnBars === 0;
  const keys = legend.flatMap((name, i) => [make("span", { class: i ? "key ideal" : "key" }), name]);
  const limit = more ? " (the first 30 ranks)" : "";
  at("figure").querySelector("figcaption").replaceChildren(`${drawnTitle}${limit}`, ...keys);
  at("figure").querySelector(".frame").replaceChildren(image);
  const sections = [[many ? `${title} of the first of these orders` : title, seen], ...Object.entries(seen.parts)];
  for (const [name, part] of sections) {
    const { header, lines } = stepsOf(part, first.grades, nameOf, nuggetsOf);
    const score = part === seen ? first.score ?? found.score : part.score;
    const caption = `${name} = ${number(score)}`;
    const shown = lines.length ? table(caption, header, lines, { titles: terms }) : make("p", {}, `${caption}: no document`);
    at("tables").append(make("div", { class: "frame", tabindex: 0, role: "group", "aria-label": caption }, shown));
  }
  const also = Object.entries(seen.quantities).map(([name, x]) => `${name} ${column([x])[0]}`);
  if (also.length) at("tables").append(make("p", { class: "hint" }, also.join("; ")));
  at("tables").append(...notesOf(seen).map((note) => make("p", { class: "hint" }, `Note: ${note}.`)));
}

const WITHOUT = "No judged document is relevant. So the score says nothing of the ranking: the convention for such a query decides it";

function showOrders(title, found, nameOf) {
  const n = found.each.length;
  at("equation").textContent = `${title} = ${number(found.score)}, the mean over ${n} orders of the tied documents`;
  const some = found.each.slice(0, MOST_ORDERS_SHOWN);
  const lines = some.map((c) => [c.documents.map((d) => nameOf[d] ?? d).join(", "), number(c.score)]);
  const caption = n > some.length ? `The first ${some.length} of ${n} orders` : "The orders";
  at("tables").append(make("div", { class: "frame", tabindex: 0, role: "group", "aria-label": caption },
    table(caption, ["order", title], lines)));
}

/** Shows what each library gives, the highest value first; `score` marks what agrees with the page. */
export function showLibraries(groups, score, defaults) {
  const said = ({ name, library, said: all }) => {
    const own = Object.entries(all).filter(([n, x]) => x !== defaults[n] && n in defaults);
    const options = written(Object.fromEntries(own));
    return make("code", { title: `${library.version} (${library.known}): ${options || "as ours"}` }, name);
  };
  const listed = (names) => separated([...grouped(names).values()].map((own) =>
    make("span", {}, own[0].library.name, ": ", ...separated(own.map(said)))), "; ");
  if (groups.length === 0) {
    at("libraries").replaceChildren(make("li", {}, "No library that we know of has this measure at this cut-off."));
    return;
  }
  const high = (g) => (g.refused ? -Infinity : Number.isNaN(g.score) ? -Number.MAX_VALUE : g.score);
  const sorted = [...groups].sort((a, b) => high(b) - high(a));
  at("libraries").replaceChildren(...sorted.map((g) => {
    const same = !g.refused && Math.abs(g.score - score) < 1e-9;
    const value = make("strong", {}, g.refused ? "refused" : number(g.score));
    const why = g.refused ? `${g.refused.split(":")[0]}. ` : same ? "as on this page. " : "";
    return make("li", { class: same ? "same" : null }, value, make("div", {}, why, ...listed(g.names)));
  }));
}

function grouped(names) {
  const found = new Map();
  for (const one of names) found.set(one.library, [...(found.get(one.library) ?? []), one]);
  return found;
}

const separated = (parts, by = ", ") => parts.flatMap((part, i) => (i ? [by, part] : [part]));

/** What gives a number, as an element, and the sentence that says so in short. */
export function answerOf(state, target, found, groups, data, use) {
  const title = titleOf(state);
  const causes = causesOf(found);
  const order = inOrder(causes, found);
  const answers = order.map((one, i) => shownAs(one, i, { state, title, groups, data, use, causes }));
  const none = answers.length === 0;
  const short = none ? nothing(target, found, title) : answers[0].short(target) + others(causes, found);
  const shown = answers.map((one) => one.element);
  if (none) shown.push(...found.nearest.map((one) => nearer(one, title, data)));
  if (none && !found.nearest.length && !found.refused && !Number.isNaN(target.value))
    shown.push(make("p", {}, "Nothing comes near it. Are all judged documents given, retrieved or not?"));
  const by = found.ours === undefined ? "" : `Our defaults give ${number(found.ours)}.`;
  const twice = found.twice ? " Nothing rounds to it at once. Rounded to more digits before:" : "";
  const answer = make("div", { class: "answer" }, make("p", { class: "verdict" }, short),
    make("p", { class: "hint" }, `${by}${twice}`.trim()), ...shown);
  const first = order[0]?.kind === KINDS.convention ? order[0].one : undefined;
  return { answer, short, first };
}

const KINDS = { convention: "convention", cutoff: "cutoff", area: "area", mistake: "mistake", more: "more" };

/** What fits, the likeliest first: conventions that some library has, another cut-off, conventions
 * that none has, an area under a curve, and mistakes. */
function inOrder(causes, { areas, elsewhere, twice }) {
  const cuts = elsewhere.map((one) => ({ kind: KINDS.cutoff, one }));
  const conventions = causes.candidates.map((one) => ({ kind: KINDS.convention, one }));
  const usual = ({ one }) => !twice && (one.libraries.length > 0 || Object.keys(one.changes).length === 0);
  const first = conventions.filter(usual);
  const rest = conventions.filter((one) => !usual(one));
  const all = [...first, ...cuts, ...rest];
  const kept = all.slice(0, MOST_CANDIDATES);
  if (all.length > kept.length) kept.push({ kind: KINDS.more, one: all.length - kept.length });
  if (areas.length) kept.push({ kind: KINDS.area, one: areas });
  return [...kept, ...causes.mistakes.map((one) => ({ kind: KINDS.mistake, one }))];
}

/** One explanation as an element, and as a short sentence. */
function shownAs({ kind, one }, i, { state, title, groups, data, use, causes }) {
  const beside = i > 0;
  if (kind === KINDS.convention) {
    const what = Object.keys(one.changes).length ? said(one.changes, data.words) : "our defaults give it";
    return { element: candidate(one, beside, title, groups, data, use), short: (target) => `${target.text}: ${what}.` };
  }
  if (kind === KINDS.cutoff) {
    const by = `${state.measure} ${cutInWords(one.cut)} gives it`;
    return { element: cutoffOf(one, beside, state, use), short: (target) => `${target.text}: ${by}.` };
  }
  if (kind === KINDS.area) {
    const area = "the area under the precision-recall curve, which some libraries call AP";
    return { element: areaOf(one, groups, use), short: (target) => `${target.text}: ${area}.` };
  }
  if (kind === KINDS.more) return { element: make("p", {}, `${one} more explanations give it.`), short: null };
  const full = causes.candidates.length === 0;
  return { element: mistakeOf(one, !full, beside ? 1 : 0), short: (target) => `${target.text}: by a mistake, ${one.mistake.says}.` };
}

const cutInWords = (cut) => (cut === null ? "without a cut-off" : `cut off at ${cut}`);

/** Why nothing gives a number. */
function nothing(target, { refused, given: { withoutRelevant } }, title) {
  if (refused) return `${title} has no score here: ${refused}.`;
  if (!Number.isNaN(target.value) || withoutRelevant) return `${target.text}: no convention and no mistake that we know of gives it.`;
  return `${target.text}: libraries give NaN where nothing is relevant. Here a document is relevant, so another query of the run, or a missing value, can be the cause.`;
}

function others(causes, { areas, elsewhere }) {
  const more = causes.candidates.length + causes.mistakes.length + elsewhere.length + (areas.length ? 1 : 0) - 1;
  return more ? ` ${more} other ${more === 1 ? "explanation fits" : "explanations fit"} too.` : "";
}

/** The same measure at another cut-off. */
function cutoffOf({ cut, score, libraries }, beside, state, use) {
  const asked = state.k === null ? "without a cut-off" : `at ${state.k}`;
  const by = libraries.length ? `by ${listOf(libraries.map((library) => library.name))}` : "by our defaults";
  const what = make("strong", {}, `${beside ? "Or another cut-off: " : ""}${state.measure} ${cutInWords(cut)} is ${number(score)} ${by}.`);
  return make("div", { class: "found" }, make("p", {}, what), make("p", {}, `You asked for ${state.measure} ${asked}.`),
    make("p", { class: "hint" }, make("button", { type: "button", onclick: () => use.cutoff(cut) }, `Show ${state.measure} ${cutInWords(cut)}`)));
}

// A mistake that no option of the right measure is, but that does what a convention does.
const CAUSES = { "ideal-cut-too-early": { ideal: "retrieved" } };

/** Candidates and mistakes; a mistake that is a convention goes with its convention, told once. */
function causesOf({ candidates, mistakes }) {
  const within = (few, many) => Object.keys(few).length > 0 && Object.entries(few).every(([name, x]) => many[name] === x);
  const causes = candidates.map((c) => ({ ...c, mistake: null }));
  const apart = mistakes.filter((m) => {
    const options = m.mistake.options ?? CAUSES[m.mistake.label] ?? {};
    const same = causes.find((c) => within(options, c.changes));
    if (same) same.mistake ??= m.mistake;
    return !same;
  });
  return { candidates: causes, mistakes: apart };
}

/** What conventions did, as one sentence. */
function said(changes, words) {
  const parts = Object.entries(changes).map(([name, value]) => inWords(words, name, value));
  return parts.length > 1 ? `${parts.slice(0, -1).join("; ")}; and ${parts.at(-1)}` : parts.join("");
}

function candidate(one, beside, title, groups, data, use) {
  const changes = Object.keys(one.changes).length > 0;
  const who = whoGives(one.libraries, one.score, groups);
  const option = changes ? make("code", {}, written(one.changes)) : "our defaults";
  const what = !beside ? null : make("p", {}, make("strong", {}, changes ? `Or: ${said(one.changes, data.words)}.` : "Or by our defaults."));
  const mistake = one.mistake ? make("p", {}, make("strong", {}, "If it was not meant so: "), one.mistake.why) : null;
  return make("div", { class: "found" }, what,
    make("p", {}, who.length ? `This is the ${title} of ${listOf(who)}.` : "We know of no library that does so."), mistake,
    make("p", { class: "hint" }, `${title} = ${number(one.score)} with `, option, " ",
      make("button", { type: "button", onclick: () => use.options(one.changes) }, "Show its working")));
}

/** The area under the precision-recall curve, where a library calls it AP. */
function areaOf(areas, groups, use) {
  const libraries = [...new Map(areas.map((one) => [one.library.name, one])).values()];
  const who = libraries.map(({ library }) => {
    const names = areas.filter((one) => one.library === library).map((one) => one.name);
    return `${library.name} by ${names[0]}`;
  });
  return make("div", { class: "found" }, make("p", {}, make("strong", {}, "The area under the precision-recall curve (PR-AUC) gives it.")),
    make("p", {}, `${listOf(who)} ${who.length > 1 ? "call" : "calls"} it AP. Documents of one score are retrieved together.`),
    make("p", { class: "hint" }, make("button", { type: "button", onclick: () => use.measure("PR-AUC") }, "Show PR-AUC")));
}

const listOf = (who) => (who.length > 1 ? `${who.slice(0, -1).join(", ")} and ${who.at(-1)}` : who[0]);

/** A mistake in full where it is all there is, else in a sentence. */
function mistakeOf({ mistake, score }, beside, i) {
  const head = make("strong", {}, beside || i ? "Or by a mistake: " : `${number(score)} by a mistake: `);
  const what = make("p", {}, head, `${mistake.says}.`);
  if (beside) return make("div", { class: "found wrong" }, what);
  return make("div", { class: "found wrong" }, what,
    make("p", {}, mistake.why),
    make("p", { class: "hint" }, `Read on: ${mistake.read}.`));
}

/** What two numbers part in: the conventions that only one of them follows. */
export function differenceOf(targets, firsts, defaults, words) {
  const [one, other] = firsts.map((first) => first?.changes);
  if (!one || !other) return "";
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  const apart = names.filter((name) => one[name] !== other[name]);
  if (!apart.length) return "Both numbers follow the same conventions: they differ in their digits alone.";
  const by = (changes) => said(Object.fromEntries(apart.map((name) => [name, changes[name] ?? defaults[name]])), words);
  return `The two differ in this. For ${targets[0].text} ${by(one)}. For ${targets[1].text} ${by(other)}.`;
}

function nearer(one, title, data) {
  const { changes, cut, mistake, score, off } = one;
  const options = changes ? written(changes) : "";
  const what = mistake ? `the mistake of ${mistake.says}` : cut !== undefined
    ? (cut === null ? "no cut-off" : `the cut-off ${cut}`) : options || "our defaults";
  return make("div", { class: "found near" }, make("p", {}, `Near: ${number(score)} with ${what}. It is off by ${number(off)}.`));
}
