// Looks up what a reader types into a prediction in the numbers that the page holds.
(() => {
  "use strict";
  let words = {};
  const word = (text) => words[text] ?? text;

  // Digits and signs of East Asian keyboards are read as the plain ones, and ½ as 1/2.
  // 0.50 and .5 and 0,5 are written alike; 2/4 is 1/2; 50 % is 0.5 only where 0.5 is asked for.
  const canonical = (text) => {
    const narrow = text.normalize("NFKC").replace(/\u2212/g, "-").replace(/\u2044/g, "/");
    const plain = narrow.replace(/,/g, ".").replace(/\s+/g, "");
    const fraction = /^(-?\d+)\/(\d+)$/.exec(plain);
    if (fraction) {
      let [a, b] = [Math.abs(Number(fraction[1])), Number(fraction[2])];
      while (b) [a, b] = [b, a % b];
      const [above, below] = [Number(fraction[1]) / a, Number(fraction[2]) / a];
      return below === 1 ? String(above) : `${above}/${below}`;
    }
    return plain.replace(/^(-?)\./, "$10.");
  };

  const reply = (typed, outcomes) => {
    const form = canonical(typed);
    if (!/^-?\d+(\.\d+|\/\d+)?$/.test(form)) return word("Type a number, such as 0.75 or 3/4.");
    const met = outcomes.filter((outcome) => outcome.forms.includes(form));
    const right = met.find((outcome) => outcome.right);
    if (right && met.length > 1) return word("That may be right. Give one more digit.");
    if (right) return word("Right.");
    if (met.length) return `${word("Not yet.")} ${met[0].says}`;
    return word("Not yet, and no common mistake gives this number. Look again, or open the answer below.");
  };

  const makePrediction = (box) => {
    const outcomes = JSON.parse(box.dataset.outcomes);
    words = JSON.parse(box.dataset.words ?? "{}");
    const form = document.createElement("form");
    const button = Object.assign(document.createElement("button"), { textContent: word("Check") });
    const said = document.createElement("p");
    said.setAttribute("role", "status");
    form.append(box.querySelector("label"), button);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      said.textContent = reply(box.querySelector("input").value, outcomes);
    });
    box.append(form, said);
    box.classList.add("live");
  };

  document.querySelectorAll(".predict[data-outcomes]:not(.live)").forEach(makePrediction);
})();
