// Opens the answer that follows a prediction in words, once the reader has written one.
(() => {
  "use strict";
  const makeComparison = (box) => {
    const words = JSON.parse(box.dataset.words ?? "{}");
    const word = (text) => words[text] ?? text;
    const form = document.createElement("form");
    const button = Object.assign(document.createElement("button"), { textContent: word("Compare") });
    const said = document.createElement("p");
    said.setAttribute("role", "status");
    const follows = (one) => box.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING;
    const isNext = (one) => follows(one) && !one.matches(".code, nav *");
    form.append(box.querySelector("label"), button);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (!box.querySelector("input").value.trim()) {
        said.textContent = word("Write your prediction first.");
        return;
      }
      const next = [...document.querySelectorAll("details, .slider, .predict, .quiz")].find(isNext);
      if (next?.matches("details")) {
        next.open = true;
        said.textContent = word("The answer to compare with is open below.");
      } else if (next?.matches(".slider")) {
        said.textContent = word("The figure below has the answer to compare with: move its slider.");
      } else {
        said.textContent = word("Run the next cell: it has the answer to compare with.");
      }
    });
    box.append(form, said);
    box.classList.add("live");
  };

  document.querySelectorAll(".predict[data-compared]:not(.live)").forEach(makeComparison);
})();
