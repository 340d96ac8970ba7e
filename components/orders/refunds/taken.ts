import { parseAmount, type RecordedEvent } from '@steward/kernel';
import type { Taken } from '@steward/tools';

interface Refunded {
  readonly mode: string;
  readonly currency: string;
  readonly amount: string;
}

/**
 * What the refunds that a transaction recorded give back, by whichever command; undefined where nothing is. Each is recorded where it is
 * made, so none escapes. Those of tests move nothing.
 */
export function takenByRefunds(events: readonly RecordedEvent[]): Taken | undefined {
  const sums = new Map<string, bigint>();
  for (const { type, payload } of events) {
    if (type !== 'commerce.payment.refunded') continue;
    const { mode, currency, amount } = payload as unknown as Refunded;
    if (mode === 'live') sums.set(currency, (sums.get(currency) ?? 0n) + (parseAmount(amount, currency) ?? 0n));
  }
  if (sums.size === 0) return undefined;
  return { flows: [...sums].map(([currency, out]) => ({ currency, out, owed: 0n })), to: undefined };
}
