// Elements of the page. Text goes in as text, never as HTML.

export const at = (id) => document.getElementById(id);

/** An element with attributes, listeners (on...) and children. */
export function make(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (value === true) made.setAttribute(key, "");
    else if (value !== false && value !== null) made.setAttribute(key, value);
  }
  made.append(...children.filter((child) => child !== null && child !== ""));
  return made;
}

/** A table; columns of numbers stand to the right. */
export function table(caption, header, lines, { titles = {}, classes = () => "" } = {}) {
  const numeric = header.map((_, i) =>
    lines.every((line) => typeof line[i] === "string" && /^(-?[\d.]+|-|NaN|-?inf)$/.test(line[i])),
  );
  const kind = (i) => (numeric[i] ? "number" : header[i] === "document" ? "id" : null);
  const cell = (tag, content, i) =>
    make(tag, { class: kind(i), title: tag === "th" ? titles[content] ?? null : null,
      scope: tag === "th" ? "col" : null }, content);
  const head = make("tr", {}, ...header.map((text, i) => cell("th", text, i)));
  const rows = lines.map((line, at_) =>
    make("tr", { class: classes(at_) || null }, ...line.map((text, i) => cell("td", text, i))),
  );
  const named = caption ? [make("caption", {}, caption)] : [];
  return make("table", {}, ...named, make("thead", {}, head), make("tbody", {}, ...rows));
}
