// Makes pages live: drawers of a narrow screen, sliders over figures that the page holds, tables that
// filter, and code to copy. Nothing is computed here: every figure was made when the page was built.
"use strict";

// On a narrow screen the lists of pages and of contents are drawers. Whether a list is one, the style
// sheet says: it shows the button that opens it.
function makeDrawer(drawer) {
  const buttons = [...document.querySelectorAll(`[aria-controls="${drawer.id}"]`)];
  const button = () => buttons.find((one) => one.checkVisibility());
  const isOpen = () => drawer.classList.contains("open");
  const show = (open) => {
    drawer.classList.toggle("open", open);
    drawer.inert = Boolean(button()) && !open;
    buttons.forEach((one) => one.setAttribute("aria-expanded", open));
  };
  const close = () => {
    show(false);
    button()?.focus();
  };
  buttons.forEach((one) => one.addEventListener("click", () => {
    show(true);
    drawer.querySelector(".drawer-close").focus();
  }));
  drawer.addEventListener("click", ({ target }) => {
    if (target.closest(".drawer-close")) close();
    else if (target.closest("a")) show(false);
  });
  drawer.addEventListener("focusout", ({ relatedTarget: next }) => {
    if (isOpen() && next && !drawer.contains(next)) show(false);
  });
  document.addEventListener("keydown", ({ key }) => {
    if (key === "Escape" && isOpen()) close();
  });
  document.addEventListener("click", (event) => {
    if (!isOpen() || drawer.contains(event.target)) return;
    event.preventDefault();
    event.stopPropagation();
    close();
  }, { capture: true });
  const changed = new ResizeObserver(() => show(false)); // a button comes or goes
  buttons.forEach((one) => changed.observe(one));
  show(false);
}

document.querySelectorAll(".sidebar-drawer, .toc-drawer").forEach(makeDrawer);

// Paper can't be unfolded: answers are printed open, and folded again afterwards.
const folded = new Set();
addEventListener("beforeprint", () => {
  document.querySelectorAll("article details:not([open], .slider > *, .of-code)").forEach((one) => {
    folded.add(one);
    one.open = true;
  });
});
addEventListener("afterprint", () => {
  folded.forEach((one) => { one.open = false; });
  folded.clear();
});

function makeSlider(box, number) {
  const stills = [...box.querySelectorAll(":scope > details")];
  const start = stills.findIndex((still) => still.open);
  const values = stills.map((still) => still.querySelector("summary").textContent);
  const label = document.createElement("label");
  const input = Object.assign(document.createElement("input"), {
    type: "range", min: 0, max: stills.length - 1, step: 1, value: start, id: `slider-${number}`,
  });
  const said = Object.assign(document.createElement("output"), { htmlFor: input.id });
  const show = () => {
    const at = Number(input.value);
    stills.forEach((still, i) => { still.open = i === at; still.hidden = i !== at; });
    said.textContent = values[at];
    input.setAttribute("aria-valuetext", values[at]);
  };
  label.append(box.dataset.name, input, said);
  box.prepend(label);
  box.classList.add("live");
  input.addEventListener("input", show);
  show();
}

document.querySelectorAll(".slider").forEach(makeSlider);

// What scrolls is a stop of the keyboard, and shows that it goes on; what fits is none.
const fade = ({ target: box }) => {
  box.classList.toggle("more", box.scrollLeft + box.clientWidth + 1 < box.scrollWidth);
};
const fitted = new ResizeObserver((boxes) => boxes.forEach((one) => {
  if (one.target.scrollWidth > one.target.clientWidth) one.target.tabIndex = 0;
  else one.target.removeAttribute("tabindex");
  fade(one);
}));
document.querySelectorAll("pre, .table-wrapper, .equation, .symbol, .wide, .shown").forEach((box) => {
  fitted.observe(box);
  box.addEventListener("scroll", fade, { passive: true });
});

// A browser leaves a control where it is if a part of it is on the screen: here all of it is shown.
document.addEventListener("focusin", ({ target }) => {
  if (target.parentElement?.closest(".table-wrapper")) {
    target.scrollIntoView({ block: "nearest", inline: "nearest" });
  }
});

// The three names, or fewer, that are most like a text: by the pairs of letters that both have.
function nearest(text, names) {
  const pairs = (word) => new Set([...word].slice(1).map((letter, i) => word[i] + letter));
  const wanted = pairs(text);
  const likeness = (name) => {
    const own = pairs(name.toLowerCase());
    return 2 * [...own].filter((pair) => wanted.has(pair)).length / (own.size + wanted.size);
  };
  return names.map((name) => [likeness(name), name]).filter(([share]) => share > 0.3)
    .sort((one, other) => other[0] - one[0]).slice(0, 3).map(([, name]) => name);
}

// A field that leaves the rows with all its words, of the tables that follow it.
function makeFilter(place) {
  const follows = (one) => place.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING;
  const tables = [...document.querySelectorAll("article table")].filter(follows);
  const rows = tables.flatMap((table) => [...table.tBodies].flatMap((body) => [...body.rows]));
  const texts = new Map(rows.map((row) => [row, row.textContent.toLowerCase()]));
  const boxes = [...document.querySelectorAll("article :is(section section, .table-wrapper)")]
    .filter((box) => follows(box) && tables.some((table) => box.contains(table)));
  const label = document.createElement("label");
  const input = Object.assign(document.createElement("input"), { type: "search", autocomplete: "off" });
  const said = document.createElement("output");
  const show = () => {
    const words = input.value.toLowerCase().split(/\s+/);
    rows.forEach((row) => { row.hidden = !words.every((word) => texts.get(row).includes(word)); });
    boxes.forEach((box) => { box.hidden = !box.querySelector("tbody tr:not([hidden])"); });
    const left = rows.filter((row) => !row.hidden).length;
    const near = left ? [] : nearest(words.join(" "), rows.map((row) => row.cells[0].textContent));
    said.textContent = `${left} of ${rows.length}${near.length ? ". Near: " : ""}${near.join(", ")}`;
  };
  const clear = () => { input.value = ""; show(); };
  label.append("Filter", input, said);
  place.append(label);
  input.addEventListener("input", show);
  input.addEventListener("keydown", ({ key }) => { if (key === "Escape") clear(); });
  addEventListener("hashchange", () => { // a link leads to a row that is hidden
    if (!document.querySelector(":target")?.checkVisibility()) {
      clear();
      document.querySelector(":target")?.scrollIntoView();
    }
  });
  show();
}

document.querySelectorAll(".filter").forEach(makeFilter);

// What one wants of a block of code: of a session the lines that were typed, without their prompts.
function typedOf(text) {
  if (!/^(\$|>>>) /.test(text)) return text;
  let goesOn = false;
  return text.split("\n").filter((line) => {
    const typed = goesOn || /^(\$|>>>|\.\.\.)( |$)/.test(line);
    goesOn = typed && line.endsWith("\\");
    return typed;
  }).map((line) => line.replace(/^(\$|>>>|\.\.\.) ?/, "")).join("\n");
}

document.querySelectorAll("article .highlight").forEach((block) => {
  const button = Object.assign(document.createElement("button"), { type: "button", className: "copy" });
  const text = typedOf(block.querySelector("pre").textContent.trimEnd());
  const say = (words) => { button.textContent = words; };
  say("Copy");
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(text).then(() => say("Copied"), () => say("Not copied"));
    setTimeout(say, 2000, "Copy");
  });
  block.append(button);
});

// A switch folds all code of all chapters, for who reads without Python. Without a script, code is shown.
const CODE_FOLDED = "irmetrics-edu code";
const SWITCH_SAYS = { zh: "隐藏代码", ja: "コードを隠す", en: "Read without code" };
const FOLD_SAYS = { zh: "代码", ja: "コード", en: "Code" };

function areCodesFolded() {
  try {
    return localStorage.getItem(CODE_FOLDED) === "yes";
  } catch {
    return false; // a browser may keep nothing
  }
}

function keepFolded(folded) {
  try {
    if (folded) localStorage.setItem(CODE_FOLDED, "yes");
    else localStorage.removeItem(CODE_FOLDED);
  } catch {
    // The switch holds for this page, then.
  }
}

const inLanguage = (words) => words[document.documentElement.lang.slice(0, 2)] ?? words.en;

/** Each block of code is folded by itself, so that one can be opened; what was folded before is closed. */
function foldCodes() {
  document.querySelectorAll("article details.code").forEach((one) => { one.open = false; });
  document.querySelectorAll("article .highlight-python").forEach((block) => {
    if (block.closest("details")) return;
    const fold = Object.assign(document.createElement("details"), { className: "code of-code" });
    const words = Object.assign(document.createElement("summary"), { textContent: inLanguage(FOLD_SAYS) });
    block.replaceWith(fold);
    fold.append(words, block);
  });
}

function unfoldCodes() {
  document.querySelectorAll("article details.of-code").forEach((fold) => {
    fold.replaceWith(fold.querySelector(".highlight-python"));
  });
}

document.querySelectorAll(".folds-code").forEach((place) => {
  const isChapter = !document.querySelector(".progress");
  const label = document.createElement("label");
  const input = Object.assign(document.createElement("input"), { type: "checkbox", checked: areCodesFolded() });
  input.setAttribute("role", "switch");
  label.append(input, ` ${inLanguage(SWITCH_SAYS)}`);
  place.append(label);
  input.addEventListener("change", () => {
    keepFolded(input.checked);
    if (!isChapter) return;
    if (input.checked) foldCodes();
    else unfoldCodes();
  });
  if (isChapter && input.checked) foldCodes();
});

// A number typed on another page goes to the playground behind the #, which no server sees.
document.querySelectorAll("form.ask").forEach((form) => {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    location.href = `${form.getAttribute("action")}#ask=${encodeURIComponent(form.ask.value)}`;
  });
});
