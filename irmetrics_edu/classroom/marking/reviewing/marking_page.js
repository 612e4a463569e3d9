"use strict";
// All text of students is set as text, never as HTML: of its Markdown, emphasis alone becomes elements.
const FORMAT = "irmetrics-edu marks by hand", VERSION = 1;
const at = (id) => document.getElementById(id);
const data = JSON.parse(at("data").textContent);
// Marks are kept in the browser under this page and its marker: nobody finds those of another page.
const lastMarker = `irmetrics-edu ${data.page}`;
const place = (marker) => `${lastMarker} by ${marker.trim().toLowerCase()}`;
const blank = (marker) => (
  { format: FORMAT, version: VERSION, key: data.key, marker, revision: 0, marks: {} }
);
let state = blank("");
let past = [], question = 0, answer = 0, criterion = 0, saved = 0, file = null, writing = false, begun = false;
let given = null; // the criterion that got points last, for which the key h adds half a point

const MOST_HALVES = 4; // up to so many points there are buttons for halves
const asked = () => data.questions[question];
const shown = () => asked().answers[answer];
const copy = (value) => JSON.parse(JSON.stringify(value));

function mark(q = asked(), a = shown()) {
  const own = (state.marks[q.id] || {})[a.id];
  return own || { points: a.points.slice(), comment: a.comment };
}

const whole = (q, a) => mark(q, a).points.every((p) => p !== null);

function say(text) { at("said").textContent = text; }

function keep() {
  try {
    localStorage.setItem(place(state.marker), JSON.stringify(state));
    localStorage.setItem(lastMarker, state.marker);
  }
  catch { say("This browser keeps nothing for this page: save often."); }
}

function keptOf(marker) {
  try {
    const found = JSON.parse(localStorage.getItem(place(marker)));
    return found && !damage(found) ? found : null;
  } catch { return null; }
}

// Another name is another marker, whose marks are kept apart; marks without a name get this name.
function become(marker) {
  const before = state;
  if (!marker || marker.toLowerCase() === before.marker.toLowerCase()) {
    state.marker = marker || before.marker;
    at("marker").value = state.marker;
    return keep();
  }
  const own = keptOf(marker);
  state = own || blank(marker);
  let found = own ? `Here are the marks of ${marker} from before.` : "";
  if (!before.marker) {
    for (const [id, marks] of Object.entries(before.marks)) {
      state.marks[id] = { ...(state.marks[id] || {}), ...marks };
    }
    state.revision += before.revision;
    try { localStorage.removeItem(place("")); } catch { /* nothing is kept */ }
  } else {
    found = `The marks of ${before.marker} are kept under that name. ${found || `${marker} has no marks yet.`}`;
    past = [];
  }
  state.marker = marker;
  file = null;
  saved = 0;
  guard();
  keep();
  draw();
  return say(found);
}

// Whoever leaves with marks that are not saved is asked first.
function guard() {
  window.onbeforeunload = state.revision > saved ? (event) => event.preventDefault() : null;
}

function change(edit, again = false) {
  if (!again) past.push(copy(state.marks));
  if (past.length > 200) past.shift();
  const own = copy(mark());
  edit(own);
  (state.marks[asked().id] ||= {})[shown().id] = own;
  touched();
}

function touched() {
  state.revision += 1;
  guard();
  keep();
  draw();
}

function undo() {
  if (!past.length) return say("There is nothing to undo.");
  state.marks = past.pop();
  touched();
  say("Undone.");
}

function give(place, points) {
  const most = asked().rubric[place].points;
  if (points !== null && !(points >= 0 && points <= most)) {
    say(`${asked().rubric[place].name}: give 0 to ${most}`);
    return draw();
  }
  say("");
  change((own) => { own.points[place] = points; });
}

function go(to) {
  const n = asked().answers.length;
  if (!n) return;
  answer = (to + n) % n;
  criterion = 0;
  given = null;
  draw();
  at("answer").focus({ preventScroll: true });
}

function nextOpen() {
  const all = asked().answers;
  for (let i = 1; i <= all.length; i += 1) {
    const to = (answer + i) % all.length;
    if (!whole(asked(), all[to])) return go(to);
  }
  say("All answers to this question have marks.");
}

// -- what is drawn

function made(tag, text, into, more = {}) {
  const element = document.createElement(tag);
  if (text !== "") element.textContent = text;
  Object.assign(element, more);
  if (into) into.append(element);
  return element;
}

// What Markdown marks within a line. Stars within a word or beside spaces mark nothing: 2**3, a * b.
const MARKED = new RegExp([
  "`(?<code>[^`\\n]+)`",
  "(?<![A-Za-z0-9*\\\\])\\*\\*(?<strong>[^\\s*](?:[^*\\n]*[^\\s*])?)\\*\\*(?![A-Za-z0-9*])",
  "(?<![A-Za-z0-9*\\\\])\\*(?<em>[^\\s*](?:[^*\\n]*[^\\s*])?)\\*(?![A-Za-z0-9*])",
].join("|"), "gu");

/** A text with its emphasis as elements; all else in it, tags too, stays text. */
function prose(text, into) {
  into.replaceChildren();
  let from = 0;
  for (const found of text.matchAll(MARKED)) {
    const [tag, words] = Object.entries(found.groups).find(([, group]) => group !== undefined);
    into.append(text.slice(from, found.index));
    made(tag, words, into);
    from = found.index + found[0].length;
  }
  into.append(text.slice(from));
  return into;
}

function draw() {
  const q = asked();
  let marked = 0, students = 0, all = 0;
  for (const a of q.answers) {
    all += a.count;
    if (whole(q, a)) { marked += 1; students += a.count; }
  }
  at("progress").value = q.answers.length ? marked / q.answers.length : 1;
  at("done").textContent = `${marked} of ${q.answers.length} answers, ${students} of ${all} students`;
  at("answer").hidden = !q.answers.length;
  if (!q.answers.length) return;
  const a = shown(), own = mark();
  at("place").textContent = `${q.title}: answer ${answer + 1} of ${q.answers.length}`;
  const many = a.count > 1 ? `${a.count} students gave this answer` : "1 student";
  at("who").textContent = at("names").checked ? `${many}: ${a.students.join("; ")}` : many;
  at("task").hidden = !q.task;
  prose(q.task || "", at("asked"));
  prose(a.text || a.look, at("text"));
  drawRubric(q, own);
  if (document.activeElement !== at("comment")) at("comment").value = own.comment;
  drawReuse(q);
  at("twins").replaceChildren();
  for (const id of a.twins) {
    const other = q.answers.find((one) => one.id === id);
    if (!other) continue;
    const names = at("names").checked ? `: ${other.students.join("; ")}` : "";
    made("h3", `Nearly the same text${names}`, at("twins"));
    prose(other.text, made("pre", "", at("twins"), { className: "twin" }));
  }
}

function drawRubric(q, own) {
  const focus = document.activeElement && document.activeElement.id;
  at("rubric").replaceChildren();
  q.rubric.forEach((c, place) => {
    const set = made("fieldset", "", at("rubric"), { className: place === criterion ? "chosen" : "" });
    made("legend", `${c.name} (0 to ${c.points})`, set);
    if (c.text) prose(c.text, made("p", "", set));
    const step = c.points <= MOST_HALVES ? 0.5 : 1;
    for (let p = 0; p <= Math.min(9, c.points); p += step) {
      const name = `p${place}-${p}`.replace(".", "-");
      const button = made("button", String(p), set, { id: name, type: "button" });
      button.setAttribute("aria-pressed", String(own.points[place] === p));
      button.setAttribute("aria-label", `${c.name}: ${p}`);
      button.onclick = () => { criterion = place; give(place, p); };
    }
    const label = made("label", " points ", set);
    const typed = made("input", "", label, { id: `t${place}`, inputMode: "decimal" });
    typed.value = own.points[place] === null ? "" : String(own.points[place]);
    typed.onchange = () => {
      const text = typed.value.trim().replace(",", ".");
      give(place, text === "" ? null : Number(text));
    };
  });
  if (focus && at(focus)) at(focus).focus({ preventScroll: true });
}

function drawReuse(q) {
  const known = new Set(Object.values(state.marks[q.id] || {}).map((m) => m.comment));
  q.answers.forEach((a) => known.add(a.comment));
  known.delete("");
  at("reuse").replaceChildren();
  made("option", "choose", at("reuse"), { value: "" });
  for (const text of [...known].sort()) made("option", text.slice(0, 80), at("reuse"), { value: text });
}

// -- saving and opening

async function save() {
  const marker = at("marker").value.trim();
  if (!marker) { at("marker").focus(); return say("Say who marks: fill in Marker."); }
  become(marker);
  const text = `${JSON.stringify(state, null, 1)}\n`;
  const revision = state.revision;
  const name = `marks-${marker.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-")}.json`;
  if (writing) return undefined;
  writing = true;
  try {
    if (window.showSaveFilePicker) {
      file ||= await window.showSaveFilePicker({ suggestedName: name });
      const to = await file.createWritable();
      await to.write(text);
      await to.close();
    } else {
      const link = made("a", "", null, { download: name });
      link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 10000);
    }
    saved = revision;
    guard();
    keep();
    say(`Saved as ${file ? file.name : name}. Put it into the folder by-hand, and grade again.`);
  } catch (error) {
    file = null;
    say(`Not saved: ${error.message}. Your marks are still in this page.`);
  } finally { writing = false; }
  return undefined;
}

function damage(found) {
  if (!found || found.format !== FORMAT) return "it is no file that this page saved";
  if (found.version !== VERSION) return `it is of version ${found.version}, and this page of ${VERSION}`;
  if (found.key !== data.key) return "it is of other exercises";
  if (!Number.isInteger(found.revision) || typeof found.marker !== "string") return "it is damaged";
  for (const q of data.questions) {
    for (const m of Object.values((found.marks || {})[q.id] || {})) {
      const right = m && typeof m.comment === "string" && Array.isArray(m.points)
        && m.points.length === q.rubric.length
        && m.points.every((p, i) => p === null || (p >= 0 && p <= q.rubric[i].points));
      if (!right) return "it is damaged";
    }
  }
  return "";
}

function refusal(found) {
  const why = damage(found);
  if (why) return why;
  if (state.revision && found.marker === state.marker && found.revision < state.revision) {
    return `it is older (change ${found.revision}) than what this page holds (change ${state.revision})`;
  }
  if (state.revision > saved && found.marker !== state.marker) return "this page has marks that are not saved";
  return "";
}

async function open(chosen) {
  let found = null;
  try { found = JSON.parse(await chosen.text()); } catch { /* said below */ }
  const why = refusal(found);
  at("open").value = "";
  if (why) return say(`${chosen.name} was not opened: ${why}.`);
  if (found.marker.toLowerCase() === state.marker.toLowerCase()) past.push(copy(state.marks));
  else {
    past = [];
    file = null; // what it was saved to is another marker's
  }
  state = found;
  saved = state.revision;
  guard();
  at("marker").value = state.marker;
  keep();
  draw();
  return say(`Opened ${chosen.name}.`);
}

// -- what the reader does

function addHalf() {
  if (given === null) given = criterion;
  give(given, (mark().points[given] || 0) + 0.5);
}

const KEYS = {
  h: addHalf,
  j: () => go(answer + 1), k: () => go(answer - 1), o: nextOpen, u: undo, s: save,
  c: () => at("comment").focus(),
  x: () => { criterion = (criterion + 1) % asked().rubric.length; draw(); },
};

document.addEventListener("keydown", (event) => {
  const typing = event.target.matches("input:not([type=checkbox]), textarea, select");
  if (event.key === "Escape" && typing) { event.target.blur(); at("answer").focus(); return; }
  if (typing || event.ctrlKey || event.metaKey || event.altKey || !asked().answers.length) return;
  if (KEYS[event.key]) { event.preventDefault(); KEYS[event.key](); return; }
  if (/^[0-9]$/.test(event.key)) {
    const place = criterion, points = Number(event.key);
    if (points <= asked().rubric[place].points) criterion = Math.min(place + 1, asked().rubric.length - 1);
    given = place;
    give(place, points);
  }
});
// What is typed is kept at once, in case the page is closed; all of it is one step of undo.
at("comment").onfocus = () => { begun = false; };
at("comment").oninput = () => {
  change((own) => { own.comment = at("comment").value.trim(); }, begun);
  begun = true;
};
window.onpagehide = () => document.activeElement.blur();
window.onstorage = (event) => {
  if (event.key === place(state.marker)) {
    say("This page is open twice: close one of the two, or its marks are lost.");
  }
};
at("reuse").onchange = () => {
  const text = at("reuse").value;
  if (text) { change((own) => { own.comment = text; }); at("comment").value = text; }
};
at("question").onchange = () => { question = at("question").selectedIndex; answer = 0; criterion = 0; given = null; draw(); };
at("names").onchange = draw;
at("marker").onchange = () => become(at("marker").value.trim());
at("save").onclick = save;
at("open").onchange = () => { if (at("open").files[0]) open(at("open").files[0]); };
at("before").onclick = () => go(answer - 1);
at("next").onclick = () => go(answer + 1);
at("open-next").onclick = nextOpen;
at("undo").onclick = undo;

for (const q of data.questions) made("option", `${q.id}: ${q.title}`, at("question"));
at("names").closest("label").hidden = data.hidden;
try {
  const before = keptOf(localStorage.getItem(lastMarker) || "");
  if (before) {
    state = before;
    at("marker").value = state.marker;
    guard();
    const whose = state.marker ? `The marks of ${state.marker}` : "Your marks";
    const other = state.marker ? " If you are somebody else, change Marker." : "";
    if (state.revision) say(`${whose} from before are here; save them when you are done.${other}`);
  }
} catch { say("This browser keeps nothing for this page: save often."); }
draw();
