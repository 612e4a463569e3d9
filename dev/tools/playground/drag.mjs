// Cards that are dragged with mouse, finger or keys.

const EDGE = 70; // pixels from the edge of what is seen, within which a drag scrolls
const FASTEST = 1.2; // pixels a millisecond
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
    const own = card.parentElement; // the list that scrolls where the page is wide
    const scrolled = () => window.scrollY + own.scrollTop;
    const before = scrolled();
    const listening = new AbortController();
    let pointer = start;
    let over = null;
    const clear = () => {
      over?.list.querySelectorAll(".before, .after").forEach(unmark);
      over?.list.classList.remove("over");
    };
    const follow = () => {
      card.classList.add("dragged");
      const down = pointer.y - start.y + scrolled() - before;
      card.style.transform = `translate(${pointer.x - start.x}px, ${down}px)`;
      clear();
      over = placeAt(card, pointer.x, pointer.y);
      over?.mark();
    };
    const scroll = (last) => (now) => {
      if (listening.signal.aborted) return;
      const was = scrolled();
      const by = (box) => Math.round(speedAt(pointer.y, box) * Math.min(100, now - last));
      own.scrollTop += by(own.getBoundingClientRect());
      if (scrolled() === was) window.scrollBy(0, by({ top: 0, bottom: innerHeight }));
      if (scrolled() !== was) follow();
      requestAnimationFrame(scroll(now));
    };
    const end = (dropped) => {
      listening.abort();
      card.classList.remove("dragged");
      card.style.transform = "";
      clear();
      if (over && dropped) drop(over.list, over.place);
    };
    const listen = (target, type, then) =>
      target.addEventListener(type, then, { signal: listening.signal });
    listen(handle, "pointermove", (now) => {
      pointer = { x: now.clientX, y: now.clientY };
      follow();
    });
    listen(handle, "pointerup", () => end(true));
    listen(handle, "pointercancel", () => end(false));
    listen(handle, "lostpointercapture", () => end(false));
    listen(document, "keydown", (key) => key.key === "Escape" && end(false));
    requestAnimationFrame(scroll(performance.now()));
  });
}

/** How fast to scroll where a pointer is near an edge: the nearer, the faster. */
function speedAt(y, { top, bottom }) {
  const above = Math.max(top, 0) + EDGE - y;
  const below = y - Math.min(bottom, innerHeight) + EDGE;
  const share = Math.min(1, Math.max(above, below, 0) / EDGE);
  return share * FASTEST * (above > below ? -1 : 1);
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
