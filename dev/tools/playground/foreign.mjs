// What other programs print or hold, written as the plain lines and lists that the page reads: rows of
// LaTeX, lists of C, Java, Go, Rust and Julia, the prints of R, and a number inside of a call.

const MARKED = /\\(?:textbf|textit|mathbf|underline|bf|emph)\s*\{([^{}]*)\}/g;
const IN_DOLLARS = /\$\s*([-+]?[\d.,]+(?:[\s,]+[-+]?[\d.]+)*)\s*\$/g;
const ROW_END = /\\\\\s*(?:\[[^\]]*\])?\s*(?:\\hline)?\s*$/;
const LATEX_LINE = /^\s*(?:\\(?:begin|end|hline|toprule|midrule|bottomrule|cline|cmidrule|centering|caption|label)\b.*)$/;

/** A text without LaTeX's marks of bold or of a formula around numbers. */
export const withoutMarks = (text) => text.replace(MARKED, "$1").replace(IN_DOLLARS, "$1");

/** Rows of a table of LaTeX, a & 3 \\, as rows with tabs. */
export function withoutLatex(lines) {
  if (!lines.some(({ text }) => ROW_END.test(text) && text.includes("&"))) return lines;
  const kept = lines.filter(({ text }) => !LATEX_LINE.test(text));
  return kept.map(({ line, text }) => {
    const cells = text.replace(ROW_END, "").split(/(?<!\\)&/);
    return { line, text: cells.map((cell) => cell.trim().replaceAll("\\_", "_").replaceAll("\\&", "&")).join("\t") };
  });
}

const WRAPPED = /^\s*\[(\d+)\]\s+\S/;

/** The print of a vector of R as one line: it goes on behind [6] where its first line is full. */
export function unwrapped(lines) {
  const filled = lines.filter(({ text }) => text.trim());
  const starts = filled.map(({ text }) => Number(WRAPPED.exec(text)?.[1] ?? NaN));
  if (filled.length < 2 || starts[0] !== 1 || !starts.every((start, i) => i === 0 || start > starts[i - 1])) return lines;
  return [{ line: filled[0].line, text: filled.map(({ text }) => text.replace(/^\s*\[\d+\]\s+/, "")).join(" ") }];
}

const TYPE = String.raw`(?:const|let|var|val|auto|final|static|mut|(?:u?int\d*|long|double|float|bool|boolean|std::vector|vector|List|ArrayList|Vec)(?:_t)?(?:<[\w\s]*>)?(?:\[\])?)`;
const DECLARED = new RegExp(String.raw`^(\s*)(?:${TYPE}\s+)+(\w+)(?:\[\d*\])?\s*:?=\s*`);
const OPENED = /^(\s*(?:\w+\s*(?:=|<-)\s*)?)(?:Int\d*|Float\d*|Bool|Any|Real|vec!|new\s+\w+\[\]|\[\]\w+|(?:std::)?vector<\w+>)\s*(?=[[{])/;
const IN_BRACES = /^([^{]*)\{([^{}:'"]*)\}/;

/** A list of a language with types as a plain one: int rel[] = {3, 2, 0}; is rel = [3, 2, 0]. */
export function untyped(text) {
  const named = text.replace(DECLARED, "$1$2 = ");
  const bare = named.replace(OPENED, "$1");
  if (bare === text) return text;
  return bare.replace(IN_BRACES, "$1[$2]");
}

const CALLED = String.raw`(?:[A-Za-z_]\w*\.)*(?:tensor|float\d*|double|Array|array|asarray|Decimal|round)\(\s*['"]?`;

/** A question whose number stands in a call, as in tensor(0.96) or np.float64(0.96), with the number. */
export function withBareNumber(text, number) {
  const behind = String.raw`['"]?\s*(?:,[^()[\]]*)?\)(?=\s*(?:$|[,;:]|\n|for\b|of\b|from\b|and\b|vs\b))`;
  const called = new RegExp(String.raw`^([^()[\]{}"'\n]*?)${CALLED}(${number})${behind}`, "iu");
  return text.replace(called, "$1$2").replace(new RegExp(String.raw`^(.*\band\s+|.*\bvs\.?\s+)${CALLED}(${number})${behind}`, "iu"), "$1$2");
}

/** A value whose result stands on the last line, as an interpreter prints it, as "number for value". */
export function withResult(text, number) {
  const lines = text.split("\n").filter((line) => line.trim());
  const own = (line) => line.replace(/^\s*(?:>>> |In ?\[\d+\]: |> |julia> )/, "");
  const result = new RegExp(String.raw`^\s*(?:Out ?\[\d+\]: ?|\[1\]\s+|#\s*(?:[-=]>|=)?\s*|[-=]>\s*|ans\s*=\s*)?(${number})\s*$`, "iu");
  const isValue = (line) => /^\s*(?:[A-Za-z_][\w.]*\s*)?[[({]|^\s*\w+\s*(?:=|<-)\s*[[({\w]/.test(line) && /[[(]/.test(line);
  if (lines.length > 1 && isValue(own(lines[0])) && /[\])};]\s*$/.test(lines.at(-2))) {
    const found = result.exec(lines.at(-1));
    if (found) return `${found[1]} for ${lines.slice(0, -1).map(own).join("\n")}`;
  }
  const beside = new RegExp(String.raw`^(.*\))\s*#\s*(?:[-=]>|=)?\s*(${number})\s*$`, "isu").exec(text);
  const isCode = lines.length === 1 || (lines.length > 1 && isValue(own(lines[0])));
  return beside && isCode ? `${beside[2]} for ${beside[1].split("\n").map(own).join("\n")}` : text;
}
