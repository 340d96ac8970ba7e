import { parseAmount, type RecordedEvent } from '@steward/kernel';
import type { Outflow, Taken } from '@steward/tools';
import { givenUpBy } from '../payments/void.ts';
import { givenBack, givenBackElsewhere } from './make.ts';

interface Moved {
  readonly mode: string;
  readonly currency: string;
  readonly amount: string;
  readonly source_kind: string;
}

/** The kinds of source by which buyers owe something no more since a member decided it. */
export const givenUp: readonly string[] = [givenUpBy, givenBack];

/**
 * What a transaction recorded of money that leaves, by whichever command: refunds, and what buyers owed that a member gave up or a refund lowered.
 * Undefined where nothing is. Each is recorded where it is made, so none escapes. Those of tests move nothing, what a cancellation gives up was never sent,
 * and what a marketplace gave back was decided there.
 */
export function takenByOrders(events: readonly RecordedEvent[]): Taken | undefined {
  const flows = new Map<string, Outflow>();
  for (const { type, payload } of events) {
    const refund = type === 'commerce.payment.refunded';
    if (!refund && type !== 'commerce.payment.voided') continue;
    const { mode, currency, amount, source_kind } = payload as unknown as Moved;
    if (mode !== 'live' || (refund ? source_kind === givenBackElsewhere : !givenUp.includes(source_kind))) continue;
    const minor = parseAmount(amount, currency) ?? 0n;
    const { out, owed } = flows.get(currency) ?? { out: 0n, owed: 0n };
    flows.set(currency, { currency, out: refund ? out + minor : out, owed: refund ? owed : owed + minor });
  }
  return flows.size === 0 ? undefined : { flows: [...flows.values()], to: undefined };
}
