// What the columns of a table are, by their names; and tables as other programs print them, with
// frames, rules and numbered lines, as plain lines of cells.

import { unwrapped, withoutLatex } from "./foreign.mjs";

const COLUMNS = {
  document: [
    "document", "doc", "docid", "doc_id", "docno", "document_id", "id", "name", "item", "title", "url", "pid", "passage",
    "passage_id", "item_id", "product", "product_id", "corpus_id", "corpus-id", "asin", "文档", "文檔", "文書", "标题", "dokument", "titel",
    "documento", "titre",
  ],
  grade: [
    "grade", "grades", "relevance", "rel", "label", "judgment", "judgement", "rating", "y_true", "target", "gain", "qrel",
    "relevance_score", "relevance_grade", "relevance_label", "graded_relevance", "human_label", "stars", "相关性", "相關性", "等级", "评分", "関連度", "評価", "relevanz", "bewertung", "note",
    "pertinence", "pertinencia", "relevancia", "rilevanza",
  ],
  nuggets: ["nuggets", "nugget", "subtopics", "aspects"],
  score: ["score", "scores", "y_score", "sim", "similarity", "bm25", "pred", "prediction", "分数", "スコア", "punktzahl"],
  rank: ["rank", "position", "pos", "排名", "順位", "rang", "platz"],
  query: ["query", "qid", "query_id", "query-id", "topic", "topic_id", "查询", "クエリ", "anfrage"],
};
export const KINDS = Object.keys(COLUMNS);
export const MEANING = new Map(Object.entries(COLUMNS).flatMap(([column, words]) => words.map((w) => [w, column])));

/** What a column with this name is: by the name, or by its first or last word; undefined for others. */
export function meaningOf(title) {
  const name = title.toLowerCase().trim().replace(/\(.*\)|\[.*\]/g, "").replace(/[*:#]+/g, "").trim().replace(/^_+/, "");
  const words = name.split(/[\s/-]+/);
  return MEANING.get(name) ?? MEANING.get(name.replace(/[\s-]+/g, "_")) ?? MEANING.get(words[0]) ?? MEANING.get(words.at(-1));
}

const RULE = /^[\s+\-=|:─━═┄┌┬┐└┴┘├┼┤╞╪╡╭╮╰╯│┆┃|]*$/;
const FRAME = /[│┆┃║|]/;
const NUMBERED = /^\s*\d+\s/;
const TYPES = /^(?:str|String|Utf8|cat|bool|object|category|[iuf]\d+|u?int\d*|float\d*|double|char|<\w+>)$/;
const TAIL = /^\s*(?:(?:Name: .*, )?(?:Length: \d+, )?dtype: \S+|\[\d+ rows x \d+ columns\]|shape: \(.*\)|Series: '.*' \[\w+\]|\(\d+ rows?\)|\d+ rows? in set.*|# A tibble: .*|```\w*)\s*$/;
const PROMPT = /^(?:>>> |\.\.\. |In ?\[\d+\]: |Out ?\[\d+\]: ?|> )/;

/** Lines without the prompts and the notes that programs print around values. */
export function withoutNoise(lines) {
  const first = lines.find((row) => row.text.trim());
  const ofR = first !== undefined && /^\s*\[1\]\s+[^\s|/~]/.test(first.text);
  const series = isSeries(lines);
  const untailed = lines.filter((row) => !TAIL.test(row.text));
  const kept = unwrapped(withoutLatex(series ? withoutIndexName(untailed) : untailed));
  return kept.map(({ line, text }) => {
    const own = text.replace(PROMPT, "");
    return { line, text: ofR ? own.replace(/^\s*\[\d+\]\s+/, "") : own };
  });
}

/** The lines of a printed Series without the name of its index, which stands alone above its rows. */
function withoutIndexName(lines) {
  const filled = lines.filter((row) => row.text.trim());
  const sizes = filled.map((row) => row.text.trim().split(/\s+/).length);
  const named = filled.length > 1 && sizes[0] === 1 && sizes.slice(1).every((size) => size === 2);
  return named ? lines.filter((row) => row !== filled[0]) : lines;
}

/** Whether some line says that a Series of pandas was printed. */
export const isSeries = (lines) => lines.some((row) => /^\s*(?:Name: .*, )?(?:Length: \d+, )?dtype: \S+\s*$/.test(row.text));

/** A table in a frame (Markdown, psql, polars, rich) as lines with tabs; null where there is none. */
export function unframed(lines) {
  const filled = lines.filter((row) => row.text.trim());
  const ruled = filled.filter((row) => RULE.test(row.text) && /[-─━═]{2}/.test(row.text));
  const framed = filled.filter((row) => FRAME.test(row.text));
  if (!ruled.length || framed.length < 2) return null;
  const rows = [];
  for (const { line, text } of filled) {
    if (RULE.test(text) && /[-─━═]{2}/.test(text)) continue;
    const cells = text.trim().replace(/^[│┃║|]|[│┃║|]$/g, "").split(FRAME).map((cell) => cell.trim());
    if (cells.every((cell) => /^-{3}$/.test(cell) || TYPES.test(cell))) continue;
    rows.push({ line, text: cells.join("\t") });
  }
  return rows;
}

/** Whether the second line has the name of the index alone, as pandas prints a frame with an index. */
function isIndexed([titles, index, ...below]) {
  if (!below.length || index.length !== 1 || meaningOf(index[0]) === undefined || titles.length < 1) return false;
  return titles.some(meaningOf) && below.every((row) => row.length === titles.length + 1);
}

/** The print of a frame of pandas, or of R, whose lines begin with their number or name; else null.
 * Its first line has a cell less than the others. */
export function unnumbered(lines) {
  const filled = lines.filter((row) => row.text.trim());
  if (filled.length < 2) return null;
  const cells = filled.map((row) => row.text.trim().split(/\s+/));
  if (isIndexed(cells)) {
    const [titles, [index], ...below] = cells;
    return [[index, ...titles], ...below].map((own, i) => ({ line: filled[i ? i + 1 : 0].line, text: own.join("\t") }));
  }
  const [head, ...rows] = cells;
  const titles = head.map(meaningOf);
  if (!titles.some(Boolean) || !rows.every((row) => row.length === head.length + 1)) return null;
  if (!filled.slice(1).every((row) => NUMBERED.test(row.text))) return null;
  return filled.map(({ line }, i) => ({ line, text: (i ? cells[i].slice(1) : head).join("\t") }));
}
