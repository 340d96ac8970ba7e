import { fail } from '@steward/kernel';
import { sql, type TenantTransaction } from '@steward/sql';
import { type DocumentKind, numberOf } from '../documents/kind.ts';
import { missingAt } from '../errors.ts';
import type { Side } from './side.ts';

/** What is owed or paid by a document or payment, with what is left of it. Minor units. */
export interface Item {
  readonly id: string;
  /** As people call it: its number, or what it is where it has none yet. */
  readonly name: string;
  readonly kind: string;
  readonly side: Side;
  readonly nature: 'charge' | 'credit';
  readonly partyId: string;
  readonly currency: string;
  readonly amount: bigint;
  readonly open: bigint;
  readonly openBase: bigint;
  readonly movedOn: string;
  readonly voidOn: string | null;
}

export interface NewItem extends Pick<Item, 'id' | 'kind' | 'side' | 'nature' | 'partyId' | 'currency' | 'amount'> {
  readonly base: bigint;
  readonly date: string;
  readonly dueDate: string;
}

/** An item as it begins. */
export function beginning({ base, date, dueDate: _due, ...item }: NewItem): Item {
  return {
    ...item,
    name: `this ${item.kind.replace('_', ' ')}`,
    open: item.amount,
    openBase: base,
    movedOn: date,
    voidOn: null,
  };
}

/**
 * Locks items until the transaction ends, always in the order of their ids, so that two callers never deadlock.
 * @param places the place of each in the call
 * @throws Problem `not_found` (404)
 */
export async function lockItems(
  tx: TenantTransaction,
  ids: readonly string[],
  places: readonly string[] = [],
): Promise<Map<string, Item>> {
  const rows = await tx.query<{
    item_id: string;
    number: bigint | null;
    kind: DocumentKind | 'payment';
    side: Side;
    nature: Item['nature'];
    party_id: string;
    currency: string;
    amount: bigint;
    open_amount: bigint;
    open_base: bigint;
    moved_on: string;
    void_on: string | null;
  }>(sql`
    select i.item_id, coalesce(d.number, p.number) as number, i.kind, i.side, i.nature, i.party_id, i.currency, i.amount,
      i.open_amount, i.open_base, i.moved_on::text as moved_on, i.void_on::text as void_on
    from accounting.lock_items(${ids}::uuid[]) i
    left join accounting.document d on d.tenant_id = ${tx.context.tenant}::uuid and d.document_id = i.item_id
    left join accounting.payment p on p.tenant_id = ${tx.context.tenant}::uuid and p.payment_id = i.item_id`);
  const items = new Map<string, Item>(
    rows.map((row) => [
      row.item_id,
      {
        id: row.item_id,
        name: row.number === null ? row.item_id : numberOf(row.kind, row.number),
        kind: row.kind,
        side: row.side,
        nature: row.nature,
        partyId: row.party_id,
        currency: row.currency,
        amount: row.amount,
        open: row.open_amount,
        openBase: row.open_base,
        movedOn: row.moved_on,
        voidOn: row.void_on,
      },
    ]),
  );
  const missing = ids.findIndex((id) => !items.has(id.toLowerCase()));
  if (missing === -1) return items;
  const detail = `${ids[missing]} is no issued document or payment of this tenant: check the id.`;
  const pointer = places[missing];
  throw pointer === undefined ? fail('not_found', detail) : missingAt(pointer, detail);
}
