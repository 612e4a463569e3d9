// A number as somebody printed it: the digits are the tolerance, as in `diagnose`.

const [DOUBLE, SINGLE] = [1e-9, 2e-7];
const MOST_DECIMALS = 12;

/** A value with the half unit of its last digit; null where the text is no number. */
export function printed(text) {
  const plain = text.trim().replace(",", ".");
  const percent = plain.endsWith("%");
  const digits = percent ? plain.slice(0, -1).trim() : plain;
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(digits)) {
    return /^nan$/i.test(digits) ? { value: NaN, tolerance: 0, text } : null;
  }
  let value = Number(digits);
  if (!Number.isFinite(value)) return null;
  const [mantissa, exponent] = digits.toLowerCase().split("e");
  let decimals = (mantissa.split(".")[1] ?? "").length - Number(exponent ?? 0);
  if (decimals <= 0 && !percent) decimals = Math.min(Math.max(decimals, 4), MOST_DECIMALS);
  if (percent) {
    decimals += 2;
    value = Number((value / 100).toFixed(Math.min(100, Math.max(0, decimals))));
  }
  return { value, tolerance: 0.5 * Number(`1e${-decimals}`), text };
}

/** How far a score is from a number; 0 if neither is a number. */
export function distance(target, score) {
  if (Number.isNaN(target.value)) return Number.isNaN(score) ? 0 : Infinity;
  return Number.isFinite(score) ? Math.abs(score - target.value) : Infinity;
}

/** Whether a score, rounded to the digits typed, is the number. */
export function fits(target, score) {
  if (Number.isNaN(target.value)) return Number.isNaN(score);
  const fine = target.tolerance < SINGLE;
  const slack = fine ? SINGLE * Math.max(1, Math.abs(target.value)) : 0;
  return distance(target, score) <= Math.max(target.tolerance, slack) + DOUBLE;
}
