// Moves every slider through its values and types every foreseen number into its prediction.
(() => {
  const seen = (element) => element.checkVisibility();
  const sliders = [...document.querySelectorAll(".slider")].map((box) => {
    const input = box.querySelector("input");
    const shown = [];
    for (let at = 0; at <= Number(input.max); at += 1) {
      input.value = at;
      input.dispatchEvent(new Event("input"));
      const figures = [...box.querySelectorAll("svg.figure")].filter(seen);
      shown.push([box.querySelector("output").textContent,
        figures.map((figure) => figure.getAttribute("aria-label"))]);
    }
    return shown;
  });

  const boxes = [...document.querySelectorAll(".predict[data-outcomes]")];
  const unanswered = [];
  for (const box of boxes) {
    const say = (text) => {
      box.querySelector("input").value = text;
      box.querySelector("form").requestSubmit();
      return box.querySelector("[role=status]").textContent;
    };
    for (const outcome of JSON.parse(box.dataset.outcomes)) {
      const said = say(outcome.forms.at(-1));
      if (!said.includes(outcome.says)) unanswered.push([outcome.forms.at(-1), said]);
    }
    for (const [text, start] of [["many", "Type a number"], ["-123.25", "Not yet, and no common"]]) {
      if (!say(text).startsWith(start)) unanswered.push([text, say(text)]);
    }
  }

  const ids = [...document.querySelectorAll("[id]")].map((element) => element.id);
  return {
    sliders, unanswered, predictions: boxes.length,
    repeated: [...new Set(ids.filter((id, i) => ids.indexOf(id) !== i))],
  };
})()
