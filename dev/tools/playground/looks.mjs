// What a text that can't be read looks like, and what to write in its place.

const LOOKS = [
  [/^\s*https?:\/\//i, "It looks like an address. Write the number and the grades."],
  [/\\[a-z]+[{\s]|\\\\|\$_|_\{/i, "It looks like LaTeX. Write the numbers alone, without its commands."],
  [/<\/?[a-z][^>]*>/i, "It looks like HTML. Write the numbers alone, without its tags."],
  [/\bqid:\d/, "It looks like a file for learning to rank. Write the grades alone, the first numbers of its lines."],
  [/=\s*[A-Z]{2,}\(|\b[A-Z]{1,2}\d+:[A-Z]{1,2}\d+\b/, "It looks like a formula of a spreadsheet. Copy the values of its cells."],
  [/^\s*\{[^[\]]*["']?(?:n?dcg|map|mrr|recip|recall|precision|p)[\w@.]*["']?\s*:\s*\d/i,
    "It looks like the scores of a program. Write one measure with its score, and the grades that it is of."],
  [/^\s*\S+\s+(?:all|\d+)\s+\d*\.\d+/, "It looks like output of trec_eval. Write the measure, its number, for, and the grades."],
  [/^\s*\[?(?:\d{4}-\d\d|epoch|step|iter|batch|info\b|fold|seed)/i, "It looks like a line of a log. Begin with the measure."],
  [/^[^\n]*\b(?:ndcg|map|mrr|recall|precision|p)(?:@\d+)?\b[^\n]*\b(?:ndcg|map|mrr|recall|precision|p)@?\d*\b[^\n]*\d/i,
    "It names several measures. Ask for one."],
  [/^\s*[<>≤≥]/, "It looks like a bound. Write the number itself."],
  [/\b(?:range|ones|zeros|rep|seq|map|split|linspace|arange)\(|\*\s*\d+|\.[a-z]\w*\(/, "It looks like code, which the page does not run. Write the values that it gives, such as [3, 2, 0]."],
  [/\b(?:zero|one|two|three|four|five|high|low|medium|good|bad|perfect|fair|excellent)\b/i, "It looks like grades in words. Write them as numbers, such as 3 2 0."],
  [/[一二三四五零〇]|[①-⑳]/, "It looks like grades in words. Write them as numbers, such as 3 2 0."],
];

/** A sentence on what the text looks like, with a space before it; "" where nothing is known. */
export function looksLike(text) {
  const found = LOOKS.find(([sign]) => sign.test(text));
  return found ? ` ${found[1]}` : "";
}
