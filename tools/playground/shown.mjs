// What was computed, as it is shown: the working, the libraries, the explanations of a number.

import { at, make, table } from "./dom.mjs";
import { drawn } from "./draw.mjs";
import { column, equation, number, written } from "./say.mjs";

const MOST_ORDERS_SHOWN = 12;
const MOST_CANDIDATES = 6;

/** A measure with its cut-off: nDCG@5. */
export const titleOf = (state) => state.measure + (state.k === null ? "" : `@${state.k}`);

/** The lines of a table of steps, with the documents and their grades in front. */
export function stepsOf(part, grades, nameOf, nuggetsOf) {
  const n = Object.values(part.columns)[0]?.length ?? 0;
  const documents = part.documents?.map((d) => nameOf[d] ?? d);
  const columns = { rank: Array.from({ length: n }, (_, i) => i + 1) };
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

/** Shows what each library gives; `score` marks the line that agrees with the page. */
export function showLibraries(groups, score, defaults) {
  const said = ({ name, label, library, said: all }) => {
    const own = Object.entries(all).filter(([n, x]) => x !== defaults[n] && n in defaults);
    const options = written(Object.fromEntries(own));
    return make("span", { title: `${library.version} (${library.known}): ${options || "as ours"}` },
      label === library.name ? label : name);
  };
  const listed = (names) => {
    const byLibrary = Map.groupBy ? Map.groupBy(names, (one) => one.library) : grouped(names);
    const parts = [...byLibrary.values()].map((own) => make("span", {},
      own[0].library.name, ": ", ...separated(own.map((one) => make("code", {}, said({ ...one, label: null }))))));
    return make("span", {}, ...separated(parts, "; "));
  };
  if (groups.length === 0) {
    at("libraries").replaceChildren(make("p", {}, "No library that we know of has this measure at this cut-off."));
    return;
  }
  const lines = groups.map((g) => [g.refused ? `refused: ${g.refused.split(":")[0]}` : number(g.score), listed(g.names)]);
  const same = (i) => (!groups[i].refused && Math.abs(groups[i].score - score) < 1e-9 ? "same" : "");
  at("libraries").replaceChildren(table("", ["value", "libraries, with their names for it"], lines, { classes: same }));
}

function grouped(names) {
  const found = new Map();
  for (const one of names) found.set(one.library, [...(found.get(one.library) ?? []), one]);
  return found;
}

const separated = (parts, by = ", ") => parts.flatMap((part, i) => (i ? [by, part] : [part]));

/** Shows what gives a number; the sentence that says so in short is returned. */
export function showExplained(state, target, found, data, use) {
  const title = titleOf(state);
  const { candidates, mistakes, nearest, ours } = found;
  const shown = candidates.slice(0, MOST_CANDIDATES).map((c) => candidate(c, title, data, use));
  const rest = candidates.length - shown.length;
  if (rest > 0) shown.push(make("p", {}, `${rest} more combinations of conventions give it.`));
  shown.push(...mistakes.map((m) => mistakeOf(m, candidates.length > 0)));
  const none = shown.length === 0;
  const short = none
    ? `No convention and no mistake that we know of gives ${target.text}.`
    : verdict(target, candidates, mistakes, title);
  if (none) shown.push(...nearest.map((one) => nearer(one, title, data)));
  const by = ours === undefined ? "" : ` With our defaults ${title} is ${number(ours)}.`;
  const twice = found.twice ? " Nothing rounds to it at once. Rounded to more digits before:" : "";
  at("explained").replaceChildren(make("p", { class: "verdict" }, short), make("p", { class: "hint" }, `${by}${twice}`.trim()), ...shown);
  return short;
}

function verdict(target, candidates, mistakes, title) {
  const [first] = candidates;
  if (!first) return `${target.text} comes from a mistake: ${mistakes[0].mistake.says}.`;
  const ours = !Object.keys(first.changes).length;
  if (!first.libraries.length) {
    return `${target.text} is the ${title} ${ours ? "of our defaults" : `with ${written(first.changes)}`}.`;
  }
  const who = namesOf(first.libraries);
  const more = candidates.length - 1;
  const others = more ? ` ${more} other ${more === 1 ? "explanation fits" : "explanations fit"} too.` : "";
  if (ours) return `${target.text} is the ${title} of ${who}, and ours.${others}`;
  return `${target.text} is the ${title} of ${who}: ${written(first.changes)}.${others}`;
}

function namesOf(libraries) {
  const names = [...libraries].sort((a, b) => b.library.use - a.library.use).map(({ library }) => library.name);
  const some = [...new Set(names)].slice(0, 3);
  const more = new Set(names).size - some.length;
  return some.join(", ") + (more > 0 ? ` and ${more} more` : "");
}

function candidate(one, title, data, use) {
  const names = Object.keys(one.changes);
  const lines = names.map((name) => {
    const value = one.changes[name];
    const meaning = data.meanings[name]?.[value];
    return make("p", {}, make("code", {}, written({ [name]: value })), meaning ? `: ${meaning}` : "");
  });
  const who = one.libraries.map(({ label }) => label).join(", ");
  const head = names.length ? `${title} = ${number(one.score)} with` : `${title} = ${number(one.score)} by our defaults`;
  return make("div", { class: "found" }, make("p", {}, make("strong", {}, head)), ...lines,
    who ? make("p", { class: "hint" }, `Libraries: ${who}`) : make("p", { class: "hint" }, "We know of no library that does so."),
    make("button", { type: "button", onclick: () => use(one.changes) }, "Show its working"));
}

/** A mistake in full where it is all there is, else in a sentence. */
function mistakeOf({ mistake, score }, beside) {
  const head = make("strong", {}, beside ? "Or by a mistake: " : `${number(score)} by a mistake: `);
  const said = make("p", {}, head, `${mistake.says}.`);
  if (beside) return make("div", { class: "found wrong" }, said);
  return make("div", { class: "found wrong" }, said,
    make("p", {}, mistake.why),
    make("p", { class: "hint" }, `Read on: ${mistake.read}.`));
}

function nearer(one, title, data) {
  const { changes, cut, mistake, score, off } = one;
  const options = changes ? written(changes) : "";
  const what = mistake ? `the mistake of ${mistake.says}` : cut !== undefined
    ? (cut === null ? "no cut-off" : `the cut-off ${cut}`) : options || "our defaults";
  return make("div", { class: "found near" }, make("p", {}, `Near: ${number(score)} with ${what}. It is off by ${number(off)}.`));
}
