/** The text without the characters `of` at its end. Searches from the end: a pattern such as `x+$` starts again at every `x`. */
export function trimEnd(text: string, of: string): string {
  let end = text.length;
  while (end > 0 && of.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** The text without the characters `of` at its beginning. */
export function trimStart(text: string, of: string): string {
  let start = 0;
  while (start < text.length && of.includes(text.charAt(start))) start += 1;
  return text.slice(start);
}
