import { type Money, parseAmount } from '@steward/kernel';
import type { Refund } from './refund.ts';

export interface RefundPart {
  /** Unique beside the parts of every other refund. */
  readonly id: string;
  /** refund: money went back. credit: what need not be paid any more; no money moved. */
  readonly type: 'refund' | 'credit';
  readonly amount: Money;
  /** The lines stand at the first part alone, so that nobody counts them twice. */
  readonly lines: Refund['lines'];
}

/** A refund as shopping agents are told it: the money that went back and what is due no more are two adjustments. A refund of nothing is a refund. */
export function partsOf({ id, total, credited, lines }: Refund): RefundPart[] {
  const lowers = parseAmount(credited.amount, credited.currency) ?? 0n;
  const gives = parseAmount(total.amount, total.currency) ?? 0n;
  if (lowers === 0n) return [{ id, type: 'refund', amount: total, lines }];
  const credit = { type: 'credit', amount: credited } as const;
  if (gives === 0n) return [{ ...credit, id, lines }];
  return [
    { id, type: 'refund', amount: total, lines },
    { ...credit, id: `${id}/credit`, lines: [] },
  ];
}
