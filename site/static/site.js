// Makes pages live: drawers of a narrow screen, sliders over figures that the page holds, and tables
// that sort. Nothing is computed here: every figure was made when the page was built.
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
  document.querySelectorAll("article details:not([open], .slider > *)").forEach((one) => {
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

// What scrolls is a stop of the keyboard; what fits is none.
const fitted = new ResizeObserver((boxes) => boxes.forEach(({ target }) => {
  if (target.scrollWidth > target.clientWidth) target.tabIndex = 0;
  else target.removeAttribute("tabindex");
}));
document.querySelectorAll("pre, .table-wrapper, .equation, .symbol, .wide, .shown")
  .forEach((box) => fitted.observe(box));

// Tables of many rows sort by a column: a button in its heading, up, down and as it was.
const MANY = 12; // rows

// The number that a cell is; null if it is a text, undefined if it is empty.
function numberOf(text) {
  if (!/[^\s\u2013-]/.test(text)) return undefined;
  const plain = text.replace(/\u2212/g, "-").replace(/(?<=\d),(?=\d{3})/g, "").replace(/\s*%$/, "");
  return /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(plain) ? Number(plain) : null;
}

function compared(one, other) {
  const [a, b] = [numberOf(one), numberOf(other)];
  if (typeof a === "number" && typeof b === "number") return a - b;
  if ((typeof a === "number") !== (typeof b === "number")) return typeof a === "number" ? -1 : 1;
  return one.localeCompare(other, undefined, { numeric: true, sensitivity: "base" });
}

function makeSortable(table) {
  const [head, body] = [table.tHead, table.tBodies[0]];
  if (!head || !body || head.rows.length > 1 || body.rows.length <= MANY) return;
  if (table.closest(".output") || table.querySelector("[colspan], [rowspan]")) return;
  const rows = [...body.rows];
  const heads = [...head.rows[0].cells];
  const textOf = (row, column) => (row.cells[column]?.textContent ?? "").trim();
  heads.forEach((cell, column) => {
    if (!cell.textContent.trim()) return;
    const place = cell.querySelector("p") ?? cell;
    const button = Object.assign(document.createElement("button"), { type: "button", className: "sort" });
    button.append(...place.childNodes);
    place.append(button);
    button.addEventListener("click", () => {
      const before = cell.getAttribute("aria-sort");
      heads.forEach((one) => one.removeAttribute("aria-sort"));
      if (before === "descending") return body.append(...rows);
      const sign = before === "ascending" ? -1 : 1;
      cell.setAttribute("aria-sort", sign > 0 ? "ascending" : "descending");
      const empty = (row) => numberOf(textOf(row, column)) === undefined;
      body.append(...[...rows].sort((a, b) => empty(a) || empty(b) ? empty(a) - empty(b)
        : sign * compared(textOf(a, column), textOf(b, column))));
    });
  });
}

document.querySelectorAll("article table").forEach(makeSortable);
