import { fail } from '../errors.ts';
import { inspect } from './inspect.ts';
import { outlineFault } from './outline.ts';
import { surelySound } from './quick.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Reads JSON strictly (contracts §1, §6): refuses invalid UTF-8, duplicate keys, lone surrogates, NUL in keys, numbers
 * that a double cannot carry as written, and nesting deeper than `maxDepth`.
 * @throws Problem `invalid_json` (400)
 */
export function parseJson(bytes: Uint8Array | string, maxDepth = 32): unknown {
  const text = typeof bytes === 'string' ? bytes : decode(bytes);
  const tooMuch = text.length > harmless ? outlineFault(text, maxDepth) : undefined;
  if (tooMuch !== undefined) throw notJson(tooMuch);
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

/** Characters of a text that cannot be too much to parse, whatever they are. */
const harmless = 4_096;

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
