// What a reader of the course did stays in the browser: predictions, opened answers, chapters that were
// read to their end. The page of the course says where to go on, and clears it all. Nothing is sent.
"use strict";

const KEPT = "irmetrics-edu course";

/** What is kept of a chapter is kept by its topic, as chapters may be numbered anew. */
const topicOf = (name) => name.replace(/\d\d_/, "");

function keptOfCourse() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEPT) ?? "{}");
    // It was kept by the number and the topic before.
    return Object.fromEntries(Object.entries(kept).map(([name, own]) => [topicOf(name), own]));
  } catch {
    return {}; // a browser may keep nothing, and a text of somebody else is none of ours
  }
}

function keep(change) {
  const all = keptOfCourse();
  change(all);
  try {
    localStorage.setItem(KEPT, JSON.stringify(all));
  } catch {
    // Where nothing can be kept, the page works as before.
  }
}

const NAME_OF_PAGE = location.pathname.split("/").slice(-2).filter((part) => /^(?:zh|ja)$|\.html$/.test(part)).join("/").replace(/\.html$/, "");
const OWN = topicOf(NAME_OF_PAGE);
const isChapter = (name) => /^(?:zh\/|ja\/)?\d\d_/.test(name);

// ---- a chapter

/** The predictions of a page keep what was typed into them. */
function keepTyped(own) {
  document.querySelectorAll(".predict input").forEach((input, i) => {
    const before = own.typed?.[i];
    if (typeof before === "string") input.value = before;
    input.addEventListener("input", () => keep((all) => {
      const page = (all[OWN] ??= {});
      (page.typed ??= {})[i] = input.value.slice(0, 500);
    }));
  });
}

/** Answers and choices of a quiz that were opened are open the next time. */
function keepOpened(own) {
  document.querySelectorAll(".output details:not(.slider > *), .quiz details").forEach((one, i) => {
    if (own.opened?.includes(i)) one.open = true;
    one.addEventListener("toggle", () => keep((all) => {
      const page = (all[OWN] ??= {});
      const opened = new Set(page.opened ?? []);
      if (one.open) opened.add(i);
      else opened.delete(i);
      page.opened = [...opened];
    }));
  });
}

function startChapter() {
  const own = keptOfCourse()[OWN] ?? {};
  keepTyped(own);
  keepOpened(own);
  const end = document.querySelector(".bottom-of-page");
  if (!end) return;
  new IntersectionObserver((seen) => {
    if (seen.some((one) => one.isIntersecting)) keep((all) => { (all[OWN] ??= {}).read = true; });
  }).observe(end);
}

// ---- the page of the course

function showProgress(place) {
  const all = keptOfCourse();
  const links = [...document.querySelectorAll("article table td:first-child a")].filter((a) => isChapter(a.getAttribute("href").replace(/\.html$/, "")));
  const nameOf = (link) => topicOf(link.getAttribute("href").replace(/\.html$/, ""));
  // A chapter that was read in another language is read.
  const ownsOf = (link) => ["", "zh/", "ja/"].map((language) => all[language + nameOf(link)]).filter(Boolean);
  const isRead = (link) => ownsOf(link).some((own) => own.read);
  const read = links.filter(isRead);
  links.forEach((link) => {
    link.parentElement.querySelector(".read")?.remove();
    if (!isRead(link)) return;
    link.after(Object.assign(document.createElement("span"), { className: "read", textContent: " ✓ read" }));
  });
  place.replaceChildren();
  if (!Object.keys(all).length) {
    if (!links.length) return;
    const first = Object.assign(document.createElement("p"), { textContent: "New here? Start with " });
    first.append(Object.assign(document.createElement("a"), { href: links[0].href, textContent: `chapter ${links[0].textContent}` }), ".");
    place.append(first);
    return;
  }
  const begun = links.findLast((link) => ownsOf(link).length && !isRead(link));
  const last = links.findLast(isRead);
  const next = begun ?? links[links.indexOf(last) + 1];
  const words = document.createElement("p");
  words.append(`You have read ${read.length} of ${links.length} chapters. `);
  if (next) words.append("Go on at ", Object.assign(document.createElement("a"), { href: next.href, textContent: `chapter ${next.textContent}` }), ". ");
  const clear = Object.assign(document.createElement("button"), { type: "button", textContent: "Clear what this browser keeps" });
  clear.addEventListener("click", () => {
    localStorage.removeItem(KEPT);
    showProgress(place);
    place.append(Object.assign(document.createElement("p"), { textContent: "Nothing is kept any more." }));
  });
  words.append(clear);
  place.append(words);
}

if (isChapter(NAME_OF_PAGE)) startChapter();
document.querySelectorAll("div.progress").forEach(showProgress);
