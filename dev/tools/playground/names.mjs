// The names that people and programs give to measures, with their cut-offs: ndcg_cut_10, P@5, hit@10.

import { HIGHEST_CUTOFF } from "./state.mjs";

const NAMES = {
  nDCG: ["normalized discounted cumulative gain", "normalised discounted cumulative gain", "normalized dcg", "normalised dcg",
    "retrieval normalized dcg", "ndcg score", "ndcg cut", "ndcg", "n dcg"],
  DCG: ["discounted cumulative gain", "dcg score", "dcg"],
  AP: ["mean average precision", "retrieval average precision", "average precision score", "average precision", "map cut", "map score", "avg prec", "map", "ap"],
  RR: ["mean reciprocal rank", "reciprocal rank", "retrieval mrr", "recip rank", "mrr score", "mrr", "rr"],
  P: ["retrieval precision", "precision score", "precision", "prec", "p"],
  R: ["retrieval recall", "recall score", "recall", "rec", "r"],
  ERR: ["expected reciprocal rank", "err"],
  RBP: ["rank biased precision", "rbp"],
  Q: ["q measure", "q"],
  bpref: ["bpref"],
  "alpha-nDCG": ["alpha ndcg cut", "alpha ndcg", "alphandcg", "α ndcg", "αndcg", "a ndcg"],
  "PR-AUC": ["pr auc", "prauc", "auprc", "auc pr"],
  Success: ["success", "hit rate", "hit ratio", "retrieval hit rate", "hitrate", "hits", "hit", "hr"],
  F: ["f measure", "f score", "f1 score", "f1"],
  "ROC-AUC": ["roc auc score", "roc auc", "auc roc", "auroc", "auc score", "auc"],
  "Kendall-tau": ["kendalls tau", "kendall tau", "kendall"],
  RBO: ["rank biased overlap", "rbo"],
  Accuracy: ["accuracy score", "accuracy", "acc"],
  "R-precision": ["r precision", "rprecision", "r prec", "rprec"],
  infAP: ["inf ap", "infap"],
  CG: ["cumulative gain", "cumulated gain", "cg"],
};

const CUTOFF = String.raw`(?:\s?@\s?(?:k\s?=\s?)?(\d+)|[_.](?:at[_.])?(\d+)(?![\w.])|\s+at\s+(?:rank\s+)?(\d+)|\s?\(\s?(?:k\s?=\s?)?(\d+)\s?\)|(\d+)(?![\w.]))?`;
const pattern = (name) => name.replaceAll(" ", String.raw`[\s_-]?`);
const READ = Object.entries(NAMES)
  .flatMap(([measure, names]) => names.map((name) => ({ measure, name, size: name.length })))
  .sort((a, b) => b.size - a.size)
  .map(({ measure, name }) => ({ measure, read: new RegExp(`^(?:${pattern(name)})(?:[_-]at[_-]k)?${CUTOFF}(?![\\p{L}\\p{N}_@])`, "iu") }));

/** The measure that a text begins with, its cut-off, and the text behind it; null where there is none. */
export function measureAt(text, measures) {
  for (const { measure, read } of READ) {
    const found = read.exec(text);
    if (!found) continue;
    if (!Object.hasOwn(measures, measure)) return null; // R-precision is not R
    const cut = found.slice(1).find((digits) => digits !== undefined);
    return { measure, k: cut === undefined ? null : Number(cut), rest: text.slice(found[0].length) };
  }
  return null;
}

const PAGES = {
  Success: "metric-success.html", F: "metric-f-measure.html", "ROC-AUC": "metric-roc-auc.html", "Kendall-tau": "metric-kendall-tau.html",
  RBO: "metric-rbo.html", Accuracy: "metric-accuracy.html", "R-precision": "metric-r-precision.html", infAP: "metric-inf-ap.html", CG: "metric-cg.html",
};

/** The page of a measure that people ask for and this page does not compute. */
export function pageOf(text) {
  const found = READ.find(({ measure, read }) => measure in PAGES && read.test(text));
  return found ? PAGES[found.measure] : null;
}

/** The cut-off, or an error that says which there can be. */
export function checkedCutoff(measure, k, { cutoff }) {
  if (k === null) return null;
  if (!cutoff) throw new Error(`${measure} has no cut-off k. Write ${measure} without @${k}.`);
  if (!Number.isInteger(k) || k < 1 || k > HIGHEST_CUTOFF) {
    throw new Error(`k=${k} is not a cut-off. Write a whole number from 1 to ${HIGHEST_CUTOFF}, or leave it out.`);
  }
  return k;
}
