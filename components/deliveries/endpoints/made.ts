import { listingOf, type Integrations } from '@steward/identity';
import { sql } from '@steward/sql';
import type { DeliveriesPorts } from '../ports.ts';
import { runWebhook } from './resume.ts';
import { stopWebhook } from './stop.ts';
import { knowers } from './webhook.ts';

/** Webhooks as what gives data to somebody outside. One whose client is shut out waits with its events. */
export const madeWebhooks = (ports: Pick<DeliveriesPorts, 'changed'>): Integrations => ({
  kind: 'webhook',
  select: listingOf({
    kind: 'webhook',
    from: 'deliveries.endpoint e',
    row: 'e',
    id: 'e.endpoint_id',
    name: `coalesce(substring(e.url from '^https?://([^/?#]+)'), e.url)`,
    where: 'true',
    active: `e.status = 'active'`,
    suspendedAt: `case e.reason when 'client_shut_out' then e.status_at end`,
    knowers,
  }),
  suspend: async (tx, ids) => {
    const { tenant } = tx.context;
    const sending = await tx.query<{ id: string }>(sql`
      select endpoint_id as id from deliveries.endpoint
      where tenant_id = ${tenant}::uuid and endpoint_id = any (${[...ids]}::uuid[]) and status = 'active' order by endpoint_id for no key update`);
    for (const { id } of sending) {
      await stopWebhook(tx, id, 'paused', 'client_shut_out');
      tx.afterCommit(() => ports.changed(tenant, id));
    }
  },
  restore: async (tx, id) => {
    const { tenant } = tx.context;
    const held = await tx.query(sql`
      select from deliveries.endpoint where tenant_id = ${tenant}::uuid and endpoint_id::text = ${id} and reason = 'client_shut_out' for no key update`);
    if (held.length === 0) return false;
    await runWebhook(tx, ports, id);
    return true;
  },
});
