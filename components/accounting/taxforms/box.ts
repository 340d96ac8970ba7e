/** Boxes of Form 1099-NEC and 1099-MISC that a payer's books can fill. */
export const boxes = ['nec_1', 'misc_1', 'misc_2', 'misc_3', 'misc_6', 'misc_10'] as const;
export type Box = (typeof boxes)[number];

export const boxTitles: Readonly<Record<Box, string>> = {
  nec_1: '1099-NEC box 1, nonemployee compensation',
  misc_1: '1099-MISC box 1, rents',
  misc_2: '1099-MISC box 2, royalties',
  misc_3: '1099-MISC box 3, other income',
  misc_6: '1099-MISC box 6, medical and health care payments',
  misc_10: '1099-MISC box 10, gross proceeds paid to an attorney',
};

/**
 * Least total of a calendar year that is reported, in cents: $600 for payments until the end of 2025, $2,000 from 2026 on
 * (Public Law 119-21 §70433; indexed from 2027, to be added as a row when published); royalties $10 throughout.
 */
const thresholds: readonly { readonly from: number; readonly cents: bigint }[] = [
  { from: 2026, cents: 200_000n },
  { from: 0, cents: 60_000n },
];

export const thresholdOf = (year: number, box: Box): bigint =>
  box === 'misc_2' ? 1_000n : (thresholds.find(({ from }) => year >= from)?.cents ?? 60_000n);
