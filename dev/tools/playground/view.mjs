// The page: what is entered goes into the state, and what follows from the state is shown.

import { added, showCards } from "./cards.mjs";
import { visible } from "./characters.mjs";
import { at, make, table } from "./dom.mjs";
import { areasThatFit, explained, isEmpty, scored, valuesOfLibraries, worked } from "./explain.mjs";
import { readText, toText } from "./paste.mjs";
import { fromQuestion, toQuestion } from "./question.mjs";
import { printed } from "./printed.mjs";
import { call, number, test } from "./say.mjs";
import { defaultsOf, factsOf, namesOf } from "./settings.mjs";
import { listenForRuns } from "./runview.mjs";
import { answerOf, differenceOf, showLibraries, showWorking, titleOf } from "./shown.mjs";
import { HIGHEST_CUTOFF, MOST_QUERIES, example, fromFragment, inputOf, newDocument, queriesOf, rangeOf, takes, toFragment, turnTo } from "./state.mjs";

const WAIT = 60; // milliseconds without a change, before the long work
const NUMBERS = ["p", "alpha", "beta", "rel", "max_grade"];
const data = JSON.parse(at("data").textContent);
const ASKED = "ask="; // before a question in the address
const MOST_STEPS = 200; // that can be undone
const MOST_GRADES = 20; // that an option offers
const state = example();
let waiting = 0;
let address = location.hash; // as the page last read or wrote it
let typed = false; // whether the text area holds what nobody used yet
let offered = ""; // the grades that the options offer
let asking = false; // whether somebody types the question
let asked = false; // whether the last step was typed there
let refused = ""; // the field whose text was refused, so that the answer belongs to what was read before
// The state as last shown, those before it, and those that were undone.
let [seen, steps, undone] = ["", [], []];

const measure = () => data.measures[state.measure];

/** The queries, where there are several: which is shown, what each scores, and the mean. */
function showQueries(scores, mean, title) {
  const several = scores.length > 1;
  const names = scores.map((_, i) => `query ${i + 1}`);
  at("query").replaceChildren(...names.map((name, i) => make("option", { value: i, selected: i === state.at }, name)));
  at("which").hidden = at("remove-query").hidden = !several;
  at("add-query").disabled = scores.length >= MOST_QUERIES;
  const lines = scores.map(({ score }, i) => [names[i], score === undefined ? "no score" : number(score)]);
  at("queries").replaceChildren(...(several ? [table("", ["", title], [...lines, ["mean", mean]],
    { classes: (i) => (i === scores.length ? "mean" : i === state.at ? "same" : "") })] : []));
}

function turn(queries, to, what) {
  turnTo(state, queries, to);
  showAll(what);
}

/** What follows from the state, as the copied texts need it too. */
function computed() {
  const { given, judged, nameOf, nuggetsOf } = inputOf(state, measure());
  const said = { ...defaultsOf(measure()), ...state.options };
  const found = worked(state.measure, given, state.k, said);
  if ("no_relevant" in said && isEmpty(given, said)) found.empty = { no_relevant: said.no_relevant };
  const numbers = Object.entries(state.options).filter(([name]) => NUMBERS.includes(name));
  const base = { ...defaultsOf(measure()), ...Object.fromEntries(numbers) };
  const page = {
    function: measure().function, nuggets: measure().nuggets, curve: measure().curve, ranked: state.ranked, judged,
    k: state.k, changed: state.options, score: found.score,
  };
  const each = queriesOf(state).map((query) => (query.ranked === state.ranked ? given : inputOf(query, measure()).given));
  const all = each.length > 1 ? { queries: each } : given;
  return { given: all, each, nameOf, nuggetsOf, said, found, base, page };
}

/** Keeps the state before a change; digits typed into a number are no step of their own, and what
 * is typed into the question is one step. */
function record() {
  const now = JSON.stringify(state);
  const but = (text) => JSON.stringify({ ...JSON.parse(text), value: "", theirs: "" });
  const goesOn = asked && asking;
  if (seen && but(seen) !== but(now)) asked = asking;
  if (goesOn) undone = [];
  else if (seen && but(seen) !== but(now)) {
    steps = [...steps, seen].slice(-MOST_STEPS);
    undone = [];
  }
  seen = now;
  at("undo").disabled = steps.length === 0;
  at("redo").disabled = undone.length === 0;
}

/** Takes a change back, or makes it again: the state goes from the one heap to the other. */
function goBack(from, to, what) {
  if (!from.length) return;
  to.push(seen);
  const found = JSON.parse(from.pop());
  const same = new Map([...state.ranked, ...state.others].map((d) => [JSON.stringify(d), d]));
  for (const name of ["ranked", "others"]) found[name] = found[name].map((d) => same.get(JSON.stringify(d)) ?? d);
  Object.assign(state, found);
  seen = JSON.stringify(state);
  const button = document.activeElement;
  showAll(what);
  if (button.disabled) at(button.id === "undo" ? "redo" : "undo").focus();
}

const undo = () => goBack(steps, undone, "Undone");
const redo = () => goBack(undone, steps, "Done again");

/** Ctrl+Z and Ctrl+Y, as everywhere; fields of text have their own. */
function byKeys(event) {
  const writes = event.target.matches("textarea, input:not([type=radio], [type=checkbox])");
  if (!(event.ctrlKey || event.metaKey) || event.altKey || writes) return;
  const key = event.key.toLowerCase();
  if (key !== "z" && key !== "y") return;
  event.preventDefault();
  if (key === "y" || event.shiftKey) redo();
  else undo();
}

/** The text area follows the cards, unless it holds what somebody typed and has not used yet. */
function showText() {
  if (!typed) at("text").value = toText(state);
  at("text-note").hidden = !typed || at("text").value === toText(state);
  if (!asking) at("question").value = toQuestion(state);
}

/** Greys what is shown, and says what it belongs to, where a field holds what was refused. */
function markStale(field, why = "Your last input was not read.") {
  refused = field;
  at("play").classList.toggle("stale", field !== "");
  at("stale").hidden = field === "";
  at("stale").textContent = field === "" ? "" : `${why} What is shown in grey belongs to: ${toQuestion(state)}`;
  for (const id of ["copy-link", "copy-call", "copy-test"]) at(id).disabled = field !== "";
}

function show(what = "") {
  markStale("");
  record();
  showText();
  if (offered !== gradesAtHand().join()) showMeasure();
  const now = computed();
  const { found, nameOf, nuggetsOf, page, given, base, said, each } = now;
  const title = titleOf(state);
  const whole = each.length > 1 ? scored(state.measure, given, state.k, said) : found;
  const score = whole.refused ? "no score" : number(whole.score);
  const mean = each.length > 1 ? `, the mean of ${each.length} queries` : "";
  at("score").textContent = whole.refused ? `${title} has no score` : `${title} = ${score}${mean}`;
  showQueries(each.map((one) => scored(state.measure, one, state.k, said)), score, title);
  showWorking(state, found, nameOf, nuggetsOf, data.terms);
  at("call").textContent = call(page);
  at("test").textContent = found.refused ? "There is no score to test." : test(page);
  const changes = Object.keys(state.options).length;
  at("changed").textContent = changes ? ` (${changes} changed)` : " (our defaults)";
  clearTimeout(waiting);
  at("explained").setAttribute("aria-busy", "true");
  waiting = setTimeout(() => {
    const groups = valuesOfLibraries(data, state.measure, given, state.k, base);
    showLibraries(groups, whole.score, defaultsOf(measure()));
    const verdict = explainNumbers(given, base, groups);
    at("live").textContent = [what, `${title} is ${score}`, verdict].filter(Boolean).join(". ");
    remember();
    at("explained").setAttribute("aria-busy", "false");
  }, WAIT);
}

/** Shows what gives the number, or both of them side by side; says it in short. */
function explainNumbers(given, base, groups) {
  at("value-error").textContent = "";
  const texts = [state.value, state.theirs].map((text) => text.trim()).filter(Boolean);
  const targets = texts.map((text) => printed(text));
  const bad = texts.find((_, i) => targets[i] === null);
  if (bad !== undefined || !texts.length) {
    at("explained").replaceChildren();
    if (bad) at("value-error").textContent = `“${bad}” is not a number. Write it as it was printed, such as 0.949.`;
    return "";
  }
  const answers = targets.map((target) => {
    const found = explained(data, state.measure, given, state.k, base, target);
    const areas = areasThatFit(data, state.measure, given, state.k, base, target);
    const facts = factsOf(given);
    return answerOf(state, target, { ...found, areas, given: facts }, groups, data, { options: useOptions, measure: useMeasure, cutoff: useCutoff });
  });
  const apart = answers.length > 1 ? differenceOf(targets, answers.map((a) => a.first), base, data.words) : "";
  at("explained").replaceChildren(make("div", { class: "answers" }, ...answers.map((a) => a.answer)), make("p", { id: "difference" }, apart));
  return [...answers.map((a) => a.short), apart].filter(Boolean).join(" ");
}

function useMeasure(name) {
  Object.assign(state, { measure: name, k: null, options: {} });
  showAll(`Measure: ${name}`);
}

function useCutoff(k) {
  state.k = k;
  showAll(k === null ? "Without a cut-off" : `Cut-off: ${k}`);
}

function useOptions(changes) {
  const shown = measure().options.filter((o) => o.shown && o.name in changes && takes(o, changes[o.name]));
  state.options = Object.fromEntries(shown.map((o) => [o.name, changes[o.name]]));
  showMeasure();
  show("Conventions taken");
  at("working-head").scrollIntoView();
  at("equation").focus({ preventScroll: true });
}

/** Reads the question while it is typed; what is wrong with it is said when it is finished. */
function ask(finished) {
  at("question-error").textContent = "";
  at("question-note").textContent = "";
  try {
    const { notes = [], ...found } = fromQuestion(at("question").value, state, data);
    if (found.measure && found.measure !== state.measure) state.options = {};
    Object.assign(state, found);
    asking = !finished;
    showAll(finished ? "The question was read" : "");
    at("question-note").textContent = notes.join(" ");
  } catch (error) {
    if (finished) at("question-error").textContent = error.message;
    markStale("question", finished ? undefined : "The line is not read yet.");
  }
}

function remember() {
  if (location.hash !== address || !at("runs").hidden) return; // another link was opened meanwhile
  try {
    history.replaceState(null, "", `#${toFragment(state)}`);
    address = location.hash;
  } catch {
    // Some browsers allow no change of the address of a file; the copied link holds it all.
  }
}

// ---- the measure and its conventions

function showMeasure() {
  at("measure").value = state.measure;
  at("cut").hidden = !measure().cutoff;
  at("k").value = state.k ?? "";
  at("k-error").textContent = "";
  at("definition").textContent = measure().definition;
  const all = namesOf(data, state.measure, state.k, defaultsOf(measure()), []);
  const options = all.map((one, i) => make("option", { value: i }, `${one.library.name}: ${one.name}`));
  at("library").replaceChildren(make("option", { value: "" }, "choose"), make("option", { value: "ours" }, "our defaults"), ...options);
  offered = gradesAtHand().join();
  at("options").replaceChildren(...measure().options.filter((o) => o.shown).map(optionField));
}

/** The grades above 0 of the page: what relevant can mean, and how high the scale can go. */
function gradesAtHand() {
  const all = queriesOf(state).flatMap(({ ranked, others }) => [...ranked, ...others]);
  const grades = all.map((d) => d.grade).filter((g) => g > 0);
  return [...new Set(grades)].sort((a, b) => a - b).slice(0, MOST_GRADES);
}

function optionField(option) {
  const value = state.options[option.name] ?? option.default;
  const meaning = make("small", { role: "status" }, meaningOf(option, value));
  const label = make("span", { class: value === option.default ? null : "departs" }, option.label);
  const set = (chosen) => {
    if (chosen === option.default) delete state.options[option.name];
    else state.options[option.name] = chosen;
    meaning.textContent = meaningOf(option, chosen);
    label.className = chosen === option.default ? "" : "departs";
    show(`${option.label}: ${chosen}`);
  };
  const refuse = () => {
    meaning.textContent = `Write a number from ${rangeOf(option).join(" to ")}.`;
  };
  const chosen = option.values.length || ["max_grade", "rel"].includes(option.name);
  const field = chosen ? choiceOf(option, value, set) : numberOf(option, value, set, refuse);
  return make("div", {}, make("label", {}, label, field), meaning);
}

const meaningOf = (option, value) => data.meanings[option.name]?.[value] ?? "";

function choiceOf(option, value, set) {
  const numbers = option.name === "rel" ? [1, 2, 3, 4, 5, ...gradesAtHand()] : [...new Set([1, 2, 3, 4, 5, ...gradesAtHand().filter((g) => g >= 1)]), "highest"];
  const values = option.values.length ? option.values.filter((v) => v !== "skip") : numbers;
  const known = [...new Set([...values, ...option.more, value])];
  const options = known.map((v, i) => make("option", { value: i, selected: v === value }, String(v)));
  return make("select", { onchange: (event) => set(known[Number(event.target.value)]) }, ...options);
}

function numberOf(option, value, set, refuse) {
  const [min, max] = rangeOf(option);
  return make("input", {
    type: "number", min, max, step: "any", value,
    oninput: (event) => {
      const given = event.target.value === "" ? NaN : Number(event.target.value);
      if (takes(option, given)) set(given);
      else refuse();
    },
  });
}

/** Takes all conventions that are said. */
function take(said) {
  const own = measure().options.filter((o) => o.shown && o.name in said && said[o.name] !== o.default);
  state.options = Object.fromEntries(own.map((o) => [o.name, said[o.name]]));
}

function takeLibrary(choice) {
  if (choice === "") return;
  const all = namesOf(data, state.measure, state.k, defaultsOf(measure()), []);
  take(choice === "ours" ? {} : all[Number(choice)].said);
  showMeasure();
  show(choice === "ours" ? "Our defaults" : `The conventions of ${all[Number(choice)].library.name}`);
}

// ---- the rest of the page

function showAll(what) {
  showCards(state, measure().nuggets, show);
  showMeasure();
  at("value").value = state.value;
  at("theirs").value = state.theirs;
  for (const id of ["text-error", "text-read", "question-error", "question-note"]) at(id).textContent = "";
  show(what);
}

const RUNS = "run"; // the part of an address that names the other page

/** Shows the one page or the other. */
function showPage(runs) {
  const title = runs ? "Explain your run" : "Explain your number";
  document.title = at("title").textContent = title;
  for (const [id, own] of [["play", !runs], ["lead", !runs], ["runs", runs], ["run-lead", runs]]) at(id).hidden = !own;
  for (const [id, own] of [["to-play", !runs], ["to-run", runs]]) {
    if (own) at(id).setAttribute("aria-current", "page");
    else at(id).removeAttribute("aria-current");
  }
}

function start(fragment) {
  at("notice").hidden = true;
  showPage(fragment === RUNS);
  if (!fragment || fragment === RUNS || fragment.startsWith(ASKED)) return;
  try {
    Object.assign(state, fromFragment(fragment, data));
  } catch (error) {
    at("notice").textContent = `${error.message} You see the example instead.`;
    at("notice").hidden = false;
    Object.assign(state, example());
  }
}

/** What the address says: a view, a state, or a question that another page sent along. */
function open() {
  const fragment = location.hash.slice(1);
  start(fragment);
  showAll();
  if (fragment.startsWith(ASKED)) askFrom(fragment.slice(ASKED.length));
}

/** Reads such a question; what can't be read stays in the field, with the reason. */
function askFrom(text) {
  let question = "";
  try {
    question = decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    question = text;
  }
  at("question").value = question;
  ask(true);
}

async function copy(text, what) {
  let done = true;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = make("textarea", { class: "hidden", readonly: true }, text);
    const back = document.activeElement;
    document.body.append(area);
    area.select();
    done = document.execCommand("copy");
    area.remove();
    back?.focus();
  }
  at("copied").textContent = done ? `${what} copied.` : `Your browser did not copy it. Select the text below, or copy the address.`;
}

function add(name) {
  state[name].push(added(state));
  showCards(state, measure().nuggets, show);
  at(name).lastElementChild.querySelector(".name").focus();
  show("A document was added");
}

/** A number of the best-known library that differs from ours. */
function tryExample() {
  const { given, base, found } = computed();
  const groups = valuesOfLibraries(data, state.measure, given, state.k, base);
  const other = groups.find((g) => !g.refused && Number.isFinite(g.score) && Math.abs(g.score - found.score) > 1e-4);
  state.value = number((other ?? found).score ?? 0);
  at("value").value = state.value;
  show();
}

function useText() {
  at("text-read").textContent = "";
  try {
    const { queries, notes } = readText(at("text").value, state, { nuggets: measure().nuggets });
    if (queries.length > MOST_QUERIES) throw new Error(`There are at most ${MOST_QUERIES} queries here.`);
    if (queries.length > 1) turnTo(state, queries, 0);
    else Object.assign(state, queries[0]);
    typed = false;
    showAll(`The text was read: ${state.ranked.length} retrieved, ${state.others.length} not retrieved`);
    at("text-read").textContent = notes.join(" ");
  } catch (error) {
    at("text-error").textContent = visible(error.message);
    markStale("text");
  }
}

function listen() {
  at("measure").replaceChildren(...Object.keys(data.measures).map((name) => make("option", { value: name }, name)));
  at("measure").addEventListener("change", (event) => {
    state.measure = event.target.value;
    state.options = {};
    if (!measure().cutoff) state.k = null;
    showAll(`Measure: ${state.measure}`);
  });
  at("k").addEventListener("input", (event) => {
    const text = event.target.validity.badInput ? "?" : event.target.value;
    const good = text === "" || (Number.isInteger(Number(text)) && text >= 1 && text <= HIGHEST_CUTOFF);
    at("k-error").textContent = good ? "" : `A cut-off is a whole number from 1 to ${HIGHEST_CUTOFF}.`;
    if (!good) return markStale("k");
    state.k = text === "" ? null : Number(text);
    show();
  });
  at("k").addEventListener("change", () => at("k-error").textContent || showMeasure());
  at("library").addEventListener("change", (event) => takeLibrary(event.target.value));
  for (const name of ["value", "theirs"]) {
    at(name).addEventListener("input", (event) => {
      state[name] = event.target.value;
      show();
    });
  }
  at("question").addEventListener("input", () => {
    asking = true;
    ask(false);
  });
  at("question").addEventListener("change", () => ask(true));
  at("question").addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey) return;
    event.preventDefault();
    ask(true);
  });
  const click = (id, then) => at(id).addEventListener("click", then);
  click("try", tryExample);
  click("use-text", useText);
  click("add-ranked", () => add("ranked"));
  click("add-others", () => add("others"));
  click("reset", () => {
    Object.assign(state, example());
    showAll("The example is back");
  });
  click("clear", () => {
    Object.assign(state, { ranked: [], others: [] });
    showAll("All documents are removed");
  });
  click("copy-link", () => {
    remember();
    copy(location.href.split("#")[0] + `#${toFragment(state)}`, "The link is");
  });
  click("copy-call", () => copy(at("call").textContent, "The call is"));
  click("copy-test", () => copy(at("test").textContent, "The test is"));
  at("query").addEventListener("change", (event) => turn(queriesOf(state), Number(event.target.value), `Query ${Number(event.target.value) + 1} is shown`));
  click("add-query", () => {
    const queries = [...queriesOf(state), { ranked: [newDocument("d1", 0, [])], others: [] }];
    turn(queries, queries.length - 1, "A query was added");
  });
  click("remove-query", () => {
    const queries = queriesOf(state).filter((_, i) => i !== state.at);
    turn(queries, Math.min(state.at, queries.length - 1), "The query is removed");
    at("add-query").focus();
  });
  click("undo", undo);
  click("redo", redo);
  document.addEventListener("keydown", byKeys);
  click("text-back", () => {
    typed = false;
    at("text-error").textContent = "";
    if (refused === "text") markStale("");
    showText();
    at("text").focus();
  });
  at("text").addEventListener("input", () => {
    typed = at("text").value !== toText(state);
    showText();
  });
  listenForRuns(data, (found, sentence, said) => {
    Object.assign(state, found);
    take(said);
    location.hash = toFragment(state);
    showPage(false);
    showAll(sentence);
    at("notice").textContent = sentence;
    at("notice").hidden = false;
    at("ask").scrollIntoView();
    at("question").focus({ preventScroll: true });
  });
  window.addEventListener("hashchange", () => {
    address = location.hash;
    if (location.hash.slice(1) === toFragment(state)) return showPage(false);
    open();
  });
}

listen();
open();
