import { newId } from '@steward/kernel';
import { reserveElsewhere } from '@steward/orders';
import { sql, type TenantContext, type TenantTransaction } from '@steward/sql';
import { followLevels, stockAt } from '@steward/stock';
import { type Channel, holdChannel, readChannel } from '../channels/channel.ts';
import { contextOf, type ImportOnePorts } from '../imports/one.ts';
import { serveChannels } from '../permissions.ts';
import type { Ask } from '../shopify/client.ts';
import {
  activate,
  type LevelChange,
  type LevelOutcome,
  mostLevels,
  readLevels,
  setAvailable,
  type ShopLevel,
} from '../shopify/inventory.ts';
import { catchUp } from './catch-up.ts';

export type ComparePorts = ImportOnePorts;

interface Row extends Record<string, unknown> {
  readonly external_id: string;
  readonly variant_id: string;
  readonly known: bigint | null;
  /** With all its digits. */
  readonly due: string;
}

/** What came of comparing one. */
interface Compared {
  readonly row: Row;
  /** What the shop has to sell, where both are the same now. */
  readonly known: number | null;
  readonly attention: 'not_stocked' | 'several_items' | 'refused' | null;
  /** Whether it is to be compared again at once. */
  readonly again: boolean;
}

interface Comparing {
  readonly ports: ComparePorts;
  readonly context: TenantContext;
  readonly channel: Channel;
  readonly ask: Ask;
  readonly signal: AbortSignal;
  readonly rows: readonly Row[];
  readonly levels: ReadonlyMap<string, ShopLevel | null>;
}

/** Orders that are looked at again in one round, the oldest first. */
const mostOversold = 20;
/** As many as Shopify can say; more is never told. */
const mostAvailable = 1_000_000_000;

/**
 * Compares what is due of a channel with its shop, and has the side that follows do so: up to `mostLevels` variants. A webhook may be lost and a number be
 * changed where nobody tells, so each is compared again within a day.
 */
export async function compareStock(
  ports: ComparePorts,
  context: TenantContext,
  channelId: string,
  ask: Ask,
  signal: AbortSignal,
): Promise<void> {
  const scope = context.require(serveChannels);
  const channel = await readChannel(scope, channelId);
  const { stock, shopLocationId } = channel;
  const rows =
    stock === 'none' || shopLocationId === null
      ? []
      : await scope.read<Row>(sql`
          select external_id, variant_id, known, due_at::text as due from marketplace.inventory
          where tenant_id = ${context.tenant}::uuid and channel_id = ${channelId}::uuid and due_at <= clock_timestamp()
          order by due_at limit ${mostLevels}`);
  let compared: readonly Compared[] = [];
  if (rows.length > 0 && shopLocationId !== null) {
    const levels = await readLevels(
      ask,
      shopLocationId,
      rows.map(({ external_id: id }) => id),
    );
    const comparing = { ports, context, channel, ask, signal, rows, levels };
    await reserveOversold(ports, channel, context.tenant);
    compared = stock === 'here' ? await tellShop(comparing, shopLocationId) : await followShop(comparing);
  }
  await scope.write(async (tx) => {
    await holdChannel(tx, channelId);
    await settle(tx, channelId, compared);
    await goOn(tx, channelId, compared.filter(({ row, known }) => row.known === null && known !== null).length);
  });
}

const result = (row: Row, known: number | null, attention: Compared['attention'] = null, again = false): Compared => ({
  row,
  known,
  attention,
  again,
});

/**
 * What can be sold here is what the shop may sell. Where the shop has another number than the one that it was last told, it has sold some or somebody
 * has changed it there, and what it begins to count here it may have sold elsewhere: then its orders are read first. Whatever happens in the shop after it was asked, and before it is told, has it refuse.
 */
async function tellShop(comparing: Comparing, shopLocationId: string): Promise<readonly Compared[]> {
  const { ports, context, channel, ask, signal, rows, levels } = comparing;
  const scope = context.require(serveChannels);
  const isOther = ({ external_id: id, known }: Row): boolean => {
    const level = levels.get(id);
    // Elsewhere in the shop it may have been sold too.
    if (level === null) return true;
    return level !== undefined && (known === null || Number(known) !== level.available);
  };
  if (rows.some(isOther)) await catchUp(ports, context, channel, ask, signal);
  const variants = rows.map(({ variant_id: id }) => id);
  const there = await stockAt({ context, query: scope.read }, channel.locationId, variants);
  if (!isStill(await readChannel(scope, channel.id), channel)) return [];
  const changes: LevelChange[] = [];
  const fresh: Pick<LevelChange, 'itemId' | 'to'>[] = [];
  const compared = rows.map((row): (() => Compared) => {
    const { external_id: itemId, variant_id: variantId } = row;
    const [level, own] = [levels.get(itemId), there.get(variantId)];
    // What is not counted here says nothing about the shop.
    if (own === undefined) return () => result(row, null);
    const told = (outcome: LevelOutcome | undefined, to: number): Compared => {
      if (outcome === 'set') return result(row, to);
      return outcome === 'stale' || outcome === undefined
        ? result(row, row.known === null ? null : Number(row.known), null, true)
        : result(row, null, outcome);
    };
    // The shop counts it, though nowhere near: it begins to once there is something to sell.
    if (level === null && own.available > 0) {
      const to = Math.min(own.available, mostAvailable);
      fresh.push({ itemId, to });
      return () => told(outcomes.get(itemId), to);
    }
    if (level == null) return () => result(row, null, 'not_stocked');
    // What the shop has sold and is not known here yet is on hand, and not for sale.
    const most = Math.min(own.available, own.onHand - level.committed);
    const to = Math.min(Math.max(most, 0), mostAvailable);
    if (to === level.available) return () => result(row, to);
    changes.push({ itemId, from: level.available, to });
    return () => told(outcomes.get(itemId), to);
  });
  const outcomes = new Map<string, LevelOutcome>(
    changes.length === 0 ? [] : await setAvailable(ask, shopLocationId, changes, newId),
  );
  for (const one of fresh) outcomes.set(one.itemId, await activate(ask, shopLocationId, one, newId()));
  return compared.map((one) => one());
}

/** What the shop has is what is on hand here: what it can sell, and what it has sold and not sent. */
async function followShop({ ports, context, channel, rows, levels }: Comparing): Promise<readonly Compared[]> {
  return context.require(serveChannels).write(async (tx) => {
    const held = await holdChannel(tx, channel.id);
    if (!isStill(held, channel)) return [];
    // What an order moved since the shop was asked is asked anew.
    const same = await tx.query<{ external_id: string }>(sql`
      select i.external_id from unnest(${rows.map(({ external_id: id }) => id)}::text[], ${rows.map(({ due }) => due)}::timestamptz[]) r (id, due)
      join marketplace.inventory i on i.tenant_id = ${context.tenant}::uuid and i.channel_id = ${channel.id}::uuid and i.external_id = r.id and i.due_at = r.due`);
    const still = new Set(same.map(({ external_id: id }) => id));
    const counted = rows.flatMap((row) => {
      const level = levels.get(row.external_id);
      return level == null || !still.has(row.external_id) ? [] : [{ row, level }];
    });
    const lines = counted.map(({ row, level: { available, committed } }) => ({
      variantId: row.variant_id,
      onHand: available + committed,
    }));
    const left = await followLevels(tx, { locationId: held.locationId, reason: 'marketplace', lines }, ports);
    const followed = new Set(counted.map(({ row }) => row));
    return [
      ...counted.map(({ row, level }) =>
        left.has(row.variant_id) ? result(row, null, 'several_items') : result(row, level.available),
      ),
      ...rows.flatMap((row) => (followed.has(row) || !still.has(row.external_id) ? [] : [result(row, null)])),
    ];
  });
}

const isStill = (now: Channel, before: Channel): boolean =>
  now.status === 'connected' && now.version === before.version;

/** Orders that were sold beyond what there was come first, once there is more: as far as there is, nobody else is promised it. */
async function reserveOversold(ports: ComparePorts, channel: Channel, tenant: string): Promise<void> {
  const oversold = channel.ordersToLookAt.filter(({ attention }) => attention.includes('oversold'));
  for (const { orderId } of oversold.slice(-mostOversold).toReversed())
    await contextOf(ports, tenant)
      .require(serveChannels)
      .write(async (tx) => {
        await holdChannel(tx, channel.id);
        if (!(await reserveElsewhere(tx, orderId, channel.locationId))) return;
        await tx.query(sql`
          update marketplace.imported_order set attention = array_remove(attention, 'oversold')
          where tenant_id = ${tenant}::uuid and order_id = ${orderId}::uuid`);
      });
}

/** What was marked again meanwhile stays due. */
async function settle(tx: TenantTransaction, channelId: string, compared: readonly Compared[]): Promise<void> {
  await tx.query(sql`
    update marketplace.inventory i set known = c.known, attention = c.attention,
      due_at = case when i.due_at <> c.due then i.due_at when c.again then clock_timestamp() + interval '1 second'
        else clock_timestamp() + interval '1 day' end
    from unnest(${compared.map(({ row }) => row.external_id)}::text[], ${compared.map(({ row }) => row.due)}::timestamptz[],
      ${compared.map(({ known }) => known)}::bigint[], ${compared.map(({ attention }) => attention)}::text[],
      ${compared.map(({ again }) => again)}::boolean[]) c (id, due, known, attention, again)
    where i.tenant_id = ${tx.context.tenant}::uuid and i.channel_id = ${channelId}::uuid and i.external_id = c.id`);
}

/**
 * When the next is due. Orders that were imported before their goods were counted have nothing reserved: once all that is new was compared, open orders
 * are imported once more.
 */
async function goOn(tx: TenantTransaction, channelId: string, fresh: number): Promise<void> {
  const { tenant } = tx.context;
  const ofStock = sql`
    select done from marketplace.task where tenant_id = ${tenant}::uuid and channel_id = ${channelId}::uuid and kind = 'stock' for update`;
  const [task] = await tx.query<{ done: number }>(ofStock);
  // By now whoever marks something waits, or has been seen.
  const [next] = await tx.query<{ due: string | null; waiting: boolean | null }>(sql`
    select min(i.due_at)::text as due, min(i.due_at) <= clock_timestamp() as waiting from marketplace.inventory i
    join marketplace.channel c on c.tenant_id = i.tenant_id and c.channel_id = i.channel_id and c.stock <> 'none'
    where i.tenant_id = ${tenant}::uuid and i.channel_id = ${channelId}::uuid`);
  const due = next?.due ?? null;
  const counted = (task?.done ?? 0) + fresh;
  const isReady = next?.waiting !== true;
  await tx.query(sql`
    update marketplace.task set state = case when ${due}::timestamptz is null then 'done' else 'due' end, next_at = ${due}::timestamptz,
      done = ${isReady ? 0 : counted}::int, attempts = 0, leased_until = null, last_error = null, updated_at = clock_timestamp()
    where tenant_id = ${tenant}::uuid and channel_id = ${channelId}::uuid and kind = 'stock'`);
  if (isReady && counted > 0)
    await tx.query(sql`
      update marketplace.task set state = 'due', cursor = null, done = 0, failed = 0, total = null, last_error = null, attempts = 0, leased_until = null,
        next_at = clock_timestamp(), updated_at = clock_timestamp()
      where tenant_id = ${tenant}::uuid and channel_id = ${channelId}::uuid and kind = 'orders' and state <> 'due'`);
}
