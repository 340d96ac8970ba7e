import { numberFault } from './number.ts';

const [quote, backslash, openBrace, closeBrace, openBracket, closeBracket, comma] = [34, 92, 123, 125, 91, 93, 44];

/** The keys of one object so far. Most objects are small, and looking through a few beats hashing them. */
type Keys = string[] | Set<string>;

const hashedFrom = 16;
/** Of one object. */
export const mostKeysOfOne = 5_000;
/** Of all lists of a body. */
export const mostItems = 20_000;

/** What is wrong with `text`, which must already be syntactically JSON; undefined when nothing is. */
export function inspect(text: string, maxDepth: number): string | undefined {
  let escape = nextEscape(text, 0);
  // One entry a level: the keys of an object, null for an array.
  const levels: (Keys | null)[] = [];
  let keys: Keys | null = null;
  let expectsKey = false;
  let items = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      if (escape < at) escape = nextEscape(text, at);
      const end = stringEnd(text, at, escape);
      const escaped = escape < end;
      const value = escaped ? (JSON.parse(text.slice(at, end + 1)) as string) : undefined;
      if (value?.isWellFormed() === false) return 'A string contains a lone surrogate: remove it.';
      if (expectsKey && keys !== null) {
        const key = value ?? text.slice(at + 1, end);
        if (escaped && key.includes('\0')) return 'A key contains the NUL character: remove it.';
        if (holds(keys, key))
          return `The key ${JSON.stringify(key.slice(0, 64))} appears twice in one object: send it once.`;
        keys = levels[levels.length - 1] = withKey(keys, key);
        if (!Array.isArray(keys) && keys.size > mostKeysOfOne) return `An object has more than ${mostKeysOfOne} keys.`;
        expectsKey = false;
      }
      at = end;
    } else if (code === openBrace || code === openBracket) {
      if (levels.length >= maxDepth) return `The body is nested deeper than ${maxDepth} levels.`;
      expectsKey = code === openBrace;
      keys = expectsKey ? [] : null;
      levels.push(keys);
    } else if (code === closeBrace || code === closeBracket) {
      levels.pop();
      keys = levels[levels.length - 1] ?? null;
      expectsKey = false;
    } else if (code === comma) {
      expectsKey = keys !== null;
      if (!expectsKey && (items += 1) >= mostItems)
        return `The lists of the body have more than ${mostItems} items: send it in parts.`;
    } else if (code === 45 || (code >= 48 && code <= 57)) {
      let end = at + 1;
      while (end < text.length && isNumberPart(text.charCodeAt(end))) end += 1;
      const fault = numberFault(text, at, end);
      if (fault !== undefined) return fault;
      at = end - 1;
    }
  }
  return undefined;
}

/** The position of the next backslash; found once for all strings before it. */
function nextEscape(text: string, from: number): number {
  const at = text.indexOf('\\', from);
  return at < 0 ? text.length : at;
}

function stringEnd(text: string, start: number, escape: number): number {
  let end = text.indexOf('"', start + 1);
  if (escape > end) return end;
  while (escapes(text, end) % 2 === 1) end = text.indexOf('"', end + 1);
  return end;
}

function escapes(text: string, end: number): number {
  let count = 0;
  while (text.charCodeAt(end - 1 - count) === backslash) count += 1;
  return count;
}

const holds = (keys: Keys, key: string): boolean => (Array.isArray(keys) ? keys.includes(key) : keys.has(key));

function withKey(keys: Keys, key: string): Keys {
  if (!Array.isArray(keys)) return keys.add(key);
  keys.push(key);
  return keys.length < hashedFrom ? keys : new Set(keys);
}

function isNumberPart(code: number): boolean {
  return (code >= 48 && code <= 57) || code === 46 || code === 43 || code === 45 || code === 69 || code === 101;
}
