// A drawing of a working: a bar for each rank, with the ideal's beside it where there is one.

import { number } from "./say.mjs";

const SPACE = "http://www.w3.org/2000/svg";
const [HEIGHT, TOP, BASE] = [170, 14, 140];
const MOST_BARS = 30;

const PARTS = [["DCG", "IDCG"], ["alpha-DCG", "ideal alpha-DCG"]];
const COLUMN = {
  AP: "precision at relevant", RR: "relevance", P: "relevance", R: "relevance",
  ERR: "contribution", RBP: "weighted relevance", Q: "blended ratio", bpref: "preference kept", "PR-AUC": "step area",
};

function element(name, attributes, text = "") {
  const made = document.createElementNS(SPACE, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.textContent = text;
  return made;
}

/** What is drawn of a measure: its column, and the one that it is held against. */
export function seriesOf(metric, { columns, parts }) {
  const pair = PARTS.find(([one]) => one in parts);
  if (pair) {
    const [one, other] = pair.map((name) => ({ name, values: parts[name].columns["discounted gain"] }));
    return { title: "Discounted gain at each rank", one, other };
  }
  const name = COLUMN[metric] ?? "discounted gain";
  const beside = metric === "RBP" ? { name: "weight of the rank", values: columns.weight } : null;
  const title = `${name[0].toUpperCase()}${name.slice(1)} at each rank`;
  return { title, one: { name, values: columns[name] }, other: beside };
}

/** The drawing as SVG, with its numbers in words for readers who can not see it. */
export function drawn(metric, seen) {
  const { title, one, other } = seriesOf(metric, seen);
  const n = Math.min(MOST_BARS, Math.max(one.values.length, other?.values.length ?? 0));
  const all = [...one.values.slice(0, n), ...(other?.values.slice(0, n) ?? []), 0];
  const [high, low] = [Math.max(...all, 1e-9), Math.min(...all, 0)];
  const scale = (BASE - TOP) / (high - low);
  const zero = BASE + low * scale;
  const step = Math.max(16, Math.min(64, 640 / Math.max(1, n)));
  const wide = Math.max(120, n * step + 8);
  const said = one.values.slice(0, n).map((x, i) => `rank ${i + 1}: ${number(x)}`).join(", ");
  const image = element("svg", {
    viewBox: `0 0 ${wide} ${HEIGHT}`, width: wide, height: HEIGHT, role: "img",
    "aria-label": `${title}. ${said || "The ranking is empty."}`,
  });
  const bar = (x, value, width, kind) => {
    const size = Math.abs(value) * scale;
    const y = value >= 0 ? zero - size : zero;
    image.append(element("rect", { x, y, width, height: Math.max(size, value === 0 ? 0 : 1), class: kind }));
  };
  for (let i = 0; i < n; i += 1) {
    const left = 4 + i * step;
    const width = step * (other ? 0.42 : 0.8);
    const value = one.values[i];
    if (value !== undefined) bar(left + step * 0.06, value, width, "bar");
    if (other?.values[i] !== undefined) bar(left + step * 0.5, other.values[i], width, "bar ideal");
    image.append(element("text", { x: left + step / 2, y: HEIGHT - 8, class: "rank" }, i + 1));
  }
  image.append(element("line", { x1: 0, x2: wide, y1: zero, y2: zero, class: "axis" }));
  const legend = other ? [one.name, other.name] : [];
  return { image, title, legend, bars: n, more: one.values.length > n };
}
