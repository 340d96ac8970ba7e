/** The longest spelling of a number that is looked at: beyond the 326 characters that the smallest double takes without an exponent. */
const longest = 400;

/** Why a JSON number cannot be kept as a double, or undefined when it can (contracts §6, strict JSON). */
export function numberFault(text: string, start: number, end: number): string | undefined {
  if (end - start <= 15 && !hasExponent(text, start, end)) return undefined;
  const shown = end - start > 40 ? `${text.slice(start, start + 40)}…` : text.slice(start, end);
  if (end - start > longest) return `The number ${shown} has more than ${longest} characters.`;
  const value = Number(text.slice(start, end));
  if (!Number.isFinite(value)) return `The number ${shown} is out of range.`;
  const significant = significantDigits(text, start, end);
  if (value === 0 && significant > 0) return `The number ${shown} is out of range.`;
  if (significant > 17) return `The number ${shown} has more than 17 significant digits.`;
  // Every double beyond is an integer, however it is written, and its plain spelling could not be read back.
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER) {
    return `The number ${shown} is beyond ±(2^53−1); send it as a string.`;
  }
  return undefined;
}

/** From the first digit of the mantissa that is not 0 to the last. */
function significantDigits(text: string, start: number, end: number): number {
  let [seen, last] = [0, 0];
  for (let at = start; at < end; at += 1) {
    const code = text.charCodeAt(at);
    if (isExponentMark(code)) break;
    const isDigit = code >= 48 && code <= 57;
    if (!isDigit || (code === 48 && seen === 0)) continue;
    seen += 1;
    if (code !== 48) last = seen;
  }
  return last;
}

function hasExponent(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) if (isExponentMark(text.charCodeAt(at))) return true;
  return false;
}

const isExponentMark = (code: number): boolean => code === 69 || code === 101;
