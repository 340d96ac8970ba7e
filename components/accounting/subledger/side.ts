/** The sides of the sub-ledger, each named as its control account is. */
export const sides = ['receivable', 'payable'] as const;
export type Side = (typeof sides)[number];
