import { fail } from '../errors.ts';
import { inspect } from './inspect.ts';
import { surelySound } from './quick.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Reads JSON strictly (contracts §1, §6): refuses invalid UTF-8, duplicate keys, lone surrogates, NUL in keys, numbers
 * that a double cannot carry as written, and nesting deeper than `maxDepth`.
 * @throws Problem `invalid_json` (400)
 */
export function parseJson(bytes: Uint8Array | string, maxDepth = 32): unknown {
  const text = typeof bytes === 'string' ? bytes : decode(bytes);
  if (text.length > 2 * mostKeys && keysIn(text) > mostKeys)
    throw notJson(`The body has more than ${mostKeys} keys: send it in parts.`);
  if (text.trim() === '')
    throw notJson('The body is empty: send JSON, such as {}, or leave out Content-Type where no body is asked for.');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw notJson(`The body is not JSON: ${String((cause as Error).message).slice(0, 120)}.`);
  }
  if (surelySound(text, value, maxDepth)) return value;
  const fault = inspect(text, maxDepth);
  if (fault !== undefined) throw notJson(fault);
  return value;
}

/** A megabyte holds a hundred thousand keys, each of which costs a hash, a check and perhaps a fault of its own. */
const mostKeys = 20_000;

/** Keys that are followed by their colon at once; those that are not are counted where the text is looked through. */
function keysIn(text: string): number {
  let keys = 0;
  for (let at = text.indexOf('":'); at >= 0; at = text.indexOf('":', at + 2)) if (text[at - 1] !== '\\') keys += 1;
  return keys;
}

/** What is wrong is the document's own: its pointer is the empty one (RFC 6901 §5). */
const notJson = (detail: string) =>
  fail('invalid_json', detail, { errors: [{ pointer: '', code: 'invalid_json', detail }] });

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw notJson('The body is not valid UTF-8.');
  }
}
