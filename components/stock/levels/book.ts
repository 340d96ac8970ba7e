import type { FieldError } from '@steward/kernel';
import { sql, type TenantTransaction } from '@steward/sql';
import { announcement } from '../events.ts';
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
}

/** What moves are made for. */
export interface Source {
  readonly kind: string;
  readonly id: string;
  readonly reason?: string | undefined;
  readonly note?: string | undefined;
}

type Change = Required<Omit<Move, 'kind' | 'line'>> & Pick<Move, 'kind' | 'line'>;

/** Levels of some items, which nobody else changes until the transaction ends, and what is to be moved in them. */
export interface Book {
  at(itemId: string, locationId: string): Level;
  /** Whether the item was ever at the location. */
  has(itemId: string, locationId: string): boolean;
  /** Of an item, wherever it lies. */
  of(itemId: string): readonly Level[];
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
  const [, rows = [], items = []] = await tx.queryAll([
    sql`select stock.hold_items(${mode}, ${itemIds}::uuid[], ${actorOf(tx)})`,
    sql`select l.* from unnest(${itemIds}::uuid[]) x (id)
      cross join lateral (
        select item_id, location_id, on_hand, reserved, incoming from stock.level
        where tenant_id = ${tenant}::uuid and mode = ${mode} and item_id = x.id offset 0
      ) l`,
    sql`select x.id as item_id from unnest(${itemIds}::uuid[]) x (id)
      cross join lateral (select policy from stock.item where tenant_id = ${tenant}::uuid and item_id = x.id offset 0) i
      where i.policy = 'continue'`,
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
  const changes = new Map<string, Change>();
  const at: Book['at'] = (itemId, locationId) =>
    levels.get(itemId)?.get(locationId) ?? { itemId, locationId, onHand: 0, reserved: 0, incoming: 0 };
  return {
    at,
    has: (itemId, locationId) => levels.get(itemId)?.has(locationId) === true,
    of: (itemId) => [...(levels.get(itemId)?.values() ?? [])],
    mayLack: (itemId) => lacking.has(itemId),
    move: ({ kind, line, itemId, locationId, onHand = 0, reserved = 0, incoming = 0 }) => {
      const before = at(itemId, locationId);
      const after: Level = {
        itemId,
        locationId,
        onHand: before.onHand + onHand,
        reserved: before.reserved + reserved,
        incoming: before.incoming + incoming,
      };
      const fault = faultOf(before, after, lacking.has(itemId));
      if (fault !== undefined) return fault;
      put(after);
      const key = `${kind} ${line} ${itemId} ${locationId}`;
      const sum = changes.get(key) ?? { kind, line, itemId, locationId, onHand: 0, reserved: 0, incoming: 0 };
      changes.set(key, {
        ...sum,
        onHand: sum.onHand + onHand,
        reserved: sum.reserved + reserved,
        incoming: sum.incoming + incoming,
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
  await tx.queryAll([
    sql`insert into stock.level (tenant_id, mode, item_id, location_id, on_hand, reserved, incoming, overdraw)
      select i.tenant_id, ${mode}, c.item_id, c.location_id, c.on_hand, c.reserved, c.incoming, i.policy = 'continue'
      from unnest(${list(touched, ({ itemId }) => itemId)}::uuid[], ${list(touched, ({ locationId }) => locationId)}::uuid[],
        ${list(touched, ({ onHand }) => onHand)}::bigint[], ${list(touched, ({ reserved }) => reserved)}::bigint[],
        ${list(touched, ({ incoming }) => incoming)}::bigint[]) c (item_id, location_id, on_hand, reserved, incoming)
      cross join lateral (select tenant_id, policy from stock.item where tenant_id = ${tenant}::uuid and item_id = c.item_id offset 0) i
      on conflict (tenant_id, mode, item_id, location_id)
        do update set on_hand = excluded.on_hand, reserved = excluded.reserved, incoming = excluded.incoming`,
    sql`insert into stock.movement (tenant_id, mode, movement_id, kind, item_id, location_id, on_hand, reserved, incoming, source_line,
        reason, note, source_kind, source_id, actor)
      select ${tenant}::uuid, ${mode}, stock.new_id(), c.*, ${source.reason ?? null}, ${source.note ?? null}, ${source.kind}, ${source.id}::uuid, ${actorOf(tx)}
      from unnest(${list(changes, ({ kind }) => kind)}::text[], ${list(changes, ({ itemId }) => itemId)}::uuid[],
        ${list(changes, ({ locationId }) => locationId)}::uuid[], ${list(changes, ({ onHand }) => onHand)}::bigint[],
        ${list(changes, ({ reserved }) => reserved)}::bigint[], ${list(changes, ({ incoming }) => incoming)}::bigint[],
        ${list(changes, ({ line }) => line)}::text[]) c`,
  ]);
  announceChanged(
    tx,
    mode,
    changes.map(({ itemId }) => itemId),
  );
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
