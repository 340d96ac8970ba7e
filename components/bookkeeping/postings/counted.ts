import type { RecordedEvent } from '@steward/kernel';

/** What bookkeeping records of what it settled. */
export const settled = 'commerce.order_posting.settled';

/**
 * The events of a transaction without the entries that book refunds: what left counted when the order gave it back, with whoever decided that, so
 * the books take nothing out again.
 */
export function beyondRefunds(events: readonly RecordedEvent[]): readonly RecordedEvent[] {
  const counted = new Set(
    events.flatMap(({ type, payload }) => {
      const { kind, entries } = payload as unknown as { readonly kind: string; readonly entries: readonly string[] };
      return type === settled && kind === 'refund' ? entries : [];
    }),
  );
  return counted.size === 0
    ? events
    : events.filter(({ payload }) => !counted.has(String((payload as { readonly entry_id?: unknown }).entry_id)));
}
