// Numbers, equations, calls of Python: how a value is written, as the package writes it.

const TOLERANCE = 1e-12;
const IN_FULL = 1e6;

/** The number to twelve digits, as it goes into what is written: machines agree on these. */
export function steady(x) {
  if (Math.abs(x) < TOLERANCE) return 0;
  return Math.abs(x) < IN_FULL ? Number(x.toPrecision(12)) : x;
}

/** A number to some decimals; halves go to the even digit, as in Python. */
export function number(value, digits = 4) {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "inf" : "-inf";
  const x = steady(value);
  const exact = Math.abs(x).toFixed(100);
  const point = exact.indexOf(".") + digits + 1;
  const half = /^50*$/.test(exact.slice(point));
  if (!half) return x.toFixed(digits);
  const below = exact.slice(0, point);
  const even = Number(below.at(-1)) % 2 === 0;
  const sign = x < 0 ? "-" : "";
  if (even) return sign + below;
  // The next digit up: a tenth of a unit more than the half rounds up in any case.
  return sign + (Number(below) + 0.6 * Number(`1e-${digits}`)).toFixed(digits);
}

/** A column of cells; numbers that are all whole are written without decimals. */
export function column(values, digits = 4) {
  const numbers = values.filter((x) => typeof x === "number");
  const whole = numbers.length > 0 && numbers.every((x) => Number.isInteger(steady(x)));
  return values.map((x) => {
    if (x === null || x === undefined) return "-";
    if (Array.isArray(x)) return [...x].sort().join(", ") || "-";
    if (typeof x !== "number") return String(x);
    return whole ? String(steady(x)) : number(x, digits);
  });
}

const LONG = 8; // longer sums are given by their result alone

/** The last step of a working: nDCG@3 = DCG@3 / IDCG@3 = 7.7619 / 7.8928 = 0.9834. */
export function equation(title, k, seen, score) {
  const { how, columns, quantities, parts } = seen;
  const at = k === null ? "" : `@${k}`;
  if (dividesByZero(seen)) return `${title}${at} = ${number(score)}`; // a convention gave the score
  const named = /\{([^{}]+)\}/g;
  const words = (_, name) => {
    if (name in parts) return name + at;
    return name in columns ? `the sum of ${name}` : name;
  };
  const values = (whole, name, place) => {
    const value = valueOf(name, { columns, quantities, parts });
    const [before, after] = [how.slice(0, place).trimEnd(), how.slice(place + whole.length).trim()];
    const factor = "/*-".includes(before.at(-1) ?? " ") || "/*".includes(after[0] ?? " ");
    const framed = value.startsWith("-") || (factor && value.includes(" + "));
    return framed ? `(${value})` : value;
  };
  const [said, numbers] = [how.replace(named, words), how.replace(named, values)];
  const result = number(score);
  const steps = [title + at];
  if (said !== steps[0]) steps.push(said);
  if (numbers !== said && numbers !== result) steps.push(numbers);
  return [...steps, result].join(" = ");
}

/** What an equation can't say: why RR has no rank to take. */
export function notesOf({ quantities }) {
  if (quantities["rank of the first relevant"] !== 0) return [];
  return ["no relevant document was retrieved, so there is no rank to take"];
}

/** Whether the last step would be a quotient over one thing that is 0 for this query. */
function dividesByZero({ how, columns, quantities, parts }) {
  const [, name] = /\/ \{([^{}]*)\}$/.exec(how) ?? [];
  if (name === undefined) return false;
  if (name in parts) return parts[name].score === 0;
  if (name in quantities) return quantities[name] === 0;
  return columns[name].reduce((a, b) => a + b, 0) === 0;
}

function valueOf(name, { columns, quantities, parts }) {
  if (name in parts) return number(parts[name].score);
  if (!(name in columns)) return column([quantities[name]])[0];
  const cells = column(columns[name]);
  if (cells.length === 0 || cells.length > LONG) {
    return number(columns[name].reduce((a, b) => a + b, 0));
  }
  return cells.map((c, i) => (i > 0 && c.startsWith("-") ? `(${c})` : c)).join(" + ");
}

/** Options as a call takes them: gain="exp", rel=2. */
export function written(options) {
  return Object.entries(options)
    .map(([name, x]) => `${name}=${x === "-inf" ? 'float("-inf")' : JSON.stringify(x)}`)
    .join(", ");
}

/** What a convention did, in words: the ideal was made of the retrieved documents only. */
export function inWords(words, name, value) {
  const [, kind = "", inside] = /^([a-z]*)\(?([^()]*)\)?$/.exec(String(value)) ?? [];
  const known = words[name] ?? {};
  const said = known[value] ?? known[`${kind}()`] ?? known["()"];
  return said === undefined ? written({ [name]: value }) : said.replace("{}", kind && inside ? inside : value);
}

const literal = (text) => JSON.stringify(text);
const dict = (pairs) => `{${pairs.map(([d, x]) => `${literal(d)}: ${x}`).join(", ")}}`;
const set = (list) => (list.length ? `{${list.map(literal).join(", ")}}` : "set()");

/** The lines of Python that make the input, and the arguments of the call. */
function inputOf(page) {
  const judged = page.judged.map((d) => [d.name, page.nuggets ? set(d.nuggets) : d.grade]);
  const tied = page.ranked.some((d, i) => i > 0 && d.tied);
  // With a half: whole scores beside grades with a fraction look like grades themselves.
  let score = page.ranked.filter((d, i) => i === 0 || !d.tied).length + 1.5;
  const scored = page.ranked.map((d, i) => [d.name, i > 0 && d.tied ? score : (score -= 1)]);
  const ranking = tied ? dict(scored) : `[${page.ranked.map((d) => literal(d.name)).join(", ")}]`;
  const more = [page.k === null ? "" : `k=${page.k}`, written(page.changed)].filter(Boolean);
  if (page.curve) {
    const grades = page.ranked.map((d) => (d.grade === null ? 0 : d.grade));
    const lines = [`relevance = [${grades.join(", ")}]`, `scores = [${scored.map(([, x]) => x).join(", ")}]`];
    return { lines, inside: ["relevance", "scores", ...more].join(", ") };
  }
  const beside = page.nuggets ? "nuggets" : "judgments";
  return {
    lines: [`ranking = ${ranking}`, `${beside} = ${dict(judged)}`],
    inside: ["ranking", beside, ...more].join(", "),
  };
}

/** Lines of Python that compute the value. */
export function call(page) {
  const { lines, inside } = inputOf(page);
  return [
    `from irmetrics_edu import ${page.function}`,
    "",
    ...lines,
    `score = ${page.function}(${inside})`,
    "print(score)",
    "",
  ].join("\n");
}

/** A test that holds the value, with an assertion that explains itself. */
export function test(page) {
  const { lines, inside } = inputOf(page);
  const nan = Number.isNaN(page.score);
  const asserted = `assert_${page.function}`;
  const by = `${inside}${page.curve ? "" : ', conventions="irmetrics_edu"'}, equals=${number(page.score, 6)}`;
  return [
    ...(nan ? ["import math", ""] : []),
    nan ? `from irmetrics_edu import ${page.function}` : `from irmetrics_edu.gate import ${asserted}`,
    "",
    "",
    `def test_${page.function}():`,
    ...lines.map((line) => `    ${line}`),
    nan ? `    assert math.isnan(${page.function}(${inside}))` : `    ${asserted}(${by})`,
    "",
  ].join("\n");
}
