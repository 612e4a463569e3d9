// The page "Explain your run": files that are dropped, what each query scores, and a way into one.

import { visible } from "./characters.mjs";
import { at, make, table } from "./dom.mjs";
import { evaluated, fromFile, inputsOf, measuresOf, saidBy } from "./runs.mjs";
import { number } from "./say.mjs";
import { MOST, cleaned, newDocument } from "./state.mjs";

const MOST_LINES = 200; // of queries that are shown, the worst first
const KINDS = { run: "run", qrels: "judgments" };
const held = { run: null, qrels: null };
const refused = { run: "", qrels: "" }; // why a chosen file was not read

/** Lets files be dropped and chosen; `open(state, sentence, said)` shows one query on the other
 * page, by the conventions that scored it. */
export function listenForRuns(data, open) {
  const names = data.libraries.map((library) => library.name);
  at("run-library").append(...names.map((name) => make("option", { value: name }, name)));
  const again = () => {
    tell("");
    show(data, open);
  };
  const take = async (files, kind = null) => {
    let dropped = "";
    for (const file of files) {
      try {
        const found = fromFile(file.name, await file.text(), kind);
        held[found.kind] = found;
        refused[found.kind] = "";
      } catch (error) {
        // A table of the file before would look like that of this one.
        if (kind) [held[kind], refused[kind]] = [null, visible(error.message)];
        else dropped = visible(error.message);
      }
    }
    tell([refused.run, refused.qrels, dropped].filter(Boolean).join(" "));
    show(data, open);
  };
  for (const kind of Object.keys(KINDS)) {
    at(`${kind}-file`).addEventListener("change", (event) => take(event.target.files, kind));
  }
  const zone = at("drop");
  zone.addEventListener("dragover", (event) => {
    event.preventDefault();
    zone.classList.add("over");
  });
  zone.addEventListener("dragleave", () => zone.classList.remove("over"));
  zone.addEventListener("drop", (event) => {
    event.preventDefault();
    zone.classList.remove("over");
    take(event.dataTransfer.files);
  });
  at("run-measures").addEventListener("change", again);
  at("run-library").addEventListener("change", again);
}

const tell = (sentence) => { at("run-error").textContent = sentence; };
const count = (n, what) => `${n} ${n === 1 ? what : what.replace(/y$/, "ies")}`;

function show(data, open) {
  for (const [kind, called] of Object.entries(KINDS)) {
    const found = held[kind];
    at(`${kind}-held`).textContent = found ? `${found.file}: ${count(found.queries.size, "query")}` : `No ${called} yet`;
  }
  at("run-table").replaceChildren();
  at("run-notes").textContent = "";
  if (!held.run || !held.qrels) return;
  try {
    const measures = measuresOf(at("run-measures").value, data);
    if (!measures.length) throw new Error("Write a measure, such as nDCG@10.");
    const inputs = inputsOf(held.run, held.qrels);
    const library = at("run-library").value;
    const columns = evaluated(inputs, measures, data, library);
    const said = saidBy(data, library, measures[0]) ?? {};
    showTable(inputs, measures, columns, (one) => open(...stateOf(one, measures[0]), said));
    at("run-notes").textContent = notesOf(inputs, columns).join(" ");
  } catch (error) {
    tell(visible(error.message));
  }
}

function notesOf(inputs, columns) {
  const missing = inputs.filter((one) => one.retrieved.size === 0).length;
  const extra = [...held.run.queries.keys()].filter((query) => !held.qrels.queries.has(query)).length;
  const more = inputs.length - MOST_LINES;
  const known = inputs.some(({ retrieved, grades }) => [...grades.keys()].some((document) => retrieved.has(document)));
  return [
    known ? "" : "No judged document was retrieved: have the ids changed?",
    missing ? `Judged, but not in the run: ${count(missing, "query")}. An empty ranking counts, unless the library leaves it out.` : "",
    extra ? `In the run, but not judged: ${count(extra, "query")}, left out.` : "",
    more > 0 ? `${more} more queries score higher.` : "",
    ...columns.map((column) => (column.refused ? `No score: ${column.refused}.` : "")),
  ].filter(Boolean);
}

function showTable(inputs, measures, columns, explain) {
  const [first] = columns;
  const scoreOf = (column, i) => (column.refused ? "-" : column.scores[i] === null ? "left out" : number(column.scores[i]));
  const worst = inputs.map((_, i) => i);
  const key = (i) => first.scores?.[i] ?? Infinity;
  if (!first.refused) worst.sort((a, b) => key(a) - key(b) || a - b);
  const lines = worst.slice(0, MOST_LINES).map((i) => [
    make("button", { type: "button", "aria-label": `Explain query ${inputs[i].query}`, onclick: () => explain(inputs[i]) }, inputs[i].query),
    ...columns.map((column) => scoreOf(column, i)),
  ]);
  const means = ["mean", ...columns.map((column) => (column.refused ? "-" : number(column.mean)))];
  at("run-table").replaceChildren(table(`${count(inputs.length, "query")}, the lowest ${measures[0].title} first`,
    ["query", ...measures.map((m) => m.title)], [means, ...lines], { classes: (i) => (i === 0 ? "mean" : "") }));
}

/** A query as the page has it, and a sentence on what has no room there. */
function stateOf({ query, retrieved, grades }, { metric, k }) {
  const names = new Set();
  const one = (name, tied) => {
    const shown = cleaned(name);
    if (!shown || names.has(shown)) return null;
    names.add(shown);
    return newDocument(shown, grades.get(name) ?? null, null, tied);
  };
  const ranked = [...retrieved].sort((a, b) => b[1] - a[1]);
  const others = [...grades].filter(([d]) => !retrieved.has(d)).sort((a, b) => b[1] - a[1]);
  const state = {
    measure: metric, k, options: {}, value: "", theirs: "", queries: [], at: 0,
    ranked: ranked.slice(0, MOST).map(([d, score], i) => one(d, i > 0 && ranked[i - 1][1] === score)).filter(Boolean),
    others: others.slice(0, MOST).map(([d]) => one(d, false)).filter(Boolean),
  };
  const cut = ranked.length > MOST || others.length > MOST;
  const limits = cut ? ` The first ${MOST} documents of each list are shown, so measures without a cut-off differ.` : "";
  return [state, `This is query ${query}.${limits}`];
}
