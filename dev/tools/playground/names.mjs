// The names that people and programs give to measures, with their cut-offs: ndcg_cut_10, P@5, hit@10.

import { HIGHEST_CUTOFF } from "./state.mjs";

const NAMES = {
  nDCG: ["normalized discounted cumulative gain", "normalised discounted cumulative gain", "normalized dcg", "normalised dcg",
    "retrieval normalized dcg", "ndcg score", "ndcg cut", "ndcg", "n dcg", "归一化折损累计增益", "正規化減損累積利得"],
  DCG: ["discounted cumulative gain", "dcg score", "dcg"],
  AP: ["mean average precision", "retrieval average precision", "average precision score", "average precision", "map cut", "map score", "avg prec", "map", "ap", "平均精度均值", "平均精度", "平均准确率", "平均適合率"],
  RR: ["mean reciprocal rank", "reciprocal rank", "retrieval mrr", "retrieval reciprocal rank", "recip rank", "平均倒数排名", "倒数排名", "平均逆順位", "逆順位", "mrr score", "mrr", "rr"],
  P: ["retrieval precision", "precision score", "precision", "prec", "p", "精确率", "精度", "查准率", "適合率"],
  R: ["retrieval recall", "recall score", "recall", "rec", "r", "召回率", "查全率", "再現率"],
  ERR: ["expected reciprocal rank", "err"],
  RBP: ["rank biased precision", "rbp"],
  Q: ["q measure", "q"],
  bpref: ["bpref"],
  "alpha-nDCG": ["alpha ndcg cut", "alpha ndcg", "alphandcg", "α ndcg", "αndcg", "a ndcg"],
  "PR-AUC": ["pr auc", "prauc", "auprc", "auc pr"],
  Success: ["success", "success rate", "hit rate", "hit ratio", "retrieval hit rate", "hitrate", "hits", "hit", "hr"],
  F: ["f measure", "f score", "f1 score", "f1"],
  "ROC-AUC": ["roc auc score", "roc auc", "auc roc", "auroc", "auc score", "auc"],
  "Kendall-tau": ["kendalls tau", "kendall tau", "kendalltau", "kendall"],
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
  .map(({ measure, name }) => ({ measure, read: new RegExp(`^(?:${pattern(name)})(?:[_-]at[_-]k)?${CUTOFF}(?![\\p{L}\\p{N}_@]|-\\p{L})`, "iu") }));

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

// The names of the package for measures that this page does not compute.
const ELSEWHERE = {
  Success: "Success", F: "F", "ROC-AUC": "AUC", "Kendall-tau": "tau", RBO: "RBO", Accuracy: "accuracy", "R-precision": "Rprec", infAP: "infAP", CG: "CG",
};

/** The page of a measure that people ask for and this page does not compute. */
export function pageOf(text, pages = {}) {
  const found = READ.find(({ measure, read }) => measure in ELSEWHERE && read.test(text));
  const bare = (word) => word.toLowerCase().replace(/[-_\s]/g, "");
  const word = bare(/^[\p{L}\d_-]*/u.exec(text)[0]);
  const name = ELSEWHERE[found?.measure] ?? Object.keys(pages).find((own) => bare(own) === word);
  return pages[name] ?? null;
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
