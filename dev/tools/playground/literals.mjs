// Values as programs write them: JSON, Python, R, and what NumPy, PyTorch and others print.

const NOTHING = /^(?:None|null|nil|NULL|NA_integer_|NA_real_|NA|NaN|nan|undefined|missing|<NA>|set\(\)|\?|--?(?=[\s,;\])}]))/;
const TRUE = /^(?:True|true|TRUE)(?![\w.])/;
const FALSE = /^(?:False|false|FALSE)(?![\w.])/;
const NUMBER = /^[-+]?(?:\d[\d_]*\.?\d*|\.\d+)(?:e[-+]?\d+)?L?(?![\w.])/i;
const STRING = /^[bru]?(?:"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')/;
const CALL = /^([A-Za-z_][\w.]*)\s*(?:<[^<>()]*>|\{[^{}()]*\})?\s*\(/;
const NAMED = /^([A-Za-z_][\w.]*)\s*(?:<-|=(?!=))\s*/;
const PLAIN_NAMED = /^([A-Za-z_][\w.]*)\s*(?:<-|=(?!=)|:)\s*(?=["'[({]|[A-Za-z_.]+\()/;
const CONSTRUCTORS = new Set([
  "array", "asarray", "ndarray", "tensor", "Tensor", "as_tensor", "Series", "Index", "list", "tuple", "set", "frozenset", "c",
  "Array", "DeviceArray", "matrix", "OrderedDict", "Counter", "dict", "defaultdict", "constant", "Variable", "vector", "List",
  "DataFrame", "from_dict", "print", "str_", "str", "int", "float", "bool", "bool_", "LongTensor", "FloatTensor", "IntTensor",
  "masked_array", "parse", "stringify", "to_tensor", "asList", "of", "listOf", "arrayOf", "intArrayOf", "Vector", "Qrels", "Run",
  "frame", "tibble", "table",
]);
const SCALAR = /^(?:u?int|float|bfloat|double|long|Decimal)\d*_?$/;
const FRAME = /^(?:frame|tibble|table|DataFrame)$/;
const METHOD = /^\.(?:tolist|to_list|to_numpy|numpy|cpu|copy|clone|detach|astype|float|int|long|bool)\([\w.\s]*\)/;
const AS_A_ROW = /^\.reshape\(\(?\s*(?:1\s*,\s*-1|-1\s*,\s*1|-1\s*,?)\s*\)?\)/;

export function refuse(line, sentence) {
  throw new Error(`Line ${line}: ${sentence}`);
}

/** A text that a program could have written: it begins with a bracket, a name and =, or a call. */
export function isLiteral(text) {
  const start = text.replace(/^(?:\s|#[^\n]*\n)*/, "");
  if (/^[[({]/.test(start)) return true;
  if (/^<tf\.(?:Ragged)?Tensor/.test(start)) return true;
  if (/^(?:import|from)\s+[\w.]+/.test(start) && /\n/.test(start)) return true;
  const statement = NAMED.exec(start);
  if (statement) return /^[[({]|^[A-Za-z_][\w.]*\s*\(/.test(start.slice(statement[0].length));
  return PLAIN_NAMED.test(start) || /^[A-Za-z_][\w.]*\(/.test(start);
}

/** The values of a text, each with its name, or "". */
export function literals(text) {
  let at = 0;
  const line = () => text.slice(0, at).split("\n").length;
  const skip = () => { at += /^(?:\s|#[^\n]*|\/\/[^\n]*)*/.exec(text.slice(at))[0].length; };
  const next = () => { skip(); return text[at]; };
  const odd = () => refuse(line(), at < text.length
    ? `“${text.slice(at, at + 10).split("\n")[0]}” is not expected here.`
    : "the text ends too early. A bracket may be missing.");
  const match = (pattern) => { skip(); return pattern.exec(text.slice(at)); };
  const take = (pattern) => {
    const found = match(pattern);
    if (found) at += found[0].length;
    return found;
  };

  /** The parts between brackets. Between numbers a space will do, as NumPy prints them. */
  function several(end, one) {
    const found = [];
    while (next() !== end) {
      if (text.startsWith("...", at) || text[at] === "…") refuse(line(), "the print leaves out values (...). Print all of them.");
      found.push(one());
      if (next() === end) break;
      if (take(/^[,;]/)) continue;
      const last = found.at(-1);
      if (!["number", "none", "list"].includes(last.kind)) odd();
    }
    at += 1;
    return found;
  }

  function entry() {
    const here = (skip(), line());
    const bare = match(/^[A-Za-z_][\w.-]*(?=\s*:)/);
    let key;
    if (bare) {
      at += bare[0].length;
      key = { kind: "text", line: here, value: bare[0] };
    } else key = value();
    if (!take(/^(?::|=>)/)) return { key, line: here };
    return { key, line: here, value: value() };
  }

  function held(here) {
    const entries = several("}", entry);
    if (entries.length && entries.every((e) => e.value === undefined)) {
      return { kind: "list", line: here, items: entries.map((e) => e.key), isSet: true };
    }
    if (entries.some((e) => e.value === undefined)) odd();
    return { kind: "dict", line: here, entries: entries.map((e) => [String(e.key.value ?? ""), e.value, e.line]) };
  }

  function argument() {
    const named = take(/^([A-Za-z_]\w*)\s*=(?!=)\s*/);
    if (named) return { kind: "none", name: named[1], given: setting() };
    return setting();
  }

  /** What an argument is: a value, or a word such as torch.int64, that says a type or a variable. */
  function setting() {
    const word = match(/^(?!None|null|True|False|true|false|TRUE|FALSE|nan|NaN|NULL|NA)[A-Za-z_][\w.]*(?=\s*[,)>])/);
    if (!word) return value();
    at += word[0].length;
    return { kind: "word", line: line(), value: word[0] };
  }

  function call(name, here) {
    const parts = several(")", argument);
    const given = parts.filter((part) => part.name === undefined);
    const named = Object.fromEntries(parts.filter((part) => part.name !== undefined).map((part) => [part.name, part.given]));
    return made(name, here, given, named);
  }

  /** TensorFlow's print: <tf.Tensor: shape=(3,), dtype=int32, numpy=array([3, 2, 0])>. */
  function tensor(here) {
    const inner = /^<tf\.(?:Tensor[^[]*?numpy=|RaggedTensor\s*)/.exec(text.slice(at));
    if (!inner) odd();
    at += inner[0].length;
    const found = value();
    take(/^[^>]*>/);
    return { ...found, line: here };
  }

  function word(here) {
    const string = take(STRING);
    if (string) return { kind: "text", line: here, value: unescaped(string[0].replace(/^[bru]/, "")) };
    if (take(TRUE)) return { kind: "number", line: here, value: 1 };
    if (take(FALSE)) return { kind: "number", line: here, value: 0 };
    const none = take(NOTHING);
    if (none) return none[0] === "set()" ? { kind: "list", line: here, items: [] } : { kind: "none", line: here, value: null };
    const number = take(NUMBER);
    if (number) return { kind: "number", line: here, value: Number(number[0].replace(/_|L$/gi, "")) };
    return odd();
  }

  /** A value without the calls behind it that leave its numbers and their order as they are. */
  function unchanged(part) {
    const flat = part.kind === "list" && part.items.every((item) => item.kind !== "list");
    while (METHOD.test(text.slice(at))) take(METHOD);
    if (flat) take(AS_A_ROW);
    if (flat) take(/^'(?=\s*;?\s*$)/);
    return part;
  }

  function value() {
    const sign = next();
    const here = line();
    if (sign === "[" || sign === "(") {
      at += 1;
      return unchanged({ kind: "list", line: here, items: several(sign === "[" ? "]" : ")", value) });
    }
    if (sign === "{") {
      at += 1;
      return held(here);
    }
    if (/^<tf\.(?:Ragged)?Tensor/.test(text.slice(at, at + 20))) return tensor(here);
    if (sign === "<" && take(/^<[A-Za-z][^<>\n]*>/)) return { kind: "none", line: here, value: null };
    const called = !match(/^set\(\)/) && take(CALL);
    return called ? unchanged(call(called[1], here)) : word(here);
  }

  const found = [];
  while (next() !== undefined) {
    if (take(/^(?:import|from)\s[^\n]*/) || take(/^;/)) continue;
    if (found.length && take(/^,/)) continue;
    const name = take(NAMED) ?? take(PLAIN_NAMED);
    found.push({ ...value(), name: name?.[1] ?? "" });
  }
  return found;
}

/** A call that only holds values, as these values; another call, as a call. */
function made(name, line, given, named) {
  const last = name.split(".").at(-1);
  if (!CONSTRUCTORS.has(last) && !SCALAR.test(last)) return { kind: "call", called: name, line, given, named };
  const entries = Object.entries(named).map(([key, own]) => [key, own, line]);
  if (entries.length && !given.length && (last === "c" || (FRAME.test(last) && !named.data))) return { kind: "dict", line, entries };
  const index = named.index;
  const held = last === "Series" ? given.find((part) => ["list", "dict"].includes(part.kind)) ?? named.values : undefined;
  const first = held ?? given.find((part) => part.kind !== "none") ?? named.data ?? given[0];
  if (!first && last === "dict") return { kind: "dict", line, entries };
  if (!first) return { kind: "list", line, items: [] };
  if (last === "c" || given.length > 1 && given.every((part) => part.kind === "number" || part.kind === "none")) {
    return { kind: "list", line, items: last === "c" ? given.map(truth) : given };
  }
  if (last === "Decimal" && first.kind === "text" && first.value.trim() !== "" && !Number.isNaN(Number(first.value))) {
    return { kind: "number", line, value: Number(first.value) };
  }
  if (index?.kind === "list" && first.kind === "list") {
    return { kind: "dict", line, entries: first.items.map((item, i) => [String(index.items[i]?.value ?? i), item, item.line]) };
  }
  return last === "set" || last === "frozenset" ? { ...first, line, isSet: true } : { ...first, line };
}

/** T and F, as R abbreviates TRUE and FALSE. */
const truth = (part) => (part.kind === "word" && /^[TF]$/.test(part.value) ? { ...part, kind: "number", value: Number(part.value === "T") } : part);

const ESCAPES = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f" };
const unescaped = (string) => string.slice(1, -1).replace(/\\(?:u([0-9a-f]{4})|(.))/gi, (_, code, sign) =>
  (code ? String.fromCharCode(parseInt(code, 16)) : ESCAPES[sign] ?? sign));
