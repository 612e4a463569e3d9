
// Slides: cut to their height, shown one at a time, moved by keys. What is folded opens in its turn.
const HIGH = 720, FOOT = 48, LEAST = 0.6, SMALL = 320, SMALLER = [1, 0.9, 0.8, 0.7];
const CUT = "div:not(.slider, .predict, .quiz, .wide), ul, ol, details, table, tbody, blockquote, pre";
const HEADINGS = "h1, h2, h3, h4, h5";

// Code becomes a line in each block, so that it can be cut between lines.
document.querySelectorAll("section pre").forEach((pre) => {
  const lines = pre.innerHTML.replace(/\n$/, "").split("\n");
  pre.innerHTML = lines.map((line) => `<div>${line || "&nbsp;"}</div>`).join("");
});

const bottom = (block) => block.getBoundingClientRect().bottom;
const height = (block) => block.getBoundingClientRect().height;

// What doesn't fit above the limit leaves the block: it is returned in a block of the same kind.
function cut(block, limit, room) {
  const parts = [...block.children];
  let at = parts.findIndex((part) => bottom(part) > limit);
  if (at < 0) return null;
  const slide = block.tagName === "SECTION";
  const some = parts.slice(0, at).some((part) => !part.matches(HEADINGS + ", summary"));
  const moves = some && height(parts[at]) <= (slide ? room : room / 2) && !parts[at].matches("tr, li");
  const pictures = slide && some ? [...parts[at].querySelectorAll("svg.figure:not([style])")] : [];
  const picture = pictures.find((one) => height(one) > 0);
  const spare = picture && limit - bottom(parts[at]) + height(picture);
  if (spare > SMALL) {
    // A picture becomes smaller rather than leave its text.
    pictures.forEach((one) => { one.style.maxHeight = `${spare}px`; });
    return cut(block, limit, room);
  }
  let rest = moves || !parts[at].matches(CUT) ? null : cut(parts[at], limit, room);
  // What announces the next block goes with it, if anything stands before.
  const first = parts.findIndex((part) => !part.matches(HEADINGS));
  if (!rest && at - 1 > first && parts[at - 1].matches("p") && /:\s*$/.test(parts[at - 1].textContent)) at -= 1;
  while (!rest && at > 0 && parts[at - 1].matches(HEADINGS)) at -= 1;
  if (!rest && at === 0) {
    if (!slide) return null;
    // A slide of one thing that can't be cut: it becomes smaller.
    const large = parts.findIndex((part) => !part.matches(HEADINGS));
    const free = limit - parts[large].getBoundingClientRect().top;
    parts[large].style.zoom = Math.max(LEAST, free / height(parts[large]));
    at = large + 1;
  } else if (rest) at += 1;
  const others = parts.slice(at);
  if (!rest && !others.length) return null;
  const next = block.tagName === "DETAILS" ? document.createElement("div") : block.cloneNode(false);
  if (block.tagName === "OL") next.start = (block.start || 1) + at;
  if (block.tHead) next.append(block.tHead.cloneNode(true));
  if (slide && parts[0].matches(HEADINGS) && !others[0]?.matches("h1, h2")) {
    next.append(Object.assign(document.createElement("h2"), { className: "again", innerHTML: parts[0].innerHTML }));
  }
  if (rest) next.append(rest);
  next.append(...others);
  return next;
}

function laid(section) {
  section.querySelectorAll(".table-wrapper, .equation, .math.block").forEach((box) => {
    let zoom = 1;
    while (box.scrollWidth > box.clientWidth && zoom > LEAST) box.firstElementChild.style.zoom = zoom -= 0.05;
    if (box.scrollWidth > box.clientWidth) box.style.overflowX = "auto";
  });
  const top = section.getBoundingClientRect().top;
  // What nearly fits becomes a little smaller rather than two slides.
  const inner = [...section.children].filter((part) => !part.matches(HEADINGS + ", .notes"));
  const fits = SMALLER.some((zoom) => {
    inner.forEach((part) => { part.style.zoom = zoom; });
    return Math.max(0, ...inner.map(bottom)) <= top + HIGH - FOOT;
  });
  if (fits) return;
  inner.forEach((part) => { part.style.zoom = 1; });
  const head = section.firstElementChild.matches(HEADINGS) ? height(section.firstElementChild) : 0;
  const next = cut(section, top + HIGH - FOOT, HIGH - FOOT - 60 - head);
  if (!next) return;
  section.after(next);
  laid(next);
}

let slides = [], now = 0;
const nav = document.querySelector("nav");
const [back, on] = nav.querySelectorAll("button");

function show(number) {
  slides[now].classList.remove("now");
  now = Math.max(0, Math.min(slides.length - 1, number));
  slides[now].classList.add("now");
  nav.querySelector("output").textContent = `${now + 1} / ${slides.length}`;
  history.replaceState(null, "", `#${now + 1}`);
}

function forth() {
  const folded = slides[now].querySelector("details:not([open]):not(.quiz details, .slider details)");
  if (folded) folded.open = true;
  else show(now + 1);
}

function sized() {
  const scale = Math.min(innerWidth / 1280, innerHeight / HIGH);
  const style = document.body.style;
  style.setProperty("--scale", scale);
  style.setProperty("--left", `${(innerWidth - 1280 * scale) / 2}px`);
  style.setProperty("--top", `${(innerHeight - HIGH * scale) / 2}px`);
}

const KEYS = {
  ArrowRight: forth, PageDown: forth, " ": forth, ArrowLeft: () => show(now - 1), PageUp: () => show(now - 1),
  Home: () => show(0), End: () => show(slides.length - 1),
  n: () => slides[now].querySelectorAll(".notes").forEach((note) => note.classList.toggle("on")),
};

document.fonts.ready.then(() => {
  document.body.classList.add("live", "laying");
  const folds = [...document.querySelectorAll("details:not(.slider details)")];
  folds.forEach((fold) => { fold.open = true; });
  document.querySelectorAll("section").forEach(laid);
  folds.forEach((fold) => { fold.open = false; });
  document.body.classList.remove("laying");
  slides = [...document.querySelectorAll("section")];
  nav.hidden = false;
  sized();
  show((parseInt(location.hash.slice(1), 10) || 1) - 1);
  addEventListener("resize", sized);
  back.addEventListener("click", () => show(now - 1));
  on.addEventListener("click", forth);
  addEventListener("keydown", (event) => {
    if (event.target.closest("input, button, summary") || event.ctrlKey || event.metaKey || event.altKey) return;
    if (KEYS[event.key]) { event.preventDefault(); KEYS[event.key](); }
  });
  document.body.dataset.laid = slides.length;
});
