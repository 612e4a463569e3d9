// The documents as cards: their grades or nuggets to click, their places to drag.

import { at, make } from "./dom.mjs";
import { draggable } from "./drag.mjs";
import { MOST, NUGGETS, cleaned, isGrade, newDocument } from "./state.mjs";

const GRADES = [null, 0, 1, 2, 3, 4, 5];
const ids = new WeakMap();
const cards = new WeakMap(); // of a document: its card, and what the card shows
let count = 0;

function idOf(doc) {
  if (!ids.has(doc)) ids.set(doc, (count += 1));
  return ids.get(doc);
}

/** Shows the cards; `changed(what)` is told what a click or a key did. A card is made anew where
 * something on it changed: two hundred of them take longer than a reader waits. */
export function showCards(state, nuggets, changed) {
  const focus = document.activeElement?.id;
  for (const name of ["ranked", "others"]) {
    const list = state[name];
    const ranked = name === "ranked";
    list.forEach((doc, i) => {
      const key = JSON.stringify([name, nuggets, i > 0, doc]);
      if (cards.get(doc)?.key !== key) cards.set(doc, { key, card: cardOf(state, name, doc, nuggets, i > 0, changed) });
      const { card } = cards.get(doc);
      const where = ranked ? `rank ${i + 1} of ${list.length}` : "not retrieved";
      card.querySelector(".handle").setAttribute("aria-label", `Move ${doc.name}, ${where}`);
      if (ranked) card.querySelector(".place").textContent = i + 1;
      if (at(name).children[i] !== card) at(name).insertBefore(card, at(name).children[i] ?? null);
    });
    while (at(name).children.length > list.length) at(name).lastElementChild.remove();
    at(`${name}-empty`).hidden = list.length > 0;
    at(`add-${name}`).disabled = list.length >= MOST;
  }
  if (focus) at(focus)?.focus();
}

/** Shows a sentence above the cards, or takes it away. */
function tell(sentence) {
  at("notice").textContent = sentence;
  at("notice").hidden = sentence === "";
}

function cardOf(state, listName, doc, nuggets, below, changed) {
  const ranked = listName === "ranked";
  const again = (what) => {
    if (state.ranked.length) state.ranked[0].tied = false;
    showCards(state, nuggets, changed);
    changed(what);
  };
  const take = () => state[listName].splice(state[listName].indexOf(doc), 1);
  const put = (target, place) => {
    if (target !== listName && state[target].length >= MOST) {
      tell(`That list is full: it holds ${MOST} documents.`);
      return;
    }
    take();
    doc.tied = false;
    state[target].splice(place, 0, doc);
    const where = `rank ${place + 1} of ${state.ranked.length}`;
    again(target === "ranked" ? `${doc.name} is at ${where}` : `${doc.name} is not retrieved`);
  };
  const move = (by) => {
    const list = state[listName];
    put(listName, Math.max(0, Math.min(list.length - 1, list.indexOf(doc) + by)));
  };
  const aside = () => (ranked ? put("others", state.others.length) : put("ranked", state.ranked.length));
  const drop = (target, place) => put(target.id, place);
  const id = `c${idOf(doc)}`;
  const handle = make("button", {
    type: "button", class: "handle", id: `${id}-handle`, "aria-describedby": "drag-help",
    title: "Drag, or press the arrow keys",
  }, "⠿");
  const card = make("li", { class: doc.tied ? "card tied" : "card" },
    make("div", { class: "head" },
      handle,
      ranked ? make("span", { class: "place", "aria-hidden": "true" }) : null,
      nameOf(state, doc, `${id}-name`, again),
      ranked && below ? tieOf(doc, `${id}-tie`, again) : null,
      make("button", {
        type: "button", class: "small", id: `${id}-aside`, onclick: aside,
        title: ranked ? "Not retrieved" : "Retrieved",
        "aria-label": ranked ? `Take ${doc.name} out of the ranking` : `Put ${doc.name} into the ranking`,
      }, ranked ? "→" : "←"),
      make("button", {
        type: "button", class: "small", "aria-label": `Remove ${doc.name}`, title: "Remove",
        onclick: () => {
          take();
          again(`${doc.name} is removed`);
          at(`add-${listName}`).focus();
        },
      }, "✕")),
    nuggets ? nuggetsOf(doc, id, changed) : gradesOf(doc, id, changed));
  draggable(handle, card, { move, aside, drop });
  return card;
}

function nameOf(state, doc, id, again) {
  return make("input", {
    class: "name", id, value: doc.name, title: doc.name, "aria-label": `Name of ${doc.name}`, size: 4, dir: "auto",
    autocomplete: "off", spellcheck: "false",
    onchange: (event) => {
      const name = cleaned(event.target.value);
      const taken = [...state.ranked, ...state.others].some((d) => d !== doc && d.name === name);
      if (name && !taken) doc.name = name;
      event.target.value = doc.name;
      const wrong = name ? `${name} is taken` : "a document needs a name";
      tell(name && !taken ? "" : `The name was not changed: ${wrong}.`);
      again(name && !taken ? `Renamed to ${name}` : "");
    },
  });
}

function tieOf(doc, id, again) {
  return make("button", {
    type: "button", class: "small", id, "aria-pressed": String(doc.tied),
    "aria-label": `${doc.name} has the same score as the document above`,
    title: "Same score as the document above",
    onclick: () => {
      doc.tied = !doc.tied;
      again(doc.tied ? `${doc.name} is tied with the document above` : `${doc.name} is not tied`);
    },
  }, "=");
}

function chip(attributes, text) {
  return make("label", { class: "chip" }, make("input", attributes), make("span", {}, text));
}

function gradesOf(doc, id, changed) {
  const chips = GRADES.map((grade) => chip({
    type: "radio", name: `${id}-grade`, checked: grade === doc.grade,
    "aria-label": grade === null ? "not judged" : String(grade),
    title: grade === null ? "nobody judged it" : null,
    onchange: () => {
      doc.grade = grade;
      other.value = "";
      changed(`${doc.name} has ${grade === null ? "no grade" : `grade ${grade}`}`);
    },
  }, grade === null ? "–" : String(grade)));
  const other = make("input", {
    type: "number", class: "other", id: `${id}-other`, min: -1000, max: 1000, step: "any", placeholder: "…",
    "aria-label": `Another grade of ${doc.name}`, title: "another grade", value: GRADES.includes(doc.grade) ? "" : doc.grade,
    oninput: (event) => {
      const grade = event.target.value === "" ? NaN : Number(event.target.value);
      if (!isGrade(grade)) return;
      doc.grade = grade;
      for (const chip of chips) chip.firstChild.checked = false;
      chips[GRADES.indexOf(grade)]?.firstChild.click();
      changed(`${doc.name} has grade ${grade}`);
    },
  });
  return make("fieldset", {}, make("legend", { class: "hidden" }, `Grade of ${doc.name}`), ...chips, other);
}

function nuggetsOf(doc, id, changed) {
  const boxes = NUGGETS.map((nugget) => chip({
    type: "checkbox", checked: (doc.nuggets ?? []).includes(nugget), "aria-label": `nugget ${nugget}`,
    onchange: (event) => {
      const held = (doc.nuggets ?? []).filter((t) => t !== nugget);
      doc.nuggets = (event.target.checked ? [...held, nugget] : held).sort();
      none.querySelector("input").checked = false;
      changed(`${doc.name} holds ${doc.nuggets.join(" ") || "nothing"}`);
    },
  }, nugget));
  const none = chip({
    type: "checkbox", checked: doc.nuggets === null, "aria-label": "not judged", title: "nobody judged it",
    onchange: (event) => {
      doc.nuggets = event.target.checked ? null : [];
      for (const box of boxes) box.querySelector("input").checked = false;
      changed(`${doc.name} is ${doc.nuggets === null ? "not judged" : "judged"}`);
    },
  }, "–");
  return make("fieldset", {}, make("legend", { class: "hidden" }, `Nuggets of ${doc.name}`), none, ...boxes);
}

/** A new document with a name that is free. */
export function added(state) {
  const names = new Set([...state.ranked, ...state.others].map((d) => d.name));
  let i = names.size + 1;
  while (names.has(`d${i}`)) i += 1;
  return newDocument(`d${i}`, 0, []);
}
