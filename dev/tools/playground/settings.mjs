// Which settings of the conventions can differ on an input: those that `diagnose` tries, and those
// of the libraries.

const MOST_SETTINGS = 600;
const OF_RUN = ["ties", "negative", "unjudged", "scores", "pool", "unretrieved", "duplicates"];
const SLOW = ["unretrieved", "duplicates"];

/** What an input holds, and so which options can make a difference to it. */
export function factsOf(given) {
  if (given.queries) return merged(given.queries.map(factsOf));
  const ranked = given.ranking ?? Object.keys(given.scores);
  const longest = ranked.length;
  if (given.nuggets) return { withoutRelevant: true, missed: true, largestPool: 0, longest, grades: [] };
  const pool = Object.values(given.judgments);
  const found = ranked.filter((d) => d in given.judgments).length;
  const grades = [...new Set(pool.filter((x) => x > 0))].sort((a, b) => a - b);
  return {
    tied: given.scores !== undefined && new Set(Object.values(given.scores)).size < ranked.length,
    negative: pool.some((x) => x < 0),
    unjudged: found < ranked.length,
    missed: found < pool.length,
    withoutRelevant: grades.length === 0,
    largestPool: pool.length,
    longest,
    grades,
  };
}

/** What some query holds, where there are several. */
function merged(all) {
  const some = (name) => all.some((facts) => facts[name]);
  const flags = ["tied", "negative", "unjudged", "missed", "withoutRelevant"];
  const grades = [...new Set(all.flatMap((facts) => facts.grades))].sort((a, b) => a - b);
  const largestPool = Math.max(...all.map((facts) => facts.largestPool));
  const longest = Math.max(...all.map((facts) => facts.longest));
  const several = all.length > 1;
  return { ...Object.fromEntries(flags.map((name) => [name, some(name)])), largestPool, longest, several, grades };
}

const NEEDS = {
  ties: (f) => f.tied,
  scores: () => false,
  duplicates: () => false,
  negative: (f) => f.negative,
  unjudged: (f) => f.unjudged,
  no_relevant: (f) => f.withoutRelevant,
  pool: (f) => f.missed,
  unretrieved: (f) => f.missed,
};

/** The values that an option can have; null for what is no switch on this input. */
function valuesOf(option, facts, k) {
  const { name, values } = option;
  if (values.length) {
    if (NEEDS[name] && !NEEDS[name](facts)) return null;
    if (name === "cut" && (k === null || k >= facts.largestPool)) return null;
    return option.of_run ? values.filter((v) => v !== "refuse") : values;
  }
  if (name === "rel") return [option.default, ...facts.grades.filter((g) => g >= 1)];
  if (name === "max_grade") {
    const highest = facts.grades.at(-1) ?? 1;
    return [option.default, highest, ...[3, 4, 5].filter((g) => g >= highest), "highest"];
  }
  return name === "p" ? [0.8, 0.5, 0.9, 0.95] : null;
}

/** The switches of a measure, each with its values, that of `base` first. */
export function switchesOf(measure, facts, k, base) {
  const ofRun = {};
  const ofMetric = {};
  const first = (name, values) => [...new Set([base[name], ...values])];
  const named = Object.fromEntries(measure.options.map((o) => [o.name, o]));
  for (const name of OF_RUN) {
    const values = named[name] && valuesOf(named[name], facts, k);
    if (values) ofRun[name] = first(name, values);
  }
  for (const option of measure.options.filter((o) => !o.of_run)) {
    const values = valuesOf(option, facts, k);
    if (values) ofMetric[option.name] = first(option.name, values);
    else if (option.name === "no_relevant") ofMetric.no_relevant = [base.no_relevant];
  }
  const onlyAtTheEnd = !("ties" in ofRun);
  if (onlyAtTheEnd) ofRun.ties = [base.ties];
  return { ofRun, ofMetric, onlyAtTheEnd };
}

function* combinations(list, n, from = 0) {
  if (n === 0) yield [];
  for (let i = from; n > 0 && i < list.length; i += 1) {
    for (const rest of combinations(list, n - 1, i + 1)) yield [list[i], ...rest];
  }
}

/** Each way to take one value of each list. */
export function* products(lists) {
  if (lists.length === 0) yield [];
  else for (const x of lists[0]) for (const rest of products(lists.slice(1))) yield [x, ...rest];
}

/** The values that a setting has otherwise than the base. */
export const changesOf = (setting, base) =>
  Object.fromEntries(Object.entries(setting).filter(([name, x]) => x !== base[name]));

/** All settings, those with the fewest changes first; libraries' ones among them. */
export function settingsOf({ ofRun, ofMetric }, theirs) {
  const table = { ...ofRun, ...ofMetric };
  const names = Object.keys(table);
  const base = Object.fromEntries(names.map((name) => [name, table[name][0]]));
  const size = names.reduce((all, name) => all * table[name].length, 1);
  const fewer = size <= 20 * MOST_SETTINGS ? 3 : 2;
  const most = size <= MOST_SETTINGS ? names.length : Math.min(fewer, names.length);
  const found = new Map();
  const enter = (setting) => found.set(names.map((name) => setting[name]).join("\n"), setting);
  for (let n = 0; n <= most; n += 1) {
    for (const changed of combinations(names, n)) {
      const run = changed.filter((name) => name in ofRun);
      if (run.length > (run.some((name) => SLOW.includes(name)) ? 1 : 2)) continue;
      for (const values of products(changed.map((name) => table[name].slice(1)))) {
        enter({ ...base, ...Object.fromEntries(changed.map((name, i) => [name, values[i]])) });
      }
    }
  }
  for (const { setting } of theirs) enter(setting);
  const far = (setting) => {
    const changes = Object.keys(changesOf(setting, base));
    return changes.length * 100 + changes.filter((name) => name in ofRun).length;
  };
  return { base, settings: [...found.values()].sort((a, b) => far(a) - far(b)) };
}

// ---- libraries

/** Our defaults of a measure by name. */
export const defaultsOf = (measure) =>
  Object.fromEntries(measure.options.map((o) => [o.name, o.default]));

/** What libraries have by a measure's name, at this cut-off: each name with all conventions. */
export function namesOf(data, metric, k, base, grades) {
  const defaults = defaultsOf(data.measures[metric]);
  const asked = [...grades, base.rel ?? 0, 2, 3].filter((g) => g > 1 && Number.isInteger(g));
  const p = Number(base.p ?? 0.8).toFixed(2).slice(2);
  const found = [];
  for (const library of data.libraries) {
    const entries = library.entries.filter((e) => e.measure === metric && e.cut === (k !== null));
    let first = true;
    for (const entry of ordered(entries, [...new Set(asked)])) {
      const name = entry.name.replace("{k}", k).replace("{p}", p);
      const said = { ...defaults, ...entry.said };
      if (entry.share) said.p = Number(`0.${p}`);
      found.push({ library, name, label: first ? library.name : `${library.name}: ${name}`, said });
      first = false;
    }
  }
  return found;
}

/** What libraries have at a cut-off alone, for a measure without: cut where lists end. */
export function namesAtTheEnd(data, metric, k, base, facts) {
  if (k !== null || !data.measures[metric].cutoff) return [];
  return namesOf(data, metric, Math.max(facts.longest, 1), base, facts.grades);
}

const OF_RANKS = ["k", "reachable", "k_ones", "as_long"]; // conventions that count ranks to the cut

/** Whether a score depends on how many ranks there are above the cut-off. */
export const countsRanks = (setting, { ofMetric }) =>
  Object.keys(ofMetric).some((name) => OF_RANKS.includes(setting[name]));

/** The names with levels of relevance only as far as a level is asked for, in that order. */
function ordered(entries, asked) {
  const pattern = (e) => e.name.replace(/l\d$/, "l");
  const found = [];
  for (const entry of entries) {
    if (entry.level === undefined) found.push(entry);
    else if (!found.some((e) => e.level !== undefined && pattern(e) === pattern(entry))) {
      const alike = entries.filter((e) => e.level !== undefined && pattern(e) === pattern(entry));
      found.push(...asked.flatMap((g) => alike.filter((e) => e.level === g)));
    }
  }
  return found;
}
