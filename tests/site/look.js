// What a reader would complain of on the page that is open, as an object of lists.
(() => {
  document.querySelectorAll("details").forEach((folded) => { folded.open = true; });
  const shown = (element) => element.outerHTML.slice(0, 120);
  const box = (element) => element.getBoundingClientRect();

  const raw = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (node.parentElement.closest("pre, code, script, style, template, noscript")) continue;
    if (/\$\$|\$[^\s$][^$]*\$|\\[A-Za-z]+|\\\(|\\\[/.test(node.data)) raw.push(node.data.trim());
  }

  const equations = [...document.querySelectorAll("math")];
  const unset = equations.filter((math) => !math.alttext && !math.getAttribute("alttext")
    || !math.textContent.trim() || box(math).width === 0 || math.querySelector("merror"));

  const images = [...document.querySelectorAll("img")];

  const scrolls = (element) => {
    for (let e = element.parentElement; e && e !== document.body; e = e.parentElement) {
      if (/auto|scroll|hidden|clip/.test(getComputedStyle(e).overflowX)) return true;
    }
    return false;
  };
  const edge = document.documentElement.clientWidth + 1;
  const wide = [...document.querySelectorAll("main *, article *")].filter(
    (element) => box(element).width > 0 && box(element).right > edge && !scrolls(element));
  const page = document.documentElement.scrollWidth;

  return {
    raw,
    unset: unset.map(shown),
    displayed: equations.filter((math) => math.getAttribute("display") === "block").length,
    mute: images.filter((image) => !(image.alt || "").trim()).map(shown),
    broken: images.filter((image) => !image.complete || image.naturalWidth === 0).map(shown),
    wide: [...wide.map(shown), ...(page > edge ? [`the page is ${page} wide`] : [])],
    title: document.title,
    heading: (document.querySelector("h1") || { textContent: "" }).textContent,
  };
})()
