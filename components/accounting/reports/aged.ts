import { heavily, operation } from '@steward/access';
import { type Fixed, moneyShape } from '@steward/contract';
import { money } from '@steward/kernel';
import { sql, type Statement, statement, type TenantContext } from '@steward/sql';
import { z } from 'zod';
import { numberOf } from '../documents/kind.ts';
import { asOf } from '../money/schema.ts';
import { reads } from '../operations.ts';
import { requireParty } from '../parties/party.ts';
import { readBooks } from '../permissions.ts';
import { type OpenItem, openItems, type Portion } from '../subledger/open-items.ts';
import { type Side, sides } from '../subledger/side.ts';
import { signed } from '../subledger/subledger.ts';

/** Days overdue: not yet due, 1–30, 31–60, 61–90, more. */
export const agedBuckets = ['current', '1-30', '31-60', '61-90', 'over 90'] as const;

const buckets = z.array(moneyShape).meta({ description: `In this order: ${agedBuckets.join(', ')} days overdue.` });

export const agedItem = z.object({
  id: z.uuid(),
  kind: z.string(),
  number: z.string(),
  date: z.string(),
  dueDate: z.string(),
  /** Days past the due date; 0 where it is not past. */
  days: z.int(),
  /** In its own currency; what is owed back is below nothing, as all credits are. */
  open: moneyShape,
  base: moneyShape,
});
export interface AgedItem extends Fixed<z.output<typeof agedItem>> {
  /** Its place in `agedBuckets`. */
  readonly bucket: number;
}

export const agedParty = z.object({
  partyId: z.uuid(),
  name: z.string(),
  buckets,
  total: moneyShape,
  count: z.int().meta({ description: 'How many documents and payments are open.' }),
});
export type AgedParty = Fixed<z.output<typeof agedParty>>;

const report = z.object({
  side: z.enum(sides),
  asOf: z.string(),
  currency: z.string(),
  buckets,
  /** What the control account holds on that day. */
  total: moneyShape,
  /** By name. */
  parties: z.array(agedParty),
});
export type AgedReport = Fixed<z.output<typeof report>>;

/**
 * What is open at the end of a day, by party and how long it is overdue, in the base currency: the database sums it. Credits not yet
 * used age from their own date and count against what is owed.
 * @throws Problem `not_found` (404) for the party
 */
export const agedReport = operation(
  {
    ...reads,
    requires: heavily(readBooks),
    area: 'reports',
    name: 'service_get_aged_report',
    input: z.strictObject({
      side: z.enum(sides).meta({ description: 'receivable: what customers owe; payable: what is owed to suppliers.' }),
      asOf,
      partyId: z.uuid().optional().meta({ description: 'Only this customer or supplier.' }),
    }),
    answer: report,
    errors: ['not_found'],
  },
  async (scope, { side, asOf, partyId }) => {
    const { tenant } = scope.context;
    const [books, rows] = (await scope.readAll([
      sql`select base_currency from accounting.book where tenant_id = ${tenant}::uuid`,
      sums(tenant, asOf, side, partyId),
    ])) as unknown as [{ base_currency: string }[], Sums[]];
    if (rows.length === 0 && partyId !== undefined) await requireParty(scope, partyId);
    const currency = String(books[0]?.base_currency);
    const found = rows.map((row) => ({
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
    const parties = found.map(({ party_id, party_name: name, count, amounts }) => ({
      partyId: party_id,
      name,
      count,
      ...shown(amounts),
    }));
    return { side, asOf, currency, ...shown(all), parties };
  },
);

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

/** Groups neighbours that have few enough items to be read together; one with more is a group of its own. */
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
