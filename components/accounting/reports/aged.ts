import { heavily, money, type Money } from '@steward/kernel';
import { sql, type TenantContext } from '@steward/sql';
import { type DocumentKind, numberOf } from '../documents/kind.ts';
import { readBooks } from '../permissions.ts';
import type { Side } from '../subledger/control.ts';
import { type OpenItem, openItems } from '../subledger/open-items.ts';
import { signed } from '../subledger/subledger.ts';

/** Days overdue: not yet due, 1–30, 31–60, 61–90, more. */
export const agedBuckets = ['current', '1-30', '31-60', '61-90', 'over 90'] as const;

export interface AgedItem {
  readonly id: string;
  readonly kind: DocumentKind | 'payment';
  readonly number: string;
  readonly date: string;
  readonly dueDate: string;
  /** Days past the due date; 0 where it is not past. */
  readonly days: number;
  /** Its place in `agedBuckets`. */
  readonly bucket: number;
  /** In its own currency; what is owed back is below nothing, as all credits are. */
  readonly open: Money;
  readonly base: Money;
}

export interface AgedParty {
  readonly partyId: string;
  readonly name: string;
  readonly buckets: readonly Money[];
  readonly total: Money;
  readonly items: readonly AgedItem[];
}

export interface AgedReport {
  readonly side: Side;
  readonly asOf: string;
  readonly currency: string;
  /** In the order of `agedBuckets`, as are those of a party. */
  readonly buckets: readonly Money[];
  /** What the control account holds on that day. */
  readonly total: Money;
  readonly parties: readonly AgedParty[];
}

/**
 * What is open at the end of a day, by party, document and how long it is overdue, in the base currency. Credits not yet
 * used age from their own date and count against what is owed.
 */
export async function agedReport(
  context: TenantContext,
  { side, asOf }: { readonly side: Side; readonly asOf: string },
): Promise<AgedReport> {
  const [books, rows] = await context
    .require(heavily(readBooks))
    .readAll([
      sql`select base_currency from accounting.book where tenant_id = ${context.tenant}::uuid`,
      openItems(context.tenant, asOf, side),
    ]);
  const currency = String(books?.[0]?.['base_currency']);
  const items = (rows ?? []) as OpenItem[];
  const parties = [...Map.groupBy(items, ({ party_id }) => party_id)]
    .map(([partyId, own]) => ({
      partyId,
      name: own[0]?.party_name ?? '',
      ...summed(own, asOf, currency),
      items: own.map((item) => presentItem(item, asOf, currency)),
    }))
    .toSorted((a, b) => (a.name === b.name ? (a.partyId < b.partyId ? -1 : 1) : a.name < b.name ? -1 : 1));
  return { side, asOf, currency, ...summed(items, asOf, currency), parties };
}

const day = 86_400_000;
const daysOver = (due: string, asOf: string): number =>
  Math.max(0, Math.round((Date.parse(`${asOf}T00:00:00Z`) - Date.parse(`${due}T00:00:00Z`)) / day));
const bucketOf = (days: number): number => Math.min(4, Math.ceil(days / 30));

function summed(items: readonly OpenItem[], asOf: string, currency: string): { buckets: Money[]; total: Money } {
  const sums = agedBuckets.map(() => 0n);
  for (const item of items) {
    const bucket = bucketOf(daysOver(item.due_on, asOf));
    sums[bucket] = (sums[bucket] ?? 0n) + signed(item);
  }
  const total = sums.reduce((sum, amount) => sum + amount, 0n);
  return { buckets: sums.map((amount) => money(amount, currency)), total: money(total, currency) };
}

const presentItem = (item: OpenItem, asOf: string, currency: string): AgedItem => ({
  id: item.item_id,
  kind: item.kind,
  number: numberOf(item.kind, item.number),
  date: item.opened_on,
  dueDate: item.due_on,
  days: daysOver(item.due_on, asOf),
  bucket: bucketOf(daysOver(item.due_on, asOf)),
  open: money(item.nature === 'charge' ? item.open : -item.open, item.currency),
  base: money(signed(item), currency),
});
