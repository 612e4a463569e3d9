// Where the keyboard is on the page that is open, and which controls it has not reached.
globalThis.stops = globalThis.stops ?? new Set();

function stop() {
  const at = document.activeElement;
  if (at === document.body || stops.has(at)) return null;
  stops.add(at);
  const { outlineStyle, outlineWidth } = getComputedStyle(at);
  // A link over two lines has two boxes; of a box that is higher than the screen, what is on it.
  const box = [...at.getClientRects()].find(({ width }) => width > 0);
  const left = Math.max(box?.left, 0), right = Math.min(box?.right, innerWidth);
  const top = Math.max(box?.top, 0), bottom = Math.min(box?.bottom, innerHeight);
  const found = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
  return {
    name: at.outerHTML.slice(0, 120),
    seen: left < right && top < bottom && Boolean(found)
      && (at.contains(found) || found.contains(at)),
    ringed: outlineStyle !== "none" && parseFloat(outlineWidth) >= 2,
  };
}

function unreached() {
  const controls = "a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex='0']";
  // Radio buttons of one name are one stop; the arrow keys go from one to the next.
  const groups = new Set([...stops].filter((one) => one.type === "radio").map((one) => one.name));
  return [...document.querySelectorAll(controls)]
    .filter((one) => one.type !== "radio" || !groups.has(one.name))
    .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.closest("[inert]"))
    .filter((one) => !one.disabled && !stops.has(one)).map((one) => one.outerHTML.slice(0, 120));
}
