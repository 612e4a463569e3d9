// The form of a metric's page: grades go in, the score comes out with its steps. It computes nothing
// itself: the metrics are those of the playground.

import { make, table } from "./dom.mjs";
import { worked } from "./explain.mjs";
import { oneQuery } from "./question.mjs";
import { equation, notesOf, number } from "./say.mjs";
import { stepsOf } from "./shown.mjs";
import { inputOf, toFragment } from "./state.mjs";

const START = "3 2 3 0 1 | 3 2";

/** The cut-off that a field holds; null where it is empty. */
function cutoffOf(text) {
  if (!text.trim()) return null;
  if (!/^[1-9]\d{0,3}$/.test(text.trim())) throw new Error("The cut-off k is a whole number from 1, or empty.");
  return Number(text);
}

/** The score and its steps as elements. */
function stepped({ name, said, played }, text, k) {
  const documents = oneQuery(text, { ranked: [], others: [] });
  const { given, nameOf } = inputOf(documents, {});
  const found = worked(name, given, k, said);
  if (found.refused) throw new Error(`${name} has no score here: ${found.refused}.`);
  const [{ seen, grades }] = found.each;
  const title = name + (k === null ? "" : `@${k}`);
  const shown = [make("p", {}, make("strong", {}, seen ? equation(name, k, seen, found.score) : `${title} = ${number(found.score)}`))];
  for (const [of, part] of seen ? [[title, seen], ...Object.entries(seen.parts)] : []) {
    const { header, lines } = stepsOf(part, grades, nameOf, null);
    const caption = `${of} = ${number(part === seen ? found.score : part.score)}`;
    const box = { class: "table-wrapper", tabindex: 0, role: "group", "aria-label": caption };
    if (lines.length) shown.push(make("div", box, table(caption, header, lines)));
  }
  if (seen) shown.push(...notesOf(seen).map((note) => make("p", {}, `Note: ${note}.`)));
  if (played) {
    const link = `play.html#${toFragment({ ...documents, measure: name, k, options: {}, value: "", theirs: "" })}`;
    shown.push(make("p", {}, make("a", { href: link }, "Change its conventions, or ask which of them gives your number")));
  }
  return shown;
}

function live(box) {
  const metric = JSON.parse(box.dataset.metric);
  const id = `try-${metric.name}`;
  const typed = make("input", { id, value: START, autocomplete: "off", spellcheck: "false", "aria-describedby": `${id}-help` });
  const cut = make("input", { id: `${id}-k`, inputmode: "numeric", size: 4, autocomplete: "off" });
  const out = make("div", { role: "status" });
  const show = () => {
    try {
      out.replaceChildren(...stepped(metric, typed.value, cutoffOf(cut.value)));
    } catch (error) {
      out.replaceChildren(make("p", { class: "wrong" }, error.message));
    }
  };
  const fields = [make("label", {}, "Grades by rank ", typed)];
  if (metric.cutoff) fields.push(make("label", {}, "Cut-off k ", cut));
  const help = "Best rank first. Behind | stand the grades of judged documents that were not retrieved; - stands for a document that nobody judged.";
  box.append(make("div", { class: "fields" }, ...fields), make("p", { id: `${id}-help` }, help), out);
  box.addEventListener("input", show);
  show();
}

document.querySelectorAll(".try-it").forEach(live);
