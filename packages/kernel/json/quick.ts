import { mostItems, mostKeysOfOne } from './inspect.ts';

const [quote, colon, comma, openBrace, closeBrace, openBracket, closeBracket] = [34, 58, 44, 123, 125, 91, 93];

/**
 * Whether nothing can be wrong with `text` and the `value` it was parsed to; false is no verdict. In a text without
 * escapes every quote ends a string, so colons outside of strings count its keys, and a key that is given twice leaves
 * the value with fewer.
 */
export function surelySound(text: string, value: unknown, maxDepth: number): boolean {
  if (text.includes('\\')) return false;
  const keys = scan(text, maxDepth);
  return keys !== undefined && keys === keysIn(value);
}

/** How many keys the text holds; undefined where a closer look is needed: too deep, a long or unusual number, or very many members. */
function scan(text: string, maxDepth: number): number | undefined {
  let keys = 0;
  let depth = 0;
  let commas = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) at = text.indexOf('"', at + 1);
    else if (code === colon) keys += 1;
    else if (code === comma) commas += 1;
    else if (code === openBrace || code === openBracket) {
      depth += 1;
      if (depth > maxDepth) return undefined;
    } else if (code === closeBrace || code === closeBracket) depth -= 1;
    else if (code === 45 || (code >= 48 && code <= 57)) {
      const start = at;
      let next = text.charCodeAt(at + 1);
      while ((next >= 48 && next <= 57) || next === 46) {
        at += 1;
        next = text.charCodeAt(at + 1);
      }
      // A double carries fifteen digits as written; an exponent is looked at.
      if (at - start >= 15 || next === 69 || next === 101) return undefined;
    }
  }
  // Between members and between items; which they are, a closer look says.
  return commas < mostItems ? keys : undefined;
}

function keysIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let keys = 0;
  if (Array.isArray(value)) {
    for (const member of value) keys += keysIn(member);
    return keys;
  }
  const object = value as Record<string, unknown>;
  let own = 0;
  for (const key in object) {
    own += 1;
    keys += 1 + keysIn(object[key]);
  }
  // Compares with no count: a closer look says why.
  return own > mostKeysOfOne ? Number.NaN : keys;
}
