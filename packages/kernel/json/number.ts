/** Why a JSON number cannot be kept as a double, or undefined when it can (contracts §6, strict JSON). */
export function numberFault(text: string, start: number, end: number): string | undefined {
  if (end - start <= 15 && !hasExponent(text, start, end)) return undefined;
  const token = text.slice(start, end);
  const value = Number(token);
  const shown = token.length > 40 ? `${token.slice(0, 40)}…` : token;
  if (!Number.isFinite(value)) return `The number ${shown} is out of range.`;
  const [mantissa = ''] = token.toLowerCase().split('e');
  const digits = mantissa.replace(/[-.]/g, '').replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '').length;
  if (value === 0 && significant > 0) return `The number ${shown} is out of range.`;
  if (significant > 17) return `The number ${shown} has more than 17 significant digits.`;
  // Every double beyond is an integer, however it is written, and its plain spelling could not be read back.
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER) {
    return `The number ${shown} is beyond ±(2^53−1); send it as a string.`;
  }
  return undefined;
}

function hasExponent(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 69 || code === 101) return true;
  }
  return false;
}
