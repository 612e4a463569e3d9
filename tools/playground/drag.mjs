// Cards that are dragged with mouse, finger or keys.

const STEPS = { ArrowUp: -1, ArrowDown: 1, Home: -Infinity, End: Infinity };

/** Lets a handle move its card: `move(by)` by keys, `drop(list, place)` by pointer, `aside()`. */
export function draggable(handle, card, { move, aside, drop }) {
  handle.addEventListener("keydown", (event) => {
    if (event.key in STEPS) move(STEPS[event.key]);
    else if (event.key === "ArrowRight" || event.key === "ArrowLeft") aside();
    else return;
    event.preventDefault();
  });
  handle.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    event.preventDefault();
    handle.focus();
    handle.setPointerCapture(event.pointerId);
    const start = { x: event.clientX, y: event.clientY };
    let over = null;
    const follow = (now) => {
      card.classList.add("dragged");
      card.style.transform = `translate(${now.clientX - start.x}px, ${now.clientY - start.y}px)`;
      over?.list.querySelectorAll(".before, .after").forEach(unmark);
      over?.list.classList.remove("over");
      over = placeAt(card, now.clientX, now.clientY);
      over?.mark();
    };
    const end = (now) => {
      handle.removeEventListener("pointermove", follow);
      handle.removeEventListener("pointerup", end);
      handle.removeEventListener("pointercancel", end);
      card.classList.remove("dragged");
      card.style.transform = "";
      over?.list.querySelectorAll(".before, .after").forEach(unmark);
      over?.list.classList.remove("over");
      if (over && now.type === "pointerup") drop(over.list, over.place);
    };
    handle.addEventListener("pointermove", follow);
    handle.addEventListener("pointerup", end);
    handle.addEventListener("pointercancel", end);
  });
}

const unmark = (card) => card.classList.remove("before", "after");

/** The list and the place in it that a point of the screen means. */
function placeAt(card, x, y) {
  for (const list of document.querySelectorAll("ol.cards")) {
    const box = list.getBoundingClientRect();
    if (x < box.left || x > box.right || y < box.top - 30 || y > box.bottom + 30) continue;
    const others = [...list.children].filter((one) => one !== card);
    const middle = (one) => one.getBoundingClientRect().top + one.getBoundingClientRect().height / 2;
    const place = others.filter((one) => middle(one) < y).length;
    const mark = () => {
      list.classList.add("over");
      if (others[place]) others[place].classList.add("before");
      else others.at(-1)?.classList.add("after");
    };
    return { list, place, mark };
  }
  return null;
}
