// node run.mjs FOLDER RESULTS.json: computes every file of vectors in a folder.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { MEASURES, results } from "./metrics.mjs";

const [folder, target] = process.argv.slice(2);
const files = readdirSync(folder)
  .filter((name) => name.endsWith(".json"))
  .map((name) => JSON.parse(readFileSync(join(folder, name), "utf8")))
  .filter((file) => file.format === "irmetrics-edu/vectors");
const answer = {
  format: "irmetrics-edu/results",
  version: files[0].version,
  program: "metrics.mjs",
  claims: files.map((file) => file.metric).filter((name) => MEASURES.includes(name)),
  results: Object.assign({}, ...files.map(results)),
};
writeFileSync(target, JSON.stringify(answer, null, 1));
