import { sql, type TenantTransaction } from '@steward/sql';
import type { Feed } from './feed.ts';

export const movementKinds = [
  'charge',
  'fee',
  'refund',
  'refund_reversal',
  'dispute',
  'dispute_reversal',
  'payout',
  'payout_reversal',
  'transfer',
  'adjustment',
  'bank',
] as const;
export type MovementKind = (typeof movementKinds)[number];

/** What a provider says that moved an account there. */
export interface Movement {
  /** The provider's: what has the same is the same movement, whatever told of it. */
  readonly id: string;
  readonly kind: MovementKind;
  /** `YYYY-MM-DD`, in UTC where the provider says a time. */
  readonly day: string;
  /** The provider says no time of it, or what tells of it says another each time: the day on which it was said first stays. */
  readonly dayAsFirstSaid?: boolean;
  /** Once it is gone, this does not bring it back. */
  readonly unlessGone?: boolean;
  /** Minor units of the feed's currency; what came in is positive. */
  readonly amount: bigint;
  readonly description: string;
  readonly counterparty?: string | null;
  /** The invoice or order that the merchant named. */
  readonly reference?: string | null;
  /** Of the payout that it is paid out with, once that is known. */
  readonly payoutId?: string | null;
}

/**
 * Keeps what a provider says of its movements, each once by its id. One that has another day or amount than before waits for another line, and
 * one of no amount moves nothing. Answers how many are new or other than they were.
 */
export async function sayMovements(tx: TenantTransaction, feed: Feed, movements: readonly Movement[]): Promise<number> {
  const said = [...new Map(movements.filter(({ amount }) => amount !== 0n).map((one) => [one.id, one])).values()]
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .map((one) => ({
      movement_id: one.id,
      kind: one.kind,
      day: one.day,
      amount: one.amount.toString(),
      description: storable(one.description, 2000),
      counterparty: optional(one.counterparty),
      reference: optional(one.reference),
      payout_id: one.payoutId ?? null,
      stays: one.dayAsFirstSaid ?? false,
      unless_gone: one.unlessGone ?? false,
    }));
  if (said.length === 0) return 0;
  const changed = await tx.query(sql`
    insert into accounting.feed_movement as m (tenant_id, feed_id, movement_id, kind, day, amount, description, counterparty, reference, payout_id, state)
    select ${tx.context.tenant}::uuid, ${feed.id}::uuid, s.movement_id, s.kind, coalesce(k.day, s.day), s.amount, s.description, s.counterparty,
      s.reference, s.payout_id, 'due'
    from json_to_recordset(${JSON.stringify(said)}::json)
      as s (movement_id text, kind text, day date, amount bigint, description text, counterparty text, reference text, payout_id text, stays bool, unless_gone bool)
    left join accounting.feed_movement k on s.stays and k.tenant_id = ${tx.context.tenant}::uuid and k.feed_id = ${feed.id}::uuid
      and k.movement_id = s.movement_id
    where not (s.unless_gone and exists (select from accounting.feed_movement g where g.tenant_id = ${tx.context.tenant}::uuid
      and g.feed_id = ${feed.id}::uuid and g.movement_id = s.movement_id and g.state in ('gone', 'leaving')))
    on conflict (tenant_id, feed_id, movement_id) do update set kind = excluded.kind, day = excluded.day, amount = excluded.amount,
      description = excluded.description, counterparty = excluded.counterparty, reference = coalesce(m.reference, excluded.reference),
      payout_id = coalesce(excluded.payout_id, m.payout_id), changed_at = clock_timestamp(),
      line_id = case when m.state = 'double' and (m.day, m.amount) <> (excluded.day, excluded.amount) then null else m.line_id end,
      state = case when m.state in ('due', 'gone') or (m.day, m.amount) <> (excluded.day, excluded.amount) then 'due'
        when m.state = 'leaving' then 'kept' else m.state end
    where m.state in ('leaving', 'gone') or (m.kind, m.day, m.amount, m.description) <> (excluded.kind, excluded.day, excluded.amount, excluded.description)
      or m.counterparty is distinct from excluded.counterparty or (m.reference is null and excluded.reference is not null)
      or (excluded.payout_id is not null and m.payout_id is distinct from excluded.payout_id)
    returning m.movement_id`);
  return changed.length;
}

/** Keeps movements without a line. Those that are known stay as they are. */
export async function noteMovements(tx: TenantTransaction, feed: Feed, movements: readonly Movement[]): Promise<void> {
  if (movements.length === 0) return;
  const noted = movements.map((one) => ({
    movement_id: one.id,
    kind: one.kind,
    day: one.day,
    amount: one.amount.toString(),
    description: storable(one.description, 2000),
  }));
  await tx.query(sql`
    insert into accounting.feed_movement (tenant_id, feed_id, movement_id, kind, day, amount, description, state)
    select ${tx.context.tenant}::uuid, ${feed.id}::uuid, n.movement_id, n.kind, n.day, n.amount, n.description, 'gone'
    from json_to_recordset(${JSON.stringify(noted)}::json) as n (movement_id text, kind text, day date, amount bigint, description text)
    order by n.movement_id
    on conflict do nothing`);
}

export async function isKnown(tx: TenantTransaction, feed: Feed, id: string): Promise<boolean> {
  const found = await tx.query(sql`
    select from accounting.feed_movement
    where tenant_id = ${tx.context.tenant}::uuid and feed_id = ${feed.id}::uuid and movement_id = ${id}`);
  return found.length > 0;
}

/** Has movements go that their provider takes back. Those that are not known are none, and what was paid out has moved. */
export async function dropMovements(tx: TenantTransaction, feed: Feed, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await tx.query(sql`
    update accounting.feed_movement set changed_at = clock_timestamp(),
      state = case when state = 'double' or line_id is null then 'gone' else 'leaving' end,
      line_id = case when state = 'double' then null else line_id end
    where tenant_id = ${tx.context.tenant}::uuid and feed_id = ${feed.id}::uuid and movement_id = any (${ids}::text[])
      and payout_id is null and state not in ('gone', 'leaving')`);
}

/** As the database keeps it: without control characters and half letters, of so many UTF-16 units. */
export const storable = (text: string, most: number): string =>
  text
    .slice(0, most)
    .replaceAll(/\p{Cc}/gu, ' ')
    .toWellFormed()
    .trim();

const optional = (text: string | null | undefined): string | null => {
  const kept = storable(text ?? '', 500);
  return kept === '' ? null : kept;
};
