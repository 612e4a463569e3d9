// What other keyboards and programs write: digits, signs and separators as the plain ones. Text in
// "quotes" stays as it is.

import { withoutMarks } from "./foreign.mjs";

const QUOTED = /"(?:[^"]|"")*"/g;
const ALWAYS = {
  "，": ",", "､": ",", "،": ",", "；": ";", "؛": ";", "｜": "|", "／": "/", "＝": "=", "＠": "@", "％": "%",
  "٪": "%", "＋": "+", "～": "~", "〜": "~", "＂": '"', "“": '"', "”": '"', "„": '"', "＇": "'",
  "‘": "'", "’": "'", "≈": "=", "≅": "=", "≃": "=",
};
// These stand inside names too: they are signs only beside a number, a quote or another sign.
const BESIDE = { "、": ",", "：": ":", "．": ".", "٫": "." };
const OPENING = { "（": "(", "［": "[", "【": "[", "〔": "(", "｛": "{" };
const CLOSING = { "）": ")", "］": "]", "】": "]", "〕": ")", "｝": "}" };
const DASHES = /(?<![\p{L}\p{N}_.])[−–—－‐‑](?=[\d.]|\s*$|\s*[\s,;|/~\])])/gmu;

/** The digits 0 to 9 for those of any script; a run of digits beside a letter belongs to a name. */
function withPlainDigits(text) {
  return text.replace(/(?<![\p{L}_])\p{Nd}+(?![\p{L}_])/gu, (run) => [...run].map(digitOf).join(""));
}

/** The value of a decimal digit: how many digits of its kind stand before it. */
function digitOf(digit) {
  const code = digit.codePointAt(0);
  let before = 0;
  while (/^\p{Nd}$/u.test(String.fromCodePoint(code - before - 1))) before += 1;
  return String(before % 10);
}

/** Brackets of East Asian keyboards; those that go on a name are a part of the name. */
function withPlainBrackets(text) {
  const open = [];
  return [...text].map((sign, i, all) => {
    if (sign in OPENING) {
      const named = /\p{L}/u.test(all[i - 1] ?? "");
      open.push(!named);
      return named ? sign : OPENING[sign];
    }
    if (sign in CLOSING) return open.pop() ?? true ? CLOSING[sign] : sign;
    return sign;
  }).join("");
}

function outsideQuotes(text, change) {
  let found = "";
  let from = 0;
  for (const { 0: quoted, index } of text.matchAll(QUOTED)) {
    found += change(text.slice(from, index)) + quoted;
    from = index + quoted.length;
  }
  return found + change(text.slice(from));
}

function plainSigns(text) {
  const beside = (sign, i) => {
    const before = text.slice(0, i).trimEnd().at(-1) ?? "";
    const after = text.slice(i + sign.length).trimStart()[0] ?? "";
    return [before, after].some((c) => c === "" || /[^\p{L}]/u.test(c));
  };
  const signs = text.replace(/[、：．٫]/g, (sign, i) => (beside(sign, i) ? BESIDE[sign] : sign));
  const plain = withoutMarks([...signs].map((sign) => ALWAYS[sign] ?? sign).join(""));
  return withPlainDigits(withPlainBrackets(plain)).replace(DASHES, "-");
}

/** A message, with escapes for what nobody sees and for what turns the direction of writing. */
export function visible(message) {
  const escape = (sign) => `\\u{${sign.codePointAt(0).toString(16)}}`;
  return message.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, (sign) => (sign === "\n" ? sign : escape(sign)));
}

/** A text with plain line ends, spaces, digits and signs. */
export function plainly(text) {
  const spaced = text
    .replace(/[\ufeff\u200b\u2060]/g, "")
    .replace(/\r\n?|[\u2028\u2029]/g, "\n")
    .replace(/[\u00a0\u2000-\u200a\u202f\u205f\u3000]/g, " ");
  const straight = spaced.replace(/[“”„＂]/g, '"');
  return outsideQuotes(straight, plainSigns);
}
