// How results of the search are ranked, and the snippet of each. TEXTS (search-texts.js) has the words
// of every page, since a page that is opened from a disk can fetch none.
"use strict";

const ASKED = (new URLSearchParams(location.search).get("q") ?? "").trim();
const plain = (text) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, " ").trim();
const phrase = plain(ASKED);
// The language of the page where the search was typed; kana say Japanese.
const LANGUAGE = new URLSearchParams(location.search).get("lang") ?? (/[\u3040-\u30ff]/.test(ASKED) ? "ja" : "");
const holds = (text) => ` ${text} `.includes(` ${phrase} `);

var Scorer = {
  objNameMatch: 11, objPartialMatch: 6, objPrio: { 0: 15, 1: 5, 2: -5 }, objPrioDefault: 0,
  title: 15, partialTitle: 7, term: 5, partialTerm: 2,
  // The words as they were typed, in a title and then in a text, come before scattered words; the
  // page's language before a translation; explanations before the history of the project.
  score: ([page, title, , , score]) => {
    const named = plain(title);
    let sum = score;
    if (phrase && holds(named)) sum += named.startsWith(phrase) ? 40 : 10;
    if (phrase && named === phrase) sum += 20;
    const text = plain(TEXTS[page] ?? "");
    if (phrase && holds(text)) sum += phrase.includes(" ") ? 20 : 5;
    if (page.startsWith("metric-") && text.includes(`its mean over queries is called ${phrase} `)) sum += 40;
    const language = page.includes("/") ? page.split("/")[0] : "";
    if (language && language === LANGUAGE) sum += 100;
    else if (language && (LANGUAGE || !phrase.match(/[^\x00-\x7f]/))) sum -= 30;
    if (["changelog", "contributing", "licence"].includes(page)) sum -= 15;
    return sum;
  },
};

// The words around the first place where a page has what was typed, or else its longest word.
function snippet(text) {
  const words = ASKED.split(/\s+/).filter(Boolean).sort((a, b) => b.length - a.length);
  const low = text.toLowerCase();
  const at = [ASKED, ...words].map((one) => low.indexOf(one.toLowerCase())).find((i) => i >= 0) ?? 0;
  const from = at < 60 ? 0 : text.indexOf(" ", at - 60) + 1;
  return `${from ? "… " : ""}${text.slice(from, from + 200).replace(/\s\S*$/, "")} …`;
}

document.addEventListener("DOMContentLoaded", () => {
  const kept = document.querySelector(".sidebar-search-container [name=lang]");
  if (kept) Object.assign(kept, { value: LANGUAGE, disabled: !LANGUAGE }); // for the next search
  new MutationObserver((changes) => changes.forEach(({ addedNodes }) => addedNodes.forEach((item) => {
    const link = item.nodeName === "LI" ? item.querySelector("a") : null;
    const text = link && TEXTS[link.pathname.split("/").slice(-2).join("/").replace(/\.html$/, "")
      .replace(/^.*\/(?=[^/]+$)/, (folder) => (/^(zh|ja)\/$/.test(folder) ? folder : ""))];
    if (text) {
      item.append(Object.assign(document.createElement("p"), {
        className: "context", textContent: snippet(text),
      }));
    }
  }))).observe(document.getElementById("search-results"), { childList: true, subtree: true });
});
