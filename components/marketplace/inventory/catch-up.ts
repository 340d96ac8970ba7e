import { sql, type TenantContext } from '@steward/sql';
import type { Channel } from '../channels/channel.ts';
import { type ImportOnePorts, importOne } from '../imports/one.ts';
import { knownOrder } from '../orders/import.ts';
import { serveChannels } from '../permissions.ts';
import type { Ask } from '../shopify/client.ts';
import { idOf, momentOf, nextOf, nodesOf } from '../shopify/read.ts';

const ordersQuery = `query ChangedOrders($after: String) { orders(first: 50, after: $after, sortKey: UPDATED_AT, reverse: true) {
  pageInfo { hasNextPage endCursor } nodes { id updatedAt } } }`;

/** Milliseconds before the newest order that is known: two may be told in another order than they were changed in. */
const overlap = 5 * 60_000;
const mostPages = 40;

/**
 * Reads the orders that a shop has changed since the last time, the newest first, without waiting to be told of them: then what they sold is
 * reserved here, too. Those that are known as they are cost nothing.
 */
export async function catchUp(
  ports: ImportOnePorts,
  context: TenantContext,
  channel: Channel,
  ask: Ask,
  signal: AbortSignal,
): Promise<void> {
  const scope = context.require(serveChannels);
  const [task] = await scope.read<{ cursor: string | null }>(sql`
    select cursor from marketplace.task
    where tenant_id = ${context.tenant}::uuid and channel_id = ${channel.id}::uuid and kind = 'stock'`);
  const since = Date.parse(task?.cursor ?? channel.connectedAt) - overlap;
  let newest: string | undefined;
  for (let after: string | undefined, pages = 0; pages === 0 || after !== undefined; pages += 1) {
    const { orders } = await ask(ordersQuery, after === undefined ? {} : { after });
    after = pages + 1 < mostPages ? nextOf(orders) : undefined;
    for (const node of nodesOf(orders)) {
      signal.throwIfAborted();
      const [id, at] = [idOf(node['id']), momentOf(node['updatedAt'])];
      newest ??= at;
      if (Date.parse(at) < since) {
        after = undefined;
        break;
      }
      const known = await knownOrder({ context, query: scope.read }, channel, id);
      if (known !== undefined && known.updatedAt.getTime() >= Date.parse(at)) continue;
      await importOne(ports, { tenant: context.tenant, kind: 'orders', channel, ask, id });
    }
  }
  if (newest === undefined) return;
  const seen = newest;
  await scope.write(async (tx) => {
    await tx.query(sql`
      update marketplace.task set cursor = greatest(cursor, ${seen})
      where tenant_id = ${context.tenant}::uuid and channel_id = ${channel.id}::uuid and kind = 'stock'`);
  });
}
