import type { Faults } from '../money.ts';
import { plainCodes } from './place.ts';

/** One spelling of each postcode, each once; what is no range is told. */
export function readCodes(faults: Faults, pointer: string, given: readonly string[], country: string): string[] {
  const plain = given.map((text, index) => {
    const codes = plainCodes(text, country);
    if (codes === undefined)
      faults.add(
        `${pointer}/${index}`,
        'invalid_value',
        `${text} is no range: give two postcodes of as many digits, the lower one first, or one postcode without a hyphen.`,
      );
    return codes ?? '';
  });
  return [...new Set(plain)];
}
