"use strict";

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
  if (table.closest(".output, details, .unsorted") || table.querySelector("[colspan], [rowspan]")) return;
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

document.querySelectorAll("table").forEach(makeSortable);
