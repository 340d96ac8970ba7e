import { type Faults, step } from './faults.ts';
import { isObject, readText } from './text.ts';

/** Dimensions to group by: at most 32 pairs of strings, keys to 100 and values to 500 characters. */
export function readTags(
  value: unknown,
  pointer: string,
  faults: Faults,
): Readonly<Record<string, string>> | undefined {
  if (!isObject(value)) {
    faults.add(pointer, 'invalid_type', 'This must be an object of strings.');
    return undefined;
  }
  const pairs = Object.entries(value);
  if (pairs.length > 32) faults.add(pointer, 'invalid_length', 'This may have up to 32 pairs.');
  for (const [key, tag] of pairs.slice(0, 33)) {
    const at = `${pointer}${step(key)}`;
    readText(key, at, faults, { least: 1, most: 100 });
    readText(tag, at, faults, { least: 0, most: 500 });
  }
  return value as Readonly<Record<string, string>>;
}
