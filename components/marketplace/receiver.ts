import { type Projection, type Receiver, shopify } from '@steward/callbacks';
import { sql, type SqlPool } from '@steward/sql';
import { uninstalled } from './channels/uninstalled.ts';
import { levelChanged } from './inventory/projection.ts';
import { followOrder } from './orders/projection.ts';
import type { ImportPorts } from './ports.ts';
import { dataRequested } from './privacy/data-request.ts';
import { customerRedacted, shopRedacted } from './privacy/redact.ts';
import { followProduct } from './products/projection.ts';
import type { ClientPorts } from './shopify/client.ts';

export interface ReceiverPorts extends ImportPorts, ClientPorts {
  readonly pool: Pick<SqlPool, 'read'>;
  /** Something is to be done for a channel. */
  readonly wake: () => void;
}

/** What the law asks for; it comes also where a shop is connected no more. */
const byLaw: ReadonlySet<string> = new Set(['customers/data_request', 'customers/redact', 'shop/redact']);

/** What shops report, by the app's own secret: a shop leads to its channel, and that to its organization. */
export const marketplaceReceiver = (ports: ReceiverPorts): Receiver => ({
  name: 'commerce.marketplace',
  at: 'commerce',
  path: '/webhooks/marketplace',
  summary: 'What happens in shops at marketplaces',
  adapters: [shopify],
  connectable: false,
  secrets: () => ports.settings.webhookSecrets.map((secret) => ({ secret, settings: {} })),
  tenantOf: async ({ account, topic }) => {
    const [row] = await ports.pool.read<{ tenant_id: string }>(
      byLaw.has(topic)
        ? sql`select tenant_id from marketplace.last_channel_of_shop('shopify', ${account ?? ''})`
        : sql`select tenant_id from marketplace.channel_of_shop('shopify', ${account ?? ''})`,
    );
    return row?.tenant_id;
  },
  projections: [
    {
      topics: ['orders/create', 'orders/updated', 'orders/cancelled', 'refunds/create'],
      projection: followOrder(ports) as Projection<never>,
    },
    {
      topics: ['products/create', 'products/update', 'products/delete'],
      projection: followProduct(ports) as Projection<never>,
    },
    { topics: ['inventory_levels/update'], projection: levelChanged(ports.wake) as Projection<never> },
    { topics: ['customers/data_request'], projection: dataRequested as Projection<never> },
    { topics: ['customers/redact'], projection: customerRedacted as Projection<never> },
    { topics: ['shop/redact'], projection: shopRedacted as Projection<never> },
    { topics: ['app/uninstalled'], projection: uninstalled as Projection<never> },
  ],
});
