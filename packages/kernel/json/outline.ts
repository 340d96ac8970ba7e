import { mostItems } from './inspect.ts';

const [quote, backslash, colon, comma, openBrace, closeBrace, openBracket, closeBracket] = [
  34, 92, 58, 44, 123, 125, 91, 93,
];

/** A megabyte holds a hundred thousand keys, each of which costs a hash, a check and perhaps a fault of its own. */
const mostKeys = 20_000;

/**
 * What is too much about a text before it is parsed: JSON.parse takes half a second for a megabyte of brackets. It looks at each character once, and
 * says nothing of a text that is no JSON.
 * @returns what is wrong, for people; undefined when nothing is
 */
export function outlineFault(text: string, maxDepth: number): string | undefined {
  let [depth, keys, commas] = [0, 0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) at = stringEnd(text, at);
    else if (code === openBrace || code === openBracket) {
      if ((depth += 1) > maxDepth) return `The body is nested deeper than ${maxDepth} levels.`;
    } else if (code === closeBrace || code === closeBracket) depth -= 1;
    else if (code === comma) commas += 1;
    else if (code === colon && (keys += 1) > mostKeys)
      return `The body has more than ${mostKeys} keys: send it in parts.`;
  }
  // Commas stand between members, of which there are fewer, and between items.
  return commas < mostKeys + mostItems
    ? undefined
    : `The lists of the body have more than ${mostItems} items: send it in parts.`;
}

/** Whether nothing in it is deeper: whoever parses it, and whoever walks through what was parsed, recurses. */
export function isShallow(text: string, deepest: number): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) at = stringEnd(text, at);
    else if ((code === openBrace || code === openBracket) && (depth += 1) > deepest) return false;
    else if (code === closeBrace || code === closeBracket) depth -= 1;
  }
  return true;
}

function stringEnd(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end >= 0 && isEscaped(text, start, end)) end = text.indexOf('"', end + 1);
  return end < 0 ? text.length : end;
}

/** Whether an odd number of backslashes stands before. */
function isEscaped(text: string, start: number, end: number): boolean {
  let at = end - 1;
  while (at > start && text.charCodeAt(at) === backslash) at -= 1;
  return (end - 1 - at) % 2 === 1;
}
