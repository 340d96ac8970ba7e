import { listingOf, makerOf, type Integrations } from '@steward/identity';
import type { TenantTransaction } from '@steward/sql';
import type { DeliveriesPorts } from '../ports.ts';
import { runWebhook } from './resume.ts';
import { stopWebhook } from './stop.ts';
import { shutOut } from '../words.ts';
import { hasSecret, knowers, selectWebhooks, setWebhook, webhook, type Webhook } from './webhook.ts';

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
    suspendedAt: `case when e.reason in ('client_shut_out', 'shut_out_stopped') then e.status_at end`,
    knowers,
  }),
  suspend: async (tx, ids) => {
    const { tenant } = tx.context;
    const made = await tx.query(
      selectWebhooks(
        `e.endpoint_id = any ($2::uuid[]) and coalesce(e.reason <> all ($3::text[]), true) order by e.endpoint_id for no key update of e`,
        tenant,
        [...ids],
        shutOut,
      ),
    );
    for (const { id, status } of made.map(webhook.read)) {
      await (status === 'active'
        ? stopWebhook(tx, id, 'paused', 'client_shut_out')
        : stopWebhook(tx, id, status, 'shut_out_stopped'));
      tx.afterCommit(() => ports.changed(tenant, id));
    }
  },
  restore: async (tx, id) => {
    const { tenant } = tx.context;
    const [row] = await tx.query(
      selectWebhooks(
        'e.endpoint_id::text = $2 and e.reason = any ($3::text[]) for no key update of e',
        tenant,
        id,
        shutOut,
      ),
    );
    if (row === undefined) return false;
    const held = webhook.read(row);
    await (held.reason === 'client_shut_out' ? runWebhook(tx, ports, held.id) : keepStopped(tx, held));
    return true;
  },
});

/** Whoever looked at it is its maker, and it sends nothing until somebody resumes it, or makes the secret that it has none of. */
async function keepStopped(tx: TenantTransaction, held: Webhook): Promise<void> {
  const { id, status } = held;
  const { by, byType, through } = makerOf(tx.context);
  await setWebhook(tx, id, 'created_by = $3, created_by_type = $4, created_through = $5', [by, byType, through]);
  await stopWebhook(
    tx,
    id,
    status === 'disabled' ? status : 'paused',
    (await hasSecret(tx, held)) ? 'member' : 'secret_missing',
  );
}
