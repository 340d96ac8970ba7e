import { heavily } from '@steward/access';
import { money, type Money } from '@steward/kernel';
import { sql, type Statement, statement, type TenantContext } from '@steward/sql';
import { type DocumentKind, numberOf } from '../documents/kind.ts';
import { readBooks } from '../permissions.ts';
import type { Side } from '../subledger/control.ts';
import { type OpenItem, openItems, type Portion } from '../subledger/open-items.ts';
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
  /** How many documents and payments of it are open. */
  readonly count: number;
}

export interface AgedReport {
  readonly side: Side;
  readonly asOf: string;
  readonly currency: string;
  /** In the order of `agedBuckets`, as are those of a party. */
  readonly buckets: readonly Money[];
  /** What the control account holds on that day. */
  readonly total: Money;
  /** By name. */
  readonly parties: readonly AgedParty[];
}

/**
 * What is open at the end of a day, by party and how long it is overdue, in the base currency: the database sums it. Credits not yet
 * used age from their own date and count against what is owed.
 * @param partyId only what is open with this one
 */
export async function agedReport(
  context: TenantContext,
  { side, asOf, partyId }: { readonly side: Side; readonly asOf: string; readonly partyId?: string | undefined },
): Promise<AgedReport> {
  const [books, rows] = await context
    .require(heavily(readBooks))
    .readAll([
      sql`select base_currency from accounting.book where tenant_id = ${context.tenant}::uuid`,
      sums(context.tenant, asOf, side, partyId),
    ]);
  const currency = String(books?.[0]?.['base_currency']);
  const found = ((rows ?? []) as unknown as readonly Sums[]).map((row) => ({
    ...row,
    amounts: row.amounts.map(BigInt),
  }));
  const shown = (amounts: readonly bigint[]): Pick<AgedParty, 'buckets' | 'total'> => ({
    buckets: amounts.map((amount) => money(amount, currency)),
    total: money(
      amounts.reduce((sum, amount) => sum + amount, 0n),
      currency,
    ),
  });
  const all = agedBuckets.map((_, at) => found.reduce((sum, { amounts }) => sum + (amounts[at] ?? 0n), 0n));
  const parties = found.map(({ party_id: partyId, party_name: name, count, amounts }) => ({
    partyId,
    name,
    count,
    ...shown(amounts),
  }));
  return { side, asOf, currency, ...shown(all), parties };
}

interface Sums {
  readonly party_id: string;
  readonly party_name: string;
  readonly count: number;
  readonly amounts: readonly string[];
}

/** Of each party what is open, by bucket. */
function sums(tenant: string, asOf: string, side: Side, partyId: string | undefined): Statement {
  const items = openItems(tenant, asOf, side, partyId === undefined ? {} : { partyIds: [partyId] });
  const day = `$${items.values.length + 1}::date`;
  const bucket = `least(${agedBuckets.length - 1}, ceil(greatest(0, ${day} - due_on::date) / 30.0))`;
  const amounts = agedBuckets.map((_, at) => `coalesce(sum(amount) filter (where bucket = ${at}), 0)::bigint`);
  return statement(
    `select party_id, party_name, count(*)::int as count, array[${amounts.join(', ')}] as amounts
     from (select party_id, party_name, case nature when 'charge' then base else -base end as amount, ${bucket} as bucket
       from (${items.text}) open_item) aged
     group by party_id, party_name order by party_name collate "C", party_id`,
    [...items.values, asOf],
  );
}

/** Items read at once. */
const portion = 500;

export interface AgedPortion {
  readonly party: AgedParty;
  readonly items: readonly AgedItem[];
  /** Whether it is the last of its party. */
  readonly last: boolean;
}

/** What the report is made of, party by party in its order, a bounded number of documents and payments at a time. */
export async function* agedItems(
  context: TenantContext,
  { side, asOf, currency, parties }: AgedReport,
): AsyncGenerator<AgedPortion> {
  const scope = context.require(heavily(readBooks));
  const read = async (part: Portion) => scope.read<OpenItem>(openItems(context.tenant, asOf, side, part));
  for (const together of groups(parties)) {
    const [first, ...others] = together;
    const partyIds = together.map(({ partyId }) => partyId);
    if (first !== undefined && others.length === 0) {
      let after: OpenItem | undefined;
      do {
        const rows = await read({ partyIds, after, limit: portion });
        after = rows.length < portion ? undefined : rows.at(-1);
        yield { party: first, items: rows.map((row) => presentItem(row, asOf, currency)), last: after === undefined };
      } while (after !== undefined);
      continue;
    }
    const byParty = Map.groupBy(await read({ partyIds }), ({ party_id: id }) => id);
    for (const party of together) {
      const items = (byParty.get(party.partyId) ?? []).map((row) => presentItem(row, asOf, currency));
      yield { party, items, last: true };
    }
  }
}

/** Neighbours that have few enough items to be read together; whoever has more stands alone. */
function* groups(parties: readonly AgedParty[]): Generator<AgedParty[]> {
  let together: AgedParty[] = [];
  let items = 0;
  for (const party of parties) {
    if (together.length > 0 && items + party.count > portion) {
      yield together;
      [together, items] = [[], 0];
    }
    together.push(party);
    items += party.count;
  }
  if (together.length > 0) yield together;
}

/** Those of the parties, by party; `most` in all, and what is beyond is left out. */
export async function agedItemsOf(
  context: TenantContext,
  report: AgedReport,
  most: number,
): Promise<ReadonlyMap<string, readonly AgedItem[]>> {
  const found = new Map<string, AgedItem[]>();
  let left = most;
  for await (const { party, items } of agedItems(context, report)) {
    const own = found.get(party.partyId) ?? [];
    found.set(party.partyId, own);
    own.push(...items.slice(0, left));
    left -= items.length;
    if (left <= 0) break;
  }
  return found;
}

const day = 86_400_000;
const daysOver = (due: string, asOf: string): number =>
  Math.max(0, Math.round((Date.parse(`${asOf}T00:00:00Z`) - Date.parse(`${due}T00:00:00Z`)) / day));
const bucketOf = (days: number): number => Math.min(4, Math.ceil(days / 30));

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
