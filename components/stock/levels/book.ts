import type { FieldError } from '@steward/kernel';
import { type Row, sql, type TenantTransaction } from '@steward/sql';
import {
  appraise,
  comeIn,
  type Cost,
  type Costing,
  isNothing,
  isTooMuch,
  leave,
  noCost,
  type Pool,
  together,
  unknownOf,
} from '../costs/pool.ts';
import { announcement, event } from '../events.ts';
import { parts } from '../parts.ts';
import { type Kind, type Mode, mostOfLevel } from '../words.ts';

/** How much of an item there is at a location. */
export interface Level {
  readonly itemId: string;
  readonly locationId: string;
  readonly onHand: number;
  readonly reserved: number;
  readonly incoming: number;
}

export interface Move {
  readonly kind: Kind;
  /** Of its source, by which a repetition is known. */
  readonly line: string;
  readonly itemId: string;
  readonly locationId: string;
  readonly onHand?: number;
  readonly reserved?: number;
  readonly incoming?: number;
  /** What comes in and cost so much; none: its cost is not known. Of tests nothing costs anything. */
  readonly came?: Cost | undefined;
  /** What those on hand cost, once they are moved, whose cost was not known so far. */
  readonly appraised?: bigint | undefined;
}

/** What moves are made for. */
export interface Source {
  readonly kind: string;
  readonly id: string;
  /** Whose it was, such as an order. */
  readonly holder?: string | undefined;
  readonly reason?: string | undefined;
  readonly note?: string | undefined;
}

type Change = Required<Omit<Move, 'came' | 'appraised'>> & { readonly costing: Costing };

/** Levels of some items, which nobody else changes until the transaction ends, and what is to be moved in them. */
export interface Book {
  at(itemId: string, locationId: string): Level;
  /** Whether the item was ever at the location. */
  has(itemId: string, locationId: string): boolean;
  /** Of an item, wherever it lies. */
  of(itemId: string): readonly Level[];
  /** What is on hand of an item and what of it cost so much; nothing of tests. */
  pool(itemId: string): Pool | undefined;
  /** Whether more may be promised of an item than there is. */
  mayLack(itemId: string): boolean;
  /** Changes the level here; answers why it cannot be, and changes nothing then. */
  move(move: Move): Omit<FieldError, 'pointer'> | undefined;
  /** On hand, by level, what was moved so far; in the order of moving. */
  moved(): { readonly level: Level; readonly change: number }[];
  /** Writes what was moved, with a movement each. */
  write(source: Source): Promise<void>;
}

export const actorOf = ({ context: { caller } }: Pick<TenantTransaction, 'context'>): string =>
  `${caller.type}:${caller.id}`;

/** Locks the items; of tests, makes the levels that are not there yet; releases what has expired. */
export async function holdLevels(tx: TenantTransaction, mode: Mode, itemIds: readonly string[]): Promise<Book> {
  const { tenant } = tx.context;
  const [, rows = [], items = [], valued = []] = await tx.queryAll([
    sql`select stock.hold_items(${mode}, ${itemIds}::uuid[], ${actorOf(tx)})`,
    sql`select l.* from unnest(${itemIds}::uuid[]) x (id)
      cross join lateral (
        select item_id, location_id, on_hand, reserved, incoming from stock.level
        where tenant_id = ${tenant}::uuid and mode = ${mode} and item_id = x.id offset 0
      ) l`,
    sql`select x.id as item_id from unnest(${itemIds}::uuid[]) x (id)
      cross join lateral (select policy from stock.item where tenant_id = ${tenant}::uuid and item_id = x.id offset 0) i
      where i.policy = 'continue'`,
    sql`select v.* from unnest(${itemIds}::uuid[]) x (id)
      cross join lateral (
        select item_id, costed, value from stock.valuation where tenant_id = ${tenant}::uuid and item_id = x.id offset 0
      ) v`,
  ]);
  const lacking = new Set(items.map((row) => String(row['item_id'])));
  const levels = new Map<string, Map<string, Level>>();
  const put = (level: Level): void => {
    const own = levels.get(level.itemId) ?? new Map<string, Level>();
    levels.set(level.itemId, own.set(level.locationId, level));
  };
  for (const row of rows)
    put({
      itemId: String(row['item_id']),
      locationId: String(row['location_id']),
      onHand: Number(row['on_hand']),
      reserved: Number(row['reserved']),
      incoming: Number(row['incoming']),
    });
  const pools = new Map<string, Pool>();
  for (const itemId of mode === 'live' ? itemIds : []) {
    const own = valued.find((row) => row['item_id'] === itemId);
    pools.set(itemId, {
      onHand: [...(levels.get(itemId)?.values() ?? [])].reduce((sum, { onHand }) => sum + onHand, 0),
      costed: Number(own?.['costed'] ?? 0),
      value: BigInt((own?.['value'] as bigint | undefined) ?? 0),
    });
  }
  const before = new Map(pools);
  const changes = new Map<string, Change>();
  const at: Book['at'] = (itemId, locationId) =>
    levels.get(itemId)?.get(locationId) ?? { itemId, locationId, onHand: 0, reserved: 0, incoming: 0 };
  return {
    at,
    has: (itemId, locationId) => levels.get(itemId)?.has(locationId) === true,
    of: (itemId) => [...(levels.get(itemId)?.values() ?? [])],
    pool: (itemId) => pools.get(itemId),
    mayLack: (itemId) => lacking.has(itemId),
    move: ({ kind, line, itemId, locationId, onHand = 0, reserved = 0, incoming = 0, came, appraised }) => {
      const there = at(itemId, locationId);
      const after: Level = {
        itemId,
        locationId,
        onHand: there.onHand + onHand,
        reserved: there.reserved + reserved,
        incoming: there.incoming + incoming,
      };
      const fault = faultOf(there, after, lacking.has(itemId));
      if (fault !== undefined) return fault;
      const pool = pools.get(itemId);
      let costing = noCost;
      // A transfer takes as many from the item as it brings.
      if (pool !== undefined && kind !== 'transfer') {
        const costed = costs(pool, onHand, came, appraised);
        if ('code' in costed) return costed;
        pools.set(itemId, costed.pool);
        costing = costed.costing;
      }
      put(after);
      const key = `${kind} ${line} ${itemId} ${locationId}`;
      const sum = changes.get(key) ?? { kind, line, itemId, locationId, onHand: 0, reserved: 0, incoming: 0, costing };
      const first = !changes.has(key);
      changes.set(key, {
        ...sum,
        onHand: sum.onHand + onHand,
        reserved: sum.reserved + reserved,
        incoming: sum.incoming + incoming,
        costing: first ? costing : together(sum.costing, costing),
      });
      return undefined;
    },
    moved: () => {
      const sums = Map.groupBy(changes.values(), ({ itemId, locationId }) => `${itemId} ${locationId}`);
      return [...sums.values()].flatMap((own) =>
        own.slice(0, 1).map(({ itemId, locationId }) => ({
          level: at(itemId, locationId),
          change: own.reduce((sum, { onHand }) => sum + onHand, 0),
        })),
      );
    },
    write: async (source) => {
      if (changes.size === 0) return;
      await store(tx, mode, source, [...changes.values()], at);
      await storeValues(
        tx,
        [...pools].filter(([itemId, { costed, value }]) => {
          const was = before.get(itemId);
          return costed !== was?.costed || value !== was.value;
        }),
      );
    },
  };
}

async function store(
  tx: TenantTransaction,
  mode: Mode,
  source: Source,
  changes: readonly Change[],
  at: Book['at'],
): Promise<void> {
  const { tenant } = tx.context;
  const touched = [...Map.groupBy(changes, ({ itemId, locationId }) => `${itemId} ${locationId}`).values()].flatMap(
    ([one]) => (one === undefined ? [] : [at(one.itemId, one.locationId)]),
  );
  const list = <T, K>(of: readonly T[], member: (one: T) => K): K[] => of.map((one) => member(one));
  const [, moved = []] = await tx.queryAll([
    sql`insert into stock.level (tenant_id, mode, item_id, location_id, on_hand, reserved, incoming, overdraw)
      select i.tenant_id, ${mode}, c.item_id, c.location_id, c.on_hand, c.reserved, c.incoming, i.policy = 'continue'
      from unnest(${list(touched, ({ itemId }) => itemId)}::uuid[], ${list(touched, ({ locationId }) => locationId)}::uuid[],
        ${list(touched, ({ onHand }) => onHand)}::bigint[], ${list(touched, ({ reserved }) => reserved)}::bigint[],
        ${list(touched, ({ incoming }) => incoming)}::bigint[]) c (item_id, location_id, on_hand, reserved, incoming)
      cross join lateral (select tenant_id, policy from stock.item where tenant_id = ${tenant}::uuid and item_id = c.item_id offset 0) i
      on conflict (tenant_id, mode, item_id, location_id)
        do update set on_hand = excluded.on_hand, reserved = excluded.reserved, incoming = excluded.incoming`,
    sql`insert into stock.movement (tenant_id, mode, movement_id, kind, item_id, location_id, on_hand, reserved, incoming, source_line,
        costed, cost, late_costed, late_cost, reason, note, source_kind, source_id, actor)
      select ${tenant}::uuid, ${mode}, stock.new_id(), c.*, ${source.reason ?? null}, ${source.note ?? null}, ${source.kind}, ${source.id}::uuid, ${actorOf(tx)}
      from unnest(${list(changes, ({ kind }) => kind)}::text[], ${list(changes, ({ itemId }) => itemId)}::uuid[],
        ${list(changes, ({ locationId }) => locationId)}::uuid[], ${list(changes, ({ onHand }) => onHand)}::bigint[],
        ${list(changes, ({ reserved }) => reserved)}::bigint[], ${list(changes, ({ incoming }) => incoming)}::bigint[],
        ${list(changes, ({ line }) => line)}::text[], ${list(changes, ({ costing }) => costing.costed)}::bigint[],
        ${list(changes, ({ costing }) => costing.cost)}::bigint[], ${list(changes, ({ costing }) => costing.lateCosted)}::bigint[],
        ${list(changes, ({ costing }) => costing.lateCost)}::bigint[]) c
      returning movement_id, item_id, costed, cost, late_costed, late_cost`,
  ]);
  if (changes.some(({ costing }) => !isNothing(costing))) recordCosts(tx, source, moved);
  announceChanged(
    tx,
    mode,
    changes.map(({ itemId }) => itemId),
  );
}

function recordCosts(tx: TenantTransaction, { kind, id, holder }: Source, moved: readonly Row[]): void {
  const movements = moved.map((row) => ({
    movement_id: String(row['movement_id']),
    item_id: String(row['item_id']),
    costed: Number(row['costed']),
    cost: String(row['cost']),
    late_costed: Number(row['late_costed']),
    late_cost: String(row['late_cost']),
  }));
  const costed = movements.filter((one) => one.costed !== 0 || one.late_costed !== 0);
  for (const some of parts(costed)) tx.record(event('commerce.stock.costed', { source_id: id, movements: [...some] }));
  tx.publish(announcement('commerce.stock.costed', { sourceKind: kind, sourceId: id, holderId: holder ?? null }));
}

async function storeValues(tx: TenantTransaction, pools: readonly (readonly [string, Pool])[]): Promise<void> {
  if (pools.length === 0) return;
  await tx.query(sql`
    insert into stock.valuation (tenant_id, item_id, costed, value)
    select ${tx.context.tenant}::uuid, * from unnest(${pools.map(([itemId]) => itemId)}::uuid[], ${pools.map(([, { costed }]) => costed)}::bigint[],
      ${pools.map(([, { value }]) => value)}::bigint[])
    on conflict (tenant_id, item_id) do update set costed = excluded.costed, value = excluded.value`);
}

/** What a move does to what is on hand with a known cost, or why it cannot be. */
function costs(
  pool: Pool,
  change: number,
  came: Cost = { costed: 0, cost: 0n },
  appraised?: bigint,
): { readonly pool: Pool; readonly costing: Costing } | Omit<FieldError, 'pointer'> {
  const [moved, costing] = change < 0 ? leave(pool, -change) : comeIn(pool, change, came);
  if (appraised !== undefined && unknownOf(moved) === 0)
    return {
      code: 'cost_known',
      detail: 'What all pieces on hand cost is known already: say what they cost as they come in, or leave it out.',
    };
  const [after, more] = appraised === undefined ? [moved, noCost] : appraise(moved, appraised);
  if (isTooMuch(after))
    return { code: 'too_big', detail: 'No more can be on hand of an item than cost so much in all.' };
  return { pool: after, costing: together(costing, more) };
}

function faultOf(before: Level, after: Level, mayLack: boolean): Omit<FieldError, 'pointer'> | undefined {
  if (!mayLack && after.reserved > after.onHand)
    return {
      code: 'insufficient',
      detail:
        `${before.onHand} are on hand, of which ${before.reserved} are reserved: leave at least what is reserved, ` +
        'or have the item sold on when there is none (policy continue).',
    };
  if (Math.abs(after.onHand) > mostOfLevel || after.incoming > mostOfLevel)
    return { code: 'too_big', detail: `A location holds at most ${mostOfLevel} of an item.` };
  return undefined;
}

/** Tells the bus that there may be more or less of these items. */
export function announceChanged(tx: TenantTransaction, mode: Mode, itemIds: readonly string[]): void {
  if (itemIds.length > 0) tx.publish(announcement('commerce.stock.changed', { mode, itemIds: [...new Set(itemIds)] }));
}
